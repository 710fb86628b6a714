"""The commands of a study: begin one, look at logs, fetch, add and remove sources, make a background from them."""

from __future__ import annotations

import argparse
import copy
import difflib
import json
import os
import re
import shlex
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml

from benchmill import archives
from benchmill.archives.listings import is_name, parsed
from benchmill.core import Given, UserError, Written, shown
from benchmill.core.beside import ROOT
from benchmill.core.whole_file import whole_file
from benchmill.registry.archives import ARCHIVES
from benchmill.study import elsewhere, yaml_text
from benchmill.text import prose
from benchmill.text.commands import CLEAN, REFUSED, REPAIRED, Progress, declared, size_of
from benchmill.text.display import plural
from benchmill.text.labels import line

if TYPE_CHECKING:
    from benchmill.readers.interface import Proposal
    from benchmill.study.sources import Source
    from benchmill.study.study import Study

#: How many of a kind are shown, and questions asked.
_MANY = 3
#: Seconds after which it is said what is being read.
_PATIENCE = 3.0
#: What a run leaves, should the folder of a clone have been run in.
_MADE = {"results", ".snakemake"}
#: Characters of a cell that are shown of a source that cannot be read yet.
_WIDEST = 24


@declared(__file__, "init")
def _init(options: argparse.Namespace) -> int:
    n = len(start(options.folder, "competition" if options.competition else "new"))
    _print("Begun", folder=options.folder, n=n, competition=options.competition, quoted=shlex.quote(options.folder))
    return CLEAN


def _print(part: str, **facts: Any) -> None:
    """Print a part of the template."""
    print(prose.whole(__file__, part, **facts, many=_MANY, size_of=size_of).rstrip("\n"))


def start(folder: str | Path, template: str = "new") -> list[str]:
    """Make a folder with everything that a study needs: configuration, Snakefile, profiles, a few small logs.

    Raises
    ------
    UserError
        If there is something already, or the folder cannot be written. What was there stays as it was.
    """
    folder = Path(folder)
    name = shown(str(folder))
    made = []
    try:
        if there := min((path.name for path in (folder.iterdir() if folder.is_dir() else ())), default=""):
            raise UserError(f"{name}: the folder is not empty ({shown(there)} is there); give a new one.")
        if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
            raise UserError(f"{name}: this is a file, where a new folder was expected; give another name.")
        for path, inside in _files(template):
            copy = folder / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            # what is installed may be write-protected; the copy is the user's
            copy.chmod(path.stat().st_mode & 0o777 | 0o200)
            made.append(str(inside))
    except OSError as error:
        raise UserError(f"{name}: the study cannot be written there ({error.strerror}); give another folder.") from None
    return sorted(made)


def _files(template: str) -> Iterator[tuple[Path, PurePosixPath]]:
    if template != "new":
        # every folder runs the same workflow
        yield ROOT / "studies/new/Snakefile", PurePosixPath("Snakefile")
    for folder, inside in ((f"studies/{template}", ""), ("profiles", "profiles")):
        source = ROOT / folder
        for path in sorted(source.rglob("*")):
            below = path.relative_to(source)
            if path.is_file() and not _MADE & set(below.parts):
                yield path, PurePosixPath(inside, below.as_posix())


def _examined(path: Any, name: str | None, format: str | None, options: Given) -> Written:
    """Return the report of a source, read as an entry of a study would be."""
    from benchmill import readers

    return readers.examine(path, name=name, format=format, options=options)


def _check_name(options: argparse.Namespace) -> None:
    """Raise if one name is given for several paths."""
    if options.name and len(options.paths) > 1:
        raise UserError(f"--name: one name is given for {len(options.paths)} paths; give them one by one, or leave it out.")


