"""The kinds of figure, and what each needs of a study: the one place that configuration, plan, texts and drawing read it from."""

from collections.abc import Sequence
from typing import Any

from benchmill.core import beside
from benchmill.registry.entry import Entry, Names, Registry, record


@record
class Kind(Entry):
    """A kind of figure: what it shows, and which tables it is drawn from.

    Attributes
    ----------
    shows : str
        `profiles` of measures; `costs` of measures; `tests` of measures; `indicators` of a measure; `runs`, of a measure with a
        summary of solver runs; `curves` and `claims`, which are of no measure.
    tables : tuple of str
        Below the study's folder, with `{measure}`, `{variant}`, `{source}` or `{aggregation}` for what a figure is asked for.
    of_runs : tuple of str
        Further ones, of measures with a summary of solver runs.
    measures : int or None
        How many measures a figure shows; None: any number.
    all_variants : bool
        Whether all variants are shown unless the study names some; else the first.
    running_times : bool
        Whether it shows measures of fixed targets only.
    needs : str
        Key of the study's settings that must not be empty; empty for none.
    listed : str
        Key of the study's settings in which the measure must be named; empty where it needs not.
    each : str
        Every study has one for each `profile`, `aggregation`, `measure` with tests, `summary` of solver runs or aggregation of
        `values`; empty for a kind that has to be asked for.
    replicated : bool
        Whether only studies that test single runs have it.
    drawn : str
        The table of which rows make one panel, for the module's `plot`, which draws it into given axes; empty where only a whole
        figure can be drawn.
    panel : tuple of str
        The columns of that table that tell one panel from another.
    main : bool
        Whether the main text of the paper has the first of each measure; the others stand in its appendix.
    reading : tuple of str
        Sentences that hold for every figure of the kind: the methods say them once, its captions do not.
    """

    room = "benchmill.exhibits.figures"

    shows: str
    tables: Names
    of_runs: Names = ()
    measures: int | None = 1
    all_variants: bool = False
    running_times: bool = False
    needs: str = ""
    listed: str = ""
    each: str = ""
    replicated: bool = False
    drawn: str = ""
    panel: Names = ()
    main: bool = False
    reading: Names = ()

    @property
    def of_profiles(self) -> bool:
        """Return True if it shows variants of profiles."""
        return self.shows == "profiles"


def _entry(name: str, measures: int = 1, reading: Sequence[str] = (), **facts: Any) -> Kind:
    """Return a kind as the data beside this module have it."""
    return Kind(
        name=name,
        measures=None if measures < 0 else measures,
        reading=tuple(_WORDS["reading"][one] for one in reading),
        **beside.fixed(facts),
    )


_WORDS = beside.toml(__file__)
#: In the order of the gallery; apart from the modules that they describe, which import Matplotlib: each start reads them.
ENTRIES = tuple(_entry(name, **facts) for name, facts in _WORDS["kinds"].items())

#: With those of installed packages, whose modules have such a tuple.
KINDS = Registry(Kind, "benchmill.exhibits.figures", __name__)
