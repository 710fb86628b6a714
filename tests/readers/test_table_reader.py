import gzip
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from benchmill.readers import table_files
from tests.readers.making import Result, folder, tar

COSTS = "solver,name,time\nB,p10,2.5\nA,p10,inf\nA,p9,1\nB,p9,Inf\n"
MAP = {"algorithm": "solver", "problem": "name", "cost": "time"}
TRACE = """algorithm,problem,dimension,evaluations,value,budget
A,f2,2,1,9,20
A,f2,2,5,4,20
A,f10,2,3,7,30
A,f2,2,9,1.5,20
A,f10,2,4,6.5,30
"""


@pytest.fixture
def read(tmp_path):
    def read(text, suffix="csv", **options):
        path = tmp_path / f"table.{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Result(path, tmp_path / "out", format="table", **options)

    return read


def test_costs_with_other_names(read):
    result = read(COSTS, columns=MAP)
    rows = [(t["problem"], t["algorithm"], t["cost"], t["status"], t["source"]) for t in result.trials]
    assert rows == [
        ("p9", "A", 1.0, "solved", "table.csv:4"),
        ("p9", "B", math.inf, "failed", "table.csv:5"),
        ("p10", "B", 2.5, "solved", "table.csv:2"),
        ("p10", "A", math.inf, "failed", "table.csv:3"),
    ]
    assert result.column("trial") == [0, 1, 2, 3]
    assert result.column("n") == [1, 1, 1, 1]
    assert result.column("budget") == [None] * 4
    assert result.traces.num_rows == 0
    assert result.report["budget"] is None
    assert not result.counts()


@pytest.mark.parametrize("separator", ["\t", ";", ","])
def test_separators_are_told_from_the_header(read, separator):
    assert len(read(COSTS.replace(",", separator), columns=MAP).trials) == 4


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_end_as_they_did_on_other_systems(read, end):
    assert read(COSTS.replace("\n", end), columns=MAP).trials == read(COSTS, columns=MAP).trials


def test_the_same_table_twice_is_told(tmp_path):
    text = "algorithm,problem,cost\nA,p,1\nA,q,2\n"
    result = Result(folder(tmp_path / "logs", {"a.csv": text, "b.csv": text}), tmp_path / "out", repetitions=True)
    assert (len(result.trials), result.counts(), result.first("same_content")) == (
        4,
        {"same_content": 1, "repeated_row": 2},
        ("b.csv", None),
    )


def test_a_separator_can_be_given(read):
    assert len(read(COSTS.replace(",", "|"), columns=MAP, separator="|").trials) == 4


def test_packed_and_parquet_tables_hold_the_same(read, tmp_path):
    plain = read(COSTS, columns=MAP)
    packed = read(gzip.compress(COSTS.encode()), "csv.gz", columns=MAP)
    assert packed.trials == plain.trials
    table = pa.table({"solver": ["B", "A", "A", "B"], "name": ["p10", "p10", "p9", "p9"], "time": [2.5, math.inf, 1.0, math.inf]})
    pq.write_table(table, tmp_path / "t.parquet")
    stored = read((tmp_path / "t.parquet").read_bytes(), "parquet", columns=MAP)
    assert [{**t, "source": ""} for t in stored.trials] == [{**t, "source": ""} for t in plain.trials]
    assert stored.column("source")[0] == "table.parquet:3"


def test_names_that_are_numbers_stay_text(read):
    result = read("algorithm,problem,instance,cost\nA,007,1.0,3\nA,7,01,4\n")
    assert result.column("problem") == ["7", "007"] or result.column("problem") == ["007", "7"]
    assert set(result.column("instance")) == {"1.0", "01"}


def test_our_own_names_need_no_mapping_and_other_columns_are_noted(read):
    result = read("algorithm,problem,colour,cost\nA,p,red,3\n")
    assert result.counts() == {"column_not_used": 1}


