"""The check of an entry, with what it would change, and the site that is published."""

import datetime
import json
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill import __version__, archives, readers
from benchmill.archives.listings import is_name
from benchmill.archives.transfer import only_outside
from benchmill.competition import entries, options, record, requests, rules
from benchmill.competition import exhibits as tabled
from benchmill.competition import standing as ranked
from benchmill.competition.rules import Finding, found
from benchmill.core import UserError, contradictions, keys, natural_key, shown, storage
from benchmill.core.beside import ROOT
from benchmill.core.options import made
from benchmill.core.schema import Facts, Row
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import forms
from benchmill.page import page
from benchmill.profiles import changes, standings
from benchmill.registry.criteria import DEFAULT
from benchmill.study import catalogue, elsewhere, yaml_text
from benchmill.study.results import read_report
from benchmill.study.validation import did_you_mean
from benchmill.text import prose
from benchmill.text.claims import held
from benchmill.text.display import ABSENT, Block, listed, plural
from benchmill.workflow import jobs, make
from benchmill.workflow.commands import study_of

_RATIOS = list(dict.fromkeys([*changes.COLUMNS, *standings.COLUMNS, "n_successes"]))
_TRIALS = list(dict.fromkeys([*rules.SAME, "seed", *contradictions.COLUMNS]))
#: What a reason says for the organiser alone: the configuration and study it is about, and the log.
_IN_A_RUN = re.compile(r"^\S+: study '[^']*': | \(\S+\.log\)$")
_CHECKED = ("trials", "leaders", "changes", "best_known")


class NotMade(UserError):
    """The workflow has failed to make results."""

    def __init__(self, message: str, results: Sequence[str]) -> None:
        super().__init__(message)
        self.results = results


class Competition:
    """A study with the rules of a competition.

    Raises
    ------
    UserError
        The study has no measure that tells who comes first.
    """

    def __init__(self, config: Path, name: str, cores: int) -> None:
        self.study = study = study_of(yaml_text.text_of(config), config, name)
        if not study.measures_for("profiles"):
            raise UserError(f"{config}: studies.{study.name} makes no profile, and so no order of the entries; add one.")
        self.config, self.name, self.cores, folders = config, study.name, cores, [config.parent, Path()]
        written = made(options.Options, study.settings["competition"], f"studies.{study.name}.competition")
        self.rules = entries.with_shown(written, folders)
        self.folder = entries.folder_of(self.rules.entries, folders) or Path(self.rules.entries)
        self._job = jobs.Job({study.name: study}, ROOT, {"study": study.name})

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return str(self.study.primary_measure)

    def sheets(self, out: Collection[str] = ()) -> list[entries.Entry]:
        """Return all entries in its folder that can be read, but those that are `out`."""
        return entries.all_of(self.folder, inside=self.rules.inside, out=out)[0]

    def entries(self) -> list[entries.Entry]:
        """Return all entries of this competition that are not set aside."""
        return [one for one in self.sheets(entries.left_aside().get(self.name, {})) if one.takes_part(self.name)]

    def run(self, results: Sequence[str]) -> None:
        """Make results, by their names.

        Raises
        ------
        NotMade
            The workflow has failed.
        """
        # the Snakefile of the folder reads config.yaml
        own = Path("Snakefile") if self.config == Path("config.yaml") and Path("Snakefile").is_file() else None
        try:
            targets = [path for name in results for path in catalogue.files(self.study, name)]
            make(self.config, Path(), str(self.cores), targets, snakefile=own, quiet=True)
        except UserError as error:
            raise NotMade(str(error), results) from None

    def read(self, table: str, columns: Sequence[str], **of: str) -> pa.Table:
        """Return columns of a table of results, that of a source, a measure or both."""
        return storage.read(catalogue.RESULTS[table].path.format(study=self.name, **of), table, columns)

    def reports(self) -> dict[str, Row]:
        """Return the ingest report of each source."""
        return dict(zip(self.study.source_names, map(read_report, catalogue.files(self.study, "ingest")), strict=True))

    @cached_property
    def ratios(self) -> dict[str, pa.Table]:
        """Return the ratios of the measure that decides, at the targets of the primary analysis, and of those beside it."""
        primary = self.study.primary
        ratios = {one: self.read("ratios", _RATIOS, measure=one) for one in [self.measure, *primary.beside.values()]}
        if primary.targets is not None:
            table = ratios[self.measure]
            level = pc.coalesce(table.column("target"), table.column("at_budget"))
            ratios[self.measure] = table.filter(pc.is_in(level, pa.array(primary.targets, pa.float64())))
        return ratios

    def standing(self, *without: str) -> list[Row]:
        """Return the standing, as the rule `leaders` makes it; without some entries as if they had not come."""
        chosen = {name: value for name, value in jobs.primary(self._job).items() if name != "targets"}
        # which problems count depends on who is there
        left = {name: keys.ratios_without(table, without) for name, table in self.ratios.items()}
        aside, rates = self.study.setting("not_competing"), jobs.rates("all")(self._job)
        try:
            leaders = standings.leaders(left, **chosen, rates=rates, not_competing=aside, also=self.rules.tie_breaks)
        except UserError as error:
            raise UserError(f"studies.{self.study.name}.primary: {error}") from None
        return ranked.standing(leaders.to_pandas(), self.measure, self.rules.tie_breaks)

    @cached_property
    def accounts(self) -> dict[str, changes.Account]:
        """Return what each entry changes in the measure that decides."""
        accounts = changes.accounts(self.ratios, {self.measure: jobs.missing(self._job)[self.measure]}, **jobs.by(self._job))
        return {name: by_measure[self.measure] for name, by_measure in accounts.items()} if len(accounts) > 1 else {}


