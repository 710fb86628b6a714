"""Performance profiles: the share of problems an algorithm solves within a factor of the best, over that factor."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from benchmill.figures import panels, style
from benchmill.text import display
from benchmill.text.appearance import Look

#: What a caption says of each kind of axis.
AXIS_WORDS = {
    "linear": "",
    "log2": "The axis of τ is logarithmic.",
    "log10": "The axis of τ is logarithmic.",
    "broken": "The axis of τ is linear up to 10 and logarithmic beyond.",
}
#: Where the broken axis changes from linear to logarithmic.
_BREAK = 10.0
#: Share of the panel's width to the right of tau_max, in which the final values are marked.
_MARGIN = 0.07
_MARKS = 4
#: Logarithms of the smallest and the largest place on an axis, short of what numbers there are: Matplotlib computes with them.
_LOGS = (math.log(1e-307), math.log(1e307))
#: No linear axis reaches further.
_LONGEST_LINEAR = 1e300


def draw(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> Figure:
    """Draw one panel a group (dimension, target) of a profile.

    Curves are right-continuous steps from tau = 1 to tau_max, where they end; in the margin beyond,
    each algorithm's marker shows rho(tau_max), so that what lies above it is its unsolved share.
    The axis is logarithmic where tau_max > 10, to base 2 up to 1000 and to base 10 beyond, if `axis` does not say otherwise.

    Parameters
    ----------
    tables : mapping
        `profiles` and, for the caption, `profile_measures`.
    settings : mapping
        `measure`, `profile`, `width`, `highlight`: see the package; `axis` (optional): `auto`, `linear`, `log`, or `broken`,
        which is linear on [1, 10] and logarithmic beyond (Barbosa, Bernardino, Barreto 2010, Figure 2).
    """
    data = _rows(tables["profiles"], settings)
    groups = panels.groups(data, ["dimension", "target"])
    looks = _looks(data, tables, settings)
    n_curves = sum(not look.faded for look in looks.values())
    scale, profile = axis_of([data], settings), settings["profile"]
    if len(groups) == 1 and n_curves <= panels.MOST_DIRECT_LABELS:
        with style.rc(settings):
            wide = bool(settings.get("wide", True))
            figure = style.new_figure(settings, wide=wide, height=max(2.6, 0.16 * n_curves + 1.0))
            axes = figure.add_subplot()
            ends = panel(axes, data, looks, profile, scale)
            entries = [
                (ends[name], f"{display.share(ends[name])}  {look.label}", look) for name, look in looks.items() if not look.faded
            ]
            style.direct_labels(axes, entries, settings, f"ρ({display.number(_tau_max(data))}), algorithm")
            axes.set_xlabel(x_label(profile, scale))
            axes.set_ylabel("share solved ρ(τ)")
            if panels.name_of(groups[0]):
                axes.set_title(style.text(panels.name_of(groups[0])), loc="left")
        return figure

    with style.rc(settings):
        rows, columns = panels.arrangement(len(groups), settings, _columns(groups))
        longest = max(len(look.label) for look in looks.values())
        width = style.text_width(settings)
        legend = panels.legend_height(n_curves + 1, longest, width, settings)
        figure = style.new_figure(settings, wide=True, height=min(0.35 + rows * max(1.5, width / columns * 0.72) + legend, 9.0))
        grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
        for place, (axes, group) in enumerate(zip(grid.flat, groups, strict=False)):
            mine = panels.rows_of(data, group)
            panel(axes, mine, looks, profile, scale)
            axes.set_title(style.text(panels.heading(group, groups)), loc="left")
            if place % columns == 0:
                axes.set_ylabel("share ρ(τ)")
        for axes in list(grid.flat)[len(groups) :]:
            axes.set_axis_off()
        panels.legend_below(figure, list(looks.values()), settings, x_label(profile, scale))
    return figure


def caption(tables: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Say what is shown, how many problems and trials it rests on, and which conventions are in force.

    Parameters
    ----------
    settings : mapping
        As `draw`.
    """
    data = _rows(tables["profiles"], settings)
    measures = _rows(tables["profile_measures"], settings)
    profile = settings["profile"]
    facts = (
        measures.group_by(["dimension", "target"])
        .aggregate([("n_problems", "max"), ("n_unsolved", "max"), ("tau_max", "max")])
        .to_pylist()
    )
    n_algorithms = len(data["algorithm"].unique())
    problems = sorted({f["n_problems_max"] for f in facts})
    unsolved = sorted({f["n_unsolved_max"] for f in facts})
    ends = sorted({f["tau_max_max"] for f in facts})
    joint = len(settings["measure"].get("targets") or settings["measure"].get("budgets") or []) > 1
    what = "(problem, target) pairs" if joint and "target" not in (profile.get("by") or []) else "problems"
    per_panel = " per panel" if len(facts) > 1 else ""
    words = words_of(profile)
    parts = [
        f"{words.kind} profiles of {display.plural(n_algorithms, 'algorithm')} on {span(problems)} {what}{per_panel}"
        f" for the measure {named(settings['measure'])}.",
        definition(profile, what),
    ]
    if profile.get("weights", "equal") != "equal":
        parts.append(f"Problems are weighted by {display.words(str(profile['weights']))}.")
    where_from = (
        "as set in the study"
        if profile.get("tau_max")
        else "the largest finite ratio"
        if words.of_ratios
        else "no curve rises further"
    )
    parts.append(
        f"Curves end at τ_max = {span(ends, display.number)} ({where_from}); markers in the margin show ρ(τ_max), "
        "and what lies above a marker is the share not solved within τ_max. A failure never counts as solved."
    )
    if any(unsolved):
        rule = "left out" if profile.get("unsolved") == "drop" else "kept in the denominator"
        whats = "Problems" if what == "problems" else "Pairs"
        parts.append(f"{whats} that no algorithm solved: {span(unsolved)}{per_panel} ({rule}).")
    if _has_band(data):
        parts.append(_band_words(profile.get("bands")))
    parts.append(trial_words(tables, settings["measure"]))
    parts.append(AXIS_WORDS[axis_of([data], settings)])
    parts.append(panels.highlight_words(_looks(data, tables, settings), settings))
    return " ".join(part for part in parts if part)