def test_a_mapped_column_is_not_used_twice(read):
    result = read("algorithm,instance,cost\nA,x,3\n", columns={"problem": "instance"})
    assert result.column("problem") == ["x"]
    assert result.column("instance") == [None]


def test_repeated_keys_are_runs(read):
    result = read("algorithm,problem,cost\nA,p,3\nB,p,1\nA,p,4\nA,p,5\n")
    assert [(t["algorithm"], t["run"], t["cost"]) for t in result.trials] == [("A", 1, 3), ("B", 1, 1), ("A", 2, 4), ("A", 3, 5)]
    # B has one run where A has three
    assert result.report["missing"] == [
        {"algorithm": "B", "suite": None, "problem": "p", "dimension": None, "instance": None, "count": 2}
    ]


def test_runs_as_stated(read):
    result = read("algorithm,problem,run,cost\nA,p,1,3\nA,p,0,4\n")
    assert [(t["run"], t["cost"]) for t in result.trials] == [(2, 3), (1, 4)]
    with pytest.raises(UserError, match=r"table\.csv:3.*same run '1'"):
        read("algorithm,problem,run,cost\nA,p,1,3\nA,p,1,4\n")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("inf", math.inf),
        ("+INF", math.inf),
        ("Infinity", math.inf),
        (" 1.5 ", 1.5),
        ("+2e3", 2000),
        ("-1", -1),
        ("0", 0),
        (".5", 0.5),
    ],
)
def test_costs_as_written(read, cell, expected):
    assert read(f"algorithm,problem,cost\nA,p,{cell}\n").column("cost") == [expected]


@pytest.mark.parametrize("cell", ["", "nan", "NA", "-", "-inf", "1,5", "0x1", "1_000", "1e", "TIMEOUT"])
def test_what_is_no_cost_is_an_error_with_its_line(read, cell):
    with pytest.raises(UserError, match=r"table\.csv:4: (column 'cost'|the row has)") as caught:
        read(f"algorithm,problem,cost\n\nA,q,1\nA,p,{cell}\n")
    assert "\n" not in str(caught.value)


def test_an_empty_cost_can_be_declared_a_failure(read):
    result = read("algorithm,problem,cost\nA,p,\nA,q,1\n", empty="failure")
    assert result.column("cost") == [math.inf, 1.0]
    assert result.column("status") == ["failed", "solved"]
    assert result.counts() == {"empty_is_failure": 1}
    assert result.first("empty_is_failure") == ("table.csv", 2)


def test_published_means(read):
    result = read("algorithm,problem,mean,sd,n\nA,p,3,0.5,25\nA,q,inf,,10\n")
    assert result.column("cost") == [3.0, math.inf]
    assert result.column("cost_sd") == [0.5, None]
    assert result.column("n") == [25, 10]
    assert read("algorithm,problem,mean\nA,p,3\n").counts() == {"runs_not_stated": 1}
    assert read("algorithm,problem,mean\nA,p,3\n", constants={"n": 25}).column("n") == [25]
    with pytest.raises(UserError, match=r":2: column 'sd' is '-1'"):
        read("algorithm,problem,mean,sd,n\nA,p,3,-1,25\n")
    with pytest.raises(UserError, match=r":2: column 'n' is '0'"):
        read("algorithm,problem,mean,sd,n\nA,p,3,1,0\n")


def test_improvements(read):
    result = read(TRACE, direction="min")
    assert [(t["problem"], t["budget"], t["best_value"], t["source"]) for t in result.trials] == [
        ("f2", 20, 1.5, "table.csv:2"),
        ("f10", 30, 6.5, "table.csv:4"),
    ]
    assert result.trace(0) == [(1, 9), (5, 4), (9, 1.5)]
    assert result.trace(1) == [(3, 7), (4, 6.5)]
    assert not result.counts()
    assert set(result.column("value_kind")) == {"absolute"}