@declared(__file__, "inspect")
def _inspect(options: argparse.Namespace) -> int:
    from benchmill.readers.interface import in_yaml

    _check_name(options)
    chosen, limit = options_of(options.option), sys.maxsize if options.all else _MANY
    reports: list[Written] = []
    code = CLEAN
    for path in options.paths:
        begun = time.monotonic()
        slow = threading.Timer(_PATIENCE, print, [f"benchmill: reading {path} ..."], {"file": sys.stderr, "flush": True})
        slow.start()
        try:
            report = _examined(path, options.name, options.format, chosen)
        except UserError as error:
            code = REFUSED
            # what an `Incomplete` error has beside its words
            proposals, asked = getattr(error, "proposals", ()), getattr(error, "asked", None)
            entry = _entry(path, options.name, options.format, chosen)
            reports.append(
                {
                    "path": os.path.basename(os.path.normpath(path)),
                    "error": str(error),
                    "proposals": [{"entry": entry | p.options, "questions": list(p.questions)} for p in proposals],
                    "questions": list(asked.questions) if asked else [],
                }
            )
            # without what this command would show, which it shows
            told = re.sub(r" \(`benchmill inspect` shows its first rows.*\)\.$", ".", str(error), flags=re.DOTALL)
            print(f"benchmill: {told}", file=sys.stderr)
            if not options.json:
                _show_proposals(proposals, path, chosen, options, limit)
                if asked:
                    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*asked.rows, strict=True)]
                    cells = [["", *map(str.ljust, (shown(cell)[:_WIDEST] for cell in row), widths)] for row in asked.rows]
                    rows = ("  ".join(row).rstrip() for row in cells)
                    _print("Asked", rows=rows, asked=asked, entry=chosen | asked.options, in_yaml=in_yaml)
            continue
        finally:
            slow.cancel()
        reports.append(report)
        code = max(code, _verdict(report))
        if not options.json:
            if len(reports) > 1:
                print()
            _show(report, path, chosen, options.format, time.monotonic() - begun, limit)
    if options.json:
        print(json.dumps(reports, indent=1, sort_keys=True))
    return code


def _show_proposals(proposals: Sequence[Proposal], path: str, chosen: Written, options: argparse.Namespace, limit: int) -> None:
    """Print how an entry could say for the source to be read, and what is then read."""
    for number, proposal in enumerate(proposals, 1):
        print(
            f"Proposal {number} of {len(proposals)}. Check it before you use it." if number > 1 else "It can be read like this."
        )
        given = {**chosen, **proposal.options}
        format = given.pop("format", options.format)
        report = _examined(path, options.name, format, given)
        _show(report, path, given, format, None, limit)
        print("".join(f"\nCheck: {shown(question)}\n" for question in proposal.questions))


def options_of(given: list[str]) -> Written:
    """Return the options that were given as KEY=VALUE."""
    chosen: Written = {}
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


def _verdict(report: Written) -> int:
    """Return the exit code that an ingest report asks for."""
    trials = report["trials"]
    changed = any(entry["outcome"] != "noted" for entry in report["irregularities"])
    return REPAIRED if changed or trials["missing"] or trials["ill_finalised"] else CLEAN


def _show(report: Written, path: str, options: Written, format: str | None, seconds: float | None, limit: int) -> None:
    from benchmill.readers.interface import in_yaml, place

    entry = _source_entry(report, path, report["source"], options, format)
    _print(
        "Inspected",
        report=report,
        seconds=seconds,
        limit=limit,
        whole=_whole(report, entry),
        entry=entry,
        in_yaml=in_yaml,
        place=place,
    )
    asked = len(report["checks"])
    for proposal in report["proposals"]:
        questions = proposal["questions"][: max(limit - asked, 0)]
        asked += len(proposal["questions"])
        if questions:
            print()
            _print("Otherwise", questions=questions, options=proposal["options"])
            print()
        if questions and proposal["options"]:
            given = options | proposal["options"]
            again = _examined(path, report["source"], report["format"], given)
            # what else is open is asked of the first reading
            new = [check for check in again["checks"] if check not in report["checks"]]
            again |= {"checks": new[: max(limit - asked, 0)], "proposals": []}
            asked += len(new)
            _show(again, path, given, format, None, limit)
    if asked > limit:
        print(f"\n... and {plural(asked - limit, 'more question')} (--all shows them)")


def _whole(report: Written, entry: Written) -> Written:
    """Return by name the studies that fit a source, one for each group of algorithms; none where the defaults do."""
    name, rest = report["source"], {"sources": [entry], **(report["study"] or {})}
    apart = {
        f"{name}_{group}": {"algorithms": {"only": chosen}, **copy.deepcopy(rest)} for group, chosen in report["apart"].items()
    }
    return {_study_name(key): study for key, study in (apart or {name: rest}).items()} if report["study"] else {}


