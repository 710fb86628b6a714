"""Rooms on which nothing else hangs can be taken away."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmill import cli

SOURCE = Path(cli.__file__).parent
#: Import every module, show the help, and read a study.
CODE = """
import importlib, pkgutil, sys
from pathlib import Path
import benchmill
assert benchmill.__file__.startswith(sys.argv[1]), benchmill.__file__
for module in pkgutil.walk_packages(benchmill.__path__, "benchmill."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from benchmill import cli
from benchmill.study.study import read_studies
study = {"sources": ["small.csv"], **({"competition": {}} if "competition" in sys.argv[2:] else {})}
print(sorted(read_studies({"studies": {"s": study}}, [Path()], figures_of=lambda found: found.settings["figures"])))
cli.main(["--help"])
"""


@pytest.mark.parametrize(
    ("room", "command"), [("competition", "publish"), ("deposits", "rerun"), ("versions", "compare"), ("why", "why")]
)
def test_the_rest_works_without_a_satellite(tmp_path, room, command):
    package = tmp_path / "src" / "benchmill"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(package / room)
    for data in ("workflow", "scripts", "data", "studies", "profiles"):
        (tmp_path / data).symlink_to(SOURCE.parents[1] / data)
    (tmp_path / "small.csv").write_text("algorithm,problem,cost\nA,p,1\nB,p,2\nA,q,1\nB,q,3\n")

    def run(*more):
        command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'src')!r})\n{CODE}", str(tmp_path)]
        return subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run()
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['s']")
    commands = re.findall(r"^    ([a-z-]+)(?: |$)", done.stdout, re.M)
    assert "inspect" in commands
    assert command not in commands
    if room == "competition":
        # rules that nobody can read are refused
        asked = run("competition")
        assert asked.returncode != 0
        assert "studies.s.competition" in asked.stderr
