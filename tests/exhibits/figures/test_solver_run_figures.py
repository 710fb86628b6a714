"""Figures of solver runs: every number that is drawn, by hand and by a plain count on real tables."""

import os
import re
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from matplotlib.colors import to_rgb

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.exhibits.figures import draw, outcomes, runs
from benchmill.indicators.summary import Options, summary
from benchmill.profiles.ratios import ratios
from tests.costs.making import solver_runs

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
real = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")
TIME = {"measures": [{"name": "time", "kind": "given", "unit": "s", "label": "wall time"}]}
#: Both solve the first, A alone the second and B alone the fourth; nobody the third. Limit 100.
TIMES = {"A": [10.0, 90.0, None, "error"], "B": [30.0, None, "memory_limit", 2.0]}


def tables(times, limit=100.0, keys=("problem",), **more):
    stated, trials = solver_runs(times, limit=limit)
    rated = ratios(stated, measure="time", problem_keys=list(keys), aggregate="mean", profiled=False)
    return summary([stated], [trials], Options(), shift=10.0, **more) | {"ratios": rated}


def curves(figure):
    """Points of the curves by label."""
    lines = [line for line in figure.axes[0].get_lines() if str(line.get_gid()).startswith("curve")]
    return {line.get_label(): np.asarray(line.get_data(orig=False), float).T.tolist() for line in lines}


def test_the_table_of_runs_has_every_run_and_those_that_are_missing():
    found = tables({"A": [1.0, [2.0, None]], "B": ["absent", 3.0]}, missing="failure")["solver_runs"].to_pandas()
    rows = found[["problem", "algorithm", "role", "cost", "limit", "outcome", "weight"]].astype(object).to_numpy().tolist()
    assert rows == [
        ["p1", "A", "single_best", 1.0, 100.0, "solved", 1.0],
        ["p2", "A", "single_best", 2.0, 100.0, "solved", 0.5],
        ["p2", "A", "single_best", np.inf, 100.0, "timeout", 0.5],
        ["p1", "B", "solver", np.inf, 100.0, "missing", 1.0],
        ["p2", "B", "solver", 3.0, 100.0, "solved", 1.0],
        ["p1", "virtual best", "virtual_best", 1.0, 100.0, "solved", 1.0],
        ["p2", "virtual best", "virtual_best", 3.0, 100.0, "solved", 1.0],
    ]
    assert found["included"].all()
    common = tables({"A": [1.0, [2.0, None]], "B": ["absent", 3.0]})["solver_runs"].to_pandas()
    assert common.groupby("problem", observed=True)["included"].all().to_dict() == {"p1": False, "p2": True}


def test_the_name_of_the_virtual_best_is_taken():
    with pytest.raises(UserError, match="an algorithm is called 'virtual best'"):
        tables({"virtual best": [1.0], "B": [2.0]})


def test_a_cactus_has_the_sorted_times():
    figure, caption = draw("cactus", tables(TIMES), TIME)
    assert curves(figure) == {
        "virtual best": [[0, 2], [1, 2], [2, 10], [3, 90]],
        "B": [[0, 2], [1, 2], [2, 30]],
        "A": [[0, 10], [1, 10], [2, 90]],
    }
    assert [line.get_ydata()[0] for line in figure.axes[0].get_lines() if len(set(line.get_ydata())) == 1][-1] == 100
    assert figure.axes[0].get_ylabel() == "wall time (s)"
    assert "Dotted: the limit, 100." in caption.replace("10²", "100")


def test_captions_name_the_single_best():
    """Of A and B, failures counting 100: 20 * 100 * 110 * 110 is more than 40 * 110 * 110 * 12."""
    assert draw("cactus", tables(TIMES), TIME)[1].count("The single best solver is B.") == 1


def test_of_many_solvers_those_highlighted_and_the_others_are_all_of_them():
    """The virtual best solver, whose curve is drawn as well, is neither."""
    caption = draw("cactus", tables({f"s{i:02}": [1.0 + i, 2.0 + i] for i in range(20)}), TIME)[1]
    assert "Cactus plot of 20 solvers" in caption
    assert sum(map(int, re.findall(r"Highlighted: the best (\d+); thin and grey: (\d+) others", caption)[0])) == 20


