"""What goes wrong around a run: kills, damaged files, inputs that change, an older log in the place of a newer one."""

import multiprocessing
import os
import signal
import time
from types import SimpleNamespace

import pytest

from benchmill import workflow
from benchmill.core import UserError
from benchmill.core.storage import digest
from benchmill.core.whole_file import remove_begun, whole_file, write_text
from benchmill.workflow import fingerprint
from benchmill.workflow.job import job
from tests.runs.conftest import make_workspace

from .conftest import RATED, replace
from .killing import WAYS, killed_until_done

pytestmark = pytest.mark.faults


def fake(tmp_path, *inputs, **params):
    """What Snakemake gives a script."""
    paths = {"input": [str(path) for path in inputs], "output": [str(tmp_path / "out")], "log": [str(tmp_path / "log")]}
    return SimpleNamespace(**paths, params=params, wildcards={})


def test_a_run_that_is_killed_in_every_way_ends_with_the_same_bytes(rated, tmp_path):
    workspace = make_workspace(tmp_path / "work")
    told = killed_until_done(workspace, len(WAYS), 8, 3, RATED)
    assert told[-1] == "done"
    assert workspace.contents() == rated.contents()
    assert workspace.run(RATED).jobs == []


def test_two_who_write_one_file_never_mix_it(tmp_path):
    path = tmp_path / "table.csv"
    with pytest.raises(UserError, match=r"another run makes the same file"), whole_file(path) as first:  # noqa: PT012
        first.write_text("first")
        with whole_file(path) as second:
            second.write_text("second")
    assert path.read_text() == "second"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_goes_away(tmp_path):
    (tmp_path / "table.csv.0123abcd.part").write_text("beg")
    (tmp_path / "table.csv.mine.part").write_text("somebody's")
    write_text(tmp_path / "table.csv", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.csv", "table.csv.mine.part"]


def test_what_a_killed_run_left_goes_away_where_nobody_makes_it_again(tmp_path):
    (tmp_path / "s" / "costs").mkdir(parents=True)
    mine = tmp_path / "s" / "costs" / "Removed.parquet"
    mine.with_name("Removed.parquet.0123abcd.part").write_text("beg")
    for name in ("Removed.parquet", "other.part", "other.0123ABCD.part", "other.0123abcd.part.txt"):
        mine.with_name(name).write_text("kept")
    remove_begun(tmp_path)
    remove_begun(tmp_path / "not there")
    left = {path.name for path in mine.parent.iterdir()}
    assert left == {"Removed.parquet", "other.part", "other.0123ABCD.part", "other.0123abcd.part.txt"}


@pytest.mark.parametrize(("local", "lock", "gone"), [(True, True, True), (False, True, False), (True, False, False)])
def test_a_run_begins_by_taking_away_what_no_other_can_be_writing(tmp_path, monkeypatch, local, lock, gone):
    monkeypatch.chdir(tmp_path)
    left = tmp_path / "results" / "s" / "x.json.0123abcd.part"
    left.parent.mkdir(parents=True)
    left.write_text("beg")
    workflow.begin(SimpleNamespace(local_exec=local, execution_settings=SimpleNamespace(lock=lock), scheduler=SimpleNamespace()))
    assert left.exists() is not gone


def test_a_writer_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(path) as part:  # noqa: PT012
        part.write_text("new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("change", ["write", "replace", "remove", "add below"])
def test_an_input_that_changes_while_it_is_read_ends_the_job(tmp_path, capsys, change):
    folder = tmp_path / "logs"
    folder.mkdir()
    log = folder / "log.dat"
    log.write_text("1 2 3")
    with pytest.raises(SystemExit), job(fake(tmp_path, log, folder)):  # noqa: PT012
        if change == "write":
            log.write_text("1 2 4 5")
        elif change == "replace":
            os.replace(write_other(tmp_path), log)
        elif change == "remove":
            log.unlink()
        else:
            os.replace(write_other(tmp_path), folder / "log.dat")
    assert "log.dat: it was changed while it was read; give the same command again" in capsys.readouterr().err
    assert "changed while it was read" in (tmp_path / "log").read_text()


def test_an_input_that_is_another_than_when_the_run_began_ends_the_job(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.dat").write_text("1 2 3")
    with job(fake(tmp_path, "log.dat", files=[digest("log.dat")])):
        pass
    with pytest.raises(SystemExit), job(fake(tmp_path, "log.dat", files=["0" * 64])):
        pass
    assert "log.dat: it was changed after the run began; give the same command again" in capsys.readouterr().err


def test_code_that_is_another_than_when_the_run_began_ends_the_job(tmp_path, capsys, monkeypatch):
    """It was edited and put back: what the job has imported was the edit, for all that is known."""
    monkeypatch.setattr(fingerprint, "_state", lambda path: [1, 2, 3, 4])
    monkeypatch.setenv("BENCHMILL_CODE", "")
    fingerprint.watch(tmp_path)
    with job(fake(tmp_path)):
        pass
    monkeypatch.setattr(fingerprint, "_state", lambda path: [1, 2, 3, 5 if str(path).endswith("workflow/job.py") else 4])
    with pytest.raises(SystemExit), job(fake(tmp_path)):
        pass
    assert (
        "src/benchmill/workflow/job.py: the code was changed after the run began; give the same command again"
        in capsys.readouterr().err
    )


def write_other(tmp_path):
    other = tmp_path / "other"
    other.write_text("3 2 1")
    return other


def _head(tmp_path):
    """Stands for Snakemake: starts a job and waits for it."""

    def work():
        with job(fake(tmp_path)):
            (tmp_path / "started").write_text("")
            time.sleep(1)
            (tmp_path / "written").write_text("")

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_job_ends_with_the_run_that_started_it(tmp_path):
    head = multiprocessing.get_context("fork").Process(target=_head, args=(tmp_path,))
    head.start()
    while not (tmp_path / "started").exists():
        time.sleep(0.02)
    os.kill(head.pid, signal.SIGKILL)
    head.join()
    time.sleep(1.5)
    assert not (tmp_path / "written").exists()


def test_a_table_that_is_cut_short_is_made_again(copied, rated):
    path = copied.path("small/costs/ert/Alpha.parquet")
    path.write_bytes(path.read_bytes()[:-100])
    run = copied.run(RATED)
    assert run.code == 0, run.output
    assert "Measuring ert of Alpha for small" in run.jobs
    assert copied.contents() == rated.contents()


def test_a_log_that_an_older_one_replaces_is_read_again(copied):
    path = copied.folder / "logs" / "Beta.tar.xz"
    replace(path, 77)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    run = copied.run(RATED)
    assert run.code == 0, run.output
    assert [name for name in run.jobs if name.startswith("Reading")] == ["Reading Beta for small"]
    assert copied.run(RATED).jobs == []
