"""Several objectives as traces of one indicator: the indicators against their definitions, and logs that are read by them."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers import multi_objective as mo
from tests.readers.making import Result, folder, one_sentence

JSON, DAT = "A/IOHprofiler_f1_Two.json", "A/data_f1/IOHprofiler_f1_DIM4.dat"

#: What IOHexperimenter's Analyzer wrote of a run of NSGA-II on ZDT1 with 4 variables, made with ioh 0.3.22 and pymoo 0.6.2.
LOGGED = """\
evaluations raw_y F2
1 0.7780459137 4.1263366394
2 0.1965823617 6.0376829410
3 0.5297571380 4.1284480213
4 0.3922871395 5.1098303427
5 0.9636627605 4.0153041220
6 0.3982173012 4.3301280045
7 0.3982173012 4.2288730144
8 0.1965823617 5.1203311289
"""


NAMES = ("evaluations", "raw_y", "F2")


def listing(runs, attributes=NAMES, **more):
    return json.dumps(
        {
            "version": "0.3.22",
            "suite": "unknown_suite",
            "function_id": 1,
            "function_name": "Two",
            "maximization": False,
            "algorithm": {"name": "A", "info": ""},
            "attributes": list(attributes),
            "scenarios": [
                {
                    "dimension": 4,
                    "path": "data_f1/IOHprofiler_f1_DIM4.dat",
                    # the logger states 0 evaluations, and the best of the first objective
                    "runs": [{"instance": 1, "evals": 0, "best": {"evals": at, "y": 0.25, "x": [0.5]}} for at in runs],
                }
            ],
        }
        | more
    )


def block(points, names=("raw_y", "F2")):
    rows = [" ".join([str(i), *(f"{value:.10f}" for value in point)]) for i, point in enumerate(points, 1)]
    return "\n".join([" ".join(["evaluations", *names]), *rows, ""])


@pytest.fixture
def read(tmp_path):
    def read(files, **options):
        return Result(folder(tmp_path / "logs", files), tmp_path, **options)

    return read


# ---- the indicators ---------------------------------------------------------------------------------------------------


def volume_by_cells(points, reference):
    """The hypervolume by its definition: the cells between all coordinates that some point dominates."""
    axes = [sorted({*column, end}) for column, end in zip(np.minimum(points, reference).T, reference, strict=True)]
    return sum(
        np.prod([axis[i + 1] - axis[i] for axis, i in zip(axes, corner, strict=True)])
        for corner in itertools.product(*(range(len(axis) - 1) for axis in axes))
        if any(all(p[k] <= axes[k][i] for k, i in enumerate(corner)) for p in points)
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4).flatmap(lambda m: st.lists(st.tuples(*[st.integers(0, 6)] * m), min_size=1, max_size=7)))
def test_the_hypervolume_is_the_volume_that_is_dominated(rows):
    points, reference = np.array(rows, float), np.full(len(rows[0]), 5.0)
    expected = [volume_by_cells(points[:n], reference) for n in range(1, len(points) + 1)]
    assert mo.hypervolume(points, reference).tolist() == expected  # of whole numbers both are exact


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_distances_are_those_of_their_definitions(data):
    m = data.draw(st.integers(2, 4))
    some = st.lists(st.tuples(*[st.floats(-3, 3)] * m), min_size=1, max_size=6)
    points, against = np.array(data.draw(some)), np.array(data.draw(some))
    for n in range(1, len(points) + 1):
        plus = np.mean(
            [min(np.sqrt(sum(max(a - r, 0) ** 2 for a, r in zip(p, q, strict=True))) for p in points[:n]) for q in against]
        )
        eps = max(min(max(a - r for a, r in zip(p, q, strict=True)) for p in points[:n]) for q in against)
        assert mo.igd_plus(points, against)[n - 1] == pytest.approx(plus, rel=1e-13, abs=1e-300)
        assert mo.epsilon(points, against)[n - 1] == eps


def test_values_of_the_documentation_of_moocore():
    """The examples of `hypervolume` and `igd_plus` in moocore 0.3, the latter those of Ishibuchi and others (2015)."""
    points = np.array([[5, 5], [4, 6], [2, 7], [7, 4]])
    assert mo.hypervolume(points, np.array([10, 10]))[-1] == 38
    assert mo.hypervolume(-points, np.array([0, 0]))[-1] == 39  # maximised, from 0
    against = np.array([[10, 0], [6, 1], [2, 2], [1, 6], [0, 10]], float)
    assert mo.igd_plus(np.array([[4, 2], [3, 3], [2, 4]]), against)[-1] == pytest.approx(1.482842712474619, rel=1e-15)
    assert mo.igd_plus(np.array([[8, 2], [4, 4], [2, 8]]), against)[-1] == pytest.approx(2.260112615949154, rel=1e-15)


def test_long_runs_are_rated_share_by_share(monkeypatch):
    rng = np.random.default_rng(4)
    points, against = rng.random((500, 3)), rng.random((9, 3))
    whole = mo.igd_plus(points, against), mo.epsilon(points, against)
    monkeypatch.setattr(mo, "_NUMBERS_AT_ONCE", 100)
    assert [a.tolist() for a in whole] == [mo.igd_plus(points, against).tolist(), mo.epsilon(points, against).tolist()]
    assert len(mo.hypervolume(points[:0], np.ones(3))) == len(mo.igd_plus(points[:0], against)) == 0


# ---- logs -------------------------------------------------------------------------------------------------------------


def test_a_log_is_read_as_the_hypervolume_of_its_points_so_far(read):
    result = read({JSON: listing([8]), DAT: LOGGED}, indicator="hypervolume", reference_point=[1.0, 5.0])
    # by hand: the areas of staircases below (1, 5), one added at each of these points
    area, steps = 0.0, []
    area += (1 - 0.7780459137) * (5 - 4.1263366394)
    steps.append((1, area))
    steps.append((3, (1 - 0.5297571380) * (5 - 4.1284480213) + (1 - 0.7780459137) * (4.1284480213 - 4.1263366394)))
    assert result.trace(0)[0] == (1, pytest.approx(steps[0][1], rel=1e-14))
    assert result.trace(0)[1] == (3, pytest.approx(steps[1][1], rel=1e-14))  # the second point is beyond the reference point
    assert [at for at, _ in result.trace(0)] == [1, 3, 5, 6, 7]  # 4 and 8 are, too
    assert (result.column("budget"), result.column("maximise"), result.column("value_kind")) == ([8], [True], ["absolute"])
    assert result.counts() == {"budget_from_trace": 1}


def test_against_a_set_values_are_what_is_missing(read, tmp_path):
    (tmp_path / "front.csv").write_text("f1,f2\n0.2,4.5\n0.5,4.2\n")
    files = {JSON: listing([8]), DAT: LOGGED}
    for indicator, more in (("igd_plus", {}), ("epsilon", {}), ("hypervolume", {"reference_point": [1.0, 5.0]})):
        result = read(files, indicator=indicator, reference_set=str(tmp_path / "front.csv"), **more)
        assert (result.column("value_kind"), result.column("maximise")) == (["difference"], [False])
        assert result.column("status") == ["failed"]
        if indicator == "epsilon":
            # 0.2, 4.5: nearest after 8 points is (0.398.., 4.228..), by 0.198..
            assert result.column("best_value") == [pytest.approx(0.3982173012 - 0.2, rel=1e-14)]
        if indicator == "hypervolume":
            front = (1 - 0.2) * (5 - 4.5) + (1 - 0.5) * (4.5 - 4.2)
            assert result.trace(0)[0] == (1, pytest.approx(front - (1 - 0.7780459137) * (5 - 4.1263366394), rel=1e-14))


def test_maximised_and_further_objectives_problems_and_repetitions(read, tmp_path):
    names = ("raw_y", "F2", "F3")
    points = [(1.0, 2.0, 3.0), (2.0, 3.0, 2.0), (0.5, 4.0, 2.5)]
    data = block(points, names) + block(points[:2], names)
    files = {JSON: listing([3, 2], ("evaluations", *names), maximization=[False, True, False]), DAT: data}
    result = read(files, indicator="hypervolume", reference_point={"f1": [4, 0, 4], "f2": [1, 1, 1]})
    extents = np.array([[4 - a, b, 4 - c] for a, b, c in points])
    expected = [volume_by_cells(-extents[:n], np.zeros(3)) for n in (1, 2, 3)]
    assert [value for _, value in result.trace(0)] == pytest.approx(expected)
    assert (result.column("run"), result.column("budget")) == ([1, 2], [3, 2])
    # the columns of a reference set for problems and dimensions choose its points
    (tmp_path / "front.csv").write_text("problem,dimension,a,b,c\nf1,4,1,2,2\nf1,9,0,0,0\nf2,4,0,0,0\n")
    result = read(files, indicator="epsilon", reference_set=str(tmp_path / "front.csv"))
    assert result.trace(0) == [(1, 1.0), (3, 0.5)]
    # objectives by name, in the order of the reference point
    first = json.loads(files[JSON]) | {"maximization": False}
    result = read({**files, JSON: json.dumps(first)}, indicator="hypervolume", reference_point=[4, 3], objectives=["F3", "raw_y"])
    assert result.trace(0) == [(1, 2.0), (2, 3.0), (3, 4.25)]


def test_what_is_wrong_is_told(read, tmp_path):
    files = {JSON: listing([8]), DAT: LOGGED}
    (tmp_path / "three.csv").write_text("f1,f2,f3\n1,2,3\n")
    (tmp_path / "words.csv").write_text("f1,f2\n1,x\n")
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n")
    (tmp_path / "other.csv").write_text("problem,f1,f2\nf2,1,2\n")
    for options, message in (
        ({}, r"F2.*`indicator` \(hypervolume, igd_plus, epsilon\)"),
        ({"indicator": "hypervolume"}, "needs `reference_point`"),
        ({"indicator": "epsilon"}, "needs `reference_set`"),
        ({"indicator": "epsilon", "reference_set": "no.csv"}, "cannot be read"),
        ({"indicator": "epsilon", "reference_set": "three.csv"}, "3 objectives, but the logs of f1 in dimension 4 have 2"),
        ({"indicator": "epsilon", "reference_set": "words.csv"}, "words.csv:2: 'x' in 'f2' is no number"),
        ({"indicator": "epsilon", "reference_set": "bare.csv"}, "bare.csv:1: there is no header"),
        ({"indicator": "epsilon", "reference_set": "other.csv"}, "no points for f1 in dimension 4"),
        ({"indicator": "hypervolume", "reference_point": {"f2": [1, 1]}}, "has none for f1"),
        ({"indicator": "hypervolume", "reference_point": [1, 1, 1]}, "3 objectives, but"),
        ({"indicator": "hypervolume", "reference_point": [1, 1], "objectives": ["raw_y", "F3"]}, "no column 'F3'"),
        ({"indicator": "hypervolume", "reference_point": [1, 1], "value": "F2"}, "name columns with `objectives`"),
        ({"reference_point": [1, 1]}, "add `indicator`"),
    ):
        if "reference_set" in options:
            options = options | {"reference_set": str(tmp_path / options["reference_set"])}
        with pytest.raises(UserError, match=message) as error:
            read(files, **options)
        one_sentence(error.value)
    # "add them, or leave the column `problem` out"
    for text in ("problem,f1,f2\nf2,1,2\nf1,1,2\n", "f1,f2\n1,2\n"):
        (tmp_path / "other.csv").write_text(text)
        assert len(read(files, indicator="epsilon", reference_set=str(tmp_path / "other.csv")).trials) == 1


def test_points_that_were_not_logged_are_not_made_up_for(read):
    """A logger at improvements of the first objective alone leaves out most points: no hypervolume can be told from it."""
    rows = "".join(f"{at} {1 / at:.3f} {at / 10:.3f}\n" for at in (1, 3, 7, 20, 44, 90))
    with pytest.raises(UserError, match="points_not_logged"):
        read({JSON: listing([90]), DAT: "evaluations raw_y F2\n" + rows}, indicator="hypervolume", reference_point=[2, 9])
    # every evaluation is there: nothing is missing
    rows = "".join(f"{at} {1 / at:.3f} {at / 10:.3f}\n" for at in range(1, 9))
    assert read({JSON: listing([8]), DAT: "evaluations raw_y F2\n" + rows}, indicator="hypervolume", reference_point=[2, 9])


def test_constraints_and_logs_of_one_objective_are_named(read):
    data = block([(1, 2, 0.5), (2, 1, -0.5)], ("raw_y", "F2", "G1"))
    files = {JSON: listing([2], ("evaluations", "raw_y", "F2", "G1")), DAT: data}
    options = {"indicator": "hypervolume", "reference_point": [3, 3]}
    assert read(files, **options).counts() == {"budget_from_trace": 1, "constraints_not_read": 1}
    single = json.loads(listing([2], ("evaluations", "raw_y"))) | {"function_id": 2}
    assert read({**files, "B/one.json": json.dumps(single)}, **options).counts()["one_objective"] == 1


def test_a_study_reads_the_set_beside_its_configuration(tmp_path):
    from benchmill.study.sources import FILES_BESIDE

    assert "reference_set" in FILES_BESIDE
    options = readers.options_schema("ioh")["properties"]
    assert {"indicator", "objectives", "reference_point", "reference_set"} <= set(options)
