"""From costs to a complete, balanced design: what is used, what is left out, and what is said about it."""

import math

import numpy as np
import pytest

from benchmill.core import UserError
from benchmill.inference.analysis import e1, e2, logarithm, normalise, ranks
from benchmill.inference.design import cells, from_costs, from_ratios
from benchmill.profiles.ratios import ratios
from tests.costs.making import INF, cost_rows, matrix_costs


def table(cells_of, **extra):
    """Costs from {(problem, algorithm): [costs]}."""
    return cost_rows(
        [
            {"problem": p, "algorithm": a, "instance": str(i + 1), "cost": c, "budget": 100.0, **extra}
            for (p, a), costs in cells_of.items()
            for i, c in enumerate(costs)
        ]
    )


FULL = {("p10", "B"): [1, 2], ("p10", "A"): [3, 4], ("p2", "A"): [5, 6], ("p2", "B"): [7, 8]}


def test_runs_stand_where_they_belong():
    (found,) = from_costs(table(FULL), measure="m")
    assert found.treatments == ["A", "B"]
    assert found.blocks == ["suite s, problem p2, dimension 2", "suite s, problem p10, dimension 2"]
    assert found.values.tolist() == [[[5, 6], [7, 8]], [[3, 4], [1, 2]]]
    assert "all 2 runs of each cell" in found.rule
    assert "block = suite × problem × dimension" in found.rule
    (by_instance,) = from_costs(table(FULL), measure="m", blocks=["problem", "instance"])
    assert by_instance.values.shape == (4, 2, 1)
    assert by_instance.values[:, :, 0].tolist() == [[5, 7], [6, 8], [3, 1], [4, 2]]


def test_missing_cells_are_named_or_dropped_and_counted():
    some = {key: value for key, value in FULL.items() if key != ("p2", "B")}
    with pytest.raises(
        UserError, match=r"1 of 4 cells of the design have no run \('B' on .*problem p2.* has 0\).*unbalanced: \[drop\]"
    ):
        from_costs(table(some), measure="m")
    (found,) = from_costs(table(some), measure="m", unbalanced=["drop"])
    assert (found.values.shape, found.n_left_out) == ((1, 2, 2), 1)
    alone = from_costs(table({("p1", "A"): [1], ("p2", "B"): [1]}), measure="m", unbalanced=["drop"])[0]
    assert (alone.values.shape[0], alone.n_left_out) == (0, 2)


def test_unequal_cells_are_named_and_each_rule_does_what_it_says():
    uneven = {**FULL, ("p2", "B"): [7, 8, 90, 91]}
    with pytest.raises(UserError, match=r"have 2 to 4 runs, most have 2 \('B' on .*problem p2.* has 4\).*subsample"):
        from_costs(table(uneven), measure="m")
    (drawn,) = from_costs(table(uneven), measure="m", unbalanced=["subsample"], seed=3)
    assert drawn.values.shape == (2, 2, 2)
    assert set(drawn.values[0, 1]) <= {7, 8, 90, 91}
    assert drawn.values[0, 0].tolist() == [5, 6]
    assert (drawn.n_runs_unused, "seed 3" in drawn.rule) == (2, True)
    again = from_costs(table(uneven), measure="m", unbalanced=["subsample"], seed=3)[0]
    assert np.array_equal(drawn.values, again.values)
    others = [from_costs(table(uneven), measure="m", unbalanced=["subsample"], seed=s)[0].values[0, 1] for s in range(30)]
    assert len({tuple(v) for v in others}) > 3


def test_what_stands_for_a_failure():
    costs = table({**FULL, ("p2", "B"): [7, INF]})
    (found,) = from_costs(costs, measure="m")
    assert found.values[0, 1].tolist() == [7, INF]
    (par10,) = from_costs(costs, measure="m", failure=10)
    assert par10.values[0, 1].tolist() == [7, 1000]
    assert (par10.n_failures, "10 times its budget" in par10.rule) == (1, True)
    with pytest.raises(UserError, match="states no budget"):
        from_costs(table({("p", "A"): [INF]}, budget=None), measure="m", failure=10)


