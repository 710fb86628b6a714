"""Write the method section from the settings in force, for paper and page; its text is the template beside this module."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from benchmill.core import Given
from benchmill.core.intervals import FEWEST
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, FAMILY
from benchmill.core.options import known
from benchmill.registry.figures import KINDS
from benchmill.registry.indicator_options import Ecdf, Ert, Summary
from benchmill.registry.inference import COMPARISONS, CORRECTIONS, POSTERIORS, TESTS, USUAL, Options
from benchmill.registry.primary import Primary
from benchmill.registry.variants import RESAMPLES
from benchmill.text import prose
from benchmill.text.appearance import Appearance
from benchmill.text.measures import Measure
from benchmill.text.variants import Profile

_OF_FAMILY = "family (where the data show that problems of a family are alike; otherwise each problem is one)"


@dataclass(frozen=True, kw_only=True)
class Indicators(Ert):
    """The options by which costs are described."""

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


def methods(config: Given) -> list[tuple[str, str]]:
    """Return headings and paragraphs that say how the results of a study are made, by its settings with every default filled in.

    A `[key]` in brackets names an entry of the bibliography.
    """
    study = Settings.parsed(config)
    inference = study.inference
    tests, comparisons = [TESTS[name] for name in inference.methods or ()], [COMPARISONS[n] for n in inference.comparisons or ()]
    believed = [POSTERIORS[name] for name in inference.bayes]
    compared = [measure for measure in study.measures.values() if not measure.described]
    levels = [word for word in ("target", "budget") if any(len(getattr(one, f"{word}s")) > 1 for one in compared)]
    paragraphs = prose.told(
        __file__,
        study=study,
        fewest=FEWEST,
        resamples=RESAMPLES,
        clusters=[_OF_FAMILY if key == FAMILY else key for key in study.cluster_keys],
        tests=tests,
        comparisons=comparisons,
        believed=believed,
        believed_words=[f"{one.cited_phrase} (of the {one.scale})" if one.scale else one.cited_phrase for one in believed],
        correction=CORRECTIONS[inference.corrections[0]].cited_phrase,
        apart=[f"every {word}" for word in (*levels, *inference.stratify)],
    )
    return [(heading, " ".join(sentences)) for heading, sentences in paragraphs.items() if sentences]


def reading(figures: Iterable[Given]) -> list[tuple[str, str]]:
    """Return the heading and paragraph on how to read figures, what holds for all of a kind said once.

    None if there is nothing to say.
    """
    shown = {figure["kind"] for figure in figures}
    sentences = dict.fromkeys(sentence for kind in KINDS.values() if kind.name in shown for sentence in kind.reading)
    return [("Figures", " ".join(sentences))] if sentences else []
