"""Figures of a page: what is dropped of an SVG file, what is shared, and that all of it is drawn where it was."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from benchmill.core.errors import UserError
from benchmill.figures import style
from benchmill.report import pictures

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" viewBox="0 0 72 72">'


def inline(content):
    return str(pictures.inline_svg(f"{HEAD}{content}</svg>", "p-", "caption"))


def test_svg_is_cleaned_and_its_ids_are_its_own():
    found = inline(
        "<!-- --><script>alert(1)</script> --><metadata>x</metadata><style>*{fill:red}</style><script>alert(1)</script>"
        '<defs><path id="a" d="M0 0"/><path id="unused" d="M1 1"/></defs>'
        '<g id="b" clip-path="url(#a)" onclick="x()"><use xlink:href="#a"/><use xlink:href="http://x/"/></g>'
        '<path style="fill: url(#a)" d="M2 2"/>'
    )
    (own,) = re.findall(r' id="(p-\w+)"', found)
    assert f'clip-path="url(#{own})"' in found
    assert f'href="#{own}"' in found
    assert f'style="fill:url(#{own})"' in found
    assert not re.search("script|metadata|<style|onclick|http|alert", found)
    # what is not in the figure is nothing, not something of the page
    assert 'href="#p-"' in inline('<use xlink:href="#main"/>')
    for text in ("<html/>", "no xml"):
        with pytest.raises(UserError, match="not SVG"):
            pictures.inline_svg(text, "p-", "caption")


def drawn(element, style="", clip="", place=(0.0, 0.0), found=None):
    """Every drawn element with the style, clip path and place that hold for it, in order."""
    found = [] if found is None else found
    style, clip = element.get("style", style), element.get("clip-path", clip)
    moved = re.match(r"translate\(([-0-9.]+)(?:[ ,]+([-0-9.]+))?\)(.*)", element.get("transform", ""))
    rest = moved[3] if moved else element.get("transform", "")
    shift = (float(moved[1]), float(moved[2] or 0)) if moved else (0.0, 0.0)
    shift = (shift[0] + float(element.get("x", 0)), shift[1] + float(element.get("y", 0)))
    place = (*place, *shift, rest)
    if element.tag in ("path", "use"):
        # an id may be another one
        looks = re.sub(r"\s|#[-\w]+(?=\))", "", style)
        found.append((element.tag, looks, bool(clip), [p for p in place if p not in (0, "")]))
    for child in element:
        drawn(child, style, clip, place, found)
    return found


def test_a_figure_of_many_curves_is_drawn_as_it_was_with_fewer_bytes_and_elements(tmp_path):
    figure = Figure(figsize=(4, 3), layout="constrained")
    axes = figure.add_subplot()
    x = np.arange(200.0)
    for k in range(40):
        axes.step(x, np.cumsum(np.abs(np.sin(x + k))), color="#bbbbbb", lw=0.5)
    axes.fill_between(x, x, 2 * x, alpha=0.3, hatch="//")
    axes.plot(x, 3 * x, marker="o", markevery=20, label="a name")
    axes.legend()
    (path,) = style.save(figure, tmp_path / "figure", ["svg"])
    source = path.read_text("utf-8")
    short = str(pictures.inline_svg(source, "s1f1-", "caption"))
    assert len(short) < len(source) * 0.6
    assert short.count("<") < source.count("<") * 0.7
    before, after = (ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", text)) for text in (source, short))
    # what the file says in its style sheet, the root of the element says
    del after.attrib["style"]
    first, second = (drawn(root) for root in (before, after))
    assert [looks for *looks, _ in first] == [looks for *looks, _ in second]
    for (*_, there), (*_, here) in zip(first, second, strict=True):
        assert [p for p in there if isinstance(p, str)] == [p for p in here if isinstance(p, str)]
        numbers = [[p for p in place if not isinstance(p, str)] for place in (there, here)]
        assert np.abs(np.subtract(*numbers)).max(initial=0) <= 0.0501


@pytest.mark.parametrize(
    "alone",
    [
        # an opacity of the group is that of all elements drawn together
        '<path style="opacity: 0.5" d="M0 0"/><path style="opacity: 0.5" d="M1 1"/>',
        # a clip path is moved with its element
        '<defs><clipPath id="c"/></defs><path clip-path="url(#c)" transform="scale(2)" d="M0 0"/>'
        '<path clip-path="url(#c)" transform="scale(2)" d="M1 1"/>',
        '<defs><clipPath id="c"/></defs><use clip-path="url(#c)" transform="translate(1 2)"/>'
        '<use clip-path="url(#c)" transform="translate(1 2)"/>',
    ],
)
def test_what_a_group_would_draw_otherwise_stays_with_its_element(alone):
    found = inline(alone)
    assert "<g" not in found
    assert found.count("opacity") + found.count("clip-path") == 2
    assert ' x="' not in found


def points_of(short):
    """The points of a path in relative steps."""
    at, points = np.zeros(2), []
    for command, numbers in re.findall("([Mhvl])([^Mhvlz]*)", short):
        values = [float(v) for v in re.findall(r"-?[0-9.]+", numbers)]
        at = np.array(values) if command == "M" else at + {"h": [values[0], 0], "v": [0, values[0]], "l": values}[command]
        points.append(at)
    return np.array(points)


@pytest.mark.parametrize("absolute", [False, True])
def test_long_curves_are_written_short_and_stay_where_they_are(absolute):
    x = np.repeat(np.linspace(10, 90, 400), 2)[1:]
    y = np.repeat(np.linspace(80, -5, 400), 2)[:-1]
    if absolute:  # as files of figures have it
        steps = [f"V{b:.2f}" if x[k] == x[k + 1] else f"H{a:.2f}" for k, (a, b) in enumerate(zip(x[1:], y[1:], strict=True))]
        path = f"M{x[0]:.2f} {y[0]:.2f}" + "".join(steps)
        x, y = x.round(2), y.round(2)
    else:
        path = "M " + " \nL ".join(f"{a:.6f} {b:.6f}" for a, b in zip(x, y, strict=True)) + " "
    short = pictures.short_path(path)
    assert len(short) < len(path) * (0.7 if absolute else 1 / 3)
    found = points_of(short)
    for a, b in zip(x, y, strict=True):
        low, high = np.minimum(found[:-1], found[1:]) - 0.0501, np.maximum(found[:-1], found[1:]) + 0.0501
        assert (([a, b] >= low) & ([a, b] <= high)).all(axis=1).any()  # on one of the segments, which follow the axes
    assert np.abs(found[-1] - [x[-1], y[-1]]).max() <= 0.0501


def test_other_paths_are_left_alone_and_points_that_fall_together_are_one():
    for other in ("M 0 0 L 1 1", "M 0 0 Q 1 1 2 2 " * 100, "M0 0zL1 1" * 100):
        assert pictures.short_path(other) == other
    assert pictures.short_path("M 5 5 " + "L 5 5 " * 200) == "M5 5"
    # two closed pieces
    piece = "M1 2" + "H3V4" * 40 + "z"
    assert pictures.short_path(piece * 2) == "M1 2h2v2z" * 2
    assert pictures.short_path("M-1 -2" + "L-1.5 -2.5" * 40) == "M-1 -2l-.5-.5"
