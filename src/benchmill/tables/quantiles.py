"""Best, quartiles and worst cost of every algorithm on every problem, as papers print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmill.core import keys, replicates
from benchmill.tables.fields import heads, named, numbers, section
from benchmill.text import display, labels
from benchmill.text.display import Table
from benchmill.text.frames import at, short_names
from benchmill.text.measures import called

_SHARES = {"best": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "worst": 1.0}
_PROBLEM = ["suite", "problem", "dimension", "instance"]


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table: one section per problem and target or budget; quantiles are of type 7, and failures infinite."""
    measure = settings["measure"]["name"]
    costs = keys.of_measure(data["costs"], measure)
    problem_keys = [name for name in _PROBLEM if name in (settings.get("problem_keys") or _PROBLEM)]
    group, groups = keys.cells(costs, [*problem_keys, "target", "at_budget"])
    algorithm, algorithms = keys.cells(costs, ["algorithm"])
    names = algorithms.column("algorithm").to_pylist()
    shown = short_names(data, names)
    order, offsets = keys.starts(group * len(names) + algorithm, groups.num_rows * len(names))
    found = replicates.quantiles(costs.column("cost").to_numpy()[order], list(_SHARES.values()), offsets)
    number = offsets[1:] - offsets[:-1]
    fields = (
        named("algorithm", shown),
        *(numbers(name, name) for name in _SHARES),
        numbers("runs", "runs", "runs behind the row", display.count),
    )
    sections = []
    for i, cell in enumerate(groups.to_pylist()):
        mine = [i * len(names) + j for j in range(len(names)) if number[i * len(names) + j]]
        rows = [
            {"algorithm": names[c % len(names)], **dict(zip(_SHARES, found[:, c].tolist(), strict=True)), "runs": int(number[c])}
            for c in mine
        ]
        level = at({key: cell[key] for key in ("target", "at_budget")}, settings)
        where = keys.described({key: labels.shown(str(cell[key])) if cell[key] is not None else None for key in problem_keys})
        heading = where if level == "all problems" else f"{where}, {level}"
        sections.append(section(heading, fields, rows, {"median": min(row["median"] for row in rows)}))
    return Table(
        name=f"quantiles_{labels.file_name(measure)}",
        title=f"Quantiles of the costs, measure {called(settings['measure'])}",
        caption=(
            f"Best, lower quartile, median, upper quartile and worst cost of the runs of every algorithm for the measure "
            f"{called(settings['measure'])}. The best median of every problem is bold."
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="appendix",
    )
