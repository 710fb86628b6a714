"""Small studies, made of synthetic logs in the format of the COCO logger, and runs of the whole workflow on them."""

import atexit
import fcntl
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmill.workflow import fork_server

PROJECT = Path(__file__).parents[2]
FUNCTIONS, DIMENSIONS, INSTANCES = (1, 8), (2, 3), (1, 2, 3)
HEADER = (
    "% f evaluations | g evaluations | best noise-free fitness - Fopt (0.0) | measured fitness | best measured fitness | x1\n"
)


def write_logs(folder, algorithm, seed, *, budget=50, instances=INSTANCES):
    """Write the logs of one algorithm: improvements at random times, target-triggered alone."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    for function in FUNCTIONS:
        info = []
        for dimension in DIMENSIONS:
            name = f"data_f{function}/bbobexp_f{function}_DIM{dimension}"
            trials, blocks = [], []
            for instance in instances:
                spent = budget * dimension
                times = np.unique(np.concatenate([[1], rng.integers(2, spent, 12)]))
                values = 10.0 ** np.sort(rng.uniform(-9 + dimension, 3, times.size))[::-1]
                rows = [f"{t} 0 {v:.9e} {v:.9e} {v:.9e}\n" for t, v in zip(times, values, strict=True)]
                blocks.append(HEADER + "".join(rows) + f"{spent} 0 {values[-1]:.9e} {values[-1]:.9e} {values[-1]:.9e}\n")
                trials.append(f"{instance}:{spent}|{values[-1] - 1e-8:.1e}")
            info.append(
                f"suite = 'bbob', funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, algId = '{algorithm}', "
                "coco_version = '2.8.2', logger = 'bbob', data_format = 'bbob-new2'\n"
                f"% a log made for a test\n{name}.dat, {', '.join(trials)}\n"
            )
            for suffix in ("dat", "tdat"):
                path = folder / f"{name}.{suffix}"
                path.parent.mkdir(exist_ok=True)
                path.write_text("".join(blocks))
        (folder / f"bbobexp_f{function}.info").write_text("".join(info))


def timeless(member):
    """The same member without the time it was written."""
    member.mtime = 0
    return member


def write_archive(path, algorithm, seed, **settings):
    """The same as an archive."""
    write_campaign(path, {path.name.split(".")[0]: (algorithm, seed, settings)})


def write_campaign(path, folders):
    """An archive of several folders, each with the logs of an algorithm: name of the folder to the arguments of `write_logs`."""
    path.parent.mkdir(exist_ok=True, parents=True)
    with tarfile.open(path, "w:xz") as archive:
        for name, (algorithm, seed, settings) in folders.items():
            folder = path.parent / "unpacked" / algorithm.replace("/", "_")
            write_logs(folder, algorithm, seed, **settings)
            archive.add(folder, arcname=name, filter=timeless)
            shutil.rmtree(folder.parent)


STUDY = """
studies:
  small:
    title: A small study
    sources: logs/*.tar.xz
    measures:
      ert: {kind: fixed_target, targets: [10, 1.0e-3]}
      quality: {kind: fixed_budget, budgets: [20], floor: 1.0e-8}
    figures:
      - all
      - {kind: scatter, measures: [quality]}
"""

#: Variables that are read by a run and by no import of Snakemake or Python.
READ_LATE = ("BENCHMILL_CACHE", "BENCHMILL_MIRROR", "SNAKEMAKE_OUTPUT_CACHE")


#: What the Snakefiles and the scripts of this project import: no test edits it.
OWN = f"""
from pathlib import Path
import benchmill.study.catalogue, benchmill.workflow.jobs, benchmill.workflow.rules
benchmill.workflow.fork_server._import_ahead(Path({str(PROJECT / "scripts")!r}))
"""


@functools.cache
def imported(ahead):
    """Snakemake with all its imports done and this code run, which runs are copies of; it ends with this process."""
    environment = {**fork_server._MEMORY, **os.environ, **fork_server._ONE_THREAD, "PYTHONSAFEPATH": ""}
    command = [sys.executable, Path(__file__).with_name("imported.py"), ahead]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    atexit.register(process.communicate)
    return process


def snakemake(arguments, environment, folder="/", *, here=True):
    """Run `python -m snakemake` in a folder, where it looks for modules (`here`); its exit status and all that it says."""
    own = environment.get("PYTHONPATH") == str(PROJECT / "src")
    process = imported(OWN if own else fork_server._AHEAD)
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as told:
        process.stdin.write(json.dumps([arguments, environment, str(folder), told.name, here]) + "\n")
        process.stdin.flush()
        return int(process.stdout.readline()), told.read()


@pytest.fixture
def copied_snakemake(monkeypatch):
    """Commands that need results make them with such a copy, in place of a Python of its own."""

    def run(command, *, cwd, env, stdout, **_):
        assert command[:4] == [sys.executable, "-P", "-m", "snakemake"]
        code, told = snakemake(command[4:], env, cwd, here=False)
        if stdout != subprocess.PIPE:
            os.write(stdout, told.encode())
        return subprocess.CompletedProcess(command, code, told)

    replaced = SimpleNamespace(run=run, PIPE=subprocess.PIPE, STDOUT=subprocess.STDOUT)
    monkeypatch.setattr("benchmill.workflow.subprocess", replaced)


@dataclass
class Run:
    """What a run of Snakemake did."""

    code: int
    output: str
    jobs: list[str] = field(default_factory=list)


class Workspace:
    """A folder with logs, a configuration, and the results that the workflow makes of them."""

    #: What Python is started with.
    snakemake = ("-m", "snakemake")

    def __init__(self, folder, project=PROJECT):
        self.folder = Path(folder)
        self.project = project
        self.config = self.folder / "study.yaml"

    def asked(self, arguments, cores=2, env=None, tex=True):
        """Arguments of Snakemake for a run below this folder, and its environment."""
        bin_folder = Path(sys.executable).parent
        commands = os.environ["PATH"] if tex else self.without_tex()
        environment = {**os.environ, "PATH": f"{bin_folder}:{commands}", "PYTHONPATH": str(self.project / "src")}
        # many runs of the same code: it is compiled once
        environment |= {"PYTHONDONTWRITEBYTECODE": "", **(env or {})}
        command = ["-s", self.project / "Snakefile", "--cores", cores, "--configfile", self.config]
        command += ["--directory", self.folder, "--nocolor", *arguments]
        return [str(c) for c in command], environment

    def start(self, *arguments, **settings):
        """Start Snakemake below this folder."""
        command, environment = self.asked(arguments, **settings)
        return subprocess.Popen(
            [sys.executable, *map(str, self.snakemake), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            cwd="/",
            start_new_session=True,
        )

    def run(self, *arguments, env=None, **settings):
        """Run Snakemake below this folder; `jobs` are the messages of the jobs that ran.

        What the environment may change while Python starts or imports, it changes in a Python of its own.
        """
        if all(name in READ_LATE for name in env or ()) and self.snakemake == Workspace.snakemake:
            code, output = snakemake(*self.asked(arguments, env=env, **settings))
        else:
            process = self.start(*arguments, env=env, **settings)
            output, _ = process.communicate()
            code = process.returncode
        return Run(code, output, re.findall(r"^Job \d+: (.*)$", output, re.MULTILINE))

    def without_tex(self):
        """A folder of commands that lacks a TeX engine."""
        folder = self.folder / "commands"
        if not folder.exists():
            folder.mkdir()
            for name in ("bash", "sh", "env", "python3", "rm", "mkdir", "git"):
                if path := shutil.which(name):
                    (folder / name).symlink_to(path)
        return folder

    def path(self, name):
        """A file of the results."""
        return self.folder / "results" / name

    def times(self):
        """When each file of the results was written."""
        root = self.folder / "results"
        return {str(p.relative_to(root)): p.stat().st_mtime_ns for p in sorted(root.rglob("*")) if p.is_file()}

    def contents(self):
        """The bytes of each file of the results."""
        root = self.folder / "results"
        return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}

    def written_since(self, before):
        """Files of the results that are new or were written again."""
        return sorted(name for name, time in self.times().items() if before.get(name) != time)

    def copy(self, folder, project=None):
        """The same, with results and Snakemake's memory of them, elsewhere."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Workspace(folder, project or self.project)


@pytest.fixture
def empty(tmp_path):
    """A workspace with three archives and nothing made yet."""
    return make_workspace(tmp_path / "work")


def make_workspace(folder, project=PROJECT):
    """Three algorithms' archives and a study of them."""
    (folder / "logs").mkdir(parents=True)
    for seed, algorithm in enumerate(["Alpha", "Beta", "Gamma"]):
        write_archive(folder / "logs" / f"{algorithm}.tar.xz", algorithm, seed)
    (folder / "study.yaml").write_text(STUDY)
    return Workspace(folder, project)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder of all processes that test."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def made(shared_folder):
    """A workspace after a complete run, the same one for all processes that test; copy it before changing anything."""
    folder = shared_folder / "made"
    finished = folder / "finished"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not finished.exists():
            workspace = make_workspace(folder / "work")
            run = workspace.run()
            assert run.code == 0, run.output
            finished.touch()
    return Workspace(folder / "work")


@pytest.fixture
def workspace(made, tmp_path):
    """A copy of the workspace after a complete run."""
    return made.copy(tmp_path / "work")
