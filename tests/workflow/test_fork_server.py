"""Scripts that start as copies of one process: as `python script` would run them, and no job outlives the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmill.workflow import borrowed, fork_server
from benchmill.workflow.fork_server import ForkServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are copies of one process on Linux alone")


@pytest.fixture
def server():
    """A server that ends with the test."""
    server = ForkServer()
    yield server
    server.stop()


@pytest.fixture
def script(tmp_path):
    """Writes a script."""

    def write(text, name="script.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def children(pid):
    """The processes that a process has started and that still run."""
    # those of each thread
    return [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]


def gone(pid):
    """Whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("pass", 0),
        ("import sys; sys.exit(3)", 3),
        ("raise SystemExit", 0),
        ("raise SystemExit('a sentence')", 1),
        ("1 / 0", 1),
        ("this is no Python", 1),
        ("import there_is_no_such_module", 1),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("import os; os._exit(7)", 7),
    ],
)
def test_the_exit_status_is_that_of_the_script(server, script, text, status):
    path = script(text)
    assert server.run(path, {}) == status
    assert status == subprocess.run([sys.executable, path], capture_output=True, check=False).returncode


def test_a_script_sees_what_it_would_see_alone(server, script, tmp_path):
    (tmp_path / "beside.py").write_text("")
    path = script(
        "import json, os, sys\n"
        "import beside\n"
        "seen = [__name__, __file__, sys.argv, sys.path[0], os.getcwd(), sys.modules['__main__'].__file__,\n"
        "        os.environ['OPENBLAS_NUM_THREADS'], sys.stdin is not None]\n"
        "json.dump(seen, open(os.environ['INTO'], 'w'))\n"
    )
    found = []
    for name in ("alone", "copy"):
        into = {"INTO": str(tmp_path / name), "OPENBLAS_NUM_THREADS": "1"}
        if name == "alone":
            subprocess.run([sys.executable, path], env={**os.environ, **into}, check=True)
        else:
            assert server.run(path, into) == 0
        found.append((tmp_path / name).read_text())
    assert found[0] == found[1]


def test_a_mistake_is_told_without_the_lines_of_the_server(server, script, capfd):
    path = script("def f():\n    1 / 0\nf()\n")
    assert server.run(path, {}) == 1
    told = capfd.readouterr().err
    assert told == subprocess.run([sys.executable, path], capture_output=True, text=True, check=False).stderr


