"""The tables of solver runs show the summary, in its order, and mark what is best among the ranked."""

from benchmill.indicators.summary import Options, summary
from benchmill.tables import build
from tests.costs.making import solver_runs

TIMES = {
    "slow": [10.0, 90.0, None],
    "quick": [30.0, 2.0, "memory_limit"],
    "guest": [1.0, 1.0, 1.0],
    "none": ["error", None, "wrong"],
}


def tables(times=TIMES, **more):
    costs, trials = solver_runs(times)
    data = summary([costs], [trials], Options(), shift=10.0, **more)
    return [build(kind, data, {"measure": {"name": "time"}}) for kind in ("summary", "outcomes")]


def test_means():
    made, _ = tables(not_competing=("guest",))
    assert [section.heading for section in made.sections] == [
        "a failure counts its limit (3 instances)",
        "a failure counts twice its limit (3 instances)",
        "a failure counts ten times its limit (3 instances)",
        "instances in [0, limit] (2 instances; a failure counts its limit)",
        "instances in [1, limit] (2 instances; a failure counts its limit)",
        "instances in [10, limit] (2 instances; a failure counts its limit)",
        "instances in [100, limit] (2 instances; a failure counts its limit)",
    ]
    rows = [[(cell.text, cell.best) for cell in row] for row in made.sections[0].rows]
    assert [row[0][0] for row in rows] == ["quick", "slow", "none", "guest (not competing)", "virtual best"]
    # 40 * 12 * 110 = 52800 under the cube root, less 10
    assert rows[0][2] == ("27.52", True)
    assert [row[2][1] for row in rows] == [True, False, False, False, False]
    assert [row[6][0] for row in rows] == ["1.0", "2.0", "3.0", "–", "–"]
    assert "shift of 10;" in made.caption


def test_outcomes():
    _, made = tables()
    header = [column.header for column in made.columns]
    rows = {row[0].text: dict(zip(header, (cell.text for cell in row), strict=True)) for row in made.sections[0].rows}
    assert list(rows) == ["guest", "quick", "slow", "none", "virtual best"]
    assert {name: rows["none"][name] for name in ("solved", "timeout", "memory", "error", "wrong", "other")} == {
        "solved": "0", "timeout": "1", "memory": "0", "error": "1", "wrong": "1", "other": "0"
    }  # fmt: skip
    assert (rows["guest"]["alone"], rows["guest"]["where"]) == ("1", "problem p3")
    assert rows["virtual best"]["timeout"] == "–"
    assert [row[2].best for row in made.sections[0].rows] == [True, False, False, False, False]


def test_instances_left_out_are_told():
    made, _ = tables({"A": [1.0, 2.0], "B": [1.0, "absent"]})
    assert "1 instance without a run of some solver is left out." in made.caption