def _study_name(source: str) -> str:
    """Return a name that a study can have."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", source).lstrip("0123456789_-")
    return name if name and name not in ("paper", "reproduction") else f"study_{name}".rstrip("_")


def _source_entry(report: Written, path: str, name: str | None, options: Written, format: str | None) -> Written:
    """Return the entry of `sources:`, with the format where it would not be recognised or was asked for."""
    return _entry(path, name, report["format"] if format or report["format"] == "table" else None, options)


def _entry(path: str, name: str | None, format: str | None, options: Written) -> Written:
    entry = {"path": path, "name": name, "format": format}
    return {key: value for key, value in entry.items() if value} | options


@declared(__file__, "fetch", forms="; ".join(one.form for one in ARCHIVES.values()))
def _fetch(options: argparse.Namespace) -> int:
    at = archives.store()
    for name in options.names:
        if not options.list and not parsed(name).wanted:
            raise UserError(f"{name}: it names a whole archive; write {parsed(name).of('*')} for all of it.")
    entries = list({one.name: one for name in options.names for one in archives.find(name, at, again=options.again)}.values())
    if options.list:
        _print("Listed", entries=entries, here=[archives.kept(entry, at).exists() for entry in entries])
        return CLEAN
    code = CLEAN
    for entry in entries:
        try:
            with Progress(entry.name) as progress:
                path = archives.fetch(entry, at, progress)
            print(path)
        except UserError as error:
            code = REFUSED
            print(f"benchmill: {error}", file=sys.stderr)
    return code


@declared(__file__, "add")
def _add(options: argparse.Namespace) -> int:
    from benchmill.study import algorithms

    _check_name(options)
    file = Path(options.config)
    text = yaml_text.text_of(file)
    chosen = options_of(options.option)
    # a study that has none yet is no study yet
    own = _written(text, file, options.study)
    before = None if isinstance(own, dict) and not own.get("sources") else study_of(text, file, options.study)
    sources = before.sources if before else ()
    held = {path.resolve(): source for source in sources for path in source.paths}
    holdings, unread, entries, code = [], [], [], CLEAN
    for source in sources:
        if before and (known := _read_before(source, before)) is not None:
            names: Sequence[str] = [name for name in known.values() if name]
        else:
            names = source.algorithms
            unread.append(source.name)
        holdings.append(algorithms.Holding(source.name, source.entry, source.format, names))
    for path in (one for given in options.paths for one in _each(given)):
        there = held.get(Path(path).resolve()) or next((s for s in sources if s.url and s.entry["path"] == path), None)
        if there:
            print(f"{shown(path)}: is already in {options.study}, as the source {there.name}")
            continue
        here, far = _fetched(path) if elsewhere.is_far(path) else (path, {})
        own = {**far.pop("options", {}), **chosen}
        report = _examined(here, options.name, options.format, own)
        entry = _source_entry(report, path if far else _from_folder(path, file), options.name, own, options.format)
        entries.append({**entry, "format": report["format"], **far} if far else entry)
        holdings.append(algorithms.Holding(report["source"], entries[-1], report["format"], report["algorithms"]))
        code = max(code, _verdict(report))
        _print("Added", report=report)
    if not entries:
        print("Nothing to add.")
        return code
    if clashes := algorithms.clashes(holdings):
        raise UserError(" ".join(f"{file.name}: studies.{options.study}.sources: {clash}" for clash in clashes))
    changed = with_sources(text, options.study, entries, file.name)
    after = study_of(changed, file, options.study).sources
    new = [source.name for source in after if not any(path.resolve() in held for path in source.paths)]
    print()
    _print("All added", study=options.study, unread=unread, n_before=len(sources), new=new, n_after=len(after))
    _write_change(file, text, changed, options.dry_run)
    return code


def _read_before(source: Source, study: Study) -> dict[str, str | None] | None:
    """Return by its name in the logs what the study calls each algorithm of a source; None if it was not read in this state."""
    from benchmill.core import storage
    from benchmill.readers.selection import OfStudy
    from benchmill.study import catalogue, results
    from benchmill.workflow import job, jobs

    at = {"study": study.name, "source": source.name}
    report, trials = (Path(catalogue.RESULTS[name].path.format(**at)) for name in ("ingest", "trials"))
    asked = jobs.reading(jobs.Job({study.name: study}, Path(), at))
    if not (report.exists() and trials.exists() and storage.origin_of(trials).get("settings", {}).get("options") == asked):
        return None
    report_read = results.read_report(report)
    if [job.digest_of(path) for path in source.paths if path.exists()] != [
        one["sha256"] for one in report_read.get("parts", [report_read])
    ]:
        return None
    return OfStudy(study.settings["algorithms"]).called_of(report_read["algorithms_in_logs"])


def _each(path: str) -> list[str]:
    """Return the names that a name in an archive stands for; a path or URL itself."""
    return [entry.name for entry in archives.find(path, archives.store())] if is_name(path) else [path]


def _fetched(path: str) -> tuple[str, Written]:
    """Fetch a source to where the workflow will look for it; return this, what its entry says of it, and its `options`."""
    from benchmill.workflow import remote

    ((entry, url),) = elsewhere.entries(path) if is_name(path) else [({}, path)]
    place = elsewhere.place(url)
    # what a source without a digest has there stays
    unknown = place.with_name(place.name + ".new")
    sha256 = remote.fetch(path, unknown, None, place.name)
    kept = elsewhere.place(url, sha256)
    kept.parent.mkdir(parents=True, exist_ok=True)
    os.replace(unknown, kept)
    print(f"{shown(path)}: is fetched, and kept as {shown(str(kept))}")
    options, cited = ({key: value for key, value in entry.items() if key == own} for own in ("algorithm", "citation"))
    return str(kept), {"options": options, **cited, "sha256": sha256, "size_mb": round(kept.stat().st_size / 1e6, 3) or 0.001}


@declared(__file__, "remove")
def _remove(options: argparse.Namespace) -> int:
    file = Path(options.config)
    text = changed = yaml_text.text_of(file)
    for wanted in options.sources:
        study = study_of(changed, file, options.study)
        source = next((one for one in study.sources if wanted in (one.name, one.shown)), None)
        if source is None:
            raise UserError(
                f"{options.study} has no source {wanted!r}; its sources are {', '.join(one.name for one in study.sources)}."
            )
        listed = _listed(changed, options.study, file.name)
        paths = [", ".join(one.get("parts") or [one["path"]]) if isinstance(one, dict) else one for one in listed]
        if source.shown in paths:
            changed = without_source(changed, options.study, paths.index(source.shown), file.name)
            print(f"{options.study}: the source {source.name} ({shown(source.shown)}) is taken out.")
            continue
        held = _read_before(source, study)
        if held is None:
            held = _examined(source.paths, None, source.format, source.options)["algorithms_in_logs"]
        names = [name for name, called in held.items() if called]
        chosen = yaml_text.read(changed, file.name)["studies"][options.study].get("algorithms") or {}
        left = [name for name in chosen.get("only") or () if name not in names]
        kept = {"only": left} if chosen.get("only") else {"except": list(dict.fromkeys([*(chosen.get("except") or ()), *names]))}
        changed = with_setting(changed, options.study, "algorithms", {**chosen, **kept}, file.name)
        print(f"{options.study}: {', '.join(map(shown, names))} of the source {source.name} ({shown(source.shown)}) is left out.")
    _write_change(file, text, changed, options.dry_run)
    return CLEAN


@declared(__file__, "background make")
def _background(options: argparse.Namespace) -> int:
    from benchmill.workflow import background

    file = Path(options.config)
    name = options.sources[0]
    if len(options.sources) == 1 and file.is_file() and not Path(name).exists() and re.fullmatch(r"[\w.-]+", name):
        study = study_of(yaml_text.text_of(file), file, name)
    else:
        wanted = json.dumps({"studies": {"background": {"sources": [one for path in options.sources for one in _each(path)]}}})
        study = study_of(wanted, Path("background"), "background")
    try:
        more = [float(text) for text in (options.targets or "").split(",") if text.strip()]
    except ValueError as error:
        raise UserError(f"--targets: {error}; expected numbers with commas, such as 10,1,1e-7.") from None
    targets = sorted({*background.targets_of(study), *more}, reverse=True)
    path = Path(options.output)
    background.make(study, targets, path, lambda source: print(f"reading {shown(source)}", file=sys.stderr))
    print(f"{shown(str(path))}: {len(study.sources)} sources, {len(targets)} targets, {size_of(path.stat().st_size)}")
    return CLEAN


def study_of(text: str, file: Path, study: str) -> Study:
    """Return the study as the workflow would see it; all mistakes in the configuration are reported."""
    from benchmill.study.study import read_studies

    return read_studies(
        {"studies": {study: _written(text, file, study)}},
        [file.parent, Path()],
        # names of figures are the workflow's to check
        figures_of=lambda parsed: parsed.settings["figures"],
        where=file.name,
    )[study]


def _written(text: str, file: Path, study: str) -> Any:
    content = yaml_text.read(text, str(file))
    studies = content.get("studies") if isinstance(content, dict) else None
    if not isinstance(studies, dict) or study not in studies:
        known = ", ".join(studies) if isinstance(studies, dict) else ""
        raise UserError(f"{file}: there is no study {study!r}; it has {known or 'none'}.")
    return studies[study]


def _from_folder(path: str, file: Path) -> str:
    """Write a path from the configuration's folder, unless it is absolute and leads elsewhere."""
    folder, full = file.resolve().parent, Path(os.path.abspath(path))
    return str(full) if Path(path).is_absolute() and not full.is_relative_to(folder) else os.path.relpath(full, folder)


