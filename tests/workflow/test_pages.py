"""The paper and the page show the same of a study."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
import yaml

from benchmill.core import UserError, schema, storage
from benchmill.exhibits.tables import numbers
from benchmill.study import results
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.sentences import Sentences
from benchmill.workflow import pages
from benchmill.workflow.job import job

PARTS = {
    "s": {
        "title": "A study",
        "figures": [{"name": "profile_ert", "kind": "profile", "measure": "ert"}],
        "repeated": [],
        "groups": {},
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
    data = results.load([folder / "config.yaml", folder / "ingest/A.json"])["s"]
    built = [pages.table("settings", data, {"study": "s", "config": data["config"]})]
    made = pages.exhibits(built, numbers.build("s", data, data["ingest"]), Sentences(), {"runs": {}, "verdicts": {}}, data)
    (folder / "exhibits.json").write_text(results.exhibits_text(made))
    (folder / "evidence.json").write_text('{"runs": null, "why": "packed"}')
    names = ("config.yaml", "ingest/A.json", "exhibits.json", "algorithms.parquet")
    names += ("figures/profile_ert.txt", "figures/profile_ert.svg", "evidence.json")
    return [folder / name for name in names]


def test_curves_over_one_dimension_are_shown_once():
    figures = [{"name": f"ecdf_{name}", "kind": "ecdf", "measure": "ecdf"} for name in ("problem", "dimension")]
    captions = {figure["name"]: "What it shows." for figure in figures}
    for sizes, shown in (([2], 1), ([], 1), ([2, 3], 2)):
        own = {"config": {}, "ingest": [{**REPORT, "dimensions": sizes}], "captions": captions, "exhibits": {"tables": []}}
        data = {"s": {**own, "svg": dict.fromkeys(captions, "<svg/>"), "evidence": {}}}
        (study,) = pages.assembled({"s": {**PARTS["s"], "figures": figures}}, data)
        # their captions stay, for papers of one's own
        assert len(study["figures"]) == 2
        assert len(study["repeated"]) == 2 - shown


def test_the_paper_names_figures_and_the_page_shows_them(paths):
    data = results.load(paths)
    (paper,) = pages.assembled(PARTS, data)
    (page,) = pages.on_page([paper], data, {})
    assert paper["figures"] == [{**PARTS["s"]["figures"][0], "caption": "What it shows.", "file": "figures/profile_ert.pdf"}]
    assert page["figures"] == [{**paper["figures"][0], "svg": "<svg/>"}]
    for name in ("name", "title", "config", "runs", "summaries", "verdicts"):
        assert paper[name] == page[name]
    assert [table.name for table in paper["tables"]] == ["settings"]
    assert [table.name for table in page["tables"]] == ["settings", "origins"]
    assert page["evidence"] == {"runs": None, "why": "packed"}
    assert page["reports"] == [REPORT]
    assert {"s/trials/found": "3", "s/algorithms": "1"}.items() <= {
        number["key"]: number["text"] for number in page["numbers"]
    }.items()


def test_exhibits_are_read_as_they_were_made(tmp_path):
    cells = (
        Cell("–"),
        Cell("1.50", 1.5, True),
        Cell("∞", math.inf),
        Cell('x\ud800 "<', np.float64(0.1 + 0.2), page="a.html"),
        Cell("3", np.int64(3)),
    )
    columns = tuple(Column(str(i), "l", "what", key=not i, wrap=True) for i in range(5))
    table = Table("t", "Title", "Caption τ.", columns, (Section("one", (cells, cells)), Section("", ())), "first")
    number = numbers.Number("s/a", "1", 1.0, "a number")
    made = pages.exhibits(
        [table, Table("e", "", "", ())],
        [number],
        Sentences("No.", findings=(("Why?", "So."),)),
        {"runs": {}, "verdicts": {}},
        {"config": {}},
    )
    path = tmp_path / "results/s/exhibits.json"
    path.parent.mkdir(parents=True)
    path.write_text(results.exhibits_text(made), "utf-8")
    found = results.load([path])["s"]["exhibits"]
    made["sentences"]["findings"] = [["Why?", "So."]]
    made["methods"] = list(map(list, made["methods"]))
    assert found == {**made, "numbers": [{"key": "s/a", "text": "1", "meaning": "a number", "value": "1.0"}]}
    assert [type(cell.value) for cell in found["tables"][0].sections[0].rows[0]] == [type(None), float, float, float, int]


def test_of_a_table_that_nobody_reads_it_is_read_what_it_is_made_from(paths):
    only = results.load(paths, {"ratios": None})["s"]
    assert "algorithms" not in only
    assert only["origins"] == results.load(paths)["s"]["origins"]
    assert results.load(paths, {"algorithms": ["source"]})["s"]["algorithms"].column_names == ["source"]
    paths[3].write_bytes(b"PAR1")
    with pytest.raises(UserError, match=r"algorithms.parquet: cannot be read as a Parquet table"):
        results.load(paths, {"ratios": None})
    paths[2].write_text("{")
    with pytest.raises(UserError, match=r"exhibits\.json: found no exhibits \(.*\), expected a mapping in JSON; delete the file"):
        results.load(paths[2:3])


def test_a_mistake_in_a_job_that_knows_its_study_by_a_parameter_names_it(tmp_path, capsys):
    fake = SimpleNamespace(input=[], output=[], log=[tmp_path / "log"], wildcards={}, params={"study": "mine"})
    with pytest.raises(SystemExit), job(fake):
        raise UserError("A table is wrong.")
    assert "benchmill: study 'mine': A table is wrong." in capsys.readouterr().err
    # as does one in a figure, which what draws it knows by its kind alone
    fake.wildcards, fake.params = {"study": "mine", "figure": "ends"}, SimpleNamespace(kind="cactus", get=dict().get)
    with pytest.raises(SystemExit), job(fake):
        raise UserError("figures: cactus: page: found 9.")
    assert "benchmill: study 'mine': figures: ends: page: found 9." in capsys.readouterr().err


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
