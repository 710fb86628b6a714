"""Settings of the figures that a study asks for; the module of a kind adds its own, in a class `Options`."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchmill.core.options import option, some
from benchmill.text.appearance import MARKERS, PALETTE, STYLES
from benchmill.text.widths import PRESETS

#: A length: a number and its unit.
_LENGTH = r"[0-9]*\.?[0-9]+ ?(in|cm|mm|pt|bp)"
_OF_LENGTH = {"description": "A length, such as `252.0pt`.", "type": "string", "pattern": f"^{_LENGTH}$"}
_PAPERS = list(PRESETS)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Settings of every figure."""

    name: str | None = option(
        "Name of the files; by default made from the kind, the measures and the variants.",
        None,
        pattern="^[A-Za-z][A-Za-z0-9_]*$",
    )
    dimensions: tuple[int, ...] | None = some(
        "The dimensions that are shown; by default all, of a kind that shows one dimension the largest."
    )
    targets: tuple[float, ...] | None = some(
        "The targets that are shown; by default all, of a kind that shows one target the middle one."
    )
    budgets: tuple[float, ...] | None = some("The budgets that are shown; by default all.")
    groups: tuple[str, ...] | None = some("The groups of problems that are shown; by default all.")
    algorithms: tuple[str, ...] | None = some(
        """The algorithms that are shown; by default all, of `scatter` those to highlight and, of fewer than two, the best on most
        problems. Ratios, ranks and tests stay among all of the study."""
    )
    width: str | None = option("As in `appearance`, for this figure.", None, pattern=f"^(column|text|{_LENGTH})$")
    height: str | None = option(
        "Height of the figure, such as `6cm`; by default what its panels need.", None, pattern=f"^{_LENGTH}$"
    )
    highlight: int | tuple[str, ...] | None = some("As in `appearance`, for this figure.", minimum=1, items={"type": "string"})
    others: Literal["named", "grey"] | None = option("As in `appearance`, for this figure.", None)
    labels: Mapping[str, str] | None = option(
        "As in `appearance`, for this figure: joins the labels there.",
        None,
        additionalProperties={"type": "string", "minLength": 1},
    )


@dataclass(frozen=True, kw_only=True)
class Paged:
    """More panels than fit a page."""

    page: int | None = option(
        """Which page of panels, in their order, where there are more than fit one; by default one page of panels, evenly
        chosen.""",
        None,
        minimum=1,
    )


@dataclass(frozen=True, kw_only=True)
class OfMeasures(Asked):
    """A figure of measures."""

    measures: tuple[str, ...] | None = some(
        "Measures, by name; by default all that the kind can show, of a kind that shows one measure the first."
    )


@dataclass(frozen=True, kw_only=True)
class OfProfiles(OfMeasures):
    """A figure of profiles."""

    variants: tuple[str, ...] | None = some("Profiles, by name; by default the first that the kind can show, of `profiles` all.")


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of tau."""

    axis: Literal["auto", "linear", "log", "broken"] = option(
        "The axis of τ: `auto` is logarithmic where τ_max > 10; `broken` is linear on [1, 10] and logarithmic beyond.", "auto"
    )
    axis_end: float = option(
        """Where the axis of τ ends, as a share of τ_max: 0.6 shows what Hekmati and Mirhajianmoghadam (2018) do. Areas and all
        other numbers are those up to τ_max. A panel that would show nothing shows all.""",
        1.0,
        exclusiveMinimum=0,
        maximum=1,
    )


@dataclass(frozen=True, kw_only=True)
class Method:
    """A comparison of all pairs."""

    method: str | None = option("The comparison that decides; by default the first of the study.", None)


@dataclass(frozen=True, kw_only=True)
class Aggregation:
    """Curves of running times."""

    aggregation: str = option("What the curves are averaged over, one of `indicators.ecdf.aggregate`.", "problem")


def joined(*parts: type) -> type:
    """Join options into the class of a kind that adds nothing of its own."""
    # the class is the kind's, for pickle and for the documentation
    of = {"__doc__": "Settings of the figure.", "__module__": sys._getframe(1).f_globals["__name__"]}
    return dataclass(frozen=True, kw_only=True)(type("Options", parts, of))


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """How all figures of a study look: the key `appearance` of a configuration."""

    paper: str | Mapping[str, str] = option(
        r"""What the figures are made for, which gives column width, text width and the height of a page: the classes IEEEtran,
        acmart (sigconf), llncs, article (10pt, two columns), or a thesis of one column. Type is 8 pt in all of them. Of another
        document what `\the\columnwidth` and `\the\textwidth` say, and the class that is most like it:
        `{column: 252.0pt, text: 516.0pt, class: ieee}`, each where it differs from `ieee`.""",
        "ieee",
        oneOf=[
            {"type": "string", "enum": _PAPERS},
            {
                "type": "object",
                "additionalProperties": False,
                "minProperties": 1,
                "properties": {"class": {"enum": _PAPERS}, **dict.fromkeys(("column", "text"), _OF_LENGTH)},
            },
        ],
    )
    width: str | None = option(
        """How wide figures are: `column`, `text`, or a length (`86mm`). `null`: as wide as the kind of figure and the number of
        its panels ask for.""",
        None,
        pattern=f"^(column|text|{_LENGTH})$",
    )
    font: Literal["bundled", "paper"] = option(
        """`bundled`: a Times that ships with the plotting library, so that the files are the same on every machine. `paper`: the
        type of the paper where it is installed as TrueType (Times New Roman or Liberation Serif for `ieee`, Linux Libertine for
        `acm`, CMU Serif for the others), else as `bundled`.""",
        "bundled",
    )
    highlight: int | tuple[str, ...] | None = some(
        """The algorithms that stand out, by name or pattern (`*`, `?`), or the number of the best ones of each figure: their
        lines are darker, solid and above the others, and they are the first of a legend, in bold.""",
        minimum=1,
        items={"type": "string"},
    )
    others: Literal["named", "grey"] | None = option(
        """How algorithms look that are not highlighted: thin, in their colours and by their names; or grey, without names.
        `null`: named in figures of up to 16 algorithms, grey in those of more, where the best 10 look as usual if none are
        highlighted.""",
        None,
    )
    colours: Mapping[str, str] = option(
        f"""Colours by algorithm: `#rrggbb`, or one of {", ".join(PALETTE)}. What is not given here is given out by the record of
        looks, `looks.yaml`, and stays as it is there.""",
        {},
        additionalProperties={"type": "string", "pattern": f"^(#[0-9A-Fa-f]{{6}}|{'|'.join(PALETTE)})$"},
    )
    styles: Mapping[str, str] = option("Line styles by algorithm.", {}, additionalProperties={"enum": list(STYLES)})
    markers: Mapping[str, str] = option(
        "Markers by algorithm, by their names in Matplotlib.", {}, additionalProperties={"enum": list(MARKERS)}
    )
    labels: Mapping[str, str] = option(
        "Names by which algorithms are shown in figures and on the page, by algorithm: short ones, say.",
        {},
        additionalProperties={"type": "string", "minLength": 1},
    )
    formats: tuple[Literal["png"], ...] = option(
        "Further formats of each figure, beside PDF for papers and SVG for pages.", (), uniqueItems=True
    )
