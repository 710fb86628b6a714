"""What the documentation says of files and keys is what the code does."""

import re
import runpy
from pathlib import Path

import yaml

HERE = Path(__file__).parents[1]


def test_the_page_of_files_is_made_from_the_schemas():
    made = runpy.run_path(str(HERE / ".ci/files_page.py"))["page"]()
    assert (HERE / "docs/files.md").read_text("utf-8") == made, "run `make lock`"


def test_the_page_of_the_configuration_is_made_from_its_schema():
    made = runpy.run_path(str(HERE / ".ci/config_page.py"))["page"]()
    assert (HERE / "config/README.md").read_text("utf-8") == made, "run `make lock`"


def test_every_test_that_the_threat_model_names_exists():
    named = set(re.findall(r"`(test_\w+)`", (HERE / "docs/security.md").read_text("utf-8")))
    there = {
        name for path in HERE.glob("tests/**/*.py") for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    assert named
    assert named <= there


def test_the_page_of_numbers_is_made_from_their_names():
    made = runpy.run_path(str(HERE / ".ci/numbers_page.py"))["page"]()
    assert (HERE / "docs/numbers.md").read_text("utf-8") == made, "run `make lock`"


def test_the_shipped_paper_of_ones_own_asks_for_what_its_study_makes():
    study = yaml.safe_load((HERE / "config.yaml").read_text("utf-8"))["studies"]["barreto2010"]
    asked = re.findall(r"\{figures/(\w+)\.pdf\}", (HERE / study["paper"]).read_text("utf-8"))
    assert asked
    assert set(asked) <= {entry if isinstance(entry, str) else entry["name"] for entry in study["figures"]}
