"""What a notebook meets first: names, objects, mistakes."""

import copy
import dataclasses
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import benchmill as bm
from benchmill.core import UserError, natural_key
from benchmill.exhibits.tables import forms
from benchmill.text.display import Cell, Column, Section, Table

# most tests leave the state of runs out, and one looks at the warning
pytestmark = pytest.mark.filterwarnings("ignore:data. the column 'state' looks like `outcome`:UserWarning")

RUNS = pd.DataFrame(
    {
        "solver": ["A", "A", "B", "B"],
        "model": ["p2", "p10", "p2", "p10"],
        "seconds": [1.0, 5.0, 2.0, 60.0],
        "state": ["ok", "ok", "ok", "timeout"],
    },
    index=["w", "x", "y", "z"],
)
NAMED = {"algorithm": "solver", "problem": "model", "cost": "seconds"}


def of(frame, **more):
    """The cost of each algorithm and problem."""
    costs = bm.costs(frame, **{**NAMED, **more}).frame
    return {(str(a), str(p)): c for a, p, c in zip(costs["algorithm"], costs["problem"], costs["cost"], strict=True)}


SOLVED = {("A", "p2"): 1.0, ("A", "p10"): 5.0, ("B", "p2"): 2.0, ("B", "p10"): 60.0}
ONE_FAILED = {**SOLVED, ("B", "p10"): np.inf}


def test_the_package_offers_its_functions_and_little_else():
    assert {"costs", "profile", "read", "inspect", "plot"} <= set(dir(bm))
    assert not [name for name in dir(bm) if name.startswith("_") and name != "__version__"]
    assert all(getattr(bm, name) is not None for name in dir(bm))
    with pytest.raises(AttributeError, match="no attribute 'cost'"):
        _ = bm.cost