_MODELS = {
    "normal": "normal with their mean and standard deviation",
    "lognormal": "lognormal with their mean and standard deviation",
    "gamma": "gamma with their mean and standard deviation",
    "predictive_t": "Student's t for the next run",
    "empirical": "that of the runs themselves",
}


def _is_smooth(profile: Mapping[str, Any]) -> bool:
    """Whether the points of a curve are joined by lines: its points are dense, and it has no steps."""
    return bool(profile.get("variant") == "probabilistic" and profile.get("model") != "empirical")


def _probabilistic(profile: Mapping[str, Any]) -> str:
    model = _MODELS[profile.get("model", "normal")]
    if profile.get("sd") is not None:
        model = f"{profile['model']} with an assumed standard deviation"
    base = {"mean_success": "mean of the successes", "truncated_mean": "mean of cost and budget"}.get(
        profile.get("baseline", "ert"), "expected running time"
    )
    return (
        "Probabilistic profiles: ρ(τ) is the expected share of {what} on which one run costs at most τ times the "
        f"smallest {base} of any algorithm there; distribution of the successful costs: {model}; a failed run never counts."
    )


def _nested(profile: Mapping[str, Any]) -> str:
    rule = "most wins" if profile.get("rule", "wins") == "wins" else "smallest sum of ratios"
    return (
        "Nested profiles: ρ(τ) is the mean over the waves of the share of {what} whose cost is at most τ times the smallest "
        f"cost of any algorithm still in the race; before each wave but the first, the best algorithm leaves it ({rule})."
    )


def _accuracy(profile: Mapping[str, Any]) -> str:
    relative = ", divided by that of the worst algorithm there" if profile.get("reference", "worst") == "worst" else ""
    return "Accuracy profiles: ρ(τ) is the share of {what} with an error of at most τ at the budget" + f"{relative}."


@dataclass(frozen=True)
class Words:
    """What the figures of a variant say.

    Attributes
    ----------
    kind : str
        Heads the caption: `<kind> profiles of …`.
    tau : str
        Label of the axis.
    definition : str or callable
        A sentence in which `{what}` stands for problems, or what makes it of the settings of the variant.
    of_ratios : bool
        Whether τ is a ratio to the best, so that the right end is the largest ratio.
    """

    kind: str
    tau: str
    definition: str | Callable[[Mapping[str, Any]], str]
    of_ratios: bool = False


