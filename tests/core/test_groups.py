"""Groups of problems that the field has names for."""

import pytest

from benchmill.core import groups
from benchmill.core.natural_order import natural_key


def test_the_24_functions_of_bbob_are_in_one_group_each():
    names = [f"f{i}" for i in range(1, 25)]
    found = groups.members("bbob", names)
    assert [len(own) for own in found.values()] == [5, 4, 5, 5, 5]
    assert [name for own in found.values() for name in own] == names
    assert list(found) == sorted(found, key=natural_key)


def test_names_as_loggers_write_them():
    found = groups.members("bbob", ["f007", "f15_Rastrigin", "f25", "sphere", "f1a"])
    assert {label[:3]: own for label, own in found.items() if own} == {"f1–": ["f1a"], "f6–": ["f007"], "f15": ["f15_Rastrigin"]}


@pytest.mark.parametrize(
    ("suites", "name"),
    [
        (["bbob"], "bbob"),
        (["BBOB", "bbob-largescale"], "bbob"),
        (["bbob", "cec"], None),
        (["bbob-constrained"], None),
        (["bbob-biobj"], None),
        ([], None),
    ],
)
def test_which_suites_have_them(suites, name):
    assert groups.of_suites(suites) == name


def test_no_such_groups():
    with pytest.raises(KeyError):
        groups.members("cec", [])
