"""One start of Python and its libraries for all jobs of a run, each of which is a copy (`fork`) of one process.

The process is the server of `multiprocessing.forkserver`, which imports this module (`_import_ahead`). Where there is none, and
with `BENCHMILL_FORK=no`, jobs start in Snakemake's own way, with the same results.
"""

import ast
import atexit
import contextlib
import gc
import os
import pickle
import signal
import sys
import threading
import traceback
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmill.registry import entry, formats, indicators, inference, measures, variants
from benchmill.workflow import borrowed, fingerprint, typesetting

#: The variable of the server's environment that names the folder of the scripts.
_SCRIPTS = "BENCHMILL_SCRIPTS"

#: What Snakemake sets for a job of one thread; the libraries read it when they are imported. A copy of a process has none of its
#: threads but one, so Arrow's allocator must not have begun any.
_ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "GOTO_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"),
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    # a folder of a user is not a place to look for modules
    "PYTHONSAFEPATH": "1",
}

#: What a job has freed it uses again. By default every large array is asked of the system anew and given back, and in a job that
#: gathers the costs of sixty sources the system takes as long to hand out empty pages as the job takes to compute.
_MEMORY = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 40),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
    "MALLOC_TOP_PAD_": str(1 << 26),
    # fewer and larger pages are sooner handed out, and sooner copied with a process
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}

#: What Arrow and pandas do once, when the first array is made and the first table goes from one to the other, is done without the
#: threads of Arrow. The grammar of mathematics in figures takes as long to build as some panels to draw. No figure consists of
#: the letter that is parsed here: jobs would share its open font file.
_AHEAD = """
import snakemake.io, snakemake.iocontainers, snakemake.logging
import pyarrow.parquet, pandas, scipy.special, scipy.stats
pyarrow.Table.from_pandas(pandas.DataFrame({'a': ['b']})).to_pandas(use_threads=False)
import matplotlib.figure, matplotlib.backends.backend_pdf, matplotlib.backends.backend_svg, seaborn
import matplotlib.mathtext, matplotlib.font_manager
stix = matplotlib.font_manager.FontProperties(math_fontfamily='stix')
matplotlib.mathtext.MathTextParser('path').parse('$a$', prop=stix)
"""

#: What jobs load by name, most of them one of each kind.
_LISTED = [
    "benchmill.exhibits.figures.curves",
    *(*indicators.INDICATORS.modules, *measures.MEASURES.modules, *variants.VARIANTS.modules),
    *(*inference.COMPARISONS.modules, *inference.TESTS.modules),
    # each reading of a source asks whether its files are of another format
    *(one.module for one in formats.ENTRIES),
]


class ForkServer:
    """The process that jobs are copies of; it begins at `start` or with the first job, and ends at `stop`."""

    def __init__(self, scripts: str | Path = os.devnull) -> None:
        self._lock, self._scripts = threading.Lock(), str(scripts)
        self._server = forkserver.ForkServer()
        self._server.set_forkserver_preload([__name__])

    def start(self, ahead: bool = True) -> None:
        """Begin, and import the libraries at once (`ahead`).

        Raises
        ------
        OSError
            No process can be made.
        """
        known = dict(os.environ)
        # a key that interrupts the run does not reach the server before it knows that such keys are not for it
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            os.environ.update({**_MEMORY, **known, **_ONE_THREAD, _SCRIPTS: self._scripts if ahead else ""})
            self._server.ensure_running()
        finally:
            for name in {*os.environ} - {*known}:
                del os.environ[name]
            os.environ.update(known)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def run(self, script: str, environment: dict[str, str]) -> int:
        """Run a script as `python script` would, and wait for it.

        Raises
        ------
        OSError
            There is no server: the script was not begun.
        """
        with self._lock:
            self.start(ahead=False)
            ended, given = self._server.connect_to_new_process([])
        # folder and environment may be others than when the server began
        job = _Job(os.path.abspath(script), os.getcwd(), {**os.environ, **environment})
        with open(ended, "rb"), open(given, "wb") as to:
            to.write(pickle.dumps({}) + pickle.dumps(job))
            to.flush()
            try:
                # its number, then its exit status
                return int([forkserver.read_signed(ended) for _ in range(2)][-1])
            except EOFError:
                return -signal.SIGKILL

    def stop(self) -> None:
        """End the server and wait: whoever measures this process then measures its jobs too."""
        self._server._stop()  # type: ignore[attr-defined]


@dataclass(frozen=True)
class _Job:
    """A script, its folder and its environment, as the server's copy unpacks them."""

    script: str
    folder: str
    environment: dict[str, str]

    def _bootstrap(self, parent: int) -> int:
        """Be the script; return its exit status."""
        typesetting.END_WITH_PARENT()  # type: ignore[misc]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        # the server ends with the run, whatever jobs there are
        os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
        # what the libraries read when they were imported stays
        kept = {name: value for name, value in os.environ.items() if name in (*_ONE_THREAD, *_MEMORY)}
        os.environ.clear()
        os.environ.update({**self.environment, **kept})
        os.chdir(self.folder)
        sys.argv = [self.script]
        sys.path.insert(0, os.path.dirname(self.script))
        main = sys.modules["__main__"] = ModuleType("__main__")
        main.__file__ = self.script
        status: Any = 0
        try:
            exec(compile(Path(self.script).read_bytes(), self.script, "exec"), vars(main))
        except SystemExit as end:
            status = end.code or 0
        except BaseException as error:
            # without the lines of this file
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
            traceback.print_exception(error)
            status = 1
        if not isinstance(status, int):
            print(status, file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        return status if isinstance(status, int) else 1


def start_jobs_of(workflow: Any, folder: Path) -> None:
    """Start the scripts in a folder as copies of one process, and begin that process if this run may start jobs."""
    # what is there stays to the end: no search for cycles has to look at it
    gc.freeze()
    server = ForkServer(folder)
    if sys.platform != "linux" or os.environ.get("BENCHMILL_FORK") == "no" or not borrowed.run_scripts(server.run, folder):
        return
    atexit.register(server.stop)
    # a process that runs one job, on a cluster, has nothing to do while it plans that it could do this beside
    if borrowed.begins_run(workflow) and borrowed.may_run_jobs(workflow):
        with contextlib.suppress(OSError):
            server.start()


def _import_ahead(folder: Path) -> None:
    """Import what the scripts in a folder import, so that no job has to."""
    # what is imported stays: to look for cycles in it takes a fifth of the time
    gc.disable()
    for code in (_AHEAD, f"import {', '.join(_LISTED)}", *(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))):
        with contextlib.suppress(Exception):
            body = [part for part in ast.parse(code).body if code is _AHEAD or isinstance(part, ast.Import | ast.ImportFrom)]
            exec(compile(ast.Module(body, []), "<imports>", "exec"), {})
    entry.points()
    fingerprint.AHEAD.update({next(reversed(sys.modules)): None, **fingerprint.loaded()})
    # what is there is not looked at by the garbage collection of a job, which would copy it page by page
    gc.freeze()
    gc.enable()


if folder := os.environ.pop(_SCRIPTS, None):
    _import_ahead(Path(folder))
