"""Settings that every kind of measure has; the module of a kind adds its own."""

from dataclasses import dataclass

from benchmill.core.options import Checked, option
from benchmill.registry.measures import Described


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

    @property
    def usual_shift(self) -> float:
        """Return the shift where none is set."""
        return 1.0

    @property
    def geometric_shift(self) -> float:
        """Return the shift of geometric means in force."""
        return self.usual_shift if self.mean_shift is None else self.mean_shift


#: What `aggregate` of a kind means, whichever words it allows.
AGGREGATE = """How the trials of a problem become one cost. Of running times and stated costs also `ert`: what all of them spent,
each failure its budget or time limit, over the number of successes; and `success_performance`: the mean of the successes over
their share."""
#: What `floor` of a kind means whose costs are distances or gaps.
FLOOR = """Costs below it count as it, because the study does not tell them apart, and ratios need costs above 0. Of values that
are no distances to an optimum none may be below it. Solvers stop at a gap, by default often 1e-4, and do not differ in what they
leave open below it."""
#: What `shift` of a kind means whose costs need not be positive.
SHIFT = "Added to every cost before the ratios (they need positive costs). The ratios depend on it."
