"""Random small studies through all stages, against the naive way."""

import warnings
from fractions import Fraction
from itertools import combinations
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmill.core import schema, storage
from benchmill.costs import costs
from benchmill.indicators import ecdf, ert
from benchmill.indicators.summary import summary
from benchmill.inference.design import from_ratios
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.profiles import all_tables, fit
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import standings
from benchmill.readers import ingest
from benchmill.registry.entry import asked
from benchmill.registry.inference import CORRECTIONS
from tests.inference.making import analyse

from . import naive

TARGETS = [10.0, 1.0, 0.01]
BUDGETS = [4, 30]
FLOOR = Fraction(1, 1024)
VALUES = [100.0, 12.5, 10.0, 9.0, 1.0, 0.5, 0.01, 0.0025, 0.0]
DIMENSIONS = {"f1/2": 2, "f1/5": 5, "f3/2": 2}

trial = st.builds(
    lambda steps, extra: {"rows": sorted(set(steps)), "budget": max(e for e, _ in steps) + extra},
    st.lists(st.tuples(st.integers(1, 60), st.sampled_from(VALUES)), min_size=1, max_size=6),
    st.integers(0, 40),
)
problems = st.fixed_dictionaries({}, optional={problem: st.lists(trial, min_size=1, max_size=4) for problem in DIMENSIONS})
studies = st.lists(problems, min_size=2, max_size=4).filter(lambda found: set.intersection(*(set(p) for p in found)) != set())

#: Six functions, one of them in two dimensions: the fewest clusters with which a pair can differ.
_JUDGED = ("f1/2", "f1/5", "f2/2", "f3/2", "f4/2", "f5/2", "f6/2")
judged = st.lists(
    st.fixed_dictionaries({problem: st.lists(trial, min_size=1, max_size=2) for problem in _JUDGED}), min_size=2, max_size=3
)

#: Runs of solvers: a time, how it ended and the limit; a solver may have no run on an instance, or several.
SHIFT = 10
one_run = st.builds(
    lambda time, ended, limit: (min(time, limit - 0.25), ended, limit),
    st.sampled_from([0.0, 0.25, 1.0, 7.5, 7.5, 60.0, 599.5]),
    st.sampled_from(["solved", "solved", "solved", "time_limit", "memory_limit", "error", "wrong"]),
    st.sampled_from([60, 600]),
)
raced = st.dictionaries(
    st.sampled_from([f"p{i}" for i in range(8)]),
    st.fixed_dictionaries(
        {"S0": st.lists(one_run, min_size=1, max_size=3)},
        optional={f"S{i}": st.lists(one_run, min_size=1, max_size=3) for i in (1, 2, 3)},
    ),
    min_size=1,
)


def write(folder, algorithm, trials_of):
    """The logs of one algorithm in the old format of COCO."""
    for function in sorted({problem.split("/")[0] for problem in trials_of}):
        info = []
        for problem in sorted(p for p in trials_of if p.startswith(f"{function}/")):
            dimension = int(problem.split("/")[1])
            stem = f"data_{function}/bbobexp_{function}_DIM{dimension}"
            (folder / stem).parent.mkdir(parents=True, exist_ok=True)
            header = "% function evaluation | noise-free fitness - Fopt (7.0) | best noise-free fitness - Fopt | x1\n"
            dat, tdat, entries = "", "", []
            for run in trials_of[problem]:
                rows = naive.best_so_far(run["rows"])
                lines = "".join(f"{e} {v!r} {v!r} {v!r} {v!r}\n" for e, v in rows)
                dat += header + lines
                tdat += header + lines + f"{run['budget']} {rows[-1][1]!r} {rows[-1][1]!r} 0 0\n"
                entries.append(f"{run['instance']}:{run['budget']}|{rows[-1][1] - 1e-8:.1e}")
            (folder / f"{stem}.dat").write_text(dat)
            (folder / f"{stem}.tdat").write_text(tdat)
            head = f"funcId = {function[1:]}, DIM = {dimension}, Precision = 1.000e-08, algId = '{algorithm}'"
            info.append(f"{head}\n% made for a test\n{stem}.dat, {', '.join(entries)}")
        if info:
            (folder / f"bbobexp_{function}.info").write_text("\n".join(info) + "\n")


