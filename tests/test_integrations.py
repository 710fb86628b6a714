"""The action and the script for continuous integration: run as they stand, against a server that plays the forge."""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import yaml

from tests.notebook.test_versions import frame

HERE = Path(__file__).parents[1]
SCRIPT = HERE / "integrations/compare.py"
CONFIG = """
format: table
options:
  columns: {algorithm: solver, cost: seconds, outcome: state, run: seed}
  outcomes: {ok: solved, timeout: time_limit}
  time_limit: 100
"""


class Server(ThreadingHTTPServer):
    """Comments of one request, by the addresses of GitHub and of GitLab."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments, self.asked, self.foreign, self.refuses = [], [], set(), False

    @property
    def root(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        size, page = int(query["per_page"][0]), int(query["page"][0])
        self.answer(200, self.server.comments[(page - 1) * size : page * size])

    def do_POST(self):
        made = {"id": 1000 + len(self.server.comments), "body": self.body()}
        if self.server.refuses:
            return self.answer(403, {"message": "Resource not accessible by integration"})
        self.server.comments.append(made)
        self.answer(201, made)

    def do_PATCH(self):
        number = int(self.path.rpartition("/")[2])
        if number in self.server.foreign:
            return self.answer(403, {})
        comment = next(one for one in self.server.comments if one["id"] == number)
        comment["body"] = self.body()
        self.answer(200, comment)

    do_PUT = do_PATCH

    def body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def answer(self, code, content):
        self.server.asked.append((self.command, urlsplit(self.path).path, dict(self.headers)))
        data = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(0)
    base = rng.uniform(20, 40, 20)
    for name, factor in (("base", 1), ("same", rng.uniform(0.97, 1.03, 20)), ("slow", 1.2)):
        frame(base * factor).to_csv(tmp_path / f"{name}.csv", index=False)
    (tmp_path / "c.yaml").write_text(CONFIG)
    return tmp_path


#: In place of `benchmill`, whose start costs more than all else here; the action below runs the real one.
STANDS_IN = """#!/bin/sh
case "$*" in *gone.csv*) echo "benchmill: gone.csv: there is no such file" >&2; exit 2;; esac
mkdir -p "$(echo "$*" | sed 's/.*--output //')"
case "$*" in *slow.csv*regression*) echo "The rule is met."; exit 1;; *) echo "The rule is not met.";; esac
"""


@pytest.fixture
def github(tables, server):
    (tables / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    return {
        "GITHUB_EVENT_PATH": str(tables / "event.json"),
        "GITHUB_REPOSITORY": "ada/solver",
        "GITHUB_API_URL": server.root,
        "GITHUB_TOKEN": "secret",
    }


def run(folder, environment, *arguments):
    own = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "GITLAB_", "CI_"))}
    bin = folder / "bin"
    bin.mkdir(exist_ok=True)
    (bin / "benchmill").write_text(STANDS_IN)
    (bin / "benchmill").chmod(0o755)
    path = f"{bin}{os.pathsep}{own['PATH']}"
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments], cwd=folder, env={**own, "PATH": path, **environment}, capture_output=True, text=True
    )


def compare(folder, environment, new, *rule, name=()):
    return run(folder, environment, *name, "--", "base.csv", new, "--config", "c.yaml", *rule)


RULE = ("--fail-on", "regression>5%")


def test_one_comment_is_kept_up_to_date(tables, server, github):
    # others have said much already
    server.comments += [{"id": i, "body": "Looks good."} for i in range(130)]
    summary = tables / "summary.md"
    done = compare(tables, {**github, "GITHUB_STEP_SUMMARY": str(summary)}, "slow.csv", *RULE)
    assert (done.returncode, done.stderr) == (1, "")
    assert len(server.comments) == 131
    assert server.comments[-1]["body"] == f"<!-- benchmill compare  -->\n{done.stdout}"
    assert summary.read_text("utf-8") == done.stdout
    assert server.asked[-1][:2] == ("POST", "/repos/ada/solver/issues/7/comments")
    assert server.asked[-1][2]["Authorization"] == "Bearer secret"
    done = compare(tables, github, "same.csv", *RULE)
    assert done.returncode == 0
    assert len(server.comments) == 131
    assert "is not met" in server.comments[-1]["body"]
    assert server.asked[-1][:2] == ("PATCH", "/repos/ada/solver/issues/comments/1130")
    # another comparison of the same request has its own
    compare(tables, github, "same.csv", name=("--name", "LP"))
    assert len(server.comments) == 132
    assert "secret" not in "".join(comment["body"] for comment in server.comments) + done.stdout


def test_a_comment_of_somebody_else_that_begins_so_is_left_alone(tables, server, github):
    server.comments.append({"id": 5, "body": "<!-- benchmill compare  -->\nmine"})
    server.foreign.add(5)
    assert compare(tables, github, "same.csv").returncode == 0
    assert [comment["body"].endswith("mine") for comment in server.comments] == [True, False]


def test_a_mistake_is_told_in_the_comment(tables, server, github):
    done = compare(tables, github, "gone.csv", *RULE)
    assert done.returncode == 2
    assert "there is no such file" in done.stderr
    assert "## benchmill could not decide\n\n    benchmill: gone.csv" in server.comments[-1]["body"]


def test_a_comment_that_cannot_be_written_is_no_failure(tables, server, github):
    server.refuses = True
    done = compare(tables, github, "slow.csv", *RULE)
    assert done.returncode == 1
    assert "the comment is not written (HTTP Error 403" in done.stderr
    assert (tables / "benchmill-compare").is_dir()


def test_on_gitlab(tables, server):
    environment = {
        "GITLAB_TOKEN": "secret",
        "CI_API_V4_URL": f"{server.root}/api/v4",
        "CI_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_IID": "3",
    }
    for new in ("slow.csv", "same.csv"):
        compare(tables, environment, new)
    assert len(server.comments) == 1
    notes = "/api/v4/projects/12/merge_requests/3/notes"
    assert [asked[:2] for asked in server.asked] == [("GET", notes), ("POST", notes), ("GET", notes), ("PUT", f"{notes}/1000")]
    assert server.asked[-1][2]["Private-Token"] == "secret"


def test_without_a_forge_nothing_is_sent(tables, server):
    done = compare(tables, {}, "slow.csv", *RULE)
    assert (done.returncode, done.stderr) == (1, "")
    assert not server.asked


def test_a_long_comment_is_cut_at_a_line():
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        import compare as script
    finally:
        sys.path.pop(0)
    text = "<details>\n" + "| a row of a table |\n" * 5000 + "</details>\n"
    cut = script.shortened(text)
    assert len(cut) < 65_536
    assert cut.endswith("| a row of a table |\n\n</details>\n\nThe rest is on the page.\n")
    assert script.shortened("short\n") == "short\n"


def test_the_steps_of_the_action_run_as_they_stand(tables, server, github):
    """All but the installation and the upload, which need a network."""
    action = yaml.safe_load((HERE / "action.yml").read_text("utf-8"))
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    (tables / "tmp/benchmill/bin").mkdir(parents=True)
    given = {"base": "base.csv", "new": "slow.csv", "config": "c.yaml", "token": "secret", "name": "two $(touch hacked) words"}
    given = {key: given.get(key, str(one.get("default", ""))) for key, one in action["inputs"].items()}
    github.pop("GITHUB_TOKEN")
    own = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "GITLAB_", "CI_"))}
    environment = {
        **own,
        **github,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{own['PATH']}",
        "RUNNER_TEMP": str(tables / "tmp"),
        "GITHUB_ACTION_PATH": str(HERE),
        "GITHUB_OUTPUT": str(tables / "output"),
    }

    def step(name, **values):
        found = {key: filled(value, values) for key, value in steps[name].get("env", {}).items()}
        # as the runner runs `shell: bash`
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[name]["run"]]
        return subprocess.run(command, cwd=tables, env={**environment, **found}, capture_output=True, text=True)

    def filled(value, values):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: values[match[1]], value)

    inputs = {f"inputs.{key}": value for key, value in given.items()}
    assert step("Compare", **inputs).returncode == 0
    assert "status=2" in (tables / "output").read_text()
    assert not (tables / "hacked").exists()
    inputs["inputs.name"] = "LP"
    done = step("Compare", **inputs)
    assert done.returncode == 0, done.stderr
    outputs = dict(line.split("=", 1) for line in (tables / "output").read_text().splitlines())
    assert outputs == {"status": "1", "folder": str(tables / "tmp/benchmill-compare-LP")}
    assert sorted(path.name for path in Path(outputs["folder"]).iterdir()) == [f"comparison.{s}" for s in ("html", "json", "md")]
    assert server.comments[0]["body"].startswith("<!-- benchmill compare LP -->\n**LP**\n")
    assert step("Fail by the rule", **{"steps.compare.outputs.status": "1"}).returncode == 1


def test_what_others_have_written_is_pinned_by_its_digest():
    files = [HERE / "action.yml", *HERE.glob(".github/workflows/*.yml"), *HERE.glob("studies/*/.github/workflows/*.yml")]
    assert len(files) == 4
    versions = {}
    for path in files:
        for line in re.findall(r"uses: (.*)", path.read_text("utf-8")):
            name, digest, version = re.fullmatch(r"([\w-]+/[\w-]+)@([0-9a-f]{40}) # v([0-9.]+)", line).groups()
            assert versions.setdefault(name, (digest, version)) == (digest, version)
    # the service that keeps files for older versions is gone
    assert int(versions["actions/cache"][1].partition(".")[0]) >= 5


def test_the_action_takes_nothing_of_a_request_for_a_command():
    action = yaml.safe_load((HERE / "action.yml").read_text("utf-8"))
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])
    assert {"base", "new"} == {key for key, one in action["inputs"].items() if one.get("required")}


def test_the_job_of_gitlab_is_yaml():
    job = yaml.safe_load((HERE / "integrations/gitlab-ci.yml").read_text("utf-8"))["compare"]
    assert any("integrations/compare.py" in line for line in job["script"])
