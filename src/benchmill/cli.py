"""The command `benchmill`: begins a study, looks at raw logs before they enter it, and takes them in or out."""

from __future__ import annotations

import argparse
import contextlib
import copy
import datetime
import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from benchmill import __version__
from benchmill.core.errors import UserError
from benchmill.registry.archives import ARCHIVES
from benchmill.text.display import plural
from benchmill.text.labels import shown
from benchmill.workflow import yaml_text

if TYPE_CHECKING:
    from benchmill.archives import Store
    from benchmill.archives.listings import Entry
    from benchmill.hosting.competition import Competition
    from benchmill.readers.interface import Asked, Proposal
    from benchmill.workflow.algorithms import Holding
    from benchmill.workflow.study import Study

CLEAN, REPAIRED, REFUSED, INTERRUPTED = 0, 1, 2, 130

_MANY = 3
_LONG = 100
#: Characters of a cell, and questions, that are shown of a source that cannot be read yet.
_WIDEST, _MOST_QUESTIONS = 24, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except UserError as error:
        print(f"benchmill: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("benchmill: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; keep the interpreter from complaining when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    return code


def command() -> NoReturn:
    """Be the command `benchmill`: a process that ends with the exit code of `main`.

    It does not wait for what libraries do at their end: Arrow's threads now and then abort a process there, whose work is done.
    """
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


_Run = Callable[[argparse.Namespace], int]

_COMMANDS: list[tuple[str, tuple[Any, ...], dict[str, Any], _Run]] = []


def _command(name: str, *arguments: Any, **texts: Any) -> Callable[[_Run], _Run]:
    """Declare a command where the function stands that runs it, with its arguments and the texts of its help."""

    def declared(run: _Run) -> _Run:
        _COMMANDS.append((name, arguments, texts, run))
        return run

    return declared


def _argument(names: str, meaning: str, **settings: Any) -> tuple[list[str], dict[str, Any]]:
    """An argument as argparse takes it, from its names with the word for its value; an option without such a word is a switch."""
    words = names.split()
    options = [word for word in words if word.startswith("-")]
    if words == options:
        return options, {"action": "store_true", "help": meaning}
    return options or words[:1], {"metavar": words[-1], "help": meaning, **settings}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmill", description="From raw solver logs to the figures, tables and verdicts of a benchmarking paper."
    )
    parser.add_argument("--version", action="version", version=f"benchmill {__version__}")
    groups: dict[str, Any] = {"": parser.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    for name, arguments, texts, run in _COMMANDS:
        group, _, word = name.rpartition(" ")
        if group not in groups:
            within = groups[""].add_parser(group, **_GROUPS[group])
            groups[group] = within.add_subparsers(title="commands", metavar="COMMAND", required=True)
        command = groups[group].add_parser(word, **texts)
        for names, settings in arguments:
            command.add_argument(*names, **settings)
        command.set_defaults(run=run)
    return parser


_CONFIG = _argument("--config FILE", "the configuration (by default: config.yaml)", default="config.yaml")
_RESULTS = _argument("--results FOLDER", "folder of the results (by default: results)", default="results")
_DRY_RUN = _argument("-n --dry-run", "say what would be done, and do nothing")


# ---- init -----------------------------------------------------------------------------------------------------------


@_command(
    "init",
    _argument("folder FOLDER", "the folder to make; it must be empty or not there yet"),
    _argument("--competition", "make the repository of a competition instead (docs/organising.md)"),
    help="make the folder of a new study",
    description="Make a folder with a configuration, a Snakefile that runs the installed workflow, profiles for clusters, "
    "and three small logs, so that it runs at once: cd FOLDER && snakemake --cores all",
    epilog="exit codes: 0 done; 2 nothing is made, because something is there already or the folder cannot be written",
)
def _init(options: argparse.Namespace) -> int:
    import shlex

    from benchmill.workflow import new_study

    made = new_study.start(options.folder, "competition" if options.competition else "new")
    if options.competition:
        print(f"{shown(options.folder)} is made, with {len(made)} files: config.yaml has the rules, entries/ has no entry yet.")
        print("README.md says what to do first, and entries/README.md is for those who take part.")
        return CLEAN
    print(f"{shown(options.folder)} is made, with {len(made)} files: config.yaml is the study, data/ has its logs (a sample).")
    print("Make its paper and report:")
    print(f"\n    cd {shown(shlex.quote(options.folder))} && snakemake --cores all")
    return CLEAN


# ---- inspect --------------------------------------------------------------------------------------------------------


_SOURCE_OPTIONS = (
    _argument("--format F", "take the format F instead of recognising it"),
    _argument("--name N", "name of the source in the study (one PATH only)"),
    _argument(
        "-o --option KEY=VALUE",
        "option of the source as in config.yaml, in YAML: -o 'columns={algorithm: solver, cost: time}'; can be repeated",
        action="append",
        default=[],
    ),
)


def _check_name(options: argparse.Namespace) -> None:
    if options.name and len(options.paths) > 1:
        raise UserError(f"--name: one name is given for {len(options.paths)} paths; give them one by one, or leave it out.")


@_command(
    "inspect",
    _argument("paths PATH", "folder, archive (.tar, .tgz, .tar.xz, .zip, ...), or table", nargs="+"),
    _argument("--json", "print the reports as a JSON array"),
    *_SOURCE_OPTIONS,
    _argument("--all", "show every missing trial and every irregularity, not the first few"),
    help="read logs and say what is in them",
    description="Read folders, archives or tables of raw logs; say what is in them, what is missing and what had to be "
    "repaired; and print the entry for `sources:` in config.yaml. Nothing is written.",
    epilog="exit codes: 0 all trials are there and nothing was repaired; 1 read, with repairs, refusals of parts, or missing "
    "or unfinished trials; 2 a source cannot be read",
)
def _inspect(options: argparse.Namespace) -> int:
    from benchmill import readers
    from benchmill.readers.interface import Incomplete

    _check_name(options)
    chosen = _options(options.option)
    reports: list[dict[str, Any]] = []
    code = CLEAN
    for path in options.paths:
        begun = time.monotonic()
        with _Progress(path) as progress:
            try:
                report = readers.examine(path, name=options.name, format=options.format, options=chosen, progress=progress)
            except UserError as error:
                progress.clear()
                code = REFUSED
                proposals = error.proposals if isinstance(error, Incomplete) else ()
                entry = {"path": path} | ({"name": options.name} if options.name else {})
                entry |= {"format": options.format} if options.format else {}
                entries = [{"entry": entry | chosen | p.options, "questions": list(p.questions)} for p in proposals]
                asked = error.asked if isinstance(error, Incomplete) else None
                questions = [] if asked is None else list(asked.questions)
                file = os.path.basename(os.path.normpath(path))
                reports.append({"path": file, "error": str(error), "proposals": entries, "questions": questions})
                print(f"benchmill: {error}", file=sys.stderr)
                if not options.json:
                    _show_proposals(proposals, path, chosen, options)
                    _show_asked(asked, chosen)
                continue
        reports.append(report)
        code = max(code, _verdict(report))
        if not options.json:
            if len(reports) > 1:
                print()
            _show(report, path, chosen, options.format, time.monotonic() - begun, None if options.all else _MANY)
    if options.json:
        print(json.dumps(reports, indent=1, sort_keys=True))
    return code


def _show_proposals(proposals: Sequence[Proposal], path: str, chosen: dict[str, Any], options: argparse.Namespace) -> None:
    """What an entry could say for the source to be read, and what is then read."""
    from benchmill import readers

    for number, proposal in enumerate(proposals, 1):
        print(f"Proposal {number} of {len(proposals)}. Check it before you use it." if number > 1 else "It can be read so.")
        given = {**chosen, **proposal.options}
        format = given.pop("format", options.format)
        report = readers.examine(path, name=options.name, format=format, options=given)
        _show(report, path, given, format, None, None if options.all else _MANY)
        for question in proposal.questions:
            print(f"\nCheck: {shown(question)}")
        print()


def _show_asked(asked: Asked | None, chosen: dict[str, Any]) -> None:
    """Print the first rows of a source that cannot be read yet, and what only its owner can know."""
    if asked is None:
        return
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*asked.rows, strict=True)]
    for row in asked.rows:
        cells = (shown(cell)[:width].ljust(width) for cell, width in zip(row, widths, strict=True))
        print(_cut("  " + "  ".join(cells).rstrip(), _MANY))
    if asked.options:
        print(f"\nIts names tell this much for its entry in `sources:`:\n\n{_yaml(chosen | asked.options)}")
    print("\nWhat only you can know:\n")
    for number, question in enumerate(asked.questions[:_MOST_QUESTIONS], 1):
        print(f"{number}. {shown(question)}")