def with_sources(text: str, study: str, entries: Sequence[Given], where: str) -> str:
    """Return a configuration with entries at the end of the `sources` of a study, which has some; errors as `with_setting`."""
    listed = _listed(text, study, where)
    written = [entry["path"] if set(entry) == {"path"} else dict(entry) for entry in entries]
    node = _node(text, study, "sources")
    if not isinstance(node, yaml.SequenceNode) or node.flow_style:
        return with_setting(text, study, "sources", [*listed, *written], where)
    dash = text.rindex("-", 0, node.value[0].start_mark.index)
    indent = " " * (dash - text.rfind("\n", 0, dash) - 1)
    changed = _below(text, node, [f"{indent}- {_flow(one)}" for one in written])
    return _unharmed(text, changed, study, "sources", [*listed, *written], where)


def without_source(text: str, study: str, number: int, where: str) -> str:
    """Return a configuration without an entry of the `sources` of a study; errors as `with_setting`."""
    left = [entry for at, entry in enumerate(_listed(text, study, where)) if at != number]
    if not left:
        raise UserError(f"{where}: it is the only source of studies.{study}, which needs one; remove the study instead.")
    node = _node(text, study, "sources")
    if not isinstance(node, yaml.SequenceNode) or node.flow_style:
        return with_setting(text, study, "sources", left, where)
    item = node.value[number]
    start = text.rfind("\n", 0, text.rindex("-", 0, item.start_mark.index)) + 1
    end = text.find("\n", _end(item)) + 1 or len(text)
    return _unharmed(text, text[:start] + text[end:], study, "sources", left, where, comments=text.count("#", start, end))


