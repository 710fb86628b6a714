"""An algorithm and a problem are one name, in whatever form of Unicode; names that only look the same are asked about."""

import re

import pytest
import yaml

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers.archive import view_of_bytes

COMPOSED, APART = "M\u00fcller", "Mu\u0308ller"


def load(rows, **options):
    text = "algorithm,problem,run,cost\n" + "\n".join(rows) + "\n"
    return readers.load(view_of_bytes("t.csv", text.encode()), format="table", options=options)


def test_two_forms_of_a_name_are_one_name():
    trials, _, report = load([f"{COMPOSED},p{APART},1,1", f"{APART},p{COMPOSED},2,2", f"B,p{APART},1,3"])
    assert report["algorithms"] == ["B", COMPOSED]
    assert report["problems"] == [f"p{COMPOSED}"]
    assert trials["run"].to_pylist() == [1, 2, 1]
    chosen, _, _ = load([f"{APART},p1,1,1", "B,p1,1,2"], where={"algorithm": COMPOSED}, algorithm={COMPOSED: "M"})
    assert chosen["algorithm"].to_pylist() == ["M"]


def test_two_forms_in_the_names_of_files_are_refused_and_one_is_composed(tmp_path):
    log = "Running HiGHS 1.7.2 (git hash: 5ce7a2753): Copyright\nERROR: it is cut\n"
    (tmp_path / f"{APART}.log").write_text(log)
    (tmp_path / "b.log").write_text(log)
    _, _, report = readers.load(tmp_path)
    assert COMPOSED in report["problems"]
    assert [one["detail"] for one in report["irregularities"] if one["rule"] == "composed"] == ["'Mu\\u0308ller' is 'M\\xfcller'"]
    (tmp_path / f"{COMPOSED}.log").write_text(log)
    with pytest.raises(UserError, match=r"'Müller' is in it in two forms of Unicode, 'Mu\\u0308ller' and 'M\\xfcller'; write"):
        readers.load(tmp_path)


def test_algorithms_that_look_the_same_are_asked_about():
    rows = ["CMA-ES,p1,1,1", "\u0421MA-ES,p1,1,2"]
    with pytest.raises(UserError, match=r"t\.csv: it holds the algorithms 'CMA-ES' and '\\u0421MA-ES', which look") as error:
        load(rows)
    say = yaml.safe_load(f"{{{re.search('`(.*)`', str(error.value))[1]}}}")
    assert load(rows, **say)[2]["algorithms"] == ["CMA-ES", "\u0421MA-ES (2)"]
    with pytest.raises(UserError, match=r"the problems 'p1' and 'p1\\u200b', which look the same"):
        load(["A,p1,1,1", "A,p1\u200b,1,2"])
    assert load(["A,p1,1,1", "A,p1\u200b,1,2"], where={"problem": "p1"})[2]["problems"] == ["p1"]
