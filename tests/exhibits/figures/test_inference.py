"""The figures of the tests: bars over those that are not shown to differ, effects and marks of pairs, shares of probability."""

import itertools

import pandas as pd
import pyarrow as pa
import pytest
from matplotlib import pyplot

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import draw
from benchmill.exhibits.figures.effects import plot

SETTINGS = {"measures": [{"name": "m"}]}
RANKS = {"A": 1.2, "B": 1.9, "C": 2.9, "D": 4.0}


def table(name, rows):
    return schema.table(name, {c: [row.get(c) for row in rows] for c in schema.TABLES[name].names})


def tables(differ, ranks=RANKS, p=None, scale="average rank", msd=None, rejects=True, better=0.7):
    """Tables of four algorithms, of which the pairs in `differ` differ."""
    pairs = [
        {
            "measure": "m",
            "method": "wilcoxon",
            "correction": "holm",
            "algorithm_a": a,
            "algorithm_b": b,
            "scale": scale,
            "difference": ranks[a] - ranks[b],
            "p_adjusted": 0.01 if a + b in differ else 0.5,
            "significant": a + b in differ,
            "msd": msd,
            "a_better": better,
            "alpha": 0.05,
        }
        for a, b in itertools.combinations(ranks, 2)
    ]
    counts = dict.fromkeys(("n_blocks", "n_treatments", "n_runs", "n_left_out", "n_all_tied", "n_failures"), 6)
    test = {"measure": "m", "method": "friedman", "df1": 3.0, "alpha": 0.05, "significant": rejects, "p": 0.01, **counts}
    return {
        "ranks": table("ranks", [{"measure": "m", "algorithm": a, "average_rank": r, "n_blocks": 6} for a, r in ranks.items()]),
        "comparisons": table("comparisons", pairs),
        "tests": table("tests", [test]),
    }


def groups(figure):
    """The drawn bars with their members, by their ranks."""
    axes = figure.axes[0]
    bars = [line.get_xdata() for line in axes.get_lines() if line.get_gid() == "group"]
    members = [line.get_xdata() for line in axes.get_lines() if line.get_gid() == "members"]
    for bar, dots in zip(bars, members, strict=True):
        assert (min(dots), max(dots)) == tuple(bar)
    name = {rank: a for a, rank in RANKS.items()}
    return sorted("".join(name[x] for x in dots) for dots in members)


def test_bars_join_the_largest_groups_without_a_significant_pair():
    figure, caption = draw("critical_differences", tables({"AC", "AD", "BD"}), SETTINGS)
    assert groups(figure) == ["AB", "BC", "CD"]
    assert "Wilcoxon, Holm’s correction" in caption
    assert "Bars join algorithms (dots) no two of which differ significantly" in caption
    assert groups(draw("critical_differences", tables(set()), SETTINGS)[0]) == ["ABCD"]
    assert groups(draw("critical_differences", tables({"AB", "AC", "AD", "BC", "BD", "CD"}), SETTINGS)[0]) == []


def test_a_group_need_not_be_neighbours():
    """A and D do not differ, though B and C between them do from A: a bar over all four would be wrong."""
    figure, _ = draw("critical_differences", tables({"AB", "AC"}), SETTINGS)
    assert groups(figure) == ["AD", "BCD"]


def test_bars_of_one_level_do_not_touch():
    figure, _ = draw("critical_differences", tables({"AC", "AD", "BC", "BD"}), SETTINGS)
    assert groups(figure) == ["AB", "CD"]
    heights = {line.get_ydata()[0] for line in figure.axes[0].get_lines() if line.get_gid() == "group"}
    assert len(heights) == 1
    figure, _ = draw("critical_differences", tables({"AC", "AD", "BD"}), SETTINGS)
    heights = [line.get_ydata()[0] for line in figure.axes[0].get_lines() if line.get_gid() == "group"]
    assert len(set(heights)) == 2  # AB and CD beside each other, BC below


def test_of_too_many_groups_none_has_a_bar():
    # the pairs (1, 2), (3, 4), … differ: every choice of one of each is a group, 64 of them
    ranks = {f"s{i:02}": float(i) for i in range(12)}
    names = list(ranks)
    made = tables({names[i] + names[i + 1] for i in range(0, 12, 2)}, ranks)
    figure, caption = draw("critical_differences", made, SETTINGS)
    assert groups(figure) == []
    assert "too many such groups" in caption


def test_common_difference_and_silent_tests_are_told():
    figure, caption = draw("critical_differences", tables(set(), msd=1.5), SETTINGS)
    assert "MSD 1.50" in [text.get_text() for text in figure.axes[0].texts]
    figure, caption = draw("critical_differences", tables(set(), rejects=False), SETTINGS)
    assert "no test of all rejects" in figure.axes[0].get_title(loc="left")
    assert "no test of all algorithms rejects" in caption
    assert not any("MSD" in text.get_text() for text in figure.axes[0].texts)


