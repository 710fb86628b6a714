"""The workflow on a real Slurm: the same bytes as on one machine, whatever happens to jobs, nodes and the submitting process."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from tests.workflow.conftest import PROJECT, Workspace, make_workspace

from .conftest import OnCluster, on_cluster, wait_for

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="session")
def local(tmp_path_factory):
    """The small study made on this machine alone."""
    workspace = make_workspace(tmp_path_factory.mktemp("local") / "work")
    run = workspace.run()
    assert run.code == 0, run.output
    return workspace.contents()


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


def test_a_killed_job_a_lost_node_and_a_job_over_its_memory(cluster, local, tmp_path):
    workspace = OnCluster(make_workspace(tmp_path / "work").folder)
    # a first attempt at the ECDF curves with too little memory, to see it grow
    process = workspace.start("--set-resources", "cumulate_costs:mem_mb=60 if attempt == 1 else 1500")
    try:
        wait_for(cluster.running, 90)
        killed = cluster.running()[0][0]
        subprocess.run(["scancel", killed], check=True)
        wait_for(lambda: [job for job, node in cluster.running() if node == "n1"], 90)
        cluster.lose_node("n1")
        time.sleep(12)
        cluster.start_node("n1")
        output = finish(process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        if "n1" not in cluster.daemons:
            cluster.start_node("n1")
    same(workspace, local)
    assert f"'{killed}' failed" in output or f"job {killed}" in output.lower() or "CANCELLED" in output, output
    assert "Trying to restart" in output
    assert "cumulate_costs" in output


def test_the_submitting_process_is_killed_and_started_again(cluster, local, tmp_path):
    workspace = OnCluster(make_workspace(tmp_path / "work").folder)
    process = workspace.start()
    wait_for(lambda: workspace.path("small/costs").exists(), 120)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    cluster.empty()
    assert Workspace(workspace.folder).run("--unlock").code == 0
    finish(workspace.start())
    same(workspace, local)


def test_the_generic_profile_gives_the_same_bytes(cluster, local, tmp_path):
    workspace = make_workspace(tmp_path / "work")
    status = PROJECT / "profiles/cluster-generic/status.sh"
    finish(on_cluster(workspace).start("--cluster-generic-status-cmd", status, profile="cluster-generic"))
    same(workspace, local)