def test_runs_of_an_instance_share_its_weight():
    made = tables({"A": [[10.0, None], 20.0], "B": [[5.0, 6.0], None]})
    figure, caption = draw("cactus", made, TIME)
    assert curves(figure) == {
        "A": [[0, 10], [0.5, 10], [1.5, 20]],
        "B": [[0, 5], [0.5, 5], [1.0, 6]],
        "virtual best": [[0, 5], [0.5, 5], [1, 6], [2, 20]],
    }
    assert "Runs of one instance share its weight." in caption


def test_bars_of_outcomes_are_the_counts_of_the_summary():
    figure, caption = draw("outcomes", tables(TIMES), TIME)
    axes = figure.axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    found = {}
    for bar in axes.patches:
        if bar.get_width():
            row = names[round(bar.get_y() + bar.get_height() / 2)]
            found.setdefault(row, {})[bar.get_gid().removeprefix("bar-")] = bar.get_width()
    assert found == {
        "A": {"solved": 2, "timeout": 1, "error": 1},
        # 20 * 100 * 110 * 110 is more than 40 * 110 * 110 * 12
        "B (single best)": {"solved": 2, "timeout": 1, "memory": 1},
        "virtual best": {"solved": 3, "unsolved_runs": 1},
    }
    assert [text.get_text() for text in axes.texts].count("1") == 2
    assert "loses without a solver: A 1 and B 1." in caption
    assert "Bars are counts" not in caption


def test_bars_of_unequally_many_runs_are_said_to_be_counts():
    _, caption = draw("outcomes", tables({"A": [[10.0, 11.0, 12.0], [90.0, None]], "B": [30.0, None]}), TIME)
    assert "Bars are counts, and the solvers have 2 to 5 runs." in caption


def test_in_grey_every_two_parts_of_a_bar_differ():
    # luma of BT.601, as printers take it
    grey = sorted(np.dot([0.299, 0.587, 0.114], to_rgb(colour)) for _, colour in outcomes._PARTS.values())
    assert np.diff(grey).min() > 0.08
    script = Path(outcomes.__file__).parents[2] / "page/templates/script/runpictures.js"
    colours = script.read_text("utf-8").partition("OUTCOME_COLOURS = {")[2].partition("}")[0]
    on_page = re.findall(r'(\w[a-z ]+)"?: "(#[0-9A-F]{6})"', colours)
    assert len(on_page) == 5
    assert set(on_page) <= set(map(tuple, runs.OUTCOMES.values()))


def test_a_solver_that_does_not_compete_is_shown_and_adds_nothing():
    made = tables({**TIMES, "guest": [1.0] * 4}, not_competing=("guest",))
    figure, caption = draw("outcomes", made, TIME)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "A",
        "B (single best)",
        "guest (not competing)",
        "virtual best",
    ]
    assert "Not competing: guest." in caption
    figure, _ = draw("cactus", made, TIME)
    assert curves(figure)["virtual best"] == [[0, 2], [1, 2], [2, 10], [3, 90]]
    assert len(curves(figure)["guest (not competing)"]) == 5


def test_a_scatter_says_how_failures_ended():
    figure, caption = draw("scatter", tables(TIMES), {**TIME, "algorithms": ["A", "B"]})
    axes = figure.axes[0]
    rim = {line.get_gid(): line.get_xydata().tolist() for line in axes.get_lines() if str(line.get_gid()).startswith("rim")}
    assert set(rim) == {"rim-timeout", "rim-error"}
    ((x, y),) = rim["rim-timeout"]
    # A solves it in 90, B not
    assert x == 90
    assert y > 100
    ((x, y),) = rim["rim-error"]
    assert y == 2
    assert x > 100
    assert [t.get_text() for t in figure.legends[0].get_texts()] == ["time limit", "error"]
    assert axes.get_xlabel() == "wall time of A (s)"
    dotted = [
        line
        for line in axes.get_lines()
        if 100.0 in (set(line.get_xdata()) | set(line.get_ydata())) and len(line.get_xdata()) == 2
    ]
    assert len(dotted) == 2
    assert "Dotted: the limit" in caption


def test_one_solver_and_nothing_solved():
    for times in ({"only": [1.0, 5.0, None]}, {"A": [None, "error"], "B": [None, None]}):
        for kind in ("cactus", "outcomes"):
            figure, caption = draw(kind, tables(times), TIME)
            figure.draw_without_rendering()
            assert caption.endswith(".")


def test_the_shipped_runs_are_those_of_the_model():
    model = runpy.run_path(str(Path(__file__).parents[3] / "experiments/solver_runs.py"))
    for name, rows in zip(("runs", "problems"), model["rows"](), strict=True):
        shipped = pd.read_csv(model["FOLDER"] / f"{name}.csv", dtype=str)
        assert len(shipped) > 0
        assert shipped.to_dict("records") == [{key: str(value) for key, value in row.items()} for row in rows]