# ---- the check of an entry --------------------------------------------------------------------


def check(
    contest: Competition, key: str, now: datetime.datetime, states: Sequence[Facts] = (), tracks: Sequence[str] = ()
) -> Row | None:
    """Check an entry, and say what it would change; None if it takes no part in this one of the `tracks`.

    Raises
    ------
    UserError
        The sheet or the logs cannot be read.
    """
    entry = entries.read(contest.folder, key, contest.rules.inside)
    sheet = entry.sheet
    if wrong := [track for track in sheet.tracks if track not in tracks]:
        raise UserError(
            f"{key}/entry.yaml: tracks: there is no competition {shown(wrong[0])!r}; expected some of {listed(tracks)}."
        )
    if not entry.takes_part(contest.name):
        return None
    result: Row = {
        "benchmill": __version__,
        "entry": key,
        **entry.said,
        "date": now.date().isoformat(),
        "logs": None,
        "findings": [],
        "account": [],
        "moves": [],
    }
    size, odd = entries.size_and_links(entry)
    findings = [found("logs", "Link", name=name) for name in map(shown, odd)]
    if struck := contest.rules.disqualified.get(key):
        findings.append(Finding("disqualified", f"It was disqualified on {struck['date']}: {struck['reason']}", False))
    sealed = entry.away and not sheet.withdrawn
    if sealed:
        findings.append(found("sealed", "Sealed", False, sha256=sheet.sealed))
    most = contest.rules.most_mb
    if size > most * 1e6:
        findings.append(found("most_mb", "Folder too large", size=size, most=most))
    last = states[-1]["entries"].get(key) if states else None
    if not any(one.breaks for one in findings) and not entry.away:
        contest.run(["ingest", *_CHECKED])
        report = contest.reports()[key]
        _check_breaking(contest, report["format"])
        result["logs"] = {"sha256": report["sha256"], "trials": report["trials"]["found"], "problems": len(report["problems"])}
        paths = contest.study.source(key).paths if elsewhere.is_far(sheet.logs) else ()
        if sum(path.stat().st_size for path in paths if path.is_file()) > most * 1e6:
            findings.append(found("most_mb", "Logs too large", most=most))
        findings += [
            *_late(contest, entry, report["sha256"], last, now),
            *rules.of_report(report, contest.rules.allowed, contest.rules.breaking),
            *_of_results(contest, sheet.name, key),
            *([] if sheet.not_competing or struck else _gaps(contest, sheet.name)),
        ]
        if rules.ahead(now, contest.rules.embargo_until):
            result["account"] = [f"What it would change is not told before {contest.rules.embargo_until}."]
        else:
            result |= _preview(contest, entry)
            if last is not None:
                places = [_place_of(rows, sheet.name) or ABSENT for rows in (states[-1]["standing"], contest.standing())]
                result["account"] = [_since(last, states[-1]["number"], report["sha256"], places), *result["account"]]
    elif sealed:
        findings += _late(contest, entry, None, last, now)
    result["findings"] = [asdict(one) for one in findings]
    return result


