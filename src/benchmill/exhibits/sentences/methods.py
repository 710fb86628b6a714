"""Write the method section from the settings in force, for paper and page."""

from collections.abc import Iterable, Sequence

from benchmill.core.intervals import FEWEST
from benchmill.core.keys import FAMILY
from benchmill.core.options import Given
from benchmill.exhibits.sentences.settings import Settings
from benchmill.registry.figures import KINDS
from benchmill.registry.indicator_options import Ecdf
from benchmill.registry.inference import (
    COMPARISONS,
    CORRECTIONS,
    POSTERIORS,
    TESTS,
    BayesianComparison,
    Comparison,
    Options,
)
from benchmill.registry.variants import RESAMPLES
from benchmill.text import display
from benchmill.text.measures import Measure
from benchmill.text.variants import Profile


def methods(config: Given) -> list[tuple[str, str]]:
    """Return headings and paragraphs that say how the results of a study are made, by its settings with every default filled in.

    A `[key]` in brackets names an entry of the bibliography.
    """
    study = Settings.parsed(config)
    kinds = [measure.kind for measure in study.measures.values()]
    paragraphs = {
        "Problems and trials": [_problems(study)],
        "Measures": [_measure(measure, measure in study.summarised) for measure in study.measures.values()],
        "Runs of solvers": [_solver_runs(study)] if study.summarised else [],
        "Performance profiles": [_PROFILES] if study.profiles else [],
        "Profiles": [_variants(study.profiles)] if study.profiles else [],
        "Expected running times": [_running_times(study)] if any(kind.running_times for kind in kinds) else [],
        "Running time distributions": [_ecdf(study.aggregated)] if study.aggregated else [],
        "Statistical inference": [_inference(study)] if study.inference.methods else [],
        "Tests": [_tests(study.inference, [one for one in study.measures.values() if not one.described])]
        if study.inference.methods
        else [],
    }
    if kinds and study.not_competing:
        paragraphs["Measures"].append(f"Not competing, and in no comparison: {display.listed(study.not_competing)}.")
    return [(heading, " ".join(texts)) for heading, texts in paragraphs.items() if texts]


def reading(figures: Iterable[Given]) -> list[tuple[str, str]]:
    """Return the heading and paragraph on how to read figures, what holds for all of a kind said once.

    None if there is nothing to say.
    """
    shown = {figure["kind"] for figure in figures}
    sentences = dict.fromkeys(sentence for kind in KINDS.values() if kind.name in shown for sentence in kind.reading)
    return [("Figures", " ".join(sentences))] if sentences else []


def _problems(study: Settings) -> str:
    keys = study.problem_keys
    left = [key for key in ("instance", "run") if key not in keys]
    return display.joined(
        f"A problem is a combination of {display.listed(keys)}." if len(keys) > 1 else "",
        f"Runs that differ only in {display.listed(left)} are trials of the same problem." if left else "",
        "Costs are minimised; a failed trial costs ∞. Missing trials are not failures, and are counted separately.",
    )


_AGGREGATE = {
    "ert": "The trials of a problem become one cost by the expected running time [hansen2021].",
    "success_performance": "The trials of a problem become one cost by success performance: the mean of the successes over the "
    "success rate.",
    "mean": "The trials of a problem become one cost by their mean, infinite with any failure.",
    "median": "The trials of a problem become one cost by their median, failures counting as infinite.",
}
_MISSING = {
    "common": "A problem without trials of an algorithm is left out for all.",
    "failure": "A problem without trials of an algorithm counts as its failure.",
}


def _measure(measure: Measure, summarised: bool) -> str:
    what = "Distances to an optimum" if measure.kind.values else "Numbers"
    half_life, unit = measure.half_life, f" {measure.unit}" if measure.unit else ""
    return display.joined(
        f"{measure.called[0].upper()}{measure.called[1:]}: {measure.phrase}.",
        f"{what} below {display.target(measure.floor)} are set to that value." if measure.floor is not None else "",
        f"Moments have weights that halve every {display.target(half_life)} s [berthold2021]." if half_life is not None else "",
        f"{display.target(measure.shift)} is added to every cost; the ratios depend on it." if measure.shift else "",
        f"Shift of its geometric means: {display.target(measure.mean_shift)}{unit}." if summarised else "",
        "" if measure.kind.aggregate or measure.described else _AGGREGATE.get(measure.aggregate, ""),
        _MISSING.get(measure.missing, ""),
        f"Left out: {display.listed(list(map(str, measure.exclude)))}." if measure.exclude else "",
    )


