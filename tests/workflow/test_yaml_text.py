from itertools import pairwise

import pytest

from benchmill.core.errors import UserError
from benchmill.workflow import yaml_text


def test_plain_yaml_is_read_and_names_become_text():
    assert yaml_text.read("a: [1, 2.5, x]\n5: {no: ~}\n", "c.yaml") == {"a": [1, 2.5, "x"], "5": {"False": None}}


def test_aliases_that_are_used_are_written_out():
    content = yaml_text.read("a: &a {x: [1]}\nb: {<<: *a, y: 2}\nc: *a\n", "c.yaml")
    assert content == {"a": {"x": [1]}, "b": {"x": [1], "y": 2}, "c": {"x": [1]}}
    assert content["a"] is not content["c"]


def bomb(levels, first="[x, x, x, x, x, x, x, x, x, x]", new="[{}]"):
    names = [f"v{i}" for i in range(levels)]
    lines = [f"{names[0]}: &{names[0]} {first}"]
    lines += [f"{b}: &{b} {new.format(', '.join([f'*{a}'] * 10))}" for a, b in pairwise(names)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bomb(30), "more than 200000 values once its aliases"),
        (bomb(12, "{k: v}", "{{<<: [{}]}}"), "too many keys are merged"),
        ("a: &a [*a]", r"a\[1\] is an alias \(`\*...`\) of what it is in"),
        ("a: &a {b: {c: *a}}", "a.b.c is an alias"),
        ("[" * 100 + "]" * 100, "nested deeper than 60"),
        ("[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a: 2020-13-45", "month must be in"),
        ("a: {b: [1, " + "9" * 5000 + "]}", r"a.b\[2\] is a number of 5000 digits"),
        ("a: !!python/object/apply:os.system [true]", "could not determine a constructor"),
        ("a: [", "is not YAML"),
        ("a: \x00", "is not YAML"),
        ("{5: a, '5': b}", "'5' is a name twice"),
    ],
)
def test_what_is_refused_in_one_sentence(text, message):
    with pytest.raises(UserError, match=message) as error:
        yaml_text.read(text, "c.yaml")
    assert str(error.value).startswith("c.yaml: ")
    assert "\n" not in str(error.value)