def test_strata_targets_and_sources():
    costs = cost_rows(
        [
            {"problem": p, "algorithm": a, "dimension": d, "target": t, "cost": d + t}
            for t in (1.0, 0.1)
            for d in (10, 5)
            for p in ("f1", "f2")
            for a in "AB"
        ]
    )
    found = from_costs(costs, measure="m", stratify=["dimension"])
    assert [(f.target, f.stratum) for f in found] == [(t, f"dimension {d}") for t in (1.0, 0.1) for d in (5, 10)]
    assert [f.values[0, 0, 0] for f in found] == [6, 11, 5.1, 10.1]
    made = from_ratios(ratios(costs, measure="m", aggregate="single"), measure="m", stratify=["dimension"])
    assert [(f.target, f.stratum, f.values[0, 0, 0]) for f in made] == [(f.target, f.stratum, f.values[0, 0, 0]) for f in found]
    # by an attribute: a problem that has none is in a stratum that says so
    by_class = [{"class": {"f1": "hard"}}]
    for designs in (
        from_costs(costs, measure="m", stratify=by_class),
        from_ratios(ratios(costs, measure="m", aggregate="single"), measure="m", stratify=by_class),
    ):
        assert [(f.stratum, [cell["problem"] for cell in f.problems]) for f in designs[:2]] == [
            ("class hard", ["f1", "f1"]),
            ("class not known", ["f2", "f2"]),
        ]
    both = from_costs(costs, measure="m", stratify=["dimension", *by_class])
    assert [f.stratum for f in both[:2]] == ["dimension 5, class hard", "dimension 5, class not known"]
    with pytest.raises(UserError, match="both hold"):
        from_costs([("one", costs), ("two", costs)], measure="m")
    with pytest.raises(UserError, match="no costs of it"):
        from_costs(costs, measure="x")
    with pytest.raises(UserError, match="strata are among the blocks"):
        from_costs(costs, measure="m", blocks=["problem"], stratify=["dimension"])
    with pytest.raises(UserError, match="found 'best', expected some of subsample"):
        from_costs(costs, measure="m", unbalanced=["best"])


def test_published_means_are_no_runs():
    costs = cost_rows([{"algorithm": a, "cost": 1, "n": 10} for a in "AB"])
    with pytest.raises(UserError, match="stands for several runs"):
        from_costs(costs, measure="m")


def test_design_1_from_ratios():
    (found,) = from_ratios(ratios(matrix_costs([[1.0, 2.0], [3.0, INF]]), measure="m", aggregate="single"), measure="m")
    assert found.values[:, :, 0].tolist() == [[1, 3], [2, INF]]
    assert found.n_failures == 1


def test_normalisation_by_hand():
    x = [[2.0, 3.0, INF], [10.0, 30.0, 20.0]]
    assert e1(x)[:, :, 0].tolist() == [[0, 0.5, INF], [0, 2, 1]]
    assert e1(x, [1, 10])[0, :, 0].tolist() == [1, 2, INF]
    assert e2(x)[:, :, 0].tolist() == [[0, 1, INF], [0, 1, 0.5]]
    assert e2(x, [0, 0], [4, 40])[:, :, 0].tolist() == [[0.5, 0.75, INF], [0.25, 0.75, 0.5]]
    assert e2([[5.0, 5.0]])[0, :, 0].tolist() == [0, 0]
    assert logarithm([[1, 100]])[0, :, 0].tolist() == [0, 2]
    assert ranks([[[3, 1], [1, 5]]]).tolist() == [[[3, 1.5], [1.5, 4]]]
    assert normalise(x, "e2", [0, 0])[1] == "position between the known and the largest seen cost of the block"
    with pytest.raises(UserError, match="block 1 is 0"):
        e1([[0.0, 1.0]])
    with pytest.raises(UserError, match="numbers > 0"):
        logarithm([[0.0, 1.0]])
    with pytest.raises(UserError, match="found 'e3'"):
        normalise(x, "e3")
    with pytest.raises(UserError, match="upper bound -1 is below the lower bound 0"):
        e2(x, [0, 0], [-1, 40])


def test_bounds_that_are_known_for_some_blocks():
    x = [[2.0, 3.0, INF], [10.0, 30.0, 20.0]]
    nan = math.nan
    values, said = normalise(x, "e2", [1, nan], [nan, 50])
    assert values[:, :, 0].tolist() == [[0.5, 1, INF], [0, 0.5, 0.25]]
    assert said == (
        "position between the known (of 1 of 2 blocks, else the smallest seen) and the known (of 1 of 2 blocks, "
        "else the largest seen) cost of the block"
    )
    assert normalise(x, "e1", [nan, nan])[1] == "relative error e1 to the smallest seen cost of the block"
    # better than the best known: below 0, and told
    values, said = normalise(x, "e1", [2.5, 10])
    assert values[:, :, 0].tolist() == [[pytest.approx(-0.2), pytest.approx(0.2), INF], [0, 2, 1]]
    assert said.endswith("; 1 value is below the known lower bound")
    with pytest.raises(UserError, match="of block 2 the upper bound 30 is below the lower bound 40"):
        e2(x, [nan, 40])
    # nothing is known of a block that all fail on, and nothing is needed
    assert np.isinf(e2([[INF, INF]], [1.0])).all()


def test_cells():
    assert cells(np.ones((2, 3))).shape == (2, 3, 1)
    for wrong in (np.ones(3), [[math.nan, 1]]):
        with pytest.raises(ValueError, match="design"):
            cells(wrong)
