"""What exhibits and sentences know about their study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from benchmill.core import Given
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS
from benchmill.core.options import made, option, some
from benchmill.registry.indicator_options import Attainment, Ecdf
from benchmill.text import display
from benchmill.text.measures import Measure
from benchmill.text.variants import Profile


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A table to order: some of one that the study has."""

    table: str = option("The table that it is made from, such as `ert_ert`: one of those below `results/<study>/tables/`.")
    name: str = option("Name of its files.", pattern="^[A-Za-z][A-Za-z0-9_]*$")
    dimensions: tuple[int, ...] | None = some("The dimensions that are shown; by default all.")
    targets: tuple[float, ...] | None = some("The targets that are shown; by default those of the table.")
    budgets: tuple[float, ...] | None = some("The budgets that are shown; by default all.")
    problems: tuple[str, ...] | None = some("The problems that are shown; by default all.")
    algorithms: tuple[str, ...] | None = some(
        """The algorithms that are shown, in this order where they are columns; by default all. What is best, and all ranks and
        tests, still refer to all algorithms of the study."""
    )
    layout: Literal["blocks"] | None = option(
        """`blocks`, of a table of expected running times, as COCO lays it out: one for each problem, in which targets are
        columns, the first row is the smallest ERT of any algorithm, and the others are multiples of it, the control first; with
        `width: text` two beside each other.""",
        None,
    )
    width: Literal["column", "text"] | None = option(
        """Where it goes: into a `column`, or across the `text` (in a `table*`). What does not fit there is refused. By default
        a table fits both, in several parts if need be.""",
        None,
    )

    @property
    def chosen(self) -> dict[str, Sequence[Any] | None]:
        """Return what is chosen of the rows of results, by its key."""
        return {"dimensions": self.dimensions, "targets": self.targets, "budgets": self.budgets, "problems": self.problems}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is known of a study.

    Attributes
    ----------
    measures, profiles : sequence
        What is shown; none where it is the whole study.
    targets : sequence of float or None
        The targets or budgets that the primary analysis pools, where it is of the measure; None: all.
    asked : Asked, optional
        What is shown of a table, where a study orders it.
    variants : sequence of str
        The variants of profiles that a table is made of.
    ranks : sequence of str
        Names of ranks from elsewhere.
    cells : mapping of str to str
        What counts once, by measure; a problem where nothing is said.
    measure_labels : mapping of str to str
        What measures are called that have a label.
    config : mapping
        The study with every default filled in.
    aggregation : str, optional
        What curves are averaged over; by default what their table has.
    ecdf, attainment : Ecdf, Attainment
        How these indicators were made.
    """

    measures: Sequence[Measure] = ()
    profiles: Sequence[Profile] = ()
    problem_keys: Sequence[str] = ()
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS
    not_competing: Sequence[str] = ()
    control: str | None = None
    targets: Sequence[float] | None = None
    asked: Asked | None = None
    variants: Sequence[str] = ()
    ranks: Sequence[str] = ()
    cells: Mapping[str, str] = field(default_factory=dict)
    measure_labels: Mapping[str, str] = field(default_factory=dict)
    config: Given = field(default_factory=dict)
    aggregation: str | None = None
    ecdf: Ecdf = field(default_factory=Ecdf)
    attainment: Attainment = field(default_factory=Attainment)

    @classmethod
    def parsed(cls, settings: Given) -> Self:
        """Return the settings of a mapping, which may have one `measure` and `profile`. A UserError for an unknown key."""
        known = {key: value for key, value in settings.items() if key not in ("study", "measure", "profile", "indicators")}
        for key in ("measure", "profile"):
            if key in settings:
                known[f"{key}s"] = settings.get(f"{key}s") or [settings[key]]
        known["ecdf"] = settings.get("indicators", {}).get("ecdf", {})
        return made(cls, known, "the exhibit")

    @property
    def measure(self) -> Measure:
        """Return the measure, the first of several; if there is none, one about which nothing is known."""
        return next(iter(self.measures), Measure())

    def called(self, measure: str) -> str:
        """Return what a measure of the study is called: its label, or its name in words."""
        return self.measure_labels.get(measure) or display.words(measure)

    @property
    def profile(self) -> Profile:
        """Return the profile likewise."""
        return next(iter(self.profiles), Profile())
