"""The whole way from logs to numbers once more, as a person with a pencil would go it.

Loops over exact fractions, one trial and one target at a time, straight from the definitions; shares no
code with the package, is slow, and is meant to be read.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import erf, exp, floor, inf, log, sqrt


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


def value_at(trial, budget, floor):
    """Best value within so many evaluations, none below the floor; inf where nothing is recorded yet."""
    return max(min((Fraction(value) for evaluations, value in trial["rows"] if evaluations <= budget), default=inf), floor)


def followed(trials, target, rule="own", common=None):
    """Time (inf = not reached) and budget of every trial under a budget rule."""
    pairs = [(hit(trial, target), trial["budget"]) for trial in trials]
    if rule == "max":
        return [(time, max(budget for _, budget in pairs)) for time, _ in pairs]
    if rule == "common":
        limit = min((budget for time, budget in pairs if time == inf), default=inf) if common is None else common
        return [(time if time <= limit else inf, min(budget, limit)) for time, budget in pairs]
    return pairs


def ert_of(pairs):
    """Everything spent by all trials, divided by the number of successes."""
    successes = sum(time < inf for time, _ in pairs)
    return Fraction(sum(min(time, budget) for time, budget in pairs)) / successes if successes else inf


def ert(trials, target):
    return ert_of(followed(trials, target))


def trials_a_success(trials, target):
    """How many trials one success takes: 1 over the success rate."""
    successes = sum(hit(trial, target) < inf for trial in trials)
    return Fraction(len(trials), successes) if successes else inf


def success_performance(trials, target):
    """The mean evaluations to success, divided by the success rate."""
    times = [time for time in (hit(trial, target) for trial in trials) if time < inf]
    return mean(times) * trials_a_success(trials, target) if times else inf


def mean(values):
    return Fraction(sum(values)) / len(values) if inf not in values else inf


def quantile(values, p, kind=7):
    """Linear between the two values around place (n - 1) p (7), or the value nearest to place n p, of two the even one (3)."""
    v, n = sorted(values), len(values)
    if kind == 3:
        return v[max(round(n * p), 1) - 1]
    place = (n - 1) * p
    below = floor(place)
    if place == below or v[below] == v[below + 1]:
        return v[below]
    return v[below] + (place - below) * (v[below + 1] - v[below]) if v[below + 1] < inf else inf


def variance(values):
    """With n - 1 in the denominator."""
    middle = mean(values)
    return sum((v - middle) ** 2 for v in values) / (len(values) - 1)


def cost_matrix(study, levels, cost=ert):
    """Cost (ERT) by (problem, target), then algorithm, where every algorithm has a trial."""
    problems = sorted({problem for trials in study.values() for problem in trials})
    common = [problem for problem in problems if all(study[algorithm].get(problem) for algorithm in study)]
    return {(problem, level): {a: cost(study[a][problem], level) for a in study} for problem in common for level in levels}


def ratios(costs):
    """Cost over the smallest cost of any algorithm; inf where it failed."""
    return {
        problem: {a: cost / min(row.values()) if cost < inf else inf for a, cost in row.items()} for problem, row in costs.items()
    }


def rho(ratio_matrix, algorithm, tau, weights=None):
    """Share (of the weight) of problems with ratio at most tau."""
    weight = weights or dict.fromkeys(ratio_matrix, 1)
    return Fraction(
        sum(weight[p] for p, row in ratio_matrix.items() if row[algorithm] <= tau), sum(weight[p] for p in ratio_matrix)
    )


def area(ratio_matrix, algorithm, tau_max, weights=None, start=1):
    """Area under the profile, rectangle by rectangle."""
    inside = {r[algorithm] for r in ratio_matrix.values() if start < r[algorithm] < tau_max}
    breaks = sorted(inside | {Fraction(start), tau_max})
    return sum((right - left) * rho(ratio_matrix, algorithm, left, weights) for left, right in pairwise(breaks))


def nested(costs, rule, n_waves):
    """The ratios of every wave: costs against the best of the solvers that are left, none below 1; the best one then leaves."""
    left, waves = sorted(next(iter(costs.values()))), []
    for _ in range(n_waves):
        base = {p: min(row[a] for a in left) for p, row in costs.items()}
        wave = {
            p: {a: inf if c == inf else Fraction(1) if base[p] == inf else max(Fraction(1), c / base[p]) for a, c in row.items()}
            for p, row in costs.items()
        }
        waves.append(wave)
        of = {a: [row[a] for row in wave.values()] for a in left}
        if rule == "wins":
            score = {a: -sum(r == 1 for r in of[a]) for a in left}
        else:
            score = {a: (sum(r == inf for r in of[a]), sum(r for r in of[a] if r < inf)) for a in left}
        left.remove(min(left, key=score.get))
    return waves


def per_gradient(costs, dimension_of):
    """Costs of a data profile, in simplex gradients of n + 1 evaluations."""
    return {
        p: {a: Fraction(c) / (dimension_of[p[0]] + 1) if c < inf else inf for a, c in row.items()} for p, row in costs.items()
    }


def against_the_other(costs, first, second):
    """Factors of a log-ratio profile, none below the left end 1 / tau_max; and tau_max."""
    factor = {
        p: {
            a: inf if row[a] == inf else Fraction(0) if row[b] == inf else row[a] / row[b]
            for a, b in ((first, second), (second, first))
        }
        for p, row in costs.items()
    }
    tau_max = max([1, *(r for row in factor.values() for r in row.values() if r < inf)])
    return {p: {a: max(r, Fraction(1, tau_max)) for a, r in row.items()} for p, row in factor.items()}, tau_max


def drawn_rho(study, costs, algorithm, tau):
    """Chance that a run drawn from those of an algorithm costs at most tau times the smallest ERT, over all problems."""
    shares = []
    for (problem, target), row in costs.items():
        times = [hit(trial, target) for trial in study[algorithm][problem]]
        shares.append(Fraction(sum(time < inf and time <= tau * min(row.values()) for time in times), len(times)))
    return sum(shares) / len(shares)


def drawn_win(study, costs, algorithm):
    """Chance that a drawn run of an algorithm is (tied) best among drawn runs of all, by all combinations."""
    shares = []
    for problem, target in costs:
        of = {a: [hit(trial, target) for trial in study[a][problem]] for a in study}
        drawn = [dict(zip(of, times, strict=True)) for times in product(*of.values())]
        shares.append(Fraction(sum(d[algorithm] < inf and d[algorithm] == min(d.values()) for d in drawn), len(drawn)))
    return sum(shares) / len(shares)


def normal_rho(study, costs, algorithm, tau):
    """The same for a run from the normal distribution with the mean and deviation of the successes, times their share."""
    total = 0.0
    for (problem, target), row in costs.items():
        times = [hit(trial, target) for trial in study[algorithm][problem]]
        solved = [time for time in times if time < inf]
        if solved:
            limit, middle = tau * min(row.values()), mean(solved)
            spread = variance(solved) if len(solved) > 1 else 0
            below = (1 + erf((limit - middle) / sqrt(2 * spread))) / 2 if spread else float(middle <= limit)
            total += below * len(solved) / len(times)
    return total / len(costs)


def places(values, larger):
    """Rank of each algorithm as in a competition: one more than those that are better."""
    return {a: 1 + sum((w > v) if larger else (w < v) for w in values.values()) for a, v in values.items()}


def ecdf(study, algorithm, targets, x, dimension_of, weight="instance"):
    """Share of (problem, target) pairs reached within x evaluations per dimension.

    Pairs weigh alike, within them instances and within these trials; or trials of a pair; or all trials of all pairs (pooled).
    """
    problems = sorted({problem for trials in study.values() for problem in trials})
    pairs = []
    for problem in problems:
        if all(study[a].get(problem) for a in study):
            for target in targets:
                of_instance = {}
                for trial in study[algorithm][problem]:
                    time = hit(trial, target)
                    reached = time < inf and Fraction(time) / dimension_of[problem] <= x
                    of_instance.setdefault(trial["instance"], []).append(int(reached))
                pairs.append(list(of_instance.values()))
    if weight == "instance":
        return mean([mean([mean(trials) for trials in instances]) for instances in pairs])
    trials_of = [[reached for trials in instances for reached in trials] for instances in pairs]
    return (
        mean([mean(trials) for trials in trials_of]) if weight == "trial" else mean([r for trials in trials_of for r in trials])
    )


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


def iman_davenport(statistic, b, k):
    """The F form of Friedman's statistic; None without degrees of freedom for it, inf where all blocks rank alike."""
    rest = b * (k - 1) - statistic
    return None if b < 2 else (b - 1) * statistic / rest if rest else inf


