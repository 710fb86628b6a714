"""The method section in words, made from the settings in force: one text for the paper and the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill import display


def methods(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Headings and paragraphs that say how the results of a study are made.

    Parameters
    ----------
    config : mapping
        The settings of the study, every default filled in (`problem_keys`, `measures`, `profiles`, `indicators`,
        `inference`); parts that the study does not have are passed over.

    Returns
    -------
    list of (str, str)
        Plain Unicode; a `[key]` in brackets names an entry of `REFERENCES`.
    """
    found = [("Problems and trials", _problems(config))]
    measures = config.get("measures") or {}
    if measures:
        found.append(("Measures", " ".join(_measure(name, measure) for name, measure in measures.items())))
    if config.get("profiles"):
        found.append(("Performance profiles", _PROFILES))
        found.append(("Profiles of this study", _variants(config)))
    if any(m.get("kind") == "fixed_target" for m in measures.values()):
        found.append(("Expected running times", _running_times(config)))
    if (config.get("indicators") or {}).get("ecdf", {}).get("aggregate") and any(
        m.get("kind") in ("fixed_target", "fixed_budget") for m in measures.values()
    ):
        found.append(("Running time distributions", _ecdf(config["indicators"]["ecdf"])))
    if (config.get("inference") or {}).get("methods"):
        found.append(("Statistical inference", _inference(config["inference"])))
        found.append(("Tests of this study", _tests(config["inference"])))
    return found


#: Sources of the methods, by the key under which `methods` cites them.
REFERENCES = {
    "dolan2002": "E. D. Dolan and J. J. Moré. Benchmarking optimization software with performance profiles. Mathematical "
    "Programming 91(2), "
    "201–213, 2002.",
    "barbosa2010": "H. J. C. Barbosa, H. S. Bernardino and A. M. S. Barreto. Using performance profiles to analyze the "
    "results of the 2006 CEC "
    "constrained optimization competition. IEEE Congress on Evolutionary Computation, 2010.",
    "hansen2021": "N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar and D. Brockhoff. COCO: a platform for comparing "
    "continuous optimizers in a "
    "black-box setting. Optimization Methods and Software 36(1), 114–144, 2021.",
    "friedman1937": "M. Friedman. The use of ranks to avoid the assumption of normality implicit in the analysis of "
    "variance. Journal of the American "
    "Statistical Association 32(200), 675–701, 1937.",
    "iman1980": "R. L. Iman and J. M. Davenport. Approximations of the critical region of the Friedman statistic. "
    "Communications in Statistics – "
    "Theory and Methods 9(6), 571–595, 1980.",
    "conover1999": "W. J. Conover. Practical Nonparametric Statistics, third edition. Wiley, 1999.",
    "holm1979": "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), "
    "65–70, 1979.",
    "demsar2006": "J. Demšar. Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning "
    "Research 7, 1–30, 2006.",
    "quade1979": "D. Quade. Using weighted rankings in the analysis of complete blocks with additive block effects. Journal of "
    "the American Statistical Association 74(367), 680–683, 1979.",
    "hodges1962": "J. L. Hodges and E. L. Lehmann. Rank methods for combination of independent experiments in analysis of "
    "variance. Annals of Mathematical Statistics 33(2), 482–497, 1962.",
    "chiarandini2005": "M. Chiarandini, D. Basso and T. Stützle. Statistical methods for the comparison of stochastic "
    "optimizers. Metaheuristics "
    "International Conference, 2005.",
}


def _problems(config: Mapping[str, Any]) -> str:
    keys = list(config.get("problem_keys") or ["suite", "problem", "dimension"])
    left = [key for key in ("instance", "run") if key not in keys]
    text = f"A problem is one combination of {display.listed(keys)}."
    if left:
        text += f" What is left over ({display.listed(left)}) are its trials."
    return (
        f"{text} Costs are minimised. A trial that fails has an infinite cost; a trial that is missing from the logs is not "
        "a failure, and both are "
        "counted apart."
    )


_SCALES = {
    "logged": "the values as logged",
    "distance": "the distance to the known optimum",
    "relative": "the distance to the known optimum divided by its size",
}


def _criterion(measure: Mapping[str, Any]) -> str:
    targets = display.listed([display.target(t) for t in measure.get("targets") or [1e-4]])
    return (
        f" if it reached {targets} (in {_SCALES[measure.get('scale', 'distance')]}) "
        "with a feasible point, or as its source states"
    )


