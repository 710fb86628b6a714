"""Options of indicators that more than their own jobs read."""

from collections.abc import Mapping, Sequence
from typing import Literal

from benchmill.core import Amounts, Names, UserError, record
from benchmill.core.options import GROUPS, LEVEL, TARGETS, TARGETS_MEANING, Checked, listed_targets, option, some
from benchmill.core.traces import SCALE, Scale

#: Aggregation of running times -> keys that tell the curves apart (beside the algorithm).
AGGREGATIONS = {
    "trial": ["suite", "problem", "dimension", "target"],
    "target": ["suite", "problem", "dimension"],
    "problem_per_target": ["suite", "dimension", "target"],
    "problem": ["suite", "dimension"],
    "group": ["suite", "group", "dimension"],
    "dimension": ["suite"],
}
#: What an aggregation is called where values at budgets take the place of running times to targets.
OF_BUDGETS = {"target": "budget", "problem_per_target": "problem_per_budget"}
#: `own`: what the trial itself spent (COCO). `max`: the largest budget of any trial of the cell (IOHanalyzer). `common`: all
#: trials are cut at one budget (the definition of IOHprofiler), the stated one or the smallest of a failure of the cell.
BUDGET_RULES = ("own", "common", "max")


def of_budgets(aggregate: Sequence[str]) -> list[str]:
    """Return what values at budgets are averaged over, where running times to targets are averaged so."""
    return [OF_BUDGETS.get(name, name) for name in aggregate if name != "dimension"]


@record
class Ecdf(Checked):
    """Settings of ECDF curves of running times."""

    targets: tuple[float, ...] = option(TARGETS_MEANING, {"from": 100, "to": 1e-8, "number": 51}, **TARGETS)
    scale: Scale = option(SCALE, "logged", format="once")
    aggregate: Names = option(
        """What is averaged over: `trial` the trials alone (a curve per problem and target), `target` the targets of a problem,
        `problem_per_target` the problems (a curve per target), `problem` both, `group` both within groups of problems,
        `dimension` also the dimensions. Values that measures of kind `fixed_budget` reach are averaged alike, over budgets for
        targets, but not over dimensions.""",
        ("target", "problem", "dimension"),
        uniqueItems=True,
        items={"enum": list(AGGREGATIONS)},
    )
    x: Literal["evaluations_per_dimension", "evaluations"] = option("Unit of the running time.", "evaluations_per_dimension")
    weight: Literal["instance", "trial", "pooled"] = option(
        """How the trials of a problem and target weigh: each `instance` the same and within it each trial, each `trial` the same,
        or all trials of a curve `pooled` (then problems with more trials weigh more).""",
        "instance",
    )
    groups: Mapping[str, Sequence[str]] | str | None = option(
        """For the aggregation `group`: the problems of each group by its name, or `bbob` for the five classes of the BBOB
        functions, or the name of an attribute of problems. A problem may be in several.""",
        None,
        **GROUPS,
    )
    restarts: int = option(
        """Simulated restarts: how many simulated runs each failed trial starts; 0 takes the trials as they are. A target that no
        trial of the algorithm reached stays unsolved.""",
        0,
        minimum=0,
    )
    bands: bool = option("Whether curves have pointwise bands; not with restarts.", False)
    level: float = option("Probability that a band covers its curve at any one x.", 0.95, **LEVEL)
    area_to: float | None = option(
        """Right end of the areas under curves, in the unit of x; they begin at 1. By default the largest budget that any trial
        of the study spent.""",
        None,
        exclusiveMinimum=1,
    )

    section = "ecdf: "

    def __post_init__(self) -> None:
        super().__post_init__()
        # the default too is a grid
        object.__setattr__(self, "targets", listed_targets(self.targets))
        if self.restarts and self.bands:
            raise UserError(
                "ecdf: restarts and bands are both asked for, but bands are of trials as they are; choose one of them."
            )

    @property
    def per_dimension(self) -> bool:
        """Return True if running times are divided by the dimension."""
        return self.x != "evaluations"


@record
class Attainment:
    """How convergence to values is read."""

    shares: tuple[float, ...] = some(
        "Shares of the trials, each of which has a curve: the value that this share of them has reached.",
        (0.25, 0.5, 0.75),
        items={"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    )
    scale: Scale = option(SCALE, "logged", format="once")
    between: tuple[float, float] = option(
        "The smaller and the larger bound of the values for the AOCC.",
        (1e-8, 100),
        type="array",
        items={"type": "number"},
        minItems=2,
        maxItems=2,
    )
    value_log: bool = option("Whether values are taken on a logarithmic scale.", True)
    budget: float = option(
        "End of the AOCC in evaluations per dimension; it starts at the first evaluation.", 1000, exclusiveMinimum=0
    )


@record
class Summary:
    """Settings of the summary of solver runs."""

    measures: Names | None = option(
        """Measures that are summarised: of kind `given` (by default all of them, where sources are runs of solvers), and gaps and
        integrals.""",
        None,
        type=["array", "null"],
        uniqueItems=True,
        items={"type": "string"},
    )
    brackets: tuple[float, ...] = option(
        """Subsets that are summarised too: the instances that some solver solves and on which the slowest one takes at least
        this much. 0 and all instances are always included.""",
        (1, 10, 100),
        uniqueItems=True,
        items={"type": "number", "exclusiveMinimum": 0},
    )
    by: str | None = option(
        """Classes of problems that are summarised too, each by itself: `suite`, `dimension`, or an attribute of problems
        (`attributes`). A problem without a class is in none.""",
        None,
    )
    level: float = option("Probability that an interval of a mean or ratio, over clusters of instances, covers.", 0.95, **LEVEL)
    #: Whether failed runs count costs of their own, which the kind of the measure says.
    as_is: bool = False
    #: What the costs are of the runs of solvers, which the measure says.
    quantity: str = "cost"


@record
class Ert(Checked):
    """How failures are charged, and what is described of the costs of a problem."""

    budget_rule: str | Amounts = option(
        """What a failed trial is charged in ERT and the statistics: its `own` budget, the `max` of any trial of the algorithm on
        the problem, or one `common` budget at which all trials are cut: the smallest that a failed trial of the algorithm on the
        problem and target spent, or a stated one in evaluations per dimension, `{common: 1000}`.""",
        "own",
        oneOf=[
            {"type": "string", "enum": list(BUDGET_RULES)},
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["common"],
                "properties": {"common": {"type": "number", "exclusiveMinimum": 0}},
            },
        ],
    )
    quantile_type: Literal[7, 3] = option(
        "How quantiles are read (Hyndman and Fan); 7 interpolates, 3 takes an observed value.", 7
    )
    level: float = option(
        "Coverage probability of intervals, and of bands at each point of their curve.",
        0.95,
        exclusiveMinimum=0,
        exclusiveMaximum=1,
    )

    @property
    def rule(self) -> str:
        """The name of the budget rule."""
        return self.budget_rule if isinstance(self.budget_rule, str) else "common"
