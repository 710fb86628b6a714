"""A measure of a study, and its words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Given, beside, keys, options
from benchmill.registry.measures import MEASURES, Described, amounts
from benchmill.registry.measures import Measure as Kind
from benchmill.text import display, prose

_WORDS = beside.toml(__file__)
#: What `floored` takes of the table `indicators`.
FLOORED = ["measure", "n_floored", "n_trials"]
#: Of costs of which nothing but their name is known.
_UNKNOWN = Kind("", "", function=dict, options=None, phrase="", caption="")


@dataclass(frozen=True, kw_only=True)
class Measure(Described):
    """A measure: its name, its kind, and what is set of it; what a kind has no option for is as usual.

    The attributes beside `name` and `kind` are those of the options in `benchmill.costs`.
    """

    name: str = ""
    kind: Kind = _UNKNOWN
    aggregate: str = ""
    targets: Sequence[float] = ()
    target_titles: Sequence[str] = ()
    budgets: Sequence[float] = ()
    per_dimension: bool = True
    scale: str = "logged"
    floor: float | None = None
    shift: float = 0.0
    mean_shift: float | None = None
    quantity: str = "cost"
    half_life: float | None = None
    until: float | None = None
    relative_to: str = "value"
    published: str = "printed"

    @classmethod
    def parsed(cls, settings: Given) -> Self:
        """Return a measure by its settings: `name`, `kind`, and the options of the kind.

        Raises
        ------
        UserError
            The kind has no such option.
        """
        name = settings.get("name", "")
        kind = MEASURES[settings["kind"]] if "kind" in settings else _UNKNOWN
        # what a study makes it for is no matter of words; where a kind leaves no choice of an aggregate it is no option
        fixed = {"name", "kind", "for"} | ({"aggregate"} if kind.aggregate else set())
        set_ = {key: value for key, value in settings.items() if key not in fixed}
        made = options.made(kind.options or cls, set_, f"the measure {name!r}")
        known = {one.name: getattr(made, one.name) for one in fields(cls) if hasattr(made, one.name)}
        return cls(
            **{"aggregate": kind.aggregate}
            | known
            | {"name": name, "kind": kind, "budgets": amounts(known.get("budgets", ()))}
            | {"per_dimension": not isinstance(known.get("budgets"), Mapping)}
        )

    @property
    def phrase(self) -> str:
        """Return what the cost of a trial is, for the section on methods."""
        return self.kind.phrase.format(**self._filled) + self.kind.citation

    @property
    def caption(self) -> str:
        """Return the same in few words; of many targets the largest and the smallest."""
        ends = f"{display.target(max(self.targets))} to {display.target(min(self.targets))}" if len(self.targets) > 3 else None
        return self.kind.caption.format(**{**self._filled, "targets": ends or self._filled["targets"]})

    @cached_property
    def _filled(self) -> dict[str, str]:
        return {
            "n_targets": display.plural(len(self.targets), "target"),
            "targets": display.listed(list(map(display.target, self.targets))),
            "budgets": display.listed(list(map(display.target, self.budgets))),
            "unit": self.unit_of_budgets,
            "values": _WORDS["values"][self.scale],
            "published": _WORDS["published"][self.published],
            "stated": _WORDS["stated"].get(
                self.quantity, f"{self.quantity} of a solved run, infinite for another one, whose limit is where it was stopped"
            ),
            "relative_to": _WORDS["relative_to"][self.relative_to],
            "gap_is": _WORDS["gap_is"],
            "until": "the time limit" if self.until is None else f"{display.target(self.until)} s",
            "weights": "" if self.half_life is None else f" with weights that halve every {display.target(self.half_life)} s",
        }

    @property
    def unit_of_budgets(self) -> str:
        """Return the unit of its budgets."""
        return "evaluations/dimension" if self.per_dimension else "evaluations"

    @property
    def called(self) -> str:
        """Return its `label`, or its name in words."""
        return self.label or display.words(self.name)

    @property
    def cell(self) -> str:
        """Return what counts once: a problem, or of several targets or budgets a pair of a problem and one of them."""
        if len(self.targets) > 1:
            return "(problem, target) pair"
        return "(problem, budget) pair" if len(self.budgets) > 1 else "problem"

    @property
    def told(self) -> str:
        """Return how it is called with its meaning and unit: `time (as stated, in s)`."""
        parts = [self.caption.replace(_WORDS["stated"]["cost"], "as stated"), f"in {self.unit}" if self.unit else ""]
        words = ", ".join(filter(None, parts))
        return f"{self.called} ({words})" if words else self.called

    def with_unit(self, whose: str = "") -> str:
        """Return the same with its unit, for an axis: `time of SCIP (s)`."""
        return self.called + (f" of {whose}" if whose else "") + (f" ({self.unit})" if self.unit else "")

    @property
    def of_runs(self) -> Self:
        """Return it as its single runs are called: only many of them have an expected running time."""
        return replace(self, label="running time", unit="evaluations") if self.targets else self

    @property
    def better(self) -> str:
        """Return the word for an algorithm whose cost is smaller: `faster` for a time."""
        return "faster" if self.unit in _WORDS["times"] else "better"

    @cached_property
    def titles(self) -> dict[float, str]:
        """Return the titles that it gives its targets."""
        return dict(zip(map(float, self.targets), self.target_titles, strict=True)) if self.target_titles else {}


#: Costs of which nothing is known.
UNKNOWN = Measure()


def floored(indicators: pa.Table | None, measures: Iterable[Measure]) -> str:
    """Say how many values of the measures were below their floors; empty where none was."""
    if indicators is None:
        return ""
    tables = ((one, keys.of_measure(indicators.select(FLOORED), one.name)) for one in measures if one.floor is not None)
    counts = [(one, *(pc.sum(mine.column(name)).as_py() for name in FLOORED[1:])) for one, mine in tables]
    return prose.said(__file__, counts=counts)
