"""The tests: omnibus, average ranks, all pairs, and in words what can and what cannot be claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from benchmill.core.natural_order import natural_key
from benchmill.registry.comparisons import COMPARISONS
from benchmill.registry.corrections import CORRECTIONS
from benchmill.registry.tests import TESTS
from benchmill.tables import posteriors as posterior_tables
from benchmill.tables.frames import POINT, at, best, by_method, by_point, frame, groups, records, short_names
from benchmill.text import display, labels
from benchmill.text.display import Cell, Column, Section, Table

#: Pairs that a section names, all of those of 63 algorithms; the others are counted in one row.
_MOST_PAIRS = 2000


def omnibus(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of the omnibus tests: a row a method, a section a target or budget.

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
                    Cell(display.count(row["n_treatments"]), row["n_treatments"]),
                    Cell(display.count(row["n_left_out"]), row["n_left_out"]),
                    Cell(display.count(row["n_all_tied"]), row["n_all_tied"]),
                    Cell(display.count(row["n_runs"]), row["n_runs"]),
                    Cell(display.p_value(row["p_min"]), row["p_min"]),
                )
            )
        sections.append(Section(at(group), tuple(lines)))
    return Table(
        name=f"tests_{labels.file_name(measure)}",
        title=f"Tests that all algorithms are equal, measure {display.words(measure)}",
        caption=(
            f"Tests of the hypothesis that all algorithms are equal, "
            f"for the measure {display.words(measure)}{_level(rows)}. "
            "Problems are blocks. Tests of ranks rank the algorithms in each: equal costs share the mean of their ranks, "
            "failures are equal and last. Left out: problems on "
            "which an algorithm has no trial. All tied: blocks that cannot tell the algorithms apart. Least p: the smallest p "
            "that "
            "any data of this shape could give, where that is bounded. Every target is tested on its own, "
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
            Column("runs", "r", "runs of every algorithm on every problem"),
            Column("least p", "r", "smallest p value that any data of this shape could give"),
        ),
        sections=tuple(sections),
        place="statistics",
    )


def average_ranks(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of average ranks: a row an algorithm, a column a target or budget; the best of a column is marked."""
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
        title=f"Average ranks, measure {display.words(measure)}",
        caption=(
            f"Average ranks over the problems "
            f"for the measure {display.words(measure)}; 1 is best, equal costs share the mean of their ranks. "
            "The best of each column is bold; whether it differs from the next is for the comparisons to say."
        ),
        columns=(
            Column("algorithm", "l", key=True),
            *(Column(at(group), "r", f"average over {members['n_blocks'].iloc[0]} problems") for group, members in points),
        ),
        sections=(Section("", tuple(lines)),) if lines else (),
        place="statistics",
    )


