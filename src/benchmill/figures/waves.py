"""Nested profiles wave by wave: the race after each departure of its best algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from benchmill.figures import captions, curves, frames, grid, options, panels, scales, style
from benchmill.text import display, measures

_GROUP = ["dimension", "target"]
#: More waves than this do not fit the page; the first ones tell the story.
_MOST_WAVES = 7
#: Nor do more rows, where a variant has several dimensions or targets.
_MOST_ROWS = 5
#: What a study can set.
Options = options.joined(options.Axis, options.OfProfiles)


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel per wave, thin lines for those who have left the race, and one of their mean, the nested profile."""
    variant = settings["profiles"][0]
    parts, groups = _rows(tables, settings)
    known = panels.looks(tables["profiles"], tables, settings)
    looks = panels.looks(tables["profiles"], tables, settings, curves.order(whole for *_, whole in parts))
    parts = [
        (group, waves, scales.shortened(of_waves, settings), scales.shortened(whole, settings))
        for group, waves, of_waves, whole in parts
    ]
    with style.rc(settings):
        width = style.width_of(settings)
        across = 4 if width > 5 else 2
        most = _MOST_WAVES if len(parts) == 1 else across - 1
        shown = [frames.only(waves, "wave")[:most] for _, waves, _, _ in parts]
        drawn = [rows[rows["wave"].isin(mine)] for (_, _, rows, _), mine in zip(parts, shown, strict=True)]
        scale = scales.axis_of([rows["tau"] for rows in (*drawn, *(whole for *_, whole in parts))], settings.get("axis"))
        n_rows, columns = panels.arrangement(len(shown[0]) + 1, settings, across) if len(parts) == 1 else (len(parts), across)
        legend = panels.legend_height(len(looks), looks.values(), width, settings)
        height = 0.35 + n_rows * min(max(1.6, width / columns * 0.72), 2.3) + legend
        figure = style.new_figure(settings, wide=True, height=height)
        free = list(figure.subplots(n_rows, columns, squeeze=False, sharey=True).flat)
        for number, ((group, waves, of_waves, whole), mine) in enumerate(zip(parts, shown, strict=True)):
            head = f"{panels.name_of(group, settings)}, " if len(groups) > 1 else ""
            row = free[number * columns :] if len(parts) > 1 else free
            for axes, wave in zip(row, mine, strict=False):
                rows = frames.rows_of(of_waves, {"wave": wave})
                racing = frames.rows_of(rows, {"eliminated": False})
                curves.profile_plot(racing, palette=looks, scale=scale, ax=axes)
                gone = frames.rows_of(rows, {"eliminated": True})
                if not gone.empty:
                    curves.profile_plot(gone, palette=looks, scale=scale, under=0.6, ax=axes)
                leaves = _best(waves, wave)
                words = _heading(f"{head}wave {wave}", known[leaves].label if leaves else "", width / columns)
                axes.set_title(style.text(words), loc="left")
            curves.profile_plot(whole, palette=looks, scale=scale, ax=row[len(mine)])
            row[len(mine)].set_title(style.text(_cut(f"{head}mean of all waves", width / columns)), loc="left")
        for place, axes in enumerate(free):
            panels.bare(axes)
            if not axes.lines:
                axes.set_axis_off()
            elif place % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        panels.legend_below(figure, looks, settings, captions.x_label(variant, scale))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown."""
    measure, variant = settings["measures"][0], settings["profiles"][0]
    parts, groups = _rows(tables, settings)
    known = panels.looks(tables["profiles"], tables, settings)
    order = curves.order(whole for *_, whole in parts)
    rule = "most wins" if (variant.get("rule") or "wins") == "wins" else "the smallest sum of ratios"
    best = []
    for group, waves, _, _ in parts:
        numbers = frames.only(waves, "wave")
        names = [(name, wave) for wave in numbers if (name := _best(waves, wave)) is not None]
        leaving = display.listed([f"{known[name].label}{' (tied)' if _tied(waves, wave) else ''}" for name, wave in names])
        best.append(f"{panels.name_of(group, settings)}: {leaving}" if len(groups) > 1 else leaving)
    n_waves = max(waves["wave"].nunique() for _, waves, _, _ in parts)
    n_shown = _MOST_WAVES if len(parts) == 1 else (4 if style.width_of(settings) > 5 else 2) - 1
    where = f" ({panels.name_of(groups[0], settings)})" if len(groups) == 1 and panels.name_of(groups[0], settings) else ""
    last = "panel" if len(parts) == 1 else "panel of a row"
    return captions.joined(
        f"Nested profiles wave by wave of {display.plural(len(order), 'algorithm')}, measure {measures.told(measure)}{where}: "
        f"after each wave the best algorithm ({rule}) leaves the race (thin lines). Best, wave by wave: {'; '.join(best)}. Last "
        f"{last}: the mean of the waves, the nested profile.",
        _further(n_shown, n_waves),
        f"Not drawn: {display.plural(len(groups) - len(parts), 'row')} of the table." if len(parts) < len(groups) else "",
        captions.cut_words(sorted({scales.end_of(whole["tau"]) for *_, whole in parts}), settings),
        captions.trial_words(tables, measure),
        panels.highlight_words(panels.looks(tables["profiles"], tables, settings, order), settings),
    )


def _further(n_shown: int, n_waves: int) -> str:
    if n_waves <= n_shown:
        return ""
    one = n_waves == n_shown + 1
    return f"Not drawn: {f'wave {n_waves}' if one else f'waves {n_shown + 1} to {n_waves}'}."


_Part = tuple[dict[str, Any], pd.DataFrame, pd.DataFrame, pd.DataFrame]


def _rows(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[list[_Part], list[dict[str, Any]]]:
    where = {"measure": settings["measures"][0]["name"], "variant": settings["profiles"][0]["name"]}
    waves, of_waves, whole = (frames.rows_of(tables[name], where) for name in ("waves", "wave_profiles", "profiles"))
    if waves.empty or of_waves.empty or whole.empty:
        raise panels.nothing_to_draw("waves", f"measure {where['measure']!r}, nested variant {where['variant']!r}")
    groups = frames.groups(whole, _GROUP)
    shown = grid.sample(groups, _MOST_ROWS)
    return [(group, *(frames.rows_of(table, group) for table in (waves, of_waves, whole))) for group in shown], groups


def _best(waves: pd.DataFrame, wave: int) -> str | None:
    found = frames.rows_of(waves, {"wave": wave, "best": True})["algorithm"]
    return None if found.empty else str(found.iloc[0])


def _tied(waves: pd.DataFrame, wave: int) -> bool:
    return bool(frames.rows_of(waves, {"wave": wave})["tied"].any())


def _heading(wave: str, best: str, width: float) -> str:
    """Return what a panel shows and who is best there, if there is room."""
    for full in (f"{wave}: {best} is best", f"{wave}: {best}") if best else ():
        if _cut(full, width) == full:
            return full
    return _cut(f"{wave}: {best}" if best else wave, width)


def _cut(words: str, width: float) -> str:
    most = int(width * 13)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