def test_the_direction_that_was_assumed_is_noted(read):
    assert read(TRACE).counts() == {"direction_assumed": 1}
    names = "problem,algorithm,{}\np,A,3\np,B,4\n"
    assert read(names.format("result"), columns={"cost": "result"}).counts() == {"direction_assumed": 1}
    assert not read(names.format("loss"), columns={"cost": "loss"}).counts()
    assert not read(names.format("result"), columns={"cost": "result"}, direction="min").counts()


def test_larger_values_can_be_better(read):
    result = read(TRACE.replace(",4,20", ",12,20"), direction="max")
    assert result.trace(0) == [(1, 9), (5, 12)]
    assert result.trace(1) == [(3, 7)]
    assert result.column("best_value") == [12, 7]
    assert set(result.column("maximise")) == {True}
    assert result.counts() == {"running_minimum": 2}


def test_the_budget_comes_from_the_trace_where_it_is_not_stated(read):
    text = "".join(line.rpartition(",")[0] + "\n" for line in TRACE.splitlines())
    result = read(text, direction="min")
    assert result.column("budget") == [9, 4]
    assert result.counts() == {"budget_from_trace": 2}
    beyond = read(TRACE.replace(",20", ",7"), direction="min")
    assert beyond.column("budget") == [9, 30]
    assert beyond.first("budget_from_trace") == ("table.csv", 2)
    with pytest.raises(UserError, match=r":3: column 'budget' is '21'.*same budget"):
        read(TRACE.replace("4,20", "4,21"), direction="min")


def test_runs_and_seeds_separate_trials(read):
    rows = "A,p,1,9,1\nA,p,1,8,2\nA,p,2,7,1\nA,p,2,6,2\n"
    for name in ("run", "seed"):
        result = read(f"algorithm,problem,evaluations,value,{name}\n{rows}", direction="min", constants={"budget": 5})
        assert [result.trace(i) for i in range(2)] == [[(1, 9), (2, 7)], [(1, 8), (2, 6)]]
        assert result.column("run") == [1, 2]
    assert result.column("seed") == [1, 2]


def test_violation_counts_before_value(read):
    text = "algorithm,problem,evaluations,value,violation\nA,p,1,-5,2\nA,p,2,9,0\nA,p,3,1,1\nA,p,4,8,0\n"
    result = read(text, direction="min", constants={"budget": 4})
    assert result.trace(0) == [(1, -5), (2, 9), (4, 8)]
    assert (result.trials[0]["best_value"], result.trials[0]["violation"]) == (8, 0)


def test_differences_and_optima_tell_what_is_solved(read):
    text = "algorithm,problem,evaluations,value\nA,p,1,0\nA,q,1,3\n"
    more = {"direction": "min"}
    assert read(text, constants={"budget": 1}, **more).column("status") == ["failed", "failed"]
    assert read(text, constants={"budget": 1, "value_kind": "difference"}, **more).column("status") == ["solved", "failed"]
    assert read(text, constants={"budget": 1, "optimum": 3}, **more).column("status") == ["solved", "solved"]


