"""Tables of leaders, possible ranks, omnibus tests, average ranks, and all pairs, by Bayesian comparisons too."""

from collections.abc import Mapping, Sequence
from functools import partial

from benchmill.core import keys
from benchmill.exhibits.tables.fields import (
    Results,
    alone,
    columns,
    cut,
    decided,
    exhibit,
    kinds,
    section,
    section_of_pairs,
    value,
)
from benchmill.registry.criteria import named
from benchmill.registry.inference import POSTERIORS
from benchmill.text import display, labels
from benchmill.text import leaders as leading
from benchmill.text.frames import POINT, Frame, Row, at, best, frame, groups, head, records, short_names


def leaders(results: Results) -> display.Table:
    """Make the table of leaders, one row per criterion."""
    rows = frame(results.data["leaders"])
    shown = results.names(rows, 24)
    fields = columns(
        "leaders",
        of={
            "criterion": lambda row: named(row["criterion"]).words,
            "first": lambda row: _named(row["first"], shown),
            "next": lambda row: _named(row["next"], shown),
        },
        bold={"first": lambda row: row["headline"]},
    )
    sections = []
    for name, members in rows.groupby("measure", sort=False, observed=True) if len(rows) else ():
        criteria = [
            _of_criterion(own)
            for criterion, own in members.astype({"criterion": str}).groupby("criterion", sort=False)
            if not named(str(criterion)).repeats
        ]
        counted = display.plural(members["n_problems"].iloc[0], results.about.cells.get(name, "problem"))
        sections.append(section(f"{results.about.called(str(name))} ({counted})", fields, criteria))
    caution = leading.caution(results.data.get("verdicts"), results.about.called)
    return exhibit("leaders", fields, sections, caution=caution)


def _of_criterion(members: Frame) -> Row:
    """Return the row of one criterion: with the rows of who is first and who comes next."""
    members_in_order = records(members.sort_values(["rank", "algorithm"]))
    first, following = (
        [row for row in members_in_order if row["rank"] == rank]
        for rank in (1, 1 + sum(r["rank"] == 1 for r in members_in_order))
    )
    # where all tie nobody is first
    return {
        **members_in_order[0],
        "first": first if following or len(first) == 1 else (),
        "next": following,
        "next_value": following[0]["value"] if following else None,
    }


def _named(rows: Sequence[Row], shown: Mapping[str, str]) -> str:
    return display.listed([shown[row["algorithm"]] for row in rows], limit=3) if rows else display.ABSENT


def rank_sets(results: Results) -> display.Table:
    """Make the table of possible ranks; those that can be the best are marked."""
    rows = frame(results.data["rank_sets"]).sort_values(
        ["rank_low", "rank_high", "net_share"], ascending=[True, True, False], kind="stable"
    )
    fields = columns(
        "rank_sets",
        results.names(rows),
        {"ranks": lambda row: "–".join(map(display.count, sorted({row["rank_low"], row["rank_high"]})))},
        bold={"algorithm": lambda row: row["can_be_best"]},
    )
    first = head(rows)
    return exhibit("rank_sets", fields, (section("", fields, rows),), first=first, called=results.about.called)


def tests(results: Results) -> display.Table:
    """Make the table of omnibus tests, one section per target or budget, and stratum."""
    rows = results.rows("tests")
    forms = {"test": lambda row: display.method_name(row["method"]), "df1": _df, "significant": decided("p")}
    fields = columns("tests", of=forms)
    sections = (section(at(group, results.measure), fields, members) for group, members in groups(rows, POINT))
    return exhibit("tests", fields, sections, results.measure, level=_level(rows))


def _df(row: Row) -> str:
    # a test by rearrangements has none
    if row["n_resamples"] is not None:
        return display.ABSENT
    return display.target(row["df1"]) + (f", {display.target(row['df2'])}" if row["df2"] is not None else "")


def ranks(results: Results) -> display.Table:
    """Make the table of average ranks, one column per target or budget, and stratum."""
    import pandas as pd

    points = groups(results.rows("ranks"), POINT)
    names = [str(place) for place in range(len(points))]
    wide = pd.DataFrame(
        {name: rows.set_index("algorithm")["average_rank"] for name, (_, rows) in zip(names, points, strict=True)}
    )
    wide = wide.loc[wide.mean(axis=1).to_frame("mean").assign(name=wide.index).sort_values(["mean", "name"]).index]
    fields = columns("ranks", short_names(results.data, wide.index)) + [
        value(at(group, results.measure), name, f"average over {display.plural(rows['n_blocks'].iloc[0], 'problem')}")
        for name, (group, rows) in zip(names, points, strict=True)
    ]
    rows = wide.rename_axis("algorithm").reset_index()
    return alone("ranks", fields, rows, wide.apply(best).to_dict(), measure=results.measure)


