"""The tables of solver runs show the summary, in its order, and mark what is best among the ranked."""

import csv
import os
import re
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import benchmill as bm
from benchmill.exhibits.tables import build
from benchmill.exhibits.tables import runs as sentences
from benchmill.exhibits.tables.solver_runs import limits_told
from benchmill.exhibits.tables.verdicts import error, gated
from benchmill.indicators.summary import Options, summary
from benchmill.text.measures import Measure
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
    return [build(kind, data, {"measure": {"name": "time"}}) for kind in ("summary", "outcomes", "contributions")]


def test_means():
    made, *_ = tables(not_competing=("guest",))
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
    assert [row[0][0] for row in rows] == ["quick (single best)", "slow", "none", "guest (not competing)", "virtual best"]
    # 40 * 12 * 110 = 52800 under the cube root, less 10
    assert rows[0][2] == ("27.52", True)
    assert [row[2][1] for row in rows] == [True, False, False, False, False]
    assert [row[6][0] for row in rows] == ["1.0", "2.0", "3.0", "–", "–"]
    assert "shift of 10;" in made.caption


def test_contributions():
    *_, made = tables()
    rows = {row[0].text: [cell.value for cell in row[1:6]] for row in made.sections[0].rows}
    # without guest: 10, 2, 100 in place of 1, 1, 1, so 99 + 9 + 1 over three, and 20 * 12 * 110 in place of 11 ** 3
    virtual = (20 * 12 * 110) ** (1 / 3) - 10
    assert rows["guest (single best)"] == [1, 1, pytest.approx(109 / 3), pytest.approx(virtual), pytest.approx(10)]
    assert list(rows) == ["guest (single best)", "none", "quick", "slow"]
    assert rows["slow"][:4] == [0, 0, 0, 1]
    assert [cell.text for cell in made.sections[0].rows[0]][1:3] == ["1", "1"]
    assert made.sections[0].rows[0][6].text == "p3"


def test_outcomes():
    _, made, _ = tables()
    header = [column.header for column in made.columns]
    rows = {row[0].text: dict(zip(header, (cell.text for cell in row), strict=True)) for row in made.sections[0].rows}
    assert list(rows) == ["guest (single best)", "quick", "slow", "none", "virtual best"]
    # ways to fail that no run took have no column
    assert header[1:] == ["solved", "alone", "SGM", "ratio", "PAR2", "timeout", "memory", "error", "wrong"]
    assert [rows["none"][name] for name in ("solved", *header[6:])] == ["0", "1", "0", "1", "1"]
    assert "Wrong: the answer contradicts" in made.caption
    assert "Missing:" not in made.caption
    assert (rows["guest (single best)"]["alone"], rows["guest (single best)"]["ratio"]) == ("1", "1.00")
    assert rows["virtual best"]["timeout"] == "–"
    assert [row[1].best for row in made.sections[0].rows] == [True, False, False, False, False]
    # how many runs there are is told where that is not the number of instances
    _, several, _ = tables({"A": [[1.0, 2.0], 3.0], "B": [1.0, 1.0]})
    assert [column.header for column in several.columns][:3] == ["solver", "runs", "solved"]


def test_long_times_are_read_without_powers_of_ten():
    costs, trials = solver_runs({"A": [14_999.6, None], "B": [1.5, 2.0]}, limit=15_000.0)
    data = summary([costs], [trials], Options(), shift=10.0)
    rows = [row for row in build("outcomes", data, {"measure": {"name": "time"}}).sections[0].rows]
    assert [row[0].text for row in rows] == ["B (single best)", "A", "virtual best"]
    # (14999.6 + 30000) / 2
    assert "22\u202f500" in [cell.text for cell in rows[1]]