def test_constants_and_the_name_of_the_algorithm(read):
    text = "problem,cost\np,1\n"
    result = read(text, constants={"algorithm": "X", "suite": "s", "dimension": 10})
    assert (result.trials[0]["algorithm"], result.trials[0]["suite"], result.trials[0]["dimension"]) == ("X", "s", 10)
    assert read(text, algorithm="Y").column("algorithm") == ["Y"]
    with pytest.raises(UserError, match="no column gives 'algorithm'"):
        read(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_columns_without_a_name_or_a_cell_at_the_end_are_none(read, end):
    """Spreadsheets write them where cells were once filled."""
    lines = ["algorithm;problem;cost;seed;;;", "A;p;1;7;;;", "A;q;2;;;;", "B;p;3;5;;;"]
    trials = read(end.join(lines)).trials
    assert [(row["algorithm"], row["problem"]) for row in trials] == [("A", "p"), ("B", "p"), ("A", "q")]
    assert [row["seed"] for row in trials] == [7, 5, None]
    with pytest.raises(UserError, match="the column '' occurs more than once"):
        read(end.join([*lines[:2], "A;q;2;;;;4", lines[3]]))
    with pytest.raises(UserError, match="the column '' occurs more than once"):
        read(end.join([*lines[:3], "B;p"]))


def test_optional_columns(read):
    text = "algorithm,problem,dimension,instance,cost,budget,seed,runtime_s,optimum\nA,p,10,i,3,1e3,7,0.5,-2\nA,q,,,4,,,,\n"
    first, second = read(text).trials
    names = ("dimension", "instance", "budget", "seed", "runtime_s", "optimum")
    assert [first[n] for n in names] == [10, "i", 1000, 7, 0.5, -2.0]
    assert [second[n] for n in names] == [None] * 6


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("algorithm,problem,cost\nA,p\n", {}, r":2: the row has 2 cells, the header 3"),
        ("algorithm,problem,cost\nA,p,1\n\nA,p,1,2\n", {}, r":4: the row has 4 cells"),
        ("algorithm,problem,cost\n", {}, "no rows"),
        ("algorithm,problem,cost,cost\nA,p,1,2\n", {}, ":1: the column 'cost' occurs more than once"),
        ("algorithm,problem,time\nA,p,1\n", {}, "no column gives values"),
        ("algorithm,problem,time\nA,p,1\n", {"columns": {"cost": "tme"}}, "did you mean 'time'"),
        ("algorithm,problem,cost,mean\nA,p,1,1\n", {}, r"gives cost or mean; name the one"),
        ("algorithm,problem,cost\nA,,1\n", {}, r":2: column 'problem' is empty"),
        ("algorithm,problem,cost,dimension\nA,p,1,2.5\n", {}, r":2: column 'dimension' is '2.5'; expected a whole number"),
        ("algorithm,problem,cost\nA,p,1\n", {"colums": {}}, "did you mean 'columns'"),
        ("algorithm,problem,cost\nA,p,1\n", {"direction": "up"}, "option 'direction' is 'up'"),
        ("algorithm,problem,cost\nA,p,1\n", {"columns": {"price": "cost"}}, "option 'columns' is"),
        ("algorithm,problem,cost\nA,p,1\n", {"constants": {"cost": 1}, "columns": {"cost": "cost"}}, "both"),
        ("algorithm,problem,cost\nA,p,1\n", {"switch_off": ["running_minimun"]}, "did you mean 'running_minimum'"),
        ('algorithm,problem,cost\nA,5" disk,2\nA,r,3\nA,"p\nq",1\n', {}, "quoted cells hold line breaks, and other cells quotes"),
        (b"algorithm,problem,cost\nA,p\xff,1\n", {}, r":2: the text is not in UTF-8"),
        (b"algorithm,problem,cost\nA,p\0,1\n", {}, "binary data"),
        (b"PAR1 not really", {}, "cannot be read as a table in Parquet or Arrow"),
        (b"ARROW1 not really", {}, "cannot be read as a table in Parquet or Arrow"),
    ],
)
def test_mistakes_are_one_sentence(read, text, options, message):
    with pytest.raises(UserError, match=message) as caught:
        read(text, **options)
    assert "\n" not in str(caught.value)


def test_lines_count_comments_and_blank_lines(read):
    with pytest.raises(UserError, match=r"table\.csv:6: column 'cost'"):
        read("# a comment\n\nalgorithm,problem,cost\r\nA,p,1\r\n\r\nA,q,x\r\n")


def test_quoted_cells_may_hold_line_breaks(read):
    result = read('algorithm,problem,cost\n\nA,"p\r\n  \nq",1\nA,r,2\n')
    assert [(t["problem"], t["source"]) for t in result.trials] == [("p q", "table.csv:3"), ("r", "table.csv:6")]


