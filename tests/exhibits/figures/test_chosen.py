"""Figures of some dimensions, targets or algorithms: fewer panels and curves, the same numbers."""

import numpy as np
import pytest

from benchmill.core import UserError
from benchmill.exhibits.figures import draw
from benchmill.text import frames
from tests.exhibits.figures import studies
from tests.page import synthetic


def _by_dimension():
    found = studies.tables(n_problems=3)
    rated = found["ratios"]
    parts = studies.all_tables(rated, measure="ert", name="d", by=["dimension"], seed=1)
    return {**found, **{name: parts[name] for name in ("profiles", "profile_measures")}}


SETTINGS = {"measure": studies.MEASURE, "profile": {**studies.DOLAN_MORE, "name": "d", "by": ["dimension"]}}


def _curves(figure, panel):
    return {
        line.get_label(): line.get_xydata() for line in figure.axes[panel].lines if (line.get_gid() or "").startswith("curve-")
    }


def test_chosen_panels_and_curves_are_those_of_the_whole_figure():
    tables = _by_dimension()
    whole, _ = draw("profile", tables, SETTINGS)
    names = synthetic.ALGORITHMS[:2]
    figure, caption = draw("profile", tables, {**SETTINGS, "dimensions": [5], "algorithms": names})
    assert (len(whole.axes), len(figure.axes)) == (2, 1)
    before, after = _curves(whole, 1), _curves(figure, 0)
    assert set(after) == set(names) < set(before)
    for name, points in after.items():
        np.testing.assert_array_equal(points, before[name])
    assert "Only dimension 5." in caption
    assert "Only 2 algorithms of the study drawn; ratios, ranks and tests are among all." in caption


def test_what_is_not_there_is_told():
    tables = _by_dimension()
    with pytest.raises(UserError, match=r"figures: profile: dimensions: found 7, expected some of 2 and 5; choose among these\."):
        draw("profile", tables, {**SETTINGS, "dimensions": [5, 7]})
    with pytest.raises(UserError, match="but what the figure shows is not split by target; leave targets out"):
        draw("profile", tables, {**SETTINGS, "targets": [10.0]})


def test_numbers_are_found_whatever_their_last_bits():
    data = frames.frame(studies.tables(n_problems=2)["ratios"])
    assert len(frames.chosen(data, {"target": [0.1 * 0.01]})) == (data["target"] == 1e-3).sum() > 0
