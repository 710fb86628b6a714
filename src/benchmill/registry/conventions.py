"""Conventions under which a claim is re-examined: each changes one thing in the primary analysis that could be otherwise."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmill.registry.entry import Entry, Registry, record


@record
class Convention(Entry):
    """A choice that the data do not make.

    Attributes
    ----------
    alternatives : callable
        Gives of an analysis, and of the pairs that are claimed, the alternatives that the data have: words and specification.
    group : str
        What it changes, one of `GROUPS`.
    why : str
        Why another author could choose so, as a sentence.
    crossed : bool
        Whether it is combined with those about parts of the cells, too.
    """

    alternatives: Callable[..., Iterator[tuple[str, Any]]]
    group: str
    why: str
    crossed: bool = False


#: What a convention can change.
GROUPS = ("targets", "problems", "runs", "criterion", "test", "clusters", "missing cells", "left out")

#: Groups of conventions that take a part of the cells; each is combined with the conventions that are `crossed`.
PARTS = ("targets", "problems")

CONVENTIONS = Registry(Convention, "benchmill.conventions", "benchmill.inference.conventions")


def in_order() -> list[Convention]:
    """Return the conventions in the order of their groups."""
    return sorted(CONVENTIONS.values(), key=lambda convention: GROUPS.index(convention.group))


#: Most algorithms, and most clusters, that are left out one at a time.
MOST_LEFT_OUT = 30
