"""Settings of the figures that a study asks for; the module of a kind adds its own, in a class `Options`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmill.core import Given
from benchmill.core.options import option, properties, some
from benchmill.text.appearance import LENGTH, Appearance


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Settings of every figure."""

    name: str | None = option(
        "Name of the files; by default made from the kind, the measures and the variants.",
        None,
        pattern="^[A-Za-z][A-Za-z0-9_]*$",
    )
    dimensions: tuple[int, ...] | None = some(
        "The dimensions that are shown; by default all, or the largest for a kind that shows only one."
    )
    targets: tuple[float, ...] | None = some(
        "The targets that are shown; by default all, or the middle one for a kind that shows only one."
    )
    budgets: tuple[float, ...] | None = some("The budgets that are shown; by default all.")
    groups: tuple[str, ...] | None = some("The groups of problems that are shown; by default all.")
    algorithms: tuple[str, ...] | None = some(
        """The algorithms that are shown; by default all; for `scatter` those to highlight or, of fewer than two, also the
        control and the best on most problems. Ratios, ranks and tests still cover all of the study."""
    )
    height: str | None = option(
        "Height of the figure, such as `6cm`; by default what its panels need.", None, pattern=f"^{LENGTH}$"
    )
    appearance: Given | None = option(
        """Settings of `appearance` that differ in this figure: `width`, `highlight`, `others`, and `labels`, which are added to
        those there.""",
        None,
        type=["object", "null"],
        additionalProperties=False,
        properties=lambda: {
            name: of for name, of in properties(Appearance).items() if name in ("width", "highlight", "others", "labels")
        },
    )

    @property
    def chosen(self) -> dict[str, Sequence[Any] | None]:
        """Return what is chosen of the rows, by its key."""
        return {"dimensions": self.dimensions, "targets": self.targets, "budgets": self.budgets, "groups": self.groups}


@dataclass(frozen=True, kw_only=True)
class Paged(Asked):
    """More panels than fit a page."""

    page: int | None = option(
        """Which page of panels to draw, in their order, if there are more than fit on one; by default one page of evenly chosen
        panels.""",
        None,
        minimum=1,
    )


@dataclass(frozen=True, kw_only=True)
class OfMeasures(Asked):
    """A figure of measures."""

    measures: tuple[str, ...] | None = some(
        "Measures, by name; by default all that the kind can show, or the first for a kind that shows only one."
    )


@dataclass(frozen=True, kw_only=True)
class OfProfiles(OfMeasures):
    """A figure of profiles."""

    variants: tuple[str, ...] | None = some("Profiles, by name; by default the first that the kind can show; for `profiles` all.")


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of tau."""

    axis: Literal["auto", "linear", "log", "broken"] = option(
        "The axis of τ: `auto` is logarithmic where τ_max > 10; `broken` is linear on [1, 10] and logarithmic beyond.", "auto"
    )
    axis_end: float = option(
        """Where the axis of τ ends, as a share of τ_max: 0.6 shows what Hekmati and Mirhajianmoghadam (2018) do. Areas and all
        other numbers are those up to τ_max. A panel that would be empty shows everything.""",
        1.0,
        exclusiveMinimum=0,
        maximum=1,
    )


@dataclass(frozen=True, kw_only=True)
class Method(OfMeasures):
    """A comparison of all pairs."""

    method: str | None = option("The comparison that decides; by default the first of the study.", None)


@dataclass(frozen=True, kw_only=True)
class Aggregation(Asked):
    """Curves of running times."""

    aggregation: str = option("What the curves are averaged over, one of `indicators.ecdf.aggregate`.", "problem")


@dataclass(frozen=True, kw_only=True)
class PagedMeasures(Paged, OfMeasures):
    """A figure of measures with more panels than fit a page."""
