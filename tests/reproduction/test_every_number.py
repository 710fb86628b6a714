"""The table of all printed numbers: complete, and with the verdicts that were found independently of this project."""

from collections import Counter
from fractions import Fraction

import pytest

from benchmill.reproduction.published import _one_problem_changed, _theorem, reproduction
from tests.reproduction.tables import FOLDER, paper_table


@pytest.fixture(scope="module")
def rows():
    return reproduction(FOLDER).to_pylist()


def test_nothing_differs_without_a_reason(rows):
    assert [row for row in rows if row["verdict"] == "differs"] == []
    assert all(row["reason"] for row in rows if row["verdict"] in ("misprint", "not recomputable"))


def test_every_number_is_there_once(rows):
    counts = Counter((row["paper"], row["place"]) for row in rows)
    assert counts["barbosa2010", "Table I"] == 30
    assert counts["barbosa2010", "Table IV"] == 50
    assert counts["barbosa2010", "Table V"] == 60
    assert counts["barbosa2010", "Table VI"] == 90
    assert counts["barreto2010", "Table 1"] == 15
    assert counts["barreto2010", "Table 2"] == 12
    assert counts["hekmati2018", "Table 1"] == 15
    assert len({(row["paper"], row["place"], row["quantity"]) for row in rows}) == len(rows)


def test_table_5_comes_out_completely(rows):
    assert {row["verdict"] for row in rows if row["place"] == "Table V"} == {"reproduced"}


def test_misprints_are_the_known_ones(rows):
    wrong = {(row["paper"], row["place"], row["quantity"], row["printed"]) for row in rows if row["verdict"] == "misprint"}
    assert wrong == {
        ("barreto2010", "Section 3", "rho_2 and rho_3 cross at", "5.5, 6.5"),
        ("barreto2010", "Sections 2, 5", "rhobar(1) is the expected share of wins", "yes"),
        ("hekmati2018", "Section 3", "share of problems on which B is second best, in per cent", "60"),
        ("hekmati2018", "Theorem 2.1", "a change of one problem of 21 changes a wave by at most 1/21", "yes"),
        (
            "hekmati2018",
            "Theorem 2.2",
            "nested order of s2 and s3 for |P1|, |P2|, |P3| = 51, 40, 9 is the order without s1",
            "yes",
        ),
        ("barbosa2010", "Section II, remark c", "AUC of A", "21.15"),
        ("barbosa2010", "Section II, remark c", "AUC of B", "26.35"),
        ("barbosa2010", "Section II, remark c", "AUC of C", "27.75"),
        ("barbosa2010", "Table IV", "rank of MPDE by success rate", "5"),
        ("barbosa2010", "Table VI", "rank_tau_min_over_tau_star of SaDE", "6"),
        ("barbosa2010", "Table VI", "rank_tau_min_over_tau_star of DMS-PSO", "5"),
    }


def test_rhobar_at_one_and_win_probability(rows):
    """0.305 and 0.561 were found independently of this project."""
    reason = next(row["reason"] for row in rows if row["quantity"] == "rhobar(1) is the expected share of wins")
    assert "0.305" in reason
    assert "0.561" in reason


def test_what_is_said_of_misprints_is_so(rows):
    """By hand, from the printed data and the definitions."""
    by = {row["quantity"]: row for row in rows if row["verdict"] == "misprint"}
    table = paper_table("barbosa2010_table1_ratios")
    for name in "ABC":
        ratios = [Fraction(row["ratio"]) for row in table if row["solver"] == name and row["ratio"] != "inf"]
        area = sum(max(Fraction(9, 2) - r, 0) for r in ratios) / Fraction(len({row["problem"] for row in table}))
        assert by[f"AUC of {name}"]["value"] == pytest.approx(float(10 * area), rel=1e-12)
        assert f" is {float(area):.2f};" in by[f"AUC of {name}"]["reason"]
    assert by["rho_2 and rho_3 cross at"]["recomputed"] == "4, 5.5, 6.5, 8"

    # 21 problems: s1 is best on eleven (or s2 on eleven) and leaves; of the others s3 is best on ten, or on none
    before, after = _one_problem_changed()
    assert before.tolist() == pytest.approx([10 / 21 + 1 / 21, 11 / 21, 10 / 21])
    assert after[2] == 0
    # sizes 51, 40, 9: s1 leaves; then s3 is best on the 51 and the 9, s2 on the 40
    overall, without = _theorem(51, 40, 9)
    assert overall[1:].tolist() == pytest.approx([(0.40 + 0.40) / 2, (0.09 + 0.60) / 2])
    assert without.tolist() == pytest.approx([0.40, 0.60])
    (reason,) = [row["reason"] for row in by.values() if row["place"] == "Theorem 2.2"]
    assert "nested 0.40 and 0.345 at tau = 1, without s1 0.40 and 0.60." in reason


def test_shares_of_24_problems(rows):
    for row in rows:
        if row["place"] == "Table 2" and row["quantity"].startswith("rho_"):
            assert f"{int(row['reason'].split(' of 24 ')[0].split()[-1]) / 24:.3f}" == row["printed"]
