"""The criteria by which algorithms are ranked: numbers read off a profile, and off the costs that it is made from."""

from __future__ import annotations

from dataclasses import dataclass

from benchmill.registry.entry import Entry

_MEASURES = "benchmill.profiles.measures"


@dataclass(frozen=True)
class Criterion(Entry):
    """A criterion that algorithms are ranked by.

    Attributes
    ----------
    column : str
        The column of `profile_measures` that holds its values; empty where it is computed from the costs.
    ranks : str
        The column of `profile_measures` that holds its ranks, where the values alone do not give them.
    function : str
        The function of `module` that computes it from costs (n_algorithms, n_problems) and the weights of the problems; empty for
        a column.
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
    function: str = ""
    of_rates: bool = False
    repeats: str = ""
    of_runs: bool = False
    beside: tuple[str, ...] = ()


def _score(name: str, words: str, symbol: str, larger_is_better: bool = False, *beside: str) -> Criterion:
    return Criterion(
        name,
        words,
        "benchmill.profiles.scoring",
        symbol=symbol,
        larger_is_better=larger_is_better,
        function=name,
        beside=beside,
    )


_ALL = (
    Criterion("auc_log", "area under the profile over log τ", _MEASURES, symbol="log AUC", column="auc_log"),
    Criterion("auc", "area under the profile over τ", _MEASURES, symbol="AUC", column="auc"),
    Criterion("rho_1", "value of the profile at τ = 1", _MEASURES, symbol="ρ(1)", column="rho_1"),
    Criterion(
        "wins",
        "number of problems on which the algorithm is (tied) best",
        _MEASURES,
        symbol="wins",
        column="wins",
        repeats="rho_1",
    ),
    Criterion(
        "win_probability",
        "expected share of problems on which one run of each makes it best",
        "benchmill.profiles.probabilistic",
        symbol="P(win)",
        column="win_probability",
        of_runs=True,
    ),
    Criterion(
        "rho_tau_max",
        "share of problems solved within τ_max",
        _MEASURES,
        symbol="ρ(τ_max)",
        column="rho_tau_max",
    ),
    Criterion(
        "rho_tau_max_tau_star",
        "share of problems solved within τ_max, ties broken by τ*",
        _MEASURES,
        symbol="ρ(τ_max), τ*",
        column="rho_tau_max",
        ranks="rank_rho_tau_max_tau_star",
    ),
    Criterion(
        "tau_star",
        "smallest τ at which the profile reaches 1",
        _MEASURES,
        note="of a smooth one almost 1",
        symbol="τ*",
        larger_is_better=False,
        column="tau_star",
    ),
    Criterion(
        "reliability", "largest ratio", _MEASURES, symbol="R", larger_is_better=False, column="reliability", repeats="tau_star"
    ),
    Criterion(
        "average_rank",
        "mean rank of the cost over the problems",
        _MEASURES,
        symbol="mean rank",
        larger_is_better=False,
        function="average_ranks",
    ),
    Criterion(
        "mean_rate",
        "mean rate over the problems",
        _MEASURES,
        symbol="mean rate",
        function="mean_rates",
        of_rates=True,
    ),
)

#: In the order in which people should see them.
CRITERIA = {criterion.name: criterion for criterion in _ALL}

#: Scores of competitions: none is made unless a study names it.
SCORES = {
    criterion.name: criterion
    for criterion in (
        _score("par2", "mean cost, a failure counting twice the limit (PAR-2)", "PAR-2"),
        _score("par10", "mean cost, a failure counting ten times the limit (PAR-10)", "PAR-10"),
        _score("shifted_geometric_mean", "shifted geometric mean of the cost, a failure counting the limit", "SGM"),
        _score("solved_then_time", "number of problems solved, ties broken by the time on these", "solved", True),
        _score(
            "smt_parallel", "number of errors, then correct answers, wall time and CPU time", "errors", False, "errors", "cpu"
        ),
        _score("smt_sequential", "number of errors, then correct answers and CPU time", "errors", False, "errors"),
        _score(
            "borda", "Borda count of the MiniZinc Challenge, points for answers as good split by time", "Borda", True, "quality?"
        ),
        _score("cec_ranks", "sum of ranks over the problems (CEC 2006)", "rank sum"),
        _score("cec", "score of CEC by errors and their ranks, 100 at most", "CEC", True),
    )
}

#: What a study can name as its headline: who comes first. Random costs have no one order.
HEADLINES = {name: criterion for name, criterion in CRITERIA.items() if not criterion.of_runs} | SCORES

#: The headline, and by what the ranks of all measures are added up, unless a study says otherwise.
DEFAULT = "auc_log"

#: The headline of costs without ratios, which are not all positive.
OF_ANY_COST = "average_rank"


def named(name: str) -> Criterion:
    """Return a criterion of profiles, or a score of competitions."""
    return CRITERIA.get(name) or SCORES[name]