def _measure(name: str, measure: Mapping[str, Any]) -> str:
    kind = measure.get("kind")
    if kind == "fixed_target":
        targets = [display.target(t) for t in measure.get("targets") or []]
        values = _SCALES[measure.get("scale", "logged")]
        text = (
            f"{name}: the evaluations of a trial until its best value first is at or below the target, for "
            f"{display.plural(len(targets), 'target')} "
            f"({display.listed(targets)}), compared with {values}; infinite where it never is."
        )
    elif kind == "fixed_budget":
        unit = "evaluations/dimension" if measure.get("per_dimension", True) else "evaluations"
        budgets = display.listed([display.target(b) for b in measure.get("budgets") or []])
        text = f"{name}: the best value of a trial after {budgets} {unit}; a trial that stopped earlier keeps its last value."
        if measure.get("floor") is not None:
            text += f" Values below {display.target(measure['floor'])} count as it."
    elif kind == "feasible_rate":
        text = (
            f"{name}: the share of the runs on a problem that found a feasible point; the cost is "
            "1 / rate [barbosa2010], infinite where no run did."
        )
    elif kind == "success_rate":
        text = (
            f"{name}: the share of the runs on a problem that succeeded{_criterion(measure)}; the cost is "
            "1 / rate [barbosa2010], infinite where no run did."
        )
    elif kind == "success_performance":
        taken = "printed" if measure.get("published", "printed") == "printed" else "recomputed from printed means and rates"
        text = (
            f"{name}: the mean evaluations of the successful runs over the success rate [barbosa2010], a run being "
            f"successful{_criterion(measure)}; of published tables it is {taken}."
        )
    elif kind == "given":
        text = f"{name}: the cost as the source states it."
        if measure.get("shift"):
            text += f" {display.target(measure['shift'])} is added to every cost, since ratios need positive costs."
    else:
        text = f"{name}: {kind}."
    aggregate = {
        "ert": "The trials of a problem become one cost by the expected running time [hansen2021]: evaluations of all "
        "trials, a failure with its own "
        "budget, over the number of successes.",
        "success_performance": "The trials of a problem become one cost by success performance: the mean of the successes "
        "over the success rate.",
        "mean": "The trials of a problem become one cost by their mean, infinite with any failure.",
        "median": "The trials of a problem become one cost by their median, failures counting as infinite.",
        "single": "There is one trial a problem.",
    }.get(measure.get("aggregate", "") if kind in ("fixed_target", "fixed_budget", "given") else "", "")
    missing = {
        "common": "A problem on which an algorithm has no trial is left out for all.",
        "failure": "A problem on which an algorithm has no trial counts as its failure.",
        "error": "Every algorithm has trials on every problem.",
    }.get(measure.get("missing", ""), "")
    excluded = f"Left out: {display.listed([str(e) for e in measure['exclude']])}." if measure.get("exclude") else ""
    return " ".join(part for part in (text, aggregate, missing, excluded) if part)


_PROFILES = (
    "The performance ratio of an algorithm on a problem is its cost over the smallest cost of any algorithm there. The "
    "performance profile ρ(τ) is the share of problems with a ratio of at most τ [dolan2002], a right-continuous step function; "
    "with several targets or budgets each pair of problem and target or budget counts. An infinite ratio never counts, at any τ. "
    "τ_max is the largest finite ratio of any algorithm unless set otherwise; nothing is said beyond it. The area under the "
    "profile over [1, τ_max] is exact, without a grid [barbosa2010]. Adding an algorithm may change the best cost of a problem "
    "and thus the ratios of all."
)


