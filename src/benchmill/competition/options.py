"""Options of a competition's rules, and of the sheet of an entry."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from benchmill.core import Given
from benchmill.core.options import option
from benchmill.registry.criteria import headlines

#: Awards that a competition can give, and what they are called; docs/organising.md defines them.
AWARDS = {
    "largest_contribution": "Largest contribution",
    "biggest_lead": "Biggest lead",
    "best_newcomer": "Best newcomer",
}

#: Days that a calendar has; the last part is the 29th of February.
_DAY = (
    r"(?!0000)([0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
    r"|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
)
#: A day, in UTC, or a time with its zone.
_MOMENT = rf"^{_DAY}(T([01][0-9]|2[0-3]):[0-5][0-9](Z|[+-][01][0-9]:[0-5][0-9]))?$"
_LONGEST_NAME = 80
_WORD = {"type": "string", "minLength": 1}
Words = tuple[str, ...]


def end_of(moment: str) -> datetime.datetime:
    """Return when a moment of the rules has passed: the end of a day in UTC, or a time with its zone."""
    return datetime.datetime.fromisoformat(moment if "T" in moment else f"{moment}T23:59:59.999999+00:00")


@dataclass(frozen=True, kw_only=True)
class Options:
    """The rules of a competition: keys of `competition` of a study."""

    entries: str = option(
        "The folder of the entries, from that of the configuration. Each entry is a folder in it with a sheet `entry.yaml`.",
        "entries",
        minLength=1,
    )
    source: Given = option(
        """Keys of the source of every entry: its format and the options of its reader, as in `sources`. The sheet of an entry
        cannot set them.""",
        {},
        type="object",
        additionalProperties=True,
    )
    deadline: str | None = option(
        """The last day (UTC) on which an entry may come, such as `2026-06-30`, or the time with its zone, such as
        `2026-06-30T23:59-12:00`; later ones may be shown out of competition.""",
        None,
        pattern=_MOMENT,
    )
    review_until: str | None = option(
        "The moment (as `deadline`) until which the site calls the standing provisional.", None, pattern=_MOMENT
    )
    embargo_until: str | None = option(
        """The moment (as `deadline`) until which only the number of entries is published, and a check does not say what an
        entry would change.""",
        None,
        pattern=_MOMENT,
    )
    disqualified: Given = option(
        "Entries, by folder, that are shown but no longer ranked, each with a `reason` and a `date`, which the site shows.",
        {},
        type="object",
        additionalProperties={
            "type": "object",
            "additionalProperties": False,
            "required": ["reason", "date"],
            "properties": {"reason": _WORD, "date": {"type": "string", "pattern": f"^{_DAY}$"}},
        },
    )
    inside: bool = option(
        "Whether logs may lie at internal addresses: on this machine, in a private network, or without a domain.", False
    )
    trials: int | None = option("The least number of runs that an entry must have on each problem.", None, minimum=1)
    problems: Words | None = option(
        "The problems that an entry must have runs on, and no others.",
        None,
        minItems=1,
        uniqueItems=True,
        items=_WORD,
    )
    hidden: Given | None = option(
        """More problems that an entry must have runs on, once their list is revealed: a `file` beside the configuration, each
        line of which ends with a name (as `sha256sum` prints the instances). Its `sha256` is published beforehand, and the file
        is there once the moment `until` (as `deadline`) has passed.""",
        None,
        type=["object", "null"],
        additionalProperties=False,
        required=["file", "sha256", "until"],
        properties={
            "file": _WORD,
            "sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
            "until": {"type": "string", "pattern": _MOMENT},
        },
    )
    dimensions: tuple[int, ...] | None = option(
        "The dimensions in which it must have them, and no others.",
        None,
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "minimum": 1},
    )
    seeds: tuple[int, ...] | None = option(
        "The seeds that an entry must have used on each problem, each once per instance, and no others.",
        None,
        minItems=1,
        uniqueItems=True,
    )
    budget: float | Mapping[str, float] | None = option(
        "Evaluations that a run may spend: a number, or `{per_dimension: 1000}`, which is multiplied by the dimension.",
        None,
        type=["number", "object", "null"],
        exclusiveMinimum=0,
        additionalProperties=False,
        required=["per_dimension"],
        properties={"per_dimension": {"type": "number", "exclusiveMinimum": 0}},
    )
    time_limit: float | None = option("Seconds that a run may take.", None, exclusiveMinimum=0)
    least_cost: float | None = option(
        """The least cost that the logs can state for a run, in their unit. Less than one evaluation or one nanosecond is always
        refused, except 0 seconds, which a clock may show, if this is not set.""",
        None,
        exclusiveMinimum=0,
    )
    allowed: Words = option(
        "Irregularities of logs that are no reason to refuse an entry, by the names that `benchmill inspect` prints.",
        (),
        uniqueItems=True,
        items=_WORD,
    )
    breaking: Words = option(
        """Irregularities that are otherwise only noted but here refuse an entry, by the names that `benchmill inspect` prints;
        also `gaps` (no runs where another entry has some), or `all`, except what is `allowed` and what the organiser leaves
        out.""",
        ("beyond_optimum", "files_disagree"),
        uniqueItems=True,
        items=_WORD,
    )
    most_same: float = option(
        """The largest share of an entry's runs that may equal those of another entry in everything they reached and took; a
        larger share is a reason to refuse it.""",
        0.5,
        minimum=0,
        maximum=1,
    )
    most_alike: float = option(
        """The largest rank correlation of all costs (every run to every target) with those of another entry; a larger one is a
        reason to refuse it. Of eight solvers on BBOB no two are above 0.9, of 14 of the SAT Competition 2024 two variants of
        one solver are at 0.98 and no others above 0.9; copies with every cost changed by about 10 % are above 0.99.""",
        0.99,
        minimum=0,
        maximum=1,
    )
    may_change: Given = option(
        """Accounts (as the forge names them) that may do more than add an entry, by path from the root of the repository (a
        file, or a folder and all below it; `.` is everything). `check-entry --since` reads them from the base.""",
        {},
        type="object",
        additionalProperties={"type": "array", "items": _WORD},
    )
    most_mb: float = option(
        "Largest size, in megabytes, of an entry's folder, or of its logs elsewhere.", 1000.0, exclusiveMinimum=0
    )
    tie_breaks: Words = option(
        "Criteria that break ties between equal places, one after the other. The first criterion is `primary.criterion`.",
        (),
        names_of=headlines,
        uniqueItems=True,
    )
    awards: Words = option(
        """Awards beside the standing: `largest_contribution` (without which the virtual best would lose most), `biggest_lead`
        (the largest lead over the second in a division, in problems solved) and `best_newcomer`.""",
        tuple(AWARDS),
        uniqueItems=True,
        items={"enum": list(AWARDS)},
    )
    divisions: str = option(
        "What splits the problems into divisions, each with its own leader; by default there is one division.",
        "all",
        enum=["all", "suite", "problem", "dimension"],
    )


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The sheet of an entry, `entry.yaml`."""

    name: str = option("What the entry is called everywhere.", minLength=1, maxLength=_LONGEST_NAME)
    version: str = option("Which version of it this is.", "", maxLength=_LONGEST_NAME)
    authors: Words = option(
        "Who has made it.", minItems=1, maxItems=100, items={"type": "string", "minLength": 1, "maxLength": 200}
    )
    logs: str = option(
        "A file or folder beside the sheet; or the name of a file in a public archive, or its address (https), with `sha256`.",
        minLength=1,
        maxLength=1000,
    )
    sha256: str | None = option(
        "The SHA-256 of a file that is elsewhere, as 64 hexadecimal digits.",
        None,
        pattern="^[0-9a-fA-F]{64}$",
    )
    sealed: str | None = option(
        """The SHA-256 of the file `logs`, where that comes later: until it is there the entry has come and is not read.""",
        None,
        pattern="^[0-9a-fA-F]{64}$",
    )
    owners: Words = option(
        "Accounts, as the forge calls them, that may change this entry; where there are any, one of them sends it.",
        (),
        items={"type": "string", "minLength": 1, "maxLength": 100},
    )
    tracks: Words = option(
        "Competitions of the configuration that it takes part in, of those that have this folder; by default in all of them.",
        (),
        items=_WORD,
    )
    not_competing: bool = option("Whether it is shown and not ranked.", False)
    newcomer: bool = option("Whether its authors take part for the first time.", False)
    withdrawn: bool = option("Whether its authors have taken it back: then its logs are not read.", False)
