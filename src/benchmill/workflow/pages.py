"""Results put together as the paper and the page show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill import tables
from benchmill.core import schema, storage
from benchmill.report import courses, runs
from benchmill.tables.numbers import Number
from benchmill.tables.sources import origins
from benchmill.text.display import Table
from benchmill.text.robustness import held
from benchmill.text.sentences import Sentences, sentences

#: A study with more trials, or more costs of them, is not listed run by run.
MOST_RUNS, MOST_COSTS = 1_000_000, 8_000_000
#: Of a study with more rows of traces the page has no courses of runs.
MOST_TRACED = 5_000_000


def said_first(data: Mapping[str, Any], said: Mapping[str, Any]) -> Sentences:
    """Return the sentences that a study is known by; `said` as of `benchmill.workflow.views.sentence_settings`."""
    primary = (tables.primary(data) or {}).get("measure", "")
    runs = [text for settings in list(said["runs"].values())[:1] for text in tables.runs(data, settings)]
    return sentences(data, said["verdicts"].get(primary, {}), runs)


def exhibits(
    built: Sequence[Table], numbers: Sequence[Number], first: Sentences, said: Mapping[str, Any], data: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a study shows beside its figures, for its section, the paper and the page."""
    return {
        "sentences": asdict(first),
        "tables": built,
        "long": [one.name for one in built if tables.latex.is_long(one)],
        "runs": {measure: tables.runs(data, settings) for measure, settings in said["runs"].items()},
        "summaries": {measure: tables.leader(data, settings) for measure, settings in said["verdicts"].items()},
        "verdicts": {measure: tables.verdict(data, settings) for measure, settings in said["verdicts"].items()},
        "primary": tables.primary(data),
        "held": [one.text for one in held(data.get("claims"))],
        "numbers": [
            {"key": one.key, "text": one.text, "meaning": one.meaning, "value": repr(one.value)}
            for one in numbers
            if not one.single
        ],
    }


def assembled(parts: Mapping[str, Mapping[str, Any]], data: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the studies as `benchmill.report.paper` takes them."""
    return [
        {
            "name": name,
            **{key: part[key] for key in ("title", "groups")},
            "config": data[name]["config"],
            "reports": data[name]["ingest"],
            "figures": [
                {**one, "caption": data[name]["captions"][one["name"]], "file": f"figures/{one['name']}.pdf"}
                for one in part["figures"]
            ],
            **data[name]["exhibits"],
        }
        for name, part in parts.items()
    ]


def on_page(
    studies: Iterable[Mapping[str, Any]],
    data: Mapping[str, Mapping[str, Any]],
    looks: Mapping[str, Mapping[str, int]],
    listed: Mapping[str, Mapping[str, Any]],
    why: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return the same studies as `benchmill.report.page.render` takes them: with what a reader can explore and ask."""
    return [
        {
            **study,
            "data": own,
            "looks": looks.get(study["name"]),
            "listed": listed.get(study["name"]),
            "why": why[study["name"]],
            "tables": [*study["tables"], origins(own, {})],
            "figures": [{**figure, "svg": own["svg"][figure["name"]]} for figure in study["figures"]],
        }
        for study in studies
        for own in [data[study["name"]]]
    ]


def listed(
    trials: Iterable[str | Path],
    costs: Iterable[str | Path],
    excerpts: Iterable[str | Path] = (),
    traces: Iterable[str | Path] = (),
) -> dict[str, dict[str, Any]]:
    """Return the runs of studies as `benchmill.report.runs.listed` takes them, by study.

    Raises
    ------
    UserError
        A table cannot be read (see `benchmill.core.storage.read`).
    """
    tables = {"trials": [Path(path) for path in trials], "costs": [Path(path) for path in costs]}
    logs, of_runs = ([Path(path) for path in paths] for paths in (excerpts, traces))
    found: dict[str, dict[str, Any]] = {}
    for study in dict.fromkeys(_study_of(path) for path in tables["trials"]):
        own = {kind: [path for path in paths if _study_of(path) == study] for kind, paths in tables.items()}
        many = {kind: sum(storage.rows(path, kind) for path in paths) for kind, paths in own.items()}
        if many["trials"] > MOST_RUNS or many["costs"] > MOST_COSTS:
            found[study] = {"n": many["trials"]}
        else:
            columns = list(dict.fromkeys([*runs.TRIALS, *courses.TRIALS]))
            of_sources = [storage.read(path, "trials", columns) for path in own["trials"]]
            # costs and excerpts are many: those of one source are read at a time
            found[study] = {
                "trials": schema.concatenate(one.select(runs.TRIALS) for one in of_sources),
                "costs": [partial(storage.read, path, "costs", runs.COSTS) for path in own["costs"]],
                "excerpts": {path.stem: partial(storage.read, path, "excerpts") for path in logs if _study_of(path) == study},
            }
            traced = {path.stem: path for path in of_runs if _study_of(path) == study}
            if sum(storage.rows(path, "traces") for path in traced.values()) <= MOST_TRACED:
                found[study]["traces"] = [
                    (one.select(courses.TRIALS), partial(storage.pieces, traced[path.stem], "traces"))
                    for path, one in zip(own["trials"], of_sources, strict=True)
                    if path.stem in traced
                ]
    return found


def _study_of(path: Path) -> str:
    return storage.below_results(path)[0]


def table(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Return a table of a study: see `benchmill.tables.build`."""
    if "variants" in settings:
        measures = data["profile_measures"]
        named = pc.is_in(measures["variant"].cast(pa.string()), pa.array(settings["variants"]))
        data = {**data, "profile_measures": measures.filter(named)}
    return tables.build(kind, data, settings)