def _options(given: list[str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals:
            raise UserError(f"--option: {item!r} has no `=`; expected KEY=VALUE.")
        try:
            chosen[key.strip()] = yaml_text.read(value, "--option")
        except UserError:
            raise UserError(
                f"--option: the value of {key!r} is not YAML; expected for example `-o 'columns={{cost: time}}'`."
            ) from None
    return chosen


def _verdict(report: dict[str, Any]) -> int:
    trials = report["trials"]
    changed = any(entry["outcome"] != "noted" for entry in report["irregularities"])
    return REPAIRED if changed or trials["missing"] or trials["ill_finalised"] else CLEAN


def _show(
    report: dict[str, Any], path: str, options: dict[str, Any], format: str | None, seconds: float | None, limit: int | None
) -> None:
    from benchmill import readers

    trials, budget, rows = report["trials"], report["budget"], report["rows"]
    took = "" if seconds is None else f", read in {seconds:.1f} s"
    print(f"{shown(report['path'])}: {report['format']}, {_bytes(report['bytes'])}{took}")
    _line("algorithms", _list(report["algorithms"], limit))
    _line("suites", _list(report["suites"], limit) or "(not stated)")
    _line("problems", f"{len(report['problems'])}: {_list(report['problems'], limit)}")
    _line("dimensions", _list(report["dimensions"], None) or "(not stated)")
    _line("instances", _cut(shown(report["instances"]), limit) or "(not stated)")
    beyond = f", {trials['unexpected']} beyond the design" if trials["unexpected"] else ""
    _line("trials", f"{trials['found']} found of {trials['expected']} expected, {trials['missing']} missing{beyond}")
    _line("", f"{trials['solved']} solved, {trials['failed']} failed, {trials['ill_finalised']} ill-finalised")
    if report["outcomes"]:
        _line("outcomes", ", ".join(f"{count} {outcome}" for outcome, count in report["outcomes"].items()))
        limits = _list([f"{limit:g}" for limit in report["time_limits"]], limit)
        _line("time limits", f"{limits} s" if limits else "(not stated)")
    if budget:
        _line(
            "budgets", f"{budget['min']} to {budget['max']} evaluations, median {budget['median']:g}, {budget['total']} in total"
        )
    if rows["kept"]:
        _line("trace rows", f"{rows['read']} read, {rows['kept']} kept")
    if report["missing"]:
        print("\nMissing trials, by the design of the source itself:")
        _some([_missing(m) for m in report["missing"]], limit, len(report["missing"]))
    for entry in report["irregularities"]:
        print(f"\n{entry['outcome']}: {entry['rule']}, {plural(entry['count'], 'time')}. {entry['meaning']}")
        _some([_place(e) for e in entry["examples"]], limit, len(entry["examples"]))
        if entry["cut"]:
            print(f"  (only the first {len(entry['examples'])} were kept)")
    print("\nEntry for `sources:` of a study in config.yaml:\n")
    entry = _source_entry(report, path, report["source"], options, format)
    print(_yaml([entry]))
    if report["study"]:
        print("\nThe defaults of a study do not fit it. The whole config.yaml of one that does:\n")
        name, rest = report["source"], {"sources": [entry], **report["study"]}
        apart = {
            f"{name}_{group}": {"algorithms": {"only": chosen}, **copy.deepcopy(rest)}
            for group, chosen in report["apart"].items()
        }
        print(_yaml({"studies": {_study_name(key): study for key, study in (apart or {name: rest}).items()}}))
    for check in report["checks"]:
        print(f"\nCheck: {check}")
    for proposal in report["proposals"]:
        print("\nIt may have to be read otherwise, which only you can know.\n")
        for question in proposal["questions"]:
            print(f"Check: {shown(question)}\n")
        if not proposal["options"]:
            continue
        print("If so, this is what to write, and what is read then:\n")
        given = options | proposal["options"]
        again = readers.examine(path, name=report["source"], format=report["format"], options=given)
        _show(again, path, given, format, None, limit)


def _line(title: str, text: str) -> None:
    print(f"  {title:<11} {text}")


def _list(items: list[Any], limit: int | None) -> str:
    texts = [shown(str(item)) for item in items]
    if limit is not None and len(texts) > 4 * limit:
        return f"{', '.join(texts[: 2 * limit])}, ... {texts[-1]}"
    return ", ".join(texts)


def _cut(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) <= _LONG else f"{text[:_LONG]}..."


def _some(texts: list[str], limit: int | None, count: int) -> None:
    for text in texts if limit is None else texts[:limit]:
        print(f"  {text}")
    if limit is not None and count > limit:
        print(f"  ... and {count - limit} more (--all shows them)")


def _missing(entry: dict[str, Any]) -> str:
    parts = [shown(entry["algorithm"]), shown(entry["problem"])]
    if entry["suite"] is not None:
        parts.insert(1, shown(entry["suite"]))
    if entry["dimension"] is not None:
        parts.append(f"dimension {entry['dimension']}")
    if entry["instance"] is not None:
        parts.append(f"instance {shown(entry['instance'])}")
    return ", ".join(parts) + (f" ({entry['count']} times)" if entry["count"] > 1 else "")


def _place(entry: dict[str, Any]) -> str:
    line = "" if entry["line"] is None else f":{entry['line']}"
    return f"{shown(entry['file'])}{line}: {shown(entry['detail'])}"


def _yaml(content: Any) -> str:
    import yaml

    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=False, width=10_000, default_flow_style=None)).rstrip()


