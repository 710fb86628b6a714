"""Python and the libraries are started once in a run, not once for every job.

Half the time of a small study was the start of Python: each job imported pyarrow, each figure matplotlib, for work of a tenth of
a second. Here one process imports what the scripts of a run import, each module when a script first asks for it, and makes a
copy of itself (`fork`) for every job. A job still is a process of its own: what it does to its memory or its environment, and how
it ends, does not touch any other.

Where this cannot be (not on Linux, in a container or a conda environment) jobs start in Snakemake's own way,
with the same results. `BENCHMILL_FORK=no` in the environment asks for that.
"""

from __future__ import annotations

import ast
import atexit
import ctypes
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

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

_LONGEST_REQUEST = 1 << 16
_PR_SET_PDEATHSIG = 1


class ForkServer:
    """The process that jobs are copies of; it begins with the first job, and ends with this process or at `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def run(self, script: str, environment: dict[str, str]) -> int:
        """Run a script as `python script` would, and wait for it.

        Parameters
        ----------
        script : str
            The file.
        environment : dict
            Variables that it gets beside those of this process.

        Returns
        -------
        int
            Its exit status, negative if a signal ended it; that of SIGKILL where the server itself was ended.

        Raises
        ------
        OSError
            There is no server: the script was not begun.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                request = json.dumps([os.path.abspath(script), environment]).encode()
                socket.send_fds(self._started(), [request], [theirs.fileno()])
            # the other end is also held by the job: where the server is killed, nothing is read before the job has ended too
            status = ours.recv(16)
        return int(status) if status else -signal.SIGKILL

    def _started(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                # -P: a folder of a user is not a place to look for modules
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", __name__, str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    env={**_MEMORY, **os.environ, **_ONE_THREAD, **_NO_THREADS},
                )
        return self._control

    def stop(self) -> None:
        """End the server and wait for it."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()


def start_jobs_of(scripts: Any, folder: str | Path) -> None:
    """From now on start the scripts in a folder as copies of one process.

    Parameters
    ----------
    scripts : type
        `snakemake.script.PythonScript`: what starts a script of a rule.
    folder : path
        Where the scripts of this workflow are; those of others start in Snakemake's own way.
    """
    if sys.platform != "linux" or os.environ.get("BENCHMILL_FORK") == "no":
        return
    ordinary, server = scripts.execute_script, ForkServer()
    folder = os.path.realpath(folder)

    def execute_script(self: Any, fname: str, edit: bool = False) -> None:
        others = os.path.dirname(os.path.realpath(self.path.get_path_or_uri(secret_free=True))) != folder
        elsewhere = self.conda_env or self.container_img or self.env_modules or self.shadow_dir
        if others or elsewhere or edit or self.bench_record is not None or self.threads != 1:
            ordinary(self, fname, edit)
            return
        scratch = self.resources.get("tmpdir")
        try:
            status = server.run(fname, dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), scratch) if scratch else {})
        except OSError:
            ordinary(self, fname, edit)
            return
        if status:
            raise subprocess.CalledProcessError(status, f"{sys.executable} {fname}")

    scripts.execute_script = execute_script
    # waited for, so that whoever measures this process measures its jobs too
    atexit.register(server.stop)


def _serve(control: socket.socket) -> None:
    """Make a copy for each request, tell how each ended, until the other end of `control` is closed."""
    # the key that interrupts a run is for the jobs, which end by it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    ended, told = socket.socketpair()
    ended.setblocking(False)
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno())
    running: dict[int, socket.socket] = {}
    ready = selectors.DefaultSelector()
    ready.register(control, selectors.EVENT_READ)
    ready.register(ended, selectors.EVENT_READ)
    while True:
        for key, _ in ready.select():
            if key.fileobj is ended:
                ended.recv(4096)
                _tell(running)
                continue
            request, fds, _, _ = socket.recv_fds(control, _LONGEST_REQUEST, 1)
            if not request:
                return
            script, environment = json.loads(request)
            _import_what(script)
            # what is there is not looked at by the garbage collection of a job, which would copy it page by page
            gc.freeze()
            server = os.getpid()
            pid = os.fork()
            if pid == 0:
                _end_with(server)
                signal.set_wakeup_fd(-1)
                for other in (control, ended, told, *running.values()):
                    other.close()
                _become(script, environment)
            running[pid] = socket.socket(fileno=fds[0])


def _tell(running: dict[int, socket.socket]) -> None:
    """Tell how the jobs that have ended did so."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with running.pop(pid) as job:
            try:
                job.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            except OSError:
                # who asked is gone, and so this process will be
                continue


def _import_what(script: str) -> None:
    """Import what a script imports, here, for this job and all later ones."""
    try:
        parsed = ast.parse(Path(script).read_bytes())
        imports: list[ast.stmt] = [part for part in parsed.body if isinstance(part, ast.Import | ast.ImportFrom)]
        exec(compile(ast.Module(imports, []), script, "exec"), {})
    except Exception:
        # the job meets the same mistake, and tells it
        return


def _end_with(server: int) -> None:
    """Let this copy be killed when the server ends, which does so when Snakemake is gone."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)


def _become(script: str, environment: dict[str, str]) -> None:
    """Be the script from here on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    status = 1
    try:
        os.environ.update(environment)
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
    """The exit status of a program."""
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
    _serve(socket.socket(fileno=int(sys.argv[1])))
