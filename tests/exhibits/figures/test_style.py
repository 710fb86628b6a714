"""Files of figures: the same bytes, the right fonts, strange names."""

import contextlib
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import zlib

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from benchmill.core import UserError
from benchmill.exhibits.figures import draw, selected, style
from benchmill.exhibits.figures.style import save
from benchmill.text.appearance import USUAL
from tests.exhibits.figures import studies
from tests.page import synthetic

SETTINGS = {"measure": {"name": "ert"}, "profile": {"name": "dolan_more"}}


def drawn(folder):
    """Files of three figures in all formats, and of every kind as SVG."""
    tables = synthetic.tables(n_problems=4)
    by_dimension = {"measure": {"name": "ert"}, "profile": {"name": "dolan_more_by_dimension"}}
    for kind, settings in (("profile", by_dimension), ("ecdf", {"aggregation": "dimension"}), ("critical_differences", SETTINGS)):
        save(draw(kind, tables, settings)[0], f"{folder}/{kind}")
    small = studies.tables(("a", "B", "c 3"), n_problems=2)
    for kind, settings in studies.SETTINGS.items():
        save(draw(kind, small, settings)[0], f"{folder}/small_{kind}", ["svg"])


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def test_same_bytes_whatever_hash_seed_locale_time_zone_and_user_settings(tmp_path):
    (tmp_path / "rc").write_text("lines.linewidth: 9\nfont.size: 30\nsvg.fonttype: none\npath.simplify: False\n")
    strange = {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path / "rc")}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **strange}
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    # at once, and one of them in this process, which has imported all of it
    script = f"from {__name__} import drawn; drawn({str(tmp_path / 'there')!r})"
    with subprocess.Popen([sys.executable, "-c", script], env=environment) as there:
        drawn(tmp_path / "here")
    assert there.returncode == 0
    found = digests(tmp_path / "here")
    assert len(found) == 6 + len(studies.SETTINGS)
    assert found == digests(tmp_path / "there")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    tables = synthetic.tables(synthetic.HOSTILE, n_problems=3, suite=r"s$u_i\te")
    figure, _caption = draw("profile", tables, SETTINGS)
    save(figure, folder / "profile")
    save(draw("ecdf", tables, {"aggregation": "dimension"})[0], folder / "ecdf")
    save(draw("critical_differences", tables, SETTINGS)[0], folder / "ranks")
    return folder, figure


def test_strange_names_are_shown_as_they_are(hostile):
    _, figure = hostile
    shown = " ".join(t.get_text() for t in figure.axes[0].texts)
    assert r"\input{/etc/passwd}" in shown
    assert '<img src=x onerror="alert(1)">' in shown
    assert r"100 % of \$x^2\$ & ~#_{}" in shown  # escaped: not mathematics
    assert "[U+1F680]" in shown  # no font has a glyph for it
    assert "\u202e" not in shown


def test_fonts_are_embedded_and_none_is_type_3(hostile):
    if not shutil.which("pdffonts"):
        pytest.skip("needs pdffonts of poppler-utils")
    folder, _ = hostile
    for path in folder.glob("*.pdf"):
        lines = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
        assert lines
        assert not any("Type 3" in line for line in lines)
        # the columns emb, sub and uni stand before the object number
        assert all(re.search(r"\byes\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$", line) for line in lines), lines


def test_files_name_no_date_and_no_program_version(hostile):
    folder, _ = hostile
    for path in folder.iterdir():
        data = path.read_bytes()
        assert matplotlib.__version__.encode() not in data
        assert b"CreationDate" not in data
        assert b"<dc:date>" not in data


@pytest.fixture(scope="module")
def tables():
    return synthetic.tables(n_problems=2)


def test_sizes_are_those_of_the_publisher(tables):
    for name, points in (("ieee", 516.0), ("acm", 506.295), ("lncs", 347.12354), ("elsevier", 522.0), ("article", 469.0)):
        figure, _ = draw("profile", tables, {**SETTINGS, "paper": name})
        assert figure.get_size_inches()[0] == pytest.approx(points / 72.27)
    with pytest.raises(
        UserError, match=r"appearance\.paper: found 'a5', expected one of ieee, acm, lncs, elsevier, article, thesis"
    ):
        draw("profile", tables, {**SETTINGS, "paper": "a5"})


