"""Declarations of a method of inference: a test, a comparison of all pairs, a correction, a Bayesian comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmill.registry.entry import Entry


@dataclass(frozen=True, kw_only=True)
class Method(Entry):
    """A method of inference: a function, and what has to be known to call it and to write about it.

    Attributes
    ----------
    function : callable
        What is called; None where it is a part of others.
    phrase : str
        The method as the section on methods names it, without what it cites.
    normalised : bool
        Whether it takes the normalised costs, which are comparable between blocks; else the costs as they are.
    equal_variances : bool
        Whether it assumes one variance for all algorithms.
    answers_interaction : bool
        Whether it speaks of problems like these also where which algorithm is better depends on the problem.
    of_clusters : bool
        Whether it takes whole clusters of blocks, so that blocks may depend on each other.
    """

    function: Callable[..., Any] | None = None
    phrase: str = ""
    failures: bool = False
    normalised: bool = True
    equal_variances: bool = False
    normal: bool = False
    answers_interaction: bool = False
    of_clusters: bool = False

    @property
    def cited_phrase(self) -> str:
        """Return the method as the section on methods names and cites it."""
        return self.phrase + self.citation

    def call(self, *data: Any, **known: Any) -> Any:
        """Call the function with the data and with what it takes of `known`."""
        from inspect import signature

        assert self.function is not None
        takes = signature(self.function).parameters
        return self.function(*data, **{name: value for name, value in known.items() if name in takes})
