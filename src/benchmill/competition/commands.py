"""The commands of an organiser: check an entry, publish the site."""

from __future__ import annotations

import contextlib
import datetime
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmill.competition import record
from benchmill.competition.options import Options, end_of
from benchmill.core import UserError, shown
from benchmill.core.whole_file import write_text
from benchmill.study import yaml_text
from benchmill.text import prose
from benchmill.text.commands import CLEAN, REPAIRED, declared
from benchmill.text.labels import markdown

if TYPE_CHECKING:
    from benchmill.competition.site import Competition

T = TypeVar("T")


def _with_competition(
    options: Namespace,
    name: str,
    competitions: Mapping[str, Options],
    work: Callable[[Competition, Path], T],
    *,
    sites: Path = Path("site"),
    checked: str | None = None,
) -> T:
    """Do something with a competition and its site, that of the options or in `sites`, leaving aside what cannot be read.

    What is wrong with the entry that is `checked` is told: it is not left aside.
    """
    from benchmill.competition import entries
    from benchmill.competition import site as competition

    file, rules = Path(options.config), competitions[name]
    site = Path(options.site or (sites / name if len(competitions) > 1 else sites))
    if not options.site and site != sites and (sites / "states.jsonl").exists():
        raise UserError(
            "site: it has the record from when there was one competition; move it to a folder site/STUDY, or give --site."
        )
    states = competition.states_in(site, name)
    known = states[-1]["entries"] if states else {}
    why = competition.unreadable(entries.folder_of(rules.entries, [file.parent, Path()]), rules, known, checked)
    while True:
        if checked in why:
            raise UserError(why[checked])
        entries.leave_aside(name, why)
        contest = competition.Competition(file, name, options.cores)
        try:
            return work(contest, site)
        except competition.NotMade as failed:
            more = competition.stopping(contest, failed, [key for key in known if "set_aside" not in known[key]], checked)
            if not more:
                raise
            why |= more


def _competitions(options: Namespace) -> dict[str, Options]:
    """Return the rules of the competitions of the configuration; `--study` is one of them."""
    from benchmill.competition import entries

    file = Path(options.config)
    competitions = entries.competitions(yaml_text.read(yaml_text.text_of(file), str(file)), str(file))
    if not competitions:
        raise UserError(f"{file}: no study has the key `competition`; see docs/organising.md for what it may contain.")
    if getattr(options, "study", None) not in (None, *competitions):
        raise UserError(f"{file}: there is no competition {options.study!r}, expected one of {', '.join(competitions)}.")
    return competitions


def _now(options: Namespace) -> datetime.datetime:
    """Return the time that the options give; of a day its end, so that what ends on it has passed."""
    if options.date is None:
        return datetime.datetime.now(datetime.UTC)
    try:
        now = end_of(options.date)
    except ValueError:
        now = None
    if now is None or now.tzinfo is None:
        raise UserError(f"--date: found {options.date!r}, expected a day such as 2026-06-30, or a time with its zone.")
    return now


@declared(__file__, "check-entry")
def _check_entry(options: Namespace) -> int:
    if options.output:
        # of a check before
        (Path(options.output) / "error.md").unlink(missing_ok=True)
    try:
        return _check(options)
    except UserError as error:
        if options.output:
            write_text(Path(options.output) / "error.md", f"## It cannot be checked\n\n{markdown(str(error))}\n")
        raise


def _check(options: Namespace) -> int:
    from benchmill.competition import requests

    now = _now(options)
    if bool(options.entry) == bool(options.since):
        wrong = "both an entry and --since are given" if options.entry else "no entry is named"
        raise UserError(f"check-entry: {wrong}; name its folder, or give --since.")
    if options.entry:
        return _checked(options, options.entry, now)
    config = Path(options.config)
    requested = requests.request(options.since, config, options.by, options.study, options.request)
    for sentence in prose.sentences(__file__, "Request", request=requested, since=options.since, by=options.by):
        print(sentence)
    if requested.entry is None:
        return CLEAN
    absolute = {name: str(Path(path).absolute()) for name in ("output", "site") if (path := getattr(options, name))}
    own = Namespace(**{**vars(options), "config": config.name, **absolute})
    site = Path("site").absolute()
    with contextlib.chdir(requests.lay_out(requested.tree, config)):
        return _checked(own, requested.entry, now, requested.studies, site)


def _checked(
    options: Namespace,
    entry: str,
    now: datetime.datetime,
    studies: Sequence[str] = (),
    sites: Path = Path("site"),
) -> int:
    """Check an entry of the configuration in the working directory, in each competition that it takes part in."""
    from benchmill.competition import entries
    from benchmill.competition import site as competition

    every, key, code = _competitions(options), Path(entry).name, CLEAN

    def inside(study: str) -> bool:
        home = entries.folder_of(every[study].entries, [Path(options.config).parent, Path()])
        if home is None or key != entry:
            return home is None or Path(entry).resolve().parent == home.resolve()
        return options.study is not None or len(every) == 1 or (home / key).exists()

    studies = studies or [name for name in every if options.study in (None, name) and inside(name)]
    if not studies:
        raise UserError(f"check-entry: {shown(entry)} is not among the entries of {options.config}; put its folder there.")
    for study in studies:
        checked = _with_competition(
            options,
            study,
            every,
            lambda contest, site: competition.check(
                contest,
                key,
                now,
                competition.states_in(site, contest.name),
                [name for name, rules in every.items() if Path(rules.entries) == Path(contest.rules.entries)],
            ),
            sites=sites,
            checked=key,
        )
        if checked is None:
            print(f"{shown(key)} takes no part in {study}.\n")
            continue
        print(competition.told(checked, options.output and Path(options.output) / (study if len(studies) > 1 else "")))
        if any(finding["breaks"] for finding in checked["findings"]):
            code = REPAIRED
    return code


@declared(__file__, "publish")
def _publish(options: Namespace) -> int:
    from benchmill.competition import site as competition

    now, competitions = _now(options), _competitions(options)
    for study in [options.study] if options.study else competitions:
        state, site = _with_competition(
            options, study, competitions, lambda contest, site: (competition.publish(contest, site, now), site)
        )
        print(prose.said(__file__, "Published", site=site, state=state))
    return CLEAN


@declared(__file__, "verify-site")
def _verify_site(options: Namespace) -> int:
    from benchmill.competition import site as competition

    states, ledger, known = competition.record_in(Path(options.site))
    if not states:
        raise UserError(f"{shown(options.site)}: there is no published state to be verified; give the folder of a site.")
    facts = {"states": states, "ledger": ledger, "last": record.digest(states[-1]), "known": known}
    print(*prose.sentences(__file__, "Verified", site=options.site, **facts), sep="\n")
    return CLEAN if known else REPAIRED


@declared(__file__, "owners")
def _owners(options: Namespace) -> int:
    from benchmill.competition import entries

    for home in sorted({rules.entries for rules in _competitions(options).values()}):
        folder = entries.folder_of(home, [Path(options.config).parent, Path()])
        for entry in entries.all_of(folder)[0] if folder else ():
            if entry.sheet.owners:
                print(prose.said(__file__, "Owners", home=home, entry=entry))
    return CLEAN