def key(row):
    return f"{row['problem']}/{row['dimension']}"


#: A float that stands for a fraction may be a little too small; this is the tolerance of C4.
UP = 1 + Fraction(1, 10**12)


def near(expected, rel=1e-12):
    return pytest.approx(float(expected), rel=rel, abs=1e-12)


def named(found):
    """Studies as they are drawn, with names for algorithms and two trials an instance."""
    for trials_of in found:
        for trials in trials_of.values():
            for i, run in enumerate(trials):
                run["instance"] = 1 + i // 2
    return {f"A{i}": trials for i, trials in enumerate(found)}


def measured(folder, algorithm, trials_of):
    """Trials, traces and report of the logs of one algorithm."""
    write(folder / algorithm, algorithm, trials_of)
    report = ingest(folder / algorithm, [folder / "trials", folder / "traces", folder / "report"], name=algorithm)
    return storage.read(folder / "trials", "trials"), lambda: storage.pieces(folder / "traces", "traces"), report


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])
@given(studies)
def test_every_number_is_that_of_the_naive_way(tmp_path_factory, found):
    check_numbers(tmp_path_factory.mktemp("study"), named(found))


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(judged)
def test_every_verdict_is_that_of_the_naive_way(tmp_path_factory, found):
    check_verdicts(tmp_path_factory.mktemp("study"), named(found))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raced)
def test_every_summary_of_solvers_is_that_of_the_naive_way(tmp_path_factory, found):
    check_summary(tmp_path_factory.mktemp("study"), found)


def test_the_command_compares_every_kind_of_study(capsys):
    from tests.reference.__main__ import main

    main(["1"])
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "check_numbers",
        "check_verdicts",
        "check_summary",
    ]


def check_summary(folder, found):
    """From a table of runs to the summary of solvers: who solves what, means and the virtual best."""
    lines = ["problem,algorithm,cost,outcome,time_limit"]
    runs, shown = {}, {}
    for instance, of in found.items():
        for solver, pairs in of.items():
            for time, ended, limit in pairs:
                lines.append(f"{instance},{solver},{time},{ended},{limit}")
                took = Fraction(time) if ended == "solved" else inf
                runs.setdefault(instance, {}).setdefault(solver, []).append((took, Fraction(limit)))
                stopped = ended in ("solved", "time_limit")
                shown.setdefault(instance, {}).setdefault(solver, []).append(Fraction(limit) if stopped else None)
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    ingest(folder / "t.csv", [folder / "trials", folder / "traces", folder / "report"], name="t", format="table")
    trials = storage.read(folder / "trials", "trials")
    given_costs = costs("given", trials, None, "time", {})
    check_given(naive.at_common_limits(runs, shown), given_costs)
    table = summary([given_costs], [trials], shift=SHIFT)["summary"]
    rows = {(row["unsolved"], row["algorithm"]): row for row in table.to_pylist() if row["subset"] == "all"}
    for unsolved, factor in (("limit", 1), ("x2", 2), ("x10", 10)):
        expected = naive.summary(runs, factor, SHIFT, shown)
        if not next(iter(expected.values()))["instances"]:
            assert not rows
            return
        for algorithm, values in expected.items():
            row = rows[unsolved, algorithm]
            assert {name: row[name] for name in values} == {name: v if v is None else near(v) for name, v in values.items()}
        # what rounding leaves of 0
        means = {
            algorithm: values["sgm"] if abs(values["sgm"]) > 1e-13 else 0.0
            for algorithm, values in expected.items()
            if algorithm != "virtual best"
        }
        assert {algorithm: rows[unsolved, algorithm]["sgm_ratio"] for algorithm in means} == {
            algorithm: near(value / min(means.values()), 1e-9) if min(means.values()) else None
            for algorithm, value in means.items()
        }
        apart = len({f"{value:.9g}" for value in means.values()}) == len(means)
        if apart:  # rounding may put equal means in any order
            assert {algorithm: rows[unsolved, algorithm]["rank"] for algorithm in means} == naive.places(means, larger=False)
            # of those who solve nothing nobody is the best
            best = [min(means, key=means.get)] if any(rows[unsolved, a]["solved"] for a in means) else []
            assert [a for a in means if rows[unsolved, a]["role"] == "single_best"] == best