_RATIO = "performance ratio τ"

#: By variant. A variant that is not here is named in its figures, not explained.
VARIANTS: dict[str, Words] = {
    "dolan_more": Words(
        "Performance",
        _RATIO,
        "ρ(τ) is the share of {what} whose cost is at most τ times the smallest cost of any algorithm there.",
        of_ratios=True,
    ),
    "probabilistic": Words("Performance", _RATIO, _probabilistic, of_ratios=True),
    "nested": Words("Performance", _RATIO, _nested, of_ratios=True),
    "log_ratio": Words(
        "Log-ratio",
        "ratio to the cost of the other algorithm τ",
        "Log-ratio profile: ρ(τ) is the share of {what} whose cost is at most τ times that of the other algorithm.",
        of_ratios=True,
    ),
    "data": Words(
        "Data",
        "evaluations/(dimension + 1) τ",
        "Data profiles: ρ(τ) is the share of {what} solved within τ(n + 1) evaluations, n being the dimension.",
    ),
    "accuracy": Words("Accuracy", "error τ", _accuracy),
}


def words_of(profile: Mapping[str, Any]) -> Words:
    """The words of a variant; Dolan and Moré's where the settings name no variant."""
    variant = profile.get("variant") or "dolan_more"
    named = display.words(variant)
    plain = f"ρ(τ) is the share of {{what}} that the variant {named!r} counts at τ."
    return VARIANTS.get(variant) or Words(named[:1].upper() + named[1:], "τ", plain)


def definition(profile: Mapping[str, Any], what: str) -> str:
    """The sentence that defines the curves of a variant; `what` they are shares of."""
    sentence = words_of(profile).definition
    return (sentence if isinstance(sentence, str) else sentence(profile)).replace("{what}", what)


def _looks(data: pa.Table, tables: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Look]:
    """Looks in the order in which the curves end, some faded."""
    groups = panels.groups(data, ["dimension", "target"])
    return panels.highlighted(panels.looks(data, tables), order([(data, groups)]), settings)


def _rows(table: pa.Table, settings: Mapping[str, Any]) -> pa.Table:
    rows = panels.rows_of(table, {"measure": settings["measure"]["name"], "variant": settings["profile"]["name"]})
    if not rows.num_rows:
        raise panels.nothing_to_draw(
            "profile", f"measure {settings['measure']['name']!r}, variant {settings['profile']['name']!r}"
        )
    return rows


def _columns(groups: list[dict[str, Any]]) -> int | None:
    """A grid of dimensions by targets keeps one row a target, where the page is wide enough."""
    targets = {g["target"] for g in groups}
    dimensions = {g["dimension"] for g in groups}
    return len(dimensions) if 1 < len(dimensions) <= 6 and len(targets) > 1 else None


def _tau_max(data: pa.Table) -> float:
    tau = data["tau"].to_numpy()
    finite = tau[np.isfinite(tau)]
    return float(finite.max()) if len(finite) else 1.0


def axis_of(data: Sequence[pa.Table], settings: Mapping[str, Any]) -> str:
    """Kind of the axis of tau, one for all panels of a figure: `linear`, `log2`, `log10` or `broken`."""
    wanted = settings.get("axis") or "auto"
    reach = max(_tau_max(rows) / max(_start(rows), 1e-300) for rows in data)
    if (wanted == "linear" and max(map(_tau_max, data)) < _LONGEST_LINEAR) or (wanted != "log" and reach <= 10):
        return "linear"
    if wanted == "broken" and all(_start(rows) == 1 for rows in data):
        return "broken"
    return "log2" if reach <= 1000 else "log10"


def x_label(profile: Mapping[str, Any], scale: str) -> str:
    """What tau is in a variant, and the scale of its axis."""
    words = {"log2": " (log₂ scale)", "log10": " (log₁₀ scale)", "broken": " (linear to 10, then log₁₀ scale)"}
    return words_of(profile).tau + words.get(scale, "")


