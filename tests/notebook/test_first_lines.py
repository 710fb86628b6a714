"""The first lines of a notebook, from data to figures, tables and verdict, on every kind of data that they are meant for."""

import os
from contextlib import nullcontext
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import benchmill as bm

DATA = Path(__file__).parents[2] / "data"
REAL = Path(os.environ.get("BENCHMILL_REAL_DATA") or "nowhere")
LIMIT = 50.0


@pytest.fixture(autouse=True)
def figures():
    matplotlib.use("agg")
    yield
    pyplot.close("all")


def table():
    """Times of three solvers on eight models, some of which they give up."""
    rng = np.random.default_rng(5)
    models = [f"m{i}" for i in range(8)]
    df = pd.DataFrame([(solver, model) for solver in ("Ours", "Theirs", "Old") for model in models], columns=["solver", "model"])
    df["seconds"] = rng.lognormal(2, 1.5, len(df)).clip(max=LIMIT)
    df["state"] = np.where(df["seconds"] < LIMIT, "ok", "timeout")
    return df


def of_table(df):
    return bm.costs(df, algorithm="solver", problem="model", cost="seconds", status="state", failed="timeout", limit=LIMIT)


def of_pandas():
    return of_table(table()), "Ours"


def of_polars():
    polars = pytest.importorskip("polars")
    times = of_table(polars.from_dict(table().to_dict("list")))
    assert times.frame.equals(of_table(table()).frame)
    return times, "Ours"


def of_coco():
    runs = bm.read([DATA / f"bbob/{name}.tar.xz" for name in ("Powell", "SLSQP")])
    assert bm.ecdf(runs, targets=[10, 1e-3]).measures["solved"].between(0, 1).all()
    return bm.costs(runs, targets=[10], dimensions=[2]), "SLSQP"


def of_iohprofiler():
    runs = bm.read(str(DATA / "ioh/*.zip"))
    assert bm.ecdf(runs, targets=[10, 1e-3]).measures["solved"].between(0, 1).all()
    return bm.costs(runs, targets=[10], dimensions=[2]), "CMA-ES"


def of_others():
    if not REAL.is_dir():
        pytest.skip("BENCHMILL_REAL_DATA is not set")
    df = pd.read_csv(REAL / "qpbenchmark/qpbenchmark_results.csv.gz")
    df = df[df["settings"] == "high_accuracy"]
    return bm.costs(df, algorithm="solver", cost="runtime", status="found", solved=True, missing="failure"), "piqp"


@pytest.mark.parametrize("data", [of_pandas, of_polars, of_coco, of_iohprofiler, of_others])
def test_the_first_lines(data):
    times, own = data()
    _, ax = pyplot.subplots()
    p = bm.profile(times)
    assert own in set(p.measures["algorithm"])
    assert p.frame["rho"].between(0, 1).all()
    few = pytest.warns(UserWarning, match="palette: 10 colours") if p.measures["algorithm"].nunique() > 10 else nullcontext()
    with few:
        assert p.plot(ax=ax, palette="colorblind") is ax
    assert p.caption
    assert "\\begin{tabular}" in p.to_latex()
    c = bm.compare(times, control=own)
    assert own in c.text.headline
    assert c.plot(kind="critical_differences").has_data()
    pairs = c.statements.query("analysis == 'primary'").dropna(subset=["algorithm_b"])
    assert len(pairs) == times.frame["algorithm"].nunique() - 1
    assert all(own in pair for pair in zip(pairs["algorithm_a"], pairs["algorithm_b"], strict=True))
    assert not c.frame.empty
    assert own in bm.ert(times).to_markdown()


def test_a_summary_and_a_finished_table_of_a_polars_frame():
    times, _ = of_polars()
    assert bm.summary(times) == bm.summary(of_pandas()[0])
