"""The commands that a study begins with: a new folder, and a look at logs."""

from __future__ import annotations

import argparse
import copy
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

from benchmill.core.beside import ROOT
from benchmill.core.errors import UserError
from benchmill.core.options import Written
from benchmill.study import yaml_text
from benchmill.text import prose
from benchmill.text.commands import CLEAN, REFUSED, REPAIRED, declared, size_of
from benchmill.text.display import plural
from benchmill.text.labels import shown

if TYPE_CHECKING:
    from benchmill.readers.interface import Asked, Proposal

#: How many of a kind are shown, and questions asked.
MANY = 3


_LONG = 100
#: Seconds after which it is said what is being read.
_PATIENCE = 3.0


#: What a run leaves, should the folder of a clone have been run in.
_MADE = {"results", ".snakemake"}

#: Characters of a cell that are shown of a source that cannot be read yet.
_WIDEST = 24


@declared(__file__, "init")
def _init(options: argparse.Namespace) -> int:
    made = start(options.folder, "competition" if options.competition else "new")
    next_steps = (
        "config.yaml has the rules, entries/ has no entry yet.\n"
        "README.md says what to do first, and entries/README.md is for those who take part."
        if options.competition
        else "config.yaml is the study, data/ has its logs (a sample).\nMake its paper and report:\n\n"
        f"    cd {shown(shlex.quote(options.folder))} && snakemake --cores all"
    )
    print(f"{shown(options.folder)} is made, with {len(made)} files: {next_steps}")
    return CLEAN


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


def check_name(options: argparse.Namespace) -> None:
    """Raise if one name is given for several paths."""
    if options.name and len(options.paths) > 1:
        raise UserError(f"--name: one name is given for {len(options.paths)} paths; give them one by one, or leave it out.")


@declared(__file__, "inspect")
def _inspect(options: argparse.Namespace) -> int:
    from benchmill import readers
    from benchmill.readers.interface import Incomplete

    check_name(options)
    chosen = options_of(options.option)
    reports: list[Written] = []
    code = CLEAN
    for path in options.paths:
        begun = time.monotonic()
        slow = threading.Timer(_PATIENCE, print, [f"benchmill: reading {path} ..."], {"file": sys.stderr, "flush": True})
        slow.start()
        try:
            report = readers.examine(path, name=options.name, format=options.format, options=chosen)
        except UserError as error:
            code = REFUSED
            proposals, asked = (error.proposals, error.asked) if isinstance(error, Incomplete) else ((), None)
            given = {"path": path, "name": options.name, "format": options.format}
            entry = {key: value for key, value in given.items() if value} | chosen
            reports.append(
                {
                    "path": os.path.basename(os.path.normpath(path)),
                    "error": str(error),
                    "proposals": [{"entry": entry | p.options, "questions": list(p.questions)} for p in proposals],
                    "questions": [] if asked is None else list(asked.questions),
                }
            )
            # without what this command would show, which it shows
            told = re.sub(r" \(`benchmill inspect` shows its first rows.*\)\.$", ".", str(error), flags=re.DOTALL)
            print(f"benchmill: {told}", file=sys.stderr)
            if not options.json:
                _show_proposals(proposals, path, chosen, options)
                if asked:
                    _show_asked(asked, chosen)
            continue
        finally:
            slow.cancel()
        reports.append(report)
        code = max(code, verdict(report))
        if not options.json:
            if len(reports) > 1:
                print()
            _show(report, path, chosen, options.format, time.monotonic() - begun, None if options.all else MANY)
    if options.json:
        print(json.dumps(reports, indent=1, sort_keys=True))
    return code


def _show_proposals(proposals: Sequence[Proposal], path: str, chosen: Written, options: argparse.Namespace) -> None:
    """Print how an entry could say for the source to be read, and what is then read."""
    from benchmill import readers

    for number, proposal in enumerate(proposals, 1):
        print(
            f"Proposal {number} of {len(proposals)}. Check it before you use it." if number > 1 else "It can be read like this."
        )
        given = {**chosen, **proposal.options}
        format = given.pop("format", options.format)
        report = readers.examine(path, name=options.name, format=format, options=given)
        _show(report, path, given, format, None, None if options.all else MANY)
        print("".join(f"\nCheck: {shown(question)}\n" for question in proposal.questions))


