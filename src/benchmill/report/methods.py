"""Write the method section from the settings in force, for paper and page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmill.core.intervals import FEWEST
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, FAMILY
from benchmill.registry.comparisons import COMPARISONS
from benchmill.registry.corrections import CORRECTIONS, USUAL
from benchmill.registry.figures import KINDS
from benchmill.registry.measures import MEASURES
from benchmill.registry.posteriors import POSTERIORS
from benchmill.registry.tests import TESTS
from benchmill.registry.variants import VARIANTS
from benchmill.text import display, variants
from benchmill.text import measures as words


def methods(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return headings and paragraphs that say how the results of a study are made, by its settings with every default filled in.

    A `[key]` in brackets names an entry of the bibliography.
    """
    found = [("Problems and trials", _problems(config))]
    measures = config.get("measures") or {}
    if measures:
        found.append(("Measures", " ".join(_measure(name, measure) for name, measure in measures.items())))
    summarised = ((config.get("indicators") or {}).get("summary") or {}).get("measures") or []
    found += [("Runs of solvers", _solver_runs(config, summarised))] if summarised else []
    if config.get("profiles"):
        found.append(("Performance profiles", _PROFILES))
        found.append(("Profiles of this study", _variants(config)))
    if any(MEASURES[m["kind"]].running_times for m in measures.values()):
        found.append(("Expected running times", _running_times(config)))
    if (config.get("indicators") or {}).get("ecdf", {}).get("aggregate") and any(
        MEASURES[m["kind"]].traced for m in measures.values()
    ):
        found.append(("Running time distributions", _ecdf(config["indicators"]["ecdf"])))
    if (config.get("inference") or {}).get("methods"):
        found.append(("Statistical inference", _inference(config)))
        aside = list(config.get("not_competing") or [])
        without = f" Not competing, and therefore in none of the comparisons: {display.listed(aside)}." if aside else ""
        found.append(("Tests of this study", _tests(config["inference"]) + without))
    return found


