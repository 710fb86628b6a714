"""The settings of a study, as far as paper and page mention them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from benchmill.core.keys import DEFAULT_CLUSTER_KEYS
from benchmill.core.options import Given, known
from benchmill.registry.indicator_options import Ecdf, Ert, Summary
from benchmill.registry.inference import USUAL, Options
from benchmill.registry.primary import Primary
from benchmill.text.appearance import Appearance
from benchmill.text.measures import Measure
from benchmill.text.variants import Profile


@dataclass(frozen=True, kw_only=True)
class Indicators(Ert):
    """How costs are described."""

    ecdf: Ecdf = field(default_factory=Ecdf)
    summary: Summary = field(default_factory=Summary)

    @classmethod
    def parsed(cls, settings: Given) -> Self:
        """Return the settings of the section `indicators` that texts mention."""
        return known(cls, settings)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The keys of a study that are spoken of, as in a configuration."""

    measures: Mapping[str, Measure] = field(default_factory=dict)
    profiles: Sequence[Profile] = ()
    indicators: Indicators = field(default_factory=Indicators)
    inference: Options = USUAL
    primary: Primary = field(default_factory=Primary)
    appearance: Appearance = field(default_factory=Appearance)
    algorithms: Given = field(default_factory=dict)
    problem_keys: Sequence[str] = ("suite", "problem", "dimension")
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS
    not_competing: Sequence[str] = ()
    control: str | None = None
    claims: Sequence[str] | None = None

    @classmethod
    def parsed(cls, config: Given) -> Self:
        """Return the settings of a study in which every default is filled in."""
        measures = {name: {"name": name, **measure} for name, measure in config.get("measures", {}).items()}
        return known(cls, {**config, "measures": measures})

    @property
    def summarised(self) -> list[Measure]:
        """Return the measures of solver runs."""
        return [self.measures[name] for name in self.indicators.summary.measures or ()]

    @property
    def aggregated(self) -> Ecdf | None:
        """Return how curves of running times are made; None where there are none."""
        traced = any(measure.kind.traced for measure in self.measures.values())
        return self.indicators.ecdf if traced and self.indicators.ecdf.aggregate else None
