"""The methods of inference: their entries, the configuration and the code agree, and a new one is one module and one line."""

import sys

import numpy as np
import pytest

from benchmill.inference.analysis import analyse
from benchmill.registry import comparisons, corrections, posteriors, tests
from benchmill.registry.comparisons import COMPARISONS, Comparison
from benchmill.registry.entry import asked
from benchmill.registry.inference import REGISTRIES, chosen
from benchmill.report.methods import methods
from benchmill.tables import build
from benchmill.text import display
from tests.inference.making import design

ENTRIES = [(registry, name) for registry, entries in REGISTRIES.items() for name in entries]


@pytest.mark.parametrize(("registry", "name"), ENTRIES)
def test_an_entry_names_a_function_and_says_what_texts_need(registry, name):
    entry = REGISTRIES[registry][name]
    assert entry.name == name
    assert entry.words
    if getattr(entry, "asked", True):
        assert callable(getattr(entry.load(), entry.function))
        assert entry.phrase
        assert "[" not in entry.phrase


def test_the_own_correction_of_a_comparison_is_an_entry():
    own = {comparison.correction for comparison in COMPARISONS.values()} - {""}
    assert own == {name for name, entry in corrections.CORRECTIONS.items() if not entry.asked}


def test_what_is_usual_is_there():
    assert set(tests.USUAL) <= set(asked(tests.TESTS))
    assert set(comparisons.USUAL) <= set(COMPARISONS)
    section = {"methods": ["friedman"], "comparisons": ["tukey"], "corrections": ["holm"], "bayes": ["signed_rank"]}
    assert [method.name for method in chosen(section)] == ["friedman", "tukey", "holm", "signed_rank"]


SIGN = """
import numpy as np
from benchmill.inference.comparisons import Pairs

def compare(costs, alpha):
    k = costs.shape[1]
    a, b = np.triu_indices(k, 1)
    means = costs.mean(axis=(0, 2))
    nan = np.full(a.size, np.nan)
    p = np.full(a.size, 0.5 * alpha)
    return Pairs(a, b, means[a] - means[b], nan, p, p, nan, nan, "mean", "studentised_range", nan, nan)
"""


def test_a_new_comparison_is_one_module_and_one_line(tmp_path, monkeypatch):
    (tmp_path / "by_the_sign.py").write_text(SIGN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(
        COMPARISONS,
        "sign",
        Comparison(
            name="sign", words="Sign", module="by_the_sign", function="compare", phrase="a test of signs", normalised=False,
            correction="studentised_range", failures=True,
        ),
    )  # fmt: skip
    costs = np.arange(24.0).reshape(4, 3, 2) + 1
    found = analyse([design(costs)], measure="m", comparisons=["sign"])
    assert found["comparisons"]["method"].to_pylist() == ["sign"] * 3
    assert set(found["comparisons"]["significant"].to_pylist()) == {True}
    assert display.comparison_name("sign") == "Sign"
    table = build("comparisons", found, {"measure": {"name": "m"}})
    assert table.sections[0].heading == "Sign (difference: mean), all problems, studentised range"
    section = {"methods": ["friedman"], "comparisons": ["sign"]}
    assert "All pairs are compared by a test of signs." in dict(methods({"inference": section}))["Tests of this study"]
    del sys.modules["by_the_sign"]


def test_where_nothing_is_normalised_nothing_is_said_of_it():
    section = {"methods": ["friedman"], "comparisons": ["conover", "net_wins"]}
    assert "comparable" not in dict(methods({"inference": section}))["Tests of this study"]
    believed = {**section, "bayes": list(posteriors.POSTERIORS)}
    assert "have to be comparable" in dict(methods({"inference": believed}))["Tests of this study"]


def test_nothing_is_said_of_corrections_that_no_comparison_has():
    section = {"methods": ["friedman"], "comparisons": ["conover", "wilcoxon"]}
    assert "needs none" not in dict(methods({"inference": section}))["Tests of this study"]
    own = dict(methods({"inference": {**section, "comparisons": ["conover", "tukey"]}}))["Tests of this study"]
    assert "Already Tukey’s test in the model with blocks allows for the number of pairs." in own
