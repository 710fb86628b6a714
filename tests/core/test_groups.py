"""Groups of problems that the field has names for."""

import pytest

from benchmill.core import UserError, groups, natural_key


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


REPORTS = [{"problems": ["g01", "g20"], "missing": []}, {"problems": ["g01"], "missing": [{"problem": "g22"}]}]


def test_a_listed_name_must_be_that_of_a_problem():
    groups.check_listed(["g20", "g22"], REPORTS, "exclude")
    with pytest.raises(UserError, match=r"exclude names 'g2O', a problem that no source has; did you mean .*g20"):
        groups.check_listed(["g2O"], REPORTS, "exclude")


def test_groups_list_problems_that_there_are_but_those_of_attributes():
    groups.check({"easy": ["g01"], "hard": ["g22"]}, REPORTS, "groups")
    for more in (None, "bbob", {"class": {"easy": ["g99"]}}):
        groups.check(more, REPORTS, "groups")
    with pytest.raises(UserError, match=r"groups: the group 'easy' names 'g1', a problem that no source has; did you mean g01"):
        groups.check({"hard": ["g20"], "easy": ["g1"]}, REPORTS, "groups")
