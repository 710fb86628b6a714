"""Tables of evaluations to success and rates, as CSV and as the text of a paper's table."""

import math

import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from benchmill.readers.cec2006 import DIMENSIONS
from tests.readers.making import Result, folder, one_sentence
from tests.reproduction.tables import FOLDER, paper_table

HEADER = "algorithm,problem,mean,std,feasible_rate,success_rate,success_performance\n"
PAPER = """          TABLE V
   NUMBER OF FES ... ≤ 0.0001)
    Prob.   Best   Median   Worst   Mean   Std   Feasible Rate   Success Rate   Success Performance
     g01    10     20       30      20     1.5   100%            80%            25 (12,3)
     g02                                         80%             0%
     g03    —      –        -       NA     *     40.00%          0.00%          n/a            9.1%
     g4     1      2        5e+002  1.5e+01 1    100             60             2.5e1
"""


@pytest.fixture
def read(tmp_path):
    def read(text, name="t.csv", **options):
        source = folder(tmp_path / "s", {name: text}) / name
        return Result(source, tmp_path / "out", **({"runs": 5} | options))

    return read


def test_a_table_with_a_header(read):
    result = read(HEADER + "A,g01,20,1.5,100%,80%,25\nA,g02,-,-,80.00,0,-\n")
    assert result.report["format"] == "cec2006"
    assert result.column("problem") == ["g01", "g02"]
    assert result.column("dimension") == [13, 20]
    assert result.column("cost") == [20, math.inf]
    assert result.column("cost_sd") == [1.5, None]
    assert result.column("n") == [5, 5]
    assert result.column("n_feasible") == [5, 4]
    assert result.column("n_successes") == [4, 0]
    assert result.column("success_performance") == [25, None]
    assert result.column("status") == ["solved", "failed"]
    assert result.column("budget") == [500_000, 500_000]
    assert result.column("source") == ["t.csv:2", "t.csv:3"]
    assert result.counts() == {"rules_of_competition": 1}


def test_the_text_of_a_paper(read):
    result = read(PAPER, "eps DE.txt")
    assert result.report["algorithms"] == ["eps DE"]
    assert result.column("problem") == ["g01", "g02", "g03", "g04"]
    assert result.column("n_feasible") == [5, 4, 2, 5]
    assert result.column("n_successes") == [4, 0, 0, 3]
    assert result.column("cost") == [20, math.inf, math.inf, 15]
    assert result.column("success_performance") == [25, None, None, 25]
    assert result.counts() == {"rules_of_competition": 1, "column_not_used": 1}


@pytest.mark.parametrize("dash", ["", " ", "-", "--", "–", "—", "−", "*", "NA", "n/a", "N.A.", "nan", "NaN", "?", "none"])
def test_every_spelling_of_no_value(read, dash):
    result = read(HEADER + f"A,g01,{dash},{dash},100%,0%,{dash}\nA,g02,20,{dash},100%,{dash},{dash}\n")
    assert result.column("cost") == [math.inf, math.inf]
    assert result.column("n_successes") == [0, 0]
    counts = result.counts()
    assert counts.pop("rate_not_given") == 1
    assert counts == {"rules_of_competition": 1, "value_of_a_failure": 1}


def test_a_rate_that_is_not_given_can_stay_unknown(read):
    result = read(HEADER + "A,g01,-,-,100%,NA,-\n", switch_off=["rate_not_given"])
    assert result.column("n_successes") == [None]
    assert result.column("n_feasible") == [5]


@pytest.mark.parametrize("text", ["84%", "84.00%", " 84 ", "84.0", "8.4e1"])
def test_spellings_of_a_rate(read, text):
    assert read(HEADER + f"A,g01,-,-,100,{text},-\n", runs=25).column("n_successes") == [21]


def test_rates_as_fractions(read):
    assert read(HEADER + "A,g01,-,-,1,0.84,-\n", runs=25).column("n_successes") == [21]
    with pytest.raises(UserError, match="rates: percent"):
        read(HEADER + "A,g01,-,-,1,0,-\n")
    assert read(HEADER + "A,g01,-,-,1,0,-\n", rates="fraction").column("n_feasible") == [5]
    assert read(HEADER + "A,g01,-,-,1,0,-\n", runs=100, rates="percent").column("n_feasible") == [1]


