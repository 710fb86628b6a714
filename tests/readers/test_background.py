"""A background gives the costs of the logs that it was made of, and nothing else."""

import contextlib
import hashlib
import io
import json
import math
import shutil
import time
import zipfile
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import benchmill as bm
from benchmill import cli, readers
from benchmill.core import UserError
from benchmill.costs import costs
from benchmill.costs.fixed_target import decisive, hitting_times
from tests.readers.making import one_sentence
from tests.runs.conftest import write_archive


@pytest.mark.parametrize("maximise", [False, True])
def test_hitting_times_hang_on_decisive_rows_alone(maximise):
    """Of random traces with ties, NaN and infinities the rows that are kept have the hitting times of all."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts = rng.integers(0, 12, rng.integers(1, 6))
        offsets = np.append(0, np.cumsum(counts))
        evaluations = np.concatenate([np.sort(rng.integers(1, 30, n)) for n in counts] or [np.zeros(0, int)])
        values = rng.choice([*np.arange(-4.0, 5.0), np.nan, np.inf, -np.inf], offsets[-1])
        targets = rng.choice(np.arange(-5.0, 6.0), rng.integers(1, 5), replace=False)
        kept = decisive(offsets, values, targets, maximise=maximise)
        fewer = np.append(0, np.cumsum([kept[a:b].sum() for a, b in pairwise(offsets)]))
        whole = hitting_times(offsets, evaluations, values, targets, maximise=maximise)
        reduced = hitting_times(fewer, evaluations[kept], values[kept], targets, maximise=maximise)
        np.testing.assert_array_equal(reduced, whole)
        assert np.diff(fewer).max(initial=0) <= targets.size


def test_the_rows_of_a_small_trace():
    """9 and 8 reach nothing, 4 reaches 5, 4 again nothing new, 1 reaches 2 and 1 at once."""
    assert decisive([0, 5], [9, 8, 4, 4, 1], [5, 2, 1]).tolist() == [False, False, True, False, True]


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Logs of two algorithms, one of which lacks a trial, and a study of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENCHMILL_CACHE", str(tmp_path / "kept"))
    write_archive(tmp_path / "logs/Alpha.tar.xz", "Alpha", 1)
    write_archive(tmp_path / "logs/Beta.tar.xz", "Beta", 2, instances=(1, 2, 3, 3))
    study = {"sources": "logs/*.tar.xz", "measures": {"ert": {"kind": "fixed_target", "targets": [10, 0.3, 1e-3]}}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"studies": {"mine": study}}))
    return tmp_path


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """A background, made once."""
    folder = tmp_path_factory.mktemp("one")
    write_archive(folder / "Alpha.tar.xz", "Alpha", 1)
    assert cli.main(["background", "make", str(folder / "Alpha.tar.xz"), "-o", str(folder / "one.zip")]) == 0
    return folder / "one.zip"


@pytest.fixture
def background(one, tmp_path, monkeypatch):
    """A background, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return one


def made(*arguments):
    assert cli.main(["background", "make", *arguments, "-o", "all.zip"]) == 0
    return "all.zip"


SETTINGS = {"targets": [10.0, 0.3, 1e-3]}


def rows(table):
    return table.drop_columns(["trial"]).to_pylist()


def test_costs_and_expected_running_times_are_those_of_the_logs_to_the_bit(logs):
    trials, traces, report = readers.load(made("mine"))
    background = costs("fixed_target", trials, traces, "ert", SETTINGS)
    found, expected = rows(background), []
    reports, n_rows = [], []
    for name in ("Alpha", "Beta"):
        own, rows_of, one = readers.load(f"logs/{name}.tar.xz")
        expected += rows(costs("fixed_target", own, rows_of, "ert", SETTINGS))
        reports.append(one)
        n_rows.append(rows_of.num_rows)
    assert found == expected
    assert traces.num_rows < sum(n_rows)
    assert report["algorithms"] == ["Alpha", "Beta"]
    for count in ("found", "missing", "expected", "solved", "failed"):
        assert report["trials"][count] == sum(one["trials"][count] for one in reports)


