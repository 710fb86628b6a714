"""Average ranks with intervals."""

import numpy as np
import pytest

from benchmill.core import schema
from benchmill.figures import draw
from tests.report import synthetic

SETTINGS = {"measure": {"name": "ert"}}


@pytest.fixture(scope="module")
def tables():
    return synthetic.tables(n_problems=6)


def test_intervals_are_rank_plus_minus_half_the_msd(tables):
    figure, caption = draw("ranks", tables, SETTINGS)
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["target 10", "target 10⁻³", "target 10⁻⁷"]
    ranks = {(r["target"], r["algorithm"]): r["average_rank"] for r in tables["ranks"].to_pylist()}
    msd = tables["comparisons"]["msd"][0].as_py()
    for axes, target in zip(panels, (10.0, 1e-3, 1e-7), strict=True):
        names = [label.get_text() for label in axes.get_yticklabels()]
        shown = [ranks[target, name] for name in names]
        assert shown == sorted(shown)
        bars = [line for line in axes.get_lines() if len(line.get_xdata()) == 2]
        for bar, rank in zip(bars, shown, strict=True):
            np.testing.assert_allclose(bar.get_xdata(), [rank - msd / 2, rank + msd / 2])
    assert "± MSD/2" in caption


def test_caption_counts_what_the_bars_cannot_show(tables):
    rows = [r for r in tables["comparisons"].to_pylist()]
    apart = sum(abs(r["difference"]) > r["msd"] for r in rows)
    more = sum(abs(r["difference"]) <= r["msd"] and r["significant"] for r in rows)
    _, caption = draw("ranks", tables, SETTINGS)
    assert f"over all panels {apart} pairs differ by more" in caption
    assert (f"{more} more are significant" in caption) == (more > 0)


def test_no_msd_no_intervals(tables):
    data = tables["comparisons"].to_pydict() | {"msd": [None] * tables["comparisons"].num_rows}
    figure, caption = draw("ranks", {**tables, "comparisons": schema.table("comparisons", data)}, SETTINGS)
    assert "interval" not in caption
    bars = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) == 2]
    assert all(bar.get_xdata()[0] == bar.get_xdata()[1] for bar in bars)