def pairwise(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table of all pairs: a section a method and target, largest difference first.

    A section has at most `_MOST_PAIRS` rows; pairs beyond them are counted in one more row, with how many of them are
    significant, so that 200 algorithms do not make a page of tens of megabytes.
    """
    measure = settings["measure"]["name"]
    pairs = frame(data["comparisons"], measure)
    shown = short_names(data, [*pairs["algorithm_a"], *pairs["algorithm_b"]], 24)
    sections = []
    for group, members in groups(pairs, ["method", "correction", *POINT]):
        lines: list[tuple[Cell, ...]] = []
        far = members["difference"].abs().fillna(0.0)
        members = members.assign(far=far).sort_values(["far", "algorithm_a"], ascending=[False, True], kind="stable")
        for row in records(members.head(_MOST_PAIRS)):
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
        rest = members.iloc[_MOST_PAIRS:]
        if len(rest):
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
        heading = f"{display.comparison_name(group['method'])} (difference: {members['scale'].iloc[0]}), {at(group)}, {words}"
        sections.append(Section(heading, tuple(lines)))
    return Table(
        name=f"comparisons_{labels.file_name(measure)}",
        title=f"Comparisons of all pairs, measure {display.words(measure)}",
        caption=(
            f"Comparisons of all pairs "
            f"for the measure {display.words(measure)}{_level(pairs)}, family-wise over the pairs of "
            "one "
            "target. The better algorithm by what the method compares stands first. MSD: minimum significant difference "
            "(infinite "
            "where the design is too small for any). p: of the pair alone; adjusted p: after the correction for the number of "
            "pairs, "
            "which decides. A: chance that a run of the first is better than one of the second on the same problem, with "
            "the interval of the pair alone."
        ),
        columns=(
            Column("better", "l", "algorithm with the smaller mean or average rank", key=True),
            Column("worse", "l", "algorithm with the larger mean or average rank", key=True),
            Column("difference", "r", "difference on the scale of the method"),
            Column("MSD", "r", "minimum significant difference"),
            Column("p", "r", "p value of the pair alone"),
            Column("adjusted p", "r", "p value after the correction"),
            Column("significant", "l", "whether adjusted p ≤ α"),
            Column("A", "r", "chance that a run of the first is better than one of the second"),
        ),
        sections=tuple(sections),
        place="appendix",
    )


def _chance(value: float | None) -> str:
    """A chance to two places, never rounded up to 1 or down to 0."""
    if value is None or 0 < value < 0.005:
        return display.ABSENT if value is None else "<0.01"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def verdict(data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
    """Say in words what the tests allow one to claim: one paragraph a target or budget.

    Made from the same rows as the tables. An omnibus test that does not reject, or is undefined, ends
    the paragraph: its comparisons are not interpreted. `No difference shown` is never called equality.

    Parameters
    ----------
    data : mapping
        `tests`, and where there `ranks`, `comparisons`, `assumptions` and `posteriors`.
    settings : mapping
        `measure` with its `name`.
    """
    tested, ranked, compared, checked, believed = (
        by_point(data.get(name), settings["measure"]["name"])
        for name in ("tests", "ranks", "comparisons", "assumptions", "posteriors")
    )
    names = {row["algorithm"] for rows in ranked.values() for row in rows}
    shown = short_names(data, names)
    paragraphs = []
    for point, rows in tested.items():
        own_ranks = {row["algorithm"]: row["average_rank"] for row in ranked.get(point, [])}
        own_pairs = _deciding(compared.get(point, []))
        doubt = _doubts(rows, own_pairs, checked.get(point, []))
        leader = min(own_ranks, key=lambda name: (own_ranks[name], natural_key(name)), default=None)
        bayes = posterior_tables.said(believed.get(point, []), leader, shown) if leader is not None else ""
        where = _sentence_case(at(dict(zip(POINT, point, strict=True))))
        paragraphs.append(f"{where}: {_verdict_at(rows, own_ranks, own_pairs, shown)}{doubt}{bayes}")
    return paragraphs


def _deciding(pairs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Of several corrections of a method the rows of the first, which is the one that decides."""
    first: dict[str, str] = {}
    return [row for row in pairs if first.setdefault(row["method"], row["correction"]) == row["correction"]]


def _verdict_at(
    tests: Sequence[Mapping[str, Any]], ranks: Mapping[str, float], pairs: Sequence[Mapping[str, Any]], shown: Mapping[str, str]
) -> str:
    defined = [row for row in tests if row["p"] is not None]
    limits = _limits(tests, pairs)
    if not defined:
        first = tests[0]
        failures = f" and {display.plural(first['n_failures'], 'failure')} without a value" if first["n_failures"] else ""
        return (
            f"no test is defined for {display.plural(first['n_treatments'], 'algorithm')} on "
            f"{display.plural(first['n_blocks'], 'problem')} "
            f"({display.count(first['n_all_tied'])} of them all tied){failures}; nothing can be claimed."
        )
    quoted = "; ".join(
        f"{display.method_name(row['method'])} {_statistic(row)} = {display.number(row['statistic'], 4)}, p {_p_phrase(row['p'])}"
        for row in defined
    )
    alpha = display.target(defined[0]["alpha"])
    runs = f" with {display.plural(defined[0]['n_runs'], 'run')} each" if defined[0]["n_runs"] > 1 else ""
    basis = f"over {display.plural(defined[0]['n_blocks'], 'problem')}{runs} ({quoted})"
    rejecting = [row for row in defined if row["significant"]]
    lost = [row for row in tests if row["p"] is None]
    if lost:
        limits = f" Not defined here: {display.listed([display.method_name(row['method']) for row in lost])}.{limits}"
    if not rejecting:
        return (
            f"no difference between the {display.count(defined[0]['n_treatments'])} algorithms is shown at the level {alpha} "
            f"{basis}. "
            f"This does not say that they are equal; the comparisons of pairs are not interpreted.{limits}"
        )
    agree = len(rejecting) == len(defined)
    head = (
        f"the algorithms are not all equal at the level {alpha} {basis}."
        if agree
        else f"the tests disagree at the level {alpha} {basis}: by "
        f"{display.listed([display.method_name(row['method']) for row in rejecting])} the algorithms are not all equal."
    )
    if not ranks:
        return f"{head}{limits}"
    best_rank = min(ranks.values())
    best = sorted((name for name, rank in ranks.items() if rank == best_rank), key=natural_key)
    leader = best[0]
    verb = "has" if len(best) == 1 else "share"
    text = f"{head} {display.listed([shown[n] for n in best])} {verb} the best average rank ({display.number(best_rank)})."
    for method, members in by_method(pairs):
        n_significant = sum(row["significant"] for row in members)
        if not n_significant and all(row["p_adjusted"] is None for row in members):
            continue
        own = [row for row in members if leader in _pair(row) and row["significant"]]
        # by means the algorithm with the best average rank can be the worse one
        beaten = {_other(row, leader) for row in own if _ahead(row, leader)}
        ahead = {_other(row, leader) for row in own} - beaten
        in_order = sorted(set(ranks) - {leader}, key=lambda n: (ranks[n], natural_key(n)))
        level = [shown[n] for n in in_order if n not in beaten | ahead]
        text += (
            f" By {display.comparison_name(method)}{_with_correction(members[0]['correction'])}, "
            f"{n_significant} of {display.plural(len(members), 'pair')} "
            f"{'differs' if n_significant == 1 else 'differ'}; {shown[leader]} is "
        )
        if ahead:
            text += f"worse ({members[0]['scale']}) than {display.listed([shown[n] for n in in_order if n in ahead])} and "
        if not beaten:
            text += "not shown to be better than any other."
        elif not level and not ahead:
            text += f"better than all {len(ranks) - 1} others."
        elif not level:
            text += f"better than {len(beaten)} of {len(ranks) - 1} others."
        else:
            text += f"better than {len(beaten)} of {len(ranks) - 1} others, and not shown to differ from {display.listed(level)}."
    return text + limits


def _limits(tests: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]]) -> str:
    """What this design could not have rejected, whatever the data."""
    text = ""
    for row in tests:
        if row["p_min"] is not None and row["p_min"] > row["alpha"]:
            text += (
                f" By {display.method_name(row['method'])} this design could not have rejected anything: its smallest p is "
                f"{display.p_value(row['p_min'])}."
            )
    for method, members in by_method(pairs):
        row = members[0]
        if row["smallest_epsilon"] is not None and row["msd"] is None:
            text += (
                " Algorithm 2 of Chiarandini et al. finds no minimum significant difference that suits all pairs within the "
                f"tolerance ε of the study; the smallest ε for which there is one is {display.number(row['smallest_epsilon'])}."
            )
        if row["p_adjusted_min"] is None or row["p_adjusted_min"] <= row["alpha"]:
            continue
        reason = (
            f"the smallest adjusted p is {display.p_value(row['p_adjusted_min'])}"
            if row["p"] is None
            else f"the smallest p of a pair is {display.p_value(row['p_min'])}, which the correction for "
            f"{display.plural(len(members), 'pair')} raises to {display.p_value(row['p_adjusted_min'])}"
        )
        text += (
            f" By {display.comparison_name(method)}{_with_correction(row['correction'])} "
            f"this design could not have rejected anything: {reason}."
        )
    return text