def _variants(config: Mapping[str, Any]) -> str:
    words = []
    for profile in config["profiles"]:
        facts = []
        if profile["variant"] == "probabilistic":
            facts.append(f"expected shares for one run, model {profile['model']}, baseline {profile['baseline']}")
        if profile["variant"] == "nested":
            facts.append(
                f"mean over {profile['waves'] or 'all'} waves, the best by {profile['rule']} leaving before each further one"
            )
        if profile.get("bands"):
            bands = profile["bands"]
            facts.append(
                f"{bands['kind']} bands at level {bands['level']:g}, {bands['replicates']} resamples of {bands['resample']}"
            )
        if profile.get("by"):
            facts.append(f"one for each {display.listed(profile['by'])}")
        if profile.get("weights", "equal") != "equal":
            facts.append(f"problems weighted by {profile['weights']}")
        if profile.get("tau_max"):
            facts.append(f"τ_max = {display.number(profile['tau_max'], 4)}")
        facts.append(
            "problems that no algorithm solved " + ("dropped" if profile.get("unsolved") == "drop" else "kept in the denominator")
        )
        words.append(f"{display.words(profile.get('name') or profile['variant'])} ({'; '.join(facts)})")
    return f"The study has {display.plural(len(words), 'profile')}: {display.listed(words)}."


_CHARGED = {
    "own": "its own budget",
    "max": "the largest budget of the algorithm on the problem",
    "common": "one common budget, at which all trials are cut",
}


def _running_times(config: Mapping[str, Any]) -> str:
    indicators = config.get("indicators") or {}
    text = (
        "The expected running time (ERT) of an algorithm on a problem is the evaluations of all its trials until the target over "
        "the number of trials that reached it [hansen2021]; a failed trial counts with "
        f"{_CHARGED[indicators.get('budget_rule', 'own')]}. Without a success it is infinite."
    )
    intervals = indicators.get("intervals") or {}
    if intervals.get("resamples"):
        text += (
            f" Its {intervals['level']:.0%} interval is that of {display.count(intervals['resamples'])} bootstrap "
            f"resamples of the "
            "trials (percentiles)."
        )
    alpha = display.target((config.get("inference") or {}).get("alpha", 0.05))
    return (
        f"{text} A star marks the algorithm with the smallest ERT on a problem where pairwise rank-sum tests on the "
        f"trials against "
        f"every other algorithm all have p ≤ {alpha} after Bonferroni’s correction for the number of problems "
        f"[hansen2021]; trials "
        "are compared up to the smallest budget of a failure of the two."
    )


def _ecdf(ecdf: Mapping[str, Any]) -> str:
    targets = ecdf.get("targets") or []
    span = (
        f"{display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))}"
        if targets
        else "all targets"
    )
    if ecdf.get("target_set"):
        span += f", of which the target set {ecdf['target_set']} takes some on each problem"
    unit = "evaluations" if ecdf.get("x") == "evaluations" else "evaluations divided by the dimension"
    weights = {
        "instance": "Every pair has the same weight, within a pair every instance, and within an instance every trial.",
        "trial": "Every pair has the same weight, and within a pair every trial.",
        "pooled": "Every trial has the same weight, so that pairs with more trials weigh more.",
    }[ecdf.get("weight", "instance")]
    restarts = "Trials are taken as they are; no restarts are simulated."
    if ecdf.get("restarts"):
        restarts = (
            f"Restarts are simulated: each failed trial starts {display.plural(ecdf['restarts'], 'simulated run')}, in which "
            "trials of the algorithm on the problem are drawn until one reaches the target, and all evaluations are added."
        )
    return (
        f"The empirical cumulative distribution of running times [hansen2021] is the share of (problem, target) pairs "
        f"reached within so many {unit}, "
        f"with {span}. {weights} {restarts} Pairs that were not reached stay in the denominator."
    )


_RANKED = ("friedman", "quade", "aligned_ranks", "conover", "nemenyi", "wilcoxon", "brunner_munzel")

_TESTS = {
    "friedman": "Friedman’s test with correction for ties [friedman1937] and its F form [iman1980]",
    "quade": "Quade’s test [quade1979]",
    "aligned_ranks": "the test of aligned ranks [hodges1962]",
    "anova": "the analysis of variance of blocks and algorithms without interaction",
    "anova_cells": "the analysis of variance with interaction, which speaks of these problems only",
    "anova_interaction": "the analysis of variance with the interaction as error, which takes the problems as a random sample",
    "permutation": "permutation of the algorithms’ costs within problems",
    "synchronised": "synchronised permutation, the same in all problems [chiarandini2005]",
    "synchronised_pairs": "the pairwise synchronised permutation as published [chiarandini2005], liberal with more than "
    "two algorithms",
}