def wilcoxon(rows, first, second):
    """Two-sided p of the signed ranks, by all signs; inf less inf is 0, and a failure is further off than anything."""
    far = 1 + 2 * max([abs(v) for row in rows for v in row.values() if v < inf], default=0)
    gaps = [0 if row[first] == row[second] else min(row[first], far) - min(row[second], far) for row in rows]
    gaps = [
        10 * far * (1 if gap > 0 else -1) if inf in (row[first], row[second]) and gap else gap
        for row, gap in zip(rows, gaps, strict=True)
    ]
    gaps = [gap for gap in gaps if gap]
    rank = midranks({i: abs(gap) for i, gap in enumerate(gaps)})
    plus = sum(rank[i] for i, gap in enumerate(gaps) if gap > 0)
    smaller = min(plus, sum(rank.values()) - plus)
    sums = [sum(rank[i] for i, up in enumerate(signs) if up) for signs in product([0, 1], repeat=len(gaps))]
    return min(Fraction(2 * sum(w <= smaller for w in sums), len(sums)), 1)


def partitions(items):
    """All ways to put items into classes."""
    if not items:
        yield []
        return
    first, *rest = items
    for partition in partitions(rest):
        yield [[first], *partition]
        for i, together in enumerate(partition):
            yield [*partition[:i], [first, *together], *partition[i + 1 :]]