def _type_sizes(pdf):
    """Sizes in which a PDF shows text."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf.read_bytes(), re.S)
    found = set()
    for stream in streams:
        with contextlib.suppress(zlib.error):
            found |= {float(size) for size in re.findall(rb"/F\S+ ([0-9.]+) Tf", zlib.decompress(stream.rstrip(b"\r\n")))}
    return found


@pytest.mark.parametrize("width", ["column", "text", "86mm"])
@pytest.mark.parametrize("paper", ["ieee", "lncs"])
def test_type_is_8_pt_in_every_width_and_preset(tables, tmp_path, width, paper):
    figure, _ = draw("profile", tables, {**SETTINGS, "width": width, "paper": paper})
    save(figure, tmp_path / "f", ["pdf"])
    # digits of exponents are smaller by 0.7
    assert {round(size, 1) for size in _type_sizes(tmp_path / "f.pdf")} <= {8.0, 5.6}


@pytest.mark.parametrize(
    ("settings", "inches"),
    [
        ({"width": "column"}, 252 / 72.27),
        ({"width": "text"}, 516 / 72.27),
        ({"width": "column", "paper": "lncs"}, 347.12354 / 72.27),
        ({"width": "column", "paper": {"column": "241.14749pt", "class": "lncs"}}, 241.14749 / 72.27),
        ({"width": "text", "paper": {"text": "17.5cm"}}, 17.5 / 2.54),
        ({"width": "86mm"}, 86 / 25.4),
        ({"width": "3.4 in"}, 3.4),
    ],
)
def test_a_figure_is_as_wide_as_its_place_in_the_document(tables, settings, inches):
    figure, _ = draw("profile", tables, {**SETTINGS, **settings, "height": "5cm"})
    assert figure.get_size_inches() == pytest.approx((inches, 5 / 2.54))
    with pytest.raises(UserError, match="found 'acm', expected a length such as 86mm"):
        draw("profile", tables, {**SETTINGS, "width": "acm"})


def test_the_appearance_of_a_figure_joins_that_of_the_study(tables):
    of_study = {**SETTINGS, "width": "text", "others": "grey", "labels": {"DE": "Evolution"}}
    own = {"width": "column", "others": None, "labels": {"PSO": "Swarm"}}
    look = selected("profile", tables, {**of_study, "appearance": own}).look
    assert (look.width, look.others, look.labels) == ("column", "grey", {"DE": "Evolution", "PSO": "Swarm"})
    assert selected("profile", tables, {**of_study, "appearance": None}).look.width == "text"


def test_unknown_kinds_and_formats_are_clear_errors(tmp_path):
    with pytest.raises(UserError, match="no kind 'pie', expected one of profile, profiles, auc_bars"):
        draw("pie", {}, {})
    with pytest.raises(UserError, match="found 'gif', expected pdf, svg or png"):
        save(Figure(), tmp_path / "x", ["gif"])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.001, 0.04))
def test_spread_labels_keep_order_and_distance(wanted, step):
    wanted = sorted(wanted, reverse=True)
    places = style.spread(wanted, step, 0.0, 1.0)
    assert all(a - b >= step - 1e-9 for a, b in itertools.pairwise(places))
    assert all(-1e-9 <= p <= 1 + 1e-9 for p in places)
    if len(wanted) == 1:
        assert places == wanted


def test_spread_moves_nothing_that_has_room():
    assert style.spread([0.9, 0.5, 0.1], 0.1, 0.0, 1.0) == pytest.approx([0.9, 0.5, 0.1])
    assert style.spread([0.5, 0.5], 0.2, 0.0, 1.0) == pytest.approx([0.6, 0.4])


def _varied():
    """Panels that share axes, logarithms, empty labels, a title that ticks push up, and one that a factor above the axis does."""
    with style.rc(USUAL):
        figure = style.new_figure(USUAL, wide=True, height=4)
        grid = figure.subplots(2, 3, squeeze=False, sharex="row")
        for place, axes in enumerate(grid.flat):
            axes.plot([1, 30, 700], [place, 2.5, 1e9 if place == 3 else 7.7])
            axes.set_title(f"panel {place}", loc="left" if place % 2 else "center")
            if place < 3:
                axes.set_xscale("log")
        grid[1, 2].xaxis.tick_top()
        grid[0, 0].set_ylabel("share")
        # its ticks are as many as have room in what the colour bar takes of the place that it is given
        figure.colorbar(ScalarMappable(Normalize(1, 14)), ax=list(grid.flat), location="bottom", fraction=0.03, aspect=20)
    return figure


def test_a_figure_that_was_stored_can_be_changed_and_stored_again(tmp_path):
    figure = _varied()
    style.save(figure, tmp_path / "once", ["png"])
    ticks = [tuple(axes.get_xticks()) for axes in figure.axes]
    for axes in figure.axes:
        axes.set_xlim(1, 7e6)
    assert all(tuple(axes.get_xticks()) != before for axes, before in zip(figure.axes, ticks, strict=True))