def with_setting(text: str, study: str, key: str, value: Any, where: str) -> str:
    """Return a configuration with a setting of a study on one line, in place of what it was or at the end of the study.

    Raises
    ------
    UserError
        The text is written in a way (anchors, comments within a list on one line) that cannot be changed without harm.
    """
    node, of_study = _node(text, study, key), _node(text, study)
    changed = text
    if node is not None:
        start = node.start_mark.index
        changed = text[:start] + " " * (text[start - 1] == ":") + _flow(value) + text[_end(node) :]
    elif isinstance(of_study, yaml.MappingNode) and not of_study.flow_style:
        changed = _below(text, of_study, [f"{' ' * of_study.start_mark.column}{key}: {_flow(value)}"])
    return _unharmed(text, changed, study, key, value, where)


def _below(text: str, node: Any, lines: Sequence[str]) -> str:
    """Return a text with lines below a node."""
    newline = "\r\n" if "\r\n" in text else "\n"
    end = text.find("\n", _end(node)) + 1 or len(text)
    before = text[:end] if text[end - 1] == "\n" else text[:end] + newline
    return before + "".join(one + newline for one in lines) + text[end:]


def _listed(text: str, study: str, where: str) -> list[Any]:
    sources = yaml_text.read(text, where)["studies"][study].get("sources") or []
    return sources if isinstance(sources, list) else [sources]


def _node(text: str, study: str, *keys: str) -> Any:
    """Return the node of a study, or of a key in it; None if it is absent, or merged from elsewhere."""
    node: Any = yaml.compose(text, yaml.SafeLoader)
    for key in ("studies", study, *keys):
        node = node and next((value for name, value in node.value if name.value == key), None)
    return node


def _unharmed(text: str, changed: str, study: str, key: str, value: Any, where: str, comments: int = 0) -> str:
    """Return a changed text where nothing but a setting has changed, and no more comments have gone."""
    expected = yaml_text.read(text, where)
    expected["studies"][study][key] = value
    try:
        read_back = yaml_text.read(changed, where)
    except UserError:
        read_back = None
    if read_back != expected or changed.count("#") < text.count("#") - comments:
        raise UserError(
            f"{where}: studies.{study} is written in a way that cannot be changed without harm; change its `{key}:` yourself, "
            f"to {_flow(value)}."
        )
    return changed


def _flow(value: Any) -> str:
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1_000_000, default_flow_style=True)
    return text.removesuffix("...\n").strip()


def _end(node: Any) -> int:
    """Return the position after the last character of a node; marks lie after comments that follow."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _write_change(file: Path, text: str, changed: str, dry_run: bool) -> None:
    difference = difflib.unified_diff(text.splitlines(), changed.splitlines(), file.name, file.name, lineterm="", n=1)
    print("\n".join(["", *map(line, difference)]))
    if dry_run or changed == text:
        print("\nNothing was written (--dry-run)." if dry_run else "")
        return
    # a link to the configuration stays a link
    with whole_file(file.resolve()) as part:
        part.write_text(changed, "utf-8", newline="")
        part.chmod(file.stat().st_mode & 0o7777)
    print(f"\n{file} is written.")
