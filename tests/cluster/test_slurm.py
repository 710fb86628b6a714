"""The workflow on a real Slurm: the same bytes as on one machine."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from tests.workflow.conftest import PROJECT, Workspace

from .conftest import OnCluster

pytestmark = pytest.mark.cluster


def finish(process, seconds=420):
    """Output of a run that ends well."""
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        pytest.fail(f"did not end within {seconds} s:\n{output}")
    assert process.returncode == 0, output
    return output


def same(workspace, expected):
    """Every file is there with the same bytes."""
    found = workspace.contents()
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []


def test_the_shipped_study_gives_the_same_bytes(cluster, tmp_path):
    targets = ["results/bbob/numbers.tex", "results/bbob/changes.md", "results/bbob/ecdf/problem.parquet"]
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    for folder in (alone, shared):
        folder.mkdir()
        shutil.copy(PROJECT / "config.yaml", folder / "study.yaml")
        (folder / "data").symlink_to(PROJECT / "data")
    here, there = Workspace(alone), OnCluster(shared)
    run = here.run("--", *targets)
    assert run.code == 0, run.output
    output = finish(there.start("--", *targets))
    same(there, here.contents())
    # a submission a source, one a measure, and the curve
    assert len(set(re.findall(r"SLURM jobid (\d+)", output))) <= 8 + 2 + 1, output
