"""What a run says of the one before: algorithms that came, went and were renamed, and who comes first."""

import json
from types import SimpleNamespace

import pytest

from benchmill.core import schema, storage
from benchmill.study import catalogue
from benchmill.workflow import up_to_date

BEFORE = {"a": {"A": "Ant"}, "b": {"B": "Bee", "C": "Cat"}}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """End a run that leaves by source the names of algorithms, and an order of some of them, the first of which leads."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalogue, "files", lambda study, name: study.files[name])

    def ended(sources, order=None, aside=(), measures=("ert",)):
        names = [name for held in sources.values() for name in held.values() if name and name not in aside]
        for source, held in sources.items():
            (tmp_path / f"{source}.json").write_text(json.dumps({"algorithms_in_logs": held}))
        rows = [
            {"measure": measure, "criterion": "auc_log", "headline": True, "algorithm": name, "value": 1.0, "rank": rank}
            | {"larger_is_better": True, "tau_max": 2.0, "n_problems": 3, "n_stopped": 0, "n_late": 0}
            for measure in measures
            for rank, name in enumerate(order or names, 1)
        ]
        storage.write(schema.of_rows("leaders", rows), "leaders", "leaders.parquet")
        made = {"ingest": [f"{source}.json" for source in sources], "leaders": ["leaders.parquet"]}
        return up_to_date.since_before([SimpleNamespace(name="s", files=made, settings={"not_competing": list(aside)})])

    assert ended(BEFORE) == []
    return ended


@pytest.mark.parametrize(
    ("after", "order", "told"),
    [
        (BEFORE, None, []),
        (BEFORE, ["Bee", "Ant", "Cat"], ["the same algorithms. First is now Bee by ERT (before: Ant)."]),
        ({**BEFORE, "d": {"D": "Dog"}}, None, ["added Dog. Who comes first is the same."]),
        ({"b": BEFORE["b"]}, None, ["removed Ant. First is now Bee by ERT (before: Ant)."]),
        ({**BEFORE, "b": {"B": "Bee", "C": None}}, None, ["removed Cat. Who comes first is the same."]),
        ({**BEFORE, "a": {"A": "Ape"}}, None, ["renamed Ant to Ape. Who comes first is the same."]),
        ({**BEFORE, "a": {"A": "Bee"}, "b": {"B": "Ant", "C": "Cat"}}, ["Bee", "Ant", "Cat"], None),
        ({"moved": BEFORE["a"], "b": BEFORE["b"]}, None, []),
        (
            {"a": {"A": "Cat"}, "b": {"B": "Bee", "C": None}},
            None,
            ["removed Cat; renamed Ant to Cat. Who comes first is the same."],
        ),
        (
            {"a": {"A": "Ape"}, "d": {"D": "Ant"}, "b": {"B": "Bee", "C": None}},
            ["Ant", "Ape", "Bee"],
            ["added Ant; removed Cat; renamed Ant to Ape. First is now Ant by ERT (before: Ape)."],
        ),
    ],
)
def test_what_a_run_has_changed_is_told_once(run, after, order, told):
    told = ["renamed Ant to Bee and Bee to Ant. Who comes first is the same."] if told is None else told
    assert run(after, order) == [f"s, since the last run: {text}" for text in told]
    assert run(after, order) == []


def test_an_order_of_other_algorithms_says_nothing_until_it_is_made_again(run):
    grown = {**BEFORE, "d": {"D": "Dog"}}
    assert run(grown, ["Ant", "Bee", "Cat"]) == []
    assert run(BEFORE, ["Dog", "Ant", "Bee", "Cat"]) == []
    assert run(grown, ["Dog", "Ant", "Bee", "Cat"]) == [
        "s, since the last run: added Dog. First is now Dog by ERT (before: Ant)."
    ]
    # algorithms that do not compete have no place in it
    assert run(grown, ["Dog", "Ant", "Bee"], aside=["Cat"]) == []


def test_what_cannot_be_read_is_no_reason_to_fail(run, tmp_path):
    grown = {**BEFORE, "d": {"D": "Dog"}}
    (tmp_path / "leaders.parquet").write_bytes(b"PAR1")
    made = {"ingest": ["a.json"], "leaders": ["leaders.parquet"]}
    assert up_to_date.since_before([SimpleNamespace(name="s", files=made, settings={"not_competing": []})]) == []
    assert up_to_date.since_before([SimpleNamespace(name="s", files={**made, "leaders": ["none"]}, settings={})]) == []
    assert len(run(grown)) == 1
    up_to_date.COMPARED.unlink()
    assert run(BEFORE) == []