def _solver_runs(study: Settings) -> str:
    """Say what the summary of solver runs takes means of, and how."""
    text = (
        "A run ends solved, at a limit, with an error, with a wrong answer (its claim contradicts the best-known value), or "
        "otherwise. Solvers are ranked by the shifted geometric mean of their costs t [achterberg2007], that of t + s minus "
        "the shift s, a failure counting its limit; PAR2 and PAR10 are means in which it counts two and ten. Runs of an "
        "instance with different seeds share its weight; subsets by the slowest solver's time are those of [achterberg2013]. "
        f"Intervals are Student’s at level {study.indicators.summary.level:g}, of mean logarithms over clusters, longer on the "
        "side of the longer tail [hall1992]; those of ratios hold jointly for all pairs, by flips of the signs of whole "
        f"clusters [romano2005]. There are none over fewer than {FEWEST['limit']} clusters, or where one more failure would "
        "raise the upper end by more than half. The virtual best solver takes, on each instance, the solver with the smallest "
        "mean cost there, a failure counting ten limits."
    )
    as_is = [measure.called for measure in study.summarised if measure.kind.summarised == "as_is"]
    if not as_is:
        return text
    return (
        f"{text} For {display.listed(as_is)} every run counts its own value, solved or not; a solver that has a run without one "
        "has a mean only over the instances on which every run has a value."
    )


_PROFILES = (
    "The performance ratio of an algorithm on a problem is its cost over the smallest of any algorithm there; the profile ρ(τ) "
    "is the share of problems (with several targets or budgets, of pairs) with a ratio of at most τ [dolan2002]. τ_max is the "
    "largest finite ratio unless set otherwise. The area under the profile over [1, τ_max] is exact [barbosa2010]; that over "
    "log τ is of natural logarithms. Failures add nothing. Adding an algorithm may change the smallest cost of a problem and "
    "thus all ratios."
)


def _variants(profiles: Sequence[Profile]) -> str:
    text = display.listed(list(map(_variant, profiles)))
    return display.joined(
        f"{text[0].upper()}{text[1:]}.",
        # what is dropped is said of each
        ""
        if all(profile.unsolved == "drop" for profile in profiles)
        else "Problems that no algorithm solved stay in the denominator.",
    )


def _variant(profile: Profile) -> str:
    facts = [
        *profile.facts,
        f"pointwise bands at level {profile.level:g}, {RESAMPLES} resamples of {profile.bands}" if profile.bands else "",
        f"one for each {display.listed(profile.by)}" if profile.by else "",
        *(f"problems: {name}" for name in profile.groups),
        f"problems weighted by {profile.weighted}" if profile.weighted else "",
        f"τ_max = {display.number(profile.tau_max, 4)}" if profile.tau_max else "",
        "problems that no algorithm solved dropped" if profile.unsolved == "drop" else "",
    ]
    facts_listed = "; ".join(filter(None, facts))
    return f"{display.words(profile.name)}{profile.entry.citation}{f' ({facts_listed})' if facts_listed else ''}"


_CHARGED = {
    "own": "its own budget",
    "max": "the largest budget of the algorithm on the problem",
    "common": "one common budget, at which all trials are cut",
}


def _running_times(study: Settings) -> str:
    level, alpha = study.indicators.level, display.target(study.inference.alpha)
    return display.joined(
        "The expected running time (ERT) of an algorithm on a problem is the evaluations of all its trials until the target over "
        "the number of trials that reached it [hansen2021]; a failed trial counts with "
        f"{_CHARGED[study.indicators.rule]}.",
        f"Its {level:.0%} interval is Student’s, of the logarithm, over the trials, longer on the side of the longer tail "
        "[hall1992]; with 5 to 15 simulated trials it covers 92 to 99% for exponential times, 81 to 84% where all succeed and "
        "the logarithm has a standard deviation of 2."
        if level
        else "",
        "A star marks the smallest ERT on a problem where rank-sum tests on the trials against every other algorithm all "
        f"have p ≤ {alpha} after Bonferroni’s correction over problems, dimensions and targets [hansen2021]; trials are compared "
        "up to the smallest budget of a failure of the two.",
    )


def _ecdf(ecdf: Ecdf) -> str:
    targets = ecdf.targets
    span = (
        f"{display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))}"
        if len(targets) > 1
        else f"the target {display.target(targets[0])}"
        if targets
        else "all targets"
    )
    unit = "evaluations divided by the dimension" if ecdf.per_dimension else "evaluations"
    weights = {
        "instance": "Every pair has the same weight, within a pair every instance, and within an instance every trial.",
        "trial": "Every pair has the same weight, and within a pair every trial.",
        "pooled": "Every trial has the same weight, so that pairs with more trials weigh more.",
    }[ecdf.weight]
    restarts = "Trials are taken as they are; no restarts are simulated."
    if ecdf.restarts:
        restarts = (
            f"Restarts are simulated: each failed trial starts {display.plural(ecdf.restarts, 'simulated run')}, in which "
            "trials of the algorithm on the problem are drawn until one reaches the target, and all evaluations are added."
        )
    return (
        "The empirical cumulative distribution of running times [hansen2021] is the share of (problem, target) pairs reached "
        f"within a given number of {unit}, with {span}. {weights} {restarts} Pairs that were not reached stay in the denominator."
    )


_NORMALISED = {
    "none": "they are",
    "e1": "errors relative to the lower bound",
    "e2": "positions between the lower (0) and the upper bound (1)",
    "log": "their decimal logarithms",
    "ranks": "their ranks within the block",
}


