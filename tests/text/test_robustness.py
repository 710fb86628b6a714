"""Claims in sentences: what one headline says of several algorithms is said once."""

import pandas as pd

from benchmill.text.robustness import held_in, told


def rows(other, effect, failing=(), stated=False, algorithm="A"):
    """The primary analysis of a claim and three other conventions, one of which only repeats it."""
    claim = {
        **{"claim": f"{algorithm} better than {other}", "stated": stated, "kind": "better", "algorithm": algorithm},
        **{"other": other, "measure": "run_time", "criterion": "net share of wins", "p_adjusted": 0.002},
    }
    conventions = {"primary analysis": None, "by ranks": None, "by pairs": None, "repeated": "by ranks"}
    return [
        claim
        | {"convention": name, "same_as": same, "effect": effect, "text": f"{claim['claim']} alone."}
        | {"holds": name not in failing, "outcome": "not shown" if name in failing else "holds"}
        for name, same in conventions.items()
    ]


def sentences(*claims):
    return told(held_in(pd.DataFrame([row for one in claims for row in one]).astype({"convention": "category"})))


def test_claims_of_one_headline_are_one_sentence():
    assert sentences(rows("B", 0.5), rows("C", 0.75, ["by ranks"]), rows("D", 0.5, ["by ranks"])) == [
        "Claims “A better than B, C and D” (made from the headline, after the data were seen), measure run time: all hold by the "
        "primary analysis (net share of wins 0.500 to 0.750, adjusted p = 0.00200), and in 4 of 6 cases under other conventions; "
        "not under “by ranks” (2 claims)."
    ]


def test_claims_that_differ_are_told_one_by_one():
    alone = ["A better than B alone.", "A better than C alone."]
    assert sentences(rows("B", 0.5, stated=True), rows("C", 0.5, stated=True)) == alone
    # one that does not hold by the primary analysis
    assert sentences(rows("B", 0.5), rows("C", 0.5, ["primary analysis"])) == alone
    assert sentences(rows("B", 0.5), rows("C", 0.5, algorithm="D")) == [alone[0], "D better than C alone."]
    assert sentences(rows("B", 0.5)) == alone[:1]
