"""A hundred calls that are wrong in one way each: every one is refused by a sentence of ours."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from matplotlib import pyplot

import benchmill as bm

DF = pd.DataFrame(
    {"algorithm": np.repeat(["A", "B", "C"], 4), "problem": [*"pqrs"] * 3, "cost": [1.0, 4, 2, 3, 2, 3, 1, 5, 9, 2, 4, 4]}
)
TRACES = pd.DataFrame(
    [(a, p, e, 10.0 / (e + k)) for k, a in enumerate("AB") for p in "fg" for e in (1, 2, 4)],
    columns=["algorithm", "problem", "evaluations", "value"],
)
STATES = DF.assign(state=["ok", "timeout"] * 6)
WIDE = pd.DataFrame({"problem": [*"pqr"], "A": [1.0, 2, 3], "B": [2.0, 1, 4]})
NOWHERE = Path("nowhere")

CALLS = {
    # reading
    "bm.read(DF, foo=1)": lambda o: bm.read(DF, foo=1),
    "bm.read(DF, algoritm=...)": lambda o: bm.read(DF, algoritm="algorithm"),
    "bm.read(DF, outcomes=...)": lambda o: bm.read(DF, outcomes={"TO": "time_limit"}),
    "bm.costs(DF, outcomes=...)": lambda o: bm.costs(DF, outcomes={"TO": "time_limit"}),
    "bm.costs(DF, solver=...)": lambda o: bm.costs(DF, solver="algorithm"),
    "bm.read(DF, columns=...)": lambda o: bm.read(DF, columns={"cost": "cost"}),
    "bm.read(DF, format=...)": lambda o: bm.read(DF, format="coco"),
    "bm.read(path, foo=1)": lambda o: bm.read(o.csv, foo=1),
    "bm.read(path, time_limt=3)": lambda o: bm.read(o.csv, time_limt=3),
    "bm.read(path, failed=...)": lambda o: bm.read(o.csv, failed="timeout"),
    "bm.read(path, limit=3)": lambda o: bm.read(o.csv, limit=3),
    "bm.read(path, format=...)": lambda o: bm.read(o.csv, format="cocoo"),
    "bm.read(path, format=3)": lambda o: bm.read(o.csv, format=3),
    "bm.read(path, columns='cost')": lambda o: bm.read(o.csv, columns="cost"),
    "bm.read(path, time_limit='x')": lambda o: bm.read(o.csv, time_limit="x"),
    "bm.read(None)": lambda o: bm.read(None),
    "bm.read(3)": lambda o: bm.read(3),
    "bm.read([])": lambda o: bm.read([]),
    "bm.read({})": lambda o: bm.read({"algorithm": ["A"]}),
    "bm.read(array)": lambda o: bm.read(DF.to_numpy()),
    "bm.read(nowhere)": lambda o: bm.read(NOWHERE),
    "bm.read(pattern)": lambda o: bm.read("nowhere/*.csv"),
    "bm.inspect(DF)": lambda o: bm.inspect(DF),
    "bm.inspect(path, foo=1)": lambda o: bm.inspect(o.csv, foo=1),
    "bm.fetch(3)": lambda o: bm.fetch(3),
    "bm.fetch('nowhere')": lambda o: bm.fetch("nowhere"),
    "bm.fetch(cach=...)": lambda o: bm.fetch("coco:bbob/2009/BFGS", cach="x"),
    "runs + DF": lambda o: o.runs + DF,
    "runs + runs": lambda o: o.runs + o.runs,
    # columns and cells
    "a column that is not there": lambda o: bm.costs(DF, cost="cst"),
    "no column of costs": lambda o: bm.costs(DF.rename(columns={"cost": "zzz"})),
    "no column of algorithms": lambda o: bm.costs(DF.drop(columns="algorithm")),
    "costs are lists": lambda o: bm.costs(DF.assign(cost=[[1.0], [2.0]] * 6)),
    "states are lists": lambda o: bm.costs(DF.assign(state=[["ok"], ["TO"]] * 6), status="state", failed="TO"),
    "no problem among keys": lambda o: bm.costs(DF, problem_keys=["instance"]),
    "no row": lambda o: bm.costs(DF.iloc[:0]),
    "two columns of a name": lambda o: bm.costs(pd.concat([DF, DF["cost"]], axis=1)),
    "empty costs": lambda o: bm.costs(DF.assign(cost=np.nan)),
    "objects as costs": lambda o: bm.costs(DF.assign(cost=[object()] * 12)),
    "lists as costs": lambda o: bm.costs(DF.assign(cost=[[1]] * 12)),
    "complex costs": lambda o: bm.costs(DF.assign(cost=DF["cost"] + 1j)),
    "dates as costs": lambda o: bm.costs(DF.assign(cost=pd.Timestamp("2020-01-01"))),
    "minus infinity": lambda o: bm.costs(DF.assign(cost=-np.inf)),
    "mappings as problems": lambda o: bm.costs(DF.assign(problem=[{"a": 1}] * 12)),
    "words as runs": lambda o: bm.costs(DF.assign(run="x")),
    "halves as dimensions": lambda o: bm.costs(DF.assign(dimension=1.5)),
    "no algorithm": lambda o: bm.costs(DF.assign(algorithm=None)),
    "a wide table": lambda o: bm.costs(WIDE),
    "wide=[]": lambda o: bm.costs(WIDE, wide=[]),
    "wide=[1, 2]": lambda o: bm.costs(WIDE, wide=[1, 2]),
    # failures
    "limit=0": lambda o: bm.costs(DF, limit=0),
    "limit='lim'": lambda o: bm.costs(DF, limit="lim"),
    "failed=word": lambda o: bm.costs(DF, failed="time"),
    "failed=numbers": lambda o: bm.costs(DF, failed="cost"),
    "failed=outcome": lambda o: bm.costs(STATES, status="state", failed={"timeout": "timelimit"}),
    "failed=[list]": lambda o: bm.costs(STATES, status="state", failed={"timeout": ["time_limit"]}),
    "failed='timeot'": lambda o: bm.costs(STATES, status="state", failed="timeot"),
    "status='stat'": lambda o: bm.costs(STATES, status="stat", failed="timeout"),
    "solved without status": lambda o: bm.costs(STATES, solved="ok"),
    "solved and failed": lambda o: bm.costs(STATES, status="state", solved="ok", failed="ok"),
    "empty='fail'": lambda o: bm.costs(DF, empty="fail"),
    "direction='maximum'": lambda o: bm.costs(DF, direction="maximum"),
    # measures
    "bm.costs()": lambda o: bm.costs(),
    "bm.costs(DF, [1])": lambda o: bm.costs(DF, [1]),
    "bm.costs(DF, foo=1)": lambda o: bm.costs(DF, foo=1),
    "agregate=": lambda o: bm.costs(DF, agregate="mean"),
    "aggregate='avg'": lambda o: bm.costs(DF, aggregate="avg"),
    "kind='gven'": lambda o: bm.costs(DF, kind="gven"),
    "problem_keys=['prblem']": lambda o: bm.costs(DF, problem_keys=["prblem"]),
    "problem_keys=[]": lambda o: bm.costs(DF, problem_keys=[]),
    "exclude=['zz']": lambda o: bm.costs(DF, exclude=["zz"]),
    "dimensions=[3]": lambda o: bm.costs(DF, dimensions=[3]),
    "targets=1": lambda o: bm.costs(TRACES, targets=1),
    "targets=['a']": lambda o: bm.costs(TRACES, targets=["a"]),
    "targets and budgets": lambda o: bm.costs(TRACES, targets=[1], budgets=[1]),
    "floor='x'": lambda o: bm.costs(o.improved, budgets={"evaluations": [2]}, floor="x"),
    "costs(runs, algorithm=...)": lambda o: bm.costs(o.runs, algorithm="A"),
    # results
    "variant='nestd'": lambda o: bm.profile(o.times, "nestd"),
    "tau_max='x'": lambda o: bm.profile(o.times, tau_max="x"),
    "bands={'foo': 1}": lambda o: bm.profile(o.times, bands={"foo": 1}),
    "bands='x'": lambda o: bm.profile(o.times, bands="x"),
    "profile(not_competing=['D'])": lambda o: bm.profile(o.times, not_competing=["D"]),
    "control='a'": lambda o: bm.compare(o.times, control="a"),
    "methods='fridman'": lambda o: bm.compare(o.times, methods="fridman"),
    "stratify='dim'": lambda o: bm.compare(o.times, stratify="dim"),
    "design='x'": lambda o: bm.compare(o.times, design="x"),
    "compare(foo=1)": lambda o: bm.compare(o.times, foo=1),
    "why(1, None)": lambda o: o.compared.why(1, None),
    "why('A', 'a')": lambda o: o.compared.why("A", "a"),
    "p_values('nope')": lambda o: o.compared.p_values("nope"),
    "p_values(foo=1)": lambda o: o.compared.p_values(foo=1),
    "against without a control": lambda o: o.compared.against,
    "by='famly'": lambda o: bm.summary(o.times, by="famly"),
    "brackets=[-1]": lambda o: bm.summary(o.times, brackets=[-1]),
    "level=95": lambda o: bm.summary(o.times, level=95),
    "ert(alpha=0)": lambda o: bm.ert(o.times, alpha=0),
    "quantile_type=12": lambda o: bm.indicators(o.times, quantile_type=12),
    "ecdf('prblem')": lambda o: bm.ecdf(o.improved, "prblem", targets=[1]),
    "area_to=1": lambda o: bm.ecdf(o.improved, targets=[1], area_to=1, x="evaluations"),
    "area_to='x'": lambda o: bm.ecdf(o.improved, targets=[1], area_to="x", x="evaluations"),
    "horizon=-1": lambda o: bm.kaplan_meier(o.times, horizon=-1),
    "bm.load(None)": lambda o: bm.load(None),
    "bm.load(nowhere)": lambda o: bm.load(NOWHERE),
    "compare_versions(foo=1)": lambda o: bm.compare_versions(o.times, o.times, foo=1),
    "compare_versions(None)": lambda o: bm.compare_versions(None, o.times),
    "compare_versions without an algorithm": lambda o: bm.compare_versions(o.times, o.times),
    # drawings
    "plot(foo=1)": lambda o: o.profile.plot(foo=1, ax=o.axes),
    "plot(dimension=7)": lambda o: o.profile.plot(dimension=7, ax=o.axes),
    "plot(target='x')": lambda o: o.profile.plot(target="x", ax=o.axes),
    "plot(ax=3)": lambda o: o.profile.plot(ax=3),
    "plot(kind='proflie')": lambda o: o.profile.plot(kind="proflie"),
    "plot(kind=3)": lambda o: o.profile.plot(kind=3),
    "palette='nope'": lambda o: o.profile.plot(palette="nope", ax=o.axes),
    "palette=3": lambda o: o.profile.plot(palette=3, ax=o.axes),
    "palette=['redd']": lambda o: o.profile.plot(palette=["redd"], ax=o.axes),
    "palette={'A': 'red'}": lambda o: o.profile.plot(palette={"A": "red"}, ax=o.axes),
    "pair=('A', 'D')": lambda o: o.times.plot(pair=("A", "D"), ax=o.axes),
    "figure('auc_bar')": lambda o: o.profile.figure("auc_bar"),
    "figure(foo=1)": lambda o: o.profile.figure(foo=1),
    "figure(width='colum')": lambda o: o.profile.figure(width="colum"),
    "figure(dimensions=[7])": lambda o: o.profile.figure(dimensions=[7]),
    "caption_of('nope')": lambda o: o.profile.caption_of("nope"),
}


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    csv = tmp_path_factory.mktemp("hundred") / "t.csv"
    DF.to_csv(csv, index=False)
    times = bm.costs(DF, limit=50)
    return SimpleNamespace(
        csv=csv,
        times=times,
        runs=bm.read(DF),
        improved=bm.read(TRACES),
        profile=bm.profile(times),
        compared=bm.compare(times, methods=[], comparisons="wilcoxon", corrections="holm", normalise="none"),
        axes=pyplot.figure().add_subplot(),
    )


def test_there_are_a_hundred():
    assert len(CALLS) >= 100


@pytest.mark.parametrize("call", CALLS)
def test_it_is_refused_in_a_sentence(objects, call):
    with pytest.raises(bm.UserError) as refused:
        CALLS[call](objects)
    told = str(refused.value)
    assert "\n" not in told
    assert told.endswith((".", "?", ")")), told
    assert len(told.split()) >= 5, told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("bm.read(DF, algoritm=...)", "read: there is no keyword 'algoritm'; did you mean 'algorithm'?"),
        ("plot(dimension=7)", "plot: what is drawn is not split by dimension: there is no keyword 'dimension'; "),
        (
            "costs are lists",
            "the column 'cost' of the DataFrame has lists or mappings (list<item: double>), expected one value a row; ",
        ),
        ("no problem among keys", "costs: problem_keys is ['instance'], expected problem and, as needed, suite, "),
        ("palette='nope'", "palette: found 'nope'; did you mean "),
        ("why(1, None)", "why: first is 1, expected a name."),
        (
            "tau_max='x'",
            "profiles: the variant 'dolan_more': tau_max: found the text 'x', expected a number or nothing.",
        ),
        ("bm.fetch(cach=...)", "fetch: got an unexpected keyword argument 'cach'; expected fetch(names, cache, mirror)."),
    ],
)
def test_what_is_said(objects, call, told):
    with pytest.raises(bm.UserError) as refused:
        CALLS[call](objects)
    assert str(refused.value).startswith(told)


def test_numbers_can_be_the_names_of_wide_columns():
    frame = WIDE.rename(columns={"A": 1, "B": 2})
    by_number = bm.costs(frame, wide=[1, 2]).frame
    assert by_number["algorithm"].tolist() == ["1", "2"] * 3
    assert by_number.equals(bm.costs(frame, wide="algorithm").frame)


def test_periods_and_intervals_are_names_as_people_write_them():
    periods = DF.assign(problem=[*pd.period_range("2020-01", periods=4, freq="M")] * 3)
    assert bm.costs(periods).frame["problem"].unique().tolist() == [f"2020-0{month}" for month in range(1, 5)]
    intervals = DF.assign(problem=pd.cut([1, 3] * 6, [0, 2, 4]))
    assert bm.costs(intervals).frame["problem"].unique().tolist() == ["(0, 2]", "(2, 4]"]


def test_lists_in_a_column_that_is_not_used_do_no_harm():
    table = pa.Table.from_pandas(DF).append_column("extra", pa.array([[1]] * len(DF)))
    assert bm.costs(table).frame.equals(bm.costs(DF).frame)
