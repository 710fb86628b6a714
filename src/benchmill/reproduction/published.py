"""Every number that three papers on profiles print, beside the one that this library computes from their data.

Barreto, Bernardino, Barbosa 2010 (Table 1, Figures 1 to 3, Table 2), Hekmati, Mirhajianmoghadam 2018 (Table 1, Figures 1 and 2)
and Barbosa, Bernardino, Barreto 2010 (Table I and its areas, Tables IV, V, VI, Figure 8, remark 1). The data are those that ship
in `data/paper-tables`, whose README says where they were read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmill.core import schema, step_functions
from benchmill.core.arrays import Array
from benchmill.profiles import nested, probabilistic
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.measures import area_under_profiles, competition_ranks, measures, pareto_front, rank_sums
from benchmill.profiles.ratios import performance_ratios

#: place, quantity, printed, recomputed (number, text or None), reason
_Row = tuple[str, str, str, float | str | None, str]

#: The files of `data/paper-tables` that are read.
FILES = (
    "barbosa2010_source_cec2006_measures",
    "barbosa2010_table1_ratios",
    "barbosa2010_table3_best_known",
    "barbosa2010_table4_cec_ranks",
    "barbosa2010_table5_parallel_coordinates",
    "barbosa2010_table6_induced_ranks",
    "barreto2010_table1_costs",
    "barreto2010_table2_values_at_one",
    "hekmati2018_table1_times",
)


def reproduction(folder: str | Path) -> pa.Table:
    """Compare what the papers print with what follows from their data.

    Parameters
    ----------
    folder : path
        With the CSV files named in `FILES`.

    Returns
    -------
    pyarrow.Table
        Table `reproduction`.
    """
    papers = {"barreto2010": _barreto, "hekmati2018": _hekmati, "barbosa2010": _barbosa}
    found = (
        {
            "paper": paper,
            "place": place,
            "quantity": quantity,
            "printed": printed,
            "recomputed": None if recomputed is None else recomputed if isinstance(recomputed, str) else f"{recomputed:.6g}",
            "value": recomputed if isinstance(recomputed, float) else None,
            "verdict": _verdict(printed, recomputed, reason),
            "reason": reason,
        }
        for paper, rows in papers.items()
        for place, quantity, printed, recomputed, reason in rows(Path(folder))
    )
    return schema.of_rows("reproduction", found)


def _verdict(printed: str, recomputed: float | str | None, reason: str) -> str:
    if reason == "input":
        return "input"
    if recomputed is None:
        return "not recomputable"
    agrees = recomputed == printed if isinstance(recomputed, str) else _rounds_to(recomputed, printed)
    return "reproduced" if agrees else "misprint" if reason else "differs"


def _rounds_to(value: float, printed: str) -> bool:
    """Return True if a value rounds to what is printed, in either direction at a half."""
    if printed == "inf" or not np.isfinite(value):
        return printed == "inf" and value == np.inf
    mantissa, _, exponent = printed.lower().partition("e")
    step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return bool(abs(value - float(printed)) <= step * (0.5 + 1e-9))


def _statement(place: str, quantity: str, holds: bool | np.bool_, reason: str = "") -> _Row:
    """Return a row of what a paper states as true."""
    return place, quantity, "yes", "yes" if holds else "no", reason


def _read(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _matrix(rows: Sequence[dict[str, str]], key: str, value: str) -> tuple[list[str], Array]:
    """Return the names of the algorithms in the order of the file, and their values on the problems."""
    algorithms, problems = (list(dict.fromkeys(row[name] for row in rows)) for name in (key, "problem"))
    matrix = np.full((len(algorithms), len(problems)), np.nan)
    for row in rows:
        matrix[algorithms.index(row[key]), problems.index(row["problem"])] = float(row[value])
    return algorithms, matrix


# --- Barreto, Bernardino, Barbosa 2010 ---------------------------------------------------------


def _barreto(folder: Path) -> Iterator[_Row]:
    rows = _read(folder, "barreto2010_table1_costs")
    _, costs = _matrix(rows, "algorithm", "cost")
    for row in rows:
        yield "Table 1", f"cost of {row['algorithm']} on {row['problem']}", row["cost"], float(row["cost"]), "input"
    ratios, base = performance_ratios(costs)
    found = measures(ratios, 10.0)
    curves = profile_functions(ratios)
    for i, (best, solved, zeta) in enumerate([("0.6", "1", "5"), ("0.4", "0.8", "inf"), ("0", "1", "8")]):
        yield "Figure 1", f"rho_{i + 1}(1)", best, float(found["rho_1"][i]), ""
        yield "Figure 1", f"rho_{i + 1}(10)", solved, float(found["rho_tau_max"][i]), ""
        yield "Figure 1", f"zeta(a_{i + 1})", zeta, float(found["reliability"][i]), ""
    at = np.unique(np.concatenate([tau for tau, _ in curves]))
    rho = step_functions.values(curves, at)
    yield _statement("Figure 1", "a_1 is nowhere below the others", (rho[0] >= rho[1:]).all())
    gap = np.sign(np.round(rho[1] - rho[2], 12))
    changes = at[1:][gap[1:] != gap[:-1]]
    changes = changes[changes > 1]
    reason = "The order changes at 4 and 5.5, the curves are equal on [6.5, 8), and a_3 leads from 8."
    yield "Section 3", "rho_2 and rho_3 cross at", "5.5, 6.5", ", ".join(f"{x:g}" for x in changes), reason
    fluctuation = max(abs(5.5 - 6) / 5.5, abs(6.5 - 6) / 6.5)
    yield _statement("Section 3", "the crossings are within 10 % of tau = 6", fluctuation < 0.10)

    def rhobar(tau: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
        return probabilistic.profile_values(tau, costs, np.broadcast_to(sd, costs.shape), base)

    dense = np.linspace(4, 7, 3001)
    gaps = [float(np.abs(np.subtract(*rhobar(dense, sd)[1:])).max()) for sd in (0.1, 1.0)]
    yield _statement("Figure 2", "rhobar_2 and rhobar_3 almost coincide on [4, 7] for sigma = 1", gaps[1] < 0.05)
    at_ten = [float(rhobar(10, sd)[2, 0]) for sd in (0.1, 0.5, 1.0)]
    yield _statement("Figure 2", "the reliability of a_3 decreases as sigma grows", at_ten[0] > at_ten[1] > at_ten[2])
    yield "Figure 2", "middle value of sigma", "(drawn)", None, "The value is not in the text; 0.5 is assumed here."
    wide = np.array([0.1, 0.1, 0.1])
    first = rhobar(np.linspace(1, 10, 9001), np.where(np.arange(3) == 0, 5.0, wide)[:, None])
    leaders = {int(i) for i in first.argmax(axis=0)}
    yield _statement("Figure 3 (a)", "each of the three leads somewhere", leaders == {0, 1, 2})
    third = float(rhobar(10, np.where(np.arange(3) == 2, 5.0, wide)[:, None])[2, 0])
    yield _statement("Figure 3 (c)", f"rhobar_3(10) is about 80 % (it is {100 * third:.2f} %)", round(third, 1) == 0.8)
    chance = float(probabilistic.win_probability(costs, np.ones(costs.shape))[0][0])
    at_one = float(rhobar(1, 1.0)[0, 0])
    note = f"It is P(cost <= best mean); for a_1 with sigma = 1 it is {at_one:.3f}, the win probability {chance:.3f}."
    yield _statement("Sections 2, 5", "rhobar(1) is the expected share of wins", abs(chance - at_one) < 1e-3, note)
    missing = "The runs of BBOB 2009 are not in the paper"
    for row in _read(folder, "barreto2010_table2_values_at_one"):
        number, of_24 = row["algorithm"][1:], round(24 * float(row["rho_at_1"]))
        yield "Table 2", f"rho_{number}(1)", row["rho_at_1"], None, f"{missing}; the value is {of_24} of 24 problems."
        yield "Table 2", f"rhobar_{number}(1)", row["rhobar_at_1"], None, f"{missing}."
    for figure in ("Figure 4", "Figure 5"):
        yield figure, "curves", "(drawn)", None, f"{missing}; see studies/bbob2009.yaml."


# --- Hekmati, Mirhajianmoghadam 2018 -----------------------------------------------------------


def _hekmati(folder: Path) -> Iterator[_Row]:
    rows = _read(folder, "hekmati2018_table1_times")
    solvers, times = _matrix(rows, "solver", "time")
    for row in rows:
        yield "Table 1", f"time of {row['solver']} on problem {row['problem']}", row["time"], float(row["time"]), "input"
    ratios, _ = performance_ratios(times)
    a, b, c = (solvers.index(name) for name in "ABC")
    found = measures(ratios, 20.0)
    yield "Section 3", "share of problems on which A is best, in per cent", "80", 100 * float(found["rho_1"][a]), ""
    order = times.argsort(axis=0)
    second = float(np.mean(order[1] == b)) * 100
    reason = "B is second on 80 %; 60 % is where it is second behind A, and where it is best once A is left out."
    yield "Section 3", "share of problems on which B is second best, in per cent", "60", second, reason
    for rule in nested.RULES:
        waves = nested.waves(times, 2, rule=rule)
        eliminated = ", ".join(solvers[i] for i in waves.order)
        yield "Section 3", f"best solvers of waves 1 and 2 by the rule {rule!r}", "A, B", eliminated, ""
    curves = nested.profile_functions(times, nested.waves(times, 2))
    at = np.unique(np.concatenate([tau for tau, _ in curves]))
    rho = step_functions.values(curves, at[at >= 1.2])
    ranked = "A, B, C" if (rho[a] >= rho[b]).all() and (rho[b] >= rho[c]).all() else "another order"
    yield "Figure 2", "ranking by the nested profile (tau >= 1.2; before, B and C are tied)", "A, B, C", ranked, ""
    regular = profile_functions(ratios)
    sixty = [step_functions.first_at(f, 0.6) for f in regular]
    names = "A or C" if sorted((a, b, c), key=lambda i: sixty[i])[:2] == [a, c] else "another choice"
    yield "Figure 1", "solvers to choose for at least 60 % of the problems", "A or C", names, ""
    before, after = _one_problem_changed()
    yield _statement(
        "Theorem 2.1",
        "a change of one problem of 21 changes a wave by at most 1/21",
        np.abs(before - after).max() <= 1 / 21 + 1e-12,
        "False in general: the change can decide who is eliminated; here rho_3(1) of wave 2 is 10/21, and 0 after the change.",
    )
    overall, without = _theorem(51, 40, 9)
    yield _statement(
        "Theorem 2.2",
        "nested order of s2 and s3 for |P1|, |P2|, |P3| = 51, 40, 9 is the order without s1",
        bool((overall[1] > overall[2]) == (without[0] > without[1])),
        f"False without further assumptions: nested {overall[1]:.2f} and {overall[2]:.3f} at tau = 1, without s1 "
        f"{without[0]:.2f} and {without[1]:.2f}.",
    )
    yield "Figure 3", "shares 61 % and 80 %", "(drawn)", None, "The times of the CUTEst problems are not in the paper."


def _one_problem_changed() -> tuple[Array, Array]:
    """Return rho(1) of wave 2 for 21 problems, before and after the cost of one of them decides otherwise who leaves the race."""
    kinds = [[1.0, 10, 5]] * 10 + [[5.0, 1, 10]] * 10
    systems = (np.array([*kinds, last]).T for last in ([1.0, 2, 4], [2.0, 1, 4]))
    found = [step_functions.reached(nested.wave_ratios(costs, nested.waves(costs, 2), 1), 1.0).mean(axis=1) for costs in systems]
    return found[0], found[1]


def _theorem(*sizes: int) -> tuple[Array, Array]:
    """Return rho(1) of the nested profile (k = 2) of the system in the proof of Theorem 2.2, and of the profile without s1."""
    kinds = np.array([[1.0, 10, 5], [10, 1, 5], [10, 5, 1]])
    costs = np.repeat(kinds, sizes, axis=0).T
    overall = nested.profile_functions(costs, nested.waves(costs, 2))
    without_s1 = step_functions.reached(performance_ratios(costs[1:])[0], 1.0).mean(axis=1)
    return step_functions.values(overall, [1.0])[:, 0], without_s1


# --- Barbosa, Bernardino, Barreto 2010 ---------------------------------------------------------


def _barbosa(folder: Path) -> Iterator[_Row]:
    rows = _read(folder, "barbosa2010_table1_ratios")
    solvers, ratios = _matrix(rows, "solver", "ratio")
    for row in rows:
        yield "Table I", f"ratio of {row['solver']} on {row['problem']}", row["ratio"], float(row["ratio"]), "input"
    areas = area_under_profiles(ratios, 4.5)
    for name, printed, area in zip(solvers, ("21.15", "26.35", "27.75"), areas, strict=True):
        reason = f"The exact area over [1, 4.5] is {area:.2f}; printed is ten times an approximation of it."
        yield "Section II, remark c", f"AUC of {name}", printed, 10 * float(area), reason
    order = ", ".join(solvers[i] for i in np.argsort(-areas))
    yield "Section II, remark c", "order by AUC", "C, B, A", order, ""
    best = _read(folder, "barbosa2010_table3_best_known")
    optimum = {row["problem"]: float(row["f_best"]) for row in best}
    for problem, printed in (("g04", "3.26e-9"), ("g13", "1.85e-3")):
        relative = 1e-4 / abs(optimum[problem])
        yield "remark 1", f"relative accuracy that 0.0001 asks for on {problem}", printed, float(relative), ""
    yield from _competition(folder)


def _competition(folder: Path) -> Iterator[_Row]:
    rows = _read(folder, "barbosa2010_source_cec2006_measures")
    for row in rows:
        for name in ("feasible_rate_percent", "success_rate_percent"):
            row[name] = row[name] or "0"
        row["success_performance"] = row["success_performance"] or "inf"
    found, means = {}, {}
    for name, exclude in (
        ("feasible_rate_percent", ("g20",)),
        ("success_performance", ("g20", "g22")),
        ("success_rate_percent", ("g20",)),
    ):
        algorithms, values = _matrix([row for row in rows if row["problem"] not in exclude], "algorithm", name)
        means[name] = np.round(values.mean(axis=1), 9)
        with np.errstate(divide="ignore"):
            ratios, _ = performance_ratios(values if name == "success_performance" else 100.0 / values)
        found[name] = measures(ratios, float(ratios[np.isfinite(ratios)].max()))
    index = {name: i for i, name in enumerate(algorithms)}
    feasible, performance, success = (
        found[name] for name in ("feasible_rate_percent", "success_performance", "success_rate_percent")
    )

    table_4 = _read(folder, "barbosa2010_table4_cec_ranks")
    by_rate = {
        name: competition_ranks(means[f"{name}_percent"], larger_is_better=True) for name in ("feasible_rate", "success_rate")
    }
    _, performances = _matrix([row for row in rows if row["problem"] != "g20"], "algorithm", "success_performance")
    of_problems = [competition_ranks(column, larger_is_better=False) for column in performances.T]
    by_sum = competition_ranks(np.sum(of_problems, axis=0), larger_is_better=False)
    criteria = ("rank_fr", "rank_feasible_rate", "rank_success_rate", "rank_success_performance")
    _, final = rank_sums([[float(row[name]) for name in criteria] for row in table_4])
    for row, place in zip(table_4, final, strict=True):
        i, who = index[row["algorithm"]], row["algorithm"]
        missing = "The measure f^r needs the final values of all runs."
        yield "Table IV", f"rank of {who} by f^r", row["rank_fr"], None, missing
        rates = [float(by_rate[name][i]) for name in ("feasible_rate", "success_rate")]
        yield "Table IV", f"rank of {who} by feasible rate", row["rank_feasible_rate"], rates[0], ""
        reason = "MDE and MPDE have the same mean success rate (87.65 %): both are fourth." if who in ("MDE", "MPDE") else ""
        yield "Table IV", f"rank of {who} by success rate", row["rank_success_rate"], rates[1], reason
        yield "Table IV", f"rank of {who} by success performance", row["rank_success_performance"], float(by_sum[i]), ""
        yield "Table IV", f"final rank of {who} (by the sum of its four ranks)", row["final_rank"], float(place), ""

    for row in _read(folder, "barbosa2010_table5_parallel_coordinates"):
        i, who = index[row["algorithm"]], row["algorithm"]
        for column, value in (
            ("feas_rate_auc", feasible["auc_normalised"]),
            ("succ_perf_auc", performance["auc_normalised"]),
            ("succ_rate_auc", success["auc_normalised"]),
            ("rho_tau_max", performance["rho_tau_max"]),
            ("tau_min_over_tau_star", performance["tau_min_over_tau_star"]),
            ("wins", performance["rho_1"]),
        ):
            yield "Table V", f"{column} of {who}", row[column], float(value[i]), ""

    exchanged = "SaDE and DMS-PSO are exchanged: SaDE solves all problems, DMS-PSO does not."
    printed_4 = {row["algorithm"]: row for row in table_4}
    for row in _read(folder, "barbosa2010_table6_induced_ranks"):
        i, who = index[row["algorithm"]], row["algorithm"]
        for column, ranks, reason in (
            ("rank_feas_rate_auc", feasible["rank_auc"], ""),
            ("rank_succ_perf_auc", performance["rank_auc"], ""),
            ("rank_succ_rate_auc", success["rank_auc"], ""),
            # five algorithms solve all 22 problems; the table breaks the tie by tau*, without saying so
            ("rank_rho_tau_max", performance["rank_rho_tau_max_tau_star"], ""),
            ("rank_tau_min_over_tau_star", performance["rank_tau_star"], exchanged if who in ("SaDE", "DMS-PSO") else ""),
            ("rank_wins", performance["rank_rho_1"], ""),
        ):
            yield "Table VI", f"{column} of {who}", row[column], float(ranks[i]), reason
        for column in ("feasible_rate", "success_performance", "success_rate"):
            again = printed_4[who][f"rank_{column}"]
            yield "Table VI", f"cec_rank_{column} of {who} (that of Table IV)", row[f"cec_rank_{column}"], again, ""

    wins, solved, star = (performance[name] for name in ("rho_1", "rho_tau_max", "tau_star"))
    front = sorted(name for name, on in zip(algorithms, pareto_front(np.stack([wins, solved], axis=1)), strict=True) if on)
    yield "Figure 8", "Pareto front of %Wins and rho(tau_max)", "MDE, SaDE", ", ".join(front), ""
    every = np.flatnonzero(solved == 1)
    front = sorted(algorithms[i] for i in every[pareto_front(np.stack([wins[every], -star[every]], axis=1))])
    yield "Figure 8", "Pareto front of %Wins and tau* among rho(tau_max) = 1", "PCX, SaDE", ", ".join(front), ""