TABULAR = r"""
\begin{longtable}{|l|c|r|} % two algorithms
\caption{Times \& values}\\
\toprule
\textbf{Problem} & \textbf{DE} & PSO\_2 \\ \midrule
F1 & $1.2 \times 10^{-3}$ & \textbf{1{,}234.5} \\[2pt]
\cmidrule(lr){2-3}
F2 & $\mathbf{0.5}$ & 3\\
\hline
\end{longtable}
"""


def test_a_table_in_latex(read):
    result = read(TABULAR, "tex", wide="algorithm", columns={"problem": "Problem"})
    rows = [(t["problem"], t["algorithm"], t["cost"], t["source"]) for t in result.trials]
    assert rows == [
        ("F1", "DE", 0.0012, "table.tex:6"),
        ("F1", "PSO_2", 1234.5, "table.tex:6"),
        ("F2", "DE", 0.5, "table.tex:8"),
        ("F2", "PSO_2", 3, "table.tex:8"),
    ]
    means = (
        TABULAR.replace("{0.5}", r"{0.5 \pm 0.25}")
        .replace(r"1.2 \times 10^{-3}", r"2.5 \pm 1.25")
        .replace("{1{,}234.5}", r"{4 $\pm$ 2}")
    )
    result = read(means.replace(" 3\\", r" 3 $\pm$ 1\\"), "tex", wide="algorithm", columns={"problem": "Problem"})
    assert [(t["cost"], t["cost_sd"]) for t in result.trials] == [(2.5, 1.25), (4, 2), (0.5, 0.25), (3, 1)]


def test_a_name_may_be_long(read):
    # looking for the name of a statistic at its end from each of its signs would take minutes
    assert len(read(COSTS.replace("p10", "[" * 400_000), columns=MAP).trials) == 4


def test_ends_of_rows_in_latex_are_found_in_one_pass():
    # looking ahead to the end of the line from each would take minutes
    assert table_files.plain("t.tex", b"\\begin{tabular}\n" + b"\\\\[" * 200_000) == b"\n"


@pytest.mark.parametrize("rule", ["---------------", "------- -- --", "======"])
def test_lines_of_dashes_are_no_rows(read, rule):
    text = f"Times in seconds\n\n{rule}\nproblem   A   B\n{rule}\np1  1  2\np2  3  4\n{rule}\nthat is all\n"
    result = read(text, "txt", lines="4-7", separator=" ", wide="algorithm")
    assert [(t["problem"], t["algorithm"], t["cost"], t["source"]) for t in result.trials] == [
        ("p1", "A", 1, "table.txt:6"),
        ("p1", "B", 2, "table.txt:6"),
        ("p2", "A", 3, "table.txt:7"),
        ("p2", "B", 4, "table.txt:7"),
    ]


def test_a_byte_order_mark_is_no_part_of_a_name(read):
    assert read("\ufeffalgorithm,problem,cost\nA,p,1\n").column("algorithm") == ["A"]


def test_a_folder_of_tables(tmp_path):
    files = {"b.csv": "algorithm,problem,cost\nB,p,2\n", "a.csv": "problem,cost,algorithm\np,1,A\n"}
    for source in (folder(tmp_path / "f", files), tar(tmp_path / "f.tgz", files)):
        assert readers.sniff(source).format == "table"
        result = Result(source, tmp_path / "out")
        assert [(t["algorithm"], t["cost"], t["source"]) for t in result.trials] == [("A", 1, "a.csv:2"), ("B", 2, "b.csv:2")]
    with pytest.raises(UserError, match="its columns are"):
        Result(folder(tmp_path / "f", {"c.csv": "algorithm,problem,price\nB,p,2\n"}), tmp_path / "out")


