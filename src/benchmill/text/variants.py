"""A profile of a study, and its words."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Self

from benchmill.core import Given, beside, options
from benchmill.registry.variants import DEFAULT, VARIANTS, Described, Variant
from benchmill.text import display, prose

_WORDS = beside.toml(__file__)
_UNKNOWN = Variant("", "")


@dataclass(frozen=True, kw_only=True)
class Profile(Described):
    """A profile: its name, its variant, and what is set of it; what a variant has no option for is as usual.

    The attributes beside `name`, `entry` and `options` are those of the options in `benchmill.profiles`.
    """

    name: str = ""
    entry: Variant = _UNKNOWN
    #: All options of the variant.
    options: Any = None
    groups: Given = field(default_factory=dict)
    model: str = "normal"
    baseline: str = "ert"
    sd: float | Mapping[str, float] | None = None
    rule: str = "wins"
    waves: int | None = None

    @classmethod
    def parsed(cls, settings: Given) -> Self:
        """Return a profile by its settings: `name`, `variant`, and the options of the variant.

        A variant that is not registered has no words and no options. Raises UserError for an option that the variant does not
        have.
        """
        variant = settings.get("variant", DEFAULT)
        entry = VARIANTS.get(variant) or Variant(variant, display.words(variant), "")
        made: Any = None
        if entry.options is not None:
            given = {key: value for key, value in settings.items() if key != "variant"}
            made = options.made(entry.options, given, f"profiles: the variant {variant!r}")
        known = {one.name: getattr(made, one.name) for one in fields(cls) if getattr(made, one.name, None) is not None}
        return cls(**known | {"name": settings.get("name") or variant, "entry": entry, "options": made})

    @property
    def heading(self) -> str:
        """Return the head of a caption: `<heading> profiles of …`."""
        named = display.words(self.entry.name)
        return self.entry.heading or named[:1].upper() + named[1:]

    def definition(self, what: str) -> str:
        """Return the sentence that defines the curves; `what` they are shares of."""
        plain = "ρ(τ) is the share of {what} that the variant {name!r} counts at τ."
        return (self.entry.definition or plain).format(what=what, name=display.words(self.entry.name), **self._filled)

    @property
    def called(self) -> str:
        """Return the profile in a few words: its own `title`, or `probabilistic, σ = 0.1, a1: 5`."""
        own = self.entry.title.format(**self._filled)
        return self.title or prose.said(__file__, profile=self, deviations=self._deviations, own=own)

    @property
    def weighted(self) -> str:
        """Return what problems are weighted by, in words; empty where all weigh the same."""
        if self.weights in (None, "equal"):
            return ""
        return display.words(self.weights) if isinstance(self.weights, str) else "numbers of their own"

    @property
    def facts(self) -> list[str]:
        """Return what the section on methods says about it besides its name, in order."""
        return [fact.format(**self._filled) for fact in self.entry.facts]

    @property
    def is_smooth(self) -> bool:
        """Return True if the points of a curve are joined by lines."""
        return self.entry.smooth and not any(getattr(self.options, key) == value for key, value in self.entry.steps)

    @cached_property
    def _filled(self) -> dict[str, str]:
        return {
            "model": _WORDS["model"][self.model] if self.sd is None else f"{self.model} with an assumed standard deviation",
            "sd": self._deviation,
            "baseline": _WORDS["baseline"][self.baseline],
            "rule": _WORDS["rule"][self.rule],
            "best": _WORDS["best"][self.rule],
            "waves": str(self.waves or "all"),
        }

    @property
    def _deviations(self) -> Mapping[str, float]:
        """Return standard deviations by algorithm, that of all others as `default`."""
        if self.sd is None:
            return {}
        return self.sd if isinstance(self.sd, Mapping) else {"default": self.sd}

    @property
    def _deviation(self) -> str:
        values = self._deviations
        if self.sd is None:
            return ""
        own = [f"{display.target(value)} for {name}" for name, value in values.items() if name != "default"]
        return f", σ = {display.listed([*(display.target(values[name]) for name in values if name == 'default'), *own])}"
