"""By how much two files differ that should be the same: counted by hand."""

import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmill.deposits import rerun
from benchmill.deposits.rerun import difference


def tables(tmp_path, then, now, **types):
    for name, columns in (("then", then), ("now", now)):
        schema = pa.schema([(column, types.get(column, pa.float64())) for column in columns])
        pq.write_table(pa.table(columns, schema=schema), tmp_path / f"{name}.parquet")
    return difference(tmp_path / "then.parquet", tmp_path / "now.parquet")


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ([1.0, 2.0, 4.0], [1.0, 2.5, 5.0], "in cost (2 of 3 rows, by up to 1, 20 %)"),
        ([1.0, math.nan, None], [1.0, math.nan, 3.0], "in cost (1 of 3 rows)"),
        ([math.inf, 2.0, math.nan], [3.0, 2.0, math.nan], "in cost (1 of 3 rows, by up to inf)"),
        ([0.0, 1e-300], [0.0, 2e-300], "in cost (1 of 2 rows, by up to 1e-300, 50 %)"),
    ],
)
def test_of_numbers_it_is_told_in_how_many_rows_and_by_how_much(tmp_path, then, now, told):
    assert tables(tmp_path, {"cost": then}, {"cost": now}) == told


def test_large_integers_that_are_one_number_as_floats_differ(tmp_path):
    told = tables(tmp_path, {"n": [2**60, 7]}, {"n": [2**60 + 1, 7]}, n=pa.int64())
    assert told.startswith("in n (1 of 2 rows")


def test_of_words_it_is_told_in_how_many_rows(tmp_path):
    words = pa.dictionary(pa.int32(), pa.string())
    for kind in (pa.string(), words):
        told = tables(tmp_path, {"a": ["x", "y", None]}, {"a": ["x", "z", "w"]}, a=kind)
        assert told == "in a (2 of 3 rows)"


def test_other_rows_or_columns_are_told(tmp_path):
    assert tables(tmp_path, {"a": [1.0]}, {"a": [1.0, 2.0]}) == "1 rows and 1 columns, here 2 and 1"
    (tmp_path / "then.parquet").write_bytes(b"PAR1")
    assert difference(tmp_path / "then.parquet", tmp_path / "now.parquet") == "it cannot be read as a table"


def told(tmp_path, suffix, then, now):
    for name, text in (("then", then), ("now", now)):
        (tmp_path / f"{name}{suffix}").write_text(text)
    return difference(tmp_path / f"then{suffix}", tmp_path / f"now{suffix}")


def test_of_a_table_as_text(tmp_path):
    now = "algorithm,rank,ert\nA,1,10\nB,2,20\n"
    assert told(tmp_path, ".csv", "algorithm,rank,ert\nA,2,10\nB,1,25\n", now) == (
        "in rank (2 of 2 values, by up to 1, 50 %); and ert (1 of 2 values, by up to 5, 20 %)"
    )
    assert told(tmp_path, ".csv", "algorithm,rank,ert\nB,1,10\nB,2,20\n", now) == "in algorithm (1 of 2 values)"
    assert told(tmp_path, ".csv", "algorithm,rank,ert\nA,1,10\n", now) == "1 rows, here 2"
    assert told(tmp_path, ".csv", "algorithm,rank,cost\nA,1,10\nB,2,20\n", now) == "other columns: cost and ert"
    # no table any more
    assert told(tmp_path, ".csv", "algorithm,rank,ert\nA,1\n", now) == "from line 2 on"


def test_of_json(tmp_path):
    now = {"rows": [{"rank": 1, "name": "A"}, {"rank": 2, "name": "B"}], "n": 3}
    then = {"rows": [{"rank": 2, "name": "A"}, {"rank": 2, "name": "C"}], "n": 3}
    text = told(tmp_path, ".json", json.dumps(then), json.dumps(now))
    assert text == "in rows.rank (1 of 2 values, by up to 1, 50 %); and rows.name (1 of 2 values)"
    assert told(tmp_path, ".json", "[" * 100_000, json.dumps(now)) == "from line 1 on"


def test_of_a_file_that_is_much_longer_no_more_is_read(tmp_path):
    assert told(tmp_path, ".csv", "x" * 2_000_000, "a\n1\n") == "2000000 bytes, here 4"


def test_it_is_told_whether_what_is_said_differs_and_by_which_versions():
    numbers, words = {"results/s/costs/m/a.parquet": "in cost"}, {"results/s/section.tex": "from line 2 on"}
    lines = [list(rerun.said(rerun.Compared(3, differing, []))) for differing in (numbers, {**numbers, **words}, {})]
    assert "No verdict, claim, sentence or number for the text differs." in lines[0]
    assert "What is said differs: results/s/section.tex." in lines[1]
    of_numbers = rerun.said(rerun.Compared(3, {"results/s/numbers.tex": "from line 2 on"}, []))
    assert "What is said differs: results/s/numbers.tex." in list(of_numbers)
    assert lines[2] == ["3 of 3 files are the same, byte for byte."]
    # numbers are not made by what draws figures
    told = {of: list(rerun.said(rerun.Compared(3, numbers, [f"{of} 1, here 2"])))[-1] for of in ("Matplotlib", "scipy")}
    assert told["Matplotlib"].startswith("None of these changes results/s/costs/m/a.parquet: the results were changed")
    assert told["scipy"] == "  scipy 1, here 2"


@pytest.mark.parametrize(
    ("name", "then", "words"),
    [
        ("claims", {"effect": [0.5, 1.0 + 1e-12]}, False),
        ("claims", {}, False),  # what it notes of its origin is another
        ("claims", {"effect": [0.5, None]}, True),
        ("claims", {"text": ["holds", "fails"]}, True),
        ("claims", {"holding": [3, 2]}, True),
        ("ratios", {"effect": [0.5, 1.0 + 1e-12]}, None),
    ],
)
def test_what_is_said_differs_by_words_and_counts_and_not_by_a_last_digit(tmp_path, name, then, words):
    table = {"text": ["holds", "holds"], "holding": [3, 3], "effect": [0.5, 1.0]}
    paths = [tmp_path / of / f"{name}.parquet" for of in ("then", "now")]
    for path, columns in zip(paths, ({**table, **then}, table), strict=True):
        path.parent.mkdir()
        made = pa.table(columns, schema=pa.schema([("text", pa.string()), ("holding", pa.int32()), ("effect", pa.float64())]))
        pq.write_table(made.replace_schema_metadata({"of": str(path.parent)}), path)
    differs = rerun.difference(*paths)
    assert differs.endswith(", which changes no word") == (words is False)
    lines = list(rerun.said(rerun.Compared(3, {f"results/s/{name}.parquet": differs}, [])))
    assert (f"What is said differs: results/s/{name}.parquet." in lines) == bool(words)
