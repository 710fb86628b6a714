"""The methods of inference: their entries, the configuration and the code agree, and a new one is one module and one line."""

import pytest

from benchmill.exhibits.sentences.methods import methods
from benchmill.registry.entry import asked
from benchmill.registry.inference import (
    COMPARISONS,
    CORRECTIONS,
    POSTERIORS,
    REGISTRIES,
    TESTS,
    USUAL_COMPARISONS,
    USUAL_TESTS,
    chosen,
)

ENTRIES = [(registry, name) for registry, entries in REGISTRIES.items() for name in entries]


@pytest.mark.parametrize(("registry", "name"), ENTRIES)
def test_an_entry_names_a_function_and_says_what_texts_need(registry, name):
    entry = REGISTRIES[registry][name]
    assert entry.name == name
    assert entry.words
    if getattr(entry, "asked", True):
        assert callable(entry.function)
        assert entry.phrase
        assert "[" not in entry.phrase


def test_the_own_correction_of_a_comparison_is_an_entry():
    own = {comparison.correction for comparison in COMPARISONS.values()} - {""}
    assert own == {name for name, entry in CORRECTIONS.items() if not entry.asked}


def test_what_is_usual_is_there():
    assert set(USUAL_TESTS) <= set(asked(TESTS))
    assert set(USUAL_COMPARISONS) <= set(COMPARISONS)
    section = {"methods": ["friedman"], "comparisons": ["tukey"], "corrections": ["holm"], "bayes": ["signed_rank"]}
    assert [method.name for method in chosen(section)] == ["friedman", "tukey", "holm", "signed_rank"]


def test_where_nothing_is_normalised_nothing_is_said_of_it():
    section = {"methods": ["friedman"], "comparisons": ["conover", "net_wins"]}
    assert "comparable" not in dict(methods({"inference": section}))["Tests"]
    believed = {**section, "bayes": list(POSTERIORS)}
    assert "have to be comparable" in dict(methods({"inference": believed}))["Tests"]


def test_nothing_is_said_of_corrections_that_no_comparison_has():
    section = {"methods": ["friedman"], "comparisons": ["conover", "wilcoxon"]}
    assert "needs none" not in dict(methods({"inference": section}))["Tests"]
    own = dict(methods({"inference": {**section, "comparisons": ["conover", "tukey"]}}))["Tests"]
    assert "except by Tukey’s test in the model with blocks, which already allows for it." in own
