"""Notes of what files were made from, which stand beside them among the results.

Snakemake remembers in `.snakemake` what it made files from. A clone or a copy of `results` comes without that memory, and a file
can be replaced behind its back. So each job leaves a note below `origins` of its results (`catalogue.origin`): a
digest of what was asked of it (its settings and its code), one of all that it read, and one of each file that it wrote.
`benchmill.workflow.up_to_date` holds the notes against what is asked for when a run is planned.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmill.core.storage import below_results, digest
from benchmill.core.whole_file import write_text

#: The folder of notes, in that of a study or in `results`.
FOLDER = "origins"


@dataclass(frozen=True)
class Note:
    """Note of a job.

    Attributes
    ----------
    asked : str
        Digest of settings and code.
    read : str
        Digest of the digests of all that was read, in order.
    made : mapping
        The digest of each file, by its path below the folder of the study, or below `results`.
    """

    asked: str
    read: str
    made: Mapping[str, str]


def of_all(digests: Iterable[str]) -> str:
    """Return one digest of several."""
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()


def of_record(path: str | Path) -> str:
    """Return the digest of a record, which is not there before anything was added to it."""
    return digest(path) if os.path.exists(path) else ""


def write(path: str | Path, asked: str, read: Iterable[str], outputs: Iterable[str | Path]) -> None:
    """Write the note of a job that has written its outputs; `read` are the digests of all that it read."""
    made = {below(path, output): digest(output) for output in outputs}
    write_text(path, json.dumps({"asked": asked, "read": of_all(read), "made": made}, indent=1) + "\n")


def below(note: str | Path, path: str | Path) -> str:
    """Return the path of a file below the folder that has the notes."""
    of_study = below_results(note)[1:2] == (FOLDER,)
    return "/".join(below_results(path)[of_study:])


def read(path: str | Path) -> Note | None:
    """Return the note at a path; None where there is none that can be read."""
    try:
        said = json.loads(Path(path).read_bytes())
        made = {str(name): str(sha256) for name, sha256 in said["made"].items()}
        return Note(str(said["asked"]), str(said["read"]), made)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