# --- real tables ---------------------------------------------------------------------------------


def read(tmp_path, path, options):
    files = [tmp_path / name for name in ("trials.parquet", "traces.parquet", "report.json")]
    readers.ingest(path, files, name="x", options=options, format="table")
    trials = storage.read(files[0], "trials")
    stated = costs("given", trials, None, "time", {})
    rated = ratios(stated, measure="time", problem_keys=["problem"], aggregate="mean", profiled=False)
    return summary([stated], [trials], Options(), shift=10.0) | {"ratios": rated}


@real
def test_sat_2020_as_a_plain_count_has_it(tmp_path):
    path = REAL / "sat-competition/sat2020-parallel.csv"
    words = {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}
    wide = {"columns": {"problem": "cnf"}, "wide": {"key": "algorithm", "except": ["solution"]}}
    made = read(tmp_path, path, {**wide, "outcomes": words, "time_limit": 5000})
    raw = pd.read_csv(path, index_col=0).drop(columns="solution").rename(columns=str)
    times = raw.apply(pd.to_numeric, errors="coerce")
    times = times.where(times < 5000)
    everyone = times.assign(**{"virtual best": times.min(axis=1)})
    figure, _ = draw("cactus", made, TIME)
    low = figure.axes[0].get_ylim()[0]
    for name, points in curves(figure).items():
        expected = np.sort(everyone[name].dropna().to_numpy())
        assert [n for n, _ in points[1:]] == list(range(1, expected.size + 1))
        np.testing.assert_allclose([t for _, t in points[1:]], np.maximum(expected, low))
    figure, caption = draw("scatter", made, {**TIME, "algorithms": list(times.columns[:2])})
    a, b = (times[name].fillna(np.inf) for name in times.columns[:2])
    assert f"better on {(a < b).sum()}" in caption
    assert f"neither solves {(np.isinf(a) & np.isinf(b)).sum()}." in caption


def test_bars_of_more_solvers_than_a_page_has_lines_for_are_of_those_that_solve_most():
    times = {f"S{i}": [1.0, None if i > 90 else 2.0] for i in range(100)}
    figure, caption = draw("outcomes", tables(times), {**TIME, "control": "S99"})
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(names) == 82
    assert names[-2:] == ["S99", "virtual best"]
    assert caption.startswith("How the runs of 81 solvers (of 100, those that solve most) on 2 instances")


def test_bars_of_runs_that_are_cut_at_the_common_limit_say_so():
    made = tables({"A": [10.0, 90.0, 95.0], "B": [5.0, None, 2.0]})
    kept = made["summary"].to_pandas()
    late = kept.assign(late=(2 * (kept["algorithm"] == "A")).astype(float))
    summary_of = pa.Table.from_pandas(late, schema=made["summary"].schema, preserve_index=False)
    _, caption = draw("outcomes", {**made, "summary": summary_of}, TIME)
    assert caption.startswith(
        "Limits differ: 2 runs later than the smallest limit of an instance count as failed there. How the runs of 2 solvers"
    )


@pytest.mark.parametrize("kind", ["outcomes", "cactus"])
def test_runs_and_instances_are_counted_in_whole_numbers(kind):
    figure, _ = draw(kind, tables({"A": [10.0, 90.0], "B": [5.0, None]}), TIME)
    assert {float(tick).is_integer() for tick in figure.axes[0].get_xticks()} == {True}


def test_an_instance_that_is_left_out_has_no_bar():
    """Else the bar of a solver without a run would be longer than the number of its runs, on one instance fewer."""
    figure, caption = draw("outcomes", tables({"A": [10.0, "absent"], "B": [5.0, 7.0]}), TIME)
    assert "1 instance without a run of some solver is left out." in caption
    assert "Bars are counts" not in caption
    assert not [bar for bar in figure.axes[0].patches if bar.get_gid() == "bar-missing" and bar.get_width()]
    _, kept = draw("outcomes", tables({"A": [10.0, "absent"], "B": [5.0, 7.0]}, missing="failure"), TIME)
    assert "left out." not in kept


def test_shares_of_runs_have_three_digits_in_captions():
    _, caption = draw("outcomes", tables({"A": [[1.0, 2.0, 3.0]], "B": [[1.0, 2.0, None]]}), TIME)
    assert "loses without a solver: A 0.333." in caption
