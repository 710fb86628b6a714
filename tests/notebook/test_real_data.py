"""The first lines of a notebook on data that others wrote: a table of solver runs, logs of COCO and of IOHprofiler."""

import os
from pathlib import Path

import pandas as pd
import pytest

import benchmill as bm

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA") or "nowhere")
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA is not set")


def test_a_table_of_solver_runs():
    df = pd.read_csv(REAL / "qpbenchmark/qpbenchmark_results.csv.gz")
    df = df[df["settings"] == "high_accuracy"]
    times = bm.costs(df, algorithm="solver", cost="runtime", status="found", solved=True, missing="failure")
    measures = bm.profile(times).measures
    solved = df.groupby("solver")["found"].sum() / df["problem"].nunique()
    assert measures.set_index("algorithm")["rho_tau_max"].to_dict() == pytest.approx(solved.to_dict(), rel=1e-12)
    assert "piqp" in bm.compare(times, methods="friedman", comparisons="nemenyi").to_latex()


def test_logs_of_coco():
    runs = bm.read([REAL / "coco-bbob/BrentSTEPqi_Posik.tgz", REAL / "coco-bbob/DIRECT_posik_noiseless.data-only.tgz"])
    times = bm.costs(runs, targets=[10, 1e-3, 1e-7])
    profile = bm.profile(times)
    assert list(profile.measures["algorithm"]) == ["BrentSTEPqi", "DIRECT"]
    assert profile.caption
    assert "BrentSTEPqi" in bm.ert(times).to_markdown()
    assert runs.inventory["ill_finalised"].tolist() == [12, 0]


def test_logs_of_iohprofiler():
    runs = bm.read(REAL / "ioh-generated/ioh-0.3.22-bbob.tgz")
    found = bm.ecdf(runs, targets={"from": 100, "to": 1e-8, "number": 11})
    assert set(found.measures["algorithm"]) == {"pycma", "scipy-Nelder-Mead"}
    assert found.measures["solved"].between(0, 1).all()
    assert found.measures["target_largest"].max() == 100