def test_modules_are_imported_once_and_jobs_do_not_touch_each_other(script, tmp_path, monkeypatch):
    (tmp_path / "heavy.py").write_text(f"open({str(tmp_path / 'imports')!r}, 'a').write('x')\nstate = []\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    path = script("import heavy, os\nassert heavy.state == []\nheavy.state.append(1)\nos.environ['LEFT'] = '1'\nos.chdir('/')\n")
    look = script("import heavy, os\nassert heavy.state == [] and 'LEFT' not in os.environ and os.getcwd() != '/'\n", "look.py")
    server = ForkServer(tmp_path)
    server.start()
    assert [server.run(each, {}) for each in (path, path, look)] == [0, 0, 0]
    server.stop()
    assert (tmp_path / "imports").read_text() == "x"


def test_a_job_that_is_killed_is_the_only_one(server, script):
    assert server.run(script("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"), {}) == -signal.SIGKILL
    assert server.run(script("pass"), {}) == 0


HEAD = """
import threading
from benchmill.workflow.fork_server import ForkServer
server = ForkServer()
threading.Thread(target=server.run, args=({script!r}, {{}})).start()
"""
LASTS = "import os, time\nopen({started!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n"


@pytest.mark.parametrize("killed", ["head", "server"])
def test_jobs_end_with_the_run_or_the_server(script, tmp_path, killed):
    started = tmp_path / "started"
    lasting = script(LASTS.format(started=str(started)), "lasting.py")
    with subprocess.Popen([sys.executable, script(HEAD.format(script=lasting), "head.py")]) as head:
        wait_for(lambda: started.exists() and started.read_text())
        job = int(started.read_text())
        (server,) = [child for child in children(head.pid) if children(child) == [job]]
        os.kill(head.pid if killed == "head" else server, signal.SIGKILL)
        wait_for(lambda: gone(job) and gone(server))
        # without a server its thread has nothing to wait for
        head.wait(20)


def test_where_the_server_was_killed_the_job_failed_and_another_server_begins(server, script):
    kill = "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL); time.sleep(60)"
    assert server.run(script(kill), {}) == -signal.SIGKILL
    path = script("pass")

    def runs():
        try:
            return server.run(path, {}) == 0
        except OSError:
            return False

    # until it is seen to be gone none can be reached, and the job is Snakemake's own
    wait_for(runs)


LOOK = """
import os, sys
assert len(os.listdir(f"/proc/{os.getppid()}/task")) == 1, "a copy would lack the other threads"
sys.exit(not {"pandas", "seaborn", "scipy.stats"} <= sys.modules.keys())
"""


def test_the_first_array_and_table_cost_a_job_nothing(server, script):
    """A job of a server that has begun ahead imports no module for them."""
    look, known = script(LOOK), "known = set(sys.modules)\n"
    path = script(
        f"import sys, pyarrow\n{known}table = pyarrow.table({{'a': pyarrow.array(['b']).dictionary_encode()}})\n"
        "pyarrow.Table.from_pandas(table.to_pandas())\nsys.exit(len(set(sys.modules) - known))\n",
        "table.py",
    )
    server.start()
    wait_for(lambda: server.run(look, {}) == 0)
    assert server.run(path, {}) == 0


def test_without_a_start_nothing_is_imported_that_no_job_asked_for(server, script):
    assert server.run(script(LOOK), {}) == 1


@pytest.mark.parametrize("after", [0, 0.3])
def test_it_ends_whatever_it_is_importing(after):
    server = ForkServer()
    server.start()
    pid = server._server._forkserver_pid
    time.sleep(after)
    server.stop()
    assert gone(pid)


def test_the_key_that_interrupts_a_run_does_not_end_it(script, capfd):
    server = ForkServer()
    server.start()
    pid = server._server._forkserver_pid
    os.kill(pid, signal.SIGINT)
    assert server.run(script("pass"), {}) == 0
    server.stop()
    assert capfd.readouterr().err == ""


def test_a_job_has_folder_and_environment_of_its_time(server, script, tmp_path, monkeypatch):
    monkeypatch.setenv("REMOVED", "1")
    monkeypatch.setenv("CHANGED", "1")
    server.start()
    monkeypatch.delenv("REMOVED")
    monkeypatch.setenv("CHANGED", "2")
    monkeypatch.setenv("ADDED", "3")
    monkeypatch.chdir(tmp_path)
    path = script(
        "import os\nassert 'REMOVED' not in os.environ\n"
        "assert [os.environ[name] for name in ('CHANGED', 'ADDED', 'OF_THE_JOB')] == ['2', '3', '4']\n"
        f"assert os.getcwd() == {str(tmp_path)!r}\n"
    )
    assert server.run(path, {"OF_THE_JOB": "4"}) == 0


@pytest.mark.parametrize(
    ("dryrun", "elsewhere", "wanted", "starts"),
    [
        (False, False, "yes", True),
        (True, False, "yes", False),
        (False, True, "yes", False),
        (False, False, "no", False),
    ],
)
def test_it_begins_where_jobs_may_be_started(monkeypatch, tmp_path, dryrun, elsewhere, wanted, starts):
    server, taken = ForkServer(), []
    monkeypatch.setattr(fork_server, "ForkServer", lambda folder: server)
    monkeypatch.setattr(borrowed, "run_scripts", lambda run, folder: taken.append(folder) or True)
    monkeypatch.setenv("BENCHMILL_FORK", wanted)
    fork_server.start_jobs_of(SimpleNamespace(output_settings=SimpleNamespace(dryrun=dryrun), remote_exec=elsewhere), tmp_path)
    assert (server._server._forkserver_pid is not None) == starts
    assert taken == ([tmp_path] if wanted == "yes" else [])
    server.stop()


def test_in_a_snakemake_that_is_not_known_none_begins(monkeypatch, tmp_path):
    monkeypatch.setattr(borrowed, "run_scripts", lambda run, folder: False)
    begun = set(children(os.getpid()))
    fork_server.start_jobs_of(SimpleNamespace(output_settings=SimpleNamespace(dryrun=False)), tmp_path)
    assert set(children(os.getpid())) == begun
