"""The table of all printed numbers: complete, and with the verdicts that were found independently of this project."""

from collections import Counter

import pytest

from benchmill.profiles.reproduction import reproduction
from tests.reproduction.tables import FOLDER


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
