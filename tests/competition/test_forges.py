"""The jobs that a competition's repository has for GitHub and GitLab, run as they stand, on a server that is a folder."""

import os
import re
import shutil
import subprocess

import pytest
import yaml

from tests.runs.conftest import PROJECT

KIT = PROJECT / "studies/competition"

#: In place of `benchmill`, which has tests of its own: it goes on with the record that it finds, and refuses an entry called bad.
BENCHMILL = """#!/bin/sh
set -e
case "$1" in
publish) mkdir -p site; echo state >> site/states.jsonl; cp site/states.jsonl site/index.html;;
check-entry)
    mkdir -p checked; echo "$*" | grep -o -- "--by [a-z]*" > checked/by
    [ ! -f site/states.jsonl ] || cp site/states.jsonl checked/known
    head=$(git rev-parse -q --verify refs/request || echo HEAD)
    git diff --name-only "$3" "$head" -- entries | tee checked/entries
    ! grep -q bad checked/entries;;
esac
"""


class Forge:
    """A server with the repository of a competition, and the clone in which a runner works."""

    def __init__(self, folder):
        self.folder = folder
        self.server, self.own, self.clone = folder / "server.git", folder / "own", folder / "runner"
        (folder / "bin").mkdir()
        for name, text in {"benchmill": BENCHMILL, "pip": "#!/bin/sh\n"}.items():
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)
        self.git("init", "-q", "--bare", "-b", "main", str(self.server), at=folder)
        self.git("clone", "-q", str(self.server), str(self.own), at=folder)
        (self.own / "requirements.txt").write_text("benchmill\n")
        (self.own / ".gitignore").write_bytes((KIT / ".gitignore").read_bytes())
        self.push("The rules", "main")

    def git(self, *arguments, at=None):
        who = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false"]
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=at or self.own, check=True, capture_output=True, text=True).stdout

    def push(self, words, branch):
        self.git("checkout", "-q", "-B", branch)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", words)
        self.git("push", "-q", "origin", branch)

    def entry(self, key):
        self.git("checkout", "-q", "main")
        (self.own / "entries" / key).mkdir(parents=True)
        (self.own / "entries" / key / "entry.yaml").write_text("name: x\n")
        self.push(f"Entry {key}", key)

    def take(self, key):
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", key)
        self.git("push", "-q", "origin", "main")

    def site(self):
        return self.git("show", "gh-pages:states.jsonl", at=self.server).split()

    def run(self, script, **variables):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "GITLAB_", "CI_", "GIT_"))}
        kept["PATH"] = f"{self.folder / 'bin'}{os.pathsep}{kept['PATH']}"
        # as both forges run a script
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(command, cwd=self.clone, env={**kept, **variables}, capture_output=True, text=True)


class GitHub(Forge):
    #: Whether logs have taken over the job that reads them.
    tampered = False

    def job(self, name, **context):
        """All steps but the actions of others, in a new clone; the status of the first that fails."""
        jobs = yaml.safe_load((KIT / f".github/workflows/{name}.yml").read_text("utf-8"))["jobs"]
        (self.folder / "temporary").mkdir(exist_ok=True)
        told = {
            "RUNNER_TEMP": str(self.folder / "temporary"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_SHA": "f00",
        }
        for step in (step for job in jobs.values() for step in self.beginning(job)):
            if step.get("uses", "").startswith("actions/upload-artifact"):
                self.artefact(step["with"]["path"])
            if "run" in step:
                own = {
                    key: re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda m: context[m[1]], value)
                    for key, value in step.get("env", {}).items()
                }
                done = self.run(step["run"], **told, **own)
                if done.returncode:
                    return done
        return done

    def beginning(self, job):
        """A job starts in a new clone of the base, with what the one before has handed over."""
        subprocess.run(["rm", "-rf", str(self.clone)], check=True)
        self.git("clone", "-q", f"file://{self.server}", str(self.clone), at=self.folder)
        if "needs" in job:
            shutil.copytree(self.folder / "artefact", self.clone / "built")
        return job["steps"]

    def artefact(self, path):
        """What is handed over: files that are not hidden."""
        shutil.rmtree(self.folder / "artefact", ignore_errors=True)
        if (self.clone / path).exists():
            shutil.copytree(self.clone / path, self.folder / "artefact", ignore=shutil.ignore_patterns(".*"))
        if self.tampered:
            (self.folder / "artefact/states.jsonl").write_text("another state\nstate\n")

    def check(self, key):
        # as GitHub names what a request would merge
        self.git("push", "-q", "-f", "origin", f"{key}:refs/pull/7/head")
        return self.job("entry", **{"github.event.pull_request.number": "7", "github.event.pull_request.user.login": "ada"})

    def publish(self):
        return self.job("publish")