def _doubts(tests: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], checks: Sequence[Mapping[str, Any]]) -> str:
    """Which assumptions of the parametric methods the data contradict, and what to trust then. Nothing is chosen by it."""
    alpha = tests[0]["alpha"]
    tested = [TESTS[name] for name in dict.fromkeys(row["method"] for row in tests)]
    compared = [COMPARISONS[name] for name in dict.fromkeys(row["method"] for row in pairs)]
    broken = {row["check"]: row for row in checks if row["p"] is not None and row["p"] <= alpha}
    text = ""
    doubted = [row for name, row in broken.items() if name in ("shapiro_wilk", "brown_forsythe", "brown_forsythe_blocks")]
    if doubted and any(method.normal and method.equal_variances for method in [*tested, *compared]):
        said = display.listed([f"{row['meaning']} (p {_p_phrase(row['p'])})" for row in doubted])
        text += (
            f" The data contradict what the analysis of variance, Tukey and Scheffé assume: {said}; trust the permutation and "
            "rank "
            "tests instead."
        )
    if "brown_forsythe" in broken and any(comparison.equal_variances for comparison in compared):
        text += (
            " Where variances differ a common minimum significant difference is too wide for some pairs and too narrow for others"
        )
        safe = any(comparison.unequal_variances for comparison in compared)
        text += "." if safe else "; Welch’s or Brunner and Munzel’s comparison does without it."
    replicated = {row["method"] for row in tests if row["n_runs"] > 1}
    unprotected = sorted((test for test in tested if test.no_interaction and test.name in replicated), key=lambda test: test.name)
    if "interaction" in broken and unprotected:
        text += (
            f" {display.listed([_sentence_case(test.words) for test in unprotected])} can take this interaction of "
            "algorithms and problems for a difference; the synchronised permutation test does not."
        )
    if "interaction" in broken and not any(test.answers_interaction for test in tested):
        text += (
            " Which algorithm is better depends on the problem (interaction, "
            f"p {_p_phrase(broken['interaction']['p'])}): the claims hold for the mean over these problems."
        )
    return text


def _ahead(row: Mapping[str, Any], name: str) -> bool:
    """Whether `name` is the better one of its pair."""
    difference = row["difference"] or 0.0
    return difference < 0 if row["algorithm_a"] == name else difference > 0


def _statistic(row: Mapping[str, Any]) -> str:
    """`χ²(7)` or `F(7, 665)`, told apart by the second degrees of freedom; `S` of so many rearrangements."""
    if row["n_resamples"] is not None:
        return f"S ({display.count(row['n_resamples'])} rearrangements)"
    if row["df2"] is None:
        return f"χ²({display.target(row['df1'])})"
    return f"F({display.target(row['df1'])}, {display.target(row['df2'])})"


def _with_correction(correction: str) -> str:
    known = CORRECTIONS[correction]
    return f" with {known.words}" if known.asked and known.corrects else ""


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


def _level(rows: pd.DataFrame) -> str:
    levels = sorted(rows["alpha"].unique())
    return f" (level α = {display.listed([display.target(a) for a in levels])})" if levels else ""
