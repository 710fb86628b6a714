"""The kinds of table, and what each needs of a study."""

from benchmill.registry.entry import Entry, Function, Names, Registry, record

#: Sections of the page in their order, and the part of a study that has the tables of each; empty for every study.
SECTIONS = {
    "sources": "",
    "solver runs": "indicators",
    "profiles": "profiles",
    "verdicts": "inference",
    "tests": "inference",
    "indicators": "indicators",
    "notes": "",
}


@record
class Kind(Entry):
    """A kind of table.

    Attributes
    ----------
    build : callable
        Makes the table, a `benchmill.text.display.Table`, of a `benchmill.exhibits.tables.fields.Results`.
    section : str
        Where it stands on the page, one of `SECTIONS`.
    file : str
        Name of the table, with `{measure}` and `{variant}`.
    each : str
        There is one for the `study`, for each `measure`, or for each `profile`: a variant of a measure.
    tables : tuple of str
        Below the study's folder, with `{measure}`, `{variant}` or `{source}` for what a table is made from; a table of the whole
        study takes all profiles.
    variants : tuple of str
        Variants of profiles of all problems that a measure must have, one of each.
    running_times : bool
        Whether it is of measures with fixed targets only.
    summarised : bool
        Whether it is of measures with a summary of solver runs only.
    as_is : bool
        Whether it is of those too whose failed runs count their own costs.
    listed : str
        Key of the study's settings in which the measure must be named; empty where it needs not.
    needs : str
        Key of the study's settings that must not be empty; empty for none.
    budgets : bool
        Whether rows or columns are budgets, where the measure has some.
    """

    build: Function
    section: str
    file: str
    each: str = "study"
    tables: Names = ()
    variants: Names = ()
    running_times: bool = False
    summarised: bool = False
    as_is: bool = False
    listed: str = ""
    needs: str = ""
    budgets: bool = False

    @property
    def part(self) -> str:
        """Return the part of a study that has it: `profiles`, `indicators` or `inference`; empty for every study."""
        return SECTIONS[self.section]


KINDS = Registry(
    Kind,
    "benchmill.exhibits.tables",
    "benchmill.exhibits.tables.sources",
    "benchmill.exhibits.tables.solver_runs",
    "benchmill.exhibits.tables.profiles",
    "benchmill.exhibits.tables.statistics",
    "benchmill.exhibits.tables.verdicts",
    "benchmill.exhibits.tables.indicators",
)


def in_order() -> list[Kind]:
    """Return the kinds in the order of the page."""
    return sorted(KINDS.values(), key=lambda kind: list(SECTIONS).index(kind.section))


#: The table with a row for each source.
SOURCES = "inventory"
