"""Changes that each algorithm makes in the comparison of the others: baselines, problems left out, places."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from benchmill.core import Array, ArrayLike, Index, Mask, Numbers, Ranks, Words, frozen, keys, natural_key, reals, schema, shown
from benchmill.profiles import scoring, standings
from benchmill.profiles.groups import ROW_KEYS, matrices
from benchmill.profiles.measures import average_ranks, competition_ranks
from benchmill.registry.criteria import CRITERIA, DEFAULT, OF_ANY_COST, SCORES, named
from benchmill.text import leaders, prose
from benchmill.text.display import listed

#: Ranks of some algorithms (a mask of rows) on some problems (a mask of columns).
Score = Callable[[Mask, Mask], Ranks]

#: Columns of the table `ratios` that `text` needs.
COLUMNS = [*ROW_KEYS, "algorithm", "cost", "spent", "n_trials"]

_EQUAL = 1e-12


@frozen
class Change:
    """Changes that one algorithm makes in one measure.

    Attributes
    ----------
    lowered : (n,) array of int
        Columns of the costs where its cost is below that of every other.
    factors : (n,) array
        The others' baseline divided by its cost, for each of `lowered`; inf where it alone solves the problem.
    left_out, brought_in : int
        Problems that are compared only without it, and only with it.
    places : dict
        By criterion its own place among all, and the places of the others among themselves without it, without it but on the
        problems that are compared with it, and with it.
    """

    algorithm: str
    n_problems: int
    lowered: Index
    factors: Array
    left_out: int
    brought_in: int
    places: dict[str, tuple[int, Ranks, Ranks, Ranks]]


def changes(
    cost: ArrayLike,
    present: ArrayLike,
    algorithms: Sequence[str],
    missing: str = "common",
    criterion: str = DEFAULT,
    rated: bool = False,
    runs: scoring.Runs | None = None,
) -> list[Change]:
    """Return what each algorithm changes, by leaving it out.

    Parameters
    ----------
    cost : (n_algorithms, n_problems) array_like
        Positive; inf = not solved; anything where there is no trial.
    rated : bool
        Whether the costs are 1 / rate.
    runs : Runs, optional
        What a score of competitions takes; without them the usual criterion stands for it.
    """
    by = DEFAULT if (named(criterion).of_rates and not rated) or (criterion in SCORES and runs is None) else criterion
    has = np.asarray(present, bool)
    c = np.where(has, reals(cost), np.inf)

    def of_costs(score: Callable[[Array], Array], name: str) -> Score:
        return lambda rows, columns: competition_ranks(
            score(c[rows][:, columns]), larger_is_better=CRITERIA[name].larger_is_better
        )

    def of_runs(rows: Mask, columns: Mask) -> Ranks:
        return scoring.ranked(by, runs.at(rows, columns))[1]  # type: ignore[union-attr]

    scores = {
        by: of_runs if by in SCORES else of_costs(partial(_values, criterion=by, rated=rated), by),
        OF_ANY_COST: of_costs(average_ranks, OF_ANY_COST),
    }
    compared = np.any if missing == "failure" else np.all
    every, after = np.ones(len(algorithms), bool), compared(has, axis=0)
    together = {name: score(every, after) for name, score in scores.items()} if len(algorithms) > 1 and after.any() else {}
    result = []
    for i, name in enumerate(algorithms if len(algorithms) > 1 else ()):
        others = np.arange(len(algorithms)) != i
        before = compared(has[others], axis=0)
        if not after.any() or not before.any():
            continue
        baseline = c[others].min(axis=0)
        columns = np.flatnonzero(after & has[i] & (c[i] < baseline * (1 - _EQUAL)))
        result.append(
            Change(
                name,
                int(after.sum()),
                columns,
                baseline[columns] / c[i, columns],
                int((before & ~after).sum()),
                int((after & ~before).sum()),
                {name: _places(score, i, before, after, together[name]) for name, score in scores.items()},
            )
        )
    return result


def _places(ranked: Score, i: int, before: Mask, after: Mask, together: Ranks) -> tuple[int, Ranks, Ranks, Ranks]:
    """Return the places of one of the algorithms, and those of the others without it, on fewer problems, and with it."""
    others = np.arange(len(together)) != i
    without = ranked(others, before)
    common = without if (before == after).all() else ranked(others, after)
    return int(together[i]), without, common, competition_ranks(together[others], larger_is_better=False)


def _values(cost: Array, criterion: str, rated: bool) -> Array:
    values, ranks = standings.by_costs(cost, rated)[0][criterion]
    # ranks where ties are broken by something else
    return ranks.astype(float) * (-1 if CRITERIA[criterion].larger_is_better else 1) if CRITERIA[criterion].ranks else values


def text(
    study: str,
    ratios: schema.Tables,
    missing: Words,
    criterion: str = DEFAULT,
    rates: Sequence[str] = (),
    not_competing: Sequence[str] = (),
    verdicts: pa.Table | None = None,
    scale: schema.Facts | None = None,
) -> str:
    """Return the account of all measures of a study, in Markdown.

    `verdicts`: what is shown of those that come first stands beside their places. `scale` is that of
    `benchmill.profiles.standings.leaders`, with `measure`, and with `shifts`, which were added to the costs, by measure.
    """
    accounts_by_name = accounts(ratios, missing, criterion, rates, not_competing, verdicts, scale)
    lines = [
        f"# What each algorithm changes in {_md(study)}",
        "",
        "For every algorithm: what is different because its logs are there. Each comparison is made once with and once without",
        "it, so this says what its addition changed, whenever it was added. A *pair* is a problem and target (or budget).",
        "The *baseline* of a pair is the smallest cost of any algorithm. Places are by what names the leader of the study, the",
        f"{named(criterion).words}{' (log area)' if criterion == DEFAULT else ''}, and by the average rank. A lower baseline",
        "raises the ratios of all others; by the log area that changes their order only where some of them fail.",
    ]
    if not_competing:
        lines += ["", f"Left out throughout, as not competing: {_md(listed(not_competing))}."]
    if len(accounts_by_name) < 2:
        lines += ["", f"There is one algorithm, {_md(listed(list(accounts_by_name)))}, and nothing to compare it with."]
    for algorithm, of_measure in accounts_by_name.items() if len(accounts_by_name) > 1 else ():
        lines += ["", f"## {_md(algorithm)}"]
        for measure, account in of_measure.items():
            lines += ["", f"### {_md(measure)}", "", *(f"- {_md(sentence)}" for sentence in account.sentences)]
    return "\n".join(lines) + "\n"


@frozen
class Account:
    """Changes of an algorithm in a measure: in numbers, None where no pair can be compared, and in sentences."""

    change: Change | None
    sentences: list[str]


def accounts(
    ratios: schema.Tables,
    missing: Words,
    criterion: str = DEFAULT,
    rates: Sequence[str] = (),
    not_competing: Sequence[str] = (),
    verdicts: pa.Table | None = None,
    scale: schema.Facts | None = None,
) -> dict[str, dict[str, Account]]:
    """Return what each algorithm changes, by algorithm and measure; parameters as of `text`."""
    accounts_of: dict[str, dict[str, Account]] = {}
    for measure in missing:
        table = keys.without(ratios[measure], not_competing)
        problems, algorithms, (cost, n_trials) = matrices(table, ROW_KEYS, cost=np.inf, n_trials=0)
        runs = _runs(ratios, table, measure, scale or {}) if criterion in SCORES else None
        change_of = {
            change.algorithm: change
            for change in changes(cost, n_trials > 0, algorithms, missing[measure], criterion, measure in rates, runs)
        }
        verdict = "" if verdicts is None else f", {leaders.of_table(verdicts, measure)}"
        for algorithm in algorithms:
            change = change_of.get(algorithm)
            # as they were before anything was added for the ratios
            stated = cost - (scale or {}).get("shifts", {}).get(measure, 0.0)
            sentences = (
                _told(change, algorithms, stated, problems, verdict)
                if change
                else ["No pair is left on which all algorithms have trials, with it or without it."]
            )
            accounts_of.setdefault(algorithm, {})[measure] = Account(change, sentences)
    return {name: accounts_of[name] for name in sorted(accounts_of, key=natural_key)}


def _runs(ratios: schema.Tables, table: pa.Table, measure: str, scale: schema.Facts) -> scoring.Runs | None:
    """Return what a score takes, for the primary measure, if everything that goes with it is among the measures."""
    beside = scale.get("beside") or {}
    if measure != (scale.get("measure") or next(iter(ratios))) or not set(beside.values()) <= set(ratios):
        return None
    return scoring.runs_of(table, ratios, scale)


def _told(change: Change, algorithms: list[str], cost: Array, problems: pa.Table, standing: str) -> list[str]:
    """Return the account in sentences."""
    own = algorithms.index(change.algorithm)
    others = np.array([name for name in algorithms if name != change.algorithm], object)
    finite = np.flatnonzero(np.isfinite(change.factors))
    largest = {}
    if finite.size:
        column = int(change.lowered[finite[np.argmax(change.factors[finite])]])
        largest = {
            "at": keys.described(problems.slice(column, 1).to_pylist()[0]),
            "before": np.delete(cost[:, column], own).min(),
            "now": cost[own, column],
        }
    return prose.sentences(
        __file__,
        change=change,
        n=len(algorithms),
        alone=change.factors.size - finite.size,
        largest=largest,
        # one other has no order
        orders=[_order(others, name, *places[1:]) for name, places in change.places.items() if len(others) > 1],
        called=_called,
        any_cost=OF_ANY_COST,
        standing=standing,
    )


def _order(others: Numbers, criterion: str, without: Ranks, common: Ranks, together: Ranks) -> schema.Row:
    """Return whose place among the others changes, by what, and who is first and last without it and with it."""
    moved = np.flatnonzero(without != together)
    order = moved[np.argsort(together[moved], kind="stable")]
    return {
        "criterion": criterion,
        "steps": [f"{others[i]} from {without[i]} to {together[i]}" for i in order],
        "came": (without != common).any(),
        "moved": (common != together).any(),
        "ends": {
            word: [others[places == end(places)].tolist() for places in (without, together)]
            for word, end in (("First", np.min), ("Last", np.max))
        },
    }


def _called(criterion: str) -> str:
    """Return a criterion in a sentence."""
    return {DEFAULT: "log area", OF_ANY_COST: "average rank"}.get(criterion, f"the {named(criterion).words}")


def _md(text: str) -> str:
    """Return the text of a stranger as Markdown that shows it and does nothing else."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!$&~^" else c for c in shown(text))
