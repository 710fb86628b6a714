"""Settings of the primary analysis, which planning reads without what computes it."""

from collections.abc import Sequence

from benchmill.core import Words, record
from benchmill.core.options import option, some
from benchmill.registry.criteria import DEFAULT, headlines

#: Why a margin is refused for costs to which something is added.
SHIFTED = (
    "the measure has a `shift`, and a margin of ratios of costs to which it is added says nothing about the costs; state no "
    "margin, or leave out the shift."
)


@record
class Primary:
    """Settings of the primary analysis, declared before anything is tested: what the study claims first."""

    measure: str | None = option("The measure of the primary analysis; by default the first that is tested.", None)
    targets: Sequence[float] | None = some(
        "The targets or budgets that are pooled in it; by default all of the measure.",
        type=["array", "null"],
        items={"type": "number"},
    )
    criterion: str = option(
        """The criterion that names the leader and puts the algorithms in order: in the paper, on the page, in every sentence
        about who comes first. Pairs are always compared by the net share of wins. A measure that has no such criterion goes by
        the usual one.""",
        DEFAULT,
        names_of=headlines,
    )
    limit: float | None = option(
        """The most that a run may cost, in the unit of the measure, for scores of competitions: a larger cost is a failure, and
        failures are scored by this limit. In a competition it defaults to `time_limit`.""",
        None,
        exclusiveMinimum=0,
    )
    beside: Words = option(
        """Other measures of the study that the score of a competition uses: `errors` (numbers of wrong answers) and `cpu` (CPU
        time) for those of SMT-COMP, `quality` (how good an answer is) for the Borda count.""",
        {},
        type="object",
        additionalProperties={"type": "string"},
    )
    margin: float | None = option(
        """Per cent within which two algorithms are as good as each other: 5 allows ratios of costs from 1 / 1.05 to 1.05. The
        study then says for which pairs this is shown, by two one-sided tests in a separate family. State it before you look
        at results. By default nothing is said about it.""",
        None,
        exclusiveMinimum=0,
    )
    looks: int | None = option(
        """How many times the study is tested while it grows, if you plan to look at it before it is complete. Each look then
        spends its share of `inference.alpha`, so that all of them together keep it; `tested/<study>.json`, beside the
        configuration, counts them. State it before the first look.""",
        None,
        minimum=2,
        maximum=20,
    )
