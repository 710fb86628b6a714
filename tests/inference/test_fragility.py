"""Fragility of statements: by plain enumeration with the whole analysis, and what it says where that is too much."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from benchmill.inference import fragility
from benchmill.inference.verdicts import Declaration, primary, verdicts
from tests.inference.making import design

NAMES = [{"suite": "s", "problem": f"f{i}"} for i in range(40)]


def study(seed, groups=None, k=None):
    """Draw a small study: an order of algorithms that some clusters turn round, ties, two dimensions of some functions."""
    rng = np.random.default_rng(seed)
    groups, k = groups or rng.integers(3, 10), k or rng.integers(2, 5)
    cluster = np.concatenate([np.arange(groups), rng.integers(groups, size=rng.integers(0, 4))])
    quality = rng.normal(size=(groups, k)) + np.arange(k) * rng.choice([0, 0.7, 1.5, 3])
    x = np.round(quality[cluster] + 0.3 * rng.normal(size=(len(cluster), k)), int(rng.integers(0, 2)))
    return x, cluster


def decided(x, cluster, kept, declared):
    """Judge the pairs by the designs without some clusters, as a study that never had them."""
    taken = np.isin(cluster, kept)
    problems = [NAMES[c] for c in cluster[taken]]
    return primary({"m": [design(x[taken], problems=problems)]}, declared).found.p_adjusted <= declared.alpha


def enumerated(x, cluster, declared, most):
    """Return by pair all smallest removals that turn its verdict, by trying all of so many clusters."""
    groups = range(int(cluster.max()) + 1)
    whole = decided(x, cluster, list(groups), declared)
    found = [[] for _ in whole]
    for size in range(1, min(most, len(groups) - 1) + 1):
        fresh = [not one for one in found]
        for gone in combinations(groups, size):
            turned = decided(x, cluster, [g for g in groups if g not in gone], declared) != whole
            for pair in np.flatnonzero(turned & fresh):
                found[pair].append(gone)
    return found


def check(seeds):
    """Compare some studies; return what was said of all their pairs."""
    declared, seen = Declaration(permutations=2000), []
    for seed in seeds:
        x, cluster = study(seed)
        tested = primary({"m": [design(x, problems=[NAMES[c] for c in cluster])]}, declared)
        for pair, (said, expected) in enumerate(zip(tested.fragility, enumerated(x, cluster, declared, 3), strict=True)):
            if said is None or said[0] > 3:
                assert not expected, (seed, pair, said)
            else:
                assert said[0] == len(expected[0]), (seed, pair, said)
                assert tuple(said[2]) in expected
            seen.append(said and said[:2])
    return seen


def test_fragility_of_small_studies_is_that_of_plain_enumeration():
    """`python -m tests.inference.test_fragility` compares 500."""
    assert {None, (1, True), (2, True)} <= set(check(range(10)))


def test_what_carries_a_verdict_is_named_beside_it():
    """a1 wins on all of eight functions, or on all but one: p counts the flips by hand."""
    x = np.column_stack([np.zeros(8), np.ones(8)])
    about, pair = verdicts({"m": [design(x, problems=NAMES[:8])]}, Declaration()).to_pylist()
    assert (about["name"], pair["name"]) == ("primary", "a1/a2")
    assert about["fragility"] is None
    # p is 2 ** (1 - n): 0.03 of six clusters, 0.06 of five
    assert (pair["fragility"], pair["fragility_exact"]) == (3, True)
    assert len(set(pair["carried_by"].split(", ")) & {f"f{i}" for i in range(8)}) == 3
    x[7] = x[7, ::-1]
    (pair,) = verdicts({"m": [design(x, problems=NAMES[:8])]}, Declaration()).to_pylist()[1:]
    assert not pair["significant"]
    # 0.07 with one against of eight; without it 2 of 128
    assert (pair["fragility"], pair["carried_by"]) == (1, "f7")


def test_of_many_clusters_the_number_is_a_bound_that_holds():
    """Forty clusters that all agree, so that removing any so many is the same: the studentised sum of n of them is sqrt(n)."""
    x = np.column_stack([np.zeros(40), np.ones(40)])
    problems = [{"problem": f"f{i}"} for i in range(40)]
    (said,) = primary({"m": [design(x, problems=problems)]}, Declaration()).fragility
    assert said[0] >= 35
    assert not said[1]
    assert decided(x, np.arange(40), list(range(6)), Declaration()).all()
    assert not decided(x, np.arange(40), sorted({*range(40)} - {*said[2]}), Declaration()).any()


def test_more_clusters_than_a_power_of_two_can_count():
    """1 100 clusters, of which 600 are won and 500 lost: without 100 of those that are won it is even."""
    x = np.column_stack([np.arange(1100) >= 600, np.arange(1100) < 600]).astype(float)
    problems = [{"problem": f"f{i}"} for i in range(1100)]
    (said,) = primary({"m": [design(x, problems=problems)]}, Declaration()).fragility
    assert 1 <= said[0] <= 100
    assert set(said[2]) <= set(range(600))


def test_a_screen_that_would_not_fit_leaves_a_bound(monkeypatch):
    monkeypatch.setattr(fragility, "_MOST_HELD", 0)
    x = np.column_stack([np.zeros(9), np.ones(9)])
    (said,) = primary({"m": [design(x, problems=NAMES[:9])]}, Declaration()).fragility
    assert said == (8, False, list(range(8)))


if __name__ == "__main__":
    said = check(range(500))
    bounds = sum(one is not None and not one[1] for one in said)
    print(f"{len(said)} pairs of 500 studies as by enumeration, {bounds} of them bounds")
