"""Every number that three papers on profiles print, beside the one that this library computes from their data.

Barreto, Bernardino, Barbosa 2010 (Table 1, Figures 1 to 3, Table 2), Hekmati, Mirhajianmoghadam 2018 (Table 1, Figures 1 and 2)
and Barbosa, Bernardino, Barreto 2010 (Table I and its areas, Tables IV, V, VI, Figure 8, remark 1). The data are those that ship
in `data/paper-tables`, whose README says where they were read.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
    compared = (
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
    return schema.of_rows("reproduction", compared)


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


def _inputs(rows: Sequence[dict[str, str]], place: str, words: str, column: str) -> list[_Row]:
    """Return a row for each number that a table prints, which is what the others are computed from."""
    return [(place, words.format(**row), row[column], float(row[column]), "input") for row in rows]


def _read(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _matrix(rows: Sequence[dict[str, str]], key: str, value: str) -> tuple[list[str], Array]:
    """Return the names of the algorithms in the order of the file, and their values on the problems."""
    algorithms, problems = (list(dict.fromkeys(row[name] for row in rows)) for name in (key, "problem"))
    value_of = {(row[key], row["problem"]): float(row[value]) for row in rows}
    return algorithms, np.array(
        [[value_of.get((algorithm, problem), np.nan) for problem in problems] for algorithm in algorithms]
    )


# --- Barreto, Bernardino, Barbosa 2010 ---------------------------------------------------------


def _barreto(folder: Path) -> list[_Row]:
    rows = _read(folder, "barreto2010_table1_costs")
    _, costs = _matrix(rows, "algorithm", "cost")
    ratios, base = performance_ratios(costs)
    numbers = measures(ratios, 10.0)
    curves = profile_functions(ratios)
    at = np.unique(np.concatenate([tau for tau, _ in curves]))
    rho = step_functions.values(curves, at)
    gap = np.sign(np.round(rho[1] - rho[2], 12))
    changes = at[1:][gap[1:] != gap[:-1]]
    near_six = max(abs(5.5 - 6) / 5.5, abs(6.5 - 6) / 6.5) < 0.10

    def rhobar(tau: npt.ArrayLike, sd: npt.ArrayLike) -> Array:
        return probabilistic.profile_values(tau, costs, np.broadcast_to(sd, costs.shape), base)

    def wide(algorithm: int) -> Array:
        """Return a standard deviation of 5 for an algorithm and 0.1 for the others."""
        return np.where(np.arange(3) == algorithm, 5.0, 0.1)[:, None]

    almost = float(np.abs(np.subtract(*rhobar(np.linspace(4, 7, 3001), 1.0)[1:])).max())
    at_ten = [float(rhobar(10, sd)[2, 0]) for sd in (0.1, 0.5, 1.0)]
    leaders = {int(i) for i in rhobar(np.linspace(1, 10, 9001), wide(0)).argmax(axis=0)}
    third = float(rhobar(10, wide(2))[2, 0])
    chance = float(probabilistic.win_probability(costs, np.ones(costs.shape))[0][0])
    at_one = float(rhobar(1, 1.0)[0, 0])
    printed = [("0.6", "1", "5"), ("0.4", "0.8", "inf"), ("0", "1", "8")]
    missing = "The runs of BBOB 2009 are not in the paper"
    return [
        *_inputs(rows, "Table 1", "cost of {algorithm} on {problem}", "cost"),
        *(
            ("Figure 1", quantity.format(i + 1), texts[place], float(numbers[name][i]), "")
            for i, texts in enumerate(printed)
            for place, (quantity, name) in enumerate(_OF_FIGURE_1.items())
        ),
        _statement("Figure 1", "a_1 is nowhere below the others", (rho[0] >= rho[1:]).all()),
        (
            "Section 3",
            "rho_2 and rho_3 cross at",
            "5.5, 6.5",
            ", ".join(f"{x:g}" for x in changes[changes > 1]),
            "The order changes at 4 and 5.5, the curves are equal on [6.5, 8), and a_3 leads from 8.",
        ),
        _statement("Section 3", "the crossings are within 10 % of tau = 6", near_six),
        _statement("Figure 2", "rhobar_2 and rhobar_3 almost coincide on [4, 7] for sigma = 1", almost < 0.05),
        _statement("Figure 2", "the reliability of a_3 decreases as sigma grows", at_ten[0] > at_ten[1] > at_ten[2]),
        ("Figure 2", "middle value of sigma", "(drawn)", None, "The value is not in the text; 0.5 is assumed here."),
        _statement("Figure 3 (a)", "each of the three leads somewhere", leaders == {0, 1, 2}),
        _statement("Figure 3 (c)", f"rhobar_3(10) is about 80 % (it is {100 * third:.2f} %)", round(third, 1) == 0.8),
        _statement(
            "Sections 2, 5",
            "rhobar(1) is the expected share of wins",
            abs(chance - at_one) < 1e-3,
            f"It is P(cost <= best mean); for a_1 with sigma = 1 it is {at_one:.3f}, the win probability {chance:.3f}.",
        ),
        *(
            ("Table 2", f"{curve}_{row['algorithm'][1:]}(1)", row[f"{curve}_at_1"], None, f"{missing}{more}")
            for row in _read(folder, "barreto2010_table2_values_at_one")
            for curve, more in (("rho", f"; the value is {round(24 * float(row['rho_at_1']))} of 24 problems."), ("rhobar", "."))
        ),
        *((figure, "curves", "(drawn)", None, f"{missing}; see studies/bbob2009.yaml.") for figure in ("Figure 4", "Figure 5")),
    ]


#: What Figure 1 shows of each algorithm, and what the measures call it.
_OF_FIGURE_1 = {"rho_{}(1)": "rho_1", "rho_{}(10)": "rho_tau_max", "zeta(a_{})": "reliability"}


# --- Hekmati, Mirhajianmoghadam 2018 -----------------------------------------------------------


def _hekmati(folder: Path) -> list[_Row]:
    rows = _read(folder, "hekmati2018_table1_times")
    solvers, times = _matrix(rows, "solver", "time")
    ratios, _ = performance_ratios(times)
    a, b, c = (solvers.index(name) for name in "ABC")
    second = float(np.mean(times.argsort(axis=0)[1] == b)) * 100
    eliminated = {rule: ", ".join(solvers[i] for i in nested.waves(times, 2, rule=rule).order) for rule in nested.RULES}
    curves = nested.profile_functions(times, nested.waves(times, 2))
    at = np.unique(np.concatenate([tau for tau, _ in curves]))
    rho = step_functions.values(curves, at[at >= 1.2])
    in_order = (rho[a] >= rho[b]).all() and (rho[b] >= rho[c]).all()
    sixty = [step_functions.first_at(f, 0.6) for f in profile_functions(ratios)]
    first_two = sorted((a, b, c), key=lambda i: sixty[i])[:2]
    before, after = _one_problem_changed()
    overall, without = _theorem(51, 40, 9)
    return [
        *_inputs(rows, "Table 1", "time of {solver} on problem {problem}", "time"),
        (
            "Section 3",
            "share of problems on which A is best, in per cent",
            "80",
            100 * float(measures(ratios, 20.0)["rho_1"][a]),
            "",
        ),
        (
            "Section 3",
            "share of problems on which B is second best, in per cent",
            "60",
            second,
            "B is second on 80 %; 60 % is where it is second behind A, and where it is best once A is left out.",
        ),
        *(
            ("Section 3", f"best solvers of waves 1 and 2 by the rule {rule!r}", "A, B", names, "")
            for rule, names in eliminated.items()
        ),
        (
            "Figure 2",
            "ranking by the nested profile (tau >= 1.2; before, B and C are tied)",
            "A, B, C",
            "A, B, C" if in_order else "another order",
            "",
        ),
        (
            "Figure 1",
            "solvers to choose for at least 60 % of the problems",
            "A or C",
            "A or C" if first_two == [a, c] else "another choice",
            "",
        ),
        _statement(
            "Theorem 2.1",
            "a change of one problem of 21 changes a wave by at most 1/21",
            np.abs(before - after).max() <= 1 / 21 + 1e-12,
            "False in general: the change can decide who is eliminated; here rho_3(1) of wave 2 is 10/21, and 0 after the "
            "change.",
        ),
        _statement(
            "Theorem 2.2",
            "nested order of s2 and s3 for |P1|, |P2|, |P3| = 51, 40, 9 is the order without s1",
            bool((overall[1] > overall[2]) == (without[0] > without[1])),
            f"False without further assumptions: nested {overall[1]:.2f} and {overall[2]:.3f} at tau = 1, without s1 "
            f"{without[0]:.2f} and {without[1]:.2f}.",
        ),
        ("Figure 3", "shares 61 % and 80 %", "(drawn)", None, "The times of the CUTEst problems are not in the paper."),
    ]


def _one_problem_changed() -> tuple[Array, Array]:
    """Return rho(1) of wave 2 for 21 problems, before and after the cost of one of them changes which solver leaves the race."""
    kinds = [[1.0, 10, 5]] * 10 + [[5.0, 1, 10]] * 10
    systems = (np.array([*kinds, last]).T for last in ([1.0, 2, 4], [2.0, 1, 4]))
    shares = [step_functions.reached(nested.wave_ratios(costs, nested.waves(costs, 2), 1), 1.0).mean(axis=1) for costs in systems]
    return shares[0], shares[1]


def _theorem(*sizes: int) -> tuple[Array, Array]:
    """Return rho(1) of the nested profile (k = 2) of the system in the proof of Theorem 2.2, and of the profile without s1."""
    costs = np.repeat(np.array([[1.0, 10, 5], [10, 1, 5], [10, 5, 1]]), sizes, axis=0).T
    overall = nested.profile_functions(costs, nested.waves(costs, 2))
    without_s1 = step_functions.reached(performance_ratios(costs[1:])[0], 1.0).mean(axis=1)
    return step_functions.values(overall, [1.0])[:, 0], without_s1


# --- Barbosa, Bernardino, Barreto 2010 ---------------------------------------------------------


def _barbosa(folder: Path) -> list[_Row]:
    rows = _read(folder, "barbosa2010_table1_ratios")
    solvers, ratios = _matrix(rows, "solver", "ratio")
    areas = area_under_profiles(ratios, 4.5)
    approximated = "The exact area over [1, 4.5] is {:.2f}; printed is ten times an approximation of it."
    optimum = {row["problem"]: float(row["f_best"]) for row in _read(folder, "barbosa2010_table3_best_known")}
    return [
        *_inputs(rows, "Table I", "ratio of {solver} on {problem}", "ratio"),
        *(
            ("Section II, remark c", f"AUC of {name}", printed, 10 * float(area), approximated.format(area))
            for name, printed, area in zip(solvers, ("21.15", "26.35", "27.75"), areas, strict=True)
        ),
        ("Section II, remark c", "order by AUC", "C, B, A", ", ".join(solvers[i] for i in np.argsort(-areas)), ""),
        *(
            ("remark 1", f"relative accuracy that 0.0001 asks for on {name}", printed, float(1e-4 / abs(optimum[name])), "")
            for name, printed in (("g04", "3.26e-9"), ("g13", "1.85e-3"))
        ),
        *_competition(folder),
    ]


#: The measures of the competition: what stands for an empty cell, and the problems that are left out.
_MEASURED = {
    "feasible_rate_percent": ("0", ("g20",)),
    "success_performance": ("inf", ("g20", "g22")),
    "success_rate_percent": ("0", ("g20",)),
}
#: The columns of Table V, and of Table VI, each a number of the profile of a measure.
_TABLE_5 = {
    "feas_rate_auc": ("feasible_rate_percent", "auc_normalised"),
    "succ_perf_auc": ("success_performance", "auc_normalised"),
    "succ_rate_auc": ("success_rate_percent", "auc_normalised"),
    "rho_tau_max": ("success_performance", "rho_tau_max"),
    "tau_min_over_tau_star": ("success_performance", "tau_min_over_tau_star"),
    "wins": ("success_performance", "rho_1"),
}
_TABLE_6 = {
    "rank_feas_rate_auc": ("feasible_rate_percent", "rank_auc"),
    "rank_succ_perf_auc": ("success_performance", "rank_auc"),
    "rank_succ_rate_auc": ("success_rate_percent", "rank_auc"),
    # five algorithms solve all 22 problems; the table breaks the tie by tau*, without saying so
    "rank_rho_tau_max": ("success_performance", "rank_rho_tau_max_tau_star"),
    "rank_tau_min_over_tau_star": ("success_performance", "rank_tau_star"),
    "rank_wins": ("success_performance", "rank_rho_1"),
}
#: What is said of single numbers of Tables IV and VI.
_SAME_RATE = "MDE and MPDE have the same mean success rate (87.65 %): both are fourth."
_EXCHANGED = "SaDE and DMS-PSO are exchanged: SaDE solves all problems, DMS-PSO does not."
_REASONS = {
    **{("rank_success_rate", name): _SAME_RATE for name in ("MDE", "MPDE")},
    **{("rank_tau_min_over_tau_star", name): _EXCHANGED for name in ("SaDE", "DMS-PSO")},
}


def _competition(folder: Path) -> list[_Row]:
    rows = [
        {**row, **{name: row[name] or empty for name, (empty, _) in _MEASURED.items()}}
        for row in _read(folder, "barbosa2010_source_cec2006_measures")
    ]
    numbers: dict[str, dict[str, npt.NDArray[Any]]] = {}
    for name, (_, exclude) in _MEASURED.items():
        algorithms, values = _matrix([row for row in rows if row["problem"] not in exclude], "algorithm", name)
        with np.errstate(divide="ignore"):
            ratios, _ = performance_ratios(values if name == "success_performance" else 100.0 / values)
        numbers[name] = {
            **measures(ratios, float(ratios[np.isfinite(ratios)].max())),
            "by_mean": competition_ranks(np.round(values.mean(axis=1), 9), larger_is_better=True),
        }
    _, performances = _matrix([row for row in rows if row["problem"] != "g20"], "algorithm", "success_performance")
    of_problems = [competition_ranks(column, larger_is_better=False) for column in performances.T]
    by_criterion = {
        "feasible_rate": numbers["feasible_rate_percent"]["by_mean"],
        "success_rate": numbers["success_rate_percent"]["by_mean"],
        "success_performance": competition_ranks(np.sum(of_problems, axis=0), larger_is_better=False),
    }
    table_4 = {row["algorithm"]: row for row in _read(folder, "barbosa2010_table4_cec_ranks")}
    criteria = ("rank_fr", *(f"rank_{name}" for name in by_criterion))
    _, final = rank_sums([[float(row[name]) for name in criteria] for row in table_4.values()])
    result: list[_Row] = []
    for (who, row), place in zip(table_4.items(), final, strict=True):
        result += [
            ("Table IV", f"rank of {who} by f^r", row["rank_fr"], None, "The measure f^r needs the final values of all runs."),
            *(
                (
                    "Table IV",
                    f"rank of {who} by {name.replace('_', ' ')}",
                    row[f"rank_{name}"],
                    float(ranks[algorithms.index(who)]),
                    _REASONS.get((f"rank_{name}", who), ""),
                )
                for name, ranks in by_criterion.items()
            ),
            ("Table IV", f"final rank of {who} (by the sum of its four ranks)", row["final_rank"], float(place), ""),
        ]
    for table, file, columns in (
        ("Table V", "barbosa2010_table5_parallel_coordinates", _TABLE_5),
        ("Table VI", "barbosa2010_table6_induced_ranks", _TABLE_6),
    ):
        for row in _read(folder, file):
            who = row["algorithm"]
            result += [
                (
                    table,
                    f"{column} of {who}",
                    row[column],
                    float(numbers[name][number][algorithms.index(who)]),
                    _REASONS.get((column, who), ""),
                )
                for column, (name, number) in columns.items()
            ]
            result += [
                (
                    table,
                    f"cec_rank_{name} of {who} (that of Table IV)",
                    row[f"cec_rank_{name}"],
                    table_4[who][f"rank_{name}"],
                    "",
                )
                for name in ("feasible_rate", "success_performance", "success_rate")
                if table == "Table VI"
            ]
    wins, solved, star = (numbers["success_performance"][name] for name in ("rho_1", "rho_tau_max", "tau_star"))
    front = pareto_front(np.stack([wins, solved], axis=1))
    every = np.flatnonzero(solved == 1)
    of_every = every[pareto_front(np.stack([wins[every], -star[every]], axis=1))]
    fronts = (
        ("Pareto front of %Wins and rho(tau_max)", "MDE, SaDE", np.flatnonzero(front)),
        ("Pareto front of %Wins and tau* among rho(tau_max) = 1", "PCX, SaDE", of_every),
    )
    return result + [
        ("Figure 8", quantity, printed, ", ".join(sorted(algorithms[i] for i in on)), "") for quantity, printed, on in fronts
    ]
