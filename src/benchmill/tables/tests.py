"""The tests: omnibus, average ranks, all pairs, and in words what can and what cannot be claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.tables.pairs import WORDS, apart
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import POINT, at, best, frame, groups, records, short_names
from benchmill.text.measures import called


def omnibus(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of the omnibus tests: one row per method, one section per target or budget.

    A statistic that is undefined (too few blocks or algorithms, all costs tied) is an en dash, and so is
    its verdict.
    """
    measure = settings["measure"]["name"]
    rows = frame(data["tests"], measure)
    sections = []
    for group, members in groups(rows, POINT):
        lines = []
        for row in records(members):
            df = (
                display.ABSENT
                if row["n_resamples"] is not None
                else display.target(row["df1"]) + (f", {display.target(row['df2'])}" if row["df2"] is not None else "")
            )
            verdict = display.ABSENT if row["p"] is None else "yes" if row["significant"] else "no"
            lines.append(
                (
                    Cell(display.method_name(row["method"])),
                    Cell(display.number(row["statistic"], 4), row["statistic"]),
                    Cell(df, row["df1"]),
                    Cell(display.p_value(row["p"]), row["p"]),
                    Cell(verdict, float(row["significant"])),
                    Cell(display.count(row["n_blocks"]), row["n_blocks"]),
                    Cell(display.ABSENT if row["n_clusters"] is None else display.count(row["n_clusters"]), row["n_clusters"]),
                    Cell(display.count(row["n_treatments"]), row["n_treatments"]),
                    Cell(display.count(row["n_left_out"]), row["n_left_out"]),
                    Cell(display.count(row["n_all_tied"]), row["n_all_tied"]),
                    Cell(display.count(row["n_runs"]), row["n_runs"]),
                    Cell(display.p_value(row["p_min"]), row["p_min"]),
                )
            )
        sections.append(Section(at(group, settings), tuple(lines)))
    return Table(
        name=f"tests_{labels.file_name(measure)}",
        title=f"Tests that all algorithms are equal, measure {called(settings['measure'])}",
        caption=(
            f"Tests of the hypothesis that all algorithms are equal, measure {called(settings['measure'])}{_level(rows)}. "
            "Problems are blocks. Left out: problems on which an algorithm has no trial. All tied: blocks that cannot tell the "
            "algorithms apart. Least p: the smallest p that any data of this shape could give. Every target is tested on its "
            "own, without correction for their number."
        ),
        columns=(
            Column("test", "l", key=True),
            Column("statistic", "r"),
            Column("df", "r", "degrees of freedom"),
            Column("p", "r", "p value"),
            Column("significant", "l", "whether p ≤ α"),
            Column("blocks", "r", "problems in the test"),
            Column("clusters", "r", "clusters of problems, for tests that take them whole; others take each problem for itself"),
            Column("algorithms", "r", "algorithms in the test"),
            Column("left out", "r", "problems left out because an algorithm has no trial on them"),
            Column("all tied", "r", "blocks in which every algorithm has the same cost"),
            Column("runs", "r", "runs of every algorithm on every problem"),
            Column("least p", "r", "smallest p value that any data of this shape could give"),
        ),
        sections=tuple(sections),
        place="statistics",
    )


