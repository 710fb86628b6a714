"""The commands of an organiser: check an entry, publish the site."""

from __future__ import annotations

import argparse
import contextlib
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmill.core.errors import UserError
from benchmill.text.commands import CLEAN, CONFIG, REPAIRED, argument, declared
from benchmill.text.labels import shown
from benchmill.workflow import yaml_text
from benchmill.workflow.source_commands import configure_archives, study_of

if TYPE_CHECKING:
    from benchmill.competition.site import Competition

_COMPETITION_OPTIONS = (
    argument("--study STUDY", "which study, if several of the configuration are competitions"),
    CONFIG,
    argument("--site FOLDER", "the folder of the site (by default: site, or site/STUDY if there are several competitions)"),
    argument("--date DAY", "the day, such as 2026-06-30 (by default: today, UTC)"),
    argument("--cores N", "that the workflow may use (by default: 1)", type=int, default=1),
)


def _competition(options: argparse.Namespace, sites: Path = Path("site")) -> tuple[Competition, Path]:
    """Return the competition, and the folder of its site: that of the options, else `sites` or a folder in it."""
    from benchmill.competition import entries
    from benchmill.competition.site import Competition, ask_archives

    file = Path(options.config)
    text = yaml_text.text_of(file)
    found = entries.competitions(yaml_text.read(text, str(file)), str(file))
    name = options.study
    if name is None and len(found) != 1:
        raise UserError(
            f"{file}: {len(found)} studies have the key `competition` ({', '.join(found) or 'none'}), expected one; name one "
            "with --study."
        )
    name = name or next(iter(found))
    configure_archives(file)
    if name in found:
        ask_archives(entries.folder_of(found[name]["entries"], [file.parent, Path()]))
    site = Path(options.site or (sites / name if len(found) > 1 else sites))
    if not options.site and site != sites and (sites / "states.jsonl").exists():
        raise UserError(
            "site: it has the record of when there was one competition; move it to a folder site/STUDY, or give --site."
        )
    return Competition(study_of(text, file, name), file, options.cores), site


def _day(options: argparse.Namespace) -> datetime.date:
    if options.date is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(options.date)
    except ValueError:
        raise UserError(f"--date: found {options.date!r}, expected a day such as 2026-06-30.") from None


@declared(
    "check-entry",
    argument("entries ENTRY", "the folder of an entry, or its name", nargs="*"),
    argument(
        "--since REVISION",
        "check what was committed since this revision of git, by its rules, and refuse all but files added to the folder of "
        "one new entry, and what the rules let the sender change",
    ),
    argument("--by ACCOUNT", "with --since: who has sent it, as the forge says"),
    argument("--output FOLDER", "write ENTRY.md, ENTRY.json and ENTRY.html"),
    *_COMPETITION_OPTIONS,
    help="check an entry of a competition, and say what it would change",
    description="Check the sheet, the logs and the runs of an entry by the rules of the competition, look for contradictions "
    "with others and for runs of others, and say what the entry would change. Printed as Markdown. Run it in the folder of "
    "the configuration.",
    epilog="exit codes: 0 it can be taken; 1 it breaks a rule; 2 its sheet or its logs cannot be read, or more was changed "
    "than may be",
)
def _check_entry(options: argparse.Namespace) -> int:
    from benchmill.competition import requests

    day = _day(options)
    given = [Path(one).name for one in options.entries]
    if bool(given) == bool(options.since):
        wrong = "both an entry and --since are given" if given else "no entry is named"
        raise UserError(f"check-entry: {wrong}; name its folder, or give --since.")
    if given:
        return _checked(options, given, day)
    config = Path(options.config)
    found = requests.request(options.since, config, options.by, options.study)
    for change in found.allowed:
        print(f"{change}, as the rules of {shown(options.since)} let {shown(options.by)} do.")
    if found.entry is None:
        print("No entry has changed." if not found.allowed else "There is no entry to be checked.")
        return CLEAN
    told = {name: str(Path(path).absolute()) for name in ("output", "site") if (path := getattr(options, name))}
    site = Path("site").absolute()
    with contextlib.chdir(requests.lay_out(found.tree, config)):
        own = argparse.Namespace(**{**vars(options), "config": config.name, "study": found.study, **told})
        return _checked(own, [found.entry], day, site)


def _checked(options: argparse.Namespace, keys: Sequence[str], day: datetime.date, sites: Path = Path("site")) -> int:
    """Check entries of the configuration in the working directory."""
    from benchmill.competition import site as competition

    of, site = _competition(options, sites)
    states = competition.states_in(site, of.study.name)
    code = CLEAN
    for key in dict.fromkeys(keys):
        found = competition.check(of, key, day, states)
        if options.output:
            competition.write_check(found, Path(options.output))
        print(competition.text_of_check(found))
        if any(finding["breaks"] for finding in found["findings"]):
            code = REPAIRED
    return code


@declared(
    "publish",
    *_COMPETITION_OPTIONS,
    help="make the site of a competition",
    description="Make the results of a competition, and the site that shows them. Past states, and what happened to claims, "
    "are kept in the folder of the site; give the same folder each time. Run it in the folder of the configuration.",
    epilog="exit codes: 0 published, or nothing has changed; 2 the results cannot be made, or the record was changed",
)
def _publish(options: argparse.Namespace) -> int:
    from benchmill.competition import site as competition

    day = _day(options)
    of, site = _competition(options)
    state = competition.publish(of, site, day)
    print(f"{shown(str(site))}: state {state['number']} of {state['date']} is published; open {shown(str(site / 'index.html'))}")
    return CLEAN