class GitLab(Forge):
    def __init__(self, folder):
        super().__init__(folder)
        self.git("clone", "-q", str(self.server), str(self.clone), at=folder)

    def job(self, name, **variables):
        """The script of a job, in the clone that was used before, cleaned as a runner does it."""
        script = yaml.safe_load((KIT / ".gitlab-ci.yml").read_text("utf-8"))[name]["script"]
        self.git("clean", "-ffdxq", "-e", "built", at=self.clone)
        address = "https://publish:secret@localhost/cup.git"
        self.git("config", f"url.{self.server}.insteadOf", address, at=self.clone)
        pushes = {"CI_PUSH_TOKEN": "secret", "CI_SERVER_HOST": "localhost", "CI_PROJECT_PATH": "cup", "CI_COMMIT_SHA": "f00"}
        return self.run("\n".join(script), **pushes, **variables)

    def at(self, branch):
        self.git("fetch", "-q", "origin", at=self.clone)
        self.git("checkout", "-q", "-f", "--detach", f"origin/{branch}", at=self.clone)

    def check(self, key):
        self.at(key)
        return self.job("check", CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", CI_MERGE_REQUEST_SOURCE_PROJECT_PATH="ada/cup")

    def publish(self):
        self.at("main")
        shutil.rmtree(self.clone / "built", ignore_errors=True)
        done = self.job("build")
        if done.returncode:
            return done
        shutil.rmtree(self.folder / "artefact", ignore_errors=True)
        shutil.copytree(self.clone / "built", self.folder / "artefact")
        self.at("main")
        self.git("clean", "-ffdxq", at=self.clone)
        shutil.copytree(self.folder / "artefact", self.clone / "built", dirs_exist_ok=True)
        return self.job("push")


@pytest.mark.parametrize("forge", [GitHub, GitLab])
def test_entries_come_and_the_record_goes_on(tmp_path, forge):
    forge = forge(tmp_path)
    # before the first state there is neither a site nor its branch
    forge.entry("one")
    done = forge.check("one")
    assert done.returncode == 0, done.stderr
    assert (forge.clone / "checked/entries").read_text() == "entries/one/entry.yaml\n"
    assert (forge.clone / "checked/by").read_text() == "--by ada\n"
    assert not (forge.clone / "checked/known").exists()
    for number in (1, 2, 3):
        if number < 3:
            forge.take(("one", "two")[number - 1])
        done = forge.publish()
        assert done.returncode == 0, done.stderr
        assert forge.site() == ["state"] * number
        if number == 1:
            forge.entry("two")
            assert forge.check("two").returncode == 0
            assert (forge.clone / "checked/known").read_text() == "state\n"
    # the branch of the site has the site and nothing else
    assert {"index.html", "states.jsonl"} <= set(forge.git("ls-tree", "--name-only", "gh-pages", at=forge.server).split())
    assert not {"requirements.txt", "entries"} & set(forge.git("ls-tree", "--name-only", "gh-pages", at=forge.server).split())
    # a request whose entry is refused fails, and one may not bring its own packages
    forge.entry("bad")
    assert forge.check("bad").returncode == 1
    # nor go unchecked because it has no entry
    triggers = [yaml.safe_load((KIT / ".github/workflows/entry.yml").read_text("utf-8"))[True]["pull_request_target"],
                *yaml.safe_load((KIT / ".gitlab-ci.yml").read_text("utf-8"))["check"]["rules"]]  # fmt: skip
    assert not any({"paths", "paths-ignore", "changes", "exists"} & set(one or {}) for one in triggers)


def test_the_job_that_can_write_lets_no_line_of_the_record_go(tmp_path):
    forge = GitHub(tmp_path)
    for _ in range(2):
        assert forge.publish().returncode == 0
    forge.tampered = True
    assert forge.publish().returncode != 0
    assert forge.site() == ["state"] * 2


@pytest.mark.parametrize("name", ["entry", "publish"])
def test_no_job_reads_logs_and_can_write(name):
    workflow = yaml.safe_load((KIT / f".github/workflows/{name}.yml").read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        reads = any("benchmill" in step.get("run", "") for step in job["steps"])
        assert not (reads and job.get("permissions"))
        for step in job["steps"]:
            if "checkout" in step.get("uses", "") and reads:
                assert step["with"]["persist-credentials"] is False
                assert "ref" not in step["with"]  # nothing of a request is checked out
            if "uses" in step:
                assert re.search(r"@[0-9a-f]{40}$", step["uses"])
            if "pip install" in step.get("run", ""):
                assert "--require-hashes" in step["run"]