def test_rounded_rates_are_counts_where_they_can_only_be_one(read):
    assert read(HEADER + "A,g01,-,-,100%,33%,-\n", runs=3).column("n_successes") == [1]
    with pytest.raises(UserError, match="could be several numbers of 250 runs"):
        read(HEADER + "A,g01,-,-,100%,11%,-\n", runs=250)


def test_both_success_performances_are_kept(read):
    result = read(HEADER + "A,g01,20,1,100%,80%,25\nA,g02,20,1,100%,80%,20\nA,g03,20,1,100%,60%,33.3\n")
    assert result.counts()["success_performance_disagrees"] == 1
    assert result.first("success_performance_disagrees") == ("t.csv", 3)
    trials = storage.read(result.files[0], "trials")
    found = {}
    for published in ("printed", "recomputed"):
        table = ratios(
            costs("success_performance", trials, None, "sp", {"published": published}),
            measure="sp",
            problem_keys=["problem"],
            aggregate="success_performance",
        )
        found[published] = table.column("cost").to_pylist()
    assert found["printed"] == pytest.approx([25, 20, 33.3], rel=1e-15)
    assert found["recomputed"] == pytest.approx([25, 25, 100 / 3], rel=1e-15)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A,g01,x,-,100%,80%,25\n", r"t.csv:2: mean is 'x'"),
        ("A,g01,1,-,high,80%,25\n", r"feasible is 'high'"),
        ("A,g01,1,-,100%,83%,25\n", r"whole number of the 5 runs \(4.15\)"),
        ("A,g01,1,-,120%,80%,25\n", "from 0 to 1"),
        ("A,g01,1,-,60%,80%,25\n", "no more than the feasible rate, 3 of 5 runs"),
        ("A,g01,1,-,100%,80%\n", "6 cells, but the header 7"),
        ("A,g01,1,-,100%,80%,25\nA,G1,1,-,100%,80%,25\n", "is already in t.csv:2"),
        ("A,,1,-,100%,80%,25\n", "problem is ''"),
        ("A,g01,-4,-,100%,80%,25\n", "mean is '-4'"),
    ],
)
def test_mistakes(read, rows, message):
    with pytest.raises(UserError, match=message) as error:
        read(HEADER + rows)
    one_sentence(error.value)


def test_dimensions_are_those_of_table_2_of_the_paper():
    for table in ("barbosa2010_table2_problems", "barbosa2010_table2_variables"):
        assert [int(row["n"]) for row in paper_table(table)] == list(DIMENSIONS)


#: The organisers' comparison, `Comparisons`: feasible and success rates over g01 to g24 without g20.
ORGANISERS = {
    "DE": (95.65, 78.09), "DMS-PSO": (100, 90.61), "eDE": (100, 95.65), "GDE": (92.00, 77.39), "jDE-2": (95.65, 80.00),
    "MDE": (95.65, 87.65), "MPDE": (94.96, 87.65), "PCX": (95.65, 94.09), "PESO+": (95.48, 67.83), "SaDE": (100, 87.13),
}  # fmt: skip


def averages(trials, column):
    """Mean rate in per cent over g01 to g24 without g20, by algorithm."""
    rates = {}
    for row in trials:
        if row["problem"] != "g20":
            rates.setdefault(row["algorithm"], []).append(100 * row[column] / row["n"])
    assert {len(r) for r in rates.values()} == {23}
    return {name: round(sum(r) / len(r), 2) for name, r in rates.items()}


def test_the_ten_averages_of_the_competition(tmp_path):
    result = Result(FOLDER / "barbosa2010_source_cec2006_measures.csv", tmp_path / "out")
    assert readers.sniff(FOLDER / "barbosa2010_source_cec2006_measures.csv").format == "cec2006"
    feasible, success = averages(result.trials, "n_feasible"), averages(result.trials, "n_successes")
    assert {name: (feasible[name], success[name]) for name in feasible} == ORGANISERS
    assert result.counts() == {"rate_not_given": 9, "rules_of_competition": 1}


def test_a_table_whose_last_cell_may_be_cut(read):
    result = read(HEADER + "A,g01,20,1.5,100%,80%,25\nA,g02,20,1.5,100%,80%,2")
    assert (result.column("problem"), result.first("cut_line")) == (["g01"], ("t.csv", 3))
    with pytest.raises(UserError, match="no trial can be read"):
        read(HEADER + "A,g01,20,1.5,100%,80%,2")
