from collections import Counter

from benchmill.readers.design import missing


def cells(**counts):
    """`f1_2="112"`: two trials on instance 1 and one on instance 2 of f1 in dimension 2."""
    return {("A", "s", name.split("_")[0], int(name.split("_")[1])): Counter(instances) for name, instances in counts.items()}


def test_a_full_design_lacks_nothing():
    assert missing(cells(f1_2="123", f1_3="123", f2_2="123", f2_3="123"), Counter(), True) == (12, Counter(), 0)


def test_the_usual_instances_of_all_cells_are_expected():
    expected, lacking, unexpected = missing(cells(f1_2="123", f1_3="12", f2_2="123", f2_3="1234"), Counter(), True)
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
    assert missing(found, Counter({place: 1}), True) == (6, Counter({place: 1}), 0)
    # beyond the usual instances, too
    other = ("A", "s", "f2", 2, "7")
    expected, lacking, _ = missing(cells(f1_2="123", f2_2="123", f3_2="123"), Counter({other: 1}), True)
    assert (expected, lacking) == (10, Counter({other: 1}))


def test_in_a_table_each_problem_has_its_own_dimension():
    found = {
        ("A", None, "p", 3): Counter({None: 2}),
        ("B", None, "p", 3): Counter({None: 2}),
        ("A", None, "q", 5): Counter({None: 2}),
    }
    assert missing(found, Counter(), False) == (8, Counter({("B", None, "q", 5, None): 2}), 0)


def test_missing_trials_come_in_natural_order():
    found = cells(f10_2="12", f9_2="12", f2_2="", f2_3="12", f10_3="12", f9_3="1")
    lacking = missing({c: n for c, n in found.items() if n}, Counter(), True)[1]
    assert [place[2:] for place in lacking] == [("f2", 2, "1"), ("f2", 2, "2"), ("f9", 3, "2")]


def test_a_grid_that_is_nearly_empty_is_none():
    found = {("A", "s", f"f{i}", i): Counter("1") for i in range(1, 2002)}
    assert missing(found, Counter(), True) == (2001, Counter(), 0)
