"""What a file holds is told by its content, and read again only where it may have changed."""

import hashlib
import os
import time

import pytest

from benchmill.core import UserError
from benchmill.core.storage import digest
from benchmill.workflow import job


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of a run; each look is one of another process."""
    monkeypatch.chdir(tmp_path)
    job._once.cache_clear()
    yield tmp_path
    job._once.cache_clear()


def age(monkeypatch, seconds=10.0):
    """Let time pass."""
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + int(seconds * 1e9))


def reads(monkeypatch):
    """The files that were read to their end."""
    seen = []
    monkeypatch.setattr(job, "digest", lambda path, known=None: seen.append(str(path)) or digest(path, known))
    return seen


def test_of_a_file_it_is_its_sha256_and_of_a_folder_that_of_names_and_contents(folder):
    (folder / "a.csv").write_bytes(b"1\n")
    assert job.digest_of("a.csv") == hashlib.sha256(b"1\n").hexdigest()
    (folder / "logs" / "below").mkdir(parents=True)
    (folder / "logs" / "below" / "x.dat").write_bytes(b"2\n")
    before = job.digest_of("logs")
    assert before == digest("logs")
    (folder / "logs" / "below" / "x.dat").rename(folder / "logs" / "below" / "y.dat")
    assert job.digest_of("logs") != before


@pytest.mark.parametrize("within", ["", "logs/"])
def test_a_copy_of_the_same_size_with_an_older_date_is_seen(folder, monkeypatch, within):
    (folder / "logs").mkdir()
    path = folder / f"{within}a.csv"
    path.write_text("A;1\n")
    state = path.stat()
    age(monkeypatch)
    before = job.digests([within or "a.csv"])
    path.write_text("A;2\n")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    job._once.cache_clear()
    assert job.digests([within or "a.csv"]) != before
    other = folder / "other"
    other.write_text("A;3\n")
    os.utime(other, ns=(0, 0))
    other.replace(path)
    assert job.digest_of(path) == hashlib.sha256(b"A;3\n").hexdigest()


def test_what_has_not_changed_is_not_read_again(folder, monkeypatch):
    (folder / "logs").mkdir()
    for name in "abc":
        (folder / "logs" / name).write_text(name)
    seen = reads(monkeypatch)
    age(monkeypatch)
    first = job.digest_of("logs")
    assert seen == ["logs/a", "logs/b", "logs/c", "logs"]
    seen.clear()
    assert job.digest_of("logs") == first
    assert seen == ["logs"]
    (folder / "logs" / "b").write_text("other")
    seen.clear()
    assert job.digest_of("logs") != first
    assert seen == ["logs/b", "logs"]
    # one note for each path that is watched, however often it changes
    assert len(list((folder / ".snakemake/benchmill-digests").iterdir())) == 1


def test_a_change_within_a_tick_of_the_clock_is_seen(folder, monkeypatch):
    """The change time may be the same then: nothing that is so fresh is kept."""
    path = folder / "a"
    path.write_text("1")
    seen = reads(monkeypatch)
    job.digest_of("a")
    job.digest_of("a")
    assert seen == ["a", "a"]


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"61": 1}', '{"61": [[1], 2, 3]}'])
def test_a_damaged_note_is_no_harm(folder, monkeypatch, damaged):
    (folder / "a").write_text("1")
    age(monkeypatch)
    first = job.digest_of("a")
    (note,) = (folder / ".snakemake/benchmill-digests").iterdir()
    note.write_text(damaged)
    assert job.digest_of("a") == first


def test_what_is_not_there_is_an_error(folder):
    with pytest.raises(UserError, match=r"^absent\.csv: cannot be read \(No such file or directory\)"):
        job.digests(["absent.csv"])


def test_an_input_that_is_another_since_the_run_began_is_named(folder):
    for name in ("log", "table", "results"):
        (folder / name).write_text(name)
    begun_with = job.digests(["log", "table"])
    job.check(begun_with, ["log", "results", "table"])
    job.check([], ["absent"])
    (folder / "table").write_text("other")
    with pytest.raises(UserError, match=r"^table: it was changed after the run began; give the same command again"):
        job.check(begun_with, ["log", "table"])
