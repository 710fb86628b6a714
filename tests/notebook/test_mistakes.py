"""Arguments of no use, generated: each is refused in a sentence of ours, none by an error of pandas, Arrow or NumPy."""

import ast
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import benchmill as bm
from benchmill.core import UserError

DF = pd.DataFrame(
    {
        "algorithm": np.repeat(["A", "B", "C"], 6),
        "problem": [f"p{i}" for i in range(6)] * 3,
        "cost": np.random.default_rng(1).lognormal(1, 1, 18),
    }
)
TRACES = pd.DataFrame(
    [(a, p, r, e, 10.0 / (e + k)) for k, a in enumerate("AB") for p in "fg" for r in (1, 2) for e in (1, 2, 4, 8, 16)],
    columns=["algorithm", "problem", "run", "evaluations", "value"],
)
#: By what is wrong, values that are of no use.
WRONG = {
    "a number": 3,
    "a negative number": -1.5,
    "not a number": float("nan"),
    "a word": "famly",
    "nothing": "",
    "an empty list": [],
    "a list of words": ["famly"],
    "a list of numbers": [1],
    "a mapping": {"x": "y"},
    "an object": object,
    "a series": pd.Series([1]),
    "a frame": DF,
}
#: The arguments of each function.
ARGUMENTS = {
    "ecdf": "aggregate targets budgets",
    "costs": "targets budgets algorithm problem cost suite run status solved failed limit wide empty direction objective "
    "best_known kind name problem_keys exclude dimensions",
    "read": "algorithm failed limit wide",
    "summary": "by cluster_keys not_competing brackets level",
    "compare": "control criterion margin cluster_keys seed not_competing methods comparisons corrections alpha design "
    "permutations",
    "profile": "variant by rule not_competing",
    "ert": "alpha not_competing",
    "indicators": "budget_rule",
    "kaplan_meier": "level cluster_keys horizon",
    "compare_factors": "factors level cluster_keys cost limit run",
    "compare_versions": "algorithm base_algorithm by measure level cluster_keys base_options best_known objective",
}
DATA = ("costs", "read", "summary", "compare", "profile", "ert", "indicators", "kaplan_meier", "load", "inspect", "fetch")


@pytest.fixture(scope="module")
def times():
    return bm.costs(DF, limit=50)