def test_outcomes_say_by_how_much():
    """Solvers with equally many solved runs stand in the order of their means."""
    _, made, _ = tables(not_competing=("guest",))
    header = [column.header for column in made.columns]
    rows = {row[0].text: dict(zip(header, row, strict=True)) for row in made.sections[0].rows}
    assert list(rows) == ["quick (single best)", "slow", "none", "guest (not competing)", "virtual best"]
    first, second = 52800 ** (1 / 3) - 10, 220000 ** (1 / 3) - 10
    assert rows["quick (single best)"]["SGM"].value == pytest.approx(first)
    assert rows["quick (single best)"]["SGM"].best
    assert rows["slow"]["ratio"].value == pytest.approx(second / first)
    assert rows["slow"]["PAR2"].value == pytest.approx((10 + 90 + 200) / 3)
    assert not rows["slow"]["PAR2"].best
    assert rows["quick (single best)"]["PAR2"].value == pytest.approx((30 + 2 + 200) / 3)
    assert rows["quick (single best)"]["PAR2"].best
    assert not any(cell.best for cell in rows["guest (not competing)"].values())


def test_instances_left_out_are_told():
    made, *_ = tables({"A": [1.0, 2.0], "B": [1.0, "absent"]})
    assert "1 instance is left out because some solver has no run there (most often B, on 1)." in made.caption


UNTESTED = "nothing is tested, so nothing is claimed"


def said(times=TIMES, measure=None, limit=100.0, **more):
    costs, trials = solver_runs(times, limit=limit)
    data = summary([costs], [trials], Options(), shift=10.0, **more)
    return sentences(data, {"measure": {"name": "time", **(measure or {})}})


def test_the_first_page_answers_who_and_by_how_much():
    found = said(not_competing=("guest",), measure={"unit": "s"})
    # 40 * 12 * 110 = 52800 and 20 * 100 * 110 = 220000 under the cube root, less 10
    first, second = 52800 ** (1 / 3) - 10, 220000 ** (1 / 3) - 10
    assert found[0] == f"quick and slow solve most, 2 of 3 instances each; none solves 0 ({UNTESTED})."
    assert found[1].startswith(
        f"quick is fastest on average (shifted geometric mean {first:.1f} s; {UNTESTED}); that of slow is {second / first:.2f} "
        "times as large (no interval) and that of none is "
    )
    assert found[2] == (
        "Unsolved runs: 2 time limits (1 by none); 1 memory limit (by quick); 1 error (by none); 1 wrong answer (by none)."
    )


def test_an_instance_without_its_runs_is_missed_once():
    found = said({"A": [[1.0, 2.0], [3.0, 4.0]], "B": [[1.0, 2.0], "absent"]}, missing="failure")
    assert found[-1] == "Unsolved runs: 1 missing instance (by B)."


def test_limits_that_differ_are_said_first():
    limits = {("quick", 1): 100.0, ("quick", 2): 100.0, ("slow", 1): 1000.0, ("slow", 2): 1000.0}
    costs, trials = solver_runs({"quick": [10.0, None], "slow": [20.0, 500.0]}, cost_budget=limits)
    data = summary([costs], [trials], Options(), shift=10.0)
    told = (
        "Limits differ on 2 instances (100 for quick; 1000 for slow): all are compared at the smallest limit of an instance, "
        "at which 1 run that took longer counts as failed."
    )
    settings = {"measure": {"name": "time"}}
    assert sentences(data, settings)[0] == told
    for kind in ("summary", "outcomes", "solver_times"):
        assert build(kind, data, settings).caption.startswith(told)


def test_intervals_of_ratios_are_told_to_hold_together():
    times = {"quick": [float(i) for i in range(1, 41)], "slow": [2.0 * i + i % 2 for i in range(1, 41)]}
    assert re.search(r"that of slow is 1\.9\d times as large \(95 % interval 1\.9\d–", said(times)[1])
    of_few, *_ = tables({name: own[:9] for name, own in times.items()})
    many, *_ = tables(times)
    told = "Fewer than 10 clusters of instances (30 where failures count ten times their limit) have no intervals, nor have means"
    assert told in of_few.caption
    assert "those of all pairs of competing solvers hold jointly" in many.caption
    place = [column.header for column in many.columns].index("interval")
    assert [table.sections[0].rows[0][place].text == "–" for table in (of_few, many)] == [True, False]