def test_only_tables_are_recognised(tmp_path):
    for name, text in (
        ("x.csv", "1,2,3\n4,5,6\n"),
        ("y.txt", "just words\nand more\n"),
        ("z.csv", "a,b\n"),
        ("w.bin", b"a,b\n\0,\1\n"),
    ):
        folder(tmp_path, {name: text})
        with pytest.raises(UserError, match="no format recognises it"):
            readers.sniff(tmp_path / name)
    folder(tmp_path, {"t.csv": COSTS})
    assert readers.sniff(tmp_path / "t.csv") == readers.Found("table")
    # a folder that has more than tables needs an entry that says which files to read
    assert readers.sniff(folder(tmp_path / "f", {"t.csv": COSTS})) == readers.Found("table")
    with pytest.raises(UserError, match="no format recognises it"):
        readers.sniff(folder(tmp_path / "f", {"how.md": "words\n"}))


def test_numbers_of_nodes_and_of_cells_have_their_limits(tmp_path):
    text = "algorithm,problem,cost,outcome,nodes\nA,p,1,solved,{}\n"
    path = tmp_path / "t.csv"
    path.write_text(text.format(0))
    assert readers.load(path)[0].column("nodes").to_pylist() == [0]
    path.write_text(text.format(-1))
    with pytest.raises(UserError, match="column 'nodes' is '-1'; expected a whole number from 0"):
        readers.load(path)
    path.write_text(text.format(1))
    with pytest.raises(UserError, match="option 'most_cells' is 0, expected at least 1"):
        readers.load(path, options={"most_cells": 0})
    path.write_text("algorithm,problem,evaluations,value\nA,p,,1\n")
    with pytest.raises(UserError, match="column 'evaluations' is empty; expected a whole number from 0"):
        readers.load(path)


_keys = st.tuples(st.sampled_from("AB"), st.sampled_from(["p1", "p2", "p10"]), st.sampled_from(["1", "2"]))
_value = st.sampled_from([3.0, 2.0, 1.0, 0.5, math.inf])
_rows = st.lists(st.tuples(_keys, st.integers(1, 20), _value), min_size=1)


@given(_rows, st.booleans())
def test_traces_are_what_a_plain_loop_makes(tmp_path_factory, rows, maximise):
    path = tmp_path_factory.mktemp("t")
    rows = [(k, e, -v if maximise and v == math.inf else v) for k, e, v in rows]  # the worst infinity: no value yet
    text = "algorithm,problem,run,evaluations,value\n" + "".join(f"{a},{p},{r},{e},{v}\n" for (a, p, r), e, v in rows)
    (path / "t.csv").write_text(text)
    result = Result(path / "t.csv", path / "out", direction="max" if maximise else "min")
    expected = {}
    for key in dict.fromkeys(k for k, _, _ in rows):
        own = sorted(((e, -v if maximise else v) for k, e, v in rows if k == key), key=lambda row: row)
        best, steps = None, []
        for evaluations, value in own:
            if best is None or value < best:
                best = value
                steps.append((evaluations, -value if maximise else value))
        expected[key] = (steps, max(e for e, _ in own))
    found = {(t["algorithm"], t["problem"], str(t["run"])): (result.trace(t["trial"]), t["budget"]) for t in result.trials}
    assert found == expected
    numbers = [int(p[1:]) for p in result.column("problem")]
    assert numbers == sorted(numbers)


SUCCESSES = (
    "algorithm,problem,mean,sd,n,n_successes,n_feasible,budget\nA,p,20,3,25,21,24,500\nA,q,,,25,0,,500\nB,p,30,,10,,,500\n"
)


def test_means_with_counts_of_successes(read):
    result = read(SUCCESSES)
    assert result.column("cost") == [20, 30, math.inf]
    assert result.column("n_successes") == [21, None, 0]
    assert result.column("n_feasible") == [24, None, None]
    assert result.column("status") == ["solved", "solved", "failed"]
    assert not result.counts()