def _show_asked(asked: Asked, chosen: Written) -> None:
    """Print the first rows of a source that cannot be read yet, and what only its owner can know."""
    from benchmill.readers.interface import in_yaml

    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*asked.rows, strict=True)] if asked.rows else []
    for row in asked.rows:
        print(_cut("  " + "  ".join(map(str.ljust, (shown(cell)[:_WIDEST] for cell in row), widths)).rstrip(), MANY))
    if asked.options:
        print(f"\nIts names suggest this much of its entry in `sources:`:\n\n{in_yaml(chosen | asked.options)}")
    print("\nWhat only you can know:\n")
    print("\n".join(f"{number}. {shown(question)}" for number, question in enumerate(asked.questions[:MANY], 1)))


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


def verdict(report: Written) -> int:
    """Return the exit code that an ingest report asks for."""
    trials = report["trials"]
    changed = any(entry["outcome"] != "noted" for entry in report["irregularities"])
    return REPAIRED if changed or trials["missing"] or trials["ill_finalised"] else CLEAN


def _show(report: Written, path: str, options: Written, format: str | None, seconds: float | None, limit: int | None) -> None:
    from benchmill import readers
    from benchmill.readers.interface import in_yaml, place

    entry = source_entry(report, path, report["source"], options, format)
    facts: Written = {
        "report": report,
        "seconds": seconds,
        "limit": limit,
        "entry": in_yaml([entry]),
        "whole": _whole(report, entry),
    }
    print(prose.whole(__file__, **facts, items=items, cut=_cut, place=place, size_of=size_of), end="")
    asked = len(report["checks"])
    for proposal in report["proposals"]:
        questions = proposal["questions"][: None if limit is None else max(limit - asked, 0)]
        asked += len(proposal["questions"])
        if questions:
            print("\nIt may have to be read otherwise, which only you can know.\n")
            print("".join(f"Check: {shown(question)}\n\n" for question in questions), end="")
        if questions and proposal["options"]:
            print("If so, this is what to write, and what is read then:\n")
            given = options | proposal["options"]
            again = readers.examine(path, name=report["source"], format=report["format"], options=given)
            # what else is open is asked of the first reading
            new = [check for check in again["checks"] if check not in report["checks"]]
            again |= {"checks": new[: None if limit is None else max(limit - asked, 0)], "proposals": []}
            asked += len(new)
            _show(again, path, given, format, None, limit)
    if limit is not None and asked > limit:
        print(f"\n... and {plural(asked - limit, 'more question')} (--all shows them)")


def items(given: list[Any], limit: int | None) -> str:
    """List the first few, and the last."""
    texts = [shown(str(item)) for item in given]
    if limit is not None and len(texts) > 4 * limit:
        return f"{', '.join(texts[: 2 * limit])}, ... {texts[-1]}"
    return ", ".join(texts)


def _cut(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) <= _LONG else f"{text[:_LONG]}..."


def _whole(report: Written, entry: Written) -> str:
    """Return the configuration that fits a source, a study for each group of algorithms; empty where the defaults do."""
    from benchmill.readers.interface import in_yaml

    name, rest = report["source"], {"sources": [entry], **(report["study"] or {})}
    apart = {
        f"{name}_{group}": {"algorithms": {"only": chosen}, **copy.deepcopy(rest)} for group, chosen in report["apart"].items()
    }
    studies = {_study_name(key): study for key, study in (apart or {name: rest}).items()}
    return in_yaml({"studies": studies}) if report["study"] else ""


def _study_name(source: str) -> str:
    """Return a name that a study can have."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", source).lstrip("0123456789_-")
    return name if name and name not in ("paper", "reproduction") else f"study_{name}".rstrip("_")


def source_entry(report: Written, path: str, name: str | None, options: Written, format: str | None) -> Written:
    """Return the entry of `sources:`, with the format where it would not be recognised or was asked for."""
    is_needed = format or report["format"] == "table"
    entry = {"path": path, "name": name, "format": report["format"] if is_needed else None}
    return {key: value for key, value in entry.items() if value} | options