def test_nobody_solves_most_where_all_solve_equally_many():
    assert said({"A": [1.0, 2.0], "B": [3.0, 4.0]})[0] == "A and B solve equally many, 2 of 2 instances each."
    assert said({"A": [1.0, None]})[0] == "A solves 1 of 2 instances."


def test_who_has_more_runs_does_not_solve_most_by_that():
    assert said({"A": [[1.0], [1.0]], "B": [[1.0, None], [1.0, 1.0]]})[0] == (
        f"A solves most, 2 of 2 instances; B solves 3 of 4 runs, on 2 instances ({UNTESTED})."
    )
    assert said({"A": [[1.0]], "B": [[1.0, 1.0]]})[0] == "A and B solve equally many, a share of 100 % each."


def test_the_first_page_says_what_the_order_hangs_on():
    found = said({"A": [8.0, 8.0, None], "B": [50.0, 40.0, 30.0]})
    # A: 18 * 18 * 110 = 35640, with two limits 68040, with ten 327240; B: 60 * 50 * 40 = 120000
    assert found[1].startswith("A is best on average")
    assert found[1].endswith(" This depends on how a failure counts: B first where a failure counts ten times its limit.")


def test_the_first_page_without_what_it_needs():
    assert said({"A": ["absent", 1.0], "B": [2.0, "absent"]}) == [
        "Measure time: no instance can be compared, because on each some solver has no run."
    ]
    found = said({"A": [1.0, None], "B": [None, None]}, limit=None)
    unknown = "overall is not known, as limits of failed runs are not (state `time_limit` of the source)"
    assert found[1] == f"Which solver is best {unknown}."
    found = said({"A": [1.0, None], "B": [2.0, 2.0]}, limit=None)
    assert found[1] == f"Which solver is best {unknown}; on the 1 instance that all solve, it is A ({UNTESTED})."
    assert said({"A": [1.0], "B": [1.0]})[-1] == "No run fails."
    found = said({"A": [1.0, None], "B": [2.0, 2.0]}, limit=None, measure={"quantity": "nodes"})
    assert found[1].startswith("Which solver is best overall is not known, as limits of failed runs are not; on the 1 instance")
    found = said({"A": [1.0, 2.0], "B": [1.0, "absent"]})
    assert found[-2].startswith("No run fails.")
    assert found[-1] == "1 instance is left out because some solver has no run there (most often B, on 1)."
    found = said({"A": [[1.0, 2.0]], "B": [[3.0, None]]})
    assert found[0] == f"A solves most, 2 of 2 runs, on 1 instance; B solves 1 ({UNTESTED})."
    # what a solver was not run on is not what its runs are on
    found = said({"A": [1.0, 2.0, "absent"], "B": [1.0, None, None]}, missing="failure")
    assert found[0] == f"A solves most, 2 of 3 instances; B solves 1 of 3 instances ({UNTESTED})."
    found = said({"A": [[1.0, 2.0], [3.0, 4.0], "absent"], "B": [[1.0, None], [2.0, None], [3.0, None]]}, missing="failure")
    assert found[0] == f"A solves most, 4 of 4 runs, on 2 of 3 instances; B solves 3 of 6 runs, on 3 instances ({UNTESTED})."
    assert said({"A": [1.0]})[1] == "Its shifted geometric mean is 1.00."


def instances(times=TIMES, limit=100.0, **more):
    costs, trials = solver_runs(times, limit=limit)
    data = summary([costs], [trials], Options(), shift=10.0, **more)
    return build("solver_times", data, {"measure": {"name": "time"}})