def title(profile: Mapping[str, Any]) -> str:
    """A variant in a few words, as the title of its panel: `probabilistic, σ = 0.1, a1: 5`."""
    variant = profile.get("variant") or profile["name"]
    parts = [display.words(variant)]
    sd = profile.get("sd")
    if isinstance(sd, Mapping):
        parts.append(f"σ = {sd['default']:g}" if "default" in sd else "σ")
        parts += [f"{next(iter(display.short_names([name], 12).values()))}: {v:g}" for name, v in sd.items() if name != "default"]
    elif sd is not None:
        parts.append(f"σ = {sd:g}")
    if variant == "nested":
        parts.append({"wins": "by wins", "sum": "by sum of ratios"}.get(profile.get("rule") or "wins", str(profile.get("rule"))))
    if (profile.get("weights") or "equal") != "equal":
        parts.append(f"weighted by {display.words(str(profile['weights']))}")
    return ", ".join(parts)


def order(pieces: Sequence[tuple[pa.Table, Sequence[Mapping[str, Any]]]]) -> list[str]:
    """Algorithms by the mean over all panels of rho(tau_max), falling, as the curves end; of equal ones the higher before first.

    Parameters
    ----------
    pieces : sequence of (table, groups)
        Rows of one variant, and the groups that its panels show.
    """
    total: dict[str, list[tuple[float, float]]] = {}
    for data, groups in pieces:
        for group in groups:
            for name, (tau, rho) in panels.steps(panels.rows_of(data, group), "tau", ["rho"]).items():
                keep = np.isfinite(tau) & (tau > 0)
                height = float(np.dot(rho[keep][:-1], np.diff(np.log(tau[keep]))))
                total.setdefault(name, []).append((float(rho[-1]), height))
    # sums of shares that are equal on paper differ in the last bits
    return sorted(total, key=lambda name: tuple(-round(float(mean), 12) for mean in np.mean(total[name], axis=0)))


_RESAMPLED = {"runs": "the runs of each problem", "problems": "the problems", "both": "the problems and their runs"}


def _band_words(bands: Mapping[str, Any] | None) -> str:
    """What a band is, by the settings that made it."""
    chosen = bands or {}
    if not chosen:
        return "Bands are as stated in the settings of the variant."
    covers = "whole curves" if chosen.get("kind") == "simultaneous" else "the curve at each τ"
    return (
        f"Bands cover {covers} with a probability of {display.target(100 * chosen.get('level', 0.95))} %, by "
        f"{display.count(chosen.get('replicates', 2000))} bootstrap resamples of {_RESAMPLED[chosen.get('resample', 'runs')]}."
    )


def _has_band(data: pa.Table) -> bool:
    return bool(data.num_rows > data["rho_low"].null_count)


class _Scale:
    """The axis of tau in one panel: `forward` maps tau to a place on paper, `inverse` a place to tau."""

    def __init__(self, kind: str, start: float, end: float) -> None:
        self.kind = kind if kind != "broken" or end > _BREAK else "linear"
        self.log_end = math.log(max(end, 2 * _BREAK) / _BREAK)

    def forward(self, tau: Any) -> Any:
        tau = np.asarray(tau, dtype=float)
        if self.kind == "linear":
            return tau
        if self.kind.startswith("log"):
            return np.log(tau)
        return np.where(tau <= _BREAK, (tau - 1) / (_BREAK - 1), 1 + np.log(np.maximum(tau, _BREAK) / _BREAK) / self.log_end)

    def inverse(self, place: Any) -> Any:
        place = np.asarray(place, dtype=float)
        if self.kind == "linear":
            return place
        if self.kind.startswith("log"):
            return np.exp(np.clip(place, *_LOGS))
        beyond = _BREAK * np.exp(np.clip((place - 1) * self.log_end, 0, _LOGS[1] - math.log(_BREAK)))
        return np.where(place <= 1, 1 + place * (_BREAK - 1), beyond)

    def apply(self, axes: Axes) -> None:
        if self.kind == "broken":
            axes.set_xscale("function", functions=(self.forward, self.inverse))
        elif self.kind != "linear":
            axes.set_xscale("log", base=int(self.kind[3:]))