def adjusted(p, correction):
    """Adjusted p values of all pairs, by the definition of each procedure; p by pair."""
    pairs, n = list(p), len(p)
    subsets = [chosen for size in range(1, n + 1) for chosen in combinations(pairs, size)]
    exhaustive = [
        [pair for pair in pairs if any(set(pair) <= set(together) for together in partition)]
        for partition in partitions(sorted({a for pair in pairs for a in pair}))
    ]
    order = sorted(pairs, key=p.get)
    place = {pair: i for i, pair in enumerate(order, 1)}

    def true_at_most(number):
        return max(len(held) for held in exhaustive if len(held) <= number)

    def of(pair):
        mine = [chosen for chosen in subsets if pair in chosen]
        up = order[: place[pair]]
        match correction:
            case "none":
                return p[pair]
            case "bonferroni":
                return n * p[pair]
            case "holm":  # the closure of Bonferroni's test
                return max(len(chosen) * min(p[c] for c in chosen) for chosen in mine)
            case "shaffer":
                return max(true_at_most(n - place[c] + 1) * p[c] for c in up)
        raise ValueError(correction)

    return {pair: min(of(pair), 1) for pair in pairs}


def at_common_limits(runs, shown):
    """The runs cut at the smallest limit on each instance, where limits differ by more than a hundredth.

    `shown` has for each run its limit, or None where a run that crashed shows none; such a run has that of the solver's others,
    where these agree.
    """
    usual = {}
    for of in shown.values():
        for solver, limits in of.items():
            usual.setdefault(solver, []).extend(limit for limit in limits if limit is not None)
    usual = {solver: min(found) for solver, found in usual.items() if found and max(found) <= min(found) * 1.01}
    cut = {}
    for instance, of in runs.items():
        own = [usual.get(s) if limit is None else limit for s, limits in shown[instance].items() for limit in limits]
        own = [limit for limit in own if limit is not None]
        cut[instance] = of
        if own and max(own) > min(own) * 1.01:
            low = min(own)
            cut[instance] = {
                s: [(time if time <= low else inf, min(limit, low)) for time, limit in pairs] for s, pairs in of.items()
            }
    return cut


