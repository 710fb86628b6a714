"""The examples of docs/profiles.md: what a notebook does, with the results that the page shows."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/profiles.md"


def test_examples_of_the_page():
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 30
    assert not found.failed
