"""The page that shows the same tasks in other tools: its code runs, and the numbers agree where the definitions do."""

import importlib
import re
from importlib import metadata
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import seaborn
from matplotlib import pyplot
from packaging.requirements import Requirement

import benchmill as bm

PAGE = (Path(__file__).parents[2] / "docs/notebook.md").read_text("utf-8").partition("## Beside other tools")[2]
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
OTHERS = ("autorank", "scikit_posthocs", "rliable")


def there(other):
    """Import another tool, or skip the test where it, or what it needs in the version that it needs, is not installed."""
    try:
        said = map(Requirement, metadata.requires(other.replace("_", "-")) or ())
        needed = [one for one in said if one.marker is None or one.marker.evaluate({"extra": ""})]
        lacking = [str(one) for one in needed if not one.specifier.contains(metadata.version(one.name))]
        found = importlib.import_module(other)
        if other == "rliable":
            importlib.import_module("rliable.library")
    except (ImportError, AttributeError) as error:
        pytest.skip(f"needs {other} and what it needs: {error}")
    if lacking:
        pytest.skip(f"{other} needs {', '.join(lacking)}")
    return found


@pytest.fixture
def names():
    """What the page says there is: runs of four algorithms on twelve problems."""
    matplotlib.use("agg")
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.lognormal(0, 1, (12, 4)) * [1, 1.5, 2, 4], columns=list("ABCD")).rename_axis("problem")
    df = wide.reset_index().melt("problem", var_name="algorithm", value_name="cost")
    _, ax = pyplot.subplots()
    yield {"wide": wide, "df": df, "bm": bm, "pd": pd, "np": np, "seaborn": seaborn, "ax": ax}
    pyplot.close("all")


def run(block, names):
    """Run a block of the page, all that it shows being worked out."""
    exec(block, names)


def test_the_code_of_benchmill_on_the_page(names):
    own = [block for block in BLOCKS if "bm." in block]
    assert len(own) == 5
    for block in own:
        assert sum(bool(line) and not line.startswith("import") for line in block.splitlines()) <= 2
        run(block, names)
    assert names["c"].p_values().shape == (4, 4)


def test_expected_running_times_are_those_of_the_page(names):
    for block in BLOCKS:
        if "groupby" in block or "bm.ert" in block:
            run(block, names)
    frame = bm.ert(names["times"]).frame
    found = frame.astype({"problem": int, "algorithm": str}).pivot(index="problem", columns="algorithm", values="ert")
    np.testing.assert_allclose(found.to_numpy(), names["ert"].to_numpy(), rtol=1e-12)


def test_one_against_the_others_agrees_with_scipy(names):
    wide = names["wide"]
    others = wide.columns.drop("A")
    c = bm.compare(bm.costs(names["df"]), control="A", comparisons="wilcoxon", corrections="holm", normalise="none")
    p = np.array([scipy.stats.wilcoxon(wide["A"], wide[other]).pvalue for other in others])
    np.testing.assert_allclose(c.against["p"], p, rtol=1e-12)
    order = np.argsort(p)
    np.testing.assert_allclose(c.against["p_adjusted"].to_numpy()[order], np.maximum.accumulate([3, 2, 1] * p[order]).clip(max=1))


@pytest.mark.compare
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.filterwarnings("ignore")
def test_the_code_of_others_on_the_page(other, names):
    names[other] = there(other)
    for block in BLOCKS:
        if f"{other}." in block:
            run(block, names)


@pytest.mark.compare
@pytest.mark.filterwarnings("ignore")
def test_profiles_agree_with_rliable(names):
    names["rliable"] = there("rliable")
    (block,) = [block for block in BLOCKS if "rliable." in block]
    run(block, names)
    curves = bm.profile(bm.costs(names["df"])).frame
    for algorithm, shares in names["shares"].items():
        steps = curves[curves["algorithm"] == algorithm]
        place = np.searchsorted(steps["tau"], np.geomspace(1.01, 20, 50), side="right") - 1
        np.testing.assert_allclose(steps["rho"].to_numpy()[place], shares, rtol=1e-12)


@pytest.mark.compare
@pytest.mark.filterwarnings("ignore")
def test_pairs_agree_with_scikit_posthocs(names):
    posthocs = there("scikit_posthocs")
    wide, times = names["wide"], bm.costs(names["df"])
    for theirs, ours in (
        (posthocs.posthoc_nemenyi_friedman(wide), {"comparisons": "nemenyi"}),
        (
            posthocs.posthoc_conover_friedman(wide, p_adjust="holm"),
            {"comparisons": "conover", "corrections": "holm"},
        ),
        (
            posthocs.posthoc_wilcoxon(wide.melt(var_name="algorithm", value_name="cost"), "cost", "algorithm", p_adjust="holm"),
            {"comparisons": "wilcoxon", "corrections": "holm", "normalise": "none"},
        ),
    ):
        found = bm.compare(times, **ours).p_values()
        np.testing.assert_allclose(found.loc[list("ABCD"), list("ABCD")], theirs.loc[list("ABCD"), list("ABCD")], atol=1e-8)


def test_friedman_agrees_with_scipy(names):
    tests = bm.compare(bm.costs(names["df"]), methods="friedman").tests.set_index("method")
    expected = scipy.stats.friedmanchisquare(*names["wide"].to_numpy().T)
    assert tests.loc["friedman", "p"] == pytest.approx(expected.pvalue, rel=1e-12)
