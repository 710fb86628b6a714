"""A real Slurm on this machine: munge, a controller and two nodes on loopback, started for these tests and stopped after them."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.runs.conftest import PROJECT, Workspace

CONF = Path("/etc/slurm/slurm.conf")
MARK = "# written by the tests of benchmill"
TEXT = """{mark}
ClusterName=toy
SlurmctldHost={host}(127.0.0.1)
SlurmUser=slurm
AuthType=auth/munge
CredType=cred/munge
# a job whose node is lost waits this long before it is queued again (120 s by default)
AuthInfo=cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# without control groups, what a job uses is looked at every second, and a job over its memory is killed
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2,sched_min_interval=500000
MpiDefault=none
ReturnToService=2
# the nodes are as large as said below, whatever this machine has
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=2
MinJobAge=600
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port=17001 CPUs=4 RealMemory=12000 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port=17002 CPUs=4 RealMemory=12000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=1-0 State=UP
"""


class Cluster:
    """The daemons, by name, and what the tests ask of them."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}

    def start(self, name, *command):
        """Start a daemon in the foreground of a process of its own."""
        with (self.folder / "log" / f"{name}.out").open("ab") as log:
            self.daemons[name] = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def start_node(self, name):
        """Start a node."""
        self.start(name, "/usr/sbin/slurmd", "-D", "-N", name)

    def lose_node(self, name):
        """Kill a node and all that runs on it, as when its power is cut."""
        jobs = self.ask("squeue", "-h", "-w", name, "-o", "%A").split()
        daemon = self.daemons.pop(name)
        # what watches over the steps of a job is a child of no one
        steps = [pid for pid, (_, line) in processes().items() if any(f"slurmstepd: [{job}." in line for job in jobs)]
        for pid in [daemon.pid, *below(daemon.pid), *(each for step in steps for each in (step, *below(step)))]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        daemon.wait()

    def running(self):
        """Numbers of the jobs that run now, and their nodes."""
        return [line.split() for line in self.ask("squeue", "-h", "-t", "running", "-o", "%A %N").splitlines()]

    def empty(self):
        """Cancel all jobs."""
        subprocess.run(["scancel", "--user=root"], check=False)
        wait_for(lambda: not self.ask("squeue", "-h", "-o", "%A").split(), 30)

    def ask(self, *command):
        """Output of a command of Slurm."""
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout

    def stop(self):
        """Stop all daemons, the last one started first."""
        with contextlib.suppress(Exception):
            self.empty()
        for process in reversed(self.daemons.values()):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def processes():
    """Process number to (parent, command line) of everything that runs."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = parent, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return found


def below(pid):
    """All processes that one has started, and those that they have."""
    children = [child for child, (parent, _) in processes().items() if parent == pid]
    return children + [each for child in children for each in below(child)]


def wait_for(condition, seconds):
    """Wait until something holds; fail after a while."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.3)


@pytest.fixture(scope="session")
def cluster():
    """Slurm with two nodes."""
    with slurm() as found:
        yield found


@contextlib.contextmanager
def slurm():
    """The same, for a while (`benchmarks/cluster` measures on it)."""
    if os.getuid() != 0 or not all(shutil.which(f"/usr/sbin/{name}") for name in ("slurmctld", "slurmd", "munged")):
        pytest.skip("needs root and the Debian packages slurmctld, slurmd, slurm-client and munge")
    if CONF.exists() and MARK not in CONF.read_text():
        pytest.skip(f"{CONF} is there already: this machine has a Slurm of its own")
    pytest.importorskip("snakemake_executor_plugin_slurm")
    # the daemons run as users of their own, who may not enter pytest's folders
    folder = Path(tempfile.mkdtemp(prefix="benchmill-slurm-"))
    folder.chmod(0o755)
    for name in ("state", "log", "spool/n1", "spool/n2"):
        (folder / name).mkdir(parents=True)
    slurm, munge = pwd.getpwnam("slurm"), pwd.getpwnam("munge")
    for name in ("state", "log"):
        os.chown(folder / name, slurm.pw_uid, slurm.pw_gid)
    Path("/run/munge").mkdir(exist_ok=True)
    os.chown("/run/munge", munge.pw_uid, munge.pw_gid)
    Path("/run/munge").chmod(0o755)
    host = socket.gethostname().split(".")[0]
    CONF.parent.mkdir(exist_ok=True)
    CONF.write_text(TEXT.format(mark=MARK, host=host, folder=folder))
    found = Cluster(folder)
    try:
        if subprocess.run("munge -n | unmunge", shell=True, capture_output=True).returncode:
            munged = ["setpriv", f"--reuid={munge.pw_uid}", f"--regid={munge.pw_gid}", "--clear-groups", "/usr/sbin/munged"]
            found.start("munged", *munged, "--foreground")
            wait_for(lambda: subprocess.run("munge -n | unmunge", shell=True, capture_output=True).returncode == 0, 20)
        found.start("slurmctld", "/usr/sbin/slurmctld", "-D", "-c")
        for node in ("n1", "n2"):
            found.start_node(node)
        wait_for(lambda: subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True).stdout == "idle\n", 40)
        yield found
    finally:
        found.stop()
        CONF.unlink()
        shutil.rmtree(folder, ignore_errors=True)


class OnCluster(Workspace):
    """A workspace whose jobs Slurm runs."""

    snakemake = (Path(__file__).with_name("impatient.py"),)

    def start(self, *arguments, profile="slurm", **settings):
        """Start Snakemake with the profile as it ships; only waiting is cut short."""
        # the cluster of the tests has one file system, and answers at once
        quick = ["--latency-wait", "10"]
        if profile == "slurm":
            quick += ["--slurm-no-account"]
        env = {"PYTHONDONTWRITEBYTECODE": "", **(settings.pop("env", None) or {})}
        return super().start("--profile", PROJECT / "profiles" / profile, *quick, *arguments, env=env, **settings)
