"""The tests: omnibus, average ranks, all pairs, and in words what can and what cannot be claimed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchmill import display, labels
from benchmill.display import Cell, Column, Section, Table
from benchmill.tables.select import at, best_of, grouped, rows_of

_POINT = ["target", "at_budget"]
_METHODS = {
    "friedman": "Friedman",
    "iman_davenport": "Iman–Davenport",
    "conover": "Conover",
    "nemenyi": "Nemenyi",
}


def method_name(method: str) -> str:
    """A method as it is written in prose."""
    return _METHODS.get(method, method.replace("_", " "))


def omnibus(tests: pa.Table, measure: str) -> Table:
    """Make the table of the omnibus tests: a row a method, a section a target or budget.

    A statistic that is undefined (too few blocks or algorithms, all costs tied) is an en dash, and so is
    its verdict.
    """
    sections = []
    for group, members in grouped(rows_of(tests, measure), _POINT):
        lines = []
        for row in members:
            df = display.target(row["df1"]) + (f", {display.target(row['df2'])}" if row["df2"] is not None else "")
            verdict = display.ABSENT if row["p"] is None else "yes" if row["significant"] else "no"
            lines.append(
                (
                    Cell(method_name(row["method"])),
                    Cell(display.number(row["statistic"], 4), row["statistic"]),
                    Cell(df, row["df1"]),
                    Cell(display.p_value(row["p"]), row["p"]),
                    Cell(verdict, float(row["significant"])),
                    Cell(display.count(row["n_blocks"]), row["n_blocks"]),
                    Cell(display.count(row["n_treatments"]), row["n_treatments"]),
                    Cell(display.count(row["n_left_out"]), row["n_left_out"]),
                    Cell(display.count(row["n_all_tied"]), row["n_all_tied"]),
                )
            )
        sections.append(Section(at(group), tuple(lines)))
    return Table(
        name=f"tests_{labels.file_name(measure)}",
        title=f"Tests that all algorithms are equal, measure {measure}",
        caption=(
            f"Tests of the hypothesis that all algorithms are equal, for the measure {measure}{_level(tests, measure)}. "
            "Problems are blocks, in "
            "which the algorithms are ranked by cost: equal costs share the mean of their ranks, failures are equal and "
            "last. Left out: problems on "
            "which an algorithm has no trial. All tied: blocks that cannot tell the algorithms apart. Every target is tested "
            "on its own, "
            "without correction for their number."
        ),
        columns=(
            Column("test", "l", key=True),
            Column("statistic", "r"),
            Column("df", "r", "degrees of freedom"),
            Column("p", "r", "p value"),
            Column("significant", "l", "whether p ≤ α"),
            Column("blocks", "r", "problems in the test"),
            Column("algorithms", "r", "algorithms in the test"),
            Column("left out", "r", "problems left out because an algorithm has no trial on them"),
            Column("all tied", "r", "blocks in which every algorithm has the same cost"),
        ),
        sections=tuple(sections),
        place="statistics",
    )


def average_ranks(ranks: pa.Table, measure: str, settings: Mapping[str, Any] | None = None) -> Table:
    """Make the table of average ranks: a row an algorithm, a column a target or budget; the best of a column is marked."""
    rows = rows_of(ranks, measure)
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *(row["algorithm"] for row in rows)])
    points = grouped(rows, _POINT)
    by_point = [{row["algorithm"]: row["average_rank"] for row in members} for _, members in points]
    best = [best_of(values.values()) for values in by_point]
    names = sorted(
        {row["algorithm"] for row in rows}, key=lambda n: (_mean(v[n] for v in by_point if n in v), labels.natural_key(n))
    )
    lines = []
    for name in names:
        cells = [Cell(shown[name])]
        for values, smallest in zip(by_point, best, strict=True):
            rank = values.get(name)
            cells.append(Cell(display.number(rank), rank, rank is not None and rank == smallest))
        lines.append(tuple(cells))
    return Table(
        name=f"ranks_{labels.file_name(measure)}",
        title=f"Average ranks, measure {measure}",
        caption=(
            f"Average ranks over the problems for the measure {measure}; 1 is best, equal costs share the mean of their ranks. "
            "The best of each column is bold; whether it differs from the next is for the comparisons to say."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            *(Column(at(group), "r", f"average over {members[0]['n_blocks']} problems") for group, members in points),
        ),
        sections=(Section("", tuple(lines)),) if lines else (),
        place="statistics",
    )


def pairwise(comparisons: pa.Table, measure: str, settings: Mapping[str, Any] | None = None) -> Table:
    """Make the table of all pairs: a section a method and target, largest difference first."""
    rows = rows_of(comparisons, measure)
    names = {row[side] for row in rows for side in ("algorithm_a", "algorithm_b")}
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *names], 24)
    sections = []
    for group, members in grouped(rows, ["method", *_POINT]):
        lines = []
        for row in sorted(members, key=lambda r: (-abs(r["difference"]), labels.natural_key(r["algorithm_a"]))):
            # the better of the two first: a negative difference says that a is better
            pair = (
                (row["algorithm_a"], row["algorithm_b"]) if row["difference"] <= 0 else (row["algorithm_b"], row["algorithm_a"])
            )
            verdict = display.ABSENT if row["p_adjusted"] is None else "yes" if row["significant"] else "no"
            lines.append(
                (
                    Cell(shown[pair[0]]),
                    Cell(shown[pair[1]]),
                    Cell(display.number(abs(row["difference"])), abs(row["difference"])),
                    Cell(display.number(row["msd"]), row["msd"]),
                    Cell(display.p_value(row["p"]), row["p"]),
                    Cell(display.p_value(row["p_adjusted"]), row["p_adjusted"]),
                    Cell(verdict, float(row["significant"])),
                )
            )
        correction = members[0]["correction"]
        sections.append(Section(f"{method_name(group['method'])}, {at(group)}, {_correction_words(correction)}", tuple(lines)))
    return Table(
        name=f"comparisons_{labels.file_name(measure)}",
        title=f"Comparisons of all pairs, measure {measure}",
        caption=(
            f"Comparisons of all pairs by their average ranks for the measure {measure}{_level(comparisons, measure)}, "
            "family-wise over the pairs of one "
            "target. The algorithm with the better (smaller) average rank stands first. MSD: minimum significant difference. "
            "p: of the pair "
            "alone; adjusted p: after the correction for the number of pairs, which decides."
        ),
        columns=(
            Column("better", "l", "algorithm with the smaller average rank", key=True),
            Column("worse", "l", "algorithm with the larger average rank", key=True),
            Column("difference", "r", "difference of the average ranks"),
            Column("MSD", "r", "minimum significant difference"),
            Column("p", "r", "p value of the pair alone"),
            Column("adjusted p", "r", "p value after the correction"),
            Column("significant", "l", "whether adjusted p ≤ α"),
        ),
        sections=tuple(sections),
        place="appendix",
    )


def verdict(
    tests: pa.Table, ranks: pa.Table | None, comparisons: pa.Table | None, measure: str, settings: Mapping[str, Any] | None = None
) -> list[str]:
    """Say in words what the tests allow one to claim: one paragraph a target or budget.

    Made from the same rows as the tables. An omnibus test that does not reject, or is undefined, ends
    the paragraph: its comparisons are not interpreted. `No difference shown` is never called equality.
    """
    rows = rows_of(tests, measure)
    rank_rows, pair_rows = rows_of(ranks, measure), rows_of(comparisons, measure)
    names = {row["algorithm"] for row in rank_rows}
    shown = display.short_names([*((settings or {}).get("algorithms") or []), *names])
    paragraphs = []
    for group, members in grouped(rows, _POINT):
        point = tuple(group.values())
        own_ranks = {r["algorithm"]: r["average_rank"] for r in rank_rows if (r["target"], r["at_budget"]) == point}
        own_pairs = [r for r in pair_rows if (r["target"], r["at_budget"]) == point]
        paragraphs.append(f"{_sentence_case(at(group))}: {_verdict_at(members, own_ranks, own_pairs, shown)}")
    return paragraphs


def _verdict_at(
    tests: Sequence[Mapping[str, Any]], ranks: Mapping[str, float], pairs: Sequence[Mapping[str, Any]], shown: Mapping[str, str]
) -> str:
    defined = [row for row in tests if row["p"] is not None]
    if not defined:
        first = tests[0]
        return (
            f"no test is defined for {display.plural(first['n_treatments'], 'algorithm')} on "
            f"{display.plural(first['n_blocks'], 'problem')} "
            f"({display.count(first['n_all_tied'])} of them all tied); nothing can be claimed."
        )
    quoted = "; ".join(
        f"{method_name(row['method'])} {_statistic(row)} = {display.number(row['statistic'], 4)}, p {_p_phrase(row['p'])}"
        for row in defined
    )
    alpha = display.target(defined[0]["alpha"])
    basis = f"over {display.plural(defined[0]['n_blocks'], 'problem')} ({quoted})"
    rejecting = [row for row in defined if row["significant"]]
    if not rejecting:
        return (
            f"no difference between the {display.count(defined[0]['n_treatments'])} algorithms is shown at the level {alpha} "
            f"{basis}. "
            "This does not say that they are equal; the comparisons of pairs are not interpreted."
        )
    agree = len(rejecting) == len(defined)
    head = (
        f"the algorithms are not all equal at the level {alpha} {basis}."
        if agree
        else f"the tests disagree at the level {alpha} {basis}: by "
        f"{display.listed([method_name(row['method']) for row in rejecting])} the algorithms are not all equal."
    )
    if not ranks:
        return head
    best_rank = min(ranks.values())
    best = sorted((name for name, rank in ranks.items() if rank == best_rank), key=labels.natural_key)
    leader = best[0]
    verb = "has" if len(best) == 1 else "share"
    text = f"{head} {display.listed([shown[n] for n in best])} {verb} the best average rank ({display.number(best_rank)})."
    for group, members in grouped(pairs, ["method"]):
        n_significant = sum(row["significant"] for row in members)
        beaten = {_other(row, leader) for row in members if leader in _pair(row) and row["significant"]}
        level = [shown[n] for n in sorted(set(ranks) - beaten - {leader}, key=lambda n: (ranks[n], labels.natural_key(n)))]
        text += (
            f" By {method_name(group['method'])}{_with_correction(group['method'], members[0]['correction'])}, "
            f"{n_significant} of {display.plural(len(members), 'pair')} "
            f"{'differs' if n_significant == 1 else 'differ'}; {shown[leader]} is "
        )
        if not beaten:
            text += "not shown to be better than any other."
        elif not level:
            text += f"better than all {len(ranks) - 1} others."
        else:
            text += f"better than {len(beaten)} of {len(ranks) - 1} others, and not shown to differ from {display.listed(level)}."
    return text


def _statistic(row: Mapping[str, Any]) -> str:
    """`χ²(7)` or `F(7, 665)`, told apart by the second degrees of freedom."""
    if row["df2"] is None:
        return f"χ²({display.target(row['df1'])})"
    return f"F({display.target(row['df1'])}, {display.target(row['df2'])})"


def _correction_words(correction: str) -> str:
    return {"holm": "Holm’s correction", "none": "no correction", "studentised_range": "studentised range"}.get(
        correction, f"correction {correction.replace('_', ' ')}"
    )


def _with_correction(method: str, correction: str) -> str:
    if correction in ("", "none", "studentised_range"):
        return ""
    return f" with {_correction_words(correction)}"


def _pair(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["algorithm_a"], row["algorithm_b"]


def _other(row: Mapping[str, Any], name: str) -> str:
    a, b = _pair(row)
    return b if a == name else a


def _p_phrase(p: float) -> str:
    text = display.p_value(p)
    return f"{text[0]} {text[1:]}" if text[0] in "<>" else f"= {text}"


def _sentence_case(text: str) -> str:
    return text[0].upper() + text[1:]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _level(table: pa.Table, measure: str) -> str:
    levels = sorted({row["alpha"] for row in rows_of(table, measure)})
    return f" (level α = {display.listed([display.target(a) for a in levels])})" if levels else ""
