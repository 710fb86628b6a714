"""Every number that three papers on profiles print, beside the one that this library computes from their data.

Barreto, Bernardino, Barbosa 2010 (Table 1, Figures 1 to 3, Table 2), Hekmati, Mirhajianmoghadam 2018 (Table 1, Figures 1 and 2)
and Barbosa, Bernardino, Barreto 2010 (Table I and its areas, Tables IV, V, VI, Figure 8, remark 1). The data are those that ship
in `data/paper-tables`, whose README says where they were read.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmill.core import Array, ArrayLike, TwoArrays, beside, schema, step_functions
from benchmill.profiles import nested, probabilistic
from benchmill.profiles.dolan_more import profile_functions
from benchmill.profiles.measures import area_under_profiles, competition_ranks, measures, pareto_front, rank_sums
from benchmill.profiles.ratios import performance_ratios

#: place, quantity, printed, recomputed (number, text or None), reason
_Row = tuple[str, str, str, float | str | None, str]

#: What the papers print.
_PRINTED = beside.toml(__file__)
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
            "recomputed": f"{recomputed:.6g}" if isinstance(recomputed, float) else recomputed,
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


def _stated(section: str, found: schema.Facts, **facts: Any) -> list[_Row]:
    """Return the rows of a section of what the papers print, with what was found beside it."""
    known = {name: ("no", "yes")[int(one)] if isinstance(one, bool | np.bool_) else one for name, one in found.items()}
    said = [{"reason": "", **{name: text.format(**facts) for name, text in one.items()}} for one in _PRINTED[section]]
    return [
        (one["place"], one["quantity"], one["printed"], known.get(one.get("of", one["quantity"])), one["reason"]) for one in said
    ]


def _inputs(table: pd.DataFrame, place: str, words: str, column: str) -> list[_Row]:
    """Return a row for each number that a table prints, which is what the others are computed from."""
    rows = table.to_dict("records")
    return [(place, words.format(**row), row[column], float(row[column]), "input") for row in rows]


def _read(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / f"{name}.csv", dtype=str, keep_default_na=False)


def _matrix(table: pd.DataFrame, key: str, value: str) -> tuple[list[str], Array]:
    """Return the names of the algorithms in the order of the file, and their values on the problems."""
    algorithms, problems = (table[name].unique() for name in (key, "problem"))
    values = table.pivot(index=key, columns="problem", values=value).reindex(index=algorithms, columns=problems)
    return list(algorithms), np.array(values, float, order="C")


# --- Barreto, Bernardino, Barbosa 2010 ---------------------------------------------------------


def _barreto(folder: Path) -> list[_Row]:
    table = _read(folder, "barreto2010_table1_costs")
    _, costs = _matrix(table, "algorithm", "cost")
    ratios, base = performance_ratios(costs)
    numbers = measures(ratios, 10.0)
    curves = profile_functions(ratios)
    at = np.unique(np.concatenate([tau for tau, _ in curves]))
    rho = step_functions.values(curves, at)
    gap = np.sign(np.round(rho[1] - rho[2], 12))
    changes = at[1:][gap[1:] != gap[:-1]]

    def rhobar(tau: ArrayLike, sd: ArrayLike) -> Array:
        return probabilistic.RandomCosts.of(costs, np.broadcast_to(sd, costs.shape), base).values(tau)

    def wide(algorithm: int) -> Array:
        """Return a standard deviation of 5 for an algorithm and 0.1 for the others."""
        return np.where(np.arange(3) == algorithm, 5.0, 0.1)[:, None]

    at_ten = [float(rhobar(10, sd)[2, 0]) for sd in (0.1, 0.5, 1.0)]
    third = float(rhobar(10, wide(2))[2, 0])
    chance = float(probabilistic.RandomCosts.of(costs, np.ones(costs.shape)).win_probability()[0][0])
    at_one = float(rhobar(1, 1.0)[0, 0])
    near_six = max(abs(5.5 - 6) / 5.5, abs(6.5 - 6) / 6.5) < 0.10
    shown = {"rho_{}(1)": "rho_1", "rho_{}(10)": "rho_tau_max", "zeta(a_{})": "reliability"}
    found = {
        **{quantity.format(i + 1): float(numbers[name][i]) for quantity, name in shown.items() for i in range(3)},
        "a_1 leads": (rho[0] >= rho[1:]).all(),
        "crossings": ", ".join(f"{x:g}" for x in changes[changes > 1]),
        "near 6": near_six,
        "coincide": np.abs(np.subtract(*rhobar(np.linspace(4, 7, 3001), 1.0)[1:])).max() < 0.05,
        "decreases": at_ten[0] > at_ten[1] > at_ten[2],
        "all lead": {*rhobar(np.linspace(1, 10, 9001), wide(0)).argmax(axis=0).tolist()} == {0, 1, 2},
        "about 80 %": round(third, 1) == 0.8,
        "share of wins": abs(chance - at_one) < 1e-3,
    }
    missing = "The runs of BBOB 2009 are not in the paper"
    return [
        *_inputs(table, "Table 1", "cost of {algorithm} on {problem}", "cost"),
        *_stated("barreto2010", found, third=100 * third, at_one=at_one, chance=chance),
        *(
            ("Table 2", f"{curve}_{row['algorithm'][1:]}(1)", row[f"{curve}_at_1"], None, f"{missing}{more}")
            for row in _read(folder, "barreto2010_table2_values_at_one").to_dict("records")
            for curve, more in (("rho", f"; the value is {round(24 * float(row['rho_at_1']))} of 24 problems."), ("rhobar", "."))
        ),
        *_stated("barreto2010_figures", {}),
    ]


# --- Hekmati, Mirhajianmoghadam 2018 -----------------------------------------------------------


def _hekmati(folder: Path) -> list[_Row]:
    table = _read(folder, "hekmati2018_table1_times")
    solvers, times = _matrix(table, "solver", "time")
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
    found = {
        "A best": 100 * float(measures(ratios, 20.0)["rho_1"][a]),
        "B second": second,
        **eliminated,
        "ranking": "A, B, C" if in_order else "another order",
        "choice": "A or C" if first_two == [a, c] else "another choice",
        "small change": np.abs(before - after).max() <= 1 / 21 + 1e-12,
        "same order": (overall[1] > overall[2]) == (without[0] > without[1]),
    }
    return _inputs(table, "Table 1", "time of {solver} on problem {problem}", "time") + _stated(
        "hekmati2018", found, overall=overall, without=without
    )


def _one_problem_changed() -> TwoArrays:
    """Return rho(1) of wave 2 for 21 problems, before and after the cost of one of them changes which solver leaves the race."""
    kinds = [[1.0, 10, 5]] * 10 + [[5.0, 1, 10]] * 10
    systems = (np.array([*kinds, last]).T for last in ([1.0, 2, 4], [2.0, 1, 4]))
    shares = [step_functions.reached(nested.wave_ratios(costs, nested.waves(costs, 2), 1), 1.0).mean(axis=1) for costs in systems]
    return shares[0], shares[1]


def _theorem(*sizes: int) -> TwoArrays:
    """Return rho(1) of the nested profile (k = 2) of the system in the proof of Theorem 2.2, and of the profile without s1."""
    costs = np.repeat(np.array([[1.0, 10, 5], [10, 1, 5], [10, 5, 1]]), sizes, axis=0).T
    overall = nested.profile_functions(costs, nested.waves(costs, 2))
    without_s1 = step_functions.reached(performance_ratios(costs[1:])[0], 1.0).mean(axis=1)
    return step_functions.values(overall, [1.0])[:, 0], without_s1


# --- Barbosa, Bernardino, Barreto 2010 ---------------------------------------------------------


def _barbosa(folder: Path) -> list[_Row]:
    table = _read(folder, "barbosa2010_table1_ratios")
    solvers, ratios = _matrix(table, "solver", "ratio")
    areas = area_under_profiles(ratios, 4.5)
    optimum = _read(folder, "barbosa2010_table3_best_known").set_index("problem")["f_best"].astype(float)
    found = {
        **{f"AUC of {name}": 10 * float(area) for name, area in zip(solvers, areas, strict=True)},
        "order by AUC": ", ".join(solvers[i] for i in np.argsort(-areas)),
        **{name: float(1e-4 / abs(optimum[name])) for name in ("g04", "g13")},
    }
    return (
        _inputs(table, "Table I", "ratio of {solver} on {problem}", "ratio")
        + _stated("barbosa2010", found, areas=areas)
        + _competition(folder)
    )


@np.errstate(divide="ignore")
def _competition(folder: Path) -> list[_Row]:
    runs, numbers = _read(folder, "barbosa2010_source_cec2006_measures"), {}
    for name, measure in _PRINTED["measured"].items():
        runs[name] = runs[name].replace("", measure["empty"])
        algorithms, values = _matrix(runs[~runs["problem"].isin(measure["exclude"])], "algorithm", name)
        ratios, _ = performance_ratios(values if name == "success_performance" else 100.0 / values)
        numbers[name] = {
            **measures(ratios, float(ratios[np.isfinite(ratios)].max())),
            "by_mean": competition_ranks(np.round(values.mean(axis=1), 9), larger_is_better=True),
        }
    _, performances = _matrix(runs[runs["problem"] != "g20"], "algorithm", "success_performance")
    of_problems = [competition_ranks(column, larger_is_better=False) for column in performances.T]
    by_criterion = {
        "feasible_rate": numbers["feasible_rate_percent"]["by_mean"],
        "success_rate": numbers["success_rate_percent"]["by_mean"],
        "success_performance": competition_ranks(np.sum(of_problems, axis=0), larger_is_better=False),
    }
    table_4 = _read(folder, "barbosa2010_table4_cec_ranks").set_index("algorithm")
    _, final = rank_sums(table_4[["rank_fr", *(f"rank_{name}" for name in by_criterion)]].to_numpy(float))
    result: list[_Row] = []
    for (who, row), place in zip(table_4.iterrows(), final, strict=True):
        result += [
            ("Table IV", f"rank of {who} by f^r", row["rank_fr"], None, "The measure f^r needs the final values of all runs."),
            *(
                (
                    "Table IV",
                    f"rank of {who} by {name.replace('_', ' ')}",
                    row[f"rank_{name}"],
                    float(ranks[algorithms.index(who)]),
                    _reason(f"rank_{name}", who),
                )
                for name, ranks in by_criterion.items()
            ),
            ("Table IV", f"final rank of {who} (by the sum of its four ranks)", row["final_rank"], float(place), ""),
        ]
    for table, file in (
        ("Table V", "barbosa2010_table5_parallel_coordinates"),
        ("Table VI", "barbosa2010_table6_induced_ranks"),
    ):
        for who, row in _read(folder, file).set_index("algorithm").iterrows():
            at = algorithms.index(who)
            result += [
                (table, f"{column} of {who}", row[column], float(numbers[name][number][at]), _reason(column, who))
                for column, (name, number) in _PRINTED[table].items()
            ]
            result += [
                (table, f"{column} of {who} (that of Table IV)", printed, table_4[column.removeprefix("cec_")][who], "")
                for column, printed in row.items()
                if column.startswith("cec_rank_")
            ]
    wins, solved, star = (numbers["success_performance"][name] for name in ("rho_1", "rho_tau_max", "tau_star"))
    front = pareto_front(np.stack([wins, solved], axis=1))
    every = np.flatnonzero(solved == 1)
    of_every = every[pareto_front(np.stack([wins[every], -star[every]], axis=1))]
    fronts = {"solved": np.flatnonzero(front), "tau*": of_every}
    found = {name: ", ".join(sorted(algorithms[i] for i in on)) for name, on in fronts.items()}
    return result + _stated("barbosa2010_fronts", found)


def _reason(column: str, algorithm: str) -> str:
    """Return what is said of a number of Tables IV and VI."""
    return str(_PRINTED["reasons"].get(column, {}).get(algorithm, ""))