def _late(
    contest: Competition, entry: entries.Entry, digest: str | None, last: Facts | None, now: datetime.datetime
) -> list[Finding]:
    """Return the finding on the deadline: of what is published the logs of a sealed entry may come later, and nothing else."""
    later = {} if entry.sheet.sealed is None else {"sha256": digest}
    known = last is not None and {**last, **later} == _of_state(contest, entry, digest)
    return rules.late(now, contest.rules.deadline, known, entry.sheet.not_competing)


def _place_of(rows: Sequence[Facts], name: str) -> int | None:
    return next((row["place"] for row in rows if row["name"] == name), None)


def _check_breaking(contest: Competition, format: str) -> None:
    known = {*readers.rules_of(format), *options.Options().breaking, rules.GAPS, rules.ALL}
    if wrong := sorted(set(contest.rules.breaking) - known):
        raise UserError(
            f"{contest.config}: studies.{contest.name}.competition.breaking: there is no irregularity {wrong[0]!r} of the "
            f"format {format}; expected some of {', '.join(sorted(known))}."
        )


def unreadable(folder: Path | None, given: options.Options, first: Collection[str], last: str | None = None) -> dict[str, str]:
    """Return why entries cannot be read, by folder, before anything is planned; ask archives for the lists that it needs."""
    read, wrong = ([], {}) if folder is None else entries.all_of(folder, first, given.inside, last=last)
    at = archives.store()
    for entry in read:
        if is_name(entry.sheet.logs) and not entry.away:
            try:
                with only_outside(not given.inside and at.mirror is None):
                    archives.find(entry.sheet.logs, at)
            except UserError as error:
                wrong[entry.key] = str(error)
    return wrong


