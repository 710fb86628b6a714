"""Exploratory tests of what a reader chooses: the numbers of the library's own tests, and never taken for a claim."""

import numpy as np
import pytest
from scipy.stats import binom

from benchmill.core import keys
from benchmill.inference import clusters, design, draws
from benchmill.inference.design import net_wins
from benchmill.profiles.ratios import ratios
from benchmill.text import display
from tests.page import explored, synthetic
from tests.page.explored import rows_of


def library(values, of):
    """What the library finds for costs (cells × algorithms) in clusters."""
    x, of = np.asarray(values, float), np.asarray(of)
    rng = np.random.default_rng(1)
    d = clusters.means(net_wins(x), of)
    return clusters.flips(d, rng), clusters.exchangeable(d, x.shape[1], rng)


def chosen(tab, values, of, level=0.05):
    """What the page finds for the same."""
    return tab.evaluate("(question) => testChosen(...question)", [values.T.tolist(), of.tolist(), level])


def asked(tab):
    """The pairs that the page shows, once its worker has answered."""
    tab.wait_for_selector("#explore-pairs")
    return tab.locator("#explore-verdict").inner_text()


@pytest.mark.parametrize(
    ("n_clusters", "k", "failures"), [(1, 3, 0.2), (4, 3, 0.3), (7, 8, 0.2), (13, 4, 0.5), (5, 2, 1.0), (6, 3, 0.0)]
)
def test_what_can_be_counted_is_counted_to_the_last_digit(visit, n_clusters, k, failures):
    rng = np.random.default_rng(n_clusters)
    of = np.concatenate([np.arange(n_clusters), rng.integers(n_clusters, size=2 * n_clusters)])
    # a few values, so that many costs tie
    values = rng.integers(1, 6, (of.size, k)) * 10.0 ** rng.integers(0, 2, (of.size, 1))
    values[rng.random(values.shape) < failures] = np.inf
    pairs, everyone = library(values, of)
    found = chosen(visit(), values, of)
    assert found["counted"]
    assert found["flips"] == pairs.n_flips == 2 ** (n_clusters - 1)
    assert found["effect"] == pytest.approx(pairs.effect.tolist(), abs=1e-15)
    assert found["p"] == pairs.p.tolist()
    assert found["adjusted"] == pairs.p_adjusted.tolist()
    assert found["pMin"] == pairs.p_min
    if everyone.p is None:
        assert np.isnan(found["all"]["p"])
    elif found["all"]["counted"]:
        assert found["all"]["p"] == everyone.p
        assert found["all"]["permutations"] == everyone.n_resamples
    else:
        drawn = min(found["all"]["permutations"], everyone.n_resamples)
        assert abs(found["all"]["p"] - everyone.p) < 5 * np.sqrt(2 * 0.25 / drawn)


def test_what_is_drawn_agrees_within_the_error_of_drawing(visit):
    rng = np.random.default_rng(3)
    of = np.arange(24)
    values = rng.lognormal(size=(24, 4)) * [1.0, 1.2, 1.6, 2.5]
    pairs, everyone = library(values, of)
    tab = visit()
    found = chosen(tab, values, of)
    assert not found["counted"]
    for got, want in [
        (found["p"], pairs.p),
        (found["adjusted"], pairs.p_adjusted),
        ([found["all"]["p"]], np.array([everyone.p])),
    ]:
        error = np.sqrt(2 * np.maximum(want * (1 - want), 1e-4) / draws.BATCH)
        assert (np.abs(np.array(got) - want) < 5 * error).all()
    # the same question has the same answer
    assert repr(found) == repr(chosen(tab, values, of))


@pytest.mark.parametrize("drawn", [40, 10_000, 1_000_000])
@pytest.mark.parametrize("level", [0.001, 0.05])
def test_the_interval_of_a_share_is_that_of_the_library(visit, drawn, level):
    middle = round(level * drawn)
    shares = sorted({0, 1, drawn, *(min(max(middle + round(z * np.sqrt(middle + 1)), 0), drawn) for z in np.linspace(-6, 6, 41))})
    tab = visit()
    sides = tab.evaluate("([all, n, level]) => all.map((x) => sideOf(x, n, level))", [shares, drawn, level])
    below, above = draws.clear(shares, drawn, level)
    assert sides == (above.astype(int) - below).tolist()
    ends = tab.evaluate("([all, n]) => all.map((x) => intervalOf(x, n))", [shares, drawn])
    np.testing.assert_allclose(ends, [draws.interval(x, drawn) for x in shares], rtol=1e-8, atol=1e-15)


#: Costs of two solvers on 26 clusters, of which the first wins this many: p is 0.0755 and 0.0290 exactly (binomial, two-sided).
@pytest.mark.parametrize(("wins", "exact"), [(18, 0.0755), (19, 0.0290)])
def test_flips_go_on_until_chance_decides_nothing(visit, wins, exact):
    values = np.where(np.arange(26)[:, None] < wins, [1.0, 2.0], [2.0, 1.0])
    tab = visit()
    for level in (0.05, 0.1, 0.001):
        found = chosen(tab, values, np.arange(26), level)
        assert (found["adjusted"][0] <= level) == (exact <= level)
        assert np.isnan(found["low"][0])
    # the nearer the level is, the more are drawn; at p itself the question stays open, which counts as not shown
    p = 2 * binom.sf(wins - 1, 26, 0.5)
    assert p == pytest.approx(exact, abs=5e-5)
    drawn = [chosen(tab, values, np.arange(26), level)["flips"] for level in (0.1, 0.9 * p, 0.97 * p)]
    assert drawn[0] <= drawn[1] < drawn[2] < draws.MOST
    found = chosen(tab, values, np.arange(26), p)
    assert found["flips"] == draws.MOST
    assert found["low"][0] < p < found["adjusted"][0]