def check_given(runs, table):
    """Ratios of stated costs, of which a failure is infinite, and the verdict over the instances that all solvers have."""
    solvers = {solver for of in runs.values() for solver in of}
    for aggregate, of_runs in (("mean", naive.mean), ("median", lambda times: naive.quantile(times, Fraction(1, 2)))):
        cost_rows = {
            (instance, None): {solver: of_runs([time + SHIFT for time, _ in of[solver]]) for solver in solvers}
            for instance, of in runs.items()
            if set(of) == solvers
        }
        rated = ratios(table, measure="time", aggregate=aggregate, shift=SHIFT)
        for row in rated.to_pylist():
            if row["included"]:
                assert row["ratio"] == near(naive.ratios(cost_rows)[row["problem"], None][row["algorithm"]], 1e-14)
        assert {row["problem"] for row in rated.to_pylist() if row["included"]} == {instance for instance, _ in cost_rows}
        # of more, all permutations take long
        if 1 < len(solvers) < 4 and 1 < len(cost_rows) < 6:
            rows = verdicts({"time": from_ratios(rated, measure="time")}, Declaration()).to_pylist()
            check_family(rows, cost_rows, [None], [[None]], list(combinations(sorted(solvers), 2)))


def check_verdicts(folder, study):
    """From logs to `verdicts.parquet`: the primary analysis over all targets or budgets, the secondary ones at each."""
    times, values = [], []
    for algorithm, trials_of in study.items():
        trials, traces, _ = measured(folder, algorithm, trials_of)
        times.append((algorithm, costs("fixed_target", trials, traces(), "m", {"targets": TARGETS})))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = {"budgets": {"evaluations": BUDGETS}, "floor": float(FLOOR)}
            values.append((algorithm, costs("fixed_budget", trials, traces(), "m", options)))
    keys = {"measure": "m", "problem_keys": ["suite", "problem", "dimension"]}
    of_targets, of_budgets = ratios(times, **keys), ratios(values, **keys, aggregate="median")
    value_rows = naive.cost_matrix(study, BUDGETS, lambda trials, b: naive.quantile(values_at(trials, b), Fraction(1, 2)))
    for table, levels, cost_rows in (
        (of_targets, sorted(TARGETS, reverse=True), naive.cost_matrix(study, TARGETS)),
        (of_budgets, BUDGETS, value_rows),
    ):
        designs = from_ratios(table, measure="m")
        for control in (None, "A1"):
            storage.write(verdicts({"m": designs}, Declaration(control=control)), "verdicts", folder / "verdicts.parquet", {})
            rows = storage.read(folder / "verdicts.parquet", "verdicts").to_pylist()
            pairs = [p for p in combinations(study, 2) if control in (None, *p)]
            pairs = [(a, b) if control in (None, a) else (b, a) for a, b in pairs]
            for analysis, points in (("primary", [levels]), ("secondary", [[level] for level in levels])):
                check_family([row for row in rows if row["analysis"] == analysis], cost_rows, levels, points, pairs)