def test_expected_running_times_in_a_notebook_are_those_of_the_logs(logs):
    keys = ["algorithm", "problem", "dimension", "target"]
    of_logs, of_background = (
        bm.ert(bm.costs(bm.read(path), targets=SETTINGS["targets"])).frame.sort_values(keys, ignore_index=True)
        for path in ("logs/*.tar.xz", made("mine"))
    )
    pd.testing.assert_frame_equal(of_background, of_logs, check_exact=True)
    assert len(of_logs)


def test_a_background_is_the_same_file_each_time(logs):
    first = (logs / made("mine")).read_bytes()
    assert (logs / made("mine")).read_bytes() == first


def test_what_a_background_says_of_itself(logs, capsys):
    with zipfile.ZipFile(made("mine", "--targets", "7,1e-5")) as archive:
        head = json.loads(archive.read("background.json"))
    assert {7.0, 1e-5, 10.0, 0.3, 1e-3} <= set(head["targets"])
    alpha = head["sources"][0]
    assert (alpha["file"], alpha["algorithms"], alpha["format"]) == ("Alpha.tar.xz", ["Alpha"], "coco")
    assert alpha["sha256"] == readers.source_digest("logs/Alpha.tar.xz")
    assert "all.zip: 2 sources" in capsys.readouterr().out


def test_what_has_to_be_cited_of_the_logs_is_told_again(logs):
    study = yaml.safe_load((logs / "config.yaml").read_text())
    study["studies"]["mine"]["sources"] = [
        {"path": "logs/Alpha.tar.xz", "citation": "A. Walker, 2024"},
        {"path": "logs/Beta.tar.xz"},
    ]
    (logs / "config.yaml").write_text(yaml.safe_dump(study))
    assert cli.main(["background", "make", "mine", "-o", "b.zip"]) == 0
    report = readers.examine("b.zip", options={"algorithm": {"Alpha": "First"}})
    sha256 = hashlib.sha256((logs / "logs/Alpha.tar.xz").read_bytes()).hexdigest()
    assert report["made_of"] == [{"algorithms": ["First"], "name": "Alpha", "sha256": sha256, "citation": "A. Walker, 2024"}]


def test_logs_without_a_study_have_the_targets_of_the_default_study(logs):
    with zipfile.ZipFile(made("logs/Alpha.tar.xz", "logs/Beta.tar.xz")) as archive:
        head = json.loads(archive.read("background.json"))
    assert {100.0, 1e-8} <= set(head["targets"])


def refusal(kind, settings):
    trials, traces, _ = readers.load("all.zip")
    with pytest.raises(UserError) as caught:
        costs(kind, trials, traces, "m", settings)
    return str(caught.value)


def test_what_a_background_does_not_know_is_refused(logs):
    made("logs/Alpha.tar.xz", "--targets", "7")
    assert "not the target 0.123" in refusal("fixed_target", {"targets": [7, 0.123]})
    assert "values at budgets" in refusal("fixed_budget", {"budgets": [20]})
    assert "other scales" in refusal("fixed_target", {"targets": [7], "scale": "distance"})


def changed(name, change):
    """The background with one of its members changed."""
    with zipfile.ZipFile(name) as old, zipfile.ZipFile("changed.zip", "w") as new:
        for member in old.namelist():
            new.writestr(member, change(member, old.read(member)))
    return "changed.zip"


def test_a_background_of_another_version_is_refused_unless_it_is_allowed(background):
    def older(member, content):
        return (
            json.dumps({**json.loads(content), "version": f"0.1\x1b[2J\n{'x' * 10**5}"}).encode()
            if member.endswith(".json")
            else content
        )

    path = changed(background, older)
    with pytest.raises(UserError, match=r"benchmill 0\.1\[2J x+ made this background.*any_version: true") as caught:
        readers.load(path)
    one_sentence(caught.value)
    assert len(str(caught.value)) < 1000
    assert readers.load(path, options={"any_version": True})[0].num_rows


