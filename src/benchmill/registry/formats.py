"""The formats of raw logs: the one place that reading, recognising, plan and pages read them from."""

import difflib
from collections.abc import Mapping
from typing import Any

from benchmill.core import UserError, beside
from benchmill.registry.entry import Entry, Names, Registry, record


@record
class Format(Entry):
    """A format of raw logs.

    Attributes
    ----------
    suffixes : tuple of str
        Suffixes of the files that tell the format, such as `(".info",)`; empty if content alone tells it.
    beside : tuple of str
        Suffixes of further files that its logger writes, which say nothing of the runs.
    guesses : int
        Above 0, nothing in its files says what they are; every format that guesses less goes before it.
    full_grid : bool
        Whether an experiment in this format is meant to be a full grid of problems and dimensions (`benchmill.readers.tally`).
    answers : bool
        Whether its runs state outcomes that runs of other sources can contradict (`benchmill.core.contradictions`).
    seconds : bool
        Whether its stated costs are times in seconds.
    study : mapping, optional
        What a study of sources in this format says beside `sources`; by default it is told from what a source holds.
    """

    room = "benchmill.readers"

    suffixes: Names = ()
    beside: Names = ()
    guesses: int = 0
    full_grid: bool = False
    answers: bool = False
    seconds: bool = False
    study: Mapping[str, Any] | None = None

    @property
    def step(self) -> int:
        """Return when it is looked for: 0 by suffix and content, 1 by content, later by a guess."""
        return 0 if self.suffixes else 1 + self.guesses


ENTRIES = tuple(Format(name=name, **beside.fixed(facts)) for name, facts in beside.toml(__file__).items())

#: With those of installed packages, whose modules have such a tuple.
FORMATS = Registry(Format, "benchmill.formats", __name__)


def named(name: str) -> Format:
    """Return the format of a name."""
    if name in FORMATS:
        return FORMATS[name]
    near = difflib.get_close_matches(name, FORMATS, 1)
    raise UserError(
        f"format: {name!r} is not known; expected one of {', '.join(FORMATS)}" + (f"; did you mean {near[0]!r}?" if near else ".")
    )