def check_family(rows, cost_rows, levels, points, pairs):
    def cluster_of(where):
        return where[0].split("/")[0]

    # first, over all targets, whether the algorithms are equal: nothing has a smaller p
    gate = naive.exchangeable({where: row for where, row in cost_rows.items() if where[1] in levels}, cluster_of)
    blocks = [{where: row for where, row in cost_rows.items() if where[1] in targets} for targets in points]
    statements = [naive.cluster_scores(of, cluster_of, *pair) for of in blocks for pair in pairs]
    tested = dict(zip([(i, pair) for i in range(len(points)) for pair in pairs], naive.max_t(statements), strict=True))
    n_clusters = len(statements[0])
    assert len(rows) == len(points) * (1 + len(pairs))
    level = "target" if points[0][0] in TARGETS else "at_budget"
    found = {(None if len(points) == 1 else row[level], row["algorithm_a"], row["algorithm_b"]): row for row in rows}
    for i, targets in enumerate(points):
        at = None if len(points) == 1 else targets[0]
        about, of_pairs = found[at, None, None], [max(tested[i, pair][1], gate or 0) for pair in pairs]
        if about["analysis"] == "primary":
            assert (about["p"], about["p_adjusted"]) == ((None, None) if gate is None else (near(gate), near(gate)))
            assert about["significant"] == (gate is not None and gate <= Fraction(1, 20))
        else:
            assert (about["p"], about["p_adjusted"]) == (None, near(min(of_pairs)))
            assert about["significant"] == (min(of_pairs) <= Fraction(1, 20))
        for (a, b), adjusted in zip(pairs, of_pairs, strict=True):
            row, (p, _) = found[at, a, b], tested[i, (a, b)]
            scores = naive.cluster_scores(blocks[i], cluster_of, a, b)
            effect = naive.mean(scores)
            assert (row["effect"], row["p"], row["p_adjusted"]) == (near(effect), near(p), near(adjusted))
            assert (row["n_clusters"], row["n_cells"], row["family_size"]) == (n_clusters, len(blocks[i]), len(statements))
            assert row["p_min"] == near(Fraction(2, 2**n_clusters))
            assert row["significant"] == (adjusted <= Fraction(1, 20))
            assert -1 <= row["effect_low"] <= row["effect"] <= row["effect_high"] <= 1
            assert (row["effect_low"] > 0 or row["effect_high"] < 0) == row["significant"]
            better, worse = (a, b) if effect > 0 else (b, a)
            says = f"{better} is better than {worse} on {row['population']}" if row["significant"] else "no difference is shown"
            assert says in row["text"]


def check_numbers(folder, study):
    times, values, rates = [], [], {"success_rate": [], "success_performance": []}
    for algorithm, trials_of in study.items():
        trials, traces, report = measured(folder, algorithm, trials_of)
        for kind, of_kind in rates.items():
            of_kind.append((algorithm, costs(kind, trials, traces(), "m", {"targets": TARGETS})))
        times.append((algorithm, costs("fixed_target", trials, traces(), "m", {"targets": TARGETS})))
        with warnings.catch_warnings():
            # that nothing is recorded yet at a budget is part of this
            warnings.simplefilter("ignore")
            at_budget = costs("fixed_budget", trials, traces(), "v", {"budgets": {"evaluations": BUDGETS}, "floor": float(FLOOR)})
        values.append((algorithm, at_budget))
        check_indicators(trials_of, times[-1][1], report, trials)
        check_values(trials_of, at_budget)

    cost_rows = naive.cost_matrix(study, TARGETS)
    rated = ratios(times, measure="m", problem_keys=["suite", "problem", "dimension"])
    check_ratios(cost_rows, rated, "target")
    all_costs = schema.concatenate(table for _, table in times)
    check_profiles(study, cost_rows, rated, all_costs)
    check_curves(study, times)
    check_tests(cost_rows, rated)
    for kind, of_kind in rates.items():
        cost_of = naive.trials_a_success if kind == "success_rate" else naive.success_performance
        as_ratios = ratios(of_kind, measure="m", problem_keys=["suite", "problem", "dimension"], aggregate="success_performance")
        check_ratios(naive.cost_matrix(study, TARGETS, cost_of), as_ratios, "target")

    value_rows = naive.cost_matrix(study, BUDGETS, lambda trials, b: naive.quantile(values_at(trials, b), Fraction(1, 2)))
    rated_values = ratios(values, measure="v", problem_keys=["suite", "problem", "dimension"], aggregate="median")
    check_ratios(value_rows, rated_values, "at_budget")
    check_standings({"m": cost_rows, "v": value_rows}, {"m": rated, "v": rated_values})


def values_at(trials, budget):
    return [naive.value_at(trial, budget, FLOOR) for trial in trials]


