"""The values of the parameters of a sweep, against planted effects and plain means of paired differences."""

import itertools

import numpy as np
import pandas as pd
import pytest

import benchmill as bm

CUTS, EMPHASIS = {"off": 0.0, "on": np.log(0.9)}, {"a": 0.0, "b": 0.05, "c": -0.1}
COLUMNS = {"cost": "seconds", "run": "seed", "limit": 1e4, "mean_shift": 0.0}


@pytest.fixture(scope="module")
def sweep():
    """Two by three values on 20 problems with two seeds: noise of 5 % a run, and of 3 % a problem and combination."""
    rng, rows = np.random.default_rng(4), []
    for problem, (cuts, one), (emphasis, other) in itertools.product(range(20), CUTS.items(), EMPHASIS.items()):
        log = problem / 5 + one + other + rng.normal(0, 0.03)
        rows += [(f"p{problem}", cuts, emphasis, seed, np.exp(log + rng.normal(0, 0.05))) for seed in (1, 2)]
    return pd.DataFrame(rows, columns=["problem", "cuts", "emphasis", "seed", "seconds"])


def test_planted_effects_are_recovered_as_the_means_of_paired_differences(sweep):
    found = bm.compare_factors(sweep, ["cuts", "emphasis"], **COLUMNS).astype({"value": str}).set_index(["factor", "value"])
    assert found["blocks"].to_dict() == {**{("cuts", v): 60 for v in CUTS}, **{("emphasis", v): 40 for v in EMPHASIS}}
    for factor, planted, best in (("cuts", CUTS, "on"), ("emphasis", EMPHASIS, "c")):
        blocks = [name for name in ("problem", "cuts", "emphasis") if name != factor]
        log = np.log(sweep["seconds"]).groupby([sweep[name] for name in (*blocks, factor)]).mean().unstack()
        for value, effect in planted.items():
            row = found.loc[(factor, value)]
            assert row["ratio"] == pytest.approx(np.exp((log[value] - log[best]).mean()), rel=1e-12)
            assert row["low"] <= np.exp(effect - planted[best]) <= row["high"]
            assert (row["low"] > 1) == (value != best)


def test_a_run_that_is_missing_leaves_its_blocks_out(sweep):
    lacking = sweep[~((sweep["problem"] == "p3") & (sweep["cuts"] == "on") & (sweep["emphasis"] == "a"))]
    found = bm.compare_factors(lacking, ["cuts", "emphasis"], **COLUMNS).groupby("factor", sort=False)["blocks"].first()
    assert found.tolist() == [59, 39]


@pytest.mark.parametrize(
    ("change", "factors", "message"),
    [
        (lambda df: df[(df["cuts"] == "on") == (df["emphasis"] == "a")], None, "on no problem all its values have runs where"),
        (lambda df: df[df["cuts"] == "on"], None, "factors: 'cuts' has one value alone; leave it out."),
        (lambda df: df[df["problem"].isin(["p1", "p2"])], None, "have no interval, which takes 10 clusters of problems"),
        (
            lambda df: df.assign(seconds=df["seconds"].where(df["seed"] == 1, np.inf)),
            None,
            "and a limit of each failure; add problems, or give limit",
        ),
        (lambda df: df.assign(cuts=df["cuts"].where(df["problem"] != "p0")), None, "column 'cuts' is empty"),
        (lambda df: df, ["cut", "emphasis"], "there is no column 'cut'; did you mean 'cuts'?"),
        (
            lambda df: df,
            ["cuts"],
            "factors: row 3 has the parameters, the problem and the run of an earlier row; name every parameter",
        ),
        (lambda df: df, [], "factors is [], expected the name of a column"),
    ],
)
def test_what_cannot_be_told_is_refused(sweep, change, factors, message):
    columns = {name: value for name, value in COLUMNS.items() if name != "limit"}
    with pytest.raises(bm.UserError) as error:
        bm.compare_factors(change(sweep), ["cuts", "emphasis"] if factors is None else factors, **columns)
    assert message in str(error.value)
