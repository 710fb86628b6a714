"""Typed columns give the trials and the report that the same columns give as text."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from benchmill import readers
from benchmill.core.errors import UserError
from benchmill.readers import table_typed

N = 60
FRAME = pd.DataFrame(
    {
        "algorithm": ["B", "A10", "A9"] * 20,
        "problem": np.repeat([f"p{i}" for i in range(20)], 3)[::-1],
        "cost": np.random.default_rng(1).lognormal(2, 1, N),
    }
)
RUNS = pd.concat([FRAME.assign(run=2), FRAME.assign(run=0)], ignore_index=True)
ENDED = FRAME.assign(outcome=["optimal", "crash", "late"] * 20)
WORDS = {"outcomes": {"crash": "error", "late": "time_limit"}}


def read(frame, path, options, monkeypatch, typed):
    with monkeypatch.context() as patch:
        seen = []
        if typed:
            own = table_typed.trials
            patch.setattr(table_typed, "trials", lambda *given: seen.append(own(*given)) or seen[-1])
        else:
            patch.setattr(table_typed, "trials", lambda *given: None)
        try:
            trials, _, report = readers.load(path, options=options)
        except UserError as error:
            return None, str(error), bool(seen and seen[0])
    text = [column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column for column in trials.columns]
    return pa.table(text, names=trials.column_names), json.dumps(report, sort_keys=True), bool(seen and seen[0] is not None)


@pytest.mark.parametrize(
    ("frame", "options", "typed"),
    [
        (FRAME, {}, True),
        (FRAME.astype({"algorithm": "category", "problem": "category"}), {}, True),
        (FRAME.assign(problem=range(N), suite="s", dimension=np.arange(N) % 7 + 1, instance="i1"), {}, True),
        (RUNS, {}, True),
        (FRAME.assign(cost=range(N)), {}, True),
        (FRAME.assign(cost=np.where(np.arange(N) % 5, FRAME["cost"], np.inf)), {}, True),
        (FRAME.rename(columns={"cost": "score"}), {"columns": {"cost": "score"}, "direction": "max"}, True),
        (FRAME, {"time_limit": 7.4}, True),
        (FRAME.assign(time_limit=np.arange(N) + 1.5), {}, True),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {"time_limit": 9}, True),
        (ENDED, {**WORDS, "time_limit": 1e6}, True),
        (ENDED, WORDS, True),
        # what only the reader of text can judge
        (ENDED, {"outcomes": {"late": "time_limit"}}, False),
        (ENDED.assign(cost=np.where(np.arange(N) % 3, FRAME["cost"], np.inf)), WORDS, False),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {"time_limit": 4.5}, False),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {}, False),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, 1e20, FRAME["cost"])), {}, False),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, np.nan, FRAME["cost"])), {"empty": "failure"}, False),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, -1.0, FRAME["cost"])), {"time_limit": 100}, False),
        (FRAME.assign(problem=[" p1", "total", "é"] * 20), {}, False),
        (FRAME.assign(problem=["p1", "total", "p2"] * 20), {}, False),
        (FRAME.assign(state=["ok", "timeout", "ok"] * 20), {}, False),
        (pd.concat([RUNS, RUNS[3:5]]), {}, False),
        (FRAME.assign(dimension=0), {}, False),
        (FRAME.rename(columns={"cost": "score"}), {"columns": {"cost": "score"}}, False),
        (FRAME, {"where": {"algorithm": "B"}}, False),
    ],
)
def test_typed_rows_are_the_rows_of_text(tmp_path, monkeypatch, frame, options, typed):
    path = tmp_path / "runs.parquet"
    frame.to_parquet(path, index=False)
    trials, report, taken = read(frame, path, options, monkeypatch, typed=True)
    expected, told, _ = read(frame, path, options, monkeypatch, typed=False)
    assert taken is typed
    assert report == told
    assert trials is expected is None or trials.equals(expected)
