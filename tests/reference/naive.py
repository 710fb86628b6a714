"""The whole way from logs to numbers once more, as a person with a pencil would go it.

Loops over exact fractions, one trial and one target at a time, straight from the definitions; shares no
code with the package, is slow, and is meant to be read.
"""

from fractions import Fraction
from itertools import pairwise
from math import inf


def best_so_far(rows):
    """Rows (evaluations, value) that improve on all rows before."""
    best, kept = None, []
    for evaluations, value in rows:
        if best is None or value < best:
            best = value
            kept.append((evaluations, value))
    return kept


def hit(trial, target):
    """First evaluation whose best value is at most the target, or inf."""
    for evaluations, value in best_so_far(trial["rows"]):
        if value <= target and evaluations <= trial["budget"]:
            return evaluations
    return inf


def ert(trials, target):
    """Everything spent by all trials, divided by the number of successes."""
    times = [hit(trial, target) for trial in trials]
    successes = sum(time < inf for time in times)
    spent = sum(time if time < inf else trial["budget"] for time, trial in zip(times, trials, strict=True))
    return Fraction(spent, successes) if successes else inf


def cost_matrix(study, targets):
    """ERT by (problem, target), then algorithm, where every algorithm has a trial."""
    problems = sorted({problem for trials in study.values() for problem in trials})
    common = [problem for problem in problems if all(study[algorithm].get(problem) for algorithm in study)]
    return {(problem, t): {a: ert(study[a][problem], t) for a in study} for problem in common for t in targets}


def ratios(costs):
    """Cost over the smallest cost of any algorithm; inf where it failed."""
    return {
        problem: {a: cost / min(row.values()) if cost < inf else inf for a, cost in row.items()} for problem, row in costs.items()
    }


def rho(ratio_matrix, algorithm, tau):
    """Share of problems with ratio at most tau."""
    return Fraction(sum(row[algorithm] <= tau for row in ratio_matrix.values()), len(ratio_matrix))


def area(ratio_matrix, algorithm, tau_max):
    """Area under the profile, rectangle by rectangle."""
    breaks = sorted({r[algorithm] for r in ratio_matrix.values() if r[algorithm] < inf} | {Fraction(1), tau_max})
    return sum((right - left) * rho(ratio_matrix, algorithm, left) for left, right in pairwise(breaks))


def ecdf(study, algorithm, targets, x, dimension_of):
    """Share of (problem, target) pairs reached within x evaluations per dimension; pairs weigh alike, and trials of a pair."""
    problems = sorted({problem for trials in study.values() for problem in trials})
    common = [problem for problem in problems if all(study[a].get(problem) for a in study)]
    shares = []
    for problem in common:
        for target in targets:
            trials = study[algorithm][problem]
            reached = sum(Fraction(hit(t, target)) / dimension_of[problem] <= x for t in trials if hit(t, target) < inf)
            shares.append(Fraction(reached, len(trials)))
    return sum(shares) / len(shares)


def midranks(row):
    """Rank of each algorithm, ties sharing the mean; all failures tie."""
    return {
        a: Fraction(1 + 2 * sum(other < cost for other in row.values()) + sum(other == cost for other in row.values()), 2)
        for a, cost in row.items()
    }


def friedman(rows):
    """Average ranks and the statistic with correction for ties, as a fraction (None where all blocks tie)."""
    ranked = [midranks(row) for row in rows]
    algorithms, b, k = list(ranked[0]), len(ranked), len(ranked[0])
    average = {a: sum(r[a] for r in ranked) / b for a in algorithms}
    a_total = sum(r[a] ** 2 for r in ranked for a in algorithms)
    c = Fraction(b * k * (k + 1) ** 2, 4)
    if a_total == c:
        return average, None
    treatment = b * sum((average[a] - Fraction(k + 1, 2)) ** 2 for a in algorithms)
    return average, (k - 1) * treatment / ((a_total - c) / b)
