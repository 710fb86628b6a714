"""Every kind of figure: nothing clipped, nothing overlapping, strange names unharmed, many algorithms, the same bytes."""

import re
import shutil
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import KINDS, caption, draw, style
from benchmill.exhibits.figures.style import save
from tests.exhibits.figures import studies
from tests.page import synthetic

MANY = tuple(f"solver number {i}" for i in range(1, 41))
LONG = (
    *("BIPOP-CMA-ES-restart-2013", "Differential evolution (best/1/bin)", "Particle swarm optimisation 2011", "Random search"),
    *(f"Variant {letter} of adaptive differential evolution" for letter in "ABCDEFGHIJKLMNOP"),
)


def texts(figure):
    """Visible texts of a drawn figure with their boxes in pixels."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    # labels of ticks beyond the limits are found, but not drawn
    drawn = {id(label) for axes in figure.axes for label in _drawn_ticks(axes)}
    every = {id(label) for axes in figure.axes for label in _ticks(axes)}
    found = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    return [(t.get_text(), t.get_window_extent(renderer)) for t in found if id(t) not in every or id(t) in drawn]


def _ticks(axes):
    return [
        label
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.majorTicks, *axis.minorTicks)
        for label in (tick.label1, tick.label2)
    ]


def _drawn_ticks(axes):
    if not axes.axison:
        return []
    found = []
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        low, high = sorted((low, high))
        pad = 1e-9 * (high - low)
        for tick in axis.get_major_ticks():
            if low - pad <= tick.get_loc() <= high + pad:
                found += [label for label in (tick.label1, tick.label2) if label.get_visible()]
    return found


def overlaps(figure, found=None):
    """Pairs of texts that cover each other, and texts that leave the page."""
    found = texts(figure) if found is None else found
    page = figure.bbox
    names = [text for text, _ in found]
    x0, y0, x1, y1 = np.array([box.extents for _, box in found]).reshape(-1, 4).T
    out = (x0 < page.x0 - 1) | (x1 > page.x1 + 1) | (y0 < page.y0 - 1) | (y1 > page.y1 + 1)
    wide = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
    high = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
    # boxes hold room for the tallest letters
    covered = np.triu((wide > 1) & (high > 0.35 * np.minimum.outer(y1 - y0, y1 - y0)), 1)
    return [names[i] for i in np.flatnonzero(out)], [(names[i], names[j]) for i, j in zip(*covered.nonzero(), strict=True)]


@pytest.fixture(scope="module")
def plain():
    return studies.tables()


@pytest.fixture(scope="module")
def hostile():
    return studies.tables(synthetic.HOSTILE, n_problems=4, suite=r"s$u_i\te")


@pytest.fixture(scope="module")
def many():
    return studies.tables(MANY, n_problems=3, dimensions=(2,))


def settings(kind, **more):
    assert kind in studies.SETTINGS, f"tests/exhibits/figures/studies.py does not say how the kind {kind} is drawn"
    return {**studies.SETTINGS[kind], **more}


@pytest.fixture(scope="module")
def long():
    return studies.tables(LONG, n_problems=3)


@pytest.mark.parametrize(
    ("names", "size"),
    [("plain", {"paper": "lncs", "highlight": ["DE"]}), ("long", {"width": "column"})],
    ids=["lncs", "column"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_texts_stay_on_the_page_and_apart_and_what_is_highlighted_is_bold(kind, names, size, request):
    figure, caption = draw(kind, request.getfixturevalue(names), settings(kind, **size))
    assert overlaps(figure) == ([], [])
    # names leave room to what they name
    if kind in ("profile", "ecdf", "parallel_coordinates", "cactus"):
        assert figure.axes[0].get_position().width > 0.4
    assert caption.endswith(".")
    assert "  " not in caption
    shown = [t for t in figure.findobj(Text) if t.get_visible() and re.search(r"\bDE\b", t.get_text())]
    assert "highlight" not in size or "bold" in {t.get_fontweight() for t in shown}


@pytest.mark.parametrize("kind", KINDS)
def test_strange_names_go_through_unharmed(hostile, kind, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that no font has would warn
        figure, caption = draw(kind, hostile, settings(kind))
        save(figure, tmp_path / kind, ["pdf", "svg"])
    found = texts(figure)
    assert overlaps(figure, found) == ([], [])
    shown = " ".join(text for text, _ in found)
    assert "\u202e" not in shown + caption
    assert "🚀" not in shown  # no font has it: its code point stands there
    svg = (tmp_path / f"{kind}.svg").read_text("utf-8")
    assert "<script" not in svg
    assert "<img" not in svg
    assert 'onerror="' not in re.sub(r"<!--.*?-->", "", svg, flags=re.S)
    if shutil.which("pdffonts"):
        lines = subprocess.run(["pdffonts", tmp_path / f"{kind}.pdf"], capture_output=True, text=True, check=True)
        assert "Type 3" not in lines.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_forty_algorithms_do_not_become_noise(many, kind):
    figure, caption = draw(kind, many, settings(kind))
    assert overlaps(figure) == ([], [])
    assert figure.get_size_inches()[1] <= 9.21
    if kind in ("intervals", "critical_differences", "effects", "pareto_fronts"):
        # here a point is all that there is of an algorithm
        lines = [line for axes in figure.axes for line in axes.get_lines() if line.get_linestyle() == "None"]
        assert all(line.get_marker().lower() != "none" for line in lines)
    if kind in ("profile", "profiles", "ecdf", "parallel_coordinates"):
        assert "thin and grey: 30 others" in caption


def test_of_fifty_algorithms_the_best_and_the_highlighted_have_a_line():
    kind = "critical_differences"
    names = [f"algorithm {i:03}" for i in range(50)]
    crowd = studies.tables(names, n_problems=2, dimensions=(2,))
    mean = {}
    for row in crowd["ranks"].to_pylist():
        if row["measure"] == settings(kind).get("measure", {"name": "ert"})["name"]:
            mean.setdefault(row["algorithm"], []).append(row["average_rank"])
    order = sorted(names, key=lambda name: (np.mean(mean[name]), name))
    figure, caption = draw(kind, crowd, settings(kind, highlight=[order[-1]]))
    shown = {name for name in names if any(name == text.get_text() for text in figure.findobj(Text))}
    assert shown == {*order[:20], order[-1]}
    assert "the 20 algorithms of the best mean rank and those highlighted; the 29 others count in the ranks too" in caption
    assert overlaps(figure) == ([], [])
    assert figure.get_size_inches()[1] <= 9.21


def table(name, frame):
    """The rows of a frame as one of the tables that are drawn."""
    rows = frame.astype(object).where(frame.notna(), None)
    return schema.table(name, {column: rows[column].tolist() for column in schema.TABLES[name].names})


@pytest.mark.parametrize("kind", ["auc_bars", "effects", "intervals"])
def test_of_fifty_algorithms_the_best_have_a_row(kind):
    crowd = studies.tables([f"algorithm {i:03}" for i in range(50)], n_problems=2, dimensions=(2,))
    figure, caption = draw(kind, crowd, settings(kind))
    assert "Shown are the 20 best algorithms; the 30 others are not drawn." in caption
    for axes in figure.axes:
        assert len([text for text in axes.get_yticklabels() if text.get_text()]) in (0, 19, 20)
    assert overlaps(figure) == ([], [])


@pytest.mark.parametrize("kind", ["profile", "auc_bars", "cactus", "critical_differences"])
def test_a_height_without_room_is_refused_and_the_height_it_tells_is_taken(long, kind):
    with pytest.raises(UserError, match=rf"figures: {kind}: height: found 3cm, .* about \d+cm; leave height out") as told:
        draw(kind, long, settings(kind, width="column", height="3cm"))
    height = re.search(r"about (\d+cm)", str(told.value))[1]
    figure, _ = draw(kind, long, settings(kind, width="column", height=height))
    assert overlaps(figure) == ([], [])


def test_six_parallel_axes_in_a_column_keep_their_names_apart(plain):
    names = ["success performance", "feasible rate", "success rate"]
    data = plain["profile_measures"].to_pandas()
    three = pd.concat([data[data["variant"] == "dolan_more"].assign(measure=name) for name in names])
    asked = {"measures": [{"name": name} for name in names], "profiles": [studies.DOLAN_MORE], "width": "column"}
    figure, _ = draw("parallel_coordinates", {**plain, "profile_measures": table("profile_measures", three)}, asked)
    assert overlaps(figure) == ([], [])


def test_three_scatters_stay_on_the_page(plain):
    figure, _ = draw("scatter", plain, settings("scatter", algorithms=["CMA-ES", "DE", "PSO"]))
    assert overlaps(figure) == ([], [])


@pytest.mark.parametrize("kind", KINDS)
def test_measures_are_written_as_words(plain, kind):
    asked = settings(kind)
    renamed = {
        name: table if not hasattr(table, "column_names") or "measure" not in table.column_names else _renamed(table)
        for name, table in plain.items()
    }
    for key in ("measure", "measures"):
        if key in asked:
            one = {**studies.MEASURE, "name": "final_costs"}
            asked[key] = one if key == "measure" else [one]
    assert "_" not in caption(kind, renamed, asked).replace("τ_max", "").replace("τ_min", "")


def _renamed(table):
    import pyarrow as pa

    names = ["final_costs" if name == "ert" else name for name in table["measure"].to_pylist()]
    place = table.column_names.index("measure")
    return table.set_column(place, table.schema.field("measure"), pa.array(names).cast(table.schema.field("measure").type))


def test_a_front_of_forty_names_the_best(many):
    figure, caption = draw("pareto_fronts", many, settings("pareto_fronts"))
    assert len([text for text in figure.legends[0].get_texts()]) == 11
    assert "thin and grey: 30 others." in caption
    on_front = {row["algorithm"] for row in many["profile_measures"].to_pylist() if row["front_wins_solved"]}
    shown = {text.get_text() for text in figure.legends[0].get_texts()}
    assert len(on_front) > 10 or on_front <= shown


def test_a_script_from_right_to_left_is_drawn_from_left_to_right():
    assert style.text("0.5  \u05d0 x") == "\u200e0.5 \u05d0 x"
    assert style.text("plain") == "plain"
