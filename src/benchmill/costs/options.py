"""Settings that every kind of measure has; the module of a kind adds its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmill.core import beside
from benchmill.core.options import Checked, option
from benchmill.registry.measures import Described, Measure

#: What `aggregate` of a kind means, whichever words it allows.
AGGREGATE = """How the trials of a problem become one cost. For running times and stated costs also `ert`: what all trials spent
together, a failure counting its budget or time limit, divided by the number of successes; and `success_performance`: the mean
of the successes divided by their share."""
#: What `floor` of a kind means whose costs are distances or gaps.
FLOOR = """Costs below the floor count as the floor, because the study does not tell them apart, and ratios need costs above 0.
Values that are not distances to an optimum may not lie below it. Solvers stop at a gap, often 1e-4 by default, so gaps below it
do not tell them apart."""
#: What `shift` of a kind means whose costs need not be positive.
SHIFT = "Added to every cost before the ratios (they need positive costs). The ratios depend on it."


@dataclass(frozen=True, kw_only=True)
class Options(Checked, Described):
    """Settings of every kind; each kind whose definition does not say it adds `aggregate`."""


@dataclass(frozen=True, kw_only=True)
class OfSolverRuns(Options):
    """Settings of a kind that has a summary of solver runs."""

    mean_shift: float | None = option(
        """Shift of the geometric means of solver runs; by default 10 for costs as stated and wall times (seconds),
        1 for nodes, iterations and integrals (seconds), and 0.01 for gaps (one per cent).""",
        None,
        minimum=0,
    )
    shift: float = option(SHIFT, 0.0, minimum=0)

    @property
    def usual_shift(self) -> float:
        """Return the shift where none is set."""
        return 1.0

    @property
    def geometric_shift(self) -> float:
        """Return the shift of geometric means in force."""
        return self.usual_shift if self.mean_shift is None else self.mean_shift


def kinds(module: str, **made_by: tuple[Callable[..., Any], type[Options]]) -> tuple[Measure, ...]:
    """Return the kinds of measure that the file beside a module describes, each with its function and its settings."""
    return tuple(
        Measure(name=name, function=made_by[name][0], options=made_by[name][1], **beside.fixed(facts))
        for name, facts in beside.toml(module).items()
    )
