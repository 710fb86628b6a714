"""Tables of what more is known of problems and algorithms."""

import pandas as pd
import pytest

from benchmill.core import UserError, attributes


def read(folder, text, key="problem", name="t.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    return attributes.read(folder / name, key, "studies.s.attributes.problems")


def test_each_column_is_an_attribute_and_an_empty_cell_says_nothing(tmp_path):
    found = read(tmp_path, "problem,class,size\np10, large ,20\np2,small,007\np1,,3\n")
    assert found == {"class": {"p10": "large", "p2": "small"}, "size": {"p10": "20", "p2": "007", "p1": "3"}}
    assert attributes.groups({"p10": "b", "p2": "b", "p1": "a"}) == {"a": ["p1"], "b": ["p2", "p10"]}


def test_parquet_says_the_same_as_text(tmp_path):
    pd.DataFrame({"problem": ["p1", "p2", "p3"], "size": [20, None, 3.5]}).to_parquet(tmp_path / "t.parquet")
    assert attributes.read(tmp_path / "t.parquet", "problem", "w") == {"size": {"p1": "20", "p3": "3.5"}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("problem,dimension\np1,2\n", "has a column 'dimension', a name that results use themselves"),
        ("problem,class\np1,a\np2,b\np1,a\n", r"t.csv:2 and .*t.csv:4: two rows for 'p1'"),
        ("name,class\np1,a\n", "has the columns name, class, expected 'problem' and columns"),
        ("problem\np1\n", "expected 'problem' and columns"),
        ("", "expected 'problem' and columns"),
        ("problem,class\np1,a,b,c\np2,a\n", r"row 2 has not as many cells as the header \(2\)"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path, text, told):
    with pytest.raises(UserError, match=told):
        read(tmp_path, text)
