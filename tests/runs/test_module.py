"""The workflow as a module of another one: from a path, from git, with prefixes, beside rules of the same names and wildcards."""

import ast
import os
import re
import shutil
import subprocess

import pytest

from benchmill.workflow import commands

from .conftest import PROJECT, Workspace, snakemake

pytestmark = pytest.mark.workflow

COMPARISON = """
comparison:
  studies:
    small:
      sources:
        - {path: logs/costs.csv, format: table, columns: {algorithm: solver, problem: name, cost: seconds}}
        - {path: logs/folder, format: table, columns: {algorithm: solver, problem: name, cost: seconds}}
      measures: {time: {kind: given}}
      figures: []
"""
TABLES = {
    "logs/costs.csv": "solver,name,seconds\nA,p1,1.5\nA,p2,2.5\nB,p1,3.5\nB,p2,1.5\n",
    "logs/folder/c.csv": "solver,name,seconds\nC,p1,1.5\nC,p2,2.5\n",
}
#: The host has a rule of the same name and wildcards, a script, and says what it finds of Snakemake.
HOST = """
configfile: "config.yaml"

module benchmill:
    snakefile: "{snakefile}"
    config: config["comparison"]
    {more}

use rule * from benchmill as benchmill_*

rule mine:
    default_target: True
    input: "mine/other/thing.txt", {targets}

rule ingest:
    output: "mine/{{study}}/{{source}}.txt"
    script: "own.py"

import gc
from snakemake.dag import DAG
from snakemake.jobs import Job
from snakemake.script import PythonScript

found = DAG._ready, PythonScript.execute_script, Job.outputs_older_than_script_or_notebook
print("SEEN", [function.__module__ for function in found], gc.get_threshold() == (700, 10, 10))
"""
WANTED = ("small/numbers.tex", "small/trials/folder.parquet")
#: What reads results of several sources, and settings.
TESTED = ("small/verdicts.parquet",)
#: What scripts find other results by, with their place among the results.
SHOWN = ("report.html", "small/section.tex")


def make_host(folder, snakefile, more="", results="results", wanted=WANTED):
    """A folder with logs and somebody's Snakefile."""
    for name, text in {**TABLES, "own.py": "open(snakemake.output[0], 'w').write('own')\n", "config.yaml": COMPARISON}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    targets = ", ".join(f'"{results}/{name}"' for name in wanted)
    (folder / "Snakefile").write_text(HOST.format(snakefile=snakefile, more=more, targets=targets))
    return folder


