"""What the paper and the page show of each study, put together from results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchmill import tables
from benchmill.core import schema, storage
from benchmill.report import courses, runs
from benchmill.text.display import Table
from benchmill.workflow import results

#: A study with more trials, or more costs of them, is not listed run by run in the page.
MOST_RUNS, MOST_COSTS = 200_000, 4_000_000
#: Of a study with more rows of traces the page has no courses of runs.
MOST_TRACED = 5_000_000


def assembled(
    parts: Mapping[str, Mapping[str, Any]],
    paths: Iterable[str | Path],
    *,
    page: bool = False,
    looks: Mapping[str, Mapping[str, int]] | None = None,
    listed: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """The studies as `benchmill.report.paper.render` and, for the `page`, `benchmill.report.page.render` take them.

    Parameters
    ----------
    parts : mapping
        By study what `benchmill.workflow.views.page_parts` says of it.
    paths : iterable of paths
        The results that are shown, as `benchmill.workflow.results.load` reads them; for the page also what it makes explorable,
        and the figures as SVG.
    page : bool
        Whether figures are shown as SVG, with what each result is made from, the numbers, and the tables to explore; else figures
        are named by the files of the PDFs.
    looks : mapping, optional
        The record of looks, for the page.
    listed : mapping, optional
        The runs of each study (`listed`), for the page.

    Raises
    ------
    UserError
        A result cannot be read.
    """
    read = results.load(paths)
    if not page:
        return [{"name": name, **_in_paper(part, read[name])} for name, part in parts.items()]
    return [
        {
            "name": name,
            "looks": (looks or {}).get(name),
            "listed": (listed or {}).get(name),
            **_on_page(name, part, read[name]),
        }
        for name, part in parts.items()
    ]


def listed(
    trials: Iterable[str | Path],
    costs: Iterable[str | Path],
    excerpts: Iterable[str | Path] = (),
    traces: Iterable[str | Path] = (),
) -> dict[str, dict[str, Any]]:
    """The runs of studies as `benchmill.report.runs.listed` takes them, by study.

    Parameters
    ----------
    trials, costs, excerpts, traces : iterable of paths
        `results/<study>/<what>/...`.

    Raises
    ------
    UserError
        A table cannot be read (see `benchmill.core.storage.read`).
    """
    tables = {"trials": [Path(path) for path in trials], "costs": [Path(path) for path in costs]}
    columns = {"trials": runs.TRIALS, "costs": runs.COSTS}
    logs, of_runs = ([Path(path) for path in paths] for paths in (excerpts, traces))
    found: dict[str, dict[str, Any]] = {}
    for study in dict.fromkeys(_study_of(path) for path in tables["trials"]):
        own = {kind: [path for path in paths if _study_of(path) == study] for kind, paths in tables.items()}
        many = {kind: sum(storage.rows(path, kind) for path in paths) for kind, paths in own.items()}
        if many["trials"] > MOST_RUNS or many["costs"] > MOST_COSTS:
            found[study] = {"n": many["trials"]}
        else:
            found[study] = {
                kind: schema.concatenate(storage.read(path, kind, columns[kind]) for path in paths) for kind, paths in own.items()
            }
            of_sources = {path.stem: storage.read(path, "excerpts") for path in logs if _study_of(path) == study}
            found[study]["excerpts"] = of_sources
            traced = {path.stem: path for path in of_runs if _study_of(path) == study}
            if sum(storage.rows(path, "traces") for path in traced.values()) <= MOST_TRACED:
                found[study]["traces"] = [
                    (storage.read(path, "trials", courses.TRIALS), partial(storage.pieces, traced[path.stem], "traces"))
                    for path in own["trials"]
                    if path.stem in traced
                ]
    return found


def _study_of(path: Path) -> str:
    return path.parts[len(path.parts) - path.parts[::-1].index("results")]


def table(kind: str, data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """A table of a study: see `benchmill.tables.build`.

    Parameters
    ----------
    kind : str
        Key of `benchmill.tables.KINDS`.
    data : mapping
        All results of the study, as `benchmill.workflow.results.load` reads them.
    settings : mapping
        What `benchmill.workflow.views.view_settings` says of it; with `variants` the profiles of these alone count.
    """
    if "variants" in settings:
        measures = data["profile_measures"]
        named = pc.is_in(measures["variant"].cast(pa.string()), pa.array(settings["variants"]))
        data = {**data, "profile_measures": measures.filter(named)}
    return tables.build(kind, data, settings)


def _in_paper(part: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    shown = _shown(part, data)
    long = [one.name for one in shown["tables"] if tables.latex.is_long(one)]
    figures = [{**figure, "file": f"figures/{figure['name']}.pdf"} for figure in shown["figures"]]
    return {**shown, "siunitx": part["siunitx"], "long": long, "figures": figures}


def _on_page(name: str, part: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    shown = _shown(part, data)
    return {
        **shown,
        "tables": [*shown["tables"], tables.build("origins", data, {})],
        "figures": [{**figure, "svg": data["svg"][figure["name"]]} for figure in shown["figures"]],
        "groups": part["groups"],
        "numbers": tables.numbers.without_pairs(tables.numbers.build(name, data, data["ingest"])),
    }


def _shown(part: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """What both show."""
    return {
        "title": part["title"],
        "config": data["config"],
        "data": data,
        "reports": data["ingest"],
        "tables": [table(kind, data, settings) for kind, settings in part["tables"].values()],
        "figures": [{**figure, "caption": data["captions"][figure["name"]]} for figure in part["figures"]],
        "summaries": {measure: tables.leader(data, settings) for measure, settings in part["verdicts"].items()},
        "runs": {measure: tables.runs(data, settings) for measure, settings in part["runs"].items()},
        "verdicts": {measure: tables.verdict(data, settings) for measure, settings in part["verdicts"].items()},
    }