def _inference(study: Settings) -> str:
    primary, alpha = study.primary, display.target(study.inference.alpha)
    family = "family (where the data show that problems of a family are alike; otherwise each problem is one)"
    keys = [family if key == FAMILY else key for key in study.cluster_keys]
    compared = f"all pairs with {study.control}" if study.control else "all pairs"
    named = f"the measure {study.measures[primary.measure].called}" if primary.measure else "the first measure"
    pooled = display.listed([display.target(t) for t in primary.targets]) if primary.targets else "all of them"
    return (
        f"Problems that agree in {display.listed(keys)} are one cluster, at all dimensions, targets and budgets. In every cell "
        "(a problem at one target or budget) an algorithm scores 1, 0 or −1 against another one if its cost is smaller, equal "
        "(as two failures are) or larger, with several runs the mean over their pairs; the net share of wins is the mean of "
        "scores over cells, then over clusters. Pairs are tested by flips of the signs of whole clusters with step-down max-T "
        f"[westfall1993] [romano2005] at α = {alpha}, and only where a permutation of the algorithms’ labels within clusters "
        "rejects that all are equal; flips are drawn until chance no longer decides [gandy2009], and what stays open counts "
        f"as not shown. The clusters are a sample of problems like these. The primary analysis is of {named}, targets or "
        f"budgets pooled ({pooled}), and of {compared}; pairs by all other measures and at every target, budget and stratum "
        "are a second family behind the same test. Other tests treat problems as independent; nothing is claimed from them. "
        f"Ratios of costs in sentences are geometric means over the cells in which both succeed.{_claims(study.claims)}"
    )


def _claims(stated: Sequence[str] | None) -> str:
    """Say how claims are examined, if the study has any."""
    if stated is not None and not stated:
        return ""
    whose = "The claims of the headline, made after the data were seen, are" if stated is None else "The study's claims are"
    return (
        f" {whose} also examined under other conventions: targets, problems, means of the runs, criteria and tests, and "
        "without single algorithms and clusters [simonsohn2020]; these are a sensitivity analysis, not further tests."
    )


def _tests(inference: Options, measures: Iterable[Measure]) -> str:
    methods = [TESTS[name] for name in inference.methods or ()]
    comparisons = [COMPARISONS[name] for name in inference.comparisons or ()]
    believed = [POSTERIORS[name] for name in inference.bayes]
    levels = [word for word in ("target", "budget") if any(len(getattr(one, f"{word}s")) > 1 for one in measures)]
    apart = [f"every {word}" for word in [*levels, *inference.stratify]]
    return display.joined(
        _blocks(inference),
        _normalised(inference) if any(method.normalised for method in [*methods, *comparisons, *believed]) else "",
        f"Whether all algorithms are equal is tested at the level α = {display.target(inference.alpha)}"
        f"{f', separately for {display.listed(apart)}' if apart else ''}, by "
        f"{display.listed([test.cited_phrase for test in methods], limit=len(methods))}.",
        _compared(inference, comparisons) if comparisons else "",
        _believed(inference, believed) if believed else "",
    )


def _blocks(inference: Options) -> str:
    if inference.design != "replicated":
        return "Problems are blocks, with one aggregated cost of every algorithm."
    return display.joined(
        "Problems are blocks; the trials of an algorithm on a block are its runs.",
        "Cells of algorithm and block enter with as many runs each as the smallest has, drawn at random."
        if "subsample" in inference.unbalanced
        else "Cells of algorithm and block enter with the same number of runs each.",
        f"A failure counts {display.target(inference.failure)} times its budget." if inference.failure else "",
    )


def _normalised(inference: Options) -> str:
    by = inference.normalise
    kind, known = (by, False) if isinstance(by, str) else (next(iter(by)), True)
    bounds = " with the known bounds" if known else " with the smallest and largest cost seen on the block as bounds"
    return (
        "Where costs of different blocks have to be comparable, they enter as "
        f"{_NORMALISED[kind]}{bounds if kind in ('e1', 'e2') else ''}."
    )


def _compared(inference: Options, comparisons: Sequence[Comparison]) -> str:
    own = [comparison.phrase for comparison in comparisons if comparison.correction]
    first = CORRECTIONS[inference.corrections[0]].cited_phrase
    allow = "which already allows for it" if len(own) == 1 else "which already allow for it"
    but = f", except by {display.listed(own, limit=len(own))}, {allow}" if own else ""
    return display.joined(
        f"All pairs are compared by {display.listed([one.cited_phrase for one in comparisons], limit=len(comparisons))}.",
        f"Their p values are given with {first}{but}." if len(own) < len(comparisons) else "",
        "The minimum significant difference (MSD) turns means or average ranks into intervals [chiarandini2005]."
        if any(comparison.common_msd for comparison in comparisons)
        else "",
    )


def _believed(inference: Options, believed: Sequence[BayesianComparison]) -> str:
    named = display.listed([f"{one.cited_phrase} (of the {one.scale})" if one.scale else one.cited_phrase for one in believed])
    scale = "" if all(one.scale for one in believed) else " on the normalised scale"
    return (
        "The probabilities that one of a pair is practically better, or that both are practically equal (differences within "
        f"±{display.target(inference.rope)}{scale}), are given by {named}."
    )
