"""The JSON schema of a configuration, made from `configuration.toml` and the options of whatever a study can name."""

from benchmill.core import Given, Names, Written, beside, keys, record
from benchmill.core.options import alternatives, mapping, option, properties, schema_of
from benchmill.core.traces import SCALE, Scale
from benchmill.readers.interface import CONDITIONS
from benchmill.registry import criteria, extensions, figures, indicator_options, indicators, inference, measures, primary
from benchmill.registry.variants import DEFAULT, VARIANTS
from benchmill.text.appearance import Appearance
from benchmill.text.settings import Asked

_SAID = beside.toml(__file__)


@record
class Standings:
    """Settings of the ranking over all measures."""

    rank_sum: Names = option(
        "Criteria whose ranks in all measures are added up to the rank of a competition.",
        (criteria.DEFAULT,),
        names_of=criteria.CRITERIA,
        minItems=1,
        uniqueItems=True,
    )
    ranks: Given = option(
        """Ranks from elsewhere that are added to these: for each name the rank of every algorithm that competes, such as
        `{f_r: {eDE: 1, SaDE: 6}}`, the ranks by the function values reached in the CEC 2006 competition.""",
        {},
        type="object",
        additionalProperties={"type": "object", "additionalProperties": {"type": "number", "minimum": 1}},
    )


@record
class Indicators(indicator_options.Ert):
    """Numbers and curves that describe the costs of every problem; those of a registry have sections beside these options."""

    quantiles: Names = option(
        "Measures whose best, quartiles and worst costs are printed as a table, one row per algorithm and problem.",
        (),
        uniqueItems=True,
    )
    scale: Scale = option(f"{SCALE} For ECDF and attainment curves; each measure has its own `scale`.", "logged")


def _keys_of(section: str, *needed: str, **made: Given) -> Written:
    """Return the schema of a mapping with the keys of a section, each of which what is made of code joins."""
    properties = {}
    for name, said in _SAID[section].items():
        facts = said | made.get(name, {})
        usual = {"default": facts.pop("default", None)} if "default" in facts or "null" in facts.get("type", ()) else {}
        properties[name] = facts | usual
    return mapping([*needed], properties)


def schema() -> Written:
    """Return the JSON schema of a configuration whose shorthand is written out."""
    sections = {
        entry.name: {"description": f"{entry.said[0].upper()}{entry.said[1:]}.", **schema_of(entry.options), "default": {}}
        for entry in indicators.INDICATORS.values()
        if entry.options is not None
    }
    study = _keys_of(
        "study",
        "sources",
        # the reader of a source checks the keys of its format
        sources={"items": _keys_of("source") | {"additionalProperties": True}},
        algorithms=_keys_of("algorithms"),
        attributes=_keys_of("attributes"),
        where={key: value for key, value in CONDITIONS.items() if key != "minProperties"},
        cluster_keys={"default": [*keys.DEFAULT_CLUSTER_KEYS]},
        primary=schema_of(primary.Primary),
        competition={"properties": extensions.properties_of("competition")},
        measures={"additionalProperties": alternatives("kind", [(kind, kind.options) for kind in measures.MEASURES.values()])},
        profiles={
            "items": alternatives("variant", [(entry, entry.options) for entry in VARIANTS.values()]),
            "default": [{"variant": DEFAULT}],
        },
        standings=schema_of(Standings),
        indicators=mapping([], properties(Indicators) | sections),
        inference=schema_of(inference.Options),
        figures={
            "items": {
                "oneOf": [
                    {"type": "string"},
                    *alternatives("kind", ((kind, kind.load().Options) for kind in figures.KINDS.values()))["oneOf"],
                ]
            }
        },
        tables={"items": schema_of(Asked)},
        appearance=schema_of(Appearance),
    )
    deposit = _keys_of("deposit", authors={"items": _keys_of("author", "name")})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "benchmill configuration",
        **_keys_of("configuration", "studies", studies={"type": "object", "additionalProperties": study}, deposit=deposit),
    }
