import math
from itertools import pairwise

import pytest
import yaml
from snakemake.common.configfile import load_configfile

from benchmill.core import UserError
from benchmill.study import yaml_text


def test_plain_yaml_is_read_and_names_become_text():
    assert yaml_text.read("a: [1, 2.5, x]\n5: {no: ~}\n1.10: 1\n", "c.yaml") == {
        "a": [1, 2.5, "x"],
        "5": {"no": None},
        "1.10": 1,
    }


#: https://yaml.org/spec/1.2.2/#103-core-schema; what YAML 1.1 reads otherwise is text.
PLAIN = {
    "true": True, "FALSE": False, "null": None, "~": None, "12": 12, "-3": -3, "0x1F": 31, "1.5": 1.5, "1.0e-3": 0.001,
    "-.inf": -math.inf, "NO": "NO", "on": "on", "yes": "yes", "1:30": "1:30", "010": "010", "1_000": "1_000", "1e-3": "1e-3",
    "2026-01-31": "2026-01-31", "0b11": "0b11", "=": "=", "'12'": "12",
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), PLAIN.items())
def test_a_value_is_a_number_or_a_truth_value_only_where_both_versions_of_yaml_agree(text, value):
    found = yaml_text.read(f"a: {text}\n", "c.yaml")["a"]
    assert found == value
    assert type(found) is type(value)
    # what benchmill writes for a text is read as this text
    if isinstance(value, str):
        assert yaml_text.read(yaml.safe_dump({"a": value}), "c.yaml")["a"] == value


def test_every_value_is_text_where_that_is_asked_for():
    assert yaml_text.read("{version: 1.10, n: 5, no: true, e: ~, f: , g: [1.0]}", "c.yaml", texts=True) == {
        "version": "1.10", "n": "5", "no": "true", "e": None, "f": None, "g": ["1.0"],
    }  # fmt: skip


CONFIG = "studies:\n  NO: {sources: [on, 010.csv], time_limit: 1:30, date: 2026-01-31, rename: {no: 1.10, 5: x}}\n"
WRITTEN = {
    "studies": {
        "NO": {
            "sources": ["on", "010.csv"],
            "time_limit": "1:30",
            "date": "2026-01-31",
            "rename": {"no": 1.1, "5": "x"},
        }
    }
}


def test_a_configuration_that_snakemake_has_read_is_taken_as_its_file_has_it(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG)
    theirs = load_configfile(file)
    assert theirs["studies"][False]["time_limit"] == 90
    assert yaml_text.as_written(theirs, [file]) == WRITTEN
    # with something from the command line
    more = {**theirs, "studies": {**theirs["studies"], "other": {"sources": ["b"]}}, "archives": {"cache": "c"}}
    assert yaml_text.as_written(more, [file]) == {
        "studies": {**WRITTEN["studies"], "other": {"sources": ["b"]}},
        "archives": {"cache": "c"},
    }
    # as a part of the configuration of another workflow
    file.write_text("threads: 2\nbench:\n" + "".join(f"  {line}\n" for line in CONFIG.splitlines()))
    assert yaml_text.as_written(load_configfile(file)["bench"], [file]) == WRITTEN
    with pytest.raises(UserError, match="studies has the name False, expected text; write it in quotes"):
        yaml_text.checked(theirs, "c.yaml")


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
        ("a: {b: [1, " + "9" * 5000 + "]}", r"a.b\[2\] is a number of 5000 digits"),
        ("a: !!python/object/apply:os.system [true]", "could not determine a constructor"),
        ("a: [", "is not YAML"),
        ("a: \x00", "is not YAML"),
        ("{5: a, '5': b}", "line 1 has the name '5', which line 1 has already"),
        (
            "studies:\n  s: {sources: a}\n  t: {}\n  s: {sources: b}\n",
            "line 4 has the name 's', which line 2 has already; keep one",
        ),
        ("s:\n  sources: a\n  sources: b\n", "line 3 has the name 'sources', which line 2 has already"),
    ],
)
def test_what_is_refused_in_one_sentence(text, message):
    with pytest.raises(UserError, match=message) as error:
        yaml_text.read(text, "c.yaml")
    assert str(error.value).startswith("c.yaml: ")
    assert "\n" not in str(error.value)
