"""Families of problems: how they are read off names, and when they are found."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from benchmill.core import keys
from benchmill.inference import families
from tests.costs.making import source
from tests.inference.making import design


def problems(*names):
    return [{"suite": "s", "problem": name} for name in names]


def dealt(by, names):
    return [by.of.get(name, name) for name in names]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["fam1_01", "fam1_02", "fam2_01", "fam2_02"], ["fam1", "fam1", "fam2", "fam2"]),
        (["nug12.dat", "nug15.dat", "tai12.dat", "tai15.dat"], ["nug", "nug", "tai", "tai"]),
        (["qap/x7a", "qap/y", "tsp/z", "tsp/w11"], ["qap", "qap", "tsp", "tsp"]),
    ],
)
def test_families_are_read_off_names(names, expected):
    assert dealt(families.candidates(names)[0], names) == expected


@pytest.mark.parametrize("names", [["f1", "f2", "f3", "f4"], ["air", "beasley", "cap", "danoint"], ["a1", "a2", "b1"], []])
def test_one_family_or_more_than_half_as_many_as_problems_are_none(names):
    assert families.candidates(names) == []


def test_an_attribute_deals_problems_and_a_problem_without_it_is_a_family_of_its_own():
    names = ["u", "v", "w", "x", "y", "z"]
    found = families.candidates(names, {"source": dict.fromkeys("uvw", "one") | dict.fromkeys("xy", "two")})
    assert [by.name for by in found] == ["attribute source"]
    assert dealt(found[0], names) == ["one", "one", "one", "two", "two", "z"]


def test_ways_that_deal_alike_are_tested_once():
    names = ["nug12", "nug15", "tai12", "tai15"]
    assert len(families.candidates(names, {"kind": {name: name[:3] for name in names}})) == 1


def test_p_is_the_share_of_all_deals_and_the_correlation_that_of_an_analysis_of_variance():
    names = [f"{family}{i}" for family in "abc" for i in range(2)] + ["c9"]
    sizes, d = np.array([2, 2, 3]), np.random.default_rng(4).normal(size=(7, 3)) + np.repeat([1.0, 0.0, -0.5], [2, 2, 3])[:, None]
    rows = families.found(d, problems(*names)).to_pylist()
    every = d[np.array(list(permutations(range(7))))]
    groups = np.split(every, np.cumsum(sizes)[:-1], axis=1)
    between = sum(n * (group.mean(axis=1) - d.mean(axis=0)) ** 2 for n, group in zip(sizes, groups, strict=True))
    share = (between.sum(axis=1) >= between[0].sum() - 1e-9).mean()
    # 1999 deals are drawn
    assert rows[0]["p"] == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 1999) + 1 / 1999)
    among = between[0] / 2
    within = (((d - d.mean(axis=0)) ** 2).sum(axis=0) - between[0]) / 4
    typical = (7 - (4 + 4 + 9) / 7) / 2
    assert rows[0]["correlation"] == pytest.approx(((among - within) / (among + (typical - 1) * within)).mean())


def test_the_intra_class_correlation_of_a_small_case_by_hand():
    # sums of families 4 and -4: 16 between on 1 degree of freedom, 4 within on 2
    rows = families.found(np.array([[3.0], [1.0], [-1.0], [-3.0]]), problems("a1", "a2", "b1", "b2")).to_pylist()
    assert rows[0]["correlation"] == pytest.approx(14 / 18)


def test_of_families_that_are_found_the_coarsest_is_chosen():
    names = [f"{big}-{small}-{i}" for big in ("ann", "bob") for small in "uvwx" for i in range(5)]
    level = np.repeat([2.0, -2.0], 20) + np.repeat(np.random.default_rng(1).normal(size=8), 5)
    scores = (level + 0.1 * np.random.default_rng(2).normal(size=40))[:, None]
    rows = families.found(scores, problems(*names)).to_pylist()
    assert {(row["n_families"], row["chosen"]) for row in rows} == {(8, False), (2, True)}
    assert all(row["p"] <= 0.05 for row in rows)


def simulated(rho, seed):
    rng = np.random.default_rng([seed, 7])
    x = np.sqrt(rho) * rng.normal(size=(8, 1, 3)) + np.sqrt(1 - rho) * rng.normal(size=(8, 10, 3))
    names = [f"fam{a}_{b:02}" for a in range(8) for b in range(10)]
    return design(x.reshape(-1, 3), problems=problems(*names))


def chosen(rho, seed, asked=keys.DEFAULT_CLUSTER_KEYS):
    return any(families.of_designs([simulated(rho, seed)], asked).column("chosen").to_pylist())


def test_what_deals_problems_as_their_suites_do_makes_no_families():
    names = [f"{suite}{word}" for suite in "AB" for word in ("one", "two", "three", "four", "five", "six")]
    folders = {"folder of the logs": {name: name[0] for name in names}}
    scores = np.repeat([[1.0], [-1.0]], 6, axis=0)
    of_suites = [{"suite": name[0], "problem": name} for name in names]
    assert not families.found(scores, of_suites, folders).num_rows
    assert set(families.found(scores, problems(*names), folders).column("chosen").to_pylist()) == {True}


def test_families_are_found_where_their_problems_depend_on_each_other_and_not_without():
    assert all(chosen(0.66, seed) for seed in range(10))
    # 5 % of 40 are 2; more than 6 come in 0.3 % of such tests
    assert sum(chosen(0.0, seed) for seed in range(40)) <= 6


def test_nothing_is_looked_for_unless_families_are_asked_for():
    assert not chosen(0.66, 1, keys.CLUSTER_KEYS)


def test_families_that_are_found_are_the_clusters_else_the_problems_are():
    names = [f"fam{a}_{b:02}" for a in range(8) for b in range(10)]
    table = families.of_designs([simulated(0.66, 1)], keys.DEFAULT_CLUSTER_KEYS)
    suite, by = keys.resolved(keys.DEFAULT_CLUSTER_KEYS, table)
    assert suite == "suite"
    assert [keys.value({"problem": name}, by) for name in names] == [name.split("_")[0] for name in names]
    assert keys.resolved(keys.DEFAULT_CLUSTER_KEYS, table.slice(0, 0)) == keys.CLUSTER_KEYS


def test_folders_of_logs_deal_problems_whose_runs_all_stand_in_one():
    places = {"air": ["old/easy/air.log:1", "new/easy/air.log:1"], "bell": ["easy/bell.log:7"], "cap": ["a.tgz/hard/cap.log:1"]}
    places |= {"lseu": ["easy/lseu.log:1"], "misc": ["hard/misc.log:1"]}
    places |= {"dano": ["seed1/dano.log:1", "seed2/dano.log:1"], "egout": ["egout.log:1"], "fixnet": ["hard\\fixnet.log:1"]}
    runs = [{"problem": problem, "source": place} for problem, of in places.items() for place in of]
    folders = families.log_folders([source(runs[:3])[0], source(runs[3:])[0]])
    (by,) = families.candidates(list(places), folders)
    assert by.name == "folder of the logs"
    assert by.of == {"air": "easy", "bell": "easy", "cap": "hard", "lseu": "easy", "misc": "hard", "fixnet": "hard"}


def test_changes_that_are_alike_within_the_folders_of_logs_are_found():
    """Instances with names that tell nothing, of eight folders, within which the change is the same."""
    rng = np.random.default_rng(5)
    names = [f"{chr(97 + i % 26)}{chr(97 + i * 7 % 26)}{chr(97 + i * 3 // 26)}" for i in range(80)]
    change = np.repeat(rng.normal(0, 0.3, 8), 10) + rng.normal(0, 0.05, 80)
    runs = [
        {"algorithm": side, "problem": name, "cost": float(np.exp(3 + d * by)), "status": "solved", "cost_budget": 1e6}
        | {"source": f"{side}/set{i // 10}/{name}.log:1"}
        for side, by in (("old", 0), ("new", 1))
        for i, (name, d) in enumerate(zip(names, change, strict=True))
    ]
    trials = source(runs, suite=None)[0]
    found = families.of_cells(
        change[:, None], trials.slice(0, 80), keys.DEFAULT_CLUSTER_KEYS, families.log_folders([trials]), seed=1
    )
    (by,) = {row["by"] for row in found.to_pylist() if row["chosen"]}
    assert by == "folder of the logs"