def test_every_instance_has_its_times_limits_and_letters():
    made = instances(not_competing=("guest",))
    assert [column.header for column in made.columns] == ["instance", "quick", "slow", "none", "guest"]
    rows = {row[0].text: [(cell.text, cell.best) for cell in row[1:]] for row in made.sections[0].rows}
    assert rows == {
        "p1": [("30", False), ("10", True), ("e", False), ("1", False)],
        "p2": [("2", True), ("90", False), (">100", False), ("1", False)],
        "p3": [("m", False), (">100", False), ("w", False), ("1", False)],
    }
    last = {row[0].text: [cell.text for cell in row[1:]] for row in made.sections[1].rows}
    first, second = 52800 ** (1 / 3) - 10, 220000 ** (1 / 3) - 10
    assert last["SGM, multiple of the best"][:2] == ["1.00", f"{second / first:.2f}"]
    assert last["solved"] == ["2", "2", "0", "3"]
    for words in ("e: error", "m: memory limit", "w: wrong answer", "> and a number: failed", "Not competing: guest"):
        assert words in made.caption
    assert "o: failed otherwise" not in made.caption


def test_several_runs_of_an_instance_are_one_cell():
    costs, trials = solver_runs({"A": [[3.0, 5.0]], "B": [[4.0, None]]}, limit=60.0)
    data = summary([costs], [trials], Options(), shift=10.0)
    (row,) = build("solver_times", data, {"measure": {"name": "time"}}).sections[0].rows
    assert [(cell.text, cell.best) for cell in row] == [("p1", False), ("4", True), ("4 (1/2)", False)]


def seconds(text):
    return float(text.rstrip("s").lstrip(">"))


@pytest.mark.skipif("BENCHMILL_REAL_DATA" not in os.environ, reason="needs logs of others")
def test_a_published_table_is_printed_as_it_stands():
    path = Path(os.environ["BENCHMILL_REAL_DATA"]) / "mittelmann-extract/lpopt-29-Apr-2026.csv"
    data = bm.summary(bm.costs(bm.read(path, format="table", wide="algorithm", time_limit=15000)))
    made = build("solver_times", data.data, data.settings)
    with path.open(newline="") as file:
        header, *published = list(csv.reader(file))
    columns = {column.meaning: place for place, column in enumerate(made.columns)}
    shown = {row[0].text: row for row in made.sections[0].rows}
    assert len(shown) == len(published)
    for line in published:
        for name, text in zip(header[1:], line[1:], strict=True):
            cell = shown[line[0]][columns[name]]
            assert (cell.text == ">15000") if seconds(text) >= 15000 else (cell.value == seconds(text)), (line[0], name)
        smallest = min(seconds(text) for text in line[1:])
        assert {n for n, place in columns.items() if shown[line[0]][place].best} == {
            n for n, text in zip(header[1:], line[1:], strict=True) if seconds(text) == smallest < 15000
        }


def test_of_many_solvers_four_are_told_and_the_others_counted():
    times = {f"s{i}": [float(i), float(i)] for i in range(1, 7)}
    told = " ".join(said(times))
    assert "s1, s2, s3, s4 and 2 more solve equally many" in told
    assert "that of s3 is 3.00 times as large" in told
    assert "s4 costs" not in told


def test_the_statement_of_error_carries_the_largest_rate_that_simulated_studies_have():
    table = (Path(__file__).parents[3] / "benchmarks/size/README.md").read_text("utf-8")
    rows = re.findall(r"^\| (?:null|unequal variances|families|partial null) \| (\d+) \| \d+ \| ([\d.]+) \|", table, re.MULTILINE)
    k, rate = max(rows, key=lambda row: float(row[1]))
    assert (len(rows) >= 10, k) == (True, "3")
    assert f"{float(rate):.0f} % of simulated studies of three algorithms" in error("0.05")
    # without families the level is kept
    assert all(float(rate) <= 6 for k, rate in rows if k != "3")


def test_intervals_of_ratios_are_told_apart_from_what_the_study_says_at_one_level():
    with_intervals, without = ({"sgm_ratio_low": pa.array([None, low], pa.float64())} for low in (1.1, None))
    assert error("0.05", pa.table(without)) == error("0.05")
    assert error("0.05", pa.table(with_intervals)).startswith(error("0.05"))
    assert "hold at their own level" in error("0.05", pa.table(with_intervals))


