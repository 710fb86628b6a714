"""The results of a run as a notebook finds them: all tables, all kinds of figure, and folders that are something else."""

import json
import shutil

import matplotlib
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml
from matplotlib import pyplot

import benchmill as bm
from benchmill.core import schema, storage
from benchmill.exhibits.figures import KINDS
from benchmill.study import validation
from benchmill.text import frames
from tests.exhibits.figures import studies


def of(table, column, name):
    return table.filter(pc.equal(table[column].cast(pa.string()), name))


def write_study(root):
    """Tables that a run writes, of a study that was made up, in the folders where they stand."""
    tables = studies.tables(n_problems=3)
    reports = tables["ingest"]
    profiles = [{"variant": "dolan_more"}, {"variant": "nested"}]
    study = {
        "sources": "logs/*",
        "measures": {"ert": {"kind": "fixed_target", "targets": [10.0, 1e-3]}},
        "profiles": [{"name": profile["variant"], **profile} for profile in profiles],
        "indicators": {
            "ecdf": {"targets": [10.0, 1e-3], "aggregate": ["problem", "dimension"], "scale": "logged"},
            "kaplan_meier": {"measures": ["ert"]},
        },
    }
    config = validation.filled({"studies": {"made_up": study}}, validation.schema())
    root.mkdir(parents=True)
    (root / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    (root / "ingest").mkdir()
    for report in reports:
        (root / f"ingest/{report['source']}.json").write_text(json.dumps(report))
    # a source that is in the study no more
    (root / "ingest/left_behind.json").write_text(json.dumps({**reports[0], "source": "left_behind"}))
    known = {"algorithm": [r["algorithms"][0] for r in reports], "source": [r["source"] for r in reports]}
    tables["algorithms"] = schema.table("algorithms", {**known, "format": ["coco-info"] * len(reports)})
    note = {"left_out": [], "n_left_out": 0, "version": bm.__version__}
    paths = {table for kind in KINDS.values() for table in kind.tables if table.split("/")[0] in tables} | {"algorithms"}
    for path in paths:
        name = path.split("/")[0]
        for variant in ("dolan_more", "nested") if "{variant}" in path else ("",):
            for report in reports if "{source}" in path else reports[:1]:
                for aggregation in ("problem", "dimension") if "{aggregation}" in path else ("",):
                    rows = tables[name]
                    rows = of(rows, "variant", variant) if variant else rows
                    rows = of(rows, "aggregation", aggregation) if aggregation else rows
                    rows = of(rows, "algorithm", report["algorithms"][0]) if "{source}" in path else rows
                    found = path.format(measure="ert", variant=variant, source=report["source"], aggregation=aggregation)
                    storage.write(rows, name, root / f"{found}.parquet", note)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    found = tmp_path_factory.mktemp("load") / "results/made_up"
    write_study(found)
    return found


@pytest.fixture(autouse=True)
def _closed():
    with matplotlib.rc_context():
        matplotlib.use("agg")
        yield
    pyplot.close("all")


def test_every_table_is_within_reach(root):
    study = bm.load(root)
    assert len(study.tables) == len(list(root.rglob("*.parquet")))
    for name in study.tables:
        assert study.frame(name).equals(study.frame(*name.split("/")))
    assert list(study.frame("algorithms")["source"]) == [report["source"] for report in study.reports]
    assert "left_behind" not in study._repr_html_()
    with pytest.raises(bm.UserError, match=r"there is no table 'profile'; did you mean 'profiles'\?"):
        study.frame("profile/ert")
    with pytest.raises(bm.UserError, match=r"rank_sums/ert\.parquet: there is no such file; the study has no such result, or"):
        study.frame("rank_sums/ert")


@pytest.mark.parametrize("kind", bm.plot.__all__)
def test_every_kind_of_drawing_is_made_of_a_table_of_the_run(root, kind):
    entry, study = KINDS[kind], bm.load(root)
    path = next(table for table in entry.tables if table.split("/")[0] == entry.drawn)
    if path.startswith("value_ecdf"):
        return  # the run has no measure of values
    source = study.reports[0]["source"]
    rows = study.frame(path.format(measure="ert", variant="dolan_more", source=source, aggregation="problem"))
    panel = frames.keys_of(rows, entry.panel)[0] if entry.panel else {}
    axes = pyplot.figure().add_subplot()
    of = {"pairs": frames.rows_of(study.frame("comparisons/ert"), panel)} if kind == "critical_differences" else {}
    assert getattr(bm.plot, kind)(frames.rows_of(rows, panel), ax=axes, **of) is axes


def test_folders_that_are_no_study(root, tmp_path):
    for folder, words in (
        (tmp_path / "nowhere", "there is no such folder"),
        (root / "config.yaml", "is a file, expected the folder results/<study>"),
        (tmp_path, "holds no results of a study (no config.yaml)"),
        (root.parent, f"give one of {root}."),
        (root.parents[1], f"give one of {root}."),
    ):
        with pytest.raises(bm.UserError) as told:
            bm.load(folder)
        assert words in str(told.value)


@pytest.mark.parametrize("text", ["", "studies: 3", "studies: {a: {}, b: {}}", "- [", "a: b: c", "\x00"])
def test_a_configuration_that_the_workflow_did_not_write(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(bm.UserError, match=r"config\.yaml: is not what the workflow writes of a study"):
        bm.load(tmp_path)


def test_a_setting_of_another_version(root, tmp_path):
    config = yaml.safe_load((root / "config.yaml").read_text("utf-8"))
    for measure in config["studies"]["made_up"]["measures"].values():
        measure["reciprocal"] = False
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    with pytest.raises(bm.UserError, match=r"has no setting 'reciprocal'.* of another version .*: run the workflow again"):
        bm.load(tmp_path).costs()


def test_a_study_of_another_version(root, tmp_path):
    config = yaml.safe_load((root / "config.yaml").read_text("utf-8"))
    del config["studies"]["made_up"]["appearance"]
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    with pytest.raises(bm.UserError, match=r"has no key 'appearance', which this version \(.*\) writes"):
        bm.load(tmp_path)
    shutil.copytree(root, tmp_path / "old")
    path = tmp_path / "old/profiles/ert/dolan_more.parquet"
    table = storage.read(path, "profiles")
    note = json.dumps({"version": "0.9.0"}).encode()
    old = table.drop_columns("rho_low").replace_schema_metadata({storage.METADATA_KEY: note})
    pa.parquet.write_table(old, path)
    with pytest.raises(bm.UserError, match=r"dolan_more\.parquet: was written by benchmill 0\.9\.0, and this is"):
        bm.load(tmp_path / "old").frame("profiles/ert/dolan_more")


def test_a_run_that_did_not_come_to_its_end(root, tmp_path):
    shutil.copytree(root, tmp_path / "half")
    (tmp_path / "half/algorithms.parquet").unlink()
    study = bm.load(tmp_path / "half")
    assert study.measures == ["ert"]
    for ask in (lambda: study.runs, lambda: study.costs(), lambda: study._repr_html_(), lambda: study.ert()):
        with pytest.raises(bm.UserError, match="has not read all sources of the study yet; run Snakemake to its end"):
            ask()


def test_curves_that_a_study_does_not_have(root, tmp_path):
    folder = tmp_path / "study"
    shutil.copytree(root, folder)
    shutil.rmtree(folder / "ecdf")
    with pytest.raises(bm.UserError, match=r"ecdf/problem\.parquet: there is no such file; the study has no such result"):
        bm.load(folder).ecdf()
    config = yaml.safe_load((folder / "config.yaml").read_text())
    config["studies"]["made_up"]["indicators"]["kaplan_meier"]["measures"] = []
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    for name in (None, "ert"):
        with pytest.raises(bm.UserError, match=r"study: the study has no measure with curves; name one in its configuration"):
            bm.load(folder).kaplan_meier(name)


def test_what_a_person_changes_is_a_copy(root):
    study = bm.load(root)
    study.settings["measures"].clear()
    study.reports[0].clear()
    assert study.measures == ["ert"]
    assert study.reports[0]["source"] == "source_0"
    assert study == bm.load(root)
