"""The kinds of figure, and what each needs of a study: the one place that configuration, plan, texts and drawing read it from."""

from dataclasses import dataclass

from benchmill.registry.entry import Entry, Registry


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of figure: what it shows, and which tables it is drawn from.

    Attributes
    ----------
    shows : str
        `profiles` of measures; `costs` of measures; `tests` of measures; `indicators` of a measure; `runs`, of a measure with a
        summary of solver runs; `curves` and `claims`, which are of no measure.
    tables : tuple of str
        Below the study's folder, with `{measure}`, `{variant}`, `{source}` or `{aggregation}` for what a figure is asked for.
    of_runs : tuple of str
        Further ones, of measures with a summary of solver runs.
    measures : int or None
        How many measures a figure shows; None: any number.
    all_variants : bool
        Whether all variants are shown unless the study names some; else the first.
    running_times : bool
        Whether it shows measures of fixed targets only.
    needs : str
        Key of the study's settings that must not be empty; empty for none.
    listed : str
        Key of the study's settings in which the measure must be named; empty where it needs not.
    each : str
        Every study has one for each `profile`, `aggregation`, `measure` with tests, `summary` of solver runs or aggregation of
        `values`; empty for a kind that has to be asked for.
    replicated : bool
        Whether only studies that test single runs have it.
    drawn : str
        The table of which rows make one panel, for the module's `plot`, which draws it into given axes; empty where only a whole
        figure can be drawn.
    panel : tuple of str
        The columns of that table that tell one panel from another.
    main : bool
        Whether the main text of the paper has the first of each measure; the others stand in its appendix.
    reading : tuple of str
        Sentences that hold for every figure of the kind: the methods say them once, its captions do not.
    """

    room = "benchmill.exhibits.figures"

    shows: str
    tables: tuple[str, ...]
    of_runs: tuple[str, ...] = ()
    measures: int | None = 1
    all_variants: bool = False
    running_times: bool = False
    needs: str = ""
    listed: str = ""
    each: str = ""
    replicated: bool = False
    drawn: str = ""
    panel: tuple[str, ...] = ()
    main: bool = False
    reading: tuple[str, ...] = ()

    @property
    def of_profiles(self) -> bool:
        """Return True if it shows variants of profiles."""
        return self.shows == "profiles"


_PROFILE = ("profiles/{measure}/{variant}", "profile_measures/{measure}/{variant}")
_MEASURES = "profile_measures/{measure}/{variant}"
_POINT = ("target", "at_budget", "stratum")
_PROBLEM = ("suite", "problem", "instance")

_MARKERS = "In figures of profiles, a marker in the margin shows ρ(τ_max); the share above it is not solved within τ_max."
_RANKS = (
    "Ranks are means over the problems; equal costs share the mean of their ranks, and failures on a problem are equal and last."
)
_WINS = (
    "Of a profile, ρ(1) is the share of problems on which an algorithm is best or ties, ρ(τ_max) the share that it solves within "
    "τ_max, and τ* the smallest τ at which it has solved everything."
)

#: In the order of the gallery; apart from the modules that they describe, which import Matplotlib: each start reads them.
ENTRIES = (
    Kind(
        name="profile",
        module="benchmill.exhibits.figures.profiles",
        words="one profile",
        shows="profiles",
        tables=_PROFILE,
        each="profile",
        drawn="profiles",
        panel=("dimension", "target"),
        main=True,
        reading=(_MARKERS,),
    ),
    Kind(
        name="profiles",
        words="several profiles, side by side or overlaid",
        shows="profiles",
        tables=_PROFILE,
        measures=None,
        all_variants=True,
        reading=(_MARKERS,),
    ),
    Kind(
        name="auc_bars",
        words="areas under profiles",
        shows="profiles",
        tables=(_MEASURES, "profile_intervals/{measure}/{variant}"),
        measures=None,
        drawn="profile_measures",
        panel=("dimension", "target"),
    ),
    Kind(
        name="parallel_coordinates",
        words="areas, wins and reliability on parallel axes",
        shows="profiles",
        tables=(_MEASURES,),
        measures=None,
        drawn="profile_measures",
        panel=("dimension", "target"),
        reading=(
            _WINS,
            "On parallel axes τ_min/τ* is the smallest τ* of any algorithm over its own; it is 0 if some problem is never "
            "solved.",
        ),
    ),
    Kind(
        name="pareto_fronts",
        words="wins against reliability",
        shows="profiles",
        tables=(_MEASURES,),
        measures=None,
        drawn="profile_measures",
        panel=("dimension", "target"),
        reading=(_WINS, "No algorithm beats one on the Pareto front on one axis without losing to it on the other."),
    ),
    Kind(
        name="outcomes",
        words="how runs of solvers ended, and what each adds",
        shows="runs",
        tables=("summary/{measure}",),
        drawn="summary",
        each="summary",
        main=True,
        reading=(
            "A solver alone solves the instances that no other competing solver solves; the single best solver is the competing "
            "one with the smallest shifted geometric mean, a failure counting its limit.",
        ),
    ),
    Kind(
        name="cactus",
        module="benchmill.exhibits.figures.runs",
        words="times over the number of instances solved",
        shows="runs",
        tables=("solver_runs/{measure}",),
        drawn="solver_runs",
        each="summary",
        main=True,
        reading=(
            "Cactus plots show times as they are, not ratios to the best solver, so no curve depends on other solvers; an "
            "unsolved run counts as unsolved at every time, even if it ended before its limit.",
        ),
    ),
    Kind(
        name="scatter",
        words="costs of algorithms against each other",
        shows="costs",
        tables=("ratios/{measure}",),
        of_runs=("solver_runs/{measure}",),
        drawn="ratios",
        reading=("Points on the diagonal cost both algorithms the same; the dotted lines beside it are ratios of 2 and 10.",),
    ),
    Kind(
        name="ecdf",
        words="ECDF curves",
        shows="curves",
        tables=("ecdf/{aggregation}", "ecdf_curves/{aggregation}"),
        measures=0,
        each="aggregation",
        drawn="ecdf",
        panel=("suite", "group", "problem", "dimension", "target"),
        main=True,
        reading=("Beyond the largest budget of an algorithm its curve holds its last value.",),
    ),
    Kind(
        name="value_ecdf",
        words="ECDF curves of values",
        shows="costs",
        tables=("value_ecdf/{measure}/{aggregation}",),
        each="values",
        drawn="value_ecdf",
        panel=("suite", "group", "problem", "dimension", "at_budget"),
        main=True,
    ),
    Kind(
        name="scaling",
        words="ERT against dimension",
        shows="indicators",
        tables=("indicators/{source}",),
        running_times=True,
        drawn="indicators",
        panel=(*_PROBLEM, "target"),
    ),
    Kind(
        name="running_time",
        module="benchmill.exhibits.figures.scaling",
        words="ERT against target",
        shows="indicators",
        tables=("indicators/{source}",),
        running_times=True,
        drawn="indicators",
        panel=(*_PROBLEM, "dimension"),
    ),
    Kind(
        name="convergence",
        words="median values with quantile bands",
        shows="curves",
        tables=("attainment/{source}",),
        measures=0,
        drawn="attainment",
        panel=(*_PROBLEM, "dimension"),
        reading=(
            "After its last improvement a trial keeps its value; the share p of n trials is the k-th best of them, k = pn "
            "rounded up.",
        ),
    ),
    Kind(
        name="density",
        words="densities of costs",
        shows="indicators",
        tables=("densities/{source}",),
        drawn="densities",
        panel=(*_PROBLEM, "dimension", "target", "at_budget"),
        reading=(
            "Densities have the same height, and are cut at 0 where their kernels reach below; an algorithm without one has no "
            "trial with a finite cost.",
        ),
    ),
    Kind(
        name="kaplan_meier",
        words="shares unsolved over time, with stopped runs counted as such",
        note="needs `indicators.kaplan_meier`",
        shows="indicators",
        tables=("kaplan_meier/{measure}", "restricted_means/{measure}"),
        needs="indicators.kaplan_meier.measures",
        listed="indicators.kaplan_meier.measures",
        drawn="kaplan_meier",
        panel=("suite", "dimension", "target"),
        reading=(
            "In Kaplan–Meier curves a failed run was ongoing until it was stopped. They extend to the horizon up to which "
            "every algorithm was followed on every problem, or to the one that the study states.",
        ),
    ),
    Kind(
        name="aocc",
        words="areas over convergence curves",
        shows="curves",
        tables=("convergence/{source}",),
        measures=0,
        drawn="convergence",
        panel=("suite", "dimension"),
        reading=(
            "The area over the convergence curve (AOCC) is the mean, over the logarithm of the evaluations, of the share of "
            "targets that a trial has reached: the area under the ECDF of infinitely many targets. A trial that stopped keeps "
            "its value.",
        ),
    ),
    Kind(
        name="specification_curve",
        words="how far a claim holds: its effect under every convention",
        references=("simonsohn2020",),
        shows="claims",
        tables=("claims",),
        measures=0,
        reading=("Intervals are adjusted as p is; conventions are a sensitivity analysis, not further tests.",),
    ),
    Kind(
        name="intervals",
        words="intervals within which algorithms are not shown to differ",
        shows="tests",
        tables=("intervals/{measure}", "designs/{measure}"),
        each="measure",
        replicated=True,
        drawn="intervals",
        panel=("method", *_POINT),
        main=True,
        reading=(
            _RANKS,
            "Where two bars of ± MSD/2 do not overlap, the algorithms differ by more than the minimum significant difference "
            "(MSD).",
        ),
    ),
    Kind(
        name="critical_differences",
        words="average ranks with bars over algorithms that are not shown to differ",
        shows="tests",
        tables=("ranks/{measure}", "comparisons/{measure}", "tests/{measure}"),
        needs="inference.comparisons",
        each="measure",
        drawn="ranks",
        panel=_POINT,
        main=True,
        reading=(_RANKS, "The minimum significant difference (MSD) drawn in a panel holds for all of its pairs."),
    ),
    Kind(
        name="effects",
        words="one algorithm against each other, with simultaneous intervals",
        shows="tests",
        tables=("verdicts", "leaders"),
        drawn="verdicts",
        panel=_POINT,
        reading=(
            "The net share of wins is the share of problems on which an algorithm is better minus the share on which it is "
            "worse; its interval excludes 0 if and only if the difference is significant.",
        ),
    ),
)

#: With those of installed packages, whose modules have such a tuple.
KINDS = Registry(Kind, "benchmill.exhibits.figures", __name__)
