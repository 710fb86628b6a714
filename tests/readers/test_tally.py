from collections import Counter

import pytest

from benchmill.readers.tally import missing


def cells(**counts):
    """`f1_2="112"`: two trials on instance 1 and one on instance 2 of f1 in dimension 2."""
    return {("A", "s", name.split("_")[0], int(name.split("_")[1])): Counter(instances) for name, instances in counts.items()}


def test_a_full_design_lacks_nothing():
    assert missing(cells(f1_2="123", f1_3="123", f2_2="123", f2_3="123"), Counter(), True)[:3] == (12, Counter(), 0)


def test_the_usual_instances_of_all_cells_are_expected():
    expected, lacking, unexpected, _ = missing(cells(f1_2="123", f1_3="12", f2_2="123", f2_3="1234"), Counter(), True)
    assert (expected, unexpected) == (12, 1)
    assert lacking == {("A", "s", "f1", 3, "3"): 1}


def test_of_equally_usual_instances_the_larger_set_counts():
    assert missing(cells(f1_2="12", f1_3="123"), Counter(), True)[1] == {("A", "s", "f1", 2, "3"): 1}


def test_repetitions_count():
    found = cells(f1_2="111222", f2_2="111222", f3_2="11222")
    assert missing(found, Counter(), True)[1] == {("A", "s", "f3", 2, "1"): 1}


def test_trials_listed_without_data_are_missing_where_they_are_listed():
    found = cells(f1_2="123", f2_2="12")
    place = ("A", "s", "f2", 2, "3")
    assert missing(found, Counter({place: 1}), True)[:3] == (6, Counter({place: 1}), 0)
    # beyond the usual instances, too
    other = ("A", "s", "f2", 2, "7")
    expected, lacking, *_ = missing(cells(f1_2="123", f2_2="123", f3_2="123"), Counter({other: 1}), True)
    assert (expected, lacking) == (10, Counter({other: 1}))


def test_in_a_table_each_problem_has_its_own_dimension():
    found = {
        ("A", None, "p", 3): Counter({None: 2}),
        ("B", None, "p", 3): Counter({None: 2}),
        ("A", None, "q", 5): Counter({None: 2}),
    }
    assert missing(found, Counter(), False)[:3] == (8, Counter({("B", None, "q", 5, None): 2}), 0)


def test_missing_trials_come_in_natural_order():
    found = cells(f10_2="12", f9_2="12", f2_2="", f2_3="12", f10_3="12", f9_3="1")
    lacking = missing({c: n for c, n in found.items() if n}, Counter(), True)[1]
    assert [place[2:] for place in lacking] == [("f2", 2, "1"), ("f2", 2, "2"), ("f9", 3, "2")]


def test_a_grid_that_is_nearly_empty_is_none():
    found = {("A", "s", f"f{i}", i): Counter("1") for i in range(1, 2002)}
    assert missing(found, Counter(), True) == (2001, Counter(), 0, 2001 * 2001)


def test_what_a_design_may_lack_is_proportional_to_what_is_there():
    found = {("A", "s", f"f{i}", i): Counter("1") for i in range(1, 101)}
    # 9900 missing are fewer than the 10000 that any source may lack
    assert missing(found, Counter(), True)[0] == 10_000
    found |= {("A", "s", f"f{i}", i): Counter("1") for i in range(101, 202)}
    assert missing(found, Counter(), True) == (201, Counter(), 0, 201 * 201)
    # a key raises it
    assert missing(found, Counter(), True, 201 * 200)[0] == 201 * 201
    assert missing(found, Counter(), True, 201 * 200 - 1)[0] == 201


@pytest.mark.parametrize(("cells", "lacks"), [(11, True), (12, False)])
def test_ten_times_as_many_trials_may_lack_as_there_are(cells, lacks):
    """On the diagonal of a grid of 11 × 11 cells ten times as many lack as are there, of 12 × 12 eleven times."""
    found = {("A", "s", f"f{i}", i): Counter(map(str, range(100))) for i in range(1, cells + 1)}
    assert (missing(found, Counter(), True)[0] == 100 * cells**2) == lacks


def test_one_cell_with_many_instances_does_not_multiply():
    found = {("A", "s", f"f{i}", 2): Counter([str(i)]) for i in range(1000)}
    found[("A", "s", "large", 2)] = Counter(map(str, range(5000)))
    # all multisets are equally common, so the largest would be expected of each problem
    assert missing(found, Counter(), True) == (6000, Counter(), 0, 1001 * 5000)


def test_a_sparse_algorithm_does_not_take_the_design_of_another():
    found = {("full", "s", f"f{i}", d): Counter("123") for i in range(24) for d in range(2, 8)}
    del found[("full", "s", "f3", 4)]
    found |= {("sparse", "s", f"f{i}", i + 1): Counter("1") for i in range(300)}
    expected, lacking, unexpected, too_sparse = missing(found, Counter(), True)
    assert (expected, unexpected, too_sparse) == (24 * 6 * 3 + 300, 0, 300 * 300)
    assert {place[:4] for place in lacking} == {("full", "s", "f3", 4)}


def test_a_sparse_table_of_algorithms_and_problems_is_none():
    found = {(f"a{i}", "s", f"p{i}", None): Counter("1") for i in range(200)}
    assert missing(found, Counter(), False) == (200, Counter(), 0, 200 * 200)
    place = ("a1", "s", "p1", None, "2")
    assert missing(found, Counter({place: 2}), False)[:2] == (202, Counter({place: 2}))
