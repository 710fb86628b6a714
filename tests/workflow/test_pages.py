"""The paper and the page show the same of a study."""

import json
from types import SimpleNamespace

import pyarrow as pa
import pytest
import yaml

from benchmill.core import schema, storage
from benchmill.core.errors import UserError
from benchmill.workflow import pages
from benchmill.workflow.job import job

PARTS = {
    "s": {
        "title": "A study",
        "siunitx": True,
        "figures": [{"name": "profile_ert", "kind": "profile", "measure": "ert"}],
        "tables": {"settings": ("settings", {"study": "s"})},
        "runs": {},
        "groups": {},
        "verdicts": {},
    }
}

REPORT = {
    "source": "A",
    "format": "coco",
    "algorithms": ["Ant"],
    "suites": ["bbob"],
    "problems": ["f1"],
    "dimensions": [2],
    "trials": dict.fromkeys(["found", "expected", "missing", "ill_finalised", "solved", "failed"], 3),
    "trials_by_algorithm": {"Ant": 3},
    "irregularities": [],
}


@pytest.fixture
def paths(tmp_path):
    """Results of a study `s`: its configuration, an ingest report, a table, and a figure with its caption."""
    folder = tmp_path / "results/s"
    (folder / "ingest").mkdir(parents=True)
    (folder / "figures").mkdir()
    (folder / "config.yaml").write_text(yaml.safe_dump({"studies": {"s": {"title": "A study"}}}))
    (folder / "ingest/A.json").write_text(json.dumps(REPORT))
    (folder / "figures/profile_ert.txt").write_text("What it shows.\n")
    (folder / "figures/profile_ert.svg").write_text("<svg/>\n")
    table = schema.table("algorithms", {"algorithm": ["Ant"], "source": ["A"], "format": ["coco"]})
    storage.write(table, "algorithms", folder / "algorithms.parquet", {"version": "1", "inputs": {"a.dat": "0" * 64}})
    names = ("config.yaml", "ingest/A.json", "algorithms.parquet", "figures/profile_ert.txt", "figures/profile_ert.svg")
    return [folder / name for name in names]


def test_the_paper_names_figures_and_the_page_shows_them(paths):
    (paper,) = pages.assembled(PARTS, paths)
    (page,) = pages.on_page([paper], {}, {})
    assert paper["figures"] == [{**PARTS["s"]["figures"][0], "caption": "What it shows.", "file": "figures/profile_ert.pdf"}]
    assert page["figures"] == [{**paper["figures"][0], "svg": "<svg/>"}]
    for name in ("name", "title", "config", "runs", "summaries", "verdicts"):
        assert paper[name] == page[name]
    assert [table.name for table in paper["tables"]] == ["settings"]
    assert [table.name for table in page["tables"]] == ["settings", "origins"]
    assert paper["siunitx"]
    assert page["reports"] == [REPORT]
    assert {"s/trials/found": "3", "s/algorithms": "1"}.items() <= {number.key: number.text for number in page["numbers"]}.items()


def test_a_mistake_in_a_job_that_knows_its_study_by_a_parameter_names_it(tmp_path, capsys):
    fake = SimpleNamespace(input=[], output=[], log=[tmp_path / "log"], wildcards={}, params={"study": "mine"})
    with pytest.raises(SystemExit), job(fake):
        raise UserError("A table is wrong.")
    assert "benchmill: study 'mine': A table is wrong." in capsys.readouterr().err


def test_a_table_of_two_profiles_is_of_these_alone():
    """The first variant that counts wins would be the log-ratio profile, whose rho(1) is of two algorithms."""
    rho = {"log_ratio": 0.9, "dolan_more": 0.25, "probabilistic": 0.125}
    known = {"algorithm": "Ant", "measure": "ert"}
    rows = [{**known, "variant": name, "rho_1": value} for name, value in rho.items()]
    for row in rows:
        row |= {"win_probability": row["rho_1"]} if row["variant"] == "probabilistic" else {"wins": 1}
    columns = {
        field.name: [row.get(field.name, None if field.nullable else pa.types.is_boolean(field.type) or 0) for row in rows]
        for field in schema.TABLES["profile_measures"]
    }
    data = {"profile_measures": schema.table("profile_measures", columns)}
    settings = {"measure": {"name": "ert"}, "variants": ["dolan_more", "probabilistic"]}
    (section,) = pages.table("values_at_one", data, settings).sections
    assert [cell.value for cell in section.rows[0][1:]] == [0.25, 0.125, 1, 0.125]
