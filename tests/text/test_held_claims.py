"""How far claims hold: each has counts of its own, and those that cannot decide are among them."""

import pandas as pd

from benchmill.text.claims import held_in
from benchmill.text.sentences import Sentences
from benchmill.workflow.pages import exhibits


def rows(other, outcomes, same=()):
    """The primary analysis of a claim, conventions with these outcomes, and some that only repeat the first of them."""
    claim = {"claim": f"A better than {other}", "measure": "run_time", "text": f"A better than {other} alone."}
    return [
        claim | {"convention": f"c{i}", "outcome": outcome, "holds": None if outcome == "undecidable" else outcome == "holds"}
        | {"same_as": "c1" if i in same else None}
        for i, outcome in enumerate(["holds", *outcomes])
    ]  # fmt: skip


def test_each_claim_has_its_own_counts_and_nothing_is_dropped():
    hardly = rows("B", ["holds"] * 4 + ["not shown"] * 32 + ["opposite"] + ["undecidable"] * 9)
    always = rows("C", ["holds"] * 36 + ["holds"], same=[37])
    found = list(held_in(pd.DataFrame(hardly + always).astype({"convention": "category"})))
    assert [(one.holding, one.failing, one.undecidable, one.counted) for one in found] == [(4, 33, 9, 46), (36, 0, 0, 36)]
    assert [one.everywhere for one in found] == [False, True]


def test_what_is_shown_of_claims_is_one_sentence_each(monkeypatch):
    both = held_in(pd.DataFrame(rows("B", ["holds"]) + rows("C", ["not shown"])).astype({"convention": "category"}))
    monkeypatch.setattr("benchmill.workflow.pages.claims.held", lambda table: both)
    assert exhibits([], [], Sentences(), {"runs": {}, "verdicts": {}}, {"config": {}})["held"] == [
        "A better than B alone.",
        "A better than C alone.",
    ]
