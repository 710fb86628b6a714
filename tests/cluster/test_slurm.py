"""The workflow on a real Slurm: the same bytes as on one machine."""

import os
import re
import signal
import subprocess

import pytest

from tests.runs.conftest import PROJECT, Workspace, make_workspace

from .conftest import OnCluster, wait_for

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


def test_a_shipped_study_of_fewer_sources_gives_the_same_bytes(cluster, tmp_path):
    targets = ["results/bbob/numbers.tex", "results/bbob/changes.md", "results/bbob/ecdf/problem.parquet"]
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    for folder in (alone, shared):
        folder.mkdir()
        shipped = (PROJECT / "config.yaml").read_text("utf-8")
        (folder / "study.yaml").write_text(shipped.replace("data/bbob/*", "data/bbob/[CLN]*"), "utf-8")
        for name in ("data", "studies"):
            (folder / name).symlink_to(PROJECT / name)
    here, there = Workspace(alone), OnCluster(shared)
    run = here.run("--", *targets)
    assert run.code == 0, run.output
    output = finish(there.start("--slurm-keep-successful-logs", "--", *targets))
    same(there, here.contents())
    # the sources are read and measured in one submission, and compared in one
    assert len(set(re.findall(r"SLURM jobid (\d+)", output))) == 2, output
    # on the node, Snakemake starts to take the submission apart, and to run what is in it, and not again for every job
    for log in (shared / ".snakemake/slurm_logs").rglob("*.log"):
        assert log.read_text("utf-8").count("Building DAG of jobs") == 2, log


#: Enough to have submissions of both kinds: three sources, two measures.
FEW = ["results/small/changes.md", *(f"results/small/indicators/{name}.parquet" for name in ("Alpha", "Beta", "Gamma"))]


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """What this machine alone makes of a small study."""
    workspace = make_workspace(tmp_path_factory.mktemp("local") / "work")
    run = workspace.run("--", *FEW)
    assert run.code == 0, run.output
    return workspace.contents()


def test_whatever_is_killed_the_run_ends_with_the_same_bytes(cluster, local, tmp_path):
    """The process that submits, a job, a node, and a job that takes more memory than it asked for."""
    workspace = OnCluster(make_workspace(tmp_path / "work").folder)
    process = workspace.start("--", *FEW)
    try:
        wait_for(lambda: workspace.path("small/ingest").exists(), 120)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    cluster.empty()
    assert Workspace(workspace.folder).run("--unlock").code == 0

    compared = ("ratios", "families", "leaders", "verdicts", "changes")  # one submission
    little = [f"{rule}:mem_mb=100 if attempt == 1 else 1500" for rule in compared]
    process = workspace.start("--set-resources", *little, "--", *FEW)
    try:
        wait_for(cluster.running, 120)
        killed = cluster.running()[0][0]
        subprocess.run(["scancel", killed], check=True)
        wait_for(lambda: [job for job, node in cluster.running() if node == "n1" and job != killed], 120)
        lost = {job for job, node in cluster.running() if node == "n1"} - {killed}
        cluster.lose_node("n1")
        output = finish(process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        if "n1" not in cluster.daemons:
            cluster.start_node("n1")
    same(workspace, local)
    # of grouped jobs Snakemake passes the log of Slurm on, and of a lost node that it is asked about
    assert re.search(rf"JOB {killed} ON n\d CANCELLED", output), output
    assert any(f"node information for job {job}" in output for job in lost), output
    assert "exceeded memory limit" in output, output
    assert output.count("Trying to restart") >= 3, output


def test_any_other_scheduler(cluster, local, tmp_path):
    """The generic profile, with Slurm's commands in the place of any other's."""
    workspace = OnCluster(make_workspace(tmp_path / "work").folder)
    status = PROJECT / "profiles/cluster-generic/status.sh"
    finish(workspace.start("--cluster-generic-status-cmd", status, "--", *FEW, profile="cluster-generic"))
    same(workspace, local)
