"""Tables of indicators: areas under curves, quantiles of costs, and restricted means of running times."""

from collections.abc import Mapping
from typing import Any

from benchmill.core import keys, limits, replicates
from benchmill.registry.tables import Kind
from benchmill.tables.fields import columns, exhibit, section
from benchmill.text import display, labels
from benchmill.text.frames import at, best, frame, groups, short_names

#: What tells curves apart, beside the algorithm.
_PANEL = ["suite", "group", "problem", "dimension", "target"]
_PANEL_OF_VALUES = [*_PANEL[:-1], "at_budget"]

_QUANTILES = {"best": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "worst": 1.0}
_PROBLEM = ["suite", "problem", "dimension", "instance"]


def areas(data: Mapping[str, Any], settings: Mapping[str, Any]) -> display.Table:
    """Make the table of the ECDF curves of one aggregation, the largest area first."""
    rows = frame(data["ecdf_curves"]).sort_values("area_log", ascending=False, kind="stable")
    fields = columns("ecdf", short_names(data, rows["algorithm"]))
    sections = [
        section(
            _heading(group), fields, members, {name: best(members[name], largest=True) for name in ("solved", "area_log", "area")}
        )
        for group, members in groups(rows, _PANEL)
    ]
    first = rows.iloc[0]
    limits = f"{display.target(first['x_from'])} to {display.target(first['x_to'])} {first['x_unit']}"
    return exhibit("ecdf", fields, sections, limits=limits, **_averaged(str(first["aggregation"])))


def areas_of_values(data: Mapping[str, Any], settings: Mapping[str, Any]) -> display.Table:
    """Make the table of the ECDF curves of values of one measure and aggregation."""
    rows = frame(data["value_ecdf_curves"])
    fields = columns("value_ecdf", short_names(data, rows["algorithm"]))
    sections = (section(_heading(group), fields, members) for group, members in groups(rows, _PANEL_OF_VALUES))
    left_out = sum(origin.get("n_left_out", 0) for origin in data.get("origins", {}).values())
    lost = f" Left out, since an algorithm has no trial on them: {display.plural(left_out, 'problem')}." if left_out else ""
    words = _averaged(str(rows["aggregation"].iloc[0]))
    return exhibit("value_ecdf", fields, sections, settings["measure"], lost=lost, **words)


def _averaged(aggregation: str) -> dict[str, Any]:
    return {"aggregation": labels.file_name(aggregation), "over": display.words(aggregation)}


def _heading(group: Mapping[str, Any]) -> str:
    parts = [str(group[key]) for key in ("suite", "group", "problem") if group[key] is not None]
    parts += [f"dimension {group['dimension']}"] if group["dimension"] is not None else []
    for key, word in (("target", "target"), ("at_budget", "budget")):
        parts += [f"{word} {display.target(group[key])}"] if group.get(key) is not None else []
    return ", ".join(parts)


def quantiles(data: Mapping[str, Any], settings: Mapping[str, Any]) -> display.Table:
    """Make the table of quantiles (type 7); failures are infinite."""
    costs, _ = limits.costs_of(data["costs"], settings["measure"]["name"])
    problem_keys = [name for name in _PROBLEM if name in (settings.get("problem_keys") or _PROBLEM)]
    cell, cells = keys.cells(costs, [*problem_keys, "target", "at_budget"])
    rows = frame(costs).assign(cell=cell)
    fields = columns("quantiles", short_names(data, rows["algorithm"].unique()))
    sections = []
    for group, (_, members) in zip(cells.to_pylist(), rows.groupby("cell"), strict=True):
        found = [
            {
                **dict(zip(_QUANTILES, replicates.quantiles(own, list(_QUANTILES.values()))[:, 0].tolist(), strict=True)),
                "algorithm": name,
                "runs": len(own),
            }
            for name, own in members.groupby("algorithm", observed=True)["cost"]
        ]
        level = at({key: group[key] for key in ("target", "at_budget")}, settings)
        where = keys.described({key: labels.shown(str(group[key])) if group[key] is not None else None for key in problem_keys})
        heading = where if level == "all problems" else f"{where}, {level}"
        sections.append(section(heading, fields, found, {"median": min(row["median"] for row in found)}))
    return exhibit("quantiles", fields, sections, settings["measure"])


def restricted_means(data: Mapping[str, Any], settings: Mapping[str, Any]) -> display.Table:
    """Make the table: a section per suite, dimension and target, the smallest mean first and marked."""
    measure = settings["measure"]
    rows = frame(data["restricted_means"], measure["name"])
    fields = columns("restricted_means", short_names(data, rows["algorithm"]), {"interval": _interval})
    sections = []
    for group, members in groups(rows, ["suite", "dimension", "target", "horizon"]):
        # a mean that is not known says nothing of who is first
        least = {"mean": best(members["mean"])} if members["mean"].notna().all() else {}
        target = None if group["target"] is None else display.target(group["target"])
        where = keys.described({"suite": group["suite"], "dimension": group["dimension"], "target": target})
        until = (
            f"horizon {display.number(group['horizon'])}" if group["horizon"] else "no horizon: no run is known to end after 0"
        )
        heading = ", ".join(part for part in (where, until) if part)
        sections.append(section(heading, fields, members.sort_values("mean", kind="stable"), least))
    level = f"{100 * rows['level'].iloc[0]:g} %" if len(rows) else ""
    return exhibit("restricted_means", fields, sections, measure, level=level, words=display.words(measure["name"]))


def _interval(row: Mapping[str, Any]) -> str:
    if row["low"] is None or row["high"] is None:
        return display.ABSENT
    return f"{display.number(row['low'])} to {display.number(row['high'])}"


ENTRIES = (
    Kind(
        name="restricted_means",
        words="restricted mean running times",
        build=restricted_means,
        section="indicators",
        file="restricted_means_{measure}",
        each="measure",
        tables=("restricted_means/{measure}",),
        listed="indicators.kaplan_meier.measures",
    ),
    Kind(
        name="quantiles",
        words="quantiles of the costs",
        build=quantiles,
        section="indicators",
        file="quantiles_{measure}",
        each="measure",
        tables=("costs/{measure}/{source}",),
        listed="indicators.quantiles",
        budgets=True,
    ),
)
