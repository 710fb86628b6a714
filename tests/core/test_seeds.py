"""Streams depend on the seed and the names, and on nothing else."""

import numpy as np

from benchmill.core.seeds import stream


def test_same_names_same_numbers_whatever_happens_beside():
    first = stream(7, "friedman", "ert").random(5)
    np.random.seed(0)  # noqa: NPY002
    stream(7, "other").random(100)
    assert (stream(7, "friedman", "ert").random(5) == first).all()


def test_other_names_and_other_seeds_give_other_numbers():
    draws = [stream(*key).random() for key in [(1, "a"), (1, "b"), (2, "a"), (1, "a", "b"), (1, "ab"), (1,)]]
    assert len(set(draws)) == len(draws)