def test_of_more_panels_than_fit_a_page_some_are_drawn_and_the_caption_says_so():
    data = tables({"AD"})
    at = {name: rows.column_names.index("target") for name, rows in data.items()}
    many = {
        name: pa.concat_tables(
            rows.set_column(at[name], rows.schema.field("target"), pa.array([10.0**-n] * len(rows))) for n in range(60)
        )
        for name, rows in data.items()
    }
    figure, caption = draw("critical_differences", many, SETTINGS)
    drawn = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert 4 < len(drawn) < 30
    assert f"{len(drawn)} of 60 panels are drawn, evenly chosen." in caption
    assert (drawn[0], drawn[-1]) == ("target 1", "target 10⁻⁵⁹")
    figure, caption = draw("critical_differences", many, {**SETTINGS, "targets": (1.0, 1e-3)})
    assert "evenly chosen" not in caption
    assert len([axes for axes in figure.axes if axes.axison]) == 2


def test_nothing_to_draw():
    with pytest.raises(UserError, match="critical_differences"):
        draw("critical_differences", tables(set()), {"measures": [{"name": "x"}]})


def statements(*pairs, family="all pairs", size=3):
    """Rows of `verdicts`: of each pair the effect and the ends of its interval, from -1 to 1."""
    shared = {
        "analysis": "primary",
        "measure": "m",
        "family": family,
        "family_size": size,
        "population": "problems like these",
        "criterion": "net share of wins",
        "method": "net_wins",
        "alpha": 0.05,
        "n_clusters": 24,
        "n_cells": 96,
        "text": "",
    }
    about = {**shared, "significant": True}
    rows = [
        {
            **shared,
            "algorithm_a": a,
            "algorithm_b": b,
            "effect": effect,
            "effect_low": low,
            "effect_high": high,
            "significant": low > 0 or high < 0,
        }
        for a, b, effect, low, high in pairs
    ]
    return {"verdicts": schema.of_rows("verdicts", [about, *rows]), "ingest": []}


def shown(axes):
    """By algorithm the effect, the ends of its bar, and whether the mark is filled."""
    names = [text.get_text() for text in axes.get_yticklabels()]
    bars = [tuple(line.get_xdata()) for line in axes.lines[1::2]]
    marks = [(float(line.get_xdata()[0]), line.get_markerfacecolor() != "none") for line in axes.lines[2::2]]
    return {name: (mark[0], *bar, mark[1]) for name, bar, mark in zip(names, bars, marks, strict=True)}


def test_effects_are_those_of_the_control_whichever_way_a_pair_stands():
    made = statements(("O", "A", 0.5, 0.2, 0.8), ("B", "O", 0.1, -0.3, 0.5), family="O against each other", size=2)
    figure, caption = draw("effects", made, SETTINGS)
    assert shown(figure.axes[0]) == {"A": (0.5, 0.2, 0.8, True), "B": (-0.1, -0.5, 0.3, False)}
    assert figure.axes[0].get_xlabel() == "net share of wins of O"
    assert caption.startswith("O against each other algorithm, measure m")
    assert "jointly for 2 statements (O against each other," in caption


def test_of_all_pairs_the_effects_of_the_leader_are_shown():
    figure, caption = draw(
        "effects", statements(("A", "B", -0.5, -0.9, -0.1), ("A", "C", 0.2, -0.1, 0.5), ("B", "C", 0.6, 0.3, 0.9)), SETTINGS
    )
    assert shown(figure.axes[0]) == {"C": (0.6, 0.3, 0.9, True), "A": (0.5, 0.1, 0.9, True)}
    assert "hold jointly for 3 statements (all pairs," in caption
    with pytest.raises(UserError, match="effects"):
        draw("effects", statements(), SETTINGS)


def test_statements_of_equivalence_are_not_drawn():
    primary = statements(("O", "A", 0.5, 0.2, 0.8), family="O against each other", size=2)["verdicts"].to_pylist()
    good = {**primary[1], "analysis": "equivalence", "criterion": "ratio of costs", "margin": 25.0, "effect": 0.1}
    data = {"verdicts": schema.of_rows("verdicts", [*primary, good]), "ingest": []}
    assert shown(draw("effects", data, SETTINGS)[0].axes[0]) == {"A": (0.5, 0.2, 0.8, True)}
    with pytest.raises(UserError, match="no row to draw"):
        plot(pd.DataFrame([good]), ax=pyplot.figure().add_subplot())


def test_a_target_that_is_the_primary_analysis_is_not_drawn_twice():
    made = statements(("O", "A", 0.5, 0.2, 0.8))["verdicts"].to_pylist()
    both = [*made, *({**row, "analysis": "secondary", "effect_low": -0.1, "significant": False} for row in made)]
    figure, caption = draw("effects", {"verdicts": schema.of_rows("verdicts", both), "ingest": []}, SETTINGS)
    assert [shown(axes) for axes in figure.axes] == [{"A": (0.5, 0.2, 0.8, True)}]
    assert "primary analysis" in caption
    rows = pd.DataFrame(both)
    assert shown(plot(rows, ax=pyplot.figure().add_subplot())) == {"A": (0.5, 0.2, 0.8, True)}
