"""What no trial can have done is set aside where it is read, so that it stops nobody's analysis."""

import numpy as np
import pyarrow as pa
import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from benchmill.readers.interface import Report
from tests.costs.making import source
from tests.readers.making import Result, block, folder, info

TABLE = """algorithm,problem,run,evaluations,value
Ant,f1,1,0,0.5
Ant,f1,1,10,0.25
Ant,f1,2,2,0.25
Bee,f1,1,4,0.25
Bee,f1,2,4,0.25
"""


def test_a_row_with_no_evaluation_sets_its_trial_aside_and_stops_no_table(tmp_path):
    (tmp_path / "values.csv").write_text(TABLE)
    result = Result(tmp_path / "values.csv", tmp_path / "out", format="table", direction="min")
    assert [(t["algorithm"], t["run"], t["trial"]) for t in result.trials] == [("Ant", 2, 0), ("Bee", 1, 1), ("Bee", 2, 2)]
    assert result.traces.column("trial").to_pylist() == [0, 1, 2]
    assert result.report["trials"] | {"expected": 4, "found": 3, "missing": 1} == result.report["trials"]
    assert result.first("no_evaluation") == ("values.csv", 2)
    trials = storage.read(result.files[0], "trials")
    found = costs("fixed_target", trials, result.traces, "m", {"targets": [1.0]})
    assert ratios(found, measure="m").select(["algorithm", "ratio"]).to_pylist() == [
        {"algorithm": "Ant", "ratio": 1},
        {"algorithm": "Bee", "ratio": 2},
    ]


def test_logs_of_coco_with_no_evaluation(tmp_path):
    honest, other = [(1, 5.0), (20, 0.5)], [(0, 0.5), (20, 0.25)]
    files = {
        "a.info": info(1, 2, ["1:20|5.0e-01", "2:20|2.5e-01"], data="data_f1/a.dat"),
        "data_f1/a.dat": block(1, honest) + block(2, other),
        "data_f1/a.tdat": block(1, honest) + block(2, other),
    }
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert [(t["instance"], t["trial"]) for t in result.trials] == [("1", 0)]
    assert result.counts()["no_evaluation"] == 1
    assert result.first("no_evaluation")[0] == "data_f1/a.dat"
    assert result.report["missing"][0]["instance"] == "2"


@pytest.mark.parametrize(
    ("name", "text", "budget"),
    [
        ("a.csv", "algorithm,problem,evaluations,value\nA,p,0,5\nA,p,3,2\n", 4),
        ("data_f1/a.dat", block(1, [(0, 5.0), (20, 0.5)]), 21),
    ],
)
def test_where_every_trial_begins_at_0_the_message_says_what_reads_them(tmp_path, name, text, budget):
    path = folder(tmp_path / "logs", {name: text})
    if name.endswith(".dat"):
        # the listing ends at the last row, so it does not show what the first one is
        folder(path, {"a.info": info(1, 2, ["1:20|5.0e-01"], data=name), "data_f1/a.tdat": text})
    with pytest.raises(UserError, match=r"'no_evaluation'\); it can be read with `counted_from: 0` in its entry"):
        readers.examine(path)
    assert Result(path, tmp_path / "out", counted_from=0).column("budget") == [budget]
    with pytest.raises(UserError, match="correct the file"):
        readers.examine(path, options={"counted_from": 1, "strict": True})


@pytest.mark.parametrize("early", [[], [0], [3], [1, 4], [0, 1, 2], [0, 1, 2, 3, 4, 5]])
def test_trials_are_numbered_anew_over_all_batches(early):
    runs = [{"trace": [(0 if i in early else 1, 9.0), (5, float(i))], "problem": f"f{i}"} for i in range(6)]
    trials, traces = source(runs)
    of_row = traces.column("trial").to_numpy()
    batches = [(trials.slice(a, 2), traces.filter(pa.array((of_row >= a) & (of_row < a + 2)))) for a in (0, 2, 4)]
    report = Report(readers.interface.RULES)
    found = list(readers._evaluated(iter(batches), report))
    kept = [i for i in range(6) if i not in early]
    numbers = np.concatenate([t.column("trial").to_numpy() for t, _ in found])
    assert numbers.tolist() == list(range(len(kept)))
    assert [p for t, _ in found for p in t.column("problem").to_pylist()] == [f"f{i}" for i in kept]
    rows = [(r["trial"], r["value"]) for _, t in found for r in t.select(["trial", "value"]).to_pylist() if r["value"] != 9]
    assert rows == [(n, float(i)) for n, i in enumerate(kept)]
    assert report.counts["no_evaluation"] == sum(report.absent.values()) == len(early)


def test_a_negative_time_is_set_aside(tmp_path):
    path = tmp_path / "times.csv"
    path.write_text("algorithm,problem,cost\nAnt,f1,3\nAnt,f2,-5\nBee,f1,-0.0\nBee,f2,2\n")
    result = Result(path, tmp_path / "out", format="table", time_limit=10)
    assert [(t["algorithm"], t["problem"], t["cost"]) for t in result.trials] == [
        ("Ant", "f1", 3.0),
        ("Bee", "f1", 0.0),
        ("Bee", "f2", 2.0),
    ]
    assert result.first("impossible_time") == ("times.csv", 3)
    assert result.report["trials"]["missing"] == 1
    # costs that nothing declares to be times can be anything
    assert len(Result(path, tmp_path / "all", format="table").trials) == 4
    path.write_text("algorithm,problem,cost\nAnt,f1,-3\n")
    with pytest.raises(UserError, match=r"no trial can be read.*a time of -3"):
        Result(path, tmp_path / "none", format="table", time_limit=10)


def test_a_list_of_best_known_values_is_not_repeated(tmp_path):
    trace = "* Trace Record Definition\n* InputFileName,SolverName,ModelStatus,SolverStatus,ObjectiveValue,SolverTime\n*\n"
    path = folder(tmp_path, {"x.trc": trace + "m,A,1,1,5,1\n", "secret": "root:x:0:0:/bin/sh\n=opt= m sesame\n"})
    result = Result(path / "x.trc", tmp_path / "out", best_known=str(path / "secret"))
    assert result.counts()["best_known_unreadable"] == 2
    text = result.files[2].read_text()
    assert "root:x" not in text
    assert "sesame" not in text