def test_counts_of_successes_feed_ert_and_success_performance(read):
    """21 runs of 20 evaluations and 4 of 500: (21 * 20 + 4 * 500) / 21, and 20 / (21 / 25)."""
    trials = storage.read(read(SUCCESSES).files[0], "trials")
    found = costs("given", trials, None, "m", {})
    for aggregate, expected in (("ert", (21 * 20 + 4 * 500) / 21), ("success_performance", 20 * 25 / 21)):
        table = ratios(found, measure="m", problem_keys=["problem"], aggregate=aggregate, missing="failure").to_pylist()
        assert (table[0]["cost"], table[0]["n_trials"], table[0]["n_successes"]) == (pytest.approx(expected), 25, 21)
        assert (table[2]["cost"], table[2]["n_trials"], table[2]["n_successes"]) == (math.inf, 25, 0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A,p,20,3,25,26,25,500", "up to the 25 runs"),
        ("A,p,20,3,25,21,26,500", "up to the 25 runs"),
        ("A,p,inf,3,25,21,25,500", "the mean of the 21 successful runs"),
        ("A,p,,3,25,21,25,500", "column 'mean' is empty"),
        ("A,p,,3,25,,25,500", "column 'mean' is empty"),
        ("A,p,20,3,25,2.5,25,500", "a whole number from 0"),
    ],
)
def test_counts_that_cannot_be(read, row, message):
    with pytest.raises(UserError, match=message):
        read(SUCCESSES.split("\n")[0] + f"\n{row}\n")


def test_how_evaluations_are_counted_can_be_said(read):
    text = "algorithm,problem,evaluations,value\nA,p,0,9\nA,p,4,3\n"
    shifted = read(text, direction="min", counted_from=0)
    assert (shifted.trace(0), shifted.column("budget")) == ([(1, 9), (5, 3)], [5])
    left = read(text, direction="min", counted_from=1)
    assert (left.trace(0), left.column("budget")) == ([(4, 3)], [4])
    assert left.first("row_before_first")[1] == 2


def test_numbers_too_large_to_be_measured_stand_for_none(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("algorithm,problem,cost\nA,p,1e300\nA,q,1.5e99\n")
    result = Result(path, tmp_path / "a", format="table")
    assert [(t["cost"], t["status"]) for t in result.trials] == [(math.inf, "failed"), (1.5e99, "solved")]
    assert (result.counts(), result.first("placeholder")) == ({"placeholder": 1}, ("t.csv", 2))
    with pytest.raises(UserError, match=r"'time_limit' is .*expected a time above 0 and below 1e\+20"):
        Result(path, tmp_path / "b", format="table", time_limit=1e100)
    path.write_text("algorithm,problem,evaluations,value\nA,p,1,1.7e308\nA,p,5,3\nA,q,1,1e300\nB,p,2,4\n")
    smaller = Result(path, tmp_path / "c", format="table", direction="min")
    assert [smaller.trace(i) for i in range(3)] == [[(5, 3)], [(2, 4)], []]
    assert (smaller.column("best_value"), smaller.counts()["placeholder"]) == ([3, 4, None], 2)
    path.write_text("algorithm,problem,evaluations,value\nA,p,1,-1.7e308\nA,p,5,1e120\n")
    larger = Result(path, tmp_path / "d", format="table", direction="max")
    assert (larger.trace(0), larger.first("placeholder")) == ([(5, 1e120)], ("t.csv", 2))
    with pytest.raises(UserError, match="`switch_off` names 'placeholder'"):
        Result(path, tmp_path / "e", format="table", direction="max", switch_off=["placeholder"])


def test_a_row_that_begins_as_a_comment_is_no_name_beside_others(read):
    with pytest.raises(UserError, match=r"table\.csv:4: the line begins with '#' as comments do"):
        read("# what was run\nproblem,algorithm,cost\np,A,1\n#q,A,2\nr,A,3\n")
    assert read("problem,algorithm,cost\n#1,A,1\n#2,A,2\n").column("problem") == ["#1", "#2"]
