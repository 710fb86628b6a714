"""The criteria by which algorithms are ranked: numbers read off a profile, and off the costs it is made from."""

from benchmill.core import frozen
from benchmill.registry.entry import Entry, Function, Names, Registry


@frozen
class Criterion(Entry):
    """A criterion that algorithms are ranked by.

    Attributes
    ----------
    column : str
        The column of `profile_measures` that holds its values; empty where it is computed from the costs.
    ranks : str
        The column of `profile_measures` that holds its ranks, where the values alone do not give them.
    function : callable
        Computes it from costs (n_algorithms, n_problems) and the weights of the problems; None for a column.
    of_rates : bool
        Whether only measures have it whose costs are 1 / rate.
    repeats : str
        The criterion that ranks alike where no weights, and no smooth profiles, tell the two apart.
    of_runs : bool
        Whether it is of random costs, which one cost a problem does not have.
    beside : tuple of str
        What a score of competitions takes other measures for, by `primary.beside`; what it can do without ends in `?`. Scores are
        functions of `benchmill.profiles.scoring.Runs`.
    """

    symbol: str = ""
    larger_is_better: bool = True
    column: str = ""
    ranks: str = ""
    function: Function | None = None
    of_rates: bool = False
    repeats: str = ""
    of_runs: bool = False
    beside: Names = ()


class Score(Criterion):
    """A criterion of a competition; its function takes `benchmill.profiles.scoring.Runs`."""


CRITERIA = Registry(Criterion, "benchmill.criteria", "benchmill.profiles.measures")

#: Scores of competitions: none is made unless a study names it.
SCORES = Registry(Score, "benchmill.scores", "benchmill.profiles.scoring")


def headlines() -> dict[str, Criterion]:
    """Return what a study can name as its headline: who comes first. Random costs have no one order."""
    return {name: criterion for name, criterion in CRITERIA.items() if not criterion.of_runs} | {**SCORES}


#: The headline, and by what the ranks of all measures are added up, unless a study says otherwise.
DEFAULT = "auc_log"

#: The headline of costs without ratios, which are not all positive.
OF_ANY_COST = "average_rank"


def named(name: str) -> Criterion:
    """Return a criterion of profiles, or a score of competitions."""
    return CRITERIA.get(name) or SCORES[name]
