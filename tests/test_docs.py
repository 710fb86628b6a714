"""What the documentation says of files and keys is what the code does."""

import doctest
import json
import pkgutil
import re
import runpy
import tomllib
from pathlib import Path

import yaml

from benchmill.study import configuration

HERE = Path(__file__).parents[1]


def test_the_page_of_files_is_made_from_the_schemas():
    made = runpy.run_path(str(HERE / ".ci/files_page.py"))["page"]()
    assert (HERE / "docs/files.md").read_text("utf-8") == made, "run `make lock`"


def test_the_pages_of_the_configuration_and_of_rules_are_made_from_the_code():
    module = runpy.run_path(str(HERE / ".ci/config_page.py"))
    made = json.loads(json.dumps(configuration.schema()))
    written = json.loads((HERE / "workflow/schemas/config.schema.json").read_text("utf-8"))
    assert written == made, "run `python .ci/config_page.py`"
    assert (HERE / "config/README.md").read_text("utf-8") == module["page"](made), "run `python .ci/config_page.py`"
    assert (HERE / "docs/rules.md").read_text("utf-8") == module["rules"](), "run `python .ci/config_page.py`"


def test_the_house_has_no_circle_and_no_arrow_up_and_all_its_rooms_are_drawn():
    """`make check` compares the arrows too."""
    house = runpy.run_path(str(HERE / ".ci/house_page.py"))
    drawn = [line.split()[0] for line in house["drawn"]().splitlines() if line and line[0].islower()]
    assert drawn == [room for floor in house["floors"]() for room in floor]
    written = (HERE / "docs/architecture.md").read_text("utf-8").partition(house["BEGIN"])[2]
    assert [line.split()[0] for line in written.partition(house["END"])[0].splitlines() if line and line[0].islower()] == drawn


def test_every_test_that_the_page_on_security_names_exists():
    named = set(re.findall(r"`(test_\w+)`", (HERE / "docs/security.md").read_text("utf-8")))
    there = {
        name for path in HERE.glob("tests/**/*.py") for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    assert named
    assert named <= there


def test_every_name_in_the_code_and_the_pages_is_there():
    """A name below `benchmill` that no module has any more sends a reader nowhere."""
    pages = [
        path
        for folder in ("src", "docs", "workflow")
        for path in (HERE / folder).rglob("*")
        if path.suffix in (".py", ".md", ".smk")
    ]
    wrong, named = [], 0
    for path in [*pages, HERE / "README.md", HERE / "CONTRIBUTING.md"]:
        if path == HERE / "docs/extending.md" or path.is_relative_to(HERE / "docs/api"):
            continue
        for name in re.findall(r"`(benchmill(?:\.\w+)+)(?:\(\))?`", path.read_text("utf-8")):
            named += 1
            try:
                pkgutil.resolve_name(name)
            except (ImportError, AttributeError):
                wrong.append((path.relative_to(HERE).as_posix(), name))
    # that the pattern finds them at all
    assert named > 50
    assert not wrong


def test_every_page_is_in_the_table_of_contents():
    listed = re.findall(r"^([a-z_/]+)$", (HERE / "docs/index.md").read_text("utf-8"), re.M)
    pages = {
        path.relative_to(HERE / "docs").with_suffix("").as_posix()
        for path in HERE.glob("docs/**/*")
        if path.suffix in (".md", ".ipynb")
    }
    # a page that is not listed cannot be reached
    assert {*listed, "index"} == {page for page in pages if not page.startswith("api/")}


def test_what_there_is_to_read_is_short():
    made = {"files.md", "gallery.md", "numbers.md", "rules.md"}
    pages = [path for path in HERE.glob("docs/*.md") if path.name not in made]
    assert sum(len(path.read_text("utf-8").split()) for path in (*pages, HERE / "README.md", HERE / "CONTRIBUTING.md")) <= 35_000


def test_the_architecture_is_short_and_what_it_names_is_there():
    page = (HERE / "docs/architecture.md").read_text("utf-8")
    # beside the drawing
    assert len(re.sub(r"```text\n.*?```", "", page, flags=re.DOTALL).split()) <= 1500
    for row in re.findall(r"^\|.*\|$", page.partition("## Where is what")[2].partition("## The walls")[0], re.M):
        for named in re.findall(r"`([a-z_/]+(?:/|\.py))`", row):
            path = Path(named)
            assert any((HERE / root / path).exists() for root in ("", "src/benchmill", "src/benchmill/registry")), named


def test_the_linter_knows_every_room():
    contract, _ = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    named = {name.strip().removeprefix("benchmill.") for layer in contract["layers"] for name in layer.split("|")}
    rooms = {path.name for path in (HERE / "src/benchmill").iterdir() if (path / "__init__.py").is_file()}
    assert named == rooms | {"cli"}


def test_what_the_page_of_profiles_shows_comes_out():
    found = doctest.testfile(str(HERE / "docs/profiles.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted
    assert not found.failed


def test_the_page_of_numbers_is_made_from_their_names():
    made = runpy.run_path(str(HERE / ".ci/numbers_page.py"))["page"]()
    assert (HERE / "docs/numbers.md").read_text("utf-8") == made, "run `make lock`"


def test_the_shipped_paper_of_ones_own_asks_for_what_its_study_makes():
    study = yaml.safe_load((HERE / "config.yaml").read_text("utf-8"))["studies"]["barreto2010"]
    asked = re.findall(r"\{figures/(\w+)\.pdf\}", (HERE / study["paper"]).read_text("utf-8"))
    assert asked
    assert set(asked) <= {entry if isinstance(entry, str) else entry["name"] for entry in study["figures"]}