def panel(
    axes: Axes,
    data: pa.Table,
    looks: Mapping[str, Look],
    profile: Mapping[str, Any],
    scale: str,
    weight: float | None = None,
) -> dict[str, float]:
    """Draw the curves of one panel.

    Parameters
    ----------
    data : pyarrow.Table
        Rows with `algorithm`, `tau`, `rho`, `rho_low` and `rho_high`.
    looks : mapping
        Of the algorithms; faded ones are thin lines without marks.
    profile : mapping
        Settings of the variant.
    scale : str
        As by `axis_of`.
    weight : float, optional
        Width of the lines in points, where a panel shows a second variant over a first one: then no limits, ticks and
        marks are set.

    Returns
    -------
    dict of str to float
        rho(tau_max) of each algorithm.
    """
    tau_max, start = _tau_max(data), _start(data)
    end = min(tau_max if tau_max > start else 2.0 * start, math.exp(_LOGS[1]))
    place = _Scale(scale, start, end)
    low, high = float(place.forward(start)), float(place.forward(end))
    width = (high - low) / (1 - _MARGIN)
    right = float(place.inverse(low + width))
    if weight is None:
        place.apply(axes)
        axes.set_xlim(float(place.inverse(low - 0.012 * width)), right)
        axes.set_ylim(-0.015, 1.03)
        axes.axvspan(end, right, color="0.94", lw=0, zorder=0)
        axes.axvline(end, color="0.55", lw=0.5, zorder=1)
        if place.kind == "broken":
            axes.axvline(_BREAK, color="0.55", lw=0.6, linestyle=(0, (1, 2)), zorder=1)
        _ticks(axes, start, end, place.kind)

    curves = panels.steps(data, "tau", ["rho", "rho_low", "rho_high"])
    band = _has_band(data)
    smooth = _is_smooth(profile)
    ends: dict[str, float] = {}
    number = axes.figure.axes.index(axes)  # ids are unique in a file
    for i, (name, (tau, rho, rho_low, rho_high)) in enumerate(curves.items()):
        look = looks[name]
        keep = np.isfinite(tau)
        tau, rho = tau[keep], rho[keep]
        if band and not look.faded:
            axes.fill_between(
                tau, rho_low[keep].astype(float), rho_high[keep].astype(float), step="post", color=look.colour, alpha=0.14, lw=0
            )
        axes.plot(
            tau,
            rho,
            drawstyle="default" if smooth else "steps-post",
            label=style.text(look.label),
            gid=f"curve-{number}-{i}" if weight is None else f"under-{number}-{i}",
            **{"zorder": 3, **({} if weight is None else {"linewidth": weight, "zorder": 2.5}), **style.line_style(look)},
        )
        ends[name] = float(rho[-1])
        if weight is not None or look.faded:
            continue
        # a mark every so often, at places of its own, on the line
        shares = (np.arange(_MARKS) + (i + 0.5) / len(curves)) / _MARKS
        at = place.inverse(low + shares * (high - low))
        at = at[at <= tau[-1]]
        values = np.interp(at, tau, rho) if smooth else rho[np.searchsorted(tau, at, side="right") - 1]
        axes.plot(at[values > 0], values[values > 0], linestyle="none", **style.marker_style(look, 3.4), zorder=4)
        mark = float(place.inverse(low + width * (1 - _MARGIN / 2)))
        axes.plot([tau[-1], mark], [rho[-1]] * 2, color=look.colour, lw=0.5, zorder=2)
        axes.plot([mark], [rho[-1]], linestyle="none", **style.marker_style(look, 3.6), zorder=5)
    return ends


def _start(data: pa.Table) -> float:
    """Left end: 1 for performance ratios, the smallest tau for data and accuracy profiles."""
    tau = data["tau"].to_numpy()
    return float(tau[np.isfinite(tau)].min(initial=np.inf)) if np.isfinite(tau).any() else 1.0


