"""pyproject.toml, the lock and the conda environment name the same packages."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

HERE = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
TESTED = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]
BUILT = PYPROJECT["dependency-groups"]["build"]
WANTED = {
    "requirements.lock": TESTED + BUILT,
    ".ci/audit.lock": PYPROJECT["dependency-groups"]["audit"],
    "experiments/requirements.lock": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["experiments"],
    "docs/requirements.lock": PROJECT["dependencies"] + BUILT + PROJECT["optional-dependencies"]["docs"],
    "tests/lowest/requirements.lock": PROJECT["dependencies"],
    "tests/cluster/requirements.lock": TESTED + BUILT + PROJECT["optional-dependencies"]["cluster"],
    "tests/remote/requirements.lock": TESTED
    + BUILT
    + [name for extra in ("remote", "kubernetes", "servers") for name in PROJECT["optional-dependencies"][extra]],
}


def pins(path):
    """Versions pinned in a lock; a package can have several, for different Pythons."""
    found = {}
    for name, version in re.findall(
        r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", (HERE / path).read_text("utf-8"), re.MULTILINE
    ):
        found.setdefault(canonicalize_name(name), []).append(Version(version))
    return found


@pytest.mark.parametrize("path", WANTED)
def test_the_lock_pins_every_requirement_within_its_range(path):
    locked = pins(path)
    for text in WANTED[path]:
        requirement = Requirement(text)
        versions = locked.get(canonicalize_name(requirement.name))
        assert versions, f"{path} lacks {requirement.name}: run `make lock`"
        assert all(version in requirement.specifier for version in versions), f"{path}: {requirement.name}: run `make lock`"


@pytest.mark.parametrize("path", WANTED)
def test_the_lock_has_a_hash_for_every_pin_and_names_no_place(path):
    text = (HERE / path).read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)


def test_the_lowest_versions_are_the_bounds():
    """So that `make lowest-test` tries what is promised."""
    locked = pins("tests/lowest/requirements.lock")
    for requirement in map(Requirement, PROJECT["dependencies"]):
        bound = min(Version(part.version) for part in requirement.specifier if part.operator == ">=")
        assert locked[canonicalize_name(requirement.name)] == [bound], f"{requirement.name}: run `make lock`"


def test_the_installed_versions_are_the_locked_ones():
    from importlib.metadata import version

    locked = pins("requirements.lock")
    for text in TESTED:
        name = canonicalize_name(Requirement(text).name)
        assert Version(version(name)) in locked[name]


def test_the_conda_environment_is_made_from_pyproject():
    made = runpy.run_path(str(HERE / ".ci/environment.py"))["environment"]()
    assert (HERE / "environment.yml").read_text("utf-8") == made, "run `make lock`"