def average_ranks(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of average ranks: one row per algorithm, one column per target or budget; the best of a column is marked."""
    measure = settings["measure"]["name"]
    points = groups(frame(data["ranks"], measure), POINT)
    wide = pd.concat([rows.set_index("algorithm")["average_rank"] for _, rows in points], axis=1, keys=range(len(points)))
    wide = wide.loc[wide.mean(axis=1).to_frame("mean").assign(name=wide.index).sort_values(["mean", "name"]).index]
    shown = short_names(data, wide.index)
    smallest = wide.apply(best)
    lines = [
        (
            Cell(shown[name]),
            *(
                Cell(display.number(rank), None if math.isnan(rank) else rank, rank == least)
                for rank, least in zip(line.tolist(), smallest, strict=True)
            ),
        )
        for name, line in wide.iterrows()
    ]
    return Table(
        name=f"ranks_{labels.file_name(measure)}",
        title=f"Average ranks, measure {called(settings['measure'])}",
        caption=(
            f"Average ranks over the problems, measure {called(settings['measure'])}; 1 is best. "
            "The best of each column is bold; whether it differs from the next is for the comparisons to say."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            *(
                Column(at(group, settings), "r", f"average over {display.plural(members['n_blocks'].iloc[0], 'problem')}")
                for group, members in points
            ),
        ),
        sections=(Section("", tuple(lines)),) if lines else (),
        place="statistics",
    )


def pairwise(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of all pairs: one section per method and target, largest difference first.

    Of too many pairs a section has some (`benchmill.tables.pairs`); one more row counts the others, and how many of them are
    significant.
    """
    measure = settings["measure"]["name"]
    pairs = frame(data["comparisons"], measure)
    shown = short_names(data, [*pairs["algorithm_a"], *pairs["algorithm_b"]], 24)
    designs = frame(data.get("designs"), measure)
    replicated = bool(len(designs) and designs["n_runs"].max() > 1)
    effect_words = (
        "chance that a run of the first is better than one of the second on the same problem"
        if replicated
        else "share of problems on which the first has the smaller aggregated cost, ties half; nothing is said of single runs"
    )
    sections = []
    cut = False
    for group, members in groups(pairs, ["method", "correction", *POINT]):
        lines: list[tuple[Cell, ...]] = []
        far = members["difference"].abs().fillna(0.0)
        members = members.assign(far=far).sort_values(["far", "algorithm_a"], ascending=[False, True], kind="stable")
        members, rest = apart(members, -members["difference"], settings.get("control"))
        for row in records(members):
            # the better of the two first: a negative difference says that a is better
            first_is_better = (row["difference"] or 0.0) <= 0
            pair = _pair(row) if first_is_better else _pair(row)[::-1]
            size = None if row["difference"] is None else abs(row["difference"])
            effect = row["a_better"] if first_is_better or row["a_better"] is None else 1 - row["a_better"]
            ends = [row["a_better_low"], row["a_better_high"]]
            if not first_is_better:
                ends = [None if end is None else 1 - end for end in ends[::-1]]
            span = "" if None in ends else f" ({_chance(ends[0])}–{_chance(ends[1])})"
            verdict = display.ABSENT if row["p_adjusted"] is None else "yes" if row["significant"] else "no"
            lines.append(
                (
                    Cell(shown[pair[0]]),
                    Cell(shown[pair[1]]),
                    Cell(display.number(size), size),
                    Cell(display.number(row["msd"]), row["msd"]),
                    Cell(display.p_value(row["p"]), row["p"]),
                    Cell(display.p_value(row["p_adjusted"]), row["p_adjusted"]),
                    Cell(verdict, float(row["significant"])),
                    Cell(f"{_chance(effect)}{span}", effect),
                )
            )
        if len(rest):
            cut = True
            yes = int(rest["significant"].sum())
            file = f"in comparisons/{labels.file_name(measure)}.parquet"
            lines.append(
                (
                    Cell(f"{display.count(len(rest))} more pairs"),
                    Cell(file),
                    *[Cell(display.ABSENT)] * 4,
                    Cell(f"{display.count(yes)} yes"),
                    Cell(display.ABSENT),
                )
            )
        words = display.correction_words(group["correction"])
        method, where = display.comparison_name(group["method"]), at(group, settings)
        heading = f"{method} (difference: {members['scale'].iloc[0]}), {where}, {words}"
        sections.append(Section(heading, tuple(lines)))
    return Table(
        name=f"comparisons_{labels.file_name(measure)}",
        title=f"Comparisons of all pairs, measure {called(settings['measure'])}",
        caption=(
            f"Comparisons of all pairs, measure {called(settings['measure'])}{_level(pairs)}, family-wise over the pairs of one "
            "target; the better algorithm first. MSD: minimum significant difference (∞: the design is too small for any). "
            f"Adjusted p decides. A: {effect_words}; with the interval of the pair alone."
            f"{f' {WORDS}' if cut else ''}"
        ),
        columns=(
            Column("better", "l", "algorithm with the smaller mean or average rank", key=True),
            Column("worse", "l", "algorithm with the larger mean or average rank", key=True),
            Column("difference", "r", "difference on the scale of the method"),
            Column("MSD", "r", "minimum significant difference"),
            Column("p", "r", "p value of the pair alone"),
            Column("adjusted p", "r", "p value after the correction"),
            Column("significant", "l", "whether adjusted p ≤ α"),
            Column("A", "r", effect_words),
        ),
        sections=tuple(sections),
        place="appendix",
    )


def _chance(value: float | None) -> str:
    """A chance to two places, never rounded up to 1 or down to 0."""
    if value is None or 0 < value < 0.005:
        return display.ABSENT if value is None else "<0.01"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def _pair(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["algorithm_a"], row["algorithm_b"]


def _level(rows: pd.DataFrame) -> str:
    levels = sorted(rows["alpha"].unique())
    return f" (level α = {display.listed([display.target(a) for a in levels])})" if levels else ""
