"""Typed columns give the trials and the irregularities that the same columns give as text."""

import numpy as np
import pandas as pd
import pytest

from benchmill import readers
from benchmill.core import UserError

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


def read(path, options):
    """The trials of a file but for their lines, and its irregularities but for their lines and texts; or that it is refused."""
    try:
        trials, _, report = readers.load(path, options=options)
    except UserError:
        return "refused", None
    told = {one["rule"]: one["count"] for one in report["irregularities"]}
    return trials.drop_columns(["source"]).to_pylist(), told


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (FRAME, {}),
        (FRAME.astype({"algorithm": "category", "problem": "category"}), {}),
        (FRAME.assign(problem=range(N), suite="s", dimension=np.arange(N) % 7 + 1, instance="i1"), {}),
        (RUNS, {}),
        (FRAME.assign(cost=range(N)), {}),
        (FRAME.assign(cost=np.where(np.arange(N) % 5, FRAME["cost"], np.inf)), {}),
        (FRAME.rename(columns={"cost": "score"}), {"columns": {"cost": "score"}, "direction": "max"}),
        (FRAME, {"time_limit": 7.4}),
        (FRAME.assign(time_limit=np.arange(N) + 1.5), {}),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {"time_limit": 9}),
        (ENDED, {**WORDS, "time_limit": 1e6}),
        (ENDED, WORDS),
        (ENDED, {"outcomes": {"late": "time_limit"}}),
        (ENDED.assign(cost=np.where(np.arange(N) % 3, FRAME["cost"], np.inf)), WORDS),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {"time_limit": 4.5}),
        (FRAME.assign(cost=np.minimum(FRAME["cost"], 9)), {}),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, 1e20, FRAME["cost"])), {}),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, np.nan, FRAME["cost"])), {"empty": "failure"}),
        (FRAME.assign(cost=np.where(np.arange(N) == 3, -1.0, FRAME["cost"])), {"time_limit": 100}),
        (FRAME.assign(problem=[" p1", "total", "é"] * 20), {}),
        (FRAME.assign(problem=["p1", "total", "p2"] * 20), {}),
        (FRAME.assign(state=["ok", "timeout", "ok"] * 20), {}),
        (pd.concat([RUNS, RUNS[3:5]]), {}),
        (FRAME.assign(dimension=0), {}),
        (FRAME.rename(columns={"cost": "score"}), {"columns": {"cost": "score"}}),
        (FRAME, {"where": {"algorithm": "B"}}),
    ],
)
def test_typed_rows_are_the_rows_of_text(tmp_path, frame, options):
    frame.to_parquet(tmp_path / "runs.parquet", index=False)
    frame.to_csv(tmp_path / "runs.csv", index=False)
    assert read(tmp_path / "runs.parquet", options) == read(tmp_path / "runs.csv", options)
