"""Which results are up to date, judged by what they were made from, and what a run has changed in comparisons.

Results in a remote storage are judged by their notes alone: to look whether they are still those that were written they would all
have to be fetched.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from benchmill import readers
from benchmill.core import Given, UserError, Written, storage, whole_file
from benchmill.readers.selection import OfStudy
from benchmill.study import catalogue
from benchmill.study.catalogue import Wildcards
from benchmill.study.study import Study
from benchmill.text import prose
from benchmill.workflow import job

#: What a job is told for its messages alone: the entry of a source says where that is, which must not matter.
_FOR_MESSAGES = ("without", "entries")

#: What was compared, as the last run has left it that ended well; it can be deleted at any time, and the next run says nothing.
COMPARED = Path(".snakemake/benchmill-compared.json")

Key = tuple[str, ...]
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Declared:
    """A rule as it has been read.

    Attributes
    ----------
    name : str
        The rule, as `benchmill.study.catalogue` names it.
    inputs : sequence of callable
        From wildcards to paths.
    parameters : mapping
        By name values, or functions of wildcards.
    """

    name: str
    inputs: Sequence[Callable[[Any], Any]]
    parameters: Given

    def read(self, wildcards: Wildcards) -> list[str | Path]:
        """Return all that a job reads, in order, but its records."""
        given = [getattr(function, "raw", function)(wildcards) for function in self.inputs if callable(function)]
        return [path for value in given for path in ([value] if isinstance(value, str | Path) else value)]

    def files(self, wildcards: Wildcards) -> list[str]:
        """Return the digests of what a job reads but no job makes, or why there are none."""
        return job.digests_or_why(path for path in self.read(wildcards) if isinstance(path, Path))

    def value(self, name: str, wildcards: Wildcards) -> Any:
        """Return the value of a parameter."""
        value = self.parameters.get(name)
        return value(wildcards) if callable(value) else value


def first_look(path: Path, format: str | None, code: str) -> readers.interface.Found:
    """Return what a first look says about a source, as kept from when the same code looked at the same file.

    To look into an archive is to unpack it, which every start of Snakemake would do to all of them.
    """
    known = json.dumps([job.digests_or_why([path]), str(path), format, code])
    note = job.KEPT / f"{hashlib.sha256(known.encode()).hexdigest()}.look"
    with contextlib.suppress(OSError, ValueError, TypeError):
        kept, *names = json.loads(note.read_bytes())
        return readers.interface.Found(kept, tuple(names))
    look = readers.sniff(path, format)
    # where the disk must not be written it is told again
    with contextlib.suppress(UserError):
        whole_file.write_text(note, json.dumps([look.format, *look.algorithms]))
    return look


class UpToDate:
    """Existing results, compared with what is requested."""

    def __init__(
        self,
        studies: Mapping[str, Study],
        moved: Callable[[str], str],
        rules: dict[str, Declared],
        remote: Callable[[str], Any] | None = None,
    ) -> None:
        self._studies, self.moved, self.rules, self._remote = studies, moved, rules, remote
        self._urls = {str(path): one for study in studies.values() for one in study.sources if one.url for path in one.paths}
        self._asked: dict[Key, str] = {}
        self._notes: dict[Key, job.Note | None] = {}
        self._digest = cache(_digest)

    def asked(self, declared: Declared, wildcards: Wildcards) -> str:
        """Return a digest of what is asked of a job: the values of its parameters, its code among them."""
        key = self._key(declared, wildcards)
        if key not in self._asked:
            # what the study calls its algorithms matters by what it does to those of a log, which the note of its reading says
            left_out = (*_FOR_MESSAGES, "names")
            values = {name: declared.value(name, wildcards) for name in declared.parameters if name not in left_out}
            self._asked[key] = hashlib.sha256(json.dumps([declared.name, values], default=repr).encode()).hexdigest()
        return self._asked[key]

    def note(self, declared: Declared, wildcards: Wildcards) -> job.Note | None:
        """Return the note of a job, if what is there is what it would write."""
        key = self._key(declared, wildcards)
        if key not in self._notes:
            self._notes[key] = self._judged(declared, wildcards)
        return self._notes[key]

    def made(self, declared: Declared, wildcards: Wildcards) -> list[str]:
        """Return the files that a job makes."""
        of_job = self._of_job(declared, wildcards)
        return catalogue.made(declared.name, self._studies.get(of_job.get("study", "")), of_job)

    def whole(self, path: str) -> bool:
        """Return True if all files of the job that makes this one are there."""
        if path not in self._made_by:
            return self.exists(path) if path in self._urls else os.path.exists(path)
        rule, wildcards = self._made_by[path]
        return all(map(self.exists, catalogue.made(rule, self._studies.get(wildcards.get("study", "")), wildcards)))

    def exists(self, path: str) -> bool:
        """Return True if a result or a download is there."""
        return os.path.exists(self.moved(path)) if self._remote is None else bool(self._remote(path).exists())

    @cached_property
    def _made_by(self) -> dict[str, tuple[str, Wildcards]]:
        return catalogue.makers(self._studies)

    def _of_job(self, declared: Declared, wildcards: Wildcards) -> dict[str, str]:
        given = dict(wildcards.items())
        study = given.get("study") or declared.value("study", wildcards)
        return {**given, "study": study} if study else given

    def _key(self, declared: Declared, wildcards: Wildcards) -> Key:
        return declared.name, *(value for _, value in sorted(self._of_job(declared, wildcards).items()))

    def _judged(self, declared: Declared, wildcards: Wildcards) -> job.Note | None:
        at = catalogue.origin(declared.name).format(**self._of_job(declared, wildcards))
        note, outputs = self._fetched(at, job.read_note), self.made(declared, wildcards)
        made = {job.below(at, path) for path in outputs}
        called = OfStudy(declared.value("names", wildcards) or {}).called_of
        if (
            note is None
            or note.asked != self.asked(declared, wildcards)
            or {*note.made} != made
            or note.names != called(note.names)
        ):
            return None
        noted = {self.moved(path): note.made[job.below(at, path)] for path in outputs}
        # what is lost is made again where it is needed, and is the same then
        if self._remote is None and any(self._digest(path) != noted[path] for path in noted if os.path.exists(path)):
            return None
        known_inputs = [self._of_input(path) for path in declared.read(wildcards)]
        record = declared.value("record", wildcards)
        known = [one for one in known_inputs if one is not None] + ([job.of_record(Path(record))] if record else [])
        return note if None not in known_inputs and job.of_all(known) == note.read else None

    def _of_input(self, path: str | Path) -> str | None:
        """Return the digest of what a job reads; None if that is not what it should be, or cannot be determined yet."""
        rule, wildcards = self._made_by.get(str(path), ("", {}))
        at = catalogue.origin(rule) if rule else ""
        declared = self.rules.get(self.moved(at)) or self.rules.get(self.moved(at.format(**wildcards)))
        if declared is not None:
            note = self.note(declared, wildcards)
            return note.made[job.below(at.format(**wildcards), path)] if note else None
        # what was fetched may have been thrown away since; it can be told where the configuration says what it is
        source = self._urls.get(str(path))
        if source is not None and (self._remote is not None or not os.path.exists(path)):
            return source.sha256.lower() if source.sha256 else self._fetched(str(path), storage.digest) if self._remote else None
        return job.digests_or_why([path])[0]

    def _fetched(self, path: str, read: Callable[[Path], Kept | None]) -> Kept | None:
        """Return what is read of a result, or of a copy if it is in a remote storage; None if there is none."""
        if self._remote is None:
            return read(Path(self.moved(path)))
        there = self._remote(path)
        if not there.exists():
            return None
        with tempfile.TemporaryDirectory() as folder:
            there.set_local_path(Path(folder) / "copy")
            there.retrieve_object()
            return read(Path(folder) / "copy")


def _digest(path: str) -> str | None:
    with contextlib.suppress(OSError):
        return storage.digest(path)
    return None


# --- what has changed since the last run: said on the terminal alone, as no result may depend on what was there -------


def since_before(studies: Iterable[Study]) -> list[str]:
    """Return a paragraph for each study whose algorithms or leaders are others than before, and keep what they are now."""
    paragraphs: list[str] = []
    # what is elsewhere or damaged is no reason to fail
    with contextlib.suppress(UserError, OSError, ValueError, KeyError):
        before = json.loads(COMPARED.read_bytes()) if COMPARED.exists() else {}
        now = {study.name: compared for study in studies if (compared := _compared(study)) is not None}
        paragraphs = [text for name, compared in now.items() for text in _told(name, before.get(name, compared), compared)]
        whole_file.write_text(COMPARED, json.dumps({**before, **now}))
    return paragraphs


def _compared(study: Study) -> Written | None:
    """Return by place in the logs what each algorithm is called, and by measure which comes first, if both are of one run."""
    reports, leaders = catalogue.files(study, "ingest"), catalogue.files(study, "leaders")
    if not all(Path(path).exists() for path in [*reports, *leaders]):
        return None
    called = {
        f"{path} {in_log}": name
        for path in reports
        for in_log, name in json.loads(Path(path).read_bytes())["algorithms_in_logs"].items()
        if name
    }
    rows = [row for path in leaders for row in storage.read(path, "leaders").to_pylist()]
    first: dict[str, list[str]] = {}
    for row in rows:
        if row["headline"] and row["rank"] == 1:
            first.setdefault(row["measure"], []).append(row["algorithm"])
    # the order may be older than the readings: this run was asked for something else
    same = {row["algorithm"] for row in rows} == {*called.values()} - {*study.settings["not_competing"]}
    return {"called": called, "first": first} if same else None


def _told(study: str, before: Given, now: Given) -> list[str]:
    old, new = before["called"], now["called"]
    renamed = {name: new[at] for at, name in old.items() if new.get(at, name) != name}
    changes = {
        "added": [name for at, name in new.items() if at not in old and name not in {*old.values()} - {*renamed}],
        "removed": [name for at, name in old.items() if at not in new and name not in {*new.values()} - {*renamed.values()}],
        "renamed": [f"{name} to {other}" for name, other in renamed.items()],
    }
    led = {measure: [renamed.get(name, name) for name in names] for measure, names in before["first"].items()}
    leads = {measure: names for measure, names in now["first"].items() if {*names} != {*led.get(measure, names)}}
    return prose.sentences(__file__, study=study, changes=changes, leads=leads, led=led)
