"""The figures and tables of a study: their names, their kinds, and the settings that each depends on."""

from collections.abc import Sequence
from dataclasses import field
from functools import cache

from benchmill.core import Given, Names, Written, frozen
from benchmill.core.options import made
from benchmill.registry.figures import KINDS, Kind
from benchmill.registry.inference import COMPARISONS
from benchmill.registry.measures import VALUES
from benchmill.registry.variants import VARIANTS
from benchmill.study.study import ECDF_MEASURE, Study
from benchmill.study.study import tables_of as own_tables
from benchmill.study.validation import filled, schema
from benchmill.text import widths
from benchmill.text.appearance import Appearance
from benchmill.text.measures import Measure


@frozen
class View:
    """A figure or table of a study.

    Attributes
    ----------
    kind : str
        Key of `benchmill.registry.figures.KINDS` or `benchmill.registry.tables.KINDS`.
    chosen : mapping
        What of the study it shows: names of a `measure` and a `profile`, or of several profiles (`variants`); of a figure that
        the study asks for by its kind, how it was `asked` for.
    tables : tuple of str
        The result tables that a figure is drawn from, below the study's folder, without suffix.
    measures : tuple of str
        Names of the measures that a figure shows.
    """

    kind: str
    chosen: Given = field(default_factory=dict)
    tables: Names = ()
    measures: Names = ()


# --- figures -----------------------------------------------------------------------------------


@cache
def figures_of(study: Study) -> dict[str, View]:
    """Return all figures that a study can have, by name."""
    views = {}
    intervals = any(COMPARISONS[name].common_msd for name in study.settings["inference"]["comparisons"])
    kinds = [
        kind
        for kind in KINDS.values()
        if ((study.replicated and intervals) or not kind.replicated) and (not kind.needs or study.setting(kind.needs))
    ]
    # a panel for each problem or budget, or for each target, would be too many
    places = {
        "values": [
            {"measure": measure, "aggregation": aggregation}
            for measure, aggregation in study.value_ecdfs
            if aggregation in ("problem", "group", "dimension")
        ],
        "profile": [
            {"measure": m, "profile": variant} for m in study.measures_for("profiles") for variant in study.variants_for(m)
        ],
        "aggregation": [
            {"aggregation": aggregation}
            for aggregation in study.aggregations
            if aggregation not in ("trial", "problem_per_target")
        ],
        "measure": [{"measure": measure} for measure in study.measures_for("inference")],
    }
    for place, kind in [(place, kind) for each in places for place in places[each] for kind in kinds if kind.each == each]:
        chosen: Written = {"measure": ECDF_MEASURE} | {k: v for k, v in place.items() if k != "aggregation"}
        measures, variants = ([place[key]] if key in place else [] for key in ("measure", "profile"))
        name = "_".join([kind.name, *place.values()])
        views[name] = _figure(study, kind, chosen, measures, variants, place.get("aggregation"))
    of_each = {
        f"{kind.name}_{measure}": {"kind": kind.name, "measures": [measure], "variants": []}
        for measure in study.summarised
        for kind in kinds
        if kind.each == "summary"
    }
    for name, asked in {**of_each, **study.asked_figures}.items():
        kind = KINDS[asked["kind"]]
        of_one = kind.each in ("profile", "measure", "values") or kind.shows == "indicators"
        chosen = {
            "asked": asked,
            **({"measure": asked["measures"][0]} if of_one else {}),
            **({"measure": ECDF_MEASURE} if kind.each == "aggregation" else {}),
            **({"profile": asked["variants"][0]} if kind.each == "profile" else {}),
        }
        views[name] = _figure(study, kind, chosen, asked["measures"], asked["variants"], asked.get("aggregation"))
    return views


def _figure(
    study: Study,
    kind: Kind,
    chosen: Given,
    measures: Sequence[str] = (),
    variants: Sequence[str] = (),
    aggregation: str | None = None,
) -> View:
    tables = [
        table.format(measure=measure, variant=variant, source=source, aggregation=aggregation)
        for measure in measures or (None,)
        for variant in variants or (None,)
        if measure is None or variant is None or variant in study.variants_for(measure)
        for table in (*kind.tables, *(kind.of_runs if measure in study.summarised else ()))
        for source in ([source.name for source in study.sources] if "{source}" in table else [None])
    ]
    return View(kind.name, chosen, tuple(dict.fromkeys(tables)), tuple(measures))


def chosen_figures(study: Study) -> list[str]:
    """Return the names of the figures that the study asks for."""
    wanted, asked = study.settings["figures"], study.asked_figures
    return [
        name
        for name, figure in figures_of(study).items()
        if name in wanted or name in asked or ("all" in wanted and not _of_quality(study, figure))
    ]


def _repeated(study: Study) -> list[str]:
    """Return the figures that are asked for just as `all` has them: what shows both shows one twice."""
    figures, asked = figures_of(study), study.asked_figures
    others = [(figures[name].kind, figures[name].tables) for name in chosen_figures(study) if name not in asked]
    return [name for name in asked if (figures[name].kind, figures[name].tables) in others and _as_usual(asked[name])]


