"""How far a claim holds: its effect under every convention, sorted, and below which choices each convention makes."""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator

from benchmill.core import UserError, beside
from benchmill.core.names import meant
from benchmill.core.options import option
from benchmill.exhibits.figures import options, panels, style
from benchmill.exhibits.figures.sheet import Frame, Sheet
from benchmill.registry.conventions import CONVENTIONS, in_order
from benchmill.text import display, widths
from benchmill.text.claims import Held, held_in

#: Of each outcome the words of the legend, and how it is drawn; shapes differ, so that it is read in grey.
_OUTCOMES = beside.toml(__file__)
#: A rule with more choices than that has one row for all of them.
_MOST_CHOICES = 8
#: Inches of a row, and of everything else.
_ROW, _REST = 0.115, 2.3


@dataclass(frozen=True, kw_only=True)
class Options(options.Asked):
    """Settings of the figure."""

    claim: str | None = option("The claim that is shown, as `claims` has it; by default the first.", None, minLength=1)


def select(sheet: Sheet) -> None:
    """Take the claim that is asked for, by default the first; none where the study claims nothing."""
    claims, wanted = list(held_in(sheet.tables["claims"])), sheet.own(Options).claim
    sheet.keywords = {"claim": next((one for one in claims if wanted is None or one.claim == wanted.strip()), None)}
    sheet.nothing = "" if claims else "The study claims nothing."
    if claims and sheet.keywords["claim"] is None:
        listed = display.listed([repr(one.claim) for one in claims], "or")
        raise UserError(f"figures: specification_curve: claim: found {wanted!r}, expected {listed}; choose one of these.")


def draw(sheet: Sheet) -> Figure:
    """Draw the effects from the smallest, with intervals and the choices behind each (Simonsohn, Simmons, Nelson 2020)."""
    claim, look = sheet.keywords["claim"], sheet.look
    with style.rc(look):
        data = _columns(claim)
        choices = _choices(data, int((widths.preset(look.paper)["height"] / widths.POINTS - _REST) / _ROW))
        below = _ROW * len(choices)
        figure = style.new_figure(look, True, _REST + below, sheet.options.height)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[1.4, max(below, 0.2)])
        _effects(upper, data)
        _grid(lower, data, choices)
        title = f"{display.short_names([claim.claim], 48)[claim.claim]}, {sheet.about.called(claim.measure)}"
        asked = look.highlight
        bold = isinstance(asked, list | tuple) and any(meant(name, {*claim.rows["algorithm"].astype(str)}) for name in asked)
        upper.set_title(style.text(title), loc="left", fontweight="bold" if bold else "normal")
        panels.legend_below(figure, {}, more=upper.get_legend_handles_labels()[0])
    return figure


def _effects(axes: Axes, data: Frame) -> None:
    axes.axhline(0, color="0.3", lw=0.7, zorder=1)
    known = data[data["effect_low"].notna()]
    axes.vlines(known["place"], known["effect_low"], known["effect_high"], color="0.82", lw=0.7, zorder=1)
    for outcome, (words, drawn) in _OUTCOMES.items():
        rows = data[(data["outcome"] == outcome) & data["effect"].notna()]
        if len(rows):
            axes.plot(rows["place"], rows["effect"], ls="none", mew=0.7, label=words, gid=f"outcome-{outcome}", **drawn)
    first = data[data["rule"] == "primary"]
    drawn = {"marker": "D", "markersize": 5.5, "markerfacecolor": "none", "color": "black", "mew": 0.9}
    axes.plot(first["place"], first["effect"], ls="none", label="primary analysis", gid="primary", **drawn)
    names = list(dict.fromkeys(data["criterion"]))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
    axes.xaxis.set_major_locator(NullLocator())
    axes.set(xlim=(-1, len(data)), ylabel="effect" if len(names) > 1 else style.text(names[0]))


def _grid(axes: Axes, data: Frame, choices: list[str]) -> None:
    number = {choice: place for place, choice in enumerate(choices)}
    marks = data[["place", "outcome", "choices"]].explode("choices")
    marks = marks.assign(y=marks["choices"].map(number)).dropna(subset="y")
    for outcome, (_, drawn) in _OUTCOMES.items():
        own = marks[marks["outcome"] == outcome]
        if len(own):
            mark: style.Drawn = {"ls": "none", "marker": "|", "markersize": 4.2, "mew": 0.8, "color": drawn["color"]}
            axes.plot(own["place"], own["y"], gid=f"choices-{outcome}", **mark)
    shown = display.short_names(choices, 44)
    axes.set_yticks(range(len(choices)), [style.text(shown[choice]) for choice in choices], fontsize=style.SMALLEST)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(NullLocator())
    axes.set(ylim=(len(choices) - 0.5, -0.5), xlabel="conventions, by their effects")


def _columns(claim: Held) -> Frame:
    """Return the conventions that differ, by their effects, with their choices."""
    rows = claim.rows[claim.rows["same_as"].isna()].reset_index(drop=True)
    alone = set(claim.rows.loc[~claim.rows["rule"].astype(str).str.contains(" × "), "convention"].astype(str))
    made = []
    for rule, words in zip(rows["rule"].astype(str), rows["convention"].astype(str), strict=True):
        rules = rule.split(" × ")
        parts = [words]
        if len(rules) == 2:
            # where both names have commas, both parts are conventions of their own
            pieces = words.split(", ")
            halves = ([", ".join(pieces[:i]), ", ".join(pieces[i:])] for i in range(1, len(pieces)))
            parts = next(half for half in halves if alone.issuperset(half))
        made.append(list(zip(rules, parts, strict=True)))
    rows = rows.assign(made=made).sort_values("effect", kind="stable", na_position="first")
    return rows.assign(place=range(len(rows)), criterion=rows["criterion"].astype(str), choices=rows["made"])


def _choices(data: Frame, most: int) -> list[str]:
    """Return the rows of the lower panel, and set `choices` of the data to them."""
    by_rule: dict[str, list[str]] = {convention.name: [] for convention in in_order()}
    # in the order of the table, not of the effects
    for made in data.sort_index()["made"]:
        for rule, words in made:
            if rule in by_rule and words not in by_rule[rule]:
                by_rule[rule].append(words)
    together = {rule for rule, choices in by_rule.items() if len(choices) > _MOST_CHOICES}
    while sum(1 if rule in together else len(choices) for rule, choices in by_rule.items() if choices) > most:
        apart = [rule for rule in by_rule if rule not in together and len(by_rule[rule]) > 1]
        if not apart:
            break
        together.add(max(apart, key=lambda rule: len(by_rule[rule])))
    data["choices"] = [
        [CONVENTIONS[rule].words if rule in together else words for rule, words in made if rule in by_rule]
        for made in data["made"]
    ]
    order = [[CONVENTIONS[rule].words] if rule in together else choices for rule, choices in by_rule.items() if choices]
    return [words for choices in order for words in choices]


def caption(sheet: Sheet) -> list[str]:
    """Say what is shown."""
    claim = sheet.keywords["claim"]
    if sheet.nothing:
        return [sheet.nothing]
    same = int(claim.rows["same_as"].notna().sum())
    return sheet.told(claim=claim, criterion=claim.rows.iloc[0]["criterion"], same=same, others=len(claim.rows) - 1 - same)
