"""An algorithm belongs to one source of a study."""

import re

import pytest
import yaml

from benchmill.core import UserError
from benchmill.study import algorithms
from benchmill.study.algorithms import Holding


def holding(source, *names, format="coco", **entry):
    return Holding(source, {"path": f"{source}.tgz", **entry}, format, names)


def advised(text):
    return [yaml.safe_load(line)[0] for line in re.findall(r"`(- \{.*?\})`", text)]


def test_each_algorithm_is_listed_with_its_source():
    table = algorithms.table([holding("a", "X", "Y"), holding("b", "Z", format="ioh")], "studies.s")
    assert table.to_pylist() == [
        {"algorithm": "X", "source": "a", "format": "coco"},
        {"algorithm": "Y", "source": "a", "format": "coco"},
        {"algorithm": "Z", "source": "b", "format": "ioh"},
    ]
    assert algorithms.table([], "studies.s").num_rows == 0


def test_one_message_for_the_sources_that_hang_together():
    listed = [
        holding("a", "X", "Y"),
        holding("b", "Y", "X"),
        holding("c", "P"),
        holding("d", "Q", "X"),
        holding("e", "Z"),
        holding("f", "P"),
    ]
    one, other = algorithms.clashes(listed)
    assert "'a.tgz' and 'b.tgz' both hold the algorithms 'Y', 'X' (as do others of 3 sources), and" in one
    assert advised(one) == [
        {"parts": ["a.tgz", "b.tgz", "d.tgz"]},
        {"path": "b.tgz", "algorithm": {"Y": "Y (b)", "X": "X (b)"}},
        {"path": "d.tgz", "algorithm": {"X": "X (d)"}},
    ]
    assert "'c.tgz' and 'f.tgz' both hold the algorithm 'P', and" in other
    with pytest.raises(UserError, match=r"^studies\.s: 'a\.tgz' and 'b\.tgz'"):
        algorithms.table(listed, "studies.s")
    # joined late: by one that shares with both
    joined = algorithms.clashes([holding("a", "X"), holding("b", "Y"), holding("c", "Y", "X"), holding("d", "Y")])
    assert [advised(told)[0] for told in joined] == [{"parts": ["a.tgz", "b.tgz", "c.tgz", "d.tgz"]}]


def test_names_that_look_the_same_are_told_with_an_entry_that_renames_one():
    (told,) = algorithms.clashes([holding("a", "CMA-ES", "B"), holding("b", "\u0421MA-ES")])
    assert told.startswith(r"'a.tgz' holds 'CMA-ES' and 'b.tgz' '\u0421MA-ES', which looks the same where it is printed: write")
    assert advised(told) == [{"path": "b.tgz", "algorithm": {"\u0421MA-ES": "\u0421MA-ES (b)"}}]
    algorithms.check_problems({"a": ["f1", "f2"], "b": ["f2", "f3"]}, "studies.s")
    with pytest.raises(UserError, match=r"the problem 'f1' of 'a' is 'f1' and that of 'b' 'f1\\u200b', which looks the same"):
        algorithms.check_problems({"a": ["f1"], "b": ["f1\u200b"]}, "studies.s")


def test_what_is_advised_holds_for_many_sources():
    listed = [holding(f"s{n}", "X", "Y") for n in range(100)]
    (told,) = algorithms.clashes(listed)
    assert [len(entry["parts"]) for entry in advised(told)] == [100]
    assert told.endswith("(`algorithm:`).")


def test_parts_are_advised_only_where_they_can_be_read_as_one():
    one = holding("a", "X", name="first", strict=True)
    pooled, renamed = advised(algorithms.clashes([one, holding("b", "X", strict=True, format="coco")])[0])
    assert pooled == {"parts": ["a.tgz", "b.tgz"], "name": "first", "strict": True}
    assert renamed == {"path": "b.tgz", "strict": True, "algorithm": {"X": "X (b)"}}
    for other in (
        holding("b", "X", format="ioh", strict=True),
        holding("b", "X"),
        holding("b", "X", strict=True, path="https://example.org/b.tgz"),
        holding("b", "X", strict=True, path="a.tgz"),
    ):
        assert len(advised(algorithms.clashes([one, other])[0])) == 1