def test_ratios_leave_out_1_only_where_the_algorithms_are_shown_to_differ():
    rows = pd.DataFrame({"sgm_ratio_low": [1.0, 1.2, None], "sgm_ratio_high": [1.0, 1.5, 0.9]})

    def stated(significant):
        about = {"analysis": ["primary"], "algorithm_a": pa.array([None], pa.string()), "significant": [significant]}
        return pa.table(about)

    shut = gated(rows, stated(False))
    assert shut["sgm_ratio_low"].tolist()[:2] == [1.0, 1.0]
    assert shut["sgm_ratio_low"].isna().tolist() == [False, False, True]
    assert shut["sgm_ratio_high"].tolist() == [1.0, 1.5, 1.0]
    for as_they_are in (stated(True), stated(True).slice(0, 0), None):
        assert gated(rows, as_they_are) is rows


def test_a_ratio_near_one_shows_its_side_and_equal_names_stand_in_natural_order():
    told = said({"v2": [20.0] * 40, "v10": [20.0] * 40, "v1": [20.03 + 0.001 * (i % 5) for i in range(40)]})[1]
    assert told.startswith("v2 and v10 are best on average")
    # 20.032 / 20 = 1.0016
    assert "that of v1 is 1.002 times as large (95 % interval 1.002–1.002)" in told


def test_nothing_is_a_multiple_of_costs_that_are_all_0():
    # three runs, so that the mean of logarithms is rounded
    times = {"B": [0.0] * 12, "A": [0.0] * 12, "C": [0.1 * i for i in range(12)]}
    rows = [(name, f"p{i}", run, cost) for name, own in times.items() for i, cost in enumerate(own) for run in (1, 2, 3)]
    summary = bm.summary(bm.costs(pd.DataFrame(rows, columns=["algorithm", "problem", "run", "cost"]), limit=9))
    found = summary.frame.query("subset == 'all' and unsolved == 'limit'").set_index("algorithm")
    assert found.loc[["A", "B", "C"], "rank"].tolist() == [1.5, 1.5, 3.0]
    assert found.loc[["A", "B"], "sgm"].tolist() == [0.0, 0.0]
    assert found[["sgm_ratio", "sgm_ratio_low", "sgm_ratio_high"]].isna().all(axis=None)
    told = sentences(summary.data, {"measure": summary.settings["measure"]})
    assert told[1] == f"A and B are best on average (shifted geometric mean 0; {UNTESTED})."


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ({"kind": "gap"}, "and the gap of a run that is stopped sooner is larger: compare at one limit."),
        ({"kind": "primal_integral"}, "and an integral up to a shorter one is smaller: compare up to one moment (`until`)."),
        ({"kind": "primal_integral", "until": 5}, ""),
    ],
)
def test_what_another_limit_does_to_a_measure_that_nothing_is_cut_of(measure, told):
    """A solver that is stopped sooner has a smaller integral, not a worse one."""
    rows = pd.DataFrame({"algorithm": ["A", "B"], "own_limit": [5.0, 10.0], "limits_differ": [3, 3], "late": [0.0, 0.0]})
    rows["shown"] = rows["algorithm"]
    text = limits_told(rows, Measure.parsed({"name": "m", **measure}))
    assert text.endswith(told)
    assert bool(text) == bool(told)


def test_no_run_that_took_longer_is_not_spoken_of():
    rows = pd.DataFrame({"algorithm": ["A", "B"], "own_limit": [5.0, 10.0], "limits_differ": [3, 3], "late": [0.0, 0.0]})
    rows["shown"] = rows["algorithm"]
    assert limits_told(rows).endswith("all are compared at the smallest limit of an instance.")
    late = limits_told(rows.assign(late=[0.0, 1.0]))
    assert late.endswith("at the smallest limit of an instance, at which 1 run that took longer counts as failed.")