def test_what_chance_still_decides_is_told(visit, tmp_path):
    tab = visit("#explore?study=plain&view=tests&tested=chosen&measure=ert", fresh=True)
    asked(tab)
    # an answer in which the pairs that are not shown are open
    tab.evaluate(
        """() => {
            const { answer } = asking;
            answer.counted = false;
            answer.adjusted.forEach((p, i) => { if (p > 0.05) { answer.low[i] = 0.0499; answer.adjusted[i] = 0.0502; } });
            Object.assign(answer.all, { low: 0.0499, p: 0.0502, counted: false });
            change({}, { step: false });
        }"""
    )
    rows = rows_of(tab, "Exploratory pairs", tmp_path)
    n_open = sum(row["significant"] == "undecided" for row in rows)
    assert n_open > 1
    assert {row["p_adjusted_low"] for row in rows if row["significant"] == "undecided"} == {"0.0499"}
    assert tab.locator("#explore-pairs tbody").inner_text().count("undecided") == n_open
    words = tab.locator("#explore-verdict").inner_text()
    assert f"{n_open} pairs are undecided at level 0.05" in words
    assert "undecided at level 0.05, p is 0.0499 to 0.0502" in words


def test_signs_that_are_drawn_are_fair(visit):
    bits = visit().evaluate("() => { const next = randomNumbers(); return Array.from({ length: 20000 }, next); }")
    shares = (np.array(bits, np.uint64)[:, None] >> np.arange(32, dtype=np.uint64) & 1).mean(axis=0)
    assert (np.abs(shares - 0.5) < 5 * 0.5 / np.sqrt(20000)).all()


@pytest.mark.parametrize("off", [[], ["DE", "SLSQP"]])
def test_the_pairs_of_a_choice_are_those_of_a_study_of_that_choice(visit, tmp_path, off):
    kept = [name for name in synthetic.ALGORITHMS if name not in off]
    costs = explored.costs_of("ert", synthetic.ALGORITHMS)
    costs = costs.filter([name in kept for name in costs["algorithm"].to_pylist()])
    designs = design.from_ratios(ratios(costs, measure="ert"), measure="ert")
    of, _ = clusters.named(designs, keys.CLUSTER_KEYS)
    values = np.concatenate([one.values[:, :, 0] for one in designs])
    pairs, _ = library(values, of)
    names = designs[0].treatments
    wanted = {
        (names[a], names[b]): (e, p, q)
        for a, b, e, p, q in zip(*np.triu_indices(len(names), 1), pairs.effect, pairs.p, pairs.p_adjusted, strict=True)
    }
    tab = visit("#explore?study=plain&view=tests&tested=chosen&measure=ert" + "".join(f"&off={name}" for name in off))
    words = asked(tab)
    rows = rows_of(tab, "Exploratory pairs", tmp_path)
    assert len(rows) == len(wanted)
    for row in rows:
        effect, p, adjusted = wanted[row["algorithm_a"], row["algorithm_b"]]
        assert float(row["net_share_of_wins"]) == pytest.approx(effect, abs=1e-15)
        assert (float(row["p"]), float(row["p_adjusted"])) == (p, adjusted)
        assert row["exploratory"] == "true"
    assert f"{display.plural(len(of), '(problem, target) pair')} in {display.plural(of.max() + 1, 'cluster')}" in words.replace(
        "\xa0", " "
    )
    assert "these tests claim nothing" in words
    significant = int((pairs.p_adjusted <= 0.05).sum())
    assert f"{significant} of {len(wanted)} pairs" in words


def test_a_level_decides_and_is_in_the_address(visit):
    tab = visit("#explore?study=plain&view=tests&tested=chosen&measure=ert")
    asked(tab)
    tab.locator("#explore-level").select_option("0.001")
    assert "level=0.001" in tab.evaluate("location.hash")
    asked(tab)
    assert "no pair can be decided" in tab.locator("#explore-verdict").inner_text()
    assert set(tab.locator("#explore-pairs tbody tr td:last-child").all_inner_texts()) == {"no"}


def test_too_few_to_be_compared_are_told(visit):
    names = [name for name in synthetic.ALGORITHMS if name != "DE"]
    tab = visit("#explore?study=plain&view=tests&tested=chosen" + "".join(f"&off={name}" for name in names))
    assert "two solvers" in tab.locator("#explore-verdict").inner_text()


def test_the_tests_of_the_study_come_first_and_stay_as_they_are(visit):
    tab = visit("#explore?study=plain&view=tests")
    assert tab.locator("#explore-tested").input_value() == "study"
    assert "What can be claimed" in tab.locator("#explore-verdict").inner_text()
