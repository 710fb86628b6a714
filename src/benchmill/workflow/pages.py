"""Results combined as the paper and the page show them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Given, Written, schema, storage
from benchmill.exhibits import tables
from benchmill.exhibits.sentences.methods import methods
from benchmill.exhibits.tables.numbers import Number
from benchmill.page import runs
from benchmill.text import claims, display
from benchmill.text.frames import Data
from benchmill.text.sentences import Sentences, sentences

#: A study with more trials, or more costs of them, is not listed run by run.
MOST_RUNS, MOST_COSTS = 1_000_000, 8_000_000
#: Of a study with more rows of traces the page has no trajectories of runs.
MOST_TRACED = 5_000_000


def said_first(data: Data, settings_of: Given) -> Sentences:
    """Return the sentences that a study is known by; `settings_of` as of `benchmill.study.views.sentence_settings`."""
    about = settings_of["verdicts"].get((tables.primary(data) or {}).get("measure"), {})
    return sentences(data, about, [text for one in list(settings_of["runs"].values())[:1] for text in tables.runs(data, one)])


def exhibits(
    built: Sequence[display.Table],
    numbers: Sequence[Number],
    first: Sentences,
    settings_of: Given,
    data: Data,
) -> Written:
    """Return what a study shows beside its figures, for its section, the paper and the page."""
    return {
        "sentences": asdict(first),
        "methods": methods(data["config"]),
        "tables": built,
        "long": [one.name for one in built if tables.latex.is_long(one)],
        "runs": {measure: tables.runs(data, settings) for measure, settings in settings_of["runs"].items()},
        "summaries": {measure: tables.leader(data, settings) for measure, settings in settings_of["verdicts"].items()},
        "verdicts": {measure: tables.verdict(data, settings) for measure, settings in settings_of["verdicts"].items()},
        "primary": tables.primary(data),
        "held": [one.text for one in claims.held(data.get("claims"))],
        "numbers": [
            {"key": one.key, "text": one.text, "meaning": one.meaning, "value": repr(one.value)}
            for one in numbers
            if not one.single
        ],
    }


def assembled(parts: Mapping[str, Given], data: Mapping[str, Data]) -> list[Written]:
    """Return the studies as `benchmill.paper.paper` takes them."""
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
            "repeated": [*part["repeated"], *_repeated(part["figures"], data[name]["ingest"])],
            **data[name]["exhibits"],
        }
        for name, part in parts.items()
    ]


def _repeated(figures: Sequence[Given], reports: Iterable[Given]) -> list[str]:
    """Return the figures that show what another one shows: of one dimension alone, curves over all dimensions."""
    sizes = {size for report in reports for size in report["dimensions"]}
    return ["ecdf_dimension"] if len(sizes) < 2 and "ecdf_problem" in {one["name"] for one in figures} else []


def on_page(
    studies: Iterable[Given],
    data: Mapping[str, Data],
    pens: Mapping[str, Mapping[str, int]],
) -> list[Written]:
    """Return the same studies as `benchmill.page.page.pages` takes them: with what a reader can explore and ask."""
    return [
        {
            **study,
            "data": own,
            "pens": pens.get(study["name"]),
            "evidence": own["evidence"],
            "tables": [*study["tables"], tables.build("origins", own, {})],
            "figures": [
                {**figure, "svg": own["svg"][figure["name"]]}
                for figure in study["figures"]
                if figure["name"] not in study["repeated"]
            ],
        }
        for study in studies
        for own in [data[study["name"]]]
    ]


def listed(
    trials: Iterable[str],
    costs: Iterable[str],
    excerpts: Iterable[str] = (),
    traces: Iterable[str] = (),
) -> Written:
    """Return the runs of a study as `benchmill.page.runs.listed` takes them.

    Raises
    ------
    UserError
        A table cannot be read (see `benchmill.core.storage.read`).
    """
    of_trials, of_costs = ([Path(path) for path in paths] for paths in (trials, costs))
    n = sum(storage.rows(path, "trials") for path in of_trials)
    if n > MOST_RUNS or sum(storage.rows(path, "costs") for path in of_costs) > MOST_COSTS:
        return {"n": n}
    columns = list(dict.fromkeys([*runs.TRIALS, *runs.TRACED]))
    of_sources = [storage.read(path, "trials", columns) for path in of_trials]
    # costs and excerpts are many: those of one source are read at a time
    inputs: Written = {
        "trials": schema.concatenate(one.select(runs.TRIALS) for one in of_sources),
        "costs": [partial(storage.read, path, "costs", runs.COSTS) for path in of_costs],
        "excerpts": {Path(path).stem: partial(storage.read, path, "excerpts") for path in excerpts},
    }
    traced = {Path(path).stem: path for path in traces}
    if sum(storage.rows(path, "traces") for path in traced.values()) <= MOST_TRACED:
        inputs["traces"] = [
            (one.select(runs.TRACED), partial(storage.pieces, traced[path.stem], "traces"))
            for path, one in zip(of_trials, of_sources, strict=True)
            if path.stem in traced
        ]
    return inputs


def table(kind: str, data: Data, settings: Given) -> display.Table:
    """Return a table of a study: see `benchmill.exhibits.tables.build`."""
    if "variants" in settings:
        measures = data["profile_measures"]
        named = pc.is_in(measures["variant"].cast(pa.string()), pa.array(settings["variants"]))
        data = {**data, "profile_measures": measures.filter(named)}
    return tables.build(kind, data, settings)