def refused(call):
    """What is told where a call is refused; None where it is taken, as some values are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except bm.UserError as error:
            return str(error)
    return None


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("function", ARGUMENTS)
def test_arguments_of_no_use_are_refused_in_a_sentence(times, function, wrong):
    given = {"costs": (DF,), "read": (DF,), "compare_versions": (times, times), "compare_factors": (DF, "f")}.get(
        function, (times,)
    )
    usual = {"algorithm": "A", "base_algorithm": "B"} if function == "compare_versions" else {}
    for name in ARGUMENTS[function].split():
        told = refused(lambda name=name: getattr(bm, function)(*given, **{**usual, name: WRONG[wrong]}))
        assert told is None or ("\n" not in told and told.endswith((".", "?", ")"))), (name, told)


@pytest.mark.parametrize("wrong", WRONG)
def test_data_of_no_use_are_refused_in_a_sentence(wrong):
    for function in DATA:
        told = refused(lambda function=function: getattr(bm, function)(WRONG[wrong]))
        taken = wrong == "an empty list" or (wrong == "a frame" and function not in ("load", "inspect", "fetch"))
        assert told is not None or taken


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: bm.compare(t, seed=-1), "compare: seed is -1, expected a whole number from 0."),
        (lambda t: bm.summary(t, level=2), "summary: level is 2, expected a number between 0 and 1, such as 0.95."),
        (lambda t: bm.costs(DF, limit=[3]), "costs: limit is [3], expected a number above 0 or the name of a column."),
        (lambda t: bm.costs(DF, outcomes={"TO": "time_limit"}), "expected in its place failed={'TIMEOUT': 'time_limit'} or"),
        (lambda t: bm.read(DF, columns={"cost": "s"}), "expected in its place a keyword for each column, such as"),
        (lambda t: bm.costs(DF, solver="algorithm"), "costs: there is no keyword 'solver'; did you mean 'solved'?"),
        (lambda t: bm.profile(t, by=3), "profile: by is 3, expected a name or a list of names."),
        (lambda t: bm.costs(pd.Series([1.0])), "found a Series, expected a DataFrame"),
        (lambda t: bm.compare(t, permutations="x"), "compare: permutations is 'x', expected a whole number from 1."),
        (lambda t: bm.kaplan_meier(t, horizon="x"), "kaplan_meier: horizon is 'x', expected a number above 0."),
        (lambda t: bm.compare(t, cluster_keys=["famly"]), "compare: cluster_keys is ['famly'], expected some of suite, problem"),
        (lambda t: bm.profile(t, bands=3), "bands is 3, expected one of runs, problems, both"),
        (lambda t: bm.compare_versions(DF, DF, algorithm="A", base_algorithm="B", measure=3), "measure is 3, expected a name or"),
        (lambda t: bm.compare(t, methods="friedmann"), "compare: methods[1]: found 'friedmann'; did you mean 'friedman'?"),
        (lambda t: bm.profile(t).figure(paper="acmm"), "figure: paper: found 'acmm'; did you mean 'acm'?"),
        (
            lambda t: bm.ert(t).plot(),
            "it draws running times over the dimension, and the measure 'cost' has none with a dimension",
        ),
        (
            lambda t: bm.ert(t).figure("running_time"),
            "over the target, and the measure 'cost' has none with a target",
        ),
        (lambda t: bm.costs(DF.assign(cost=pd.Series([[1]] * 18))), "DataFrame"),
        (lambda t: bm.ecdf(DF), "the source states the cost of problem"),
        (lambda t: bm.ecdf(TRACES, targets=[1]), "no dimension to divide evaluations by; set x='evaluations'"),
        (lambda t: bm.profile(t, groups={"x": ["p0", "P1"]}), "the group 'x' names 'P1', a problem that no source has; did you"),
        (lambda t: bm.ecdf(TRACES, "group", targets=[2], groups={"x": ["h"]}), "ecdf: the group 'x' names 'h', a problem that"),
        (lambda t: bm.costs(TRACES), "the runs state no costs but have traces; give targets=[...] or budgets=[...]."),
        (lambda t: bm.summary(t, by=DF), "by: found a DataFrame, expected"),
        (lambda t: bm.summary(t, by=pd.Series(list("xy"), ["p0", "p0"])), "by: found a Series, expected"),
    ],
)
def test_what_is_told(times, call, message):
    assert message in refused(lambda: call(times))


def test_improvements_are_measured_by_their_columns():
    found = bm.ert(bm.costs(TRACES, targets=[2])).frame
    assert found["ert"].tolist() == [8.0, 4.0] * 2
    renamed = TRACES.rename(columns={"evaluations": "n", "value": "f"})
    assert bm.costs(renamed, evaluations="n", value="f", targets=[2]).frame.equals(bm.costs(TRACES, targets=[2]).frame)
    assert bm.ecdf(TRACES, targets=[2], x="evaluations").frame["fraction"].tolist() == [1.0, 1.0]
    raised = TRACES.assign(value=-TRACES["value"])
    assert bm.costs(raised, targets=[-2], direction="max").frame["cost"].equals(bm.costs(TRACES, targets=[2]).frame["cost"])


def test_rows_that_repeat_another_are_told_with_their_number_and_the_first():
    more = pd.concat([DF, DF.iloc[[3, 5]].set_axis(["x", "y"])])
    with pytest.warns(UserWarning, match="rows that repeat an earlier one: 2, first row 'x' .*Each counts as a run: name what"):
        assert len(bm.costs(more).frame) == len(more)
    with pytest.warns(UserWarning, match="rows that repeat an earlier one: 2, first row 'x' .*They are left out"):
        assert len(bm.costs(more.assign(run=1)).frame) == len(DF)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bm.costs(more.assign(run=[1] * len(DF) + [2, 2]))
        # that several runs end at their limit is no sign of anything
        bm.costs(more.assign(cost=9.0), limit=9)


def test_a_series_with_a_named_index_is_a_table():
    series = DF.set_index(["algorithm", "problem"])["cost"]
    assert bm.costs(series).frame.equals(bm.costs(DF).frame)
    assert bm.costs(series.rename(None)).frame.equals(bm.costs(DF).frame)


@pytest.mark.parametrize("wide", ["algorithm", ["A", "B"]])
def test_words_and_numbers_in_place_of_costs_say_how_runs_ended(wide):
    frame = pd.DataFrame({"problem": list("pq"), "A": [1, "TIMEOUT"], "B": [-1, 2]})
    trials = bm.read(frame, wide=wide, failed={"TIMEOUT": "time_limit", -1: "memory_limit"}).trials
    ended = {(row.algorithm, row.problem): row.outcome for row in trials.itertuples()}
    assert ended == {("A", "p"): "solved", ("A", "q"): "time_limit", ("B", "p"): "memory_limit", ("B", "q"): "solved"}


def test_the_stub_offers_what_the_package_offers():
    """The names for type checkers are those that the package has, each from the module that has it."""
    stub = ast.parse(Path(bm.__file__).with_suffix(".pyi").read_text("utf-8"))
    offered = {alias.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert offered == {name: "benchmill.notebook" if name == "plot" else module for name, module in bm._OFFERED.items()}
    declared = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert {*offered} | declared - {"__all__"} == {*bm.__all__}


def test_advice_about_costs_is_for_costs_alone():
    """What else can be wrong with ratios has advice of its own."""
    frame = pd.DataFrame({"algorithm": list("AAB"), "problem": list("pqp"), "cost": [1.0, 2.0, 3.0]})
    with pytest.raises(
        bm.UserError, match=r"first 'B' on problem q; add the logs or set missing='common' or missing='failure'\.$"
    ):
        bm.profile(bm.costs(frame, missing="error"))
    twice = pd.concat([frame, frame]).assign(run=[1, 1, 1, 2, 2, 2])
    with pytest.raises(
        bm.UserError, match=r"has 2 trials, but aggregate is single; choose ert, mean or median, or add what tells"
    ):
        bm.profile(bm.costs(twice, aggregate="single"))
    with pytest.raises(bm.UserError, match=r"correct the cost if it is a mistake, give shift="):
        bm.profile(bm.costs(frame.assign(cost=[-2.0, -1.0, 3.0])))


def test_a_column_of_words_is_none_of_failures():
    frame = pd.DataFrame({"algorithm": list("AABB"), "problem": list("pqpq"), "cost": [1.0, 2, 3, 4], "state": ["ok", "no"] * 2})
    with pytest.raises(bm.UserError, match="give status='state', and in failed those that are failures"):
        bm.costs(frame, failed="state")
    assert (
        bm.costs(frame, status="state", failed="no", limit=9).frame.sort_values(["algorithm", "problem"])["success"].tolist()
        == [True, False] * 2
    )


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_durations_of_any_library_are_no_numbers(unit):
    """Arrow has them as whole numbers of their unit."""
    columns = {"algorithm": ["A", "B"], "problem": ["p", "p"]}
    for cost in (pa.array([1, 2], pa.duration(unit)), pd.Series([pd.Timedelta("1s"), None], dtype=object)):
        data = pa.table({**columns, "cost": cost}) if isinstance(cost, pa.Array) else pd.DataFrame({**columns, "cost": cost})
        with pytest.raises(UserError, match="the column 'cost' holds durations; give numbers, such as seconds"):
            bm.costs(data, empty="failure")
    # one that is not read does not matter
    beside = pd.DataFrame({**columns, "cost": [1.0, 2.0], "waited": pd.to_timedelta([1, 2], unit)})
    assert bm.costs(beside).frame["cost"].tolist() == [1.0, 2.0]
    for named in ({"cost": "waited"}, {"wide": "algorithm"}, {"status": "waited"}):
        data = beside.drop(columns="algorithm") if "wide" in named else beside
        with pytest.raises(UserError, match="the column 'waited' holds durations"):
            bm.costs(data, **named)


def test_decimal_commas_of_a_dataframe_are_read_as_the_message_says():
    data = pd.DataFrame({"algorithm": ["A", "B"], "problem": ["p", "p"], "cost": ["1,5", "2"]})
    with pytest.raises(UserError, match=r"or declare decimal=','\)"):
        bm.costs(data)
    assert bm.costs(data, decimal=",").frame["cost"].tolist() == [1.5, 2]


def test_rows_that_are_refused_are_told():
    """Without a word, an algorithm would have no run on a problem that its table has."""
    wrong = DF.assign(cost=DF["cost"].where(DF.index != 3, -4.0), state="ok")
    with pytest.warns(UserWarning, match="A row states a negative time.* Rows: 1, such as a time of -4"):
        assert len(bm.costs(wrong, status="state", solved="ok").frame) == len(DF) - 1
    # one of which none is left has a column of its own, with nothing in it
    wrong["cost"] = DF["cost"].where(DF["algorithm"] != "B", -4.0)
    with pytest.warns(UserWarning, match="A row states a negative time"):
        described = bm.ert(bm.costs(wrong, status="state", solved="ok")).frame.groupby("algorithm")
    assert described["n_trials"].sum()["B"] == 0 < described["n_missing"].sum()["B"] == (DF["algorithm"] == "B").sum()


def test_a_palette_with_too_few_colours_is_told(times):
    with pytest.warns(UserWarning, match="palette: 2 colours for 3 algorithms, so some share one; give more"):
        bm.profile(times).plot(palette=["red", "blue"])
