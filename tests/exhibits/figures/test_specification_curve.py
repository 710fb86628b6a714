"""The curve of a claim: every convention that differs once, in the order of its effect, above the choices that it makes."""

import pytest

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import caption, draw
from tests.exhibits.figures import studies


@pytest.fixture(scope="module")
def claims():
    return studies._claims("DE", (2, 5), (10.0, 1e-3), 8)


def lines(figure, start):
    found = {line.get_gid(): line for axes in figure.axes for line in axes.lines if str(line.get_gid()).startswith(start)}
    return {gid.partition("-")[2]: line for gid, line in found.items()}


def test_every_convention_that_differs_is_drawn_once_in_the_order_of_its_effect(claims):
    figure, _ = draw("specification_curve", {"claims": claims}, {})
    rows = [row for row in claims.to_pylist() if row["same_as"] is None]
    points = [(x, y, outcome) for outcome, line in lines(figure, "outcome-").items() for x, y in line.get_xydata().tolist()]
    assert sorted(y for _, y, _ in points) == sorted(row["effect"] for row in rows)
    assert [y for _, y, _ in sorted(points)] == sorted(row["effect"] for row in rows)
    assert sorted((y, outcome) for _, y, outcome in points) == sorted((row["effect"], row["outcome"]) for row in rows)
    (primary,) = (line for axes in figure.axes for line in axes.lines if line.get_gid() == "primary")
    assert primary.get_ydata().tolist() == [rows[0]["effect"]]


def test_marks_stand_in_the_rows_of_the_choices(claims):
    figure, _ = draw("specification_curve", {"claims": claims}, {})
    names = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    # more than eight clusters share a row; names are in the order of the registry
    expected = ["target 10", "target 0.001", "dimension 2", "dimension 5"]
    expected += ["a failure counts 2 times its budget", "a failure counts 10 times its budget", "Nemenyi's comparison"]
    assert names == [*expected, "one cluster left out"]
    marks = sum(len(line.get_xdata()) for line in lines(figure, "choices-").values())
    rows = [row for row in claims.to_pylist() if row["same_as"] is None]
    # each makes one choice, two where conventions are combined, the primary analysis none
    assert marks == sum(1 + (" × " in row["rule"]) for row in rows) - 1


def test_the_caption_counts_what_the_sentence_counts(claims):
    rows = claims.to_pylist()
    counted = [row["holds"] for row in rows[1:] if row["same_as"] is None]
    holds, fails, undecided = (counted.count(outcome) for outcome in (True, False, None))
    told = caption("specification_curve", {"claims": claims}, {})
    assert f"and in {holds} of {len(counted)} conventions; {fails} do not show it, {undecided} cannot decide" in told
    assert "1 more compares the same numbers as others" in told
    assert "significant" not in told


def test_a_study_that_claims_nothing_has_a_figure_that_says_so():
    nothing = {"claims": schema.TABLES["claims"].empty_table()}
    figure, told = draw("specification_curve", nothing, {})
    assert [text.get_text() for text in figure.texts] == [told] == ["The study claims nothing."]


def test_a_claim_that_there_is_not_is_told(claims):
    with pytest.raises(UserError, match="specification_curve: claim: found 'DE worst', expected 'DE best'; choose one of these"):
        draw("specification_curve", {"claims": claims}, {"claim": "DE worst"})
