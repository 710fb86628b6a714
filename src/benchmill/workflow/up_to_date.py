"""Which results are what is asked for now, told by what they were made from.

A file counts as made where the note of its job (`benchmill.workflow.origins`) says what the job would write now, where the file
is still the one that was written, and where that holds for all that was read too. No time of a file and no memory of a
folder has a say in it: a copy of `results` alone is as good as the folder where they were made.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.core.storage import digest
from benchmill.core.whole_file import write_text
from benchmill.workflow import origins, plan, watched
from benchmill.workflow.origins import Note
from benchmill.workflow.plan import Job
from benchmill.workflow.study import Study

#: Digests of results that planning took, with which file it was; it can be deleted at any time.
_KEPT = Path(".snakemake/benchmill-results.json")

#: What a job is told for its messages alone: the entry of a source says where that is, which must not matter.
_FOR_MESSAGES = ("without", "entries")


class UpToDate:
    """Results that stand there, held against what is asked for.

    Parameters
    ----------
    studies : mapping of str to Study
    root : Path
        As of `plan.Job`.
    code : callable
        From the name of a script, and modules, to a digest of the code.
    moved : callable
        From a path of the plan to where the file is; another workflow that uses this one may have its results elsewhere.
    """

    def __init__(
        self,
        studies: Mapping[str, Study],
        root: Path,
        code: Callable[..., str],
        moved: Callable[[str], str] = str,
    ) -> None:
        self._studies, self._root, self._code, self.moved = studies, root, code, moved
        self._made_by = plan.made_by(studies, root)
        self._urls = {str(path): one for study in studies.values() for one in study.sources if one.url for path in one.paths}
        self._asked: dict[tuple[str, ...], str] = {}
        self._notes: dict[tuple[str, ...], Note | None] = {}
        self._kept: dict[str, tuple[list[int], str]] | None = None

    def asked(self, step: str, job: Job) -> str:
        """Digest of what is asked of a job: the values of its parameters, and its code."""
        key = _key(step, job)
        if key not in self._asked:
            declared = plan.STEPS[step]
            values = {name: value(job) for name, value in declared.parameters.items() if name not in _FOR_MESSAGES}
            code = self._code(declared.script or step, *declared.modules(job))
            self._asked[key] = hashlib.sha256(json.dumps([step, code, values], default=repr).encode()).hexdigest()
        return self._asked[key]

    def note(self, step: str, job: Job) -> Note | None:
        """Return the note of a job, if what stands there is what the job would write; None where it is not, or cannot be told."""
        key = _key(step, job)
        if key not in self._notes:
            self._notes[key] = self._judged(step, job)
        return self._notes[key]

    def whole(self, path: str) -> bool:
        """Return True if all files are there that the job makes which makes this one; no job of the plan makes a download."""
        if path not in self._made_by:
            return os.path.exists(path)
        step, job = self._made_by[path]
        return all(os.path.exists(self.moved(one)) for one in plan.STEPS[step].made(job))

    def _judged(self, step: str, job: Job) -> Note | None:
        declared, at = plan.STEPS[step], _origin(step, job)
        note, outputs = origins.read(self.moved(at)), declared.made(job)
        if note is None or note.asked != self.asked(step, job) or {*note.made} != {origins.below(at, path) for path in outputs}:
            return None
        for path in outputs:
            where = self.moved(path)
            # what is lost is made again where it is needed, and is the same then
            if os.path.exists(where) and self._digest(where) != note.made[origins.below(at, path)]:
                return None
        found = [self._of_input(path) for path in declared.read(job)]
        known = [one for one in found if one is not None] + [origins.of_record(path) for path in declared.records(job)]
        return note if None not in found and origins.of_all(known) == note.read else None

    def _of_input(self, path: str | Path) -> str | None:
        """Return the digest of what a job reads; None where that is not what it should be, or cannot be told yet."""
        if path in self._made_by:
            step, job = self._made_by[str(path)]
            note = self.note(step, job)
            return note.made[origins.below(_origin(step, job), path)] if note else None
        # what was fetched may have been thrown away since; it can be told where the configuration says what it is
        source = self._urls.get(str(path))
        if source is not None and not os.path.exists(path):
            return source.sha256.lower() if source.sha256 else None
        return watched.digests_or_why([path])[0]

    def _digest(self, path: str) -> str | None:
        """SHA-256 of a result, taken where another file stands there than when it was last taken; None if it cannot be read."""
        if self._kept is None:
            kept_in = _KEPT.absolute()
            self._kept = _kept(kept_in)
            atexit.register(_keep, self._kept, kept_in)
        try:
            state = os.stat(path)
            is_now = [state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
            if path not in self._kept or self._kept[path][0] != is_now:
                self._kept[path] = is_now, digest(path)
        except OSError:
            return None
        return self._kept[path][1]


def _key(step: str, job: Job) -> tuple[str, ...]:
    return step, *(value for _, value in sorted(job.wildcards.items()))


def _origin(step: str, job: Job) -> str:
    return plan.origin(step).format(**job.wildcards)


def _kept(path: Path) -> dict[str, tuple[list[int], str]]:
    try:
        return {file: (list(state), str(sha256)) for file, (state, sha256) in json.loads(path.read_bytes()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(kept: Mapping[str, tuple[Sequence[int], str]], path: Path) -> None:
    """Keep digests for the next run, but those of files that changed a moment before: clocks of file systems tick slowly."""
    settled = {file: entry for file, entry in kept.items() if entry[0][-1] < time.time_ns() - watched.TICK_NS}
    if settled != _kept(path):
        # a disk that must not be written is the jobs' matter
        with suppress(UserError, OSError):
            write_text(path, json.dumps(settled))
