"""Options of a competition's rules, and of the sheet of an entry."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
    source: Mapping[str, Any] = option(
        """What the source of every entry says: its format and the options of its reader, as in `sources`. The sheet of an entry
        says none of them.""",
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
        "Until when (as `deadline`) the site calls the standing provisional.", None, pattern=_MOMENT
    )
    embargo_until: str | None = option(
        """Until when (as `deadline`) nothing is published but how many entries have come, and a check does not say what an entry
        would change.""",
        None,
        pattern=_MOMENT,
    )
    disqualified: Mapping[str, Any] = option(
        """Entries, by their folders, that are shown and not ranked any more, each with the `reason` and the `date`; both stand on
        the site.""",
        {},
        type="object",
        additionalProperties={
            "type": "object",
            "additionalProperties": False,
            "required": ["reason", "date"],
            "properties": {"reason": {"type": "string", "minLength": 1}, "date": {"type": "string", "pattern": f"^{_DAY}$"}},
        },
    )
    inside: bool = option(
        "Whether logs may stand at addresses inside: of this machine, of a private network, or without a domain.", False
    )
    trials: int | None = option("Runs that an entry must have on each problem, at least.", None, minimum=1)
    problems: tuple[str, ...] | None = option(
        "Problems that an entry must have runs on, and on no other ones.",
        None,
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "minLength": 1},
    )
    hidden: Mapping[str, Any] | None = option(
        """More problems that an entry must have runs on, once their list is shown: a `file` beside the configuration with a name
        in each line, the last word of it (as `sha256sum` writes it of the instances), of which the `sha256` is known before,
        and which is there when the moment `until` (as `deadline`) has passed.""",
        None,
        type=["object", "null"],
        additionalProperties=False,
        required=["file", "sha256", "until"],
        properties={
            "file": {"type": "string", "minLength": 1},
            "sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
            "until": {"type": "string", "pattern": _MOMENT},
        },
    )
    dimensions: tuple[int, ...] | None = option(
        "Dimensions in which it must have them, and in no other ones.",
        None,
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "minimum": 1},
    )
    seeds: tuple[int, ...] | None = option(
        "Seeds that an entry must have used on each problem, each once on an instance, and no other ones.",
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
        """Least cost that the logs can state of a run, in their unit. Less than one evaluation or a nanosecond is always
        refused, but for 0 seconds, which a clock may show where this is not set.""",
        None,
        exclusiveMinimum=0,
    )
    allowed: tuple[str, ...] = option(
        "Irregularities of logs that are no reason to refuse an entry, by the names that `benchmill inspect` prints.",
        (),
        uniqueItems=True,
        items={"type": "string", "minLength": 1},
    )
    breaking: tuple[str, ...] = option(
        """Irregularities that refuse an entry though they are else only noted, by the names that `benchmill inspect`
        prints, `gaps` (it has no runs on what another entry has runs on), or `all`, but for what
        is `allowed` and what the organiser leaves out.""",
        ("beyond_optimum", "files_disagree"),
        uniqueItems=True,
        items={"type": "string", "minLength": 1},
    )
    most_same: float = option(
        "Share of an entry's runs that may be equal to those of another entry in all that they reached and took; more are a "
        "reason to refuse it.",
        0.5,
        minimum=0,
        maximum=1,
    )
    most_alike: float = option(
        """Rank correlation of all costs (every run to every target) with those of another entry; a larger one is a reason to
        refuse it. Of eight solvers on BBOB no two are above 0.9, of 14 of the SAT Competition 2024 two variants of one solver are
        at 0.98 and no others above 0.9; copies with every cost changed by about 10 % are above 0.99.""",
        0.99,
        minimum=0,
        maximum=1,
    )
    may_change: Mapping[str, Any] = option(
        """Accounts, as the forge calls them, that may change more than add an entry, by path from the root of the repository (a
        file, or a folder and all below it; `.` is everything). `check-entry --since` reads it in the base.""",
        {},
        type="object",
        additionalProperties={"type": "array", "items": {"type": "string", "minLength": 1}},
    )
    most_mb: float = option("Size of an entry's folder, or of its logs elsewhere, in megabytes.", 1000.0, exclusiveMinimum=0)
    tie_breaks: tuple[str, ...] = option(
        "Criteria by which equal places are parted, one after the other. The first criterion is `primary.criterion`.",
        (),
        names_of=headlines,
        uniqueItems=True,
    )
    awards: tuple[str, ...] = option(
        """Awards beside the standing: `largest_contribution` (without whom the best of all would be worst off), `biggest_lead`
        (who solves most more than the second, in a division) and `best_newcomer`.""",
        tuple(AWARDS),
        uniqueItems=True,
        items={"enum": list(AWARDS)},
    )
    divisions: str = option(
        "What parts the problems into divisions, of which each has a lead; by default they are one division.",
        "all",
        enum=["all", "suite", "problem", "dimension"],
    )


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The sheet of an entry, `entry.yaml`."""

    name: str = option("What the entry is called everywhere.", minLength=1, maxLength=_LONGEST_NAME)
    version: str = option("Which version of it this is.", "", maxLength=_LONGEST_NAME)
    authors: tuple[str, ...] = option(
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
    owners: tuple[str, ...] = option(
        "Accounts, as the forge calls them, that may change this entry; where there are any, one of them sends it.",
        (),
        items={"type": "string", "minLength": 1, "maxLength": 100},
    )
    tracks: tuple[str, ...] = option(
        "Competitions of the configuration that it takes part in, of those that have this folder; by default in all of them.",
        (),
        items={"type": "string", "minLength": 1},
    )
    not_competing: bool = option("Whether it is shown and not ranked.", False)
    newcomer: bool = option("Whether its authors take part for the first time.", False)
    withdrawn: bool = option("Whether its authors have taken it back: then its logs are not read.", False)