def comparisons(results: Results) -> display.Table:
    """Make the table of all pairs: one section per method, target or budget, and stratum, the largest difference first."""
    measure = results.measure.name
    pairs = keys.of_measure(results.data["comparisons"], measure).unify_dictionaries()
    designs = results.rows("designs")
    effect = (
        "chance that a run of the first is better than one of the second on the same problem"
        if len(designs) and designs["n_runs"].max() > 1
        else "share of problems on which the first has the smaller aggregated cost, ties half; nothing is said about single runs"
    )
    fields = columns(
        "comparisons",
        short_names(results.data, [name for side in "ab" for name in pairs[f"algorithm_{side}"].unique().to_pylist()], 24),
        {"effect": lambda row: f"{display.share(row['effect'], 2)}{row['span']}", "significant": decided()},
        effect=effect,
    )
    parts = groups(frame(pairs, columns=["method", "correction", *POINT]), ["method", "correction", *POINT])
    sections = []
    for group, places in parts:
        # pairs of one group at a time: of thousands of algorithms there are millions
        members = (
            frame(pairs.take(places.index.to_numpy()))
            .assign(far=lambda rows: rows["difference"].abs().fillna(0.0))
            .sort_values(["far", "algorithm_a"], ascending=[False, True], kind="stable")
        )
        method, correction = display.comparison_name(group["method"]), display.correction_words(group["correction"])
        heading = f"{method} (difference: {members['scale'].iloc[0]}), {at(group, results.measure)}, {correction}"
        sections.append(
            section_of_pairs(
                heading,
                fields,
                members,
                -members["difference"],
                results.about.control,
                _turned,
                f"comparisons/{labels.file_name(measure)}.parquet",
                {"significant": "{n} yes"},
            )
        )
    words = {"level": _level(frame(pairs, columns=["alpha"])), "effect": effect, "cut": cut(rows for _, rows in parts)}
    return exhibit("comparisons", fields, sections, results.measure, **words)


def _turned(row: Row) -> Row:
    difference, turn = row["difference"], row["turn"]
    effect, *ends = (
        value if value is None or turn == 1 else 1 - value
        for value in (row["a_better"], *(row["a_better_low"], row["a_better_high"])[::turn])
    )
    span = "" if None in ends else f" ({display.share(ends[0], 2)}–{display.share(ends[1], 2)})"
    return {**row, "size": None if difference is None else abs(difference), "effect": effect, "span": span}


def _level(rows: Frame) -> str:
    levels = sorted(rows["alpha"].unique())
    return f" (level α = {display.listed([display.target(a) for a in levels])})" if levels else ""


def posteriors(results: Results) -> display.Table:
    """Make the table: one section per method, target or budget, and stratum, the surest pairs first."""
    measure = results.measure.name
    pairs = results.rows("posteriors")
    fields = columns(
        "posteriors",
        results.names(pairs, 24),
        bold={name: partial(_sure, name) for name in _SIDES},
    )
    sections = []
    parts = groups(pairs, ["method", *POINT])
    for group, members in parts:
        surest = members[["a_better", "equal", "b_better"]].max(axis=1).fillna(-1.0)
        members = members.assign(surest=surest).sort_values(
            ["surest", "algorithm_a", "algorithm_b"], ascending=[False, True, True]
        )
        rope = display.target(members["rope"].iloc[0])
        heading = f"{POSTERIORS[group['method']].words}, {at(group, results.measure)}, equal within ±{rope}"
        effect, file = members["a_better"] - members["b_better"], f"posteriors/{labels.file_name(measure)}.parquet"
        sections.append(section_of_pairs(heading, fields, members, effect, results.about.control, _likely_first, file, {}))
    return exhibit(
        "posteriors",
        fields,
        sections,
        results.measure,
        scales=sorted(pairs["normalisation"].unique()),
        chosen=[POSTERIORS[name] for name in pairs["method"].unique()],
        cut=cut(rows for _, rows in parts),
    )


_SIDES = ("better", "equal", "worse")


def _likely_first(row: Row) -> Row:
    better, worse = (row["a_better"], row["b_better"])[:: row["turn"]]
    return {**row, "better": better, "worse": worse}


def _sure(name: str, row: Row) -> bool:
    return row[name] is not None and row[name] >= 1 - row["alpha"]


ENTRIES = kinds(leaders=leaders, rank_sets=rank_sets, tests=tests, ranks=ranks, comparisons=comparisons, posteriors=posteriors)
