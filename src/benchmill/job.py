"""What every job of the workflow does around its one library call: errors told well, origins noted."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from benchmill.errors import UserError
from benchmill.schema import made_from


class _WithoutPandas(MetaPathFinder):
    """Says that pandas is not installed.

    pyarrow imports pandas, where it is installed, when it first makes an array: that takes as long as the rest of the start of a
    job, and no job uses it.
    """

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("the jobs of benchmill do without pandas", name=fullname)


sys.meta_path.insert(0, _WithoutPandas())


@contextmanager
def job(snakemake: Any) -> Iterator[None]:
    """Run the body of a rule's script.

    A `UserError` ends the job with its message alone, on the terminal and in the rule's log; any other
    exception with its traceback in both. The log is there, empty, when all went well.

    Parameters
    ----------
    snakemake : snakemake.script.Snakemake
        The object that Snakemake gives a script.
    """
    log = Path(snakemake.log[0])
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except UserError as error:
        log.write_text(f"{error}\n", encoding="utf-8")
        print(f"\nbenchmill: {error}\n", file=sys.stderr)
        sys.exit(1)
    except Exception:
        log.write_text(traceback.format_exc(), encoding="utf-8")
        raise
    log.write_text("", encoding="utf-8")


def origin(snakemake: Any, known: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What the outputs of a job are made from: digests of its inputs, and its settings.

    The parameters `code`, `files` and `sha256` are there to tell Snakemake when to run again; what they stand for
    is in the version and in the digests. Digests that are `known`, by the paths of their inputs, are not taken again.
    """
    settings = {name: value for name, value in snakemake.params.items() if name not in ("code", "files", "sha256")}
    return made_from([str(path) for path in snakemake.input], settings, known)