def summary(runs, factor, shift, shown):
    """What a summary of solvers says, with failures that count so many times their limit.

    `runs` has by instance and solver a list of pairs: the time (inf = not solved) and the limit. Instances on which a solver has
    no run are left out; limits that differ are cut at the common one (`at_common_limits`). The virtual best solver takes on each
    instance the one with the smallest mean, where failures count ten times their limit; of equal ones the first.
    """
    solvers = sorted({solver for of in runs.values() for solver in of})
    runs = {instance: of for instance, of in at_common_limits(runs, shown).items() if set(of) == set(solvers)}

    def charged(pairs, times):
        return [time if time < inf else times * limit for time, limit in pairs]

    def cell(of, solver, times):
        return mean(charged(of[solver], times))

    takes = {instance: min(solvers, key=lambda s, of=of: cell(of, s, 10)) for instance, of in runs.items()}
    found = {}
    for name in (*solvers, "virtual best"):
        mine = [(of, takes[instance] if name == "virtual best" else name) for instance, of in runs.items()]
        logs = [sum(log(v + shift) for v in charged(of[s], factor)) / len(of[s]) for of, s in mine]
        alone = [of for of, s in mine if [t for t in solvers if any(time < inf for time, _ in of[t])] == [s]]
        found[name] = {
            "instances": len(runs),
            "n": sum(len(of[s]) for of, s in mine),
            "solved": sum(time < inf for of, s in mine for time, _ in of[s]),
            "sgm": exp(sum(logs) / len(logs)) - shift if runs else None,
            "mean": mean([cell(of, s, factor) for of, s in mine]) if runs else None,
            **{f"par{times}": mean([cell(of, s, times) for of, s in mine]) if runs else None for times in (1, 2, 10)},
            "unique": None if name == "virtual best" or len(solvers) == 1 else len(alone),
        }
    return found


def net_wins(row, first, second):
    """1 where the first costs less, -1 where the second does, 0 where both cost the same or fail."""
    return (row[first] < row[second]) - (row[first] > row[second])


def cluster_scores(blocks, cluster_of, first, second):
    """Of each cluster, in the order of their names, the mean net wins over its blocks."""
    found = {}
    for where, row in blocks.items():
        found.setdefault(cluster_of(where), []).append(net_wins(row, first, second))
    return [Fraction(sum(scores), len(scores)) for _, scores in sorted(found.items())]


def squared_statistic(scores):
    """(sum d)^2 / sum d^2; 0 where all are ties."""
    squares = sum(d * d for d in scores)
    return Fraction(sum(scores)) ** 2 / squares if squares else Fraction(0)


def max_t(statements):
    """p and adjusted p of each statement, by all flips of whole clusters; a statement is its scores by cluster.

    Westfall and Young 1993, algorithm 4.1: step by step, from the largest statistic down, the share of flips in which the
    largest statistic of this and all later steps reaches it; no p is smaller than that of a step before.
    """
    observed = [squared_statistic(scores) for scores in statements]
    flipped = [
        [squared_statistic([sign * d for sign, d in zip(signs, scores, strict=True)]) for scores in statements]
        for signs in product([1, -1], repeat=len(statements[0]))
    ]
    alone = [Fraction(sum(row[i] >= t for row in flipped), len(flipped)) for i, t in enumerate(observed)]
    adjusted, before = [Fraction(0)] * len(observed), Fraction(0)
    order = sorted(range(len(observed)), key=lambda i: -observed[i])
    for step, i in enumerate(order):
        reached = sum(max(row[j] for j in order[step:]) >= observed[i] for row in flipped)
        adjusted[i] = before = max(before, Fraction(reached, len(flipped)))
    return list(zip(alone, adjusted, strict=True))


def exchangeable(blocks, cluster_of):
    """p that all algorithms are equal, by all permutations of their names within clusters; None where all tie."""
    algorithms = sorted(next(iter(blocks.values())))
    scores = {pair: cluster_scores(blocks, cluster_of, *pair) for pair in permutations(algorithms, 2)}
    groups = range(len(next(iter(scores.values()))))
    # names permuted alike in all clusters change nothing, so those of the first stay
    leads = [[sum(scores[a, b][g] for b in algorithms if b != a) for a in algorithms] for g in groups]
    if not any(map(any, leads)):
        return None

    sums = Counter({tuple(leads[0]): 1})
    for lead in leads[1:]:
        before, sums = sums, Counter()
        for order in permutations(lead):
            for total, times in before.items():
                sums[tuple(t + v for t, v in zip(total, order, strict=True))] += times

    def spread(total):
        return sum(v**2 for v in total)

    observed = spread([sum(column) for column in zip(*leads, strict=True)])
    return Fraction(sum(times for total, times in sums.items() if spread(total) >= observed), sums.total())