@pytest.mark.parametrize("member", ["background.json", "trials.parquet", "traces.parquet"])
@pytest.mark.parametrize("content", [b"", b"{}", b"PAR1", b"[" * 5000])
def test_what_is_no_background(background, member, content):
    path = changed(background, lambda name, old: content if name == member else old)
    with pytest.raises(UserError):
        readers.load(path, format="background")


@pytest.mark.parametrize("seed", range(60))
def test_damaged_members_are_read_or_refused_in_one_sentence(background, seed):
    rng = np.random.default_rng(seed)
    damaged = ("background.json", "trials.parquet", "traces.parquet")[seed % 3]

    def damage(member, content):
        if member != damaged:
            return content
        found = bytearray(content[: rng.integers(1, len(content))] if seed % 2 else content)
        for at in rng.integers(0, len(found), 5):
            found[at] = rng.integers(0, 256)
        return bytes(found)

    with contextlib.suppress(UserError):
        readers.load(changed(background, damage), format="background")


LACK = {"algorithm": "Alpha", "suite": "bbob", "problem": "f1", "dimension": 2, "instance": "9", "count": 2}
LACKING = [
    {"suite": None},
    {**LACK, "count": -5},
    {**LACK, "count": 10**30},
    {**LACK, "dimension": 10**30},
    {**LACK, "dimension": -1},
]
NOTED = {"rule": "r", "outcome": "noted", "meaning": "x" * 10**6, "count": 1}


def with_head(background, **said):
    """The background with other words of its only source."""

    def other(member, content):
        if not member.endswith(".json"):
            return content
        head = json.loads(content)
        head["sources"][0] |= said
        return json.dumps(head).encode()

    return changed(background, other)


def test_what_a_head_says_is_short_in_reports(background):
    report = readers.load(with_head(background, irregularities=[NOTED] * 20))[2]
    assert [one["count"] for one in report["irregularities"]] == [1, 20]
    assert len(json.dumps(report)) < 10_000


def test_a_long_list_of_missing_trials_takes_no_long_time(background):
    path = with_head(background, missing=[{**LACK, "instance": str(i)} for i in range(20_000)])
    begin = time.process_time()
    assert readers.load(path)[2]["trials"]["missing"] >= 20_000
    assert time.process_time() - begin < 8


def with_table(background, name, change):
    """The background with another table."""

    def other(member, content):
        if member != f"{name}.parquet":
            return content
        packed = io.BytesIO()
        pq.write_table(change(pq.read_table(io.BytesIO(content))), packed)
        return packed.getvalue()

    return changed(background, other)


def column(name, values):
    """A change of a column, of which values(old values) are the new ones."""

    def change(table):
        at = table.schema.get_field_index(name)
        new = pa.array(values(table[name].to_pylist())).cast(table.schema.field(at).type)
        return table.set_column(at, table.schema.field(at), new)

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("traces", lambda table: table.drop_columns(["value"])),
        ("traces", lambda table: table.append_column("x", table["value"])),
        ("traces", column("evaluations", lambda old: [10**6, *old[1:]])),
        ("traces", column("evaluations", lambda old: [*old[:-1], 10**9])),
        ("traces", column("trial", lambda old: [*old[:-1], 99])),
        ("traces", column("value", lambda old: [-math.inf, *old[1:]])),
        ("trials", column("budget", lambda old: [-7, *old[1:]])),
        ("trials", column("status", lambda old: ["won", *old[1:]])),
        ("trials", lambda table: table.slice(0, 0)),
    ],
)
def test_tables_that_cannot_be_those_of_logs(background, name, change):
    with pytest.raises(UserError) as caught:
        readers.load(with_table(background, name, change), format="background")
    one_sentence(caught.value)


def test_a_table_that_unpacks_to_a_thousand_times_its_size_is_not_unpacked(background):
    path = with_table(background, "traces", lambda table: table.take(pa.array(np.zeros(2_000_000, np.int64))))
    with pytest.raises(UserError, match=r"traces.parquet has 22000000 cells in \d+ bytes, which no background needs"):
        readers.load(path, format="background")