def stopping(contest: Competition, failed: NotMade, first: Collection[str], last: str | None) -> dict[str, str]:
    """Return why results cannot be made with some entries, by folder; nothing where they cannot be made with any.

    Groups come to what can be made, halved where they stop it: those that are `first` before others, who is `last` after all.
    """
    name, aside = contest.name, entries.left_aside().get(contest.name, {})
    every = sorted((one.key for one in contest.entries() if not one.away), key=lambda key: (key == last, key not in first))
    known = sum(key in first and key != last for key in every)
    good, reasons, groups = list[str](), dict[str, str](), [group for group in (every[:known], every[known:]) if group]
    while groups:
        group = groups.pop(0)
        entries.leave_aside(name, {**aside, **dict.fromkeys(set(every) - {*good, *group}, "")})
        try:
            # all together have failed
            if len(good) + len(group) == len(every):
                raise failed
            Competition(contest.config, name, contest.cores).run(failed.results)
            good += group
        except NotMade as error:
            if len(group) == 1:
                reasons[group[0]] = str(error)
            else:
                groups[:0] = group[: len(group) // 2], group[len(group) // 2 :]
    return reasons if good else {}


def _of_results(contest: Competition, name: str, key: str) -> list[Finding]:
    # by the name that readers know and by the folder, which no two have
    called = {entry.key: f"{entry.sheet.name} ({entry.key})" for entry in contest.entries()}
    own, given = called[key], contest.rules
    trials = {called.get(one, one): contest.read("trials", _TRIALS, source=one) for one in contest.study.source_names}
    costs = {
        called.get(one, one): contest.read("costs", rules.COSTS, source=one, measure=contest.measure)
        for one in contest.study.source_names
    }
    return [
        *rules.of_trials(trials[own], given),
        *rules.duplicates({one: rules.runs(trials[one], costs[one]) for one in trials}, own, given.most_same),
        *rules.alike(costs, own, given.most_alike, given.most_same),
        *(
            found("name", "Called alike", name=other, source=source)
            for source, report in contest.reports().items()
            if source not in called
            for other in report["algorithms"]
            if entries.folded(other) == entries.folded(name)
        ),
        *rules.refuted(trials, own),
        *(
            found("best_known", "Best known", row["kind"] == "contradiction", row=row)
            for path in catalogue.files(contest.study, "best_known")
            for row in storage.read(path, "best_known").to_pylist()
            if row["algorithm"] == name
        ),
    ]


def _gaps(contest: Competition, name: str) -> list[Finding]:
    """Return what the entry lacks and what it has alone, of the problems that are compared: others lose nothing by either."""
    table = keys.without(contest.ratios[contest.measure], contest.study.settings["not_competing"])
    table = table.filter(pc.greater(table["n_trials"], 0))
    own, places = rules.words(table, ["algorithm"])["algorithm"] == name, rules.words(table, rules.PLACE)
    mine, theirs = (set(places[part].itertuples(index=False, name=None)) for part in (own, ~own))
    common = contest.study.measures[contest.measure]["missing"] == "common"
    findings = []
    if lacking := theirs - mine:
        asked = bool({rules.GAPS, rules.ALL} & set(contest.rules.breaking)) and rules.GAPS not in contest.rules.allowed
        findings.append(found(rules.GAPS, "Lacking", common or asked, n=len(lacking), first=_first(lacking), common=common))
    # what the rules name and others lack is theirs to mend
    known = {(place[1], place[2]) for place in theirs}
    alone = {place for place in mine - theirs if not contest.rules.problems or (place[1], place[2]) in known}
    if theirs and alone and not common:
        findings.append(found(rules.GAPS, "Alone", n=len(alone), first=_first(alone)))
    return findings


def _first(places: Collection[tuple[str, ...]]) -> str:
    place = min(places, key=lambda place: natural_key(" ".join(place)))
    return ", ".join(f"{key} {shown(value)}" for key, value in zip(rules.PLACE, place, strict=True) if value)


def _preview(contest: Competition, entry: entries.Entry) -> Row:
    if entry.sheet.not_competing or entry.key in contest.rules.disqualified:
        return {"account": ["It does not compete, so it has no place and moves no other entry."], "moves": []}
    account = contest.accounts.get(entry.sheet.name)
    return {
        "account": account.sentences if account else [],
        "moves": ranked.moved(contest.standing(entry.sheet.name), contest.standing()),
    }


def told(result: Facts, folder: Path | None) -> str:
    """Return a check as Markdown, short enough for a comment.

    Write it to a folder as `<entry>.md`, `.json` (of the schema `benchmill.competition.exhibits.CHECK`) and `.html`.
    """
    jsonschema.validate(dict(result), tabled.CHECK)
    texts = {
        "md": forms.comment(*tabled.check(result)),
        "json": json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "html": page.small(*tabled.check(result)),
    }
    for suffix, text in texts.items():
        if folder is not None:
            write_text(folder / f"{result['entry']}.{suffix}", text)
    return texts["md"]


#: Files of which lines are added, and none goes.
RECORD = ("states.jsonl", "ledger.jsonl")


# ---- what is published ------------------------------------------------------------------------


def states_in(site: Path, study: str | None) -> list[Row]:
    """Return the published states, checked; none where there is no site yet. Without a study they are of any one.

    Raises
    ------
    UserError
        A line was changed or is missing, or they are of another competition.
    """
    file = site / "states.jsonl"
    states = record.lines(_text(file), str(file))
    record.checked(states, str(file))
    if study and (other := next((one.get("study") for one in states if one.get("study") != study), None)):
        raise UserError(f"{file}: it is the record of the competition {shown(str(other))}, not of {study}; give another --site.")
    return states


def record_in(site: Path, study: str | None = None) -> tuple[list[Row], list[Row], bool]:
    """Return the published states and the ledger, held against each other, the feed, and what git has of the site, if anything.

    Raises
    ------
    UserError
        Something was changed, or is missing.
    """
    states = states_in(site, study)
    file, feed = site / "ledger.jsonl", site / "feed.xml"
    ledger = record.lines(_text(file), str(file))
    record.ledger_checked(ledger, states, str(file))
    record.feed_checked(_text(feed), states, str(feed))
    return states, ledger, requests.only_appended(site, RECORD)


def publish(contest: Competition, site: Path, now: datetime.datetime) -> Row | None:
    """Make all results of the page, and the site with them; append the state and what happened to the claims.

    Under embargo there is a page that says how many entries have come, and no state (None).

    Raises
    ------
    UserError
        The workflow fails, or the record of the site was changed.
    """
    states, ledger, _ = record_in(site, contest.name)
    there = {path.name for path in contest.folder.iterdir()}.union(*(one["entries"] for one in states))
    if strangers := [key for key in contest.rules.disqualified if key not in there]:
        raise UserError(
            f"{contest.config}: studies.{contest.name}.competition.disqualified: there is no entry {strangers[0]!r}"
            f"{did_you_mean(strangers[0], sorted(there))}"
        )
    until = contest.rules.embargo_until
    if rules.ahead(now, until):
        sentence = f"{plural(len(contest.entries()), 'entry has', 'entries have')} come. Results are published after {until}."
        write_text(site / "index.html", page.small(contest.study.title, sentence, []))
        return None
    if (hidden := contest.rules.hidden) and not rules.ahead(now, hidden["until"]):
        raise UserError(f"{hidden['file']}: the list of hidden problems was to be published by {hidden['until']}; put it there.")
    pens = catalogue.PENS
    # colours stay those that the site has had
    if (site / pens.name).exists():
        shutil.copyfile(site / pens.name, pens)
    contest.run(["page", "leaders", "changes", "badge", "claims"])
    places, every, reports = contest.standing(), contest.entries(), contest.reports()
    sheets = {one.key: one.said for one in contest.sheets()}
    content = {
        "benchmill": __version__,
        "study": contest.name,
        "entries": {
            **{entry.key: _of_state(contest, entry, reports.get(entry.key, {}).get("sha256")) for entry in every},
            **{
                key: {**_last(states, key, sheets), **_struck(contest, key), "set_aside": _IN_A_RUN.sub("", why)}
                for key, why in entries.left_aside().get(contest.name, {}).items()
            },
        },
        "standing": places,
        "awards": _awards(contest, places, every),
    }
    new = record.followed(states, content, now.date().isoformat())
    if new is not None:
        ledger += record.ledger_lines(ledger, _claims(contest), new, record.altered(states[-1] if states else None, new))
        states.append(record.with_ledger(new, ledger))
    state = states[-1]
    review = contest.rules.review_until
    ranked_ones = [entry for entry in every if entry.key in reports and _place_of(places, entry.sheet.name)]
    notes = [
        *prose.sentences(__file__, "Notes", review=rules.ahead(now, review) and review, hidden=hidden),
        *ranked.in_part(contest.ratios[contest.measure].to_pandas(), places),
        *_untimed(contest, ranked_ones),
    ]
    for path, text in _pages(contest, states, ledger, reports, places, notes).items():
        write_text(site / path, text)
    # where nothing is claimed any more, a badge would say what is not so
    (site / "badge.svg").unlink(missing_ok=True)
    for file in (*map(Path, [catalogue.RESULTS["page"].path, *catalogue.files(contest.study, "badge")]), pens):
        shutil.copyfile(file, site / file.name)
    runs = Path(catalogue.RESULTS["page_runs"].path).parent
    shutil.copytree(runs, site / runs.name, dirs_exist_ok=True)
    # the record comes last: it says that the state is published
    write_text(site / "ledger.jsonl", "".join(map(record.line, ledger)))
    write_text(site / "states.jsonl", "".join(map(record.line, states)))
    return state


def _untimed(contest: Competition, ranked: Sequence[entries.Entry]) -> list[str]:
    """Say with a standing whose place depends on runs of 0 s."""
    read = {one.sheet.name: contest.read("trials", rules.TIMED, source=one.key) for one in ranked}
    runs_of = [f"{plural(n, 'run')} of {name}" for name, trials in read.items() if (n := rules.untimed(trials))]
    return [f"Solved in 0 s, which no clock has measured: {listed(runs_of)}."] if runs_of else []


def _of_state(contest: Competition, entry: entries.Entry, digest: str | None) -> Row:
    return {
        **entry.said,
        "sha256": digest,
        **_struck(contest, entry.key),
        **({} if entry.sheet.sealed is None else {"sealed": entry.sheet.sealed}),
    }


def _struck(contest: Competition, key: str) -> dict[str, str]:
    struck = contest.rules.disqualified.get(key)
    return {"disqualified": f"{struck['reason']} ({struck['date']})"} if struck else {}


def _since(last: Facts, state: int, sha256: str, places: Sequence[Any]) -> str:
    """Say what is new of an entry since a state in which it was published."""
    return prose.said(__file__, "Since", last=last, state=state, sha256=sha256, places=dict.fromkeys(places))


def _last(states: Sequence[Facts], key: str, sheets: Mapping[str, Facts]) -> Row:
    """Return what the last state says about an entry, else its sheet, else the placeholder for one that was never read."""
    never: Row = {
        "name": key,
        "version": "",
        "authors": [],
        "sha256": None,
        "not_competing": False,
        "newcomer": False,
        "withdrawn": False,
    }
    return never | ((states[-1]["entries"].get(key) if states else None) or dict(sheets.get(key, {})))


def _claims(contest: Competition) -> list[Row]:
    said = ("claim", "measure", "holds", "holding", "counted", "text")
    tables = (storage.read(path, "claims") for path in catalogue.files(contest.study, "claims"))
    return [{name: getattr(one, name) for name in said} for table in tables for one in held(table)]


def _awards(contest: Competition, places: Sequence[Facts], every: Sequence[entries.Entry]) -> list[Row]:
    factors = {name: account.change.factors for name, account in contest.accounts.items() if account.change is not None}
    newcomers = {entry.sheet.name for entry in every if entry.sheet.newcomer and not entry.sheet.withdrawn}
    divided = contest.rules.divisions
    awards = {
        "largest_contribution": ranked.contribution(factors),
        "biggest_lead": ranked.lead(_solved(contest, divided), None if divided == "all" else divided),
        "best_newcomer": ranked.newcomer(places, newcomers),
    }
    return [award for name, award in awards.items() if award is not None and name in contest.rules.awards]


def _solved(contest: Competition, divided: str) -> dict[str, dict[str, int]]:
    """Return how many pairs each entry solves, by division."""
    table = keys.ratios_without(contest.ratios[contest.measure], contest.study.settings["not_competing"])
    frame = table.filter(table.column("included")).select(["algorithm", "cost", *rules.PLACE]).to_pandas()
    by = (
        frame.assign(solved=np.isfinite(frame["cost"]), division="all" if divided == "all" else frame[divided].astype(str))
        .astype({"algorithm": str})
        .groupby(["division", "algorithm"], observed=True)["solved"]
        .sum()
    )
    return {str(name): own.droplevel(0).astype(int).to_dict() for name, own in by.groupby(level=0)}


def _pages(
    contest: Competition,
    states: Sequence[Facts],
    ledger: Sequence[Facts],
    reports: Mapping[str, Facts],
    places: Sequence[Facts],
    notes: Sequence[str],
) -> dict[str, str]:
    state, title = states[-1], contest.study.title
    # a state that was read again has its criteria by their names, and the standing by the rule
    criterion = next(iter(places[0]["values"])) if places else DEFAULT
    rule = ranked.rule_in_words(contest.study.labels.get(contest.measure, contest.measure), criterion, contest.rules.tie_breaks)
    sentences = list(map(record.told, ledger))
    changes_of = {
        one["number"]: [f"{what}." for what in record.altered(earlier, one)]
        for earlier, one in zip([None, *states], states, strict=False)
    }
    of_claims = {n: [s for entry, s in zip(ledger, sentences, strict=True) if entry["state"] == n] for n in changes_of}
    latest: dict[str, Facts] = {}
    for one in states:
        # an entry that went keeps the page of the last state that has it
        latest |= {key: row if key in state["entries"] else {**row, "withdrawn": True} for key, row in one["entries"].items()}
    main = [("index.html", "Standing"), ("report.html", "Report"), ("states.html", "Past states"), ("ledger.html", "Claims"),
            ("feed.xml", "Feed")]  # fmt: skip
    summary = prose.said(__file__, "Summary", state=state)
    pages_of = {row["name"]: f"entries/{key}.html" for key, row in latest.items()}
    index = tabled.index_blocks({**state, "standing": places}, rule, latest.values(), pages_of, notes)
    pages = {
        "index.html": page.small(title, summary, index, main[1:]),
        "states.html": page.small(
            f"{title}: past states",
            "What was published when. The record itself is states.jsonl.",
            [Block("", (), (tabled.states(states, changes_of),))],
            main,
        ),
        "ledger.html": page.small(
            f"{title}: claims", "When each claim held, and which entry ended it. The record itself is ledger.jsonl.",
            [Block("", ["Nothing is claimed."] if not ledger else (), (tabled.ledger(ledger, sentences),) if ledger else ())],
            main,
        ),
        "feed.xml": record.feed(title, states, {n: [*changes_of[n], *of_claims[n]] for n in changes_of}),
    }  # fmt: skip
    for key, row in latest.items():
        past = [
            {"state": one["number"], "date": one["date"], "place": _place_of(one["standing"], one["entries"][key]["name"])}
            for one in states
            if key in one["entries"]
        ]
        account = contest.accounts.get(row["name"])
        report = None if row["withdrawn"] else reports.get(key)
        blocks = tabled.record_blocks(row, report, account.sentences if account else [], past)
        pages[f"entries/{key}.html"] = page.small(row["name"], title, blocks, [(f"../{at}", words) for at, words in main])
    return pages


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: it cannot be read as text ({error}); take it from an older copy of the site.") from None
