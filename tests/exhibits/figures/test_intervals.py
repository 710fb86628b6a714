"""The interval plot: one panel per method, bars of half the MSD on each side, one order of algorithms."""

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import draw

SETTINGS = {"measure": {"name": "m"}}


def interval(method, scale, algorithm, mean, msd=1.0):
    return {
        "measure": "m",
        "method": method,
        "scale": scale,
        "algorithm": algorithm,
        "mean": mean,
        "low": mean - msd / 2,
        "high": mean + msd / 2,
        "msd": msd,
        "alpha": 0.05,
        "n_blocks": 6,
        "n_runs": 4,
    }


@pytest.fixture
def tables():
    rows = [interval("tukey", "mean", a, v) for a, v in (("A", 3.0), ("B", 1.0), ("C", 2.0))]
    rows += [interval("conover", "average rank", a, v, 0.5) for a, v in (("A", 1.0), ("B", 2.0), ("C", 3.0))]
    design = {
        "measure": ["m"],
        **{
            name: [3]
            for name in ("n_blocks", "n_treatments", "n_runs", "n_left_out", "n_runs_unused", "n_clusters", "n_failures", "seed")
        },
        "rule": ["x"],
        "normalisation": ["position"],
    }
    made = {name: [row.get(name) for row in rows] for name in schema.TABLES["intervals"].names}
    return {"intervals": schema.table("intervals", made), "designs": schema.table("designs", design)}


def test_panels_and_bars(tables):
    figure, caption = draw("intervals", tables, SETTINGS)
    left, right = figure.axes
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["parametric (Tukey)", "ranks (Conover)"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["B", "C", "A"]
    bars = [line.get_xdata() for line in left.get_lines() if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(bars, [[0.5, 1.5], [1.5, 2.5], [2.5, 3.5]])
    # the order of the first panel in all of them
    bars = [line.get_xdata() for line in right.get_lines() if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(bars, [[1.75, 2.25], [2.75, 3.25], [0.75, 1.25]])
    assert "6 problems with 4 runs" in caption
    assert "position" in caption


def test_nothing_to_draw(tables):
    with pytest.raises(UserError, match="intervals"):
        draw("intervals", tables, {"measure": {"name": "x"}})


def test_without_a_significant_difference_the_figure_says_so(tables):
    none = {**tables, "intervals": tables["intervals"].slice(0, 0)}
    figure, caption = draw("intervals", none, SETTINGS)
    assert [text.get_text() for text in figure.texts] == ["No comparison has a minimum significant difference."]
    assert "costs do not vary" in caption