def _ticks(axes: Axes, start: float, end: float, kind: str) -> None:
    if kind == "linear":
        inner = axes.xaxis.get_major_locator().tick_values(start, end)
        axes.xaxis.set_major_locator(FixedLocator([start, *[t for t in inner if start + 0.1 * (end - start) < t <= end]]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.4g}"))
        return
    axes.xaxis.set_minor_formatter(NullFormatter())
    if kind == "broken":
        powers = range(2, math.floor(math.log10(end) + 1e-9) + 1)
        stride = max(1, math.ceil(len(powers) / 3))
        axes.xaxis.set_major_locator(FixedLocator([1, 4, 7, 10, *[10.0**k for k in powers[::stride]]]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: _tick(v, powers=v > _BREAK and end >= 1e4)))
        axes.xaxis.set_minor_locator(FixedLocator([2, 3, 5, 6, 8, 9, *[m * 10.0**k for k in (1, *powers) for m in range(2, 10)]]))
        return
    base = int(kind[3:])
    first, last = math.ceil(math.log(start, base) - 1e-9), math.floor(math.log(end, base) + 1e-9)
    decades = math.log(end, base) - math.log(start, base)
    stride = max(1, math.ceil(decades / 6 - 1e-9))
    if last == first:
        # a panel that ends early beside others with a long axis
        axes.xaxis.set_major_locator(FixedLocator(_between(start, end)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: display.target(v)))
        axes.xaxis.set_minor_locator(NullLocator())
        return
    axes.xaxis.set_major_locator(FixedLocator([float(base) ** k for k in range(first, last + 1, stride)]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: _tick(v, powers=base == 10 and (end >= 1e4 or start < 1e-3))))
    if base == 10 and decades < 7:
        axes.xaxis.set_minor_locator(LogLocator(base=10, subs=tuple(range(2, 10)), numticks=100))
    else:
        axes.xaxis.set_minor_locator(NullLocator())


def _between(start: float, end: float) -> list[float]:
    """The start, and round numbers up to the end that are apart on a logarithmic axis."""
    step = 10.0 ** math.floor(math.log10((end - start) / 2))
    step *= next(m for m in (5, 2, 1) if m == 1 or (end - start) / (m * step) >= 2)
    ticks = [step * k for k in range(math.floor(start / step) + 1, math.floor(end / step + 1e-9) + 1)]
    found = [start]
    for tick in ticks:
        if math.log(tick / found[-1]) >= 0.15 * math.log(end / start):
            found.append(tick)
    return found


def _tick(value: float, powers: bool) -> str:
    """A number on the logarithmic axis: plain where the axis is short, else all as powers of ten."""
    return f"$10^{{{round(math.log10(value))}}}$" if powers else display.target(value)


def span(values: list[Any], form: Any = display.count) -> str:
    """`3`, or `3 to 7`, of sorted values."""
    if not values:
        return "no"
    return form(values[0]) if len(values) == 1 else f"{form(values[0])} to {form(values[-1])}"


def named(measure: Mapping[str, Any]) -> str:
    """The name of a measure, and what it is: `quality (best value at 100 evaluations/dimension; …)`."""
    return f"{display.words(measure['name'])}{measure_words(measure)}"


def measure_words(measure: Mapping[str, Any]) -> str:
    """What a measure is, in brackets after a blank; empty where there is nothing to say."""
    kind, aggregate = measure.get("kind"), measure.get("aggregate")
    words = []
    if kind == "fixed_target":
        targets = measure.get("targets") or []
        listed = display.listed([display.target(t) for t in targets])
        words.append(f"evaluations to reach {display.plural(len(targets), 'target')}: {listed}")
    elif kind == "fixed_budget":
        budgets = measure.get("budgets") or []
        unit = " evaluations/dimension" if measure.get("per_dimension", True) else " evaluations"
        words.append(f"best value at {display.listed([display.target(b) for b in budgets])}{unit}")
    elif kind == "given":
        words.append("cost as the source states it")
    elif kind in ("feasible_rate", "success_rate"):
        words.append(f"1 / {kind.replace('_', ' ')}")
    elif kind == "success_performance":
        words.append("mean evaluations of the successful runs over the success rate")
    if kind in ("feasible_rate", "success_rate", "success_performance"):
        return f" ({'; '.join(words)})"
    if aggregate == "ert":
        words.append("trials of a problem joined by their expected running time, each failure with its own budget")
    elif aggregate == "success_performance":
        words.append("trials of a problem joined by success performance, the mean of the successes over the success rate")
    elif aggregate in ("mean", "median"):
        words.append(f"{aggregate} over the trials of a problem, a failure counting as infinite")
    elif aggregate == "single":
        words.append("one trial a problem")
    return f" ({'; '.join(words)})" if words else ""


def trial_words(tables: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    """The sentence about trials found and missing; empty without ingest reports."""
    counted = panels.trials(tables)
    if counted is None:
        return ""
    found, missing = counted
    rule = {"failure": "counts as a failure", "error": "stops the study"}.get(
        measure.get("missing", "common"), "is left out for all"
    )
    gap = (
        f", {display.count(missing)} missing (a problem on which an algorithm has no trial {rule})"
        if missing
        else ", none missing"
    )
    return f"Trials found: {display.count(found)}{gap}."