def run(folder, *arguments):
    """Run Snakemake there as somebody does: no profile, all of its own reasons to run again."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    return snakemake(["--cores", "2", "--nocolor", *arguments], environment, folder)


def git(folder, *arguments):
    who = ("-c", "user.name=Tests", "-c", "user.email=tests@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """What of this checkout is read from git, in a repository of its own."""
    folder = tmp_path_factory.mktemp("git") / "benchmill"
    for name in ("workflow", "scripts"):
        shutil.copytree(PROJECT / name, folder / name)
    shutil.copy(PROJECT / "Snakefile", folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "as it is")
    return folder


@pytest.fixture(scope="module")
def by_path(tmp_path_factory):
    """A host that names a path, after its run."""
    folder = make_host(
        tmp_path_factory.mktemp("path") / "host", PROJECT / "workflow/Snakefile", wanted=(*WANTED, *SHOWN, *TESTED)
    )
    code, told = run(folder)
    assert code == 0, told
    return folder, told


def test_what_snakemake_does_in_a_workflow_that_has_this_one_as_a_module_is_its_own(by_path):
    _, told = by_path
    modules, threshold = re.search(r"^SEEN (\[.*\]) (.*)$", told, re.MULTILINE).groups()
    assert ast.literal_eval(modules) == ["snakemake.dag", "snakemake.script", "snakemake.jobs"]
    assert threshold == "True"


@pytest.mark.parametrize(
    ("snakefile", "more", "results", "wanted"),
    [
        (
            "git+file://{git}/workflow/Snakefile@HEAD",
            "",
            "results",
            ("small/costs/time/folder.parquet", "small/ratios/time.parquet"),
        ),
        ("git+file://{git}/Snakefile@HEAD", "", "results", WANTED[1:]),
        ("{path}/Snakefile", 'prefix: "theirs"', "theirs/results", (*WANTED, *SHOWN)),
        (
            "{path}/workflow/Snakefile",
            'replace_prefix: {"results/": "results/comparison/"}',
            "results/comparison",
            ("small/trials/costs.parquet", "small/ratios/time.parquet", "small/tests/time.parquet", *TESTED),
        ),
    ],
)
def test_from_git_or_with_a_prefix_it_makes_the_same(by_path, repository, tmp_path, snakefile, more, results, wanted):
    """Of what it makes, these are lost, and made again of the rest."""
    folder = make_host(tmp_path / "host", snakefile.format(git=repository, path=PROJECT), more, results, wanted)
    shutil.copytree(by_path[0] / "results", folder / results)
    for name in wanted:
        (folder / results / name).unlink()
    code, told = run(folder)
    assert code == 0, told
    assert (folder / "mine/other/thing.txt").read_text() == "own"
    for name in wanted:
        assert (folder / results / name).read_bytes() == (by_path[0] / "results" / name).read_bytes(), name
    code, told = run(folder, "-n")
    assert "Nothing to be done" in told


def test_rules_from_git_that_are_not_the_installed_ones_are_refused(repository, tmp_path):
    other = shutil.copytree(repository, tmp_path / "other")
    path = other / "scripts/ratios.py"
    path.write_text(path.read_text("utf-8").replace("profiled=snakemake.params.profiled", "profiled=False"), "utf-8")
    git(other, "commit", "-qam", "another version")
    folder = make_host(tmp_path / "host", f"git+file://{other}/workflow/Snakefile@HEAD")
    code, told = run(folder, "-n")
    assert code == 1
    assert re.search(r"scripts/ratios\.py there is not that of the installed benchmill .*; install the version", told), told
    # the commit before is the installed one
    make_host(folder, f"git+file://{other}/workflow/Snakefile@HEAD~1")
    code, told = run(folder, "-n")
    assert code == 0, told


def test_a_module_that_moves_some_results_and_not_others_is_refused(tmp_path):
    folder = make_host(tmp_path / "host", PROJECT / "Snakefile", 'replace_prefix: {"results/small/": "elsewhere/"}')
    code, told = run(folder, "-n")
    assert code == 1
    assert "replace_prefix: it moves results/small/ to elsewhere/, expected `results/` as a whole." in told


def test_rules_keep_their_groups_under_other_names(by_path):
    """Each further submission waits in the queue; a rule that is in no group would be one."""
    batches = ("--group-components", "sources=20", "compare_{study}=1000")
    code, told = run(by_path[0], "-n", "--forceall", *batches)
    assert code == 0, told
    # jobs outside of groups are not indented
    assert re.findall(r"Group job (\S+) \(", told) == ["sources", "compare_small"]
    within, alone = (re.findall(rf"^{indented}Job \d+: (\w+ \w+)", told, re.MULTILINE) for indented in (" +", ""))
    compared = ["Computing ratios", "Making the", "Naming the", "Ranking the", "Testing time", "Stating what", "Checking the"]
    assert set(compared) <= set(within), told
    assert not set(compared) & set(alone), told


def test_an_included_workflow_says_nothing_of_the_wildcards_of_other_rules(tmp_path):
    folder = make_host(tmp_path / "host", "")
    (folder / "config.yaml").write_text(COMPARISON.replace("comparison:\n", "", 1))
    (folder / "Snakefile").write_text(
        f"""
configfile: "config.yaml"
include: "{PROJECT}/Snakefile"

rule mine:
    output: "mine/{{study}}/{{source}}/{{measure}}.txt"
    script: "own.py"
"""
    )
    assert run(folder, "mine/none/of/theirs.txt")[0] == 0
    # and what a study has not, it does not make
    assert "MissingRuleException" in run(folder, "-n", "results/small/ratios/none.parquet")[1]


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """A study of `benchmill init` with a rule of its owner, which alone was asked for; and a project that can be edited."""
    folder, project = tmp_path_factory.mktemp("init") / "study", tmp_path_factory.mktemp("project") / "benchmill"
    for name in ("Snakefile", "environment.yml", "workflow", "profiles", "scripts", "src"):
        source, copy = PROJECT / name, project / name
        copy.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy)
    commands.start(folder)
    (folder / "own.py").write_text("open(snakemake.output[0], 'w').write(open(snakemake.input[0]).read())\n")
    with (folder / "Snakefile").open("a") as file:
        file.write('\nrule own:\n    input: "results/sample/config.yaml"\n    output: "own.txt"\n    script: "own.py"\n')
    workspace = Workspace(folder, project)
    made = asked(workspace, "--", "own.txt")
    assert made.code == 0, made.output
    return workspace


def asked(workspace, *arguments):
    """Run the study's own Snakefile."""
    return workspace.run("-s", workspace.folder / "Snakefile", "--configfile", workspace.folder / "config.yaml", *arguments)


def test_a_rule_of_ones_own_runs_again_when_its_script_changes(started):
    """While for the rules of the workflow the code counts, and neither dates nor comments."""
    assert "Nothing to be done" in asked(started, "-n", "--", "own.txt").output
    script = started.project / "scripts/config.py"
    later = os.stat(started.folder / "own.txt").st_mtime + 5
    script.write_text(script.read_text("utf-8") + "# a comment\n", "utf-8")
    os.utime(script, (later, later))
    run = asked(started, "-n", "--", "own.txt")
    assert "Nothing to be done" in run.output, run.output
    own = started.folder / "own.py"
    own.write_text(own.read_text().replace("write(", "write('edited: ' + "))
    os.utime(own, (later, later))
    run = asked(started, "--", "own.txt")
    assert run.code == 0, run.output
    assert (started.folder / "own.txt").read_text().startswith("edited: ")
    assert not any("configuration" in job for job in run.jobs), run.jobs
