"""The command `benchmill`, which collects the commands of the rooms."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from benchmill import __version__
from benchmill.core import UserError
from benchmill.text.commands import CLEAN, INTERRUPTED, REFUSED, Command

#: Modules with commands, in the order of the help; a room that was taken away has none.
_MODULES = (
    *("workflow.commands", "notebook.commands", "why.commands"),
    *("deposits.commands", "versions.commands", "competition.commands"),
)
_GROUPS = {
    "background": {
        "help": "make one small file from many logs, to compare with them without having them",
        "description": "A background is a source like any other: trials, and how many evaluations they took to reach some "
        "targets.",
    }
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
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
    """Be the process of the command, which ends without waiting for Arrow's threads: now and then one aborts it at its end."""
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _commands() -> Iterator[Command]:
    for name in _MODULES:
        if (Path(__file__).parent / name.split(".")[0]).is_dir():
            yield from (one for one in vars(import_module(f"benchmill.{name}")).values() if isinstance(one, Command))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmill", description="From raw solver logs to the figures, tables and verdicts of a benchmarking paper."
    )
    parser.add_argument("--version", action="version", version=f"benchmill {__version__}")
    groups: dict[str, Any] = {"": parser.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    for one in _commands():
        group, _, word = one.name.rpartition(" ")
        if group not in groups:
            within = groups[""].add_parser(group, **_GROUPS[group])
            groups[group] = within.add_subparsers(title="commands", metavar="COMMAND", required=True)
        command = groups[group].add_parser(word, **one.texts)
        for names, settings in one.arguments:
            command.add_argument(*names, **settings)
        command.set_defaults(run=one.run)
    return parser