def check_indicators(trials_of, table, report, trials):
    for rule, common in (("own", None), ("max", None), ("common", None), ("common", 10)):
        options = ert.Options(budget_rule=rule if common is None else {rule: common})
        for row in ert.indicators([table], options, report=report, trials=trials).to_pylist():
            if row["n_trials"]:
                limit = None if common is None else common * row["dimension"]
                pairs = naive.followed(trials_of[key(row)], row["target"], rule, limit)
                spent = [min(pair) for pair in pairs]
                solved = [time for time, _ in pairs if time < inf]
                assert row["ert"] == near(naive.ert_of(pairs), 1e-14)
                assert (row["n_successes"], row["n_trials"]) == (len(solved), len(pairs))
                assert row["mean"] == near(naive.mean(spent))
                assert row["median"] == near(naive.quantile(spent, Fraction(1, 2)))
                assert row["par"] == near(naive.mean([time if time < inf else 10 * budget for time, budget in pairs]))
                assert (row["sd"] is None) == (len(pairs) < 2)
                if len(pairs) > 1:
                    assert row["sd"] ** 2 == near(naive.variance(spent), 1e-9)
                performance = naive.mean(solved) * len(pairs) / len(solved) if solved else inf
                assert row["success_performance"] == near(performance)
                for q in schema.QUANTILES:
                    assert row[f"q{q:02d}"] == near(naive.quantile(spent, Fraction(q, 100)))
    observed = ert.Options(quantile_type=3)
    for row in ert.indicators([table], observed, report=report, trials=trials).to_pylist():
        if row["n_trials"]:
            spent = [min(pair) for pair in naive.followed(trials_of[key(row)], row["target"])]
            for q in schema.QUANTILES:
                assert row[f"q{q:02d}"] == naive.quantile(spent, Fraction(q, 100), 3)


def check_values(trials_of, table):
    for row in ert.indicators([table]).to_pylist():
        found = values_at(trials_of[key(row)], row["at_budget"])
        assert row["median"] == near(naive.quantile(found, Fraction(1, 2)))
        assert row["q75"] == near(naive.quantile(found, Fraction(3, 4)))
        assert row["mean"] == near(naive.mean(found))
        assert row["ert"] is None


def check_ratios(cost_rows, table, level):
    expected = naive.ratios(cost_rows)
    rated = {(key(row), row[level], row["algorithm"]): row for row in table.to_pylist() if row["included"]}
    assert set(rated) == {(*problem, a) for problem, row in expected.items() for a in row}
    for (problem, at, algorithm), row in rated.items():
        assert row["cost"] == near(cost_rows[problem, at][algorithm], 1e-14)
        assert row["ratio"] == near(expected[problem, at][algorithm], 1e-14)


def check_curve(thresholds, table, weights=None):
    """Every row of a table of profiles."""
    rows = table.to_pylist()
    assert {row["algorithm"] for row in rows} == set(next(iter(thresholds.values())))
    for row in rows:
        assert row["rho"] == near(naive.rho(thresholds, row["algorithm"], Fraction(row["tau"]) * UP, weights))