def reading(figures: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the heading and paragraph on how to read figures, what holds for all of a kind said once.

    None if there is nothing to say.
    """
    shown = {figure["kind"] for figure in figures}
    said = dict.fromkeys(sentence for kind in KINDS.values() if kind.name in shown for sentence in kind.reading)
    return [("Figures", " ".join(said))] if said else []


def _problems(config: Mapping[str, Any]) -> str:
    keys = list(config.get("problem_keys") or ["suite", "problem", "dimension"])
    left = [key for key in ("instance", "run") if key not in keys]
    text = f"A problem is one combination of {display.listed(keys)}"
    text += f"; whatever differs in {display.listed(left)} alone is another trial of it." if left else "."
    return (
        f"{text} Costs are minimised. A trial that fails has an infinite cost; a trial that is missing from the logs is not "
        "a failure, and the two are counted separately."
    )


def _measure(name: str, measure: Mapping[str, Any]) -> str:
    kind = MEASURES[measure["kind"]]
    text = f"Measure {words.called({'name': name, **measure})}: {words.phrase(measure)}."
    if measure.get("floor") is not None:
        text += (
            f" {'Distances to an optimum' if kind.values else 'Numbers'} below {display.target(measure['floor'])} are set to it."
        )
    if measure.get("half_life") is not None:
        text += f" Moments have weights that halve every {display.target(measure['half_life'])} s [berthold2021]."
    text += _shift(measure)
    aggregate = {
        "ert": "The trials of a problem become one cost by the expected running time [hansen2021]: what all trials spent, a "
        "failure its own budget, over the number of successes.",
        "success_performance": "The trials of a problem become one cost by success performance: the mean of the successes "
        "over the success rate.",
        "mean": "The trials of a problem become one cost by their mean, infinite with any failure.",
        "median": "The trials of a problem become one cost by their median, failures counting as infinite.",
        "single": "There is one trial per problem.",
    }.get("" if kind.fixed_aggregate else measure.get("aggregate", ""), "")
    missing = {
        "common": "A problem on which an algorithm has no trial is left out for all algorithms.",
        "failure": "A problem on which an algorithm has no trial counts as a failure of that algorithm.",
        "error": "Every algorithm has trials on every problem.",
    }.get(measure.get("missing", ""), "")
    excluded = f"Left out: {display.listed([str(e) for e in measure['exclude']])}." if measure.get("exclude") else ""
    return " ".join(part for part in (text, aggregate, missing, excluded) if part)


def _solver_runs(config: Mapping[str, Any], names: Sequence[str]) -> str:
    """Tell what the summary of solver runs takes means of, and how."""
    summary = config["indicators"]["summary"]
    shifts, as_is = [], []
    for name in names:
        measure = {"name": name, **config["measures"][name]}
        unit = f" {measure['unit']}" if measure.get("unit") else ""
        shifts.append(f"{display.target(measure['mean_shift'])}{unit} for {words.called(measure)}")
        as_is += [words.called(measure)] if MEASURES[measure["kind"]].summarised == "as_is" else []
    aside = list(config.get("not_competing") or [])
    together = _together(config)
    text = (
        "A run ends solved, at its limit of time or memory, with an error, with a wrong answer (its claim contradicts the "
        "best-known value), or otherwise. Solvers are ranked by the shifted geometric mean of their costs, "
        f"exp(mean(log(t + s))) − s [achterberg2007], with the shift s = {display.listed(shifts)}; a failure counts its limit, "
        "whenever it came. PAR2 and PAR10 are arithmetic means in which it counts two and ten limits. Runs of an instance with "
        "different seeds together weigh as much as the single run of another. To show whether the order depends on how a failure "
        "counts, two and ten limits are counted as well, and only the instances that all solvers solve; subsets by the time of "
        f"the slowest solver are those of [achterberg2013]. Intervals are Student’s at level "
        f"{summary['intervals']['level']:g}, of "
        f"mean logarithms over clusters of instances that agree in {together}, longer on the side of the longer tail [hall1992]; "
        "those of ratios are of paired differences and hold together for all pairs of competing solvers, by the largest of "
        "their studentised means over flips of the signs of whole clusters [romano2005]. There are none over fewer than "
        f"{FEWEST['limit']} clusters, {FEWEST['x10']} where a failure counts ten limits, and none where one failure more would "
        "raise the upper end by more than half. They hold for instances like these and "
        "say nothing about other seeds. The "
        "virtual best solver takes, on each instance, the solver with the smallest mean cost there, a failure counting ten "
        "limits."
    )
    if as_is:
        text += (
            f" For {display.listed(as_is)} every run counts its own value, solved or not, also for the virtual best solver. "
            "A solver that has a run without a value has no mean over all instances, only one over the instances on which every "
            "run has a value."
        )
    return f"{text} Not competing, and therefore neither ranked nor part of it: {display.listed(aside)}." if aside else text


_PROFILES = (
    "The performance ratio of an algorithm on a problem is its cost over the smallest cost of any algorithm there. The "
    "performance profile ρ(τ) is the share of problems with a ratio of at most τ [dolan2002], a right-continuous step function; "
    "with several targets or budgets each pair of problem and target or budget counts. An infinite ratio never counts, at any τ. "
    "τ_max is the largest finite ratio of any algorithm unless set otherwise; nothing is said about larger ratios. The area "
    "under the "
    "profile over [1, τ_max] is exact, not taken on a grid [barbosa2010]; failures add nothing to it. Ties share the smallest "
    "rank, and ranks are of unrounded values. Adding an algorithm may change the smallest cost of a problem and thus all ratios."
)


def _shift(measure: Mapping[str, Any]) -> str:
    if not measure.get("shift"):
        return ""
    return (
        f" {display.target(measure['shift'])} is added to every cost because ratios need positive costs; the ratios depend on it."
    )


def _variants(config: Mapping[str, Any]) -> str:
    words = []
    for profile in config["profiles"]:
        facts = variants.facts(profile)
        if profile.get("bands"):
            bands = profile["bands"]
            facts.append(
                f"{bands['kind']} bands at level {bands['level']:g}, {bands['replicates']} resamples of {bands['resample']}"
            )
        if profile.get("by"):
            facts.append(f"one for each {display.listed(profile['by'])}")
        if profile.get("problems"):
            facts.append(f"of {display.plural(len(profile['problems']), 'problem')}: {variants.part_of(profile)}")
        if profile.get("weights", "equal") != "equal":
            facts.append(f"problems weighted by {display.words(str(profile['weights']))}")
        if profile.get("tau_max"):
            facts.append(f"τ_max = {display.number(profile['tau_max'], 4)}")
        if profile.get("unsolved") == "drop":
            facts.append("problems that no algorithm solved dropped")
        told = f" ({'; '.join(facts)})" if facts else ""
        cited = VARIANTS[profile["variant"]].citation
        words.append(f"{display.words(profile.get('name') or profile['variant'])}{cited}{told}")
    dropped = [profile.get("unsolved") == "drop" for profile in config["profiles"]]
    text = f"The study has {display.plural(len(words), 'profile')}: {display.listed(words)}."
    if not all(dropped):
        where = "the denominator of the others" if any(dropped) else "the denominator"
        text += f" Problems that no algorithm solved are kept in {where}."
    return text


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
    if intervals:
        text += (
            f" Its {intervals['level']:.0%} interval is Student’s, of the logarithm, over the trials, longer on the side of "
            "the longer tail [hall1992]. In simulations with 5 to 15 trials, 95% intervals covered the true value in "
            "92 to 99% of all cases where times were exponential, or lognormal with a standard deviation of the logarithm of 1; "
            "where it was 2 and all trials succeeded, in 81 to 84%."
        )
    alpha = display.target((config.get("inference") or {}).get("alpha", 0.05))
    return (
        f"{text} A star marks the algorithm with the smallest ERT on a problem where pairwise rank-sum tests on the "
        f"trials against "
        f"every other algorithm all have p ≤ {alpha} after Bonferroni’s correction over problems, "
        f"dimensions and targets [hansen2021]; trials "
        "are compared up to the smallest budget of a failure of the two."
    )


def _ecdf(ecdf: Mapping[str, Any]) -> str:
    targets = ecdf.get("targets") or []
    span = (
        f"{display.count(len(targets))} targets from {display.target(max(targets))} to {display.target(min(targets))}"
        if len(targets) > 1
        else f"the target {display.target(targets[0])}"
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


_NORMALISED = {
    "none": "they are",
    "e1": "the relative error (cost − c_min) / c_min",
    "e2": "the position (cost − c_min) / (c_max − c_min)",
    "log": "their decimal logarithms",
    "ranks": "their ranks within the block",
}

_UNEQUAL = {
    "equal": "the same number of runs each",
    "subsample": "as many runs each as the smallest has, drawn at random",
    "median": "their median",
    "mean": "their mean",
}


def _together(config: Mapping[str, Any]) -> str:
    """Say what problems of a cluster agree in."""
    family = "family (where the data show that problems of a family are alike; else each problem is one)"
    return display.listed([family if key == FAMILY else str(key) for key in config.get("cluster_keys") or DEFAULT_CLUSTER_KEYS])


def _inference(config: Mapping[str, Any]) -> str:
    inference, primary = config["inference"], config.get("primary") or {}
    alpha = display.target(inference.get("alpha", 0.05))
    together = _together(config)
    control = config.get("control")
    family = f"all pairs with {control}" if control else "all pairs"
    named = f"the measure {display.words(primary['measure'])}" if primary.get("measure") else "the first measure"
    pooled = display.listed([display.target(t) for t in primary["targets"]]) if primary.get("targets") else "all of them"
    return (
        f"Problems that agree in {together} belong together, at all dimensions, targets and budgets: they are one "
        "cluster, because their results depend on each other. A cell is a problem at one target or budget. In every cell an "
        "algorithm scores 1, 0 or −1 against another one if its cost is smaller, equal or larger (the mean over all pairs of "
        "runs if there are several; two failures are equal); the score of a cluster is the mean over its cells, and the net "
        "share of wins is the mean over clusters. Pairs are tested by flips of the signs of whole clusters, alike for all "
        f"pairs, with step-down max-T [westfall1993] [romano2005] at the level α = {alpha} of the family, whichever of its pairs "
        "are equal, and only where a permutation of the algorithms’ labels within clusters rejects, at the same level, that all "
        "algorithms are equal. Where there are too many flips or permutations to count, random ones are drawn until the 99.9 % "
        "interval of every p that decides leaves the level out [gandy2009]; what is still open then counts as not shown. "
        "What is found holds for problems like these, of which the clusters are a sample. The primary analysis is of "
        f"{named}, its targets or budgets pooled ({pooled}); its family is {family}. Everything else is secondary: pairs by "
        "all other measures and at every target, budget and stratum are one family, behind the same test. Most other tests "
        "treat problems as independent, and none is corrected over targets; nothing is claimed from them. A difference that is "
        "not shown is not evidence of "
        f"equality.{_claims(config)}"
    )


def _claims(config: Mapping[str, Any]) -> str:
    """Tell how claims are looked at, if the study has any."""
    stated = config.get("claims")
    if stated == []:
        return ""
    whose = "The claims of the headline, made after the data were seen, are" if stated is None else "The study's claims are"
    return (
        f" {whose} also examined under other conventions: other targets, problems, means of the runs, criteria and tests, and "
        "without single algorithms and clusters [simonsohn2020]. A claim holds if the primary analysis shows it; the "
        "conventions are a sensitivity analysis and no further tests."
    )


def _tests(inference: Mapping[str, Any]) -> str:
    alpha = display.target(inference.get("alpha", 0.05))
    replicated = inference.get("design") == "replicated"
    blocks = (
        f"{display.listed(inference['blocks'])} identify a block"
        if replicated and inference.get("blocks")
        else "Problems are blocks"
    )
    text = blocks[0].upper() + blocks[1:]
    text += (
        "; the trials of an algorithm on a block are its runs. "
        if replicated
        else ", with one aggregated cost of every algorithm. "
    )
    if replicated:
        text += f"Cells of algorithm and block enter with {_UNEQUAL[inference.get('replicates', 'equal')]}. "
        if inference.get("failure"):
            text += f"A failure counts {display.target(inference['failure'])} times its budget. "
    methods = [TESTS[name] for name in inference.get("methods") or []]
    comparisons = [COMPARISONS[name] for name in inference.get("comparisons") or []]
    believed = [POSTERIORS[name] for name in inference.get("bayes") or []]
    if any(method.normalised for method in [*methods, *comparisons, *believed]):
        kind = inference.get("normalise", "e2")
        text += f"Where costs of different blocks have to be comparable, they enter as {_NORMALISED[kind]}"
        if kind in ("e1", "e2"):
            known = inference.get("bounds") is not None or inference.get("lower") is not None
            text += (
                " with the bounds that are known" if known else " with the smallest and largest cost seen on the block as bounds"
            )
        text += ". "
    named = display.listed([test.cited_phrase for test in methods], limit=len(methods))
    strata = f" and every {display.listed(inference['stratify'])}" if inference.get("stratify") else ""
    text += (
        f"Whether all algorithms are equal is tested at the level α = {alpha}, separately for every target or budget{strata}, "
    )
    text += f"by {named}."
    if comparisons:
        text += f" All pairs are compared by {display.listed([one.cited_phrase for one in comparisons], limit=len(comparisons))}."
        own = [comparison.phrase for comparison in comparisons if comparison.correction]
        if len(own) < len(comparisons):
            first = CORRECTIONS[(inference.get("corrections") or USUAL)[0]].cited_phrase
            text += f" Their p values are given with {first}"
            allow = "allows" if len(own) == 1 else "allow"
            text += f". Already {display.listed(own, limit=len(own))} {allow} for the number of pairs." if own else "."
        if any(comparison.common_msd for comparison in comparisons):
            text += " The minimum significant difference (MSD) turns means or average ranks into intervals [chiarandini2005]."
    if believed:
        rope = display.target(inference.get("rope", 0.01))
        named = display.listed(
            [f"{one.cited_phrase} (of the {one.scale})" if one.scale else one.cited_phrase for one in believed]
        )
        scale = "" if all(one.scale for one in believed) else " on the normalised scale"
        text += (
            " The probabilities that of a pair one is practically better, or that both are practically equal (differences "
            f"within ±{rope}{scale}), are given by {named}."
        )
    return text
