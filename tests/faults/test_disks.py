"""Full and read-only disks, and a clock that was ahead; only with `make fault-test`."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.runs.conftest import make_workspace

from .conftest import RATED, replace

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif("BENCHMILL_FAULTS" not in os.environ, reason="takes minutes: make fault-test"),
]
FUTURE = 4_000_000_000


def test_a_clock_that_was_ahead_is_told_and_nothing_old_stays(copied, rated):
    """Snakemake says so itself where what it makes is older than what it is made from; never does it keep what is stale."""
    for place in (copied.folder / "logs", copied.folder / "results"):
        for path in place.rglob("*"):
            os.utime(path, (FUTURE, FUTURE))
    assert copied.run(RATED).jobs == []
    assert copied.contents() == rated.contents()
    replace(copied.folder / "logs" / "Beta.tar.xz", 77)
    run = copied.run(RATED)
    assert run.code != 0
    assert "clock skew" in run.output
    assert not copied.path("small/ratios/ert.parquet").exists()


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of its own of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("needs root, to mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def on(disk, workspace):
    """The results of a workspace, to be on that disk."""
    workspace.path("").symlink_to(disk)
    return workspace


def test_a_full_disk_is_told_and_what_is_finished_is_kept(small_disk, rated, tmp_path):
    workspace = on(small_disk, make_workspace(tmp_path / "work"))
    assert workspace.run("results/small/trials/Alpha.parquet").code == 0
    filled = small_disk / "filled"
    with pytest.raises(OSError, match="No space left"), filled.open("wb", buffering=0) as file:  # noqa: PT012
        while True:
            file.write(bytes(4096))
    run = workspace.run(RATED)
    assert run.code != 0
    assert "cannot be written (No space left on device); make room and give the same command again" in run.output
    assert "Traceback" not in run.output
    assert not list(small_disk.rglob("*.part"))
    filled.unlink()
    run = workspace.run(RATED)
    assert run.code == 0, run.output
    assert "Reading Alpha for small" not in run.jobs
    assert contents(small_disk) == rated.contents()


def test_results_that_must_not_be_written_are_told(small_disk, rated, tmp_path):
    workspace = on(small_disk, make_workspace(tmp_path / "work"))
    assert workspace.run("results/small/trials/Alpha.parquet").code == 0
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    run = workspace.run(RATED)
    assert run.code != 0
    assert "Read-only file system" in run.output
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    run = workspace.run(RATED)
    assert run.code == 0, run.output
    assert contents(small_disk) == rated.contents()


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}