def check_profiles(study, cost_rows, table, all_costs):
    rows = naive.ratios(cost_rows)
    tau_max = max((r for row in rows.values() for r in row.values() if r < inf), default=Fraction(1))
    by_dimension = {problem: DIMENSIONS[problem[0]] for problem in rows}
    for weights, named in ((None, None), (by_dimension, "dimension")):
        for row in fit(table, measure="m", weights=named).profile_measures.to_pylist():
            own = [r[row["algorithm"]] for r in rows.values()]
            assert row["tau_max"] == near(tau_max)
            assert row["auc"] == near(naive.area(rows, row["algorithm"], tau_max, weights))
            assert row["wins"] == own.count(1)
            assert row["rho_1"] == near(naive.rho(rows, row["algorithm"], 1, weights))
            assert row["rho_tau_max"] == near(naive.rho(rows, row["algorithm"], tau_max, weights))
            assert row["tau_star"] == row["reliability"] == near(max(own))
        check_curve(rows, fit(table, measure="m", weights=named).profiles, weights)

    banded = all_tables(
        table,
        all_costs,
        measure="m",
        bands="both",
        **{"name": "v", "by": [], "weights": None, "tau_max": None, "unsolved": "keep"},
    )
    check_curve(rows, banded["profiles"])
    for row in banded["profile_pairs"].to_pylist():
        # a profile changes at ratios alone
        points = {Fraction(1), *(r for of in rows.values() for r in of.values() if r < inf)}
        gaps = [naive.rho(rows, row["algorithm_a"], tau) - naive.rho(rows, row["algorithm_b"], tau) for tau in points]
        assert (row["smallest_difference"], row["largest_difference"]) == (near(min(gaps)), near(max(gaps)))
        assert row["dominates"] == (min(gaps) >= 0 and max(gaps) > 0)

    for rule in ("wins", "sum"):
        for n_waves in (1, max(1, len(study) - 1), len(study)):
            waves = {
                (problem, i): row
                for i, wave in enumerate(naive.nested(cost_rows, rule, n_waves))
                for problem, row in wave.items()
            }
            settings = {"measure": "m", "variant": "nested", "rule": rule, "waves": n_waves}
            check_curve(waves, fit(table, **settings).profiles)
            for row in fit(table, **settings).profile_measures.to_pylist():
                assert row["rho_1"] == near(naive.rho(waves, row["algorithm"], 1))
                assert row["auc"] == near(naive.area(waves, row["algorithm"], tau_max))

    gradients = naive.per_gradient(cost_rows, DIMENSIONS)
    check_curve(gradients, fit(table, measure="m", variant="data").profiles)
    end = max((r for row in gradients.values() for r in row.values() if r < inf), default=Fraction(1))
    for row in fit(table, measure="m", variant="data").profile_measures.to_pylist():
        assert row["tau_max"] == near(end)
        assert row["auc"] == near(naive.area(gradients, row["algorithm"], end, start=0))
    factors, end = naive.against_the_other(cost_rows, "A1", "A0")
    check_curve(factors, fit(table, measure="m", variant="log_ratio", pair=["A1", "A0"]).profiles)
    for row in fit(table, measure="m", variant="log_ratio", pair=["A1", "A0"]).profile_measures.to_pylist():
        assert row["tau_max"] == near(end)
        assert row["auc"] == near(naive.area(factors, row["algorithm"], end, start=0))

    settings = {"measure": "m", "variant": "probabilistic", "costs": all_costs}
    for row in fit(table, model="empirical", **settings).profiles.to_pylist():
        assert row["rho"] == near(naive.drawn_rho(study, cost_rows, row["algorithm"], Fraction(row["tau"]) * UP))
    for row in fit(table, model="empirical", **settings).profile_measures.to_pylist():
        assert row["win_probability"] == near(naive.drawn_win(study, cost_rows, row["algorithm"]))
    for row in fit(table, **settings).profiles.to_pylist()[::100]:
        assert row["rho"] == near(naive.normal_rho(study, cost_rows, row["algorithm"], Fraction(row["tau"]) * UP), 1e-7)


def check_curves(study, times):
    tables = [table for _, table in times]
    for weight in ("instance", "trial", "pooled"):
        options = ecdf.Options(x="evaluations_per_dimension", weight=weight)
        for row in ecdf.ecdf(tables, "dimension", options).to_pylist():
            expected = naive.ecdf(study, row["algorithm"], TARGETS, Fraction(row["x"]) * UP, DIMENSIONS, weight)
            assert row["fraction"] == near(expected)
    for row in ecdf.ecdf(tables, "problem", ecdf.Options(x="evaluations_per_dimension")).to_pylist():
        # a panel is a dimension, with the algorithms that have trials in it
        panel = {
            a: {p: trials for p, trials in of.items() if DIMENSIONS[p] == row["dimension"]}
            for a, of in study.items()
            if any(DIMENSIONS[p] == row["dimension"] for p in of)
        }
        assert row["fraction"] == near(naive.ecdf(panel, row["algorithm"], TARGETS, Fraction(row["x"]) * UP, DIMENSIONS))