_COMPARISONS = {
    "conover": "Conover’s t statistic on average ranks [conover1999]",
    "nemenyi": "Nemenyi’s test [demsar2006]",
    "wilcoxon": "Wilcoxon’s signed ranks",
    "tukey": "Tukey’s studentised range of means",
    "scheffe": "Scheffé’s method for all contrasts of means",
    "permutation": "permutation of pairs of algorithms",
    "welch": "Welch’s t test",
    "brunner_munzel": "Brunner and Munzel’s test",
}

#: Comparisons that leave the correction for the number of pairs open.
_OPEN = ("conover", "wilcoxon", "permutation", "welch", "brunner_munzel")

_CORRECTIONS = {
    "holm": "Holm’s correction [holm1979]",
    "hommel": "Hommel’s correction",
    "hochberg": "Hochberg’s correction",
    "finner": "Finner’s correction",
    "shaffer": "Shaffer’s correction",
    "bergmann_hommel": "Bergmann and Hommel’s correction",
    "bonferroni": "Bonferroni’s correction",
    "benjamini_hochberg": "Benjamini and Hochberg’s correction, which controls the false discovery rate only",
    "none": "no correction",
}

_NORMALISED = {
    "none": "as they are",
    "e1": "as relative errors (c − c_best) / c_best [chiarandini2005]",
    "e2": "as positions between the best and the worst of the problem, (c − c_best) / (c_worst − c_best) [chiarandini2005]",
    "log": "as logarithms",
    "ranks": "as ranks within the problem",
}

_UNEQUAL = {
    "equal": "the same number of runs in every cell",
    "subsample": "as many runs in every cell as the smallest has, drawn at random",
    "median": "the median of each cell",
    "mean": "the mean of each cell",
}


def _inference(inference: Mapping[str, Any]) -> str:
    alpha = display.target(inference.get("alpha", 0.05))
    return (
        f"Problems are blocks. All tests are at the level α = {alpha}, for every target or budget on its own, without "
        f"correction for "
        "their number; comparisons of pairs are at that level for the family of all pairs. Where ranks are used, equal "
        "costs share "
        "the mean of their ranks, and failures are equal and last. A test that does not reject ends the matter: its "
        "comparisons are "
        "not interpreted. A difference that is not significant is not shown; this is not evidence of equality."
    )


def _tests(inference: Mapping[str, Any]) -> str:
    methods = list(inference.get("methods") or [])
    comparisons = list(inference.get("comparisons") or [])
    if inference.get("design") == "replicated":
        blocks = f" ({display.listed(inference['blocks'])})" if inference.get("blocks") else ""
        text = f"The design is replicated: every algorithm has several runs on every block{blocks}, "
        text += f"{_UNEQUAL[inference.get('replicates', 'equal')]}."
        if inference.get("failure"):
            text += f" A failure counts {display.target(inference['failure'])} times its budget."
    else:
        text = "Every algorithm has one cost on every problem, that of the ratios."
    if inference.get("stratify"):
        text += f" Every {display.listed(inference['stratify'])} is tested on its own."
    text += f" That all algorithms are equal is tested by {display.listed([_TESTS.get(m, display.words(m)) for m in methods])}."
    if comparisons:
        text += f" All pairs are compared by {display.listed([_COMPARISONS.get(m, display.words(m)) for m in comparisons])}."
    corrections = list(inference.get("corrections") or [])
    if set(comparisons) & set(_OPEN) and corrections:
        text += f" The p values of pairs are adjusted by {_CORRECTIONS.get(corrections[0], display.words(corrections[0]))}"
        text += ", where the comparison has no correction of its own."
        if corrections[1:]:
            more = display.listed([_CORRECTIONS.get(c, display.words(c)) for c in corrections[1:]])
            text += f" Shown beside it, without a say in the verdict: {more}."
    if set(comparisons) & {"conover", "nemenyi", "tukey", "scheffe", "permutation"}:
        text += (
            " The minimum significant difference (MSD) turns means and average ranks into simultaneous intervals "
            "[chiarandini2005]."
        )
    if not {*methods, *comparisons} <= set(_RANKED):
        text += f" Methods that are not of ranks take the costs {_NORMALISED[inference.get('normalise', 'e2')]}."
        if {"permutation", "synchronised", "synchronised_pairs"} & {*methods, *comparisons}:
            text += (
                f" Rearrangements are all counted where they are few, else "
                f"{display.count(inference.get('permutations', 9999))} are "
                "drawn at random."
            )
    return text
