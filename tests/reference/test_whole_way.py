"""Random small studies through all stages, against the naive way."""

from fractions import Fraction
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmill import schema
from benchmill.costs import costs
from benchmill.indicators.ecdf import ecdf
from benchmill.indicators.ert import indicators
from benchmill.inference.analysis import analyse
from benchmill.inference.design import from_ratios
from benchmill.profiles import profile, profile_measures
from benchmill.profiles.ratios import ratios
from benchmill.readers import ingest

from . import naive

TARGETS = [10.0, 1.0, 0.01]
VALUES = [100.0, 12.5, 10.0, 9.0, 1.0, 0.5, 0.01, 0.0025, 0.0]
DIMENSIONS = {"f1/2": 2, "f1/5": 5, "f3/2": 2}

trial = st.builds(
    lambda steps, extra: {"rows": sorted(set(steps)), "budget": max(e for e, _ in steps) + extra},
    st.lists(st.tuples(st.integers(1, 60), st.sampled_from(VALUES)), min_size=1, max_size=6),
    st.integers(0, 40),
)
problems = st.fixed_dictionaries({}, optional={problem: st.lists(trial, min_size=1, max_size=4) for problem in DIMENSIONS})
studies = st.lists(problems, min_size=2, max_size=4).filter(lambda found: set.intersection(*(set(p) for p in found)) != set())


def write(folder, algorithm, trials_of):
    """The logs of one algorithm in the old format of COCO."""
    for function in ("f1", "f3"):
        info = []
        for problem in sorted(p for p in trials_of if p.startswith(f"{function}/")):
            dimension = DIMENSIONS[problem]
            stem = f"data_{function}/bbobexp_{function}_DIM{dimension}"
            (folder / stem).parent.mkdir(parents=True, exist_ok=True)
            header = "% function evaluation | noise-free fitness - Fopt (7.0) | best noise-free fitness - Fopt | x1\n"
            dat, tdat, entries = "", "", []
            for instance, run in enumerate(trials_of[problem], 1):
                rows = naive.best_so_far(run["rows"])
                lines = "".join(f"{e} {v!r} {v!r} {v!r} {v!r}\n" for e, v in rows)
                dat += header + lines
                tdat += header + lines + f"{run['budget']} {rows[-1][1]!r} {rows[-1][1]!r} 0 0\n"
                entries.append(f"{instance}:{run['budget']}|{rows[-1][1] - 1e-8:.1e}")
            (folder / f"{stem}.dat").write_text(dat)
            (folder / f"{stem}.tdat").write_text(tdat)
            head = f"funcId = {function[1:]}, DIM = {dimension}, Precision = 1.000e-08, algId = '{algorithm}'"
            info.append(f"{head}\n% made for a test\n{stem}.dat, {', '.join(entries)}")
        if info:
            (folder / f"bbobexp_{function}.info").write_text("\n".join(info) + "\n")


def key(row):
    return f"{row['problem']}/{row['dimension']}"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])
@given(studies)
def test_every_number_is_that_of_the_naive_way(tmp_path_factory, found):
    study = {f"A{i}": trials for i, trials in enumerate(found)}
    folder = tmp_path_factory.mktemp("study")
    measured = []
    for algorithm, trials_of in study.items():
        write(folder / algorithm, algorithm, trials_of)
        report = ingest(folder / algorithm, folder / "trials", folder / "traces", folder / "report", name=algorithm)
        trials = schema.read(folder / "trials", "trials")
        table = costs("fixed_target", trials, schema.pieces(folder / "traces", "traces"), "m", {"targets": TARGETS})
        measured.append((algorithm, table))
        for row in indicators([table], report=report, trials=trials).to_pylist():
            if row["n_trials"]:
                expected = naive.ert(trials_of[key(row)], row["target"])
                assert row["ert"] == pytest.approx(float(expected), rel=1e-14)
                assert row["n_successes"] == sum(naive.hit(t, row["target"]) < inf for t in trials_of[key(row)])

    cost_rows = naive.cost_matrix(study, TARGETS)
    expected_ratios = naive.ratios(cost_rows)
    table = ratios(measured, measure="m", problem_keys=["suite", "problem", "dimension"])
    rated = {(key(row), row["target"], row["algorithm"]): row["ratio"] for row in table.to_pylist() if row["included"]}
    assert set(rated) == {(*problem, a) for problem, row in expected_ratios.items() for a in row}
    for (problem, target, algorithm), ratio in rated.items():
        assert ratio == pytest.approx(float(expected_ratios[problem, target][algorithm]), rel=1e-14)

    finite = [r for row in expected_ratios.values() for r in row.values() if r < inf]
    if finite:
        tau_max = max(finite)
        for row in profile_measures(table, measure="m").to_pylist():
            assert row["tau_max"] == pytest.approx(float(tau_max), rel=1e-14)
            area = naive.area(expected_ratios, row["algorithm"], tau_max)
            assert row["auc"] == pytest.approx(float(area), rel=1e-12, abs=1e-12)
            assert row["wins"] == sum(r[row["algorithm"]] == 1 for r in expected_ratios.values())
            assert row["rho_tau_max"] == float(naive.rho(expected_ratios, row["algorithm"], tau_max))
        for row in profile(table, measure="m").to_pylist():
            # a break point is a ratio rounded to a float: the exact one is within the tolerance of C4
            assert row["rho"] == float(
                naive.rho(expected_ratios, row["algorithm"], Fraction(row["tau"]) * (1 + Fraction(1, 10**12)))
            )

    curves = ecdf([table for _, table in measured], aggregation="dimension", x="evaluations_per_dimension")
    for row in curves.to_pylist():
        expected = naive.ecdf(study, row["algorithm"], TARGETS, Fraction(row["x"]) * (1 + Fraction(1, 10**12)), DIMENSIONS)
        assert row["fraction"] == pytest.approx(float(expected), rel=1e-12, abs=1e-15)

    tested = analyse(from_ratios(table, measure="m"), measure="m")
    tests, ranks = tested["tests"], tested["ranks"]
    for target in TARGETS:
        average, statistic = naive.friedman([row for (_, t), row in cost_rows.items() if t == target])
        for row in ranks.to_pylist():
            if row["target"] == target:
                assert row["average_rank"] == pytest.approx(float(average[row["algorithm"]]), rel=1e-14)
        for row in tests.to_pylist():
            if row["target"] == target and row["method"] == "friedman" and row["statistic"] is not None:
                assert row["statistic"] == pytest.approx(float(statistic), rel=1e-9)