def test_parts_are_joined_to_parts():
    several = Holding("a", {"parts": ["a1.tgz", "a2.tgz"]}, "coco", ["X"])
    pooled, _ = advised(algorithms.clashes([several, holding("b", "X")])[0])
    assert pooled == {"parts": ["a1.tgz", "a2.tgz", "b.tgz"]}


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (None, {"X": "X (b, 2)"}),
        ("X", "X (b, 2)"),
        ({"log": "X", "else": "Y"}, {"log": "X (b, 2)", "else": "Y"}),
        ({"else": "Y"}, {"else": "Y", "X": "X (b, 2)"}),
    ],
)
def test_a_new_name_is_no_other_algorithms_and_keeps_other_renamings(option, expected):
    other = holding("b", "X", "Y", **({} if option is None else {"algorithm": option}))
    told = algorithms.clashes([holding("a", "X"), other, holding("c", "X (b)")])[0]
    assert advised(told)[-1]["algorithm"] == expected


def test_strange_names_are_shown_harmlessly_and_advised_exactly():
    name = "\u202eevil\x1b[31m `- {x}` " + "}"
    told = algorithms.clashes([holding("a", name), holding("b", name)])[0]
    assert told.isascii()
    assert told.isprintable()
    listed = [holding(f"s{n}", *(f"A{i}" for i in range(9))) for n in range(2)]
    assert "'A4' and 4 more" in algorithms.clashes(listed)[0]
    assert len(advised(algorithms.clashes(listed)[0])[-1]["algorithm"]) == 9


def test_a_source_of_a_name_that_there_is_gets_another():
    told = algorithms.clashes([holding("a", "X"), holding("a", "X", path="other/a.tgz")])[0]
    assert advised(told) == [
        {"parts": ["a.tgz", "other/a.tgz"]},
        {"path": "other/a.tgz", "algorithm": {"X": "X (a)"}, "name": "a_2"},
    ]


def test_a_study_names_algorithms_that_some_source_has():
    chosen, left = {"only": None, "except": ["Ant"], "rename": {"Bee": "Wasp"}}, [holding("a", "Wasp")]
    algorithms.check_named(chosen, [], ["Ant", "Bee"], left, "studies.s")
    with pytest.raises(UserError, match=r"studies\.s\.algorithms\.rename: no source has an algorithm 'Bee'; did you mean 'Bees'"):
        algorithms.check_named(chosen, [], ["Ant", "Bees"], left, "studies.s")
    algorithms.check_named({"only": ["B*"], "except": ["B?es"]}, [], ["Ant", "Bee", "Bees"], left, "studies.s")
    with pytest.raises(UserError, match=r"algorithms\.only: no source has an algorithm 'C\*'"):
        algorithms.check_named({"only": ["C*"]}, [], ["Ant", "Bee"], left, "studies.s")
    with pytest.raises(UserError, match=r"algorithms\.rename: no source has an algorithm 'C\*'"):
        algorithms.check_named({"rename": {"C*": "Wasp"}}, [], ["Ant", "Bee"], left, "studies.s")
    with pytest.raises(UserError, match="leave no run of any source"):
        algorithms.check_named({"except": ["Ant"]}, [], ["Ant"], [holding("a")], "studies.s")


def test_algorithms_that_do_not_compete_are_there_and_not_all():
    found = [holding("a", "Ant"), holding("b", "Bee")]
    algorithms.check_named({}, ["Bee"], [], found, "studies.s")
    with pytest.raises(UserError, match=r"studies\.s\.not_competing: no source has an algorithm 'Bees'; did you mean 'Bee'\?"):
        algorithms.check_named({}, ["Bees"], [], found, "studies.s")
    with pytest.raises(UserError, match="names all algorithms of the study, so none is left to rank"):
        algorithms.check_named({}, ["Bee", "Ant"], [], found, "studies.s")
