"""What the intervals of a study cover, whose level is 95 %.

    python benchmarks/size/coverage.py [samples]

Every row draws samples from a population whose true value is known, and counts how often the printed interval has it inside.
Intervals of several algorithms of one study are counted each. A study has eight algorithms, whose expected running times differ
by a factor of 2 from the first to the last, with a standard deviation of 1 of the logarithm between problems, on functions in
four dimensions (correlation 0.5 within a function); times of runs are exponential.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

from benchmill.core.step_functions import TOLERANCE, reached
from benchmill.indicators.ecdf import band
from benchmill.indicators.intervals import ratio_of_means, running_times, shifted_means
from benchmill.profiles import bootstrap
from benchmill.profiles.dolan_more import ratio_thresholds
from benchmill.profiles.groups import Cells
from benchmill.profiles.measures import area_under_profiles

Array = np.ndarray
#: What is covered, of which data, how many, and the share that is.
Covered = tuple[str, str, str, float]
ALGORITHMS, DIMENSIONS, TAU_MAX, AT = 8, 4, 10.0, np.array([1.5, 3.0])
TIMES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Array]] = {
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "lognormal (sd 1)": lambda rng, shape: np.exp(rng.normal(size=shape)),
    "lognormal (sd 2)": lambda rng, shape: np.exp(2 * rng.normal(size=shape)),
}


def of_running_times(samples: int) -> Iterator[Covered]:
    """ERT and success performance of a cell."""
    for words, draw in TIMES.items():
        rng = np.random.default_rng([1, *words.encode()])
        many = draw(rng, (2_000_000,))
        for share in (1.0, 0.7, 0.4):
            budget = np.inf if share == 1 else np.quantile(many, share)
            solved = many <= budget
            truth = np.minimum(many, budget).mean() / solved.mean(), many[solved].mean() / solved.mean()
            for n in (5, 10, 15):
                time = draw(rng, (samples, n))
                cost = np.where(time <= budget, time, np.inf).ravel()
                found = running_times(cost, np.full(cost.size, budget), np.arange(samples + 1) * n)
                for name, (low, high), true in zip(("ERT", "success performance"), found, truth, strict=True):
                    known = ~np.isnan(low)
                    inside = (low <= true) & (true <= high)
                    if name == "ERT" or share < 1:
                        yield name, f"{words} times, {100 * share:g} % succeed", f"{n} runs", float(inside[known].mean())


def of_shifted_means(samples: int) -> Iterator[Covered]:
    """Shifted geometric means of two solvers over instances, and their ratio."""
    rng = np.random.default_rng(2)

    def times(n: int) -> Array:
        common = rng.normal(3, 2, n)
        return np.minimum(np.exp(np.stack([common, common + rng.normal(0.3, 0.7, n)], axis=1)), 3600)

    many = np.exp(np.log(times(4_000_000) + 10).mean(axis=0)) - 10
    for n in (10, 24, 100):
        mean = ratio = 0.0
        for _ in range(samples):
            log = np.log(times(n) + 10)
            low, high = shifted_means(log, 10.0, np.arange(n), 0.95)
            mean += float(((low <= many) & (many <= high)).mean())
            below, above = ratio_of_means(log, 10.0, np.arange(n), 0.95)
            ratio += float(below <= many[1] / many[0] <= above)
        yield "shifted geometric mean", "times of solvers", f"{n} instances", mean / samples
        yield "ratio of two such means, chosen before", "times of solvers", f"{n} instances", ratio / samples


def of_ecdf(samples: int) -> Iterator[Covered]:
    """Bands of ECDF curves at budgets where 5 to 95 % is reached."""
    rng = np.random.default_rng(3)
    targets = np.array([0.3, 1.0, 3.0])
    for problems, n in ((1, 5), (1, 15), (24, 5), (24, 15)):
        inside: list[bool] = []
        for _ in range(samples):
            level = np.exp(rng.normal(size=(problems, 1, 1)))
            # a run goes on from target to target
            run = level * np.cumsum(rng.exponential(np.diff(targets, prepend=0), (problems, n, targets.size)), axis=2)
            trial = np.broadcast_to(np.arange(problems * n).reshape(problems, n, 1), run.shape).ravel()
            low, high = band(run.ravel(), np.ones(run.size), trial, trial // n, 0.95)
            x = np.sort(run.ravel())
            many = level * np.cumsum(rng.exponential(np.diff(targets, prepend=0), (problems, 4000, targets.size)), axis=2)
            for share in (0.05, 0.25, 0.5, 0.75, 0.95):
                at = np.quantile(many, share)
                place = np.searchsorted(x, at, side="right") - 1
                # before the first step there is no band
                if place >= 0:
                    inside.append(low[place] <= share <= high[place])
        data = f"{problems} problem{'s' * (problems > 1)}, three targets"
        yield "ECDF, at any one budget", data, f"{n} runs", float(np.mean(inside))


def levels(rng: np.random.Generator, clusters: int, factor: float = 2.0) -> Array:
    """Return expected running times, (algorithms, problems); those of the last algorithm are so many times those of the first."""
    shape = (ALGORITHMS, clusters, DIMENSIONS)
    log = np.sqrt(0.5) * (rng.normal(size=(*shape[:2], 1)) + rng.normal(size=shape))
    return np.exp(log + np.linspace(0, np.log(factor), ALGORITHMS)[:, None, None]).reshape(ALGORITHMS, -1)


def read_off(cost: Array) -> dict[str, Array]:
    """What is read off the profiles of costs."""
    r = ratio_thresholds(cost[None])[0]
    auc, best = area_under_profiles(r, TAU_MAX), reached(r, 1.0)
    found = {"auc": auc, "auc_normalised": auc / auc.max(), "rho_1": best.mean(axis=1)}
    return found | {"rho": (r[:, :, None] <= AT * (1 + TOLERANCE)).mean(axis=1)}


WORDS = {
    "auc": "area under a profile",
    "auc_normalised": "the same, over the largest",
    "rho_1": "ρ(1)",
    "rho": "band of a profile, at any one τ",
    "leader": "area under the profile of the one that comes first",
}


def of_profiles(studies: int) -> Iterator[Covered]:
    """What is read off profiles, by what is drawn again."""
    rng = np.random.default_rng(4)
    cases = [("problems", g, 0, 2.0) for g in (10, 24)] + [(name, 24, n, 2.0) for name in ("runs", "both") for n in (5, 15)]
    for drawn, clusters, n, factor in [*cases, *(("problems", g, 0, 1.0) for g in (10, 24))]:
        population = read_off(levels(rng, 100_000, factor))
        counts = dict.fromkeys(WORDS, 0.0)
        for _ in range(studies):
            true = levels(rng, clusters, factor)
            shape = true.shape
            runs = true[..., None] * rng.exponential(size=(*shape, n)) if n else true[..., None]
            cost, per = runs.mean(axis=-1), runs.shape[-1]
            nothing = np.full(runs.size, np.nan)
            found = Cells(shape, runs.ravel(), nothing, nothing, np.ones(runs.size), np.arange(cost.size + 1) * per)
            scheme = bootstrap.Scheme(drawn, 1000, rng, clusters=np.repeat(np.arange(clusters), DIMENSIONS))
            of_runs = None if drawn == "problems" else found
            rho, auc, rho_1, _ = bootstrap.step_resamples(
                cost,
                lambda costs, weights: ratio_thresholds(costs),
                AT,
                TAU_MAX,
                scheme,
                cells=of_runs,
                aggregate="ert",
            )
            size = bootstrap.Size.of(scheme, found, cost.shape[1])
            own, truth = read_off(cost), read_off(true) if drawn == "runs" else population
            ends = dict(bootstrap.of_measures({"auc": auc, "rho_1": rho_1}, own, size, 0.95, cost.shape[1], TAU_MAX - 1))
            ends["rho"] = bootstrap.limits(rho, own["rho"], size, 0.95, 1.0)
            inside = {
                name: (ends[name][0] <= truth[name] + 1e-9) & (truth[name] <= ends[name][1] + 1e-9)
                for name in WORDS
                if name != "leader"
            }
            inside["leader"] = inside["auc"][own["auc"].argmax()]
            for name in WORDS:
                counts[name] += float(inside[name].mean())
        data = f"bands by {'runs and problems' if drawn == 'both' else drawn}{', equal algorithms' if factor == 1 else ''}"
        for name, count in counts.items():
            yield WORDS[name], data, f"{clusters} clusters{f' of {n} runs' if n else ''}", count / studies


def main(samples: int = 2000) -> None:
    """Print the table of the documentation."""
    rows: dict[tuple[str, str], list[str]] = {}
    for part in (of_running_times, of_shifted_means, of_ecdf, of_profiles):
        for name, data, size, share in part(samples // 5 if part is of_profiles else samples):
            rows.setdefault((name, data), []).append(f"{size} {100 * share:.1f}")
    print(f"{samples} samples a row, {samples // 5} studies a row of profiles; per cent\n")
    print("| interval | data | covers |\n| --- | --- | --- |")
    for (name, data), found in rows.items():
        print(f"| {name} | {data} | {', '.join(found)} |")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
