"""Scripts that start as copies of one process: as `python script` would run them, and no job outlives the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmill.workflow.fork_server import ForkServer, start_jobs_of

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
    deadline = time.monotonic() + 20
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


def test_modules_are_imported_once_and_jobs_do_not_touch_each_other(server, script, tmp_path, monkeypatch):
    (tmp_path / "heavy.py").write_text(f"open({str(tmp_path / 'imports')!r}, 'a').write('x')\nstate = []\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    path = script("import heavy, os\nassert heavy.state == []\nheavy.state.append(1)\nos.environ['LEFT'] = '1'\nos.chdir('/')\n")
    look = script("import heavy, os\nassert heavy.state == [] and 'LEFT' not in os.environ and os.getcwd() != '/'\n", "look.py")
    assert [server.run(each, {}) for each in (path, path, look)] == [0, 0, 0]
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
        job, (server,) = int(started.read_text()), children(head.pid)
        assert children(server) == [job]
        os.kill(head.pid if killed == "head" else server, signal.SIGKILL)
        wait_for(lambda: gone(job) and gone(server))
        # without a server its thread has nothing to wait for
        head.wait(20)


def test_where_the_server_was_killed_the_job_failed_and_the_next_is_not_begun(server, script, tmp_path):
    assert server.run(script("import os, signal; os.kill(os.getppid(), signal.SIGKILL); import time; time.sleep(60)"), {}) == -9
    into = tmp_path / "begun"
    with pytest.raises(OSError, match=r"pipe|reset"):
        server.run(script(f"open({str(into)!r}, 'w')"), {})
    assert not into.exists()


def scripts_of_a_workflow(folder):
    """Stands for Snakemake's class; `started` are the scripts that started in its own way."""

    class Scripts:
        started = ()
        path = SimpleNamespace(get_path_or_uri=lambda secret_free: f"{folder}/of_a_rule.py")
        conda_env = container_img = env_modules = shadow_dir = bench_record = None
        threads = 1
        resources: dict = {}  # noqa: RUF012

        def execute_script(self, fname, edit=False):
            type(self).started += (fname,)

    return Scripts


@pytest.mark.parametrize(
    "settings",
    [
        {"conda_env": "x"},
        {"container_img": "x"},
        {"env_modules": "x"},
        {"shadow_dir": "x"},
        {"threads": 2},
        {"bench_record": 0},
        {"path": SimpleNamespace(get_path_or_uri=lambda secret_free: "/somebody/elses/of_a_rule.py")},
    ],
)
def test_what_a_copy_cannot_be_starts_in_the_ordinary_way(settings, script, tmp_path):
    scripts = scripts_of_a_workflow(tmp_path)
    start_jobs_of(scripts, tmp_path)
    path = script("raise SystemExit(1)")
    made = scripts()
    vars(made).update(settings)
    made.execute_script(path)
    assert scripts.started == (path,)


def test_a_failed_job_is_told_to_snakemake(script, tmp_path):
    scripts = scripts_of_a_workflow(tmp_path)
    start_jobs_of(scripts, tmp_path)
    scripts.resources = {"tmpdir": str(tmp_path)}
    scripts().execute_script(script(f"import tempfile; assert tempfile.gettempdir() == {str(tmp_path)!r}"))
    with pytest.raises(subprocess.CalledProcessError, match="exit status 4"):
        scripts().execute_script(script("raise SystemExit(4)"))
    assert scripts.started == ()


def test_who_does_not_want_copies_gets_none(monkeypatch, tmp_path):
    monkeypatch.setenv("BENCHMILL_FORK", "no")
    scripts = scripts_of_a_workflow(tmp_path)
    before = scripts.execute_script
    start_jobs_of(scripts, tmp_path)
    assert scripts.execute_script is before