def _as_usual(asked: Given) -> bool:
    """Return True for a figure that is asked for with the default of every setting but those that say what it shows."""
    of_study = schema()["properties"]["studies"]["additionalProperties"]["properties"]
    usual = filled({"kind": asked["kind"]}, of_study["figures"]["items"])
    return all(asked[key] == usual.get(key) for key in asked if key not in ("name", "measures", "variants", "aggregation"))


def _of_quality(study: Study, figure: View) -> bool:
    """Return True for a profile of ratios of values, which do not measure distances to an optimum: made only on request."""
    profile = str(figure.chosen.get("profile") or "")
    return (
        bool(profile)
        and study.measures[figure.chosen["measure"]]["kind"] == VALUES
        and VARIANTS[study.variants[profile]["variant"]].of_ratios
    )


def figure_settings(study: Study, figure: View) -> Written:
    """Return what a figure has to know about the study."""
    ecdf = study.settings["indicators"]["ecdf"]
    looks, own = study.settings["appearance"], view_settings(study, figure.chosen)
    return {
        **{key: value for key, value in looks.items() if key != "formats"},
        **{key: value for key, value in own.items() if value is not None},
        "indicators": {
            "ecdf": {key: ecdf[key] for key in ("x", "weight", "groups", "restarts", "bands", "level") if key in ecdf}
        },
    }


def font_files(study: Study) -> list[str]:
    """Return the installed fonts that figures use."""
    appearance = made(Appearance, study.settings["appearance"], "appearance")
    if appearance.font == "bundled":
        return []
    # half a second of Matplotlib for those alone who ask for it
    from benchmill.exhibits.figures import style

    return style.font_files(appearance)


# --- tables ------------------------------------------------------------------------------------


@cache
def tables_of(study: Study) -> dict[str, View]:
    """Return the tables of a study, by name: those that it has, then those that it asks for."""
    views = {name: View(kind.name, chosen) for name, (kind, chosen) in own_tables(study).items()}
    return views | {
        asked["name"]: View(views[asked["table"]].kind, {**views[asked["table"]].chosen, "ordered": asked})
        for asked in study.settings["tables"]
    }


# --- what they know ----------------------------------------------------------------------------


def view_settings(study: Study, chosen: Given) -> Written:
    """Return what a figure or table has to know about the study."""
    settings: Written = {"study": study.name, "measure_labels": study.labels}
    if "measure" in chosen:
        settings |= {
            "problem_keys": study.settings["problem_keys"],
            "measure": {"name": chosen["measure"], **study.measures[chosen["measure"]]},
            "not_competing": study.settings["not_competing"],
        }
    if "profile" in chosen:
        settings["profile"] = study.variants[chosen["profile"]]
    if "variants" in chosen:
        settings["variants"] = list(chosen["variants"])
    if "ordered" in chosen:
        settings["asked"] = chosen["ordered"]
    if "asked" in chosen:
        asked = chosen["asked"]
        settings["measures"] = [{"name": name, **study.measures[name]} for name in asked["measures"]]
        settings["profiles"] = [study.variants[name] for name in asked["variants"]]
        settings |= {key: value for key, value in asked.items() if key not in ("kind", "name", "measures", "variants")}
        if "attainment/{source}" in KINDS[asked["kind"]].tables:
            settings["attainment"] = study.settings["indicators"]["attainment"]
    return settings


def layout_of(study: Study) -> Written:
    """Return the keywords of `benchmill.exhibits.tables.latex.render` for the tables of a study."""
    paper = study.settings["appearance"]["paper"]
    return {
        "widths": [round(widths.of(paper, part) * widths.POINTS, 2) for part in ("column", "text")],
        "height": widths.preset(paper)["height"],
    }


def table_settings(study: Study) -> dict[str, tuple[str, Written]]:
    """Return kind and settings of every table of a study, by name."""
    shared_settings = {
        "control": study.settings["control"],
        "ranks": list(study.settings["standings"]["ranks"]),
        "cells": {name: Measure.parsed(measure).cell for name, measure in study.measures.items()},
    }
    own = {"settings": {"config": study.without_appearance}}
    return {
        name: (table.kind, view_settings(study, table.chosen) | shared_settings | own.get(table.kind, {}))
        for name, table in tables_of(study).items()
    }


def sentence_settings(study: Study) -> dict[str, Written]:
    """Return what sentences depend on, by measure: those about solver runs, and those about claims."""
    whole = {key: study.settings[key] for key in ("control", "cluster_keys")}
    pooled = {study.primary_measure: {"targets": study.settings["primary"]["targets"]}}
    return {
        kind: {name: view_settings(study, {"measure": name}) | whole | pooled.get(name, {}) for name in names}
        for kind, names in {"runs": study.summarised, "verdicts": study.measures_for("inference")}.items()
    }


def page_parts(study: Study) -> Written:
    """Return what section, paper and page show beside exhibits, in their order."""
    figures = figures_of(study)
    return {
        "title": study.title,
        "figures": [
            {"name": name, "kind": figures[name].kind, "measure": figures[name].chosen.get("measure")}
            # what runs of solvers show first
            for name in sorted(chosen_figures(study), key=lambda name: KINDS[figures[name].kind].shows != "runs")
        ],
        "repeated": _repeated(study),
        "groups": study.problem_groups,
    }