def check_tests(cost_rows, table):
    found = analyse(
        from_ratios(table, measure="m"),
        measure="m",
        normalise="none",
        methods=["friedman"],
        comparisons=["conover", "wilcoxon"],
        corrections=list(asked(CORRECTIONS)),
    )
    for target in TARGETS:
        blocks = [row for (_, t), row in cost_rows.items() if t == target]
        tests, ranks, pairs = (
            [row for row in found[name].to_pylist() if row["target"] == target] for name in ("tests", "ranks", "comparisons")
        )
        average, statistic = naive.friedman(blocks)
        k = len(average)
        assert {row["algorithm"]: row["average_rank"] for row in ranks} == {a: near(r) for a, r in average.items()}
        expected = {
            "friedman": statistic,
            "iman_davenport": None if statistic is None else naive.iman_davenport(statistic, len(blocks), k),
        }
        for row in tests:
            value = expected[row["method"]]
            if row["method"] == "friedman" and len(blocks) < 2:
                # without degrees of freedom for what is left over nothing is said
                value = None
            assert row["statistic"] == (None if value is None else near(value, 1e-9)), row["method"]
        for correction in asked(CORRECTIONS):
            for method in ("conover", "wilcoxon"):
                mine = {
                    (row["algorithm_a"], row["algorithm_b"]): row
                    for row in pairs
                    if (row["method"], row["correction"]) == (method, correction)
                }
                assert list(mine) == list(combinations(average, 2))
                if method == "wilcoxon":
                    assert {pair: row["p"] for pair, row in mine.items()} == {
                        pair: near(naive.wilcoxon(blocks, *pair)) for pair in mine
                    }
                else:
                    assert all(row["difference"] == near(average[a] - average[b]) for (a, b), row in mine.items())
                if all(row["p"] is not None for row in mine.values()):
                    exact = {pair: Fraction(row["p"]) for pair, row in mine.items()}
                    adjusted = {pair: near(p) for pair, p in naive.adjusted(exact, correction).items()}
                    assert {pair: row["p_adjusted"] for pair, row in mine.items()} == adjusted, correction


def check_standings(cost_rows, tables):
    settings = {"by": [], "weights": None, "unsolved": "keep"}
    measured = schema.concatenate(fit(table, measure=name).profile_measures for name, table in tables.items())
    places, values = {}, {}
    for name, costs_of in cost_rows.items():
        rows = naive.ratios(costs_of)
        algorithms = sorted(next(iter(rows.values())))
        tau_max = max((r for row in rows.values() for r in row.values() if r < inf), default=Fraction(1))
        of_costs = [naive.midranks(row) for row in costs_of.values()]
        area = {a: naive.area(rows, a, tau_max) for a in algorithms}
        at_one = {a: naive.rho(rows, a, 1) for a in algorithms}
        for criterion, larger, value in (
            # where every area is 0 the value at 1, its limit, decides
            ("auc", True, area if any(area.values()) else at_one),
            ("rho_1", True, at_one),
            ("rho_tau_max", True, {a: naive.rho(rows, a, tau_max) for a in algorithms}),
            ("tau_star", False, {a: max(row[a] for row in rows.values()) for a in algorithms}),
            ("average_rank", False, {a: naive.mean([ranks[a] for ranks in of_costs]) for a in algorithms}),
        ):
            values[name, criterion], places[name, criterion] = value, naive.places(value, larger)
    sums = {a: places["m", "auc"][a] + places["v", "auc"][a] for a in places["m", "auc"]}
    values[None, "rank_sum"], places[None, "rank_sum"] = sums, naive.places(sums, larger=False)
    found = {
        (row["measure"], row["criterion"], row["algorithm"]): row
        for row in standings(measured, tables, options=Options(**settings), rank_sum=["auc"]).to_pylist()
    }
    for where, value in values.items():
        for algorithm, expected in value.items():
            row = found[(*where, algorithm)]
            assert row["value"] == near(expected), where
            assert row["rank"] == places[where][algorithm], where
