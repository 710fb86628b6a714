from dataclasses import dataclass
from typing import Literal

import jsonschema
import pytest

from benchmill.core import options
from benchmill.core.options import option, properties, required


@dataclass(frozen=True)
class Toy:
    pair: tuple[str, ...] = option("Two algorithms.", minItems=2)
    waves: int | None = option("Number of\n   waves.", None, minimum=1)
    rule: Literal["wins", "sum"] = option("Which is best.", "wins")
    sd: float | dict[str, float] | None = option("Deviation.", None)
    by: tuple[str, ...] = option("Split.", (), items={"enum": ["dimension", "target"]})
    weights: dict[str, float] = option("Weights.", {"a": 1.0})
    ready: bool = option("Whether.", False)
    hidden: int = 3


def test_every_annotation_becomes_a_schema():
    found = properties(Toy)
    assert found == {
        "pair": {"description": "Two algorithms.", "type": "array", "items": {"type": "string"}, "minItems": 2},
        "waves": {"description": "Number of waves.", "type": ["integer", "null"], "minimum": 1, "default": None},
        "rule": {"description": "Which is best.", "enum": ["wins", "sum"], "default": "wins"},
        "sd": {"description": "Deviation.", "type": ["number", "object", "null"], "default": None},
        "by": {"description": "Split.", "type": "array", "items": {"enum": ["dimension", "target"]}, "default": []},
        "weights": {
            "description": "Weights.",
            "type": "object",
            "additionalProperties": {"type": "number"},
            "default": {"a": 1.0},
        },
        "ready": {"description": "Whether.", "type": "boolean", "default": False},
    }
    jsonschema.Draft202012Validator.check_schema({"type": "object", "properties": found})


def test_none_that_the_schema_does_not_admit_is_no_default_of_a_configuration():
    @dataclass(frozen=True)
    class Named:
        name: str | None = option("Made of the others where it is not given.", None, type="string")
        end: float | None = option("By default the largest.", None)
        rule: str | None = option("One of these.", None, enum=["a", None])

    assert properties(Named)["name"] == {"description": "Made of the others where it is not given.", "type": "string"}
    assert properties(Named)["end"]["default"] is None
    assert properties(Named)["rule"]["default"] is None
    assert required(Named) == []


def test_what_has_no_default_is_required():
    assert required(Toy) == ["pair"]


def test_a_default_that_can_change_is_not_shared():
    one, other = Toy(("a", "b")), Toy(("a", "b"))
    one.weights["b"] = 2.0
    assert other.weights == {"a": 1.0}
    properties(Toy)["weights"]["default"]["c"] = 1.0
    assert Toy(("a", "b")).weights == {"a": 1.0}


def test_an_annotation_without_a_word_in_json_is_an_error():
    @dataclass(frozen=True)
    class Odd:
        at: complex = option("No.", 1j)

    with pytest.raises(TypeError, match="'at' is annotated"):
        properties(Odd)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"from": 100, "to": 1e-8, "number": 11}, [10.0**e for e in range(2, -9, -1)]),
        ({"from": 1e-8, "to": 100, "number": 2}, [100, 1e-8]),
        ({"from": 1, "to": 0.01, "number": 3}, [1, 0.1, 0.01]),
        ({"from": 1, "to": 0.01, "number": 1}, None),
        ({"from": 1, "to": 0.01, "number": 2.5}, None),
        ({"from": 0, "to": 0.01, "number": 3}, None),
        ({"from": 1, "to": 0.01, "number": True}, None),
        ({"from": 1, "to": "inf", "number": 3}, None),
        ({"from": 1, "to": 0.01}, None),
        ([3, 1], None),
    ],
)
def test_series_of_targets(value, expected):
    assert options.listed_targets(value) == (value if expected is None else expected)


@pytest.mark.parametrize(
    ("name", "fine", "wrong"),
    [
        ("TARGETS", [[1], [3, 1]], [[], [1, 1], [0], [-1], 1]),
        (
            "GROUPS",
            [{"a": ["f1"]}, {"a": {"x": ["f1"]}}, "bbob", None],
            [{"a": []}, {"a": {"x": []}}, {"a": ["f1", "f1"]}, 1],
        ),
    ],
)
def test_what_lists_of_targets_and_groups_may_be(name, fine, wrong):
    def holds(value):
        return jsonschema.Draft202012Validator(getattr(options, name)).is_valid(value)

    assert all(map(holds, fine))
    assert not any(map(holds, wrong))
