"""The curves of an ECDF figure are the table's steps, from zero on."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from matplotlib.text import Text

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import draw
from tests.page import synthetic

CURVES = schema.TABLES["ecdf_curves"]


@pytest.fixture(scope="module")
def tables():
    return synthetic.tables(n_problems=4)


def settings(aggregation, **more):
    return {"aggregation": aggregation, "measure": {"name": "ecdf", "targets": [1e2, 1.0, 1e-8]}, **more}


def curves(axes):
    return [line for line in axes.get_lines() if str(line.get_gid()).startswith("curve")]


@pytest.mark.parametrize(("aggregation", "n_panels"), [("dimension", 1), ("problem", 4), ("target", 16)])
def test_curves_are_the_steps_of_the_table(tables, aggregation, n_panels):
    figure, caption = draw("ecdf", tables, settings(aggregation))
    panels = [axes for axes in figure.axes if curves(axes)]
    assert len(panels) == n_panels
    found = tables["ecdf"].filter(pc.field("aggregation") == aggregation).to_pylist()
    total = 0
    for axes in panels:
        for line in curves(axes):
            x, y = line.get_xdata(), line.get_ydata()
            assert y[0] == 0
            assert y[-1] == y[-2]  # holds its last value to the edge
            assert line.get_drawstyle() == "steps-post"
            total += len(x) - 2
    assert total == len(found)
    assert "3 targets from 100 to 10⁻⁸" in caption


def test_one_panel_in_full(tables):
    figure, _ = draw("ecdf", tables, settings("dimension"))
    for line in curves(figure.axes[0]):
        mine = tables["ecdf"].filter((pc.field("aggregation") == "dimension") & (pc.field("algorithm") == line.get_label()))
        np.testing.assert_array_equal(line.get_xdata()[1:-1], mine["x"].to_numpy())
        np.testing.assert_array_equal(line.get_ydata()[1:-1], mine["fraction"].to_numpy())


def test_too_many_panels_leave_dimensions_out_and_say_so():
    tables = synthetic.tables(n_problems=12)
    figure, caption = draw("ecdf", tables, settings("target"))
    assert len([axes for axes in figure.axes if curves(axes)]) == 12
    assert "Dimensions not drawn: 2, 3 and 5." in caption


def test_the_unit_of_the_axis_comes_from_the_settings(tables):
    figure, _ = draw("ecdf", tables, settings("dimension", indicators={"ecdf": {"x": "evaluations"}}))
    assert figure.axes[0].get_xlabel() == "evaluations (log scale)"
    figure, _ = draw("ecdf", tables, settings("dimension"))
    assert figure.axes[0].get_xlabel() == "evaluations/dimension (log scale)"


def test_the_median_budget_is_a_cross_on_the_curve_which_is_lighter_beyond(tables):
    rows = tables["ecdf"].filter(pc.field("aggregation") == "dimension")
    first = rows.slice(0, 1).to_pylist()[0]
    known = {"aggregation": "dimension", "suite": first["suite"], "algorithm": "DE", "budget_median": 100.0}
    kept = {
        name: "x" if pa.types.is_string(kind) or pa.types.is_dictionary(kind) else 1
        for name, kind in zip(CURVES.names, CURVES.types, strict=True)
    }
    empty = dict.fromkeys(("group", "problem", "dimension", "target"))
    ends = schema.of_rows(
        "ecdf_curves", [kept | empty | known, kept | empty | known | {"algorithm": "PSO", "budget_median": None}]
    )
    figure, caption = draw("ecdf", {**tables, "ecdf_curves": ends}, settings("dimension"))
    (cross,) = [line for line in figure.axes[0].get_lines() if line.get_marker() == "x"]
    whole = [line for line in curves(figure.axes[0]) if line.get_alpha()]
    (within,) = [line for line in figure.axes[0].get_lines() if line.get_label() == "DE"]
    (mine,) = whole
    expected = max((y for x, y in zip(mine.get_xdata(), mine.get_ydata(), strict=True) if x <= 100.0), default=0)
    assert (cross.get_xdata()[0], cross.get_ydata()[0]) == (100.0, expected)
    assert (within.get_xdata()[-1], within.get_ydata()[-1]) == (100.0, expected)
    assert max(within.get_xdata()) < max(mine.get_xdata())
    assert "Cross: median budget of an algorithm; beyond it (lighter) at most half of its trials go on." in caption
    assert "Cross" not in draw("ecdf", tables, settings("dimension"))[1]
    # those in grey end there, as high as the others
    alone = settings("dimension") | {"highlight": ["PSO"], "others": "grey"}
    figure, caption = draw("ecdf", {**tables, "ecdf_curves": ends}, alone)
    assert "go on. Grey curves end there." in caption
    assert not [line for line in figure.axes[0].get_lines() if line.get_marker() == "x" or line.get_alpha()]
    assert (100.0, expected) in [(line.get_xdata()[-1], line.get_ydata()[-1]) for line in figure.axes[0].get_lines()]


def test_an_aggregation_that_is_not_there_is_a_clear_error(tables):
    with pytest.raises(UserError, match="found no rows for aggregation 'suite'"):
        draw("ecdf", tables, settings("suite"))


def test_the_caption_names_restarts_and_weights(tables):
    ecdf = {"x": "evaluations", "weight": "pooled", "restarts": 3}
    chosen = settings("dimension", indicators={"ecdf": ecdf})
    _, caption = draw("ecdf", tables, chosen)
    assert "Restarts are simulated (3 runs for each failure)." in caption
    assert "within a number of evaluations." in caption
    assert "(3 targets from 100 to 10⁻⁸)" in caption


def test_groups_have_panels_of_their_own(tables):
    rows = tables["ecdf"].filter(pc.field("aggregation") == "dimension")
    both = [
        rows.set_column(
            rows.column_names.index("group"), rows.schema.field("group"), pa.array([name] * rows.num_rows).dictionary_encode()
        )
        for name in ("separable", "ill-conditioned")
    ]
    figure, _ = draw("ecdf", {**tables, "ecdf": pa.concat_tables(both).unify_dictionaries()}, settings("dimension"))
    titles = [axes.get_title(loc="left") for axes in figure.axes if curves(axes)]
    assert titles == ["ill-conditioned", "separable"]


def test_bands_are_those_of_the_table(tables):
    rows = tables["ecdf"].filter(pc.field("aggregation") == "problem")
    for name, shift in (("fraction_low", -0.1), ("fraction_high", 0.2)):
        at = rows.column_names.index(name)
        rows = rows.set_column(at, rows.schema.field(at), pc.add(rows["fraction"], shift))
    ecdf = {"x": "evaluations", "weight": "instance", "restarts": 0, "bands": True, "level": 0.9}
    chosen = settings("problem", indicators={"ecdf": ecdf})
    figure, caption = draw("ecdf", {**tables, "ecdf": rows}, chosen)
    assert not any(axes.collections for axes in figure.axes)
    assert "Too many algorithms for bands." in caption
    figure, caption = draw("ecdf", {**tables, "ecdf": rows}, {**chosen, "highlight": ["DE", "PSO"]})
    axes = next(axes for axes in figure.axes if curves(axes))
    shown = [line for line in curves(axes) if line.get_label() in ("DE", "PSO")]
    assert len(axes.collections) == 2
    for band, line in zip(axes.collections, shown, strict=True):
        y = line.get_ydata()[1:-1]
        corners = band.get_paths()[0].vertices[:, 1]
        assert corners.min() == pytest.approx(y.min() - 0.1)
        assert corners.max() == pytest.approx(y.max() + 0.2)
    assert "Bands of PSO and DE: pointwise intervals (90 %)" in caption.replace("DE and PSO", "PSO and DE")
    assert "Bands" not in draw("ecdf", tables, settings("problem"))[1]


def grouped(columns=("g1", "g2", "g3"), dimensions=(2, 5)):
    """ECDF rows of groups in dimensions, whose curves end at a share that tells the panel."""
    rows = [
        {"aggregation": "group", "group": group, "dimension": dimension, "algorithm": "A", "x": x, "fraction": share}
        for i, group in enumerate(columns)
        for j, dimension in enumerate(dimensions)
        for x, share in ((1.0, 0.0), (10.0, 0.1 + 0.1 * i + 0.4 * j))
    ]
    return {"ecdf": schema.table("ecdf", {key: [row[key] for row in rows] for key in rows[0]})}


def ends(figure):
    """The last value of the curve of each panel, as they stand."""
    return [round(float(axes.get_lines()[0].get_ydata()[-1]), 6) for axes in figure.axes if axes.get_lines()]


def test_panels_of_two_keys_stand_row_by_row():
    table = grouped()["ecdf"].filter((pc.field("group") != "g3") | (pc.field("dimension") != 2))
    figure, _ = draw("ecdf", {"ecdf": table}, settings("group"))
    assert len(ends(figure)) == 5


@pytest.mark.parametrize("larger", [False, True])
def test_shares_beside_curves_of_values_are_those_at_their_ends(larger):
    """Where larger values are better the axis falls, and the share at its end is that of the smallest value."""
    column = {"algorithm": ["A"] * 2, "aggregation": ["problem"] * 2, "x": [3.0, 5.0]}
    values = schema.table("value_ecdf", column | {"fraction": [0.75, 0.25] if larger else [0.25, 0.75]})
    asked = {"kind": "fixed_budget", "name": "q", "budgets": [10]}
    figure, _ = draw("value_ecdf", {"value_ecdf": values}, {"aggregation": "problem", "measures": [asked]})
    beside = [text.get_text() for text in figure.findobj(Text)]
    assert "0.750" in "".join(beside)
    assert "0.250" not in "".join(beside)