def _study_name(source: str) -> str:
    """A name that a study can have."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", source).lstrip("0123456789_-")
    return name if name and name not in ("paper", "reproduction") else f"study_{name}".rstrip("_")


def _source_entry(
    report: dict[str, Any], path: str, name: str | None, options: dict[str, Any], format: str | None
) -> dict[str, Any]:
    """What `sources:` says of a source; the format only where it would not be recognised or was asked for."""
    entry: dict[str, Any] = {"path": path} | ({"name": name} if name else {})
    if format or report["format"] == "table":
        entry["format"] = report["format"]
    return entry | options


# ---- fetch ----------------------------------------------------------------------------------------------------------


_FORMS = "; ".join(archive.form for archive in ARCHIVES.values())


@_command(
    "fetch",
    _argument("names NAME", "such as coco:bbob/2009/BIPOP-CMA-ES or 'coco:bbob/2009/*'", nargs="*"),
    _argument("--list", "list what the names mean, and fetch nothing"),
    _argument("-n --dry-run", "say what would be fetched, how large and under which licence; fetch nothing"),
    _argument("--again", "ask archives for their lists, also where one is here"),
    _argument(
        "--mirror M",
        "a folder or URL that stands for the hosts of archives: M/HOST/PATH (by default: $BENCHMILL_MIRROR, or as "
        "./config.yaml says)",
    ),
    _argument(
        "--cache FOLDER",
        "where to keep what is fetched (by default: $BENCHMILL_CACHE, as ./config.yaml says, or benchmill in ~/.cache)",
    ),
    help="fetch data from public archives by their names",
    description="Fetch data by name, check their digests, and keep them for all studies of this user, each with a ~.json "
    f"that says where it comes from and under which licence. Names: {_FORMS}; * and ? match.",
    epilog="exit codes: 0 all is here; 2 a name means nothing, or a file could not be fetched (the others are kept)",
)
def _fetch(options: argparse.Namespace) -> int:
    from benchmill import archives
    from benchmill.archives.names import parsed

    _configure_archives(Path("config.yaml"))
    at = archives.store(options.cache, options.mirror)
    if not options.names:
        if not options.list:
            raise UserError("fetch: no name is given; `benchmill fetch --list` says whose lists are here.")
        print("\n".join(archives.here(at)))
        return CLEAN
    only_look = options.list or options.dry_run
    for name in options.names:
        if not only_look and not parsed(name).wanted:
            raise UserError(f"{name}: it names a whole archive; write {parsed(name).of('*')} for all of it.")
    found = [entry for name in options.names for entry in archives.find(name, at, again=options.again)]
    found = list({entry.name: entry for entry in found}.values())
    if only_look:
        _show_entries(found, at)
        return CLEAN
    code = CLEAN
    for entry in found:
        with _Progress(entry.name) as progress:
            try:
                path = archives.fetch(entry, at, progress)
            except UserError as error:
                progress.clear()
                code = REFUSED
                print(f"benchmill: {error}", file=sys.stderr)
                continue
        print(path)
    return code


def _configure_archives(file: Path) -> None:
    """Take what a configuration says of archives, if there is one; what is wrong with it is told by what needs the rest."""
    from benchmill import archives

    try:
        content = yaml_text.read(yaml_text.text_of(file), str(file))
    except UserError:
        return
    said = content.get("archives") if isinstance(content, dict) else None
    if isinstance(said, dict):
        archives.configure({key: path for key, path in said.items() if isinstance(path, str)}, file.parent)


def _show_entries(found: Sequence[Entry], at: Store) -> None:
    """Names, sizes and licences of what could be fetched, and whether it is here."""
    from benchmill import archives

    wide = max((len(entry.name) for entry in found), default=0)
    for entry in found:
        size = "size not stated" if entry.size is None else _bytes(entry.size)
        licence = shown(entry.licence) if entry.licence else "licence not stated"
        here = "here" if archives.kept(entry, at).exists() else ""
        print(f"{shown(entry.name):<{wide}}  {size:>15}  {licence}  {here}".rstrip())
    print(f"{len(found)} in all, {_bytes(archives.total(found))} as far as it is stated")


# ---- add and remove -------------------------------------------------------------------------------------------------


@_command(
    "add",
    _argument("study STUDY", "name of the study in the configuration"),
    _argument(
        "paths PATH",
        "folder, archive (.tar, .tgz, .tar.xz, .zip, ...), or table; or the URL of one, or its name in an archive",
        nargs="+",
    ),
    *_SOURCE_OPTIONS,
    _CONFIG,
    _DRY_RUN,
    help="add logs to a study",
    description="Read logs as `inspect` does, say what they would change, and write their entries into `sources:` of the "
    "study. Comments and everything else in the configuration stay as they are.",
    epilog="exit codes: as of inspect; with 2 nothing is written",
)
def _add(options: argparse.Namespace) -> int:
    from benchmill import readers
    from benchmill.workflow import algorithms, remote, sources_text

    _check_name(options)
    file = Path(options.config)
    text = yaml_text.text_of(file)
    chosen = _options(options.option)
    before = _study_of(text, file, options.study)
    held = {path.resolve(): source for source in before.sources for path in source.paths}
    holdings, unread = _holdings(before)
    entries, code = [], CLEAN
    for path in (one for given in options.paths for one in _each(given)):
        source = held.get(Path(path).resolve()) or next((s for s in before.sources if s.url and s.entry["path"] == path), None)
        if source:
            print(f"{shown(path)}: is already in {options.study}, as the source {source.name}")
            continue
        far = _fetched(path) if remote.is_far(path) else {}
        here, own = far.pop("here", path), {**far.pop("options", {}), **chosen}
        with _Progress(here) as progress:
            report = readers.examine(here, name=options.name, format=options.format, options=own, progress=progress)
        entry = _source_entry(report, path if far else _from_folder(path, file), options.name, own, options.format)
        entries.append({**entry, "format": report["format"], **far} if far else entry)
        holdings.append(algorithms.Holding(report["source"], entries[-1], report["format"], report["algorithms"]))
        code = max(code, _verdict(report))
        trials = report["trials"]
        print(
            f"{shown(report['path'])}: {report['format']}, {_list(report['algorithms'], _MANY)}, "
            f"{len(report['problems'])} problems, {trials['found']} trials, "
            f"{trials['missing']} missing, {trials['ill_finalised']} ill-finalised"
        )
        for entry in report["irregularities"]:
            print(f"  {entry['outcome']}: {entry['rule']}, {plural(entry['count'], 'time')} (benchmill inspect shows where)")
    if not entries:
        print("Nothing to add.")
        return code
    if clashes := algorithms.clashes(holdings):
        raise UserError(" ".join(f"{file.name}: studies.{options.study}.sources: {clash}" for clash in clashes))
    if unread:
        print(
            f"\nNot read yet: {_list(unread, _MANY)}. If one of them holds an algorithm of another source beside those that its "
            "beginning names, the next run says so and compares nothing."
        )
    changed = sources_text.with_sources(text, options.study, entries, file.name)
    after = _study_of(changed, file, options.study)
    new = [source.name for source in after.sources if not any(path.resolve() in held for path in source.paths)]
    print(
        f"\n{options.study}: {len(before.sources)} sources and {len(new)} more ({_list(new, None)}). "
        f"The next run reads and measures the new ones, then compares all {len(after.sources)}; nothing else is read again."
    )
    _write_change(file, text, changed, options.dry_run)
    return code


def _holdings(study: Study) -> tuple[list[Holding], list[str]]:
    """What the sources of a study hold by their ingest reports; by a first look those that no run has read as they are now.

    The names of the latter come beside it.
    """
    from benchmill.core import storage
    from benchmill.workflow import results
    from benchmill.workflow.algorithms import Holding

    holdings, unread = [], []
    for source in study.sources:
        folder, held = Path("results", study.name), source.algorithms
        report, trials = folder / "ingest" / f"{source.name}.json", folder / "trials" / f"{source.name}.parquet"
        if (
            report.exists()
            and trials.exists()
            and storage.origin_of(trials).get("settings", {}).get("options") == source.options
            and all(path.exists() and path.stat().st_mtime < report.stat().st_mtime for path in source.paths)
        ):
            held = tuple(results.read_report(report)["algorithms"])
        else:
            unread.append(source.name)
        holdings.append(Holding(source.name, source.entry, source.format, held))
    return holdings, unread


def _each(path: str) -> list[str]:
    """The names that a name in an archive stands for; a path or URL itself."""
    from benchmill import archives
    from benchmill.archives.names import is_name

    return [entry.name for entry in archives.find(path, archives.store())] if is_name(path) else [path]


def _fetched(path: str) -> dict[str, Any]:
    """Fetch a source, and keep it where the workflow will look for it; what its entry says of it."""
    from benchmill.archives.names import is_name
    from benchmill.workflow import remote

    ((said, url),) = remote.entries(path) if is_name(path) else [({}, path)]
    unknown = remote.place(url)
    # what a source without a digest has there stays
    unknown = unknown.with_name(unknown.name + ".new")
    sha256 = remote.fetch(path, unknown, None, remote.place(url).name)
    kept = remote.place(url, sha256)
    kept.parent.mkdir(parents=True, exist_ok=True)
    os.replace(unknown, kept)
    print(f"{shown(path)}: is fetched, and kept as {shown(str(kept))}")
    own = {key: said[key] for key in ("citation",) if key in said}
    options = {key: said[key] for key in ("algorithm",) if key in said}
    return {
        "here": str(kept),
        "options": options,
        **own,
        "sha256": sha256,
        "size_mb": round(kept.stat().st_size / 1e6, 3) or 0.001,
    }


@_command(
    "remove",
    _argument("study STUDY", "name of the study in the configuration"),
    _argument("sources SOURCE", "name of the source, or its path as the configuration gives it", nargs="+"),
    _CONFIG,
    _DRY_RUN,
    help="take a source out of a study",
    description="Take sources out of `sources:` of the study. Logs and results stay where they are.",
    epilog="exit codes: 0 done; 2 nothing is written",
)
def _remove(options: argparse.Namespace) -> int:
    from benchmill.workflow import sources_text

    file = Path(options.config)
    text = yaml_text.text_of(file)
    changed = text
    for wanted in options.sources:
        study = _study_of(changed, file, options.study)
        source = next((s for s in study.sources if wanted in (s.name, s.shown)), None)
        if source is None:
            known = ", ".join(s.name for s in study.sources)
            raise UserError(f"{options.study} has no source {wanted!r}; its sources are {known}.")
        number = _entry_number(changed, file, options.study, source.shown)
        changed = sources_text.without_source(changed, options.study, number, file.name)
        print(f"{options.study}: the source {source.name} ({shown(source.shown)}) is taken out. Its logs stay where they are,")
        print(f"and so does what was made of it below results/{options.study}/; it is not used any more.")
    after = _study_of(changed, file, options.study)
    print(f"\nThe next run compares the {len(after.sources)} sources that are left; nothing is read again.")
    _write_change(file, text, changed, options.dry_run)
    return CLEAN


# ---- cite -----------------------------------------------------------------------------------------------------------


@_command(
    "cite",
    _argument(
        "folders FOLDER", "folder of the results of a study, or of several (by default: results)", nargs="*", default=["results"]
    ),
    help="print what a study has to cite, as BibTeX",
    description="Print BibTeX of every method and data set that studies use, each once: what the workflow writes as "
    "results/<study>/references.bib.",
    epilog="exit codes: 0 printed; 2 there is no such file, or a key stands for different entries",
)
def _cite(options: argparse.Namespace) -> int:
    from benchmill.text.bibliography import merged

    found = [path for folder in options.folders for path in _references_in(Path(folder))]
    print(merged([path.read_text(encoding="utf-8") for path in found]), end="")
    return CLEAN


def _references_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder; give the results of a study, results/<study>.")
    found = [path for path in (folder / "references.bib", *sorted(folder.glob("*/references.bib"))) if path.is_file()]
    if not found:
        raise UserError(f"{folder}: there is no references.bib in it, nor in its folders; `snakemake --cores all` makes them.")
    return found


# ---- plan -----------------------------------------------------------------------------------------------------------


@_command(
    "plan",
    _argument("study STUDY", "a study below results/, or the folder of its results"),
    _argument("--power P", "chance to decide a pair that is wanted (by default: 0.8)", type=float),
    _argument("--most X", "ask about up to so many times the clusters (by default: 4)", type=float),
    _argument("--studies N", "simulated studies of each size (by default: 200)", type=int),
    _argument("--csv FILE", "write the curve: a row for each open pair and size"),
    _argument("--figure FILE", "draw the curve: a panel for each open pair, as .pdf, .svg or .png"),
    help="say how many problems and runs would decide what a study leaves open",
    description="Simulate larger studies from the clusters of problems that a study has, and say how often the comparisons "
    "that its primary analysis leaves open would be decided, and at what cost in evaluations.",
    epilog="exit codes: 0 printed; 2 there are no such results",
)
def _plan(options: argparse.Namespace) -> int:
    from benchmill.core.whole_file import write_text
    from benchmill.figures import power, style
    from benchmill.workflow.enlarging import USUAL_POWER, Asked, outlook

    for name, low, high in (("power", 0, 1), ("most", 1, 16), ("studies", 0, 100_000)):
        value = getattr(options, name)
        if value is not None and not low < value <= high:
            raise UserError(f"--{name}: found {value:g}, expected more than {low} and at most {high:g}.")
    drawn = _drawn(options.figure)
    below = Path("results") / options.study
    folder = Path(options.study) if (Path(options.study) / "config.yaml").is_file() else below
    given = {name: getattr(options, name) for name in ("power", "most", "studies")}
    found = outlook(folder, Asked(**{name: value for name, value in given.items() if value is not None}))
    if options.csv:
        write_text(options.csv, found.curve.to_csv(index=False))
    if drawn and len(found.curve):
        style.save(power.draw(found.curve, options.power or USUAL_POWER), *drawn)
    print(found.text, end="")
    return CLEAN


def _drawn(figure: str | None) -> tuple[Path, list[str]] | None:
    """Where a figure is drawn, and its format; None where none is asked for."""
    path = Path(figure or "figure.pdf")
    if path.suffix not in (".pdf", ".svg", ".png"):
        raise UserError(f"--figure: found {path.name!r}, expected a name that ends with .pdf, .svg or .png.")
    return (path.with_suffix(""), [path.suffix[1:]]) if figure else None


# ---- claims ---------------------------------------------------------------------------------------------------------


@_command(
    "claims",
    _argument("studies STUDY", "name of a study (by default all that have claims)", nargs="*"),
    _RESULTS,
    _argument("--check", "end with status 1 when a claim does not hold"),
    _argument("--all", "with --check: a claim has to hold in every convention, too"),
    help="say how far the claims of a study hold",
    description="Print the claims of studies: whether each holds by the primary analysis, and in how many of the conventions "
    "that its author could have chosen. They are read from results/<study>/claims.parquet, which the workflow makes.",
    epilog="exit codes: 0 printed; with --check: 0 every claim holds by the primary analysis (with --all: and in every "
    "convention that can decide), 1 one does not; 2 there are no such results",
)
def _claims(options: argparse.Namespace) -> int:
    from benchmill.core import storage
    from benchmill.text.robustness import held

    folder = Path(options.results)
    known = sorted(path.parent.name for path in folder.glob("*/claims.parquet"))
    if not known:
        raise UserError(
            f"{folder}: there is no study with claims; make them with `snakemake --cores all` in the folder of the configuration."
        )
    code = CLEAN
    for name in options.studies or known:
        if name not in known:
            raise UserError(f"{folder}: there is no study {name!r} with claims; there is {', '.join(known)}.")
        found = list(held(storage.read(folder / name / "claims.parquet", "claims")))
        for one in found:
            fails = not (one.everywhere if options.all else one.holds)
            print(f"{shown(name)}: {shown(one.text)}")
            code = REPAIRED if options.check and fails else code
        if not found:
            print(f"{shown(name)}: nothing is claimed.")
    return code


# ---- pack -----------------------------------------------------------------------------------------------------------


@_command(
    "pack",
    _argument("study STUDY", "name of the study in the configuration; none with --archive", nargs="?"),
    _argument("--to FILE", "the file to write (by default: STUDY.zip)"),
    _CONFIG,
    _RESULTS,
    _argument(
        "--archive FOLDER",
        "write data, configuration, versions, all results and a manifest (RO-Crate) into a new folder, ready for Zenodo; "
        "what is not made is made first",
    ),
    _argument("--without-data", "with --archive: name the logs and their digests, copy none"),
    _argument("--cores N", "with --archive: for Snakemake (by default: all)", default="all"),
    help="put what a study gives to a paper into one file",
    description="Write the sources of a study's paper, with every figure, table and number that it reads, as a ZIP archive "
    "that compiles where it is unpacked (on Overleaf, say); or the study as a chapter for Word (.docx), LibreOffice (.odt) "
    "or Typst (.typ), which needs pandoc. With --archive: write everything of a configuration into a folder for an archive.",
    epilog="exit codes: 0 written; 2 there are no such results, or LaTeX, pandoc or the workflow fails",
)
def _pack(options: argparse.Namespace) -> int:
    from benchmill.deposits.pack import pack

    if options.archive:
        return _archive(options)
    if not options.study:
        raise UserError("pack: no STUDY is given; name one of the configuration, or give --archive FOLDER for all.")
    file = Path(options.config)
    study = _study_of(yaml_text.text_of(file), file, options.study)
    target = Path(options.to or f"{options.study}.zip")
    packed = pack(Path(options.results) / options.study, target, study.paper)
    what = f" with {len(packed)} files" if target.suffix == ".zip" else ""
    print(f"{shown(str(target))} is written{what}.")
    return CLEAN


def _archive(options: argparse.Namespace) -> int:
    from benchmill.deposits import deposit

    if options.study or options.to or options.results != "results":
        raise UserError(
            "--archive: it is of a whole configuration, with the results in `results` here; leave STUDY, --to and --results out."
        )
    found = deposit.write(Path(options.config), Path(options.archive), options.cores, data=not options.without_data)
    held = [piece for piece in found if piece.here]
    print(f"{shown(options.archive)} is written: {len(held)} files, {_bytes(sum(piece.bytes for piece in held))}.")
    if len(held) < len(found):
        print(f"{len(found) - len(held)} files are named with their digests, and not copied.")
    print(f"See whether it gives the same results: benchmill rerun {shown(options.archive)}")
    return CLEAN


@_command(
    "rerun",
    _argument("folder FOLDER", "the deposit; nothing in it is changed"),
    _argument("--data FOLDER", "where the logs are that the deposit names and does not hold"),
    _argument("--into FOLDER", "a new folder to run in, which is kept (by default one that is removed)"),
    _argument("--cores N", "for Snakemake (by default: all)", default="all"),
    _argument("--all", "name every result that differs, not the first few"),
    help="make the results of a deposit again, and compare them",
    description="Check every file of a folder that `pack --archive` has written, run the workflow in a fresh folder, and "
    "compare every result byte by byte.",
    epilog="exit codes: 0 all results are the same; 1 some differ, which are named, with what is of another version here; "
    "2 the deposit is not what its manifest says, or cannot be run",
)
def _rerun(options: argparse.Namespace) -> int:
    import tempfile

    from benchmill.deposits.rerun import rerun, said

    into = Path(options.into) if options.into else None
    if into is not None and into.exists():
        raise UserError(f"--into: {into} is there already, expected a new folder; give another name.")
    with tempfile.TemporaryDirectory(prefix="benchmill-rerun-") as temporary:
        work = into or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        data = Path(options.data) if options.data else None
        found = rerun(Path(options.folder), work, options.cores, data=data, told=lambda text: print(text, file=sys.stderr))
        for line in said(found, options.all):
            print(line)
    return REPAIRED if found.differing else CLEAN


# ---- background -----------------------------------------------------------------------------------------------------


_GROUPS = {
    "background": {
        "help": "make one small file of many logs, to compare with them without having them",
        "description": "A background is a source like others: its trials, and how many evaluations they took to some targets.",
    }
}


@_command(
    "background make",
    _argument("sources SOURCE", "name of a study in the configuration; or paths of logs, or names in archives", nargs="+"),
    _argument("-o --output FILE", "the file to write, such as background.zip", required=True),
    _argument("--targets T,T,...", "targets beside those of the study (of sources: those that a study has without naming any)"),
    _CONFIG,
    help="make a background of logs",
    description="Read logs, and write of them what the evaluations to the targets of a study hang on. List the file in "
    "`sources:` of a study to use it.",
    epilog="exit codes: 0 written; 2 a source cannot be read, nothing is written",
)
def _background(options: argparse.Namespace) -> int:
    from benchmill.workflow import background

    file = Path(options.config)
    name = options.sources[0]
    if len(options.sources) == 1 and file.is_file() and not Path(name).exists() and re.fullmatch(r"[\w.-]+", name):
        study = _study_of(yaml_text.text_of(file), file, name)
    else:
        wanted = json.dumps({"studies": {"background": {"sources": [one for path in options.sources for one in _each(path)]}}})
        study = _study_of(wanted, Path("background"), "background")
    try:
        more = [float(text) for text in (options.targets or "").split(",") if text.strip()]
    except ValueError as error:
        raise UserError(f"--targets: {error}; expected numbers with commas, such as 10,1,1e-7.") from None
    targets = sorted({*background.targets_of(study), *more}, reverse=True)
    path = Path(options.output)
    background.make(study, targets, path, lambda source: print(f"reading {shown(source)}", file=sys.stderr))
    print(f"{shown(str(path))}: {len(study.sources)} sources, {len(targets)} targets, {_bytes(path.stat().st_size)}")
    return CLEAN


# ---- compare --------------------------------------------------------------------------------------------------------


#: What a file of --config may say beside the options of the command.
_OF_SOURCES = ("options", "base_options", "new_options")
_OF_COMPARISON = ("cluster_keys", "brackets", "level", "seed")


@_command(
    "compare",
    _argument("base BASE", "what is compared with: logs, a table, or results/STUDY", nargs="?"),
    _argument("new NEW", "what is asked about", nargs="?"),
    _argument("--algorithm NAME", "which algorithm of NEW (and of BASE, without --base-algorithm), if there are several"),
    _argument("--base-algorithm NAME", "which algorithm of BASE"),
    _argument("--measure M", "name of a measure that `inspect` or the study has, or its settings in YAML"),
    _argument("--fail-on RULE", "end with status 1 when the rule is met: 'regression>5%%,wrong,lost,missing'"),
    _argument("--best-known FILE", "list of best-known values (.solu or CSV) that the answers of both are checked by"),
    _argument("--objective COLUMN", "of tables: the column of the objective value, which answers are checked by"),
    _argument("--among STUDY", "folder of a finished study: say how the order among its algorithms would change"),
    _argument("--output FOLDER", "write comparison.md, comparison.json and comparison.html"),
    _argument("--config FILE", "YAML with these as keys (fail_on: ...), and options, base_options, new_options of sources"),
    _argument("--history FILE", "append this comparison as a line to FILE"),
    _argument("--label NAME", "what the line is called there: a commit or a date"),
    _argument("--trend FILE", "no comparison: say where a history changes"),
    _argument("--figure FILE", "with --trend: draw it, as .pdf, .svg or .png"),
    _argument("--format F", "take the format F instead of recognising it"),
    _argument("-o --option KEY=VALUE", "option of both sources, as of `inspect`", action="append", default=[]),
    help="say whether one version of a solver is better than another",
    description="Compare two versions or settings of a solver instance by instance: wrong answers and lost solves, the ratio "
    "of their costs with an interval, what changed beyond noise, and how large a slowdown could have been missed. Printed as "
    "Markdown. BASE and NEW are logs or tables that `inspect` reads, or folders of finished studies.",
    epilog="The rule of --fail-on has parts with commas between. regression>5% is met when the interval of the ratio "
    "NEW/BASE begins above 1.05; slower>100%, when an instance is shown to need more than twice as much; wrong, when NEW gives a "
    "wrong answer that BASE does not, or contradicts it; lost, when NEW never solves an instance that BASE always solves, or "
    "solves less by more than noise; missing, when NEW has no run of an instance of BASE. exit codes: 0 compared, and nothing of "
    "the rule is met; 1 some of it is met; 2 a source cannot be read or compared, or the data cannot decide the rule",
)
def _compare(options: argparse.Namespace) -> int:
    from benchmill.notebook.versions import compare_versions
    from benchmill.text.versions import rule

    if options.trend:
        return _trend(options)
    if options.base is None or options.new is None:
        raise UserError("compare: BASE and NEW are not both given; expected `benchmill compare BASE NEW`.")
    if options.history and not options.label:
        raise UserError("--label: a line of a history needs a name; give the commit, or the date, with --label.")
    asked = _asked_of_comparison(options)
    both = {**asked.pop("options", {}), **_options(options.option)}
    fail_on = asked.pop("fail_on", None)
    if fail_on is not None:
        rule(fail_on)
    found = compare_versions(
        options.base,
        options.new,
        base_options={**both, **asked.pop("base_options", {})},
        new_options={**both, **asked.pop("new_options", {})},
        **asked,
    )
    if fail_on is not None:
        found = found.judged(fail_on)
    if options.output:
        found.write(options.output)
    if options.history:
        from benchmill.notebook import history

        history.append(options.history, history.entry(found.found, options.label))
    print(found.text, end="")
    if found.found["met"]:
        return REPAIRED
    if found.found["undecided"]:
        raise UserError(f"--fail-on: {' '.join(found.found['undecided'])} Leave that part out, or give data that can decide it.")
    return CLEAN


def _asked_of_comparison(options: argparse.Namespace) -> dict[str, Any]:
    """What the file of --config and the options of the command say together; the latter win."""
    names = ("algorithm", "base_algorithm", "measure", "fail_on", "among", "format", "best_known", "objective")
    asked: dict[str, Any] = {}
    if options.config:
        content = yaml_text.read(yaml_text.text_of(Path(options.config)), options.config)
        if not isinstance(content, dict):
            raise UserError(f"{options.config}: found {type(content).__name__}, expected keys with values.")
        allowed = (*names, *_OF_SOURCES, *_OF_COMPARISON)
        for key, value in content.items():
            if key not in allowed:
                raise UserError(f"{options.config}: there is no key {key!r}, expected some of {', '.join(allowed)}.")
            if key in _OF_SOURCES and not isinstance(value, dict):
                raise UserError(f"{options.config}: {key} is {value!r}, expected such as {{time_limit: 3600}}.")
        asked = dict(content)
    asked |= {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    measure = asked.get("measure")
    if isinstance(measure, str) and measure.lstrip().startswith("{"):
        asked["measure"] = yaml_text.read(measure, "--measure")
    return asked


def _trend(options: argparse.Namespace) -> int:
    from benchmill.figures import style, trend
    from benchmill.notebook import history

    drawn = _drawn(options.figure)
    found = history.trend(options.trend)
    if drawn:
        style.save(trend.draw(found.points), *drawn)
    print(found.text, end="")
    return CLEAN


# ---- competition ----------------------------------------------------------------------------------------------------


_COMPETITION_OPTIONS = (
    _argument("--study STUDY", "which study, if several of the configuration are competitions"),
    _CONFIG,
    _argument("--site FOLDER", "the folder of the site (by default: site, or site/STUDY if there are several competitions)"),
    _argument("--date DAY", "the day, such as 2026-06-30 (by default: today, UTC)"),
    _argument("--cores N", "that the workflow may use (by default: 1)", type=int, default=1),
)


def _competition(options: argparse.Namespace, sites: Path = Path("site")) -> tuple[Competition, Path]:
    """Return the competition, and the folder of its site: that of the options, else `sites` or a folder in it."""
    from benchmill.hosting.competition import Competition, ask_archives
    from benchmill.workflow import entries

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
    _configure_archives(file)
    if name in found:
        ask_archives(entries.folder_of(found[name]["entries"], [file.parent, Path()]))
    site = Path(options.site or (sites / name if len(found) > 1 else sites))
    if not options.site and site != sites and (sites / "states.jsonl").exists():
        raise UserError(
            "site: it has the record of when there was one competition; move it to a folder site/STUDY, or give --site."
        )
    return Competition(_study_of(text, file, name), file, options.cores), site


def _day(options: argparse.Namespace) -> datetime.date:
    if options.date is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(options.date)
    except ValueError:
        raise UserError(f"--date: found {options.date!r}, expected a day such as 2026-06-30.") from None


@_command(
    "check-entry",
    _argument("entries ENTRY", "the folder of an entry, or its name", nargs="*"),
    _argument(
        "--since REVISION",
        "check what was committed since this revision of git, by its rules, and refuse all but files added to the folder of "
        "one new entry, and what the rules let the sender change",
    ),
    _argument("--by ACCOUNT", "with --since: who has sent it, as the forge says"),
    _argument("--output FOLDER", "write ENTRY.md, ENTRY.json and ENTRY.html"),
    *_COMPETITION_OPTIONS,
    help="check an entry of a competition, and say what it would change",
    description="Check the sheet, the logs and the runs of an entry by the rules of the competition, look for contradictions "
    "with others and for runs of others, and say what the entry would change. Printed as Markdown. Run it in the folder of "
    "the configuration.",
    epilog="exit codes: 0 it can be taken; 1 it breaks a rule; 2 its sheet or its logs cannot be read, or more was changed "
    "than may be",
)
def _check_entry(options: argparse.Namespace) -> int:
    from benchmill.hosting import requests

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
    from benchmill.hosting import competition

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


@_command(
    "publish",
    *_COMPETITION_OPTIONS,
    help="make the site of a competition",
    description="Make the results of a competition, and the site that shows them. Past states, and what happened to claims, "
    "are kept in the folder of the site; give the same folder each time. Run it in the folder of the configuration.",
    epilog="exit codes: 0 published, or nothing has changed; 2 the results cannot be made, or the record was changed",
)
def _publish(options: argparse.Namespace) -> int:
    from benchmill.hosting import competition

    day = _day(options)
    of, site = _competition(options)
    state = competition.publish(of, site, day)
    print(f"{shown(str(site))}: state {state['number']} of {state['date']} is published; open {shown(str(site / 'index.html'))}")
    return CLEAN


def _study_of(text: str, file: Path, study: str) -> Study:
    """The study as the workflow would see it; all mistakes of the configuration are told."""
    from benchmill.workflow.study import read_studies

    content = yaml_text.read(text, str(file))
    studies = content.get("studies") if isinstance(content, dict) else None
    if not isinstance(studies, dict) or study not in studies:
        known = ", ".join(studies) if isinstance(studies, dict) else "none"
        raise UserError(f"{file}: there is no study {study!r}; it has {known}.")
    return read_studies(
        {"studies": {study: studies[study]}, "archives": content.get("archives")},
        [file.parent, Path()],
        # names of figures are the workflow's to check
        figures_of=lambda found: found.settings["figures"],
        where=file.name,
    )[study]


def _from_folder(path: str, file: Path) -> str:
    """A path as the configuration gives it: from the configuration's folder, unless it is absolute and leads elsewhere."""
    folder = file.resolve().parent
    full = Path(os.path.abspath(path))
    if Path(path).is_absolute() and not full.is_relative_to(folder):
        return str(full)
    return os.path.relpath(full, folder)


