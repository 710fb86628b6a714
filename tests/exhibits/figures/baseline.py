"""What each kind of figure is known to look like: its structure as JSON and a coarse grey picture.

`python -m tests.exhibits.figures.baseline [NAME ...]` makes the files in `baselines` again: look at what has changed
before you keep it.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex
from PIL import Image

from benchmill.exhibits.figures import draw
from tests.exhibits.figures import studies

FOLDER = Path(__file__).with_name("baselines")
#: Points of the drawing and of the picture in an inch. A point of the picture is a tenth of an inch: what another version of the
#: font engine moves by a fraction of a point leaves it as it is.
DRAWN, KEPT = 100, 10
#: How far grey values (0 to 255) may be off: on the average, and the worst point.
MEAN, WORST = 1.5, 30

#: Name of a figure to its kind and settings: every kind, and the layouts and axes that the gallery shows.
FIGURES = {kind: (kind, settings) for kind, settings in studies.SETTINGS.items()} | {
    "profile_broken": ("profile", {**studies.SETTINGS["profile"], "axis": "broken"}),
    "profile_highlight": ("profile", {**studies.SETTINGS["profile"], "highlight": ["DE"], "others": "grey"}),
    "profiles_overlaid": ("profiles", {**studies.SETTINGS["profiles"], "layout": "overlaid"}),
    "scatter_three": ("scatter", {**studies.SETTINGS["scatter"], "algorithms": ["CMA-ES", "DE", "SLSQP"]}),
}


def drawn(name, tables):
    """The figure of that name, laid out."""
    kind, settings = FIGURES[name]
    figure, _ = draw(kind, tables, settings)
    figure.set_dpi(DRAWN)
    figure.draw_without_rendering()
    return figure


def structure(figure):
    """What is in a figure, without what depends on the last bits of a number or of a font."""
    return {
        "inches": [round(float(side), 2) for side in figure.get_size_inches()],
        "texts": _words([*figure.texts, *filter(None, (figure._suptitle, figure._supxlabel, figure._supylabel))]),
        "legends": [_legend(legend) for legend in figure.legends],
        "axes": [_axes(axes) for axes in figure.axes],
    }


def _axes(axes):
    if not axes.axison and not axes.texts:
        return "empty"
    legend = axes.get_legend()
    return {
        "box": [round(float(v), 2) for v in axes.get_position().bounds],
        "title": [axes.get_title(loc=loc) for loc in ("left", "center", "right")],
        "x": _axis(axes, axes.xaxis, axes.get_xlim()),
        "y": _axis(axes, axes.yaxis, axes.get_ylim()),
        "texts": _words(axes.texts),
        "legend": _legend(legend) if legend else None,
        "lines": [_line(line) for line in axes.get_lines() if line.get_visible()],
        "patches": [[to_hex(p.get_facecolor(), True), *_sum(p.get_path().vertices)] for p in axes.patches if p.get_visible()],
        "collections": [[type(c).__name__, len(c.get_paths()), *sorted({to_hex(v, True) for v in c.get_facecolor()})[:3]]
                        for c in axes.collections if c.get_visible()],
        "images": len(axes.images),
    }  # fmt: skip


def _axis(axes, axis, limits):
    low, high = sorted(limits)
    shown = [tick.label1.get_text() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    return {"label": axis.get_label_text(), "scale": axis.get_scale(), "limits": [float(v) for v in limits], "ticks": shown}


def _line(line):
    style = [to_hex(line.get_color()), str(line.get_linestyle()), float(line.get_linewidth()), str(line.get_marker())]
    # Matplotlib's own name of a line without one
    label = re.sub("^_child.*", "", str(line.get_label()))
    return [str(line.get_gid()), label, *style, *_sum(np.transpose(np.asarray(line.get_data(orig=False), float)))]


def _sum(points):
    """How many points there are, and the sums of their finite coordinates."""
    found = np.asarray(points, float).reshape(-1, 2)
    return [len(found), *(float(np.where(np.isfinite(found), found, 0).sum(axis=0)[i]) for i in (0, 1))]


def _words(texts):
    return [text.get_text() for text in texts if text.get_visible() and text.get_text()]


def _legend(legend):
    return [legend.get_title().get_text(), *([text.get_text(), str(text.get_fontweight())] for text in legend.get_texts())]


def picture(figure):
    """Grey values of a drawn figure, an array of a byte for each tenth of an inch square."""
    figure.canvas.draw()
    with Image.fromarray(np.asarray(figure.canvas.buffer_rgba())) as image:
        size = [max(1, round(side * KEPT)) for side in figure.get_size_inches()]
        return np.asarray(image.convert("RGB").convert("L").resize(size, Image.Resampling.BOX))


def difference(found, kept, where=""):
    """Where two structures differ, in words; numbers that differ by a ten thousandth are equal."""
    if isinstance(kept, dict) and isinstance(found, dict) and kept.keys() == found.keys():
        return [line for key in kept for line in difference(found[key], kept[key], f"{where}.{key}")]
    if isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        return [line for i, pair in enumerate(zip(found, kept, strict=True)) for line in difference(*pair, f"{where}[{i}]")]
    numbers = isinstance(kept, int | float) and isinstance(found, int | float)
    tolerance = 0.021 if ".box" in where else 1e-6
    if kept == found or (numbers and abs(kept - found) <= max(tolerance, 1e-4 * abs(kept))):
        return []
    return [f"{where}: found {found!r}, expected {kept!r}"]


def off(found, kept):
    """Mean and largest difference of the grey values of two pictures, each a block of nine with its neighbours."""
    if found.shape != kept.shape:
        return np.inf, np.inf
    gap = np.abs(_smooth(found) - _smooth(kept))
    return float(gap.mean()), float(gap.max())


def _smooth(grey):
    padded = np.pad(np.asarray(grey, float), 1, mode="edge")
    rows, columns = grey.shape
    return sum(padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)) / 9


def main(names):
    FOLDER.mkdir(exist_ok=True)
    tables = studies.tables()
    for name in names or FIGURES:
        figure = drawn(name, tables)
        lines = json.dumps(structure(figure), ensure_ascii=False, indent=0, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(lines + "\n", "utf-8")
        Image.fromarray(picture(figure)).save(FOLDER / f"{name}.png", optimize=True)
    if not names:
        for path in FOLDER.iterdir():
            if path.stem not in FIGURES:
                path.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
