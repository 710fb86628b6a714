"""Words of verdicts: sentences about pairs, and what they are made of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmill.core.arrays import Array, Mask
from benchmill.core.limits import Ends
from benchmill.inference.design import Design
from benchmill.text import display


def size(effect: float, low: float, high: float) -> str:
    """Write the size of a difference with its interval, as the better one sees it."""
    sign = 1.0 if effect > 0 else -1.0
    low, high = sorted((sign * low, sign * high))
    return f"{display.number(sign * effect)} ({display.number(low)} to {display.number(high)})"


def undecided(low: float, high: float, drawn: int | None, alpha: str) -> str:
    """Say between which values p is, where chance decides."""
    return f"undecided at {alpha}: p between {display.p_value(low)} and {display.p_value(high)} after {display.count(drawn or 0)}"


def pair_texts(
    key: Mapping[str, Any],
    first: Sequence[str],
    second: Sequence[str],
    numbers: Mapping[str, Array],
    significant: Mask,
    n_flips: int,
) -> list[str]:
    """Make the sentence of each pair of a family."""
    family_words = f"one of {display.plural(key['family_size'], 'statement')} ({key['family']}; {key['analysis']} analysis)"
    effect, low, high, _, adjusted, p_low = numbers.values()
    # of two that differ the better one is named first
    turned = significant & ~(effect > 0)
    effect, low, high = (np.where(turned, -a, b) for a, b in ((effect, effect), (high, low), (low, high)))
    alpha = display.target(key["alpha"])
    # a look beyond those that were planned has almost nothing to spend
    equal = "no difference is shown" if key["alpha"] > 1e-8 else "nothing more can be decided"
    open_at = {at: undecided(p_low[at], adjusted[at], n_flips, alpha) for at in np.flatnonzero(~np.isnan(p_low)).tolist()}
    columns = zip(
        first,
        second,
        turned.tolist(),
        significant.tolist(),
        written(display.number, effect),
        written(display.number, low),
        written(display.number, high),
        written(display.p_phrase, adjusted),
        np.isnan(adjusted).tolist(),
        strict=True,
    )
    return [
        f"{a} and {b}: not compared, as there is no problem on which all algorithms have runs."
        if nothing
        else f"{b if is_turned else a} is better than {a if is_turned else b} on {key['population']}: net share of wins "
        f"{share} ({start} to {end}), adjusted p {p}, {family_words}."
        if differ
        else f"{a} and {b}: {open_at[at]} flips, which counts as not shown; net share of wins of {a} {share} ({start} to {end}), "
        f"{family_words}."
        if at in open_at
        else f"{a} and {b}: {equal}; net share of wins of {a} {share} ({start} to {end}), adjusted p {p}, {family_words}."
        for at, (a, b, is_turned, differ, share, start, end, p, nothing) in enumerate(columns)
    ]


def stopped_early(who: str, other: str, cells: str, text: str) -> str:
    """Say before a text that one was stopped before the other succeeded, on how many `cells`, and once that budgets differ."""
    return f"Budgets differ: {who} was stopped before {other} succeeded on {cells}, and counts as worse there. " + text.replace(
        "Budgets differ: ", "", 1
    )


def cut(who: str, cells: str, text: str) -> str:
    """Say before a text on how many `cells` late successes count as failures, and once that limits differ."""
    return (
        f"Limits differ: runs of {who} that succeeded after the smallest limit of an instance count as failed on {cells}. "
        + text.replace("Limits differ: r", "And r", 1)
    )


def written(write: Callable[[float], str], values: Array) -> list[str]:
    """Write numbers; of many pairs few have numbers of their own."""
    distinct, at = np.unique(values, return_inverse=True)
    return np.array([write(value) for value in distinct.tolist()], object)[at].tolist()  # type: ignore[no-any-return]


def ends(point: Sequence[Design]) -> Ends:
    """Return where the runs of all cells of a point end."""
    parts = [
        Ends.of(one.values, one.budgets) if one.spent is None else Ends.of_cells(one.values[:, :, 0], one.spent[:, :, 0])
        for one in point
        if len(one.values)
    ]
    return Ends(*map(np.concatenate, zip(*parts, strict=True))) if parts else Ends(*np.zeros((2, 0, len(point[0].treatments))))


def late(point: Sequence[Design]) -> Array:
    """Count the cells of a point in which runs of each algorithm succeeded after the common limit."""
    return sum((one.late.sum(axis=0) for one in point if one.late is not None), np.zeros(len(point[0].treatments)))