def _entry_number(text: str, file: Path, study: str, path: str) -> int:
    """Which entry of `sources` names just this source."""
    import glob

    listed = yaml_text.read(text, str(file))["studies"][study]["sources"]
    entries = [
        ", ".join(entry.get("parts") or [entry["path"]]) if isinstance(entry, dict) else entry
        for entry in (listed if isinstance(listed, list) else [listed])
    ]
    if path in entries:
        return entries.index(path)
    sheets = [entry for entry in entries if entry.lower().endswith((".yaml", ".yml"))]
    globs = [entry for entry in entries if glob.has_magic(entry) and os.path.dirname(entry) == os.path.dirname(path)]
    if globs:
        raise UserError(
            f"{file.name}: {path} comes from the pattern {globs[0]!r}; move it elsewhere, or list the sources one by one."
        )
    raise UserError(f"{file.name}: {path} comes from the sheet {' or '.join(map(repr, sheets))}; take it out of there.")


def _write_change(file: Path, text: str, changed: str, dry_run: bool) -> None:
    import difflib

    from benchmill.core.whole_file import whole_file

    print()
    for line in difflib.unified_diff(text.splitlines(), changed.splitlines(), file.name, file.name, lineterm="", n=1):
        print(_printable(line))
    if dry_run or changed == text:
        print("\nNothing was written (--dry-run)." if dry_run else "")
        return
    # a link to the configuration stays a link
    with whole_file(file.resolve()) as part:
        part.write_text(changed, "utf-8", newline="")
        part.chmod(file.stat().st_mode & 0o7777)
    print(f"\n{file} is written.")


def _printable(line: str) -> str:
    """A line of a file for the terminal: its indentation kept, control characters dropped."""
    return line[: len(line) - len(line.lstrip(" "))] + "".join(c for c in line.lstrip(" ") if c.isprintable())


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


class _Progress:
    """Says on a terminal how far a read has come, once it takes more than two seconds."""

    def __init__(self, path: str) -> None:
        self._path = os.path.basename(os.path.normpath(path))
        self._clock: Callable[[], float] = time.monotonic
        self._next = self._clock() + 2
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._terminal or self._clock() < self._next:
            return
        self._next = self._clock() + 0.5
        self._shown = True
        print(f"\r{shown(self._path)}: {_bytes(done)} of {_bytes(total)}\033[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
