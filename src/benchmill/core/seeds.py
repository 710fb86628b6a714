"""One stream of random numbers per method and study, independent of the order of execution."""

import hashlib

import numpy as np


def stream(seed: int, *names: str) -> np.random.Generator:
    """Return the random numbers of the method called `names`, from the study's one seed: the same whatever else draws."""
    words = np.frombuffer(hashlib.sha256("\0".join(names).encode()).digest(), dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))