@pytest.mark.parametrize(
    "said",
    [
        {"sources": 5},
        {"sources": [5]},
        {"sources": [{"algorithms": 5}]},
        {"sources": [{"algorithms": [], "irregularities": [{}], "missing": [], "full_grid": True}]},
        *({"sources": [{"algorithms": [], "irregularities": [], "missing": [one], "full_grid": True}]} for one in LACKING),
        {
            "sources": [
                {"algorithms": [], "irregularities": [{**NOTED, "count": -3}], "missing": [], "full_grid": True, "file": "x"}
            ]
        },
    ],
)
def test_heads_that_say_something_else(background, said):
    def other(member, content):
        return json.dumps({**json.loads(content), **said}).encode() if member.endswith(".json") else content

    with pytest.raises(UserError, match="is not the head of a background"):
        readers.load(changed(background, other), format="background")


def test_what_the_readers_of_the_logs_had_to_say_is_repeated(logs):
    """A row that is worse than one before it, in one of the logs."""
    shutil.unpack_archive("logs/Alpha.tar.xz", "Alpha")
    (data,) = logs.glob("Alpha/**/bbobexp_f1_DIM2.dat")
    lines = data.read_text().splitlines(keepends=True)
    data.write_text("".join([*lines[:3], lines[1].replace("1 0", f"{lines[2].split()[0]} 0", 1), *lines[3:]]))
    original = readers.load("Alpha")[2]["irregularities"]
    assert original
    known, repeated = readers.load(made("Alpha"))[2]["irregularities"]
    assert (known["rule"], known["examples"][0]["detail"]) == ("known_at_targets", "51 targets, 1e-08 to 100")
    assert repeated["rule"] == "of_the_logs"
    assert repeated["count"] == sum(one["count"] for one in original)
    assert {one["detail"].split(" ")[0] for one in repeated["examples"]} == {one["rule"] for one in original}


@pytest.mark.parametrize("dimension", [1, None])
def test_missing_trials_may_have_one_variable_or_state_no_dimension(background, dimension):
    report = readers.load(with_head(background, missing=[{**LACK, "dimension": dimension, "instance": "one"}]))[2]
    assert [one["dimension"] for one in report["missing"] if one["instance"] == "one"] == [dimension]


def test_missing_trials_are_carried_on(logs):
    with zipfile.ZipFile(made("mine")) as archive:
        head = json.loads(archive.read("background.json"))

    def lacking(member, content):
        if not member.endswith(".json"):
            return content
        head["sources"][0]["missing"] = [
            {"algorithm": "Alpha", "suite": "bbob", "problem": "f1", "dimension": 2, "instance": "9", "count": 2}
        ]
        return json.dumps(head).encode()

    report = readers.load(changed("all.zip", lacking))[2]
    assert report["trials"]["missing"] >= 2
    assert any(one["instance"] == "9" and one["count"] == 2 for one in report["missing"])


def test_algorithms_can_be_renamed(logs):
    trials, traces, _ = readers.load(made("mine"), options={"algorithm": {"Beta": "Other"}, "suite": "own"})
    assert trials["algorithm"].unique().to_pylist() == ["Alpha", "Other"]
    assert set(traces["algorithm"].unique().to_pylist()) == {"Alpha", "Other"}
    assert trials["suite"].unique().to_pylist() == ["own"]


def test_costs_and_means_have_no_background(logs, capsys):
    (logs / "times.csv").write_text("solver,model,seconds\nA,x,1\nA,y,2\n")
    study = {"sources": [{"path": "times.csv", "columns": {"algorithm": "solver", "problem": "model", "cost": "seconds"}}]}
    (logs / "other.yaml").write_text(yaml.safe_dump({"studies": {"times": {**study, "problem_keys": ["problem"]}}}))
    assert cli.main(["background", "make", "times", "--config", "other.yaml", "--targets", "1", "-o", "x.zip"]) == 2
    assert "has no traces of them" in capsys.readouterr().err
    assert not (logs / "x.zip").exists()
    made("mine")
    assert cli.main(["background", "make", "all.zip", "-o", "x.zip"]) == 2
    assert "is a background itself" in capsys.readouterr().err
