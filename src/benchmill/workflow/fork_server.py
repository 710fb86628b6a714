"""One start of Python and its libraries for all jobs of a run, each of which is a copy (`fork`) of one process.

Where that cannot be, and with `BENCHMILL_FORK=no`, jobs start in Snakemake's own way, with the same results.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from benchmill.workflow import borrowed

#: What Snakemake sets for a job of one thread; the libraries read it when they are imported.
_ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "GOTO_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
    ),
    "1",
)
#: A copy of a process has none of its threads but one: Arrow's allocator must not have begun any.
_NO_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}

#: What a job has freed it uses again. By default every large array is asked of the system anew and given back, and in a job that
#: gathers the costs of sixty sources the system takes as long to hand out empty pages as the job takes to compute.
_MEMORY = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 40),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
    "MALLOC_TOP_PAD_": str(1 << 26),
}

#: What is imported while nobody waits for a job, in the order in which jobs need it. What Arrow and pandas do once, when the
#: first array is made and the first table goes from one to the other, is done here too, without the threads of Arrow.
_AHEAD = (
    "import snakemake.io, snakemake.iocontainers, snakemake.logging",
    "import pyarrow.parquet",
    "import pandas",
    "import pandas, pyarrow; pyarrow.Table.from_pandas(pandas.DataFrame({'a': ['b']})).to_pandas(use_threads=False)",
    "import scipy.special",
    "import matplotlib.figure",
    "import scipy.stats",
    "import seaborn",
    "import matplotlib.backends.backend_pdf, matplotlib.backends.backend_svg",
)

#: Longer ones (a very large environment) do not pass the socket either: then jobs start in Snakemake's own way.
_LONGEST_REQUEST = 1 << 20
_PR_SET_PDEATHSIG = 1


class ForkServer:
    """The process that jobs are copies of; it begins at `start` or with the first job, and ends at `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._environment: dict[str, str] = {}

    def start(self) -> None:
        """Begin, and import the libraries while nobody waits for a job.

        Raises
        ------
        OSError
            No process can be made.
        """
        with self._lock:
            self._started("ahead")

    def run(self, script: str, environment: dict[str, str]) -> int:
        """Run a script as `python script` would, and wait for it.

        Raises
        ------
        OSError
            There is no server: the script was not begun.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                control = self._started()
                # folder and environment may be others than when the server began
                then, now = self._environment, {**os.environ, **environment}
                changed = {name: now.get(name) for name in then | now if now.get(name) != then.get(name)}
                request = json.dumps([os.path.abspath(script), os.getcwd(), changed]).encode()
                socket.send_fds(control, [request], [theirs.fileno()])
            # the other end is also held by the job: where the server is killed, nothing is read before the job has ended too
            status = ours.recv(16)
        return int(status) if status else -signal.SIGKILL

    def _started(self, *when: str) -> socket.socket:
        if self._control is None:
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._environment = dict(os.environ)
            # a key that interrupts the run does not reach the server before it knows that such keys are not for it
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                with theirs:
                    # -P: a folder of a user is not a place to look for modules
                    self._process = subprocess.Popen(
                        [sys.executable, "-P", "-m", __name__, str(theirs.fileno()), *when],
                        pass_fds=[theirs.fileno()],
                        env={**_MEMORY, **os.environ, **_ONE_THREAD, **_NO_THREADS},
                    )
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            self._control = control
        return self._control

    def stop(self) -> None:
        """End the server and wait: whoever measures this process then measures its jobs too."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.terminate()
            self._process.wait()


_SERVER = ForkServer()


def start_jobs_of(workflow: Any, folder: str | Path) -> None:
    """Start the scripts in a folder as copies of one process, and begin that process if this run may start jobs."""
    if sys.platform != "linux" or os.environ.get("BENCHMILL_FORK") == "no" or not borrowed.run_scripts(_SERVER.run, folder):
        return
    atexit.register(_SERVER.stop)
    # a process that runs one job, on a cluster, has nothing to do while it plans that it could do this beside
    if borrowed.begins_run(workflow) and borrowed.may_run_jobs(workflow):
        with contextlib.suppress(OSError):
            _SERVER.start()


def _serve(control: socket.socket, ahead: Sequence[str]) -> None:
    """Make a copy for each request, and run the statements `ahead` meanwhile, until the other end of `control` is closed."""
    # the key that interrupts a run is for the jobs, which end by it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # at once, in the middle of an import too; the copies end with this process
    signal.signal(signal.SIGTERM, _end)
    left = list(ahead)
    while True:
        if left and not select.select([control], [], [], 0)[0]:
            _prepare(left.pop(0))
            continue
        request, (*told,), _, _ = socket.recv_fds(control, _LONGEST_REQUEST, 1)
        _reap()
        if not request:
            return
        script, folder, environment = json.loads(request)
        _import_what(script)
        # what is there is not looked at by the garbage collection of a job, which would copy it page by page
        gc.freeze()
        server = os.getpid()
        if os.fork() == 0:
            _end_with(server)
            control.close()
            _wait_for(script, folder, environment, told[0])
        os.close(told[0])


def _reap() -> None:
    """Take note of the copies that have ended: the time that they took counts with that of this process."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _end(*_: object) -> None:
    _reap()
    os._exit(128 + signal.SIGTERM)


def _wait_for(script: str, folder: str, environment: dict[str, str | None], told: int) -> None:
    """Copy this process once more, as the job, and tell its exit status."""
    waiting, pid = os.getpid(), os.fork()
    if pid == 0:
        _end_with(waiting)
        _become(script, folder, environment)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    # where who asked is gone, this process will be too
    with contextlib.suppress(OSError):
        os.write(told, str(status).encode())
    os._exit(0)


def _import_what(script: str) -> None:
    try:
        parsed = ast.parse(Path(script).read_bytes())
    except (OSError, ValueError, SyntaxError):
        # the job meets the same mistake, and tells it
        return
    _prepare(ast.Module([part for part in parsed.body if isinstance(part, ast.Import | ast.ImportFrom)], []))


def _prepare(statements: str | ast.Module) -> None:
    with contextlib.suppress(Exception):
        exec(compile(statements, "<imports>", "exec"), {})


def _end_with(server: int) -> None:
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)


def _become(script: str, folder: str, environment: dict[str, str | None]) -> None:
    """Be the script, in a folder, with variables set or (None) removed."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 1
    try:
        for name, value in environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        os.chdir(folder)
        sys.argv = [script]
        sys.path.insert(0, os.path.dirname(script))
        main = ModuleType("__main__")
        main.__file__ = script
        sys.modules["__main__"] = main
        status = _run(compile(Path(script).read_bytes(), script, "exec"), main)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        # neither the tidying up of the server nor a minute of taking modules apart
        os._exit(status)


def _run(code: CodeType, main: ModuleType) -> int:
    try:
        exec(code, vars(main))
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        # without the lines of this file
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(error)
        return 1
    return 0


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), _AHEAD if "ahead" in sys.argv else ())
