"""The tests: omnibus, average ranks, all pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.tables.fields import alone, decided, heads, lines, named, numbers, section, words
from benchmill.tables.pairs import WORDS, apart, more
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import POINT, at, best, frame, groups, records, short_names
from benchmill.text.measures import called


def omnibus(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of omnibus tests: one section per target or budget; an undefined statistic is an en dash, as its verdict."""
    measure = settings["measure"]["name"]
    rows = frame(data["tests"], measure)
    fields = (
        words("test", lambda row: display.method_name(row["method"]), key=True),
        numbers("statistic", "statistic", form=lambda value: display.number(value, 4)),
        numbers("df", "df1", "degrees of freedom", of=_df),
        numbers("p", "p", "p value", display.p_value),
        decided("whether p ≤ α", "p"),
        numbers("blocks", "n_blocks", "problems in the test", display.count),
        numbers(
            "clusters",
            "n_clusters",
            "clusters of problems, for tests that take them whole; others take each problem for itself",
            display.count,
        ),
        numbers("algorithms", "n_treatments", "algorithms in the test", display.count),
        numbers("left out", "n_left_out", "problems left out because an algorithm has no trial on them", display.count),
        numbers("all tied", "n_all_tied", "blocks in which every algorithm has the same cost", display.count),
        numbers("runs", "n_runs", "runs of every algorithm on every problem", display.count),
        numbers("least p", "p_min", "smallest p value that any data of this shape could give", display.p_value),
    )
    return Table(
        name=f"tests_{labels.file_name(measure)}",
        title=f"Tests that all algorithms are equal, measure {called(settings['measure'])}",
        caption=(
            f"Tests of the hypothesis that all algorithms are equal, measure {called(settings['measure'])}{_level(rows)}. "
            "Problems are blocks. Left out: problems on which an algorithm has no trial. All tied: blocks that cannot tell the "
            "algorithms apart. Least p: the smallest p that any data of this shape could give. Every target is tested on its "
            "own, without correction for their number."
        ),
        columns=heads(fields),
        sections=tuple(section(at(group, settings), fields, members) for group, members in groups(rows, POINT)),
        place="statistics",
    )


def _df(row: Mapping[str, Any]) -> str:
    if row["n_resamples"] is not None:
        return display.ABSENT
    return display.target(row["df1"]) + (f", {display.target(row['df2'])}" if row["df2"] is not None else "")


def average_ranks(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of average ranks: one column per target or budget; the best of a column is marked."""
    measure = settings["measure"]["name"]
    points = groups(frame(data["ranks"], measure), POINT)
    wide = pd.concat([rows.set_index("algorithm")["average_rank"] for _, rows in points], axis=1, keys=range(len(points)))
    wide = wide.loc[wide.mean(axis=1).to_frame("mean").assign(name=wide.index).sort_values(["mean", "name"]).index]
    shown = short_names(data, wide.index)
    smallest = wide.apply(best)
    rows = [
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
        sections=alone(rows),
        place="statistics",
    )


def pairwise(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of all pairs: one section per method and target, the largest difference first."""
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
    fields = (
        named("better", shown, "first", "algorithm with the smaller mean or average rank"),
        named("worse", shown, "second", "algorithm with the larger mean or average rank"),
        numbers("difference", "size", "difference on the scale of the method"),
        numbers("MSD", "msd", "minimum significant difference"),
        numbers("p", "p", "p value of the pair alone", display.p_value),
        numbers("adjusted p", "p_adjusted", "p value after the correction", display.p_value),
        decided("whether adjusted p ≤ α"),
        numbers("A", "effect", effect_words, of=lambda row: f"{_chance(row['effect'])}{row['span']}"),
    )
    sections = []
    cut = False
    for group, members in groups(pairs, ["method", "correction", *POINT]):
        far = members["difference"].abs().fillna(0.0)
        members = members.assign(far=far).sort_values(["far", "algorithm_a"], ascending=[False, True], kind="stable")
        members, rest = apart(members, -members["difference"], settings.get("control"))
        cut = cut or bool(len(rest))
        yes = f"{display.count(int(rest['significant'].sum()))} yes"
        others = more(rest, fields, f"comparisons/{labels.file_name(measure)}.parquet", {"significant": yes})
        correction = display.correction_words(group["correction"])
        method, where = display.comparison_name(group["method"]), at(group, settings)
        heading = f"{method} (difference: {members['scale'].iloc[0]}), {where}, {correction}"
        sections.append(Section(heading, (*lines(fields, map(_better_first, records(members))), *others)))
    return Table(
        name=f"comparisons_{labels.file_name(measure)}",
        title=f"Comparisons of all pairs, measure {called(settings['measure'])}",
        caption=(
            f"Comparisons of all pairs, measure {called(settings['measure'])}{_level(pairs)}, family-wise over the pairs of one "
            "target; the better algorithm first. MSD: minimum significant difference (∞: the design is too small for any). "
            f"Adjusted p decides. A: {effect_words}; with the interval of the pair alone."
            f"{f' {WORDS}' if cut else ''}"
        ),
        columns=heads(fields),
        sections=tuple(sections),
        place="appendix",
    )


def _chance(value: float | None) -> str:
    """Write a chance to two places, never rounded up to 1 or down to 0."""
    if value is None or 0 < value < 0.005:
        return display.ABSENT if value is None else "<0.01"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def _better_first(row: Mapping[str, Any]) -> dict[str, Any]:
    turn = -1 if (row["difference"] or 0.0) > 0 else 1
    first, second = (row["algorithm_a"], row["algorithm_b"])[::turn]
    effect, *ends = (
        value if value is None or turn == 1 else 1 - value
        for value in (row["a_better"], *(row["a_better_low"], row["a_better_high"])[::turn])
    )
    size = None if row["difference"] is None else abs(row["difference"])
    span = "" if None in ends else f" ({_chance(ends[0])}–{_chance(ends[1])})"
    return {**row, "first": first, "second": second, "size": size, "effect": effect, "span": span}


def _level(rows: pd.DataFrame) -> str:
    levels = sorted(rows["alpha"].unique())
    return f" (level α = {display.listed([display.target(a) for a in levels])})" if levels else ""
