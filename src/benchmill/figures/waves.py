"""Nested profiles wave by wave: the race after each departure of its best algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure

from benchmill import display
from benchmill.figures import panels, profile, style

_GROUP = ["dimension", "target"]
#: More waves than this do not fit the page; the first ones tell the story.
_MOST_WAVES = 7


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a wave, and in the last one their mean, the nested profile.

    In each panel thin lines are the algorithms that have left the race before; its heading says who leaves it next.

    Parameters
    ----------
    tables : mapping
        `waves`, `wave_profiles` and `profiles`.
    settings : mapping
        `measures` and `profiles`: the settings of one measure and one nested variant; `axis`: as for a single profile;
        `width`, `highlight`: see the package.
    """
    variant = settings["profiles"][0]
    group, waves, curves, whole = _rows(tables, settings)
    shown = _shown(waves)
    looks = panels.highlighted(panels.looks(whole, tables), profile.order([(whole, [group])]), settings)
    scale = profile.axis_of([_in_wave(curves, wave) for wave in shown] + [whole], settings)
    with style.rc(settings):
        width = style.text_width(settings)
        n_rows, columns = panels.arrangement(len(shown) + 1, settings, 4 if width > 5 else 2)
        longest = max(len(look.label) for look in looks.values())
        legend = panels.legend_height(len(looks), longest, width, settings)
        height = 0.35 + n_rows * min(max(1.6, width / columns * 0.72), 2.3) + legend
        figure = style.new_figure(settings, wide=True, height=min(height, 9.0))
        grid = figure.subplots(n_rows, columns, squeeze=False, sharey=True)
        for i, (axes, wave) in enumerate(zip(grid.flat, shown, strict=False)):
            rows = _in_wave(curves, wave)
            racing = panels.rows_of(rows, {"eliminated": False})
            profile.panel(axes, racing, looks, variant, scale)
            gone = panels.rows_of(rows, {"eliminated": True})
            if gone.num_rows:
                profile.panel(axes, gone, looks, variant, scale, weight=0.6)
            leaves = _best(waves, wave)
            known = panels.looks(whole, tables)
            words = f"wave {wave}: {known[leaves].label} is best" if leaves else f"wave {wave}"
            axes.set_title(style.text(_cut(words, width / columns)), loc="left")
            if i % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        last = list(grid.flat)[len(shown)]
        profile.panel(last, whole, looks, variant, scale)
        last.set_title("mean of all waves", loc="left")
        for axes in list(grid.flat)[len(shown) + 1 :]:
            axes.set_axis_off()
        panels.legend_below(figure, list(looks.values()), settings, profile.x_label(variant, scale))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what a wave is, who left when, and by which rule."""
    measure, variant = settings["measures"][0], settings["profiles"][0]
    group, waves, _, whole = _rows(tables, settings)
    looks = panels.looks(whole, tables)
    numbers = sorted(set(waves["wave"].to_pylist()))
    leaving = [
        f"{looks[name].label}{' (tied)' if _tied(waves, wave) else ''}"
        for wave in numbers
        if (name := _best(waves, wave)) is not None
    ]
    rule = "most wins" if (variant.get("rule") or "wins") == "wins" else "the smallest sum of ratios"
    left_out = f" Waves {_MOST_WAVES + 1} to {numbers[-1]} are in the table only." if len(numbers) > _MOST_WAVES else ""
    where = f" ({panels.name_of(group)})" if panels.name_of(group) else ""
    parts = [
        f"Nested profiles wave by wave of {display.plural(len(looks_of(whole)), 'algorithm')} for the measure "
        f"{display.words(measure['name'])}{profile.measure_words(measure)}{where}: ratios of a wave are to the smallest cost "
        "of any "
        f"algorithm still in the race, and before the next wave the best one, by {rule}, leaves it. Thin lines: algorithms "
        "that have "
        f"left. Best of the waves, in order: {display.listed(leaving)}. The last panel is the mean of the waves, the nested "
        f"profile.{left_out}",
        profile.trial_words(tables, measure),
        profile.AXIS_WORDS[profile.axis_of([whole], settings)],
        panels.highlight_words(
            panels.highlighted(panels.looks(whole, tables), profile.order([(whole, [group])]), settings), settings
        ),
    ]
    return " ".join(part for part in parts if part)


def looks_of(rows: pa.Table) -> list[str]:
    """Algorithms of a table."""
    return list(rows["algorithm"].unique().to_pylist())


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[dict[str, Any], pa.Table, pa.Table, pa.Table]:
    """The part that is drawn (the last dimension and target, the hardest), and its waves, curves and nested profile."""
    where = {"measure": settings["measures"][0]["name"], "variant": settings["profiles"][0]["name"]}
    waves, curves, whole = (panels.rows_of(tables[name], where) for name in ("waves", "wave_profiles", "profiles"))
    if not (waves.num_rows and curves.num_rows and whole.num_rows):
        raise panels.nothing_to_draw("waves", f"measure {where['measure']!r}, nested variant {where['variant']!r}")
    group = panels.groups(whole, _GROUP)[-1]
    return group, *(panels.rows_of(table, group) for table in (waves, curves, whole))


def _shown(waves: pa.Table) -> list[int]:
    return sorted(set(waves["wave"].to_pylist()))[:_MOST_WAVES]


def _in_wave(curves: pa.Table, wave: int) -> pa.Table:
    """Curves of a wave in the columns of a profile."""
    rows = panels.rows_of(curves, {"wave": wave})
    none = pa.nulls(rows.num_rows, pa.float64())
    return rows.append_column("rho_low", none).append_column("rho_high", none)


def _best(waves: pa.Table, wave: int) -> str | None:
    found = panels.rows_of(waves, {"wave": wave, "best": True})["algorithm"].to_pylist()
    return str(found[0]) if found else None


def _tied(waves: pa.Table, wave: int) -> bool:
    return any(panels.rows_of(waves, {"wave": wave, "tied": True})["tied"].to_pylist())


def _cut(words: str, width: float) -> str:
    """As many characters as a panel of so many inches has room for."""
    most = int(width * 13)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
