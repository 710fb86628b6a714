"""The command `benchmill`: looks at raw logs before they enter a study."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmill import __version__
from benchmill.errors import UserError
from benchmill.labels import shown

CLEAN, REPAIRED, REFUSED, INTERRUPTED = 0, 1, 2, 130

_MANY = 3
_LONG = 100


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmill", description="From raw solver logs to the figures, tables and verdicts of a benchmarking paper."
    )
    parser.add_argument("--version", action="version", version=f"benchmill {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_inspect(commands)
    return parser


# ---- inspect --------------------------------------------------------------------------------------------------------


def _add_inspect(commands: Any) -> None:
    inspect = commands.add_parser(
        "inspect",
        help="read logs and say what is in them",
        description="Read folders, archives or tables of raw logs; say what is in them, what is missing and what had to be "
        "repaired; and print the entry for `sources:` in config.yaml. Nothing is written.",
        epilog="exit codes: 0 all trials are there and nothing was repaired; 1 read, with repairs, refusals of parts, or missing "
        "or unfinished trials; 2 a source cannot be read",
    )
    inspect.add_argument("paths", nargs="+", metavar="PATH", help="folder, archive (.tar, .tgz, .tar.xz, .zip, ...), or table")
    inspect.add_argument("--json", action="store_true", help="print the reports as a JSON array")
    inspect.add_argument("--format", metavar="F", help="take the format F instead of recognising it")
    inspect.add_argument("--name", metavar="N", help="name of the source in the study (one PATH only)")
    inspect.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="option of the source as in config.yaml, in YAML: -o 'columns={algorithm: solver, cost: time}'; can be repeated",
    )
    inspect.add_argument("--all", action="store_true", help="show every missing trial and every irregularity, not the first few")
    inspect.set_defaults(run=_inspect)


def _inspect(options: argparse.Namespace) -> int:
    from benchmill import readers

    if options.name and len(options.paths) > 1:
        raise UserError(f"--name: one name is given for {len(options.paths)} paths; inspect them one by one, or leave it out.")
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
                reports.append({"path": os.path.basename(os.path.normpath(path)), "error": str(error)})
                print(f"benchmill: {error}", file=sys.stderr)
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


def _options(given: list[str]) -> dict[str, Any]:
    import yaml

    chosen: dict[str, Any] = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals:
            raise UserError(f"--option: {item!r} has no `=`; expected KEY=VALUE.")
        try:
            chosen[key.strip()] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise UserError(
                f"--option: the value of {key!r} is not YAML; expected for example `-o 'columns={{cost: time}}'`."
            ) from None
    return chosen


def _verdict(report: dict[str, Any]) -> int:
    trials = report["trials"]
    changed = any(entry["outcome"] != "noted" for entry in report["irregularities"])
    return REPAIRED if changed or trials["missing"] or trials["ill_finalised"] else CLEAN


def _show(
    report: dict[str, Any], path: str, options: dict[str, Any], format: str | None, seconds: float, limit: int | None
) -> None:
    trials, budget, rows = report["trials"], report["budget"], report["rows"]
    print(f"{shown(report['path'])}: {report['format']}, {_bytes(report['bytes'])}, read in {seconds:.1f} s")
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
        print(f"\n{entry['outcome']}: {entry['rule']}, {entry['count']} times. {entry['meaning']}")
        _some([_place(e) for e in entry["examples"]], limit, len(entry["examples"]))
        if entry["cut"]:
            print(f"  (only the first {len(entry['examples'])} were kept)")
    print("\nEntry for `sources:` of a study in config.yaml:\n")
    print(_entry(report, path, options, format))


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


def _entry(report: dict[str, Any], path: str, options: dict[str, Any], format: str | None) -> str:
    import yaml

    entry: dict[str, Any] = {"path": path, "name": report["source"]}
    if format or report["format"] == "table":
        entry["format"] = report["format"]
    entry |= options
    return str(yaml.safe_dump([entry], sort_keys=False, allow_unicode=False, width=10_000, default_flow_style=None)).rstrip()


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
