"""Claims as people write them, and what is told of those that cannot be read."""

import pytest

from benchmill.core import UserError
from benchmill.text.claims import Claim, known, parsed, written


@pytest.mark.parametrize(
    ("text", "kind", "algorithm", "other", "measure", "margin"),
    [
        ("SLSQP better than Powell", "better", "SLSQP", "Powell", None, None),
        ("Ours best on ert", "best", "Ours", None, "ert", None),
        ("A as good as B within 5 %", "as_good", "A", "B", None, 5.0),
        ("A as good as B within 2.5% on ert", "as_good", "A", "B", "ert", 2.5),
        ("  my own   solver better than the old one ", "better", "my own solver", "the old one", None, None),
        ("'x better than y' better than \"50 %\" on m", "better", "x better than y", "50 %", "m", None),
        ('"best" best', "best", "best", None, None, None),
        ("'on' better than \"within\"", "better", "on", "within", None, None),
        ("O'Brien better than d'X", "better", "O'Brien", "d'X", None, None),
    ],
)
def test_a_claim_is_read(text, kind, algorithm, other, measure, margin):
    assert parsed(text, "claims[1]") == Claim(text.strip(), kind, algorithm, other, measure, margin)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A worse than B", "is no claim that can be read"),
        ("best", "is no claim that can be read"),
        ("A best B", "is no claim that can be read"),
        ("A better than", "is no claim that can be read"),
        ("A better than B on", "is no claim that can be read"),
        ("A 5 % better than B", "is no claim that can be read"),
        ("A as good as B", "needs a margin"),
        ("A as good as B within 0 %", "needs a margin"),
        ("A better than A", "compares an algorithm with itself"),
        ("'A best", "has an unmatched quotation mark"),
    ],
)
def test_what_is_no_claim_is_told_in_one_sentence_with_its_place(text, told):
    with pytest.raises(UserError, match=rf"^studies\.s\.claims\[2\]: .*{told}"):
        parsed(text, "studies.s.claims[2]")


@pytest.mark.parametrize(
    "names", [("A", "B"), ("the best of all", "50 % off"), ("x on y", 'a "quoted" one'), ("as it is", "O'Neill")]
)
def test_what_is_written_is_read_again(names):
    for claim in (written("better", *names), written("best", names[0]), written("best", names[1])):
        assert parsed(claim.text, "claims") == claim


def test_an_unknown_name_has_the_nearest_one():
    with pytest.raises(UserError, match=r"claims\[1\]: there is no algorithm 'SLSPQ'; did you mean 'SLSQP'\?"):
        known("SLSPQ", ["SLSQP", "Powell"], "algorithm", "claims[1]")