def test_what_may_well_be_read_wrong_is_warned_of():
    with pytest.warns(UserWarning, match="data: the column 'state' looks like `outcome`"):
        of(RUNS)
    runs = pd.DataFrame({"problem": "p", "dim": [2, 3, 2, 3], "algorithm": ["A", "A", "B", "B"], "cost": [1, 2, 3, 4]})
    with pytest.warns(UserWarning, match="the column 'dim' looks like `dimension`"):
        bm.costs(runs)
    with pytest.warns(UserWarning, match="budgets such as 10, 20 of one algorithm on one problem"):
        bm.costs(pd.DataFrame({"problem": "p", "algorithm": "A", "budget": [10, 20], "cost": [1, 2]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bm.costs(runs, dimension="dim")
        assert of(RUNS, status="state", failed="timeout") == ONE_FAILED
        # the state says nothing that the limit does not say
        assert of(RUNS, limit=60) == ONE_FAILED


def test_functions_are_not_hidden_by_rooms_of_their_name():
    code = (
        "import benchmill; from benchmill.costs import costs; import benchmill.indicators.ert; print(callable(benchmill.costs))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, pandas; before = set(sys.modules); import benchmill; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in found if name.startswith("benchmill")] == ["benchmill"]
    assert len(found) <= 2, found


@pytest.mark.parametrize(
    ("frame", "more", "expected"),
    [
        (RUNS, {}, SOLVED),
        (RUNS, {"limit": 60}, ONE_FAILED),
        (RUNS.assign(most=[9, 9, 9, 60]), {"limit": "most"}, ONE_FAILED),
        (RUNS, {"status": "state", "failed": "timeout"}, ONE_FAILED),
        (RUNS, {"status": "state", "solved": "ok"}, ONE_FAILED),
        (RUNS, {"status": "state", "solved": ["ok"], "failed": ["timeout"]}, ONE_FAILED),
        (RUNS.assign(out=[False, False, False, True]), {"failed": "out"}, ONE_FAILED),
        (RUNS.assign(out=[0, 0, 0, 1]), {"failed": "out"}, ONE_FAILED),
        (RUNS.assign(state=[1, 1, 1, 0]), {"status": "state", "solved": 1}, ONE_FAILED),
        (RUNS.assign(state=[True, True, True, False]), {"status": "state", "failed": False}, ONE_FAILED),
        (RUNS.assign(seconds=[1.0, 5.0, 2.0, np.inf]), {}, ONE_FAILED),
        (RUNS.assign(seconds=[1.0, 5.0, 2.0, np.nan]), {"empty": "failure"}, ONE_FAILED),
        (RUNS.assign(seconds=[1.0, 5.0, 2.0, -1.0]), {"failed": -1}, ONE_FAILED),
        (RUNS.assign(seconds=[1.0, 5.0, 2.0, "timeout"]), {"failed": "timeout"}, ONE_FAILED),
        (RUNS.assign(seconds=["1", "5.0", "2e0", "to"]), {"failed": ["to"]}, ONE_FAILED),
    ],
    ids=str,
)
def test_failures_are_asked_for_by_name(frame, more, expected):
    assert of(frame, **more) == expected


def test_an_empty_cost_can_be_a_run_that_was_not_made():
    costs = of(RUNS.assign(seconds=[1.0, 5.0, 2.0, None]), empty="missing")
    assert costs == {key: cost for key, cost in SOLVED.items() if key != ("B", "p10")}


def test_wide_tables():
    wide = RUNS.pivot(index="model", columns="solver", values="seconds").reset_index()
    named = {"algorithm": None, "cost": None}
    assert of(wide, wide="algorithm", **named) == SOLVED
    assert of(wide.assign(note="x"), wide=["A", "B"], **named) == SOLVED
    assert of(wide.replace(60.0, np.nan), wide=["A", "B"], empty="failure", **named) == ONE_FAILED
    assert of(wide.astype(object).where(wide != 60.0, "to"), wide=["A", "B"], failed="to", **named) == ONE_FAILED


class Capsule:
    """A DataFrame of another library."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("other", [pa.Table.from_pandas, lambda frame: Capsule(pa.Table.from_pandas(frame))])
def test_dataframes_of_other_libraries(other):
    assert of(other(RUNS)) == SOLVED
    nan = RUNS.assign(seconds=[1.0, 5.0, 2.0, np.nan])
    assert of(other(nan), empty="failure") == ONE_FAILED


def test_text_as_other_libraries_keep_it():
    table = pa.Table.from_pandas(RUNS)
    for kind in (pa.string_view(), pa.large_string()):
        solver, model = (pa.chunked_array([pa.array(RUNS[name].tolist(), kind)]) for name in ("solver", "model"))
        indices = pa.array([0, 0, 1, 1], pa.uint32())
        categories = pa.chunked_array([pa.DictionaryArray.from_arrays(indices, pa.array(["A", "B"], kind))])
        for column in (solver, categories):
            assert of(Capsule(table.set_column(0, "solver", column).set_column(1, "model", model))) == SOLVED


def test_a_polars_frame():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({**RUNS.to_dict("list"), "seconds": [1.0, 5.0, 2.0, float("nan")]})
    assert of(frame, empty="failure") == ONE_FAILED
    assert of(polars.DataFrame(RUNS.to_dict("list")), status="state", failed="timeout") == ONE_FAILED


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bm.costs(RUNS), "no column is called 'algorithm'; say which one it is (algorithm=...) of 'solver', 'model'"),
        (lambda: of(RUNS, cost="second"), "cost: there is no column 'second'; did you mean 'seconds'?"),
        (lambda: of(RUNS.assign(seconds=[1, 2, None, 3])), "row 'y' of the DataFrame: column 'seconds' is empty"),
        (lambda: of(RUNS.assign(seconds=[1, 2, 3, "?"])), "row 'z' of the DataFrame: column 'seconds' is '?'"),
        (lambda: of(RUNS.assign(seconds=[1, 2, 3, "to"])), "correct them, or say which of them are failures (failed=[...])."),
        (lambda: of(RUNS, status="state"), "such words are 'ok', 'timeout'; correct them, or say solved=... or failed=..."),
        (lambda: of(RUNS.reset_index().assign(solver=["A", None, "B", "B"])), "row 1 of the DataFrame: column 'solver' is empty"),
        (lambda: of(RUNS, failed="out"), "failed='out' is neither a column nor a value in 'seconds'"),
        (lambda: of(RUNS, failed="state"), "failed='state': the column holds"),
        (lambda: of(RUNS, status="state", failed="gone"), "the column 'state' has no such value; it has 'ok', 'timeout'"),
        (
            lambda: of(RUNS.assign(state=["ok", "ok", "?", "to"]), status="state", solved="ok", failed="to"),
            "row 'y' of the DataFrame: the column 'state' is '?', which is in neither solved nor failed",
        ),
        (lambda: of(RUNS.assign(state=["ok", None, "ok", "to"]), status="state", failed="to"), "row 'x' of the DataFrame"),
        (
            lambda: of(RUNS.assign(out=[1, 0, 0, 0], seconds=["out", "1", "2", "3"]), failed="out"),
            "failed='out' is the name of a column and a word in the column 'seconds'",
        ),
        (lambda: of(RUNS.assign(out=False), failed="out", status="state"), "failed='out' is a column, and status"),
        (lambda: of(RUNS, solved="ok"), "solved is given without status"),
        (lambda: of(RUNS, status="state", solved="ok", failed="ok"), "'ok' is among solved and failed"),
        (lambda: of(RUNS, status="state", failed={"timeout": "late"}), "failed={'timeout': 'late'}: expected one of time_limit"),
        (lambda: of(RUNS, failed={"timeout": "time_limit"}), "is neither a column nor a value in"),
        (lambda: bm.compare(bm.costs(RUNS, **NAMED), control="C"), "there is no algorithm 'C'; choose from A, B"),
        (lambda: bm.compare(bm.costs(RUNS, **NAMED), not_competing=["C"]), "not_competing: there is no algorithm 'C'"),
        (lambda: bm.compare(bm.costs(RUNS, **NAMED), control="A", not_competing="A"), "control: 'A' is in not_competing"),
        (lambda: bm.compare(bm.costs(RUNS, **NAMED), not_competing=["A", "B"]), "no algorithm is left to compare"),
        (lambda: bm.compare(bm.costs(RUNS, **NAMED)).against, "there is no control; say which algorithm it is: compare(..."),
        (
            lambda: bm.compare(bm.costs(RUNS, **NAMED), control="A").against,
            "compare with comparisons='wilcoxon' and corrections='holm'",
        ),
        (lambda: bm.summary(bm.costs(RUNS, **NAMED), measures=["time"]), "give the costs of one measure"),
        (lambda: bm.summary(bm.costs(RUNS, **NAMED), bracket=[1]), "has no setting 'bracket'"),
        (
            lambda: bm.summary(bm.costs(RUNS, **NAMED), not_competing=["C"]),
            "not_competing: there is no algorithm 'C'; choose from A, B",
        ),
        (lambda: of(RUNS, limit=-1), "limit is -1, expected a number above 0"),
        (lambda: of(RUNS, empty="fail"), "empty is 'fail', expected"),
        (lambda: of(RUNS, aggregat="mean"), "there is no keyword 'aggregat'; did you mean 'aggregate'"),
        (lambda: of(RUNS, exclude="p3"), "exclude names 'p3', a problem that no source has; did you mean p2?"),
        (lambda: of(RUNS, kind="given_cost"), "costs: there is no kind of measure 'given_cost'; did you mean"),
        (lambda: bm.costs(3), "found a int, expected a DataFrame"),
        (lambda: bm.costs(bm.read(RUNS, **NAMED), cost="seconds"), "cost is for a DataFrame, and these runs are read already"),
        (lambda: bm.costs(RUNS.iloc[:0], **NAMED), "the DataFrame has 0 rows"),
        (
            lambda: bm.costs(RUNS.assign(seconds=[0, 1, 2, 3]), **NAMED).ratios,
            "ratios need costs > 0; correct the cost if it is a mistake, give shift=...",
        ),
        (lambda: bm.profile(bm.costs(RUNS, **NAMED), "nest"), "there is no variant 'nest'"),
        (lambda: bm.profile(bm.costs(RUNS, **NAMED), unsolved="no"), "unsolved is 'no', expected one of keep, drop"),
        (lambda: bm.read("nowhere/*.tgz"), "nowhere/*.tgz: no file or folder matches"),
        (lambda: bm.read("nowhere.tgz"), "nowhere.tgz: there is no such file or folder"),
    ],
)
def test_a_mistake_is_told_in_the_words_of_the_caller(call, words):
    with pytest.raises(UserError) as told:
        call()
    assert words in str(told.value)


def test_objects_are_values():
    times = bm.costs(RUNS, **NAMED)
    profile = bm.profile(times)
    for thing in (bm.read(RUNS, **NAMED), times, profile):
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)
        assert thing != 1
        with pytest.raises(AttributeError):
            thing.settings = {}
    assert bm.profile(times, "nested") != profile
    assert bm.costs(RUNS.assign(seconds=[1.0, 5.0, 2.0, 61.0]), **NAMED) != times
    frame, settings = times.frame, times.settings
    frame["cost"] = 0.0
    settings["measure"]["name"] = "other"
    assert times == bm.costs(RUNS, **NAMED)


def test_an_object_in_a_terminal_is_its_table():
    lines = repr(
        bm.profile(bm.costs(RUNS.assign(solver=["\x1b[31mA", "\x1b[31mA", "B", "B"]), **NAMED, status="state", solved="ok"))
    ).splitlines()
    assert lines[0] == "Profile measures, cost, Dolan–Moré"
    # A solves both, and is the best on both; the best cells have a star
    assert [line.split()[:3] for line in lines if line.startswith(("[31mA", "B "))] == [
        ["[31mA", "0.6931*", "1"],
        ["B", "0", "2"],
    ]
    assert "\x1b" not in "".join(lines)


def test_columns_in_a_terminal_are_under_each_other():
    cells = [(Cell(name), Cell(number, best=number == "1.5")) for name, number in (("解く", "1.5"), ("longer", "-"))]
    table = Table("t", "Title", "", (Column("solver", "l"), Column("s")), (Section("here", tuple(cells)),))
    assert forms.terminal(table) == "Title\n\nhere\nsolver     s\n解く    1.5*\nlonger     -"
    assert forms.terminal(table, most=1).endswith("1.5*\n\n... and 1 more row")
    assert forms.terminal(dataclasses.replace(table, sections=())) == "Title\n\nThere are no rows."


def test_named_levels_of_an_index_are_columns():
    by_index = RUNS.set_index(["solver", "model"])
    assert bm.costs(by_index, **NAMED) == bm.costs(RUNS.reset_index(drop=True)[["solver", "model", "seconds", "state"]], **NAMED)
    pivot = RUNS.pivot(index="model", columns="solver", values="seconds")
    assert of(pivot, algorithm=None, cost=None, wide="algorithm") == SOLVED


def test_names_of_algorithms_may_be_patterns():
    named = RUNS.assign(solver=[{"A": "Ours 7.0 [fast]", "B": "Ours 7.1"}.get(name, name) for name in RUNS["solver"]])
    third = named[named["solver"] == "Ours 7.1"].assign(solver="Theirs")
    times = bm.costs(pd.concat([named, third], ignore_index=True), **NAMED)
    assert bm.compare(times, control="Th*").settings["control"] == "Theirs"
    # brackets are those of a name
    assert bm.compare(times, control="Ours 7.0 [fast]").settings["control"] == "Ours 7.0 [fast]"
    with pytest.raises(bm.UserError, match=r"control: 'Ours \*' fits 'Ours 7.0 \[fast\]', 'Ours 7.1'; name one"):
        bm.compare(times, control="Ours *")
    with pytest.raises(bm.UserError, match=r"not_competing: there is no algorithm 'Their \*'; did you mean 'Theirs'"):
        bm.compare(times, not_competing="Their *")
    with pytest.raises(bm.UserError, match="control: 'Theirs' is in not_competing"):
        bm.compare(times, control="Theirs", not_competing="T*")


def test_objects_show_themselves():
    evil = RUNS.assign(solver=["<script>", "<script>", "B", "B"])
    times = bm.costs(evil, **NAMED)
    shown = bm.profile(times)._repr_html_()
    assert shown.startswith("<img ")
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "table" in times._repr_html_()
    noted = bm.read(RUNS.assign(extra=1), **NAMED)
    assert "column_not_used" in noted._repr_html_()
    # state and extra; state looks like what says how runs ended
    assert dict(zip(noted.irregularities["rule"], noted.irregularities["count"], strict=True)) == {
        "column_not_used": 2,
        "outcome_not_used": 1,
    }
    assert noted.inventory["found"].tolist() == [4]


def test_a_summary_counts_how_runs_ended():
    ends = {"status": "state", "failed": {"timeout": "time_limit"}}
    limited = bm.summary(bm.costs(RUNS, **NAMED, **ends, limit=60, mean_shift=1), brackets=[])
    rows = limited.frame.query("subset == 'all' and unsolved == 'limit'").set_index("algorithm")
    assert rows.loc["B", ["solved", "timeout", "other", "limit_unknown"]].tolist() == [1, 1, 0, 0]
    # (2 + 1) (60 + 1) under the root, and (2 + 600) / 2
    assert rows.loc["B", ["sgm", "par10"]].tolist() == pytest.approx([183**0.5 - 1, 301])
    unlimited = bm.summary(bm.costs(RUNS, **NAMED, status="state", failed="timeout"), brackets=[])
    rows = unlimited.frame.query("subset == 'all' and unsolved == 'limit'").set_index("algorithm")
    assert rows.loc["B", ["solved", "timeout", "other", "limit_unknown"]].tolist() == [1, 1, 0, 1]
    assert rows["sgm"].isna().tolist() == [False, True, False]
    assert rows["rank"].isna().all()
    traces = pd.DataFrame({"algorithm": "A", "problem": "p", "dimension": 2, "evaluations": [1, 5], "value": [2.0, 1.0]})
    to_targets = bm.costs(bm.read(traces, evaluations="evaluations", value="value"), targets={"from": 2, "to": 1, "number": 2})
    assert to_targets.frame["cost"].tolist() == [1, 5]
    with pytest.raises(UserError, match=r"costs of the kind fixed_target, expected stated costs of solver runs"):
        bm.summary(to_targets)


def test_a_summary_shows_itself():
    evil = RUNS.assign(solver=["<script>", "<script>", "B", "B"])
    summary = bm.summary(bm.costs(evil, **NAMED, limit=60))
    shown = summary._repr_html_()
    assert "<script>" not in shown
    assert shown.count("<table") == 2
    assert "shifted geometric mean" in summary.caption
    assert summary.to_latex() != summary.outcomes.to_latex()
    assert "How the runs on " in summary.outcomes.to_markdown()
    assert pickle.loads(pickle.dumps(summary)) == summary == copy.deepcopy(summary)


def test_guests_are_shown_and_not_ranked():
    wide = pd.DataFrame({"problem": range(1, 9), "A": range(1, 9), "B": range(2, 10), "D": [0.5] * 8})
    costs = bm.costs(wide, wide=["A", "B", "D"])
    measures = bm.profile(costs, not_competing="D").measures.set_index("algorithm")
    assert measures["rank_auc"].fillna(0).astype(int).to_dict() == {"A": 1, "B": 2, "D": 0}
    assert measures.loc["D", "rho_1"] == 1
    with pytest.raises(bm.UserError, match=r"not_competing: there is no algorithm 'X'; choose from A, B, D\."):
        bm.profile(costs, not_competing="X")
    rows = [(name, "f", 2, run, e, v) for name, e in (("A", 9), ("B", 5), ("D", 1)) for run in (1, 2) for v in (1.0,)]
    runs = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "run", "evaluations", "value"])
    traced = bm.costs(bm.read(runs, evaluations="evaluations", value="value"), targets=[1])
    assert bm.ert(traced).rank_sums["best"].unique().tolist() == ["D"]
    found = bm.ert(traced, not_competing="D")
    assert found.rank_sums["best"].unique().tolist() == ["B"]
    assert found.frame["algorithm"].tolist() == ["A", "B", "D"]
    assert "D (not competing)" in found.table.caption


def test_a_comparison_is_that_of_those_that_compete():
    wide = pd.DataFrame({"problem": range(1, 9), "A": range(1, 9), "B": range(2, 10), "C": [9.5, 0.7] * 4, "D": [0.5] * 8})
    few = {"normalise": "none", "permutations": 199}
    found = bm.compare(bm.costs(wide, wide=["A", "B", "C", "D"]), not_competing="D", **few)
    expected = bm.compare(bm.costs(wide.drop(columns="D"), wide=["A", "B", "C"]), **few)
    for name in ("designs", "tests", "ranks", "comparisons", "leaders", "verdicts"):
        assert found.data[name].to_pylist() == expected.data[name].to_pylist(), name
    assert found.verdict == expected.verdict
    assert "D" not in found.p_values().columns


def test_larger_values_are_better_where_it_is_said():
    frame = pd.DataFrame({"algorithm": ["A", "B"] * 2, "problem": ["p", "p", "q", "q"], "accuracy": [0.9, 0.45, 0.8, 0.2]})
    with pytest.raises(UserError, match="say direction='max', or direction='min'"):
        bm.costs(frame, cost="accuracy")
    better = bm.costs(frame, cost="accuracy", direction="max").ratios
    assert better["ratio"].tolist() == [1, 2, 1, 4]
    assert bm.costs(frame, cost="accuracy", direction="min").ratios["ratio"].tolist() == [2, 1, 4, 1]
    assert bm.costs(bm.read(frame, cost="accuracy", direction="max"), quantity="rate").ratios.equals(better)
    with pytest.raises(UserError, match="direction is 'up', expected 'min' or 'max'"):
        bm.costs(frame, cost="accuracy", direction="up")


def test_a_class_is_summarised_as_it_would_be_alone():
    """Every number of a class is that of its problems alone; rows of the table are solvers, columns classes."""
    rng = np.random.default_rng(4)
    df = pd.DataFrame(
        {
            "algorithm": np.repeat(["A", "B", "C"], 30),
            "problem": [f"{kind}-{i}" for kind in ("sat", "unsat") for i in range(15)] * 3,
            "cost": rng.lognormal(2, 1, 90),
        }
    )
    whole = bm.summary(bm.costs(df, limit=12), by="family")
    alone = bm.summary(bm.costs(df[df["problem"].str.startswith("sat")], limit=12))
    numbers = ["solved", "sgm", "sgm_low", "sgm_high", "sgm_ratio", "par2", "par10", "rank", "unique", "timeout", "median"]
    rows = [
        frame.query(f"subset == {subset!r}").set_index(["unsolved", "algorithm"])[numbers]
        for frame, subset in ((whole.frame, "family sat"), (alone.frame, "all"))
    ]
    pd.testing.assert_frame_equal(*rows)
    table = whole.classes()
    assert list(table) == ["all", "family sat", "family unsat"]
    solved = df[df["cost"] < 12].assign(kind=df["problem"].str.split("-").str[0]).groupby(["algorithm", "kind"]).size()
    assert [table.at[name, f"family {kind}"] for name, kind in solved.index] == solved.tolist()
    with pytest.raises(bm.UserError, match="classes: there is no column 'slved'; did you mean 'solved'"):
        whole.classes("slved")


def test_ordered_categories_of_a_frame_keep_their_order():
    sizes, problems = ["small", "medium", "large"], ["easy", "mid", "q10", "q9", "hard", "worst"]
    rows = [(size, problem, 1.0 + 3 * a + i) for a, size in enumerate(sizes) for i, problem in enumerate(problems)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "cost"])
    for column, names in (("algorithm", sizes), ("problem", problems)):
        frame[column] = pd.Categorical(frame[column], names, ordered=True)
    costs = bm.costs(frame, limit=100)
    assert [*costs.frame["algorithm"].cat.categories] == sizes
    assert [*costs.frame["problem"].cat.categories] == problems == [*bm.read(frame).trials["problem"].cat.categories]
    pairs = bm.compare(costs).frame
    assert [*pairs["algorithm_a"].cat.categories] == [one for one in sizes if one in {*pairs["algorithm_a"]}]
    profile = bm.profile(costs)
    legend = profile.plot().get_legend()
    assert [text.get_text() for text in legend.get_texts()] == sizes
    assert [*bm.summary(costs, brackets=[]).frame["algorithm"].cat.categories][:3] == sizes
    # without an order they are in natural order, as all names are
    plain = bm.costs(frame.astype({"algorithm": str, "problem": str}), limit=100)
    assert [*plain.frame["problem"].cat.categories] == sorted(problems, key=natural_key)


def test_a_control_is_what_is_drawn():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame({"problem": range(12), **{name: rng.exponential(size=12) for name in "ABC"}})
    costs = bm.costs(wide, wide=list("ABC"))
    compared = bm.compare(costs, control="C")
    assert compared.usual == "effects"
    assert bm.compare(costs).usual == "critical_differences"
    # the control is the first of a pair, and no key stands where problems have no dimension
    axes = compared.plot(kind="scatter")
    assert axes.get_xlabel() == "cost of C"
    assert axes.get_legend() is None
    assert compared.plot(kind="scatter", pair=("A", "B")).get_xlabel() == "cost of A"


def test_a_key_covers_no_bars():
    rows = [(name, problem, 1.0 + problem, problem > 2) for name in "AB" for problem in range(6)]
    costs = bm.costs(pd.DataFrame(rows, columns=["algorithm", "problem", "cost", "late"]), failed="late", limit=9)
    axes = bm.summary(costs).plot()
    axes.figure.canvas.draw()
    assert axes.get_legend().get_window_extent().y0 >= axes.get_window_extent().y1
