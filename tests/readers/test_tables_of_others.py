"""Tables as other people keep their results: what they state is read, asked about or refused, and never lost in silence."""

import math
import re

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers.interface import Incomplete
from tests.readers.making import Result, folder


@pytest.fixture
def read(tmp_path):
    def of(text, name="t.csv", **options):
        (tmp_path / name).write_text(text)
        return Result(tmp_path / name, tmp_path / "out", **options)

    return of


@pytest.fixture
def asked(tmp_path):
    def of(text, name="t.csv", **options):
        (tmp_path / name).write_text(text)
        return readers.examine(tmp_path / name, format="table", options=options)["proposals"]

    return of


def rows(result, *names):
    return [tuple(t[name] for name in names) for t in result.trials]


MEANS = "problem,algorithm,seconds,status,runs\np,A,12,ok,10\np,B,60,timeout,10\n"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"columns": {"mean": "seconds", "outcome": "status"}}, "outcome"),
        ({"columns": {"mean": "seconds"}, "time_limit": 60}, "time_limit"),
        ({"columns": {"cost": "seconds", "n": "runs"}}, "n"),
        ({"columns": {"cost": "seconds", "n_successes": "runs"}}, "n_successes"),
        ({"columns": {"cost": "seconds", "evaluations": "runs"}}, "evaluations"),
        ({"columns": {"cost": "seconds"}, "constants": {"sd": 1}}, "sd"),
    ],
)
def test_what_an_entry_says_of_another_kind_of_table_is_not_dropped(read, said, name):
    with pytest.raises(UserError, match=f"a table of (mean|cost) has no '{name}'"):
        read(MEANS, **said)


def test_how_many_runs_are_behind_a_mean_is_read_where_cells_tell_that_it_is_one(read):
    result = read("problem,reps,A,B\np,30,1.5 ± 0.5,2 ± 0.5\n", columns={"n": "reps"}, wide="algorithm")
    assert rows(result, "cost", "cost_sd", "n") == [(1.5, 0.5, 30), (2, 0.5, 30)]


def test_columns_in_several_units_are_not_compared(read):
    text = "problem,A (ms),B (s)\np,120,3\nq,300,4\n"
    with pytest.raises(UserError, match=r"'A \(ms\)' is in ms, and 'B \(s\)' in s"):
        read(text, wide="algorithm")
    apart = {"key": "algorithm", "columns": ["A (ms)"]}
    assert read(text, wide=apart, unit="ms").column("cost") == [0.12, 0.3]
    assert read(text, wide="algorithm", direction="min").column("cost") == [120, 3, 300, 4]


def test_a_unit_in_the_names_of_a_wide_table_or_beside_words_is_asked_about(asked):
    ((proposal,),) = [asked("problem,A (ms),B (ms)\np,120,3\nq,300,4\n", wide="algorithm")]
    assert proposal["options"] == {"unit": "ms"}
    entry = {"columns": {"cost": "time_ms"}, "outcomes": {"TO": "time_limit"}}
    ((proposal,),) = [asked("problem,algorithm,time_ms\np,A,120\np,B,TO\n", **entry)]
    assert proposal["options"] == {"unit": "ms"}
    assert asked("problem,algorithm,time_ms\np,A,120ms\np,B,TO\n", **entry) == []


def test_a_run_that_failed_needs_no_number(read):
    """What programs write where they have none: nan, None, N/A, a dash, -1."""
    text = (
        "problem,algorithm,time,status,nodes,obj\n"
        "p,A,12,Optimal,3,5\np,B,nan,TimeLimit,None,N/A\nq,A,-1,TimeLimit,-,—\nq,B,2,Optimal,4,2\n"
    )
    entry = {
        "columns": {"cost": "time", "outcome": "status", "best_value": "obj"},
        "outcomes": {"Optimal": "optimal", "TimeLimit": "time_limit"},
    }
    result = read(text, **entry)
    assert rows(result, "problem", "algorithm", "cost", "outcome", "runtime_s", "nodes", "best_value") == [
        ("p", "A", 12, "solved", 12, 3, 5),
        ("p", "B", math.inf, "time_limit", None, None, None),
        ("q", "A", math.inf, "time_limit", None, None, None),
        ("q", "B", 2, "solved", 2, 4, 2),
    ]
    assert result.report["trials"]["missing"] == 0
    with pytest.raises(UserError, match="column 'time' is empty; expected a number"):
        read(text.replace("nan,TimeLimit", "nan,Optimal"), **entry)
    # a negative time of a run that is solved is a mistake still
    wrong = read(text.replace("-1,TimeLimit", "-1,Optimal"), **entry)
    assert (wrong.counts()["impossible_time"], wrong.report["trials"]["missing"]) == (1, 1)


@pytest.mark.parametrize("none", ["—", "–", "--", "n.a.", "N/A", "#N/A", "<NA>", "NaN", "None", "null"])
def test_a_dash_is_an_empty_cell(read, none):
    text = f"problem,algorithm,mean,sd\np,A,1,{none}\nq,A,{none},{none}\n"
    result = read(text, empty="failure")
    assert rows(result, "cost", "cost_sd") == [(1, None), (math.inf, None)]
    with pytest.raises(UserError, match="or declare `empty: failure`"):
        read(text)


def test_a_seed_that_is_there_twice_is_told(read):
    """As where a file of results was appended to itself."""
    head, text = "problem,algorithm,seed,cost\n", "p,A,1,5\np,A,2,5\np,B,1,6\n"
    assert read(head + text).counts() == {}
    twice = read(head + 2 * text)
    assert (twice.counts(), twice.first("repeated_row")) == ({"repeated_row": 3}, ("t.csv", 5))
    assert read(head + text + text.replace(",5", ",7")).counts() == {"repeated_row": 1}


def test_percent_signs_are_left_off(read):
    text = "problem,algorithm,acc\np,A,95.3%\np,B,88 %\n"
    entry = {"columns": {"cost": "acc"}, "direction": "max"}
    assert read(text, **entry).column("cost") == [95.3, 88]
    with pytest.raises(UserError, match=r"column 'acc' is '0\.95'; expected a number with its unit"):
        read(text.replace("88 %", "0.95"), **entry)


def test_whole_numbers_in_parentheses_alone_are_ranks(read):
    result = read("problem,A,B\np,15 (1),25 (2)\nq,35 (2),10 (1)\n", wide="algorithm")
    assert rows(result, "cost", "cost_sd") == [(15, None), (25, None), (35, None), (10, None)]


def test_deviations_in_parentheses_are_read_in_bold_type(read):
    result = read("problem,A,B\np,\\textbf{0.5} (0.1),$1.5 (0.2)$\n", wide="algorithm")
    assert rows(result, "cost", "cost_sd") == [(0.5, 0.1), (1.5, 0.2)]


def test_sizes_are_no_runs_where_there_is_one_algorithm(asked):
    ((proposal,),) = [asked("problem,n,mean\np,37,0.5\nq,42,0.75\n", algorithm="A")]
    assert proposal["options"] == {"columns": {"dimension": "n"}}
    assert asked("problem,n,mean\np,30,0.5\nq,30,0.75\n", algorithm="A") == []


def test_a_run_that_violates_constraints_is_asked_about(read, asked):
    text = "problem,algorithm,objective,total_violation\np,A,5,0.0\np,B,-9,73.5\n"
    entry = {"columns": {"cost": "objective", "violation": "total_violation"}, "direction": "min"}
    for columns in ({"cost": "objective"}, entry["columns"]):
        ((proposal,),) = [asked(text, **entry | {"columns": columns})]
        assert "1 of 2 runs with a cost are not at 0 in 'total_violation', but at 73.5" in proposal["questions"][0]
    said = {**proposal["options"], "columns": entry["columns"] | proposal["options"]["columns"]}
    assert rows(read(text, **entry | said), "cost", "violation") == [(5, 0), (math.inf, 73.5)]


def test_of_columns_that_answer_alike_the_one_is_asked_about_by_which_most_runs_fail(asked):
    """Whether a problem has a solution is no answer of a run."""
    head = "problem,algorithm,is_feasible,is_found_feasible,cost\n"
    ((proposal,),) = [asked(head + "p,A,True,True,5\nq,A,True,False,3\nr,A,False,False,1\np,B,True,True,4\n")]
    assert proposal["options"]["columns"] == {"outcome": "is_found_feasible"}


def test_one_column_can_make_a_name_with_another_and_have_one(read):
    text = "set,size,solver,cost\nx,10,A,1\nx,20,A,2\n"
    columns = {"problem": ["set", "size"], "dimension": "size", "algorithm": "solver"}
    assert rows(read(text, columns=columns), "problem", "dimension") == [("x 10", 10), ("x 20", 20)]


def test_a_claim_is_told_at_its_place(tmp_path):
    text = "problem,algorithm,cost,outcome,best_value\nq,A,1,done,5\np,A,1,done,7\np,B,1,done,8\n"
    (tmp_path / "t.csv").write_text(text)
    found = readers.examine(tmp_path / "t.csv", options={"outcomes": {"done": "solved"}})["irregularities"]
    (doubt,) = [one for one in found if one["rule"] == "optima_in_doubt"]
    assert (doubt["file"], doubt["line"]) == ("t.csv", 4)


def test_an_empty_cost_of_a_wide_table_is_told_by_its_column(tmp_path):
    (tmp_path / "t.csv").write_text("problem,A,B\np,1,\n")
    options = {"wide": "algorithm", "empty": "failure"}
    (told,) = readers.examine(tmp_path / "t.csv", options=options)["irregularities"]
    assert told["detail"] == "column 'B' is empty"


def questions(path, **options):
    with pytest.raises(Incomplete) as error:
        readers.examine(path, format="table", options=options)
    return error.value.asked


def test_a_table_of_pandas_in_a_text_is_offered_though_its_index_has_no_name(tmp_path):
    rows = "|    |   Time (s) |\n|:---|---------:|\n| A  |  84.2 |\n| B  |   3.5 |\n"
    path = folder(tmp_path, {"t.md": f"# Results\n\nWith defaults:\n\n{rows}\nand fast:\n\n{rows}"}) / "t.md"
    assert "`lines: 5-8` or `lines: 12-15`" in questions(path).questions[0]


def test_lines_say_where_a_table_among_comments_stands(tmp_path):
    rows = "|    |   seconds |\n|:---|---------:|\n| A  |  84.2 |\n| B  |   3.5 |\n"
    path = folder(tmp_path, {"t.md": f"# Results\n\n{rows}\n## Fast\n\n{rows}"}) / "t.md"
    assert "`lines: 3-6` or `lines: 10-13`" in questions(path).questions[0]
    entry = {"columns": {"algorithm": "Unnamed: 0", "cost": "seconds"}, "constants": {"problem": "p"}, "lines": "10-13"}
    assert Result(path, tmp_path / "out", **entry).column("cost") == [84.2, 3.5]


def test_functions_are_no_scores(tmp_path):
    path = folder(tmp_path, {"t.csv": "Algorithm,F1,F2\nA,1.5,2.5\nB,3.5,4.5\n"}) / "t.csv"
    asked = questions(path)
    assert (asked.options, "`wide: problem`" in asked.questions[0]) == ({"columns": {"algorithm": "Algorithm"}}, True)


def test_names_that_are_numbers_are_names_where_an_entry_says_so(tmp_path):
    path = folder(tmp_path, {"t.csv": "solver,1,2,4\nA,9,5,TO\nB,8,4,2\n"}) / "t.csv"
    assert "or say `wide: problem` if each is of one problem" in questions(path).questions[0]
    entry = {"columns": {"algorithm": "solver"}, "wide": "problem"}
    with pytest.raises(Incomplete) as error:
        readers.examine(path, format="table", options=entry)
    (proposal,) = error.value.proposals
    result = Result(path, tmp_path / "out", format="table", **entry, **proposal.options)
    assert result.report["outcomes"] == {"solved": 5, "time_limit": 1}


def test_names_of_files_may_tell_the_algorithm(tmp_path):
    text = "instance,seconds\np,1\nq,2\n"
    path = folder(tmp_path / "s", {"A_results.csv": text, "B_results.csv": text.replace("1", "3")})
    question = questions(path, columns={"cost": "seconds", "problem": "instance"}).questions[0]
    assert "if the names of the files tell it, how (`file_pattern: '{algorithm}.csv'`)" in question
    entry = {"columns": {"cost": "seconds", "problem": "instance"}}
    with pytest.raises(UserError, match=r"if they are not repetitions, say what the names of the files tell \(`file_pattern`\)"):
        Result(path, tmp_path / "one", **entry, algorithm="A")
    result = Result(path, tmp_path / "two", **entry, file_pattern="{algorithm}_results.csv")
    assert result.report["algorithms"] == ["A", "B"]


def test_a_table_in_latex_with_its_numbers_as_formulas(read):
    text = (
        "\\begin{longtable}{rrr}\n\\hline\nname & flag & time \\\\\\hline\n"
        "p1 & first\\_order & \\( 6.24\\)e\\(+01\\) \\\\\np2 & failure & \\( 3.5\\)e\\(+02\\) \\\\\\hline\n\\end{longtable}\n"
    )
    entry = {"columns": {"problem": "name", "cost": "time", "outcome": "flag"}, "algorithm": "A"}
    result = read(text, "t.tex", **entry, outcomes={"first_order": "solved", "failure": "unknown"})
    assert rows(result, "cost", "runtime_s") == [(62.4, 62.4), (math.inf, 350)]


def test_what_is_not_seen_in_latex_is_no_part_of_a_number(read):
    text = (
        "\\begin{tabular}{lrr}\n"
        "problem & \\rotatebox{90}{A~\\cite{a2024}} & \\multicolumn{1}{c}{B} \\\\ \\midrule\n"
        "p & \\phantom{-}1.5 & \\cellcolor{gray!25}\\textbf{2.5}\\tnote{1} \\\\\n"
        "q & -3 & $\\underline{4}$\\textsuperscript{2} \\\\\n"
        "\\end{tabular}\n"
    )
    result = read(text, "t.tex", wide="algorithm")
    assert rows(result, "problem", "algorithm", "cost") == [("p", "A", 1.5), ("p", "B", 2.5), ("q", "A", -3), ("q", "B", 4)]
    with pytest.raises(UserError, match="column 'A' is '-3 7'"):
        read(text.replace("-3", "-3\\best{7}"), "t.tex", wide="algorithm")


def test_times_in_a_file_of_speedups_are_times(read):
    assert read("problem,A (s),B (s)\np,2,1\n", "speedup.csv", wide="algorithm").column("cost") == [2, 1]


def test_seeds_of_64_bits_are_exact(read):
    result = read("problem,algorithm,cost,seed\np,A,1,1152921504606846977\np,A,2,-3\np,A,3,1e5\np,A,4,\np,A,5,+7.0\n")
    assert result.column("seed") == [2**60 + 1, -3, 100_000, None, 7]


# ---- numbers in other forms ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "number"),
    [("−1.5", -1.5), ("1e−5", 1e-5), ("1\u2009234.5", 1234.5), ("12\u00a0345\u202f678", 12345678), ("∞", math.inf), ("≤ 5", 5)],
)
def test_signs_of_print_are_read_where_they_mean_one_number(read, cell, number):
    assert read(f"problem,A,B\np,{cell},2\n", wide="algorithm").column("cost") == [number, 2]


def test_a_long_minus_in_a_name_stays(read):
    (first, _) = read("problem,A−1,B\np−2,−3,2\n", wide="algorithm").trials
    assert (first["problem"], first["algorithm"], first["cost"]) == ("p−2", "A−1", -3)


def test_means_and_units_in_signs_of_print(read):
    assert rows(read("problem,A,B\np,−1.5 ± 0.2,2 ± 1\n", wide="algorithm"), "cost", "cost_sd") == [(-1.5, 0.2), (2, 1)]
    assert read("problem,A,B\np,1\u00a0250\u00a0μs,2\u00a0s\n", wide="algorithm").column("cost") == [0.00125, 2]


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("1m30s", "a time has one unit, as in 90s"),
        ("0:01:30", "a time has one unit, as in 90s"),
        ("1.234,5", "between thousands there is no point: 1234,5, with `decimal: ','`"),
        ("1 234", "between thousands there is nothing: 1234"),
        ("1'234.5", "between thousands there is nothing: 1234.5"),
        ("12*", "without its mark: 12"),
        ("12²", "without its mark: 12"),
        ("1.5×10^3", "a power of ten is written as in 1.5e-3"),
    ],
)
def test_a_number_in_another_form_is_refused_with_what_to_write(tmp_path, read, cell, advice):
    text = f"problem;algorithm;time\np;A;{cell}\nq;A;{cell}\n"
    with pytest.raises(UserError) as error:
        read(text, columns={"cost": "time"})
    assert f"column 'time' is {cell!r}; expected a number or inf ({advice})." in str(error.value)
    assert advice in questions(tmp_path / "t.csv").questions[0]


# ---- means ----------------------------------------------------------------------------------------------------------


def test_a_column_that_counts_runs_beside_means_is_offered(read, asked):
    text = "problem,algorithm,N,time\np,A,30,1.5 ± 0.5\np,B,25,2 ± 0.5\n"
    ((proposal,),) = [asked(text, columns={"cost": "time"})]
    assert proposal["options"] == {"columns": {"cost": "time", "n": "N"}}
    assert "'N' counts the runs behind each mean. Does it?" in proposal["questions"][0]
    assert read(text, columns={"cost": "time", "n": "N"}).column("n") == [30, 25]


@pytest.mark.parametrize("name", ["SR", "success rate", "Solved (%)", "hit_rate", "successes"])
def test_whether_means_are_of_successful_runs_alone_is_asked(asked, name):
    text = f"problem,algorithm,mean,n,{name}\np,A,1.5,30,12\np,B,2,30,30\n"
    ((proposal,),) = [asked(text)]
    assert proposal["options"] == {"columns": {"n_successes": name}}
    assert "Are the means those of the successful runs alone" in proposal["questions"][0]
    assert asked(text.replace(",12\n", ",40%\n"))[0]["options"] == {}


def test_a_mean_beside_other_numbers_is_not_taken_unasked(tmp_path):
    text = "Method,f1,f2,Mean\nA,1,2,1.5\nB,3,4,3.5\n"
    path = folder(tmp_path, {"t.csv": text}) / "t.csv"
    asked = questions(path)
    assert asked.options == {"columns": {"algorithm": "Method"}}
    assert "Which column is compared: 'Mean', 'f1', 'f2'?" in asked.questions[0]


# ---- doubts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cells", "doubted"),
    [("violation", "0,0.5", True), ("total_violation", "0,0.5", True), ("gap", "0.0,3%", True), ("gap", "0.0,0.00001", False)],
)
def test_solved_runs_with_a_gap_or_a_violation_are_noted(read, name, cells, doubted):
    first, second = cells.split(",")
    result = read(f"problem,algorithm,cost,outcome,{name}\np,A,5,solved,{first}\nq,A,3,solved,{second}\n")
    assert result.counts().get("solved_in_doubt", 0) == doubted
    if doubted:
        assert result.first("solved_in_doubt") == ("t.csv", 3)


def test_an_objective_value_that_is_not_the_optimum_is_noted(read):
    text = "problem,algorithm,cost,outcome,best_value,optimum\np,A,5,ok,10,10\nq,A,3,ok,12,11\nr,A,9,TO,7,5\n"
    result = read(text, outcomes={"ok": "optimal", "TO": "time_limit"})
    assert (result.counts(), result.first("solved_in_doubt")) == ({"solved_in_doubt": 1}, ("t.csv", 3))
    assert read(text, outcomes={"ok": "solved", "TO": "time_limit"}).counts() == {}


def test_a_cost_that_is_better_than_the_optimum_is_noted(read):
    text = "problem,algorithm,cost,optimum\np,A,9,10\np,B,10,10\nq,A,12,11\n"
    assert (read(text).counts(), read(text).first("beyond_optimum")) == ({"beyond_optimum": 1}, ("t.csv", 2))
    assert read(text, direction="max").first("beyond_optimum") == ("t.csv", 4)
    # times are not compared with the optimum of an objective
    assert read(text.replace("cost", "time"), columns={"cost": "time"}).counts() == {}


# ---- Markdown -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "problem | A | B\n:---: | ---: | :-\np | 1.5 | 2\n",
        "|problem| A | B\n--------|---|---\n|p| 1.5 | 2\n",
        "| problem | A | B |\n|-|-|-|\n| p | 1.5 | 2 |\n",
    ],
)
def test_tables_of_markdown_need_no_frame(read, text):
    result = read(text, "t.md", wide="algorithm")
    assert rows(result, "problem", "algorithm", "cost") == [("p", "A", 1.5), ("p", "B", 2)]


def test_html_in_cells_of_markdown_is_shown_as_a_page_shows_it(read):
    text = '| problem | A | <b> |\n|---|---|---|\n| <a href="x">p&amp;q</a> | <b>1.5</b> | <STRONG>2</STRONG> |\n'
    result = read(text, "t.md", wide="algorithm")
    assert rows(result, "problem", "algorithm", "cost") == [("p&q", "A", 1.5), ("p&q", "<b>", 2)]


def test_dashes_in_a_row_of_markdown_stand_for_no_number(read):
    result = read("| problem | A | B |\n|---|---|---|\n| p | - | 2 |\n", "t.md", wide="algorithm", empty="failure")
    assert result.column("cost") == [math.inf, 2]


def test_satisfiable_is_no_success_unasked_beside_an_optimum(tmp_path):
    """As MiniZinc says it of an optimum that was not found in time."""
    text = "instance,solver,status,seconds\np,A,OPTIMAL,3\np,B,OPTIMAL,4\nq,A,SATISFIABLE,300\nq,B,UNKNOWN,300\n"
    path = folder(tmp_path, {"t.csv": text}) / "t.csv"
    asked = questions(path)
    assert asked.options["outcomes"] == {"OPTIMAL": "solved", "UNKNOWN": "unknown"}
    assert "such words are 'SATISFIABLE'; say in `outcomes` what they mean" in asked.questions[0]
    path.write_text(text.replace("OPTIMAL", "UNSAT").replace("TISFIABLE", "T"))
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    assert error.value.proposals[0].options["outcomes"] == {"SAT": "solved", "UNKNOWN": "unknown", "UNSAT": "solved"}


@pytest.mark.parametrize("name", ["Optimal", "OPT", "optimum value", "Global Min", "Lower bound", "LB", "Gap (%)", "Best known"])
def test_what_stands_beside_algorithms_is_asked_about(asked, name):
    ((proposal,),) = [
        asked(f"Instance,{name},FFD,GA\np,20,23,21\nq,20,24,21\n", columns={"problem": "Instance"}, wide="algorithm")
    ]
    assert proposal["options"] == {"where": {"algorithm": {"not": [name]}}}


@pytest.mark.parametrize(("yes", "no"), [("✅", "❌"), ("✓", "✗"), ("✔️", "✘")])
def test_ticks_and_crosses_are_answers(read, asked, yes, no):
    text = f"problem,algorithm,time,Success\np,A,2,{yes}\np,B,3,{no}\n"
    ((proposal,),) = [asked(text, columns={"cost": "time"})]
    assert proposal["options"] == {
        "columns": {"cost": "time", "outcome": "Success"},
        "outcomes": {yes: "solved", no: "unknown"},
    }
    assert read(text, **proposal["options"]).column("cost") == [2, math.inf]


def test_numbers_beside_words_are_no_outcomes(tmp_path):
    """What was found, in a column that is called so."""
    text = "Instance,Optimal,Found,Time\np,450.0,451.3,0.1s\nq,216.0,217.4,0.2s\nr,212.0,~213,0.1s\n"
    path = folder(tmp_path, {"t.csv": text}) / "t.csv"
    assert questions(path).options == {"columns": {"problem": "Instance", "cost": "Time"}}


def test_whether_larger_shares_are_better_is_asked(asked):
    text = "Dataset,XGBoost,CatBoost\nA,0.904,0.932\nB,0.385,0.462\n"
    ((proposal,),) = [asked(text, columns={"problem": "Dataset"}, wide="algorithm")]
    assert proposal == {
        "options": {"direction": "max"},
        "questions": ["All costs are from 0.385 to 0.932, as shares are. Are larger ones better?"],
    }
    assert asked(text, columns={"problem": "Dataset"}, wide="algorithm", direction="min") == []
    assert asked(text.replace("0.9", "9"), columns={"problem": "Dataset"}, wide="algorithm") == []


@pytest.mark.parametrize(
    ("text", "said", "question"),
    [
        (
            "gen\tnevals\tavg\tstd\tmin\n0\t10\t3\t1\t2\n1\t10\t2\t1\t1\n2\t10\t2\t1\t1\n3\t9\t1\t1\t0.5\n",
            {"columns": {"mean": "avg", "sd": "std"}, "constants": {"problem": "p"}, "algorithm": "GA"},
            "If so, say `columns: {evaluations: gen, value: ...}` in place of 'mean'.",
        ),
        (
            "solver,problem,seed,iteration,best\n" + "".join(f"{a},p,1,{i % 2},{9 - i}\n" for a in "AB" for i in range(4)),
            {"columns": {"algorithm": "solver", "cost": "best"}},
            "If so, say `columns: {evaluations: iteration, value: ...}` in place of 'cost'.",
        ),
    ],
)
def test_rows_of_the_course_of_a_run_are_no_repetitions_unasked(asked, text, said, question):
    ((proposal,),) = [asked(text, **said)]
    assert proposal["options"] == {}
    assert question in proposal["questions"][0]


def test_costs_in_order_are_no_repetitions_unasked(asked):
    course = "A,B\n9,7\n8,7\n8,6\n5,5\n4,4\n"
    ((proposal,),) = [asked(course, wide="algorithm", constants={"problem": "p"})]
    assert proposal["questions"] == [
        "Costs fall from row to row of what count as repetitions. Are these rows the course of a run, or sorted? Rows of a "
        "course need a column that numbers them (`columns: {evaluations: ..., value: ...}`)."
    ]
    assert asked(course + "6,5\n", wide="algorithm", constants={"problem": "p"}) == []
    pairs = "problem,algorithm,cost\n" + "".join(f"{p},A,{c}\n" for p in "opqrst" for c in (1, 2))
    assert asked(pairs) == []


def test_numbers_of_iterations_of_repeated_runs_are_no_course(asked):
    text = "solver,problem,time,iterations\n" + "".join(f"A,p,{9 - i % 2},{5 - i % 3}\n" for i in range(6))
    assert asked(text, columns={"algorithm": "solver", "cost": "time"}) == []


def test_a_wide_table_may_have_the_courses_of_runs(read, asked):
    text = "function,FEs,DE,PSO\nf,100,5,6\nf,200,3,4\ng,100,2,2\ng,200,1,2\n"
    said = {"columns": {"problem": "function"}, "wide": "algorithm"}
    ((proposal,),) = [asked(text, **said)]
    assert proposal["options"] == {"columns": {"problem": "function", "evaluations": "FEs"}}
    assert proposal["questions"] == [
        "The column 'FEs' looks like `evaluations`, and counts as one of the algorithms. "
        "Is it not one of them (or say `except` in `wide`)?"
    ]
    ((without,),) = [asked(text, **{**said, "wide": {"key": "algorithm", "except": ["FEs"]}})]
    assert without["options"] == proposal["options"]
    result = read(text, **{**said, **proposal["options"]})
    assert rows(result, "algorithm", "problem", "budget", "best_value") == [
        ("DE", "f", 200, 3),
        ("PSO", "f", 200, 4),
        ("DE", "g", 200, 1),
        ("PSO", "g", 200, 2),
    ]
    assert [(t["algorithm"], t["problem"], t["evaluations"], t["value"]) for t in result.traces.to_pylist()][:4] == [
        ("DE", "f", 100, 5),
        ("DE", "f", 200, 3),
        ("PSO", "f", 100, 6),
        ("PSO", "f", 200, 4),
    ]
    assert result.first("direction_assumed") == ("t.csv", 1)


def test_a_dimension_is_no_algorithm_unasked(asked):
    text = "Function,Dim,DE,PSO\nf,10,5,6\nf,20,3,4\n"
    ((proposal,),) = [asked(text, columns={"problem": "Function"}, wide="algorithm")]
    assert proposal["options"] == {"columns": {"problem": "Function", "dimension": "Dim"}}
    assert asked(text, columns={"problem": "Function"}, wide={"key": "algorithm", "columns": ["Dim", "DE"]}) != [proposal]


@pytest.mark.parametrize(
    "text", ["# problem,solver,time\np,A,2\nq,A,3\n", "% made by hand\n\n#problem solver  time\np A 2\nq A 3\n"]
)
def test_names_in_a_comment_above_the_first_row_are_those_of_its_columns(read, text):
    separator = {} if "," in text else {"separator": " "}
    result = read(text, columns={"algorithm": "solver", "cost": "time"}, format="table", **separator)
    assert rows(result, "problem", "algorithm", "cost") == [("p", "A", 2), ("q", "A", 3)]
    assert result.trials[0]["source"] == f"t.csv:{2 if separator == {} else 4}"


def test_a_comment_above_names_is_a_comment(read):
    result = read("# two of them\nproblem,algorithm,cost\np,A,2\n")
    assert rows(result, "problem", "algorithm", "cost") == [("p", "A", 2)]


def test_marks_behind_deviations_in_parentheses(read):
    result = read("problem,A,B\np,1.5(0.5)+,2.5(0.5)\nq,3.5(0.5)-,4.5(0.5)=\n", wide="algorithm", constants={"n": 5})
    assert rows(result, "cost", "cost_sd") == [(1.5, 0.5), (2.5, 0.5), (3.5, 0.5), (4.5, 0.5)]


def test_a_mean_that_is_none_is_an_empty_cell(read):
    text = "problem,A,B\np,1.5 ± 0.5,nan ± nan\n"
    with pytest.raises(UserError, match="`empty: missing`"):
        read(text, wide="algorithm")
    assert rows(read(text, wide="algorithm", empty="missing"), "algorithm", "cost") == [("A", 1.5)]


def test_runs_beside_means_are_asked_about(read, asked):
    text = "problem,algorithm,run1,run2,mean\np,A,1,3,2\np,B,2,2,2\n"
    ((proposal,),) = [asked(text)]
    assert (
        proposal["questions"][0]
        == "'run1' to 'run2' stand beside means. Are they the runs themselves, to be read in place of the means?"
    )
    assert rows(read(text, **proposal["options"]), "algorithm", "run", "cost") == [
        ("A", 1, 1),
        ("A", 2, 3),
        ("B", 1, 2),
        ("B", 2, 2),
    ]


def test_records_within_records_are_offered(read, tmp_path):
    text = '{"results": [{"problem": "p", "runs": [{"algorithm": "A", "cost": 1}, {"algorithm": "B", "cost": 2}]}]}'
    with pytest.raises(Incomplete, match=r"`records: results` or `records: results\.runs`"):
        read(text, name="t.json")
    assert rows(read(text, name="t.json", records="results.runs"), "problem", "algorithm", "cost") == [
        ("p", "A", 1),
        ("p", "B", 2),
    ]


@pytest.mark.parametrize(
    ("text", "records", "algorithm", "problem"),
    [
        ('{"A": [{"p": "p", "cost": 1}, {"p": "q", "cost": 2}], "B": [{"p": "p", "cost": 3}]}', "*.*", "key", "p"),
        (
            '{"all": {"p": {"n": 1, "of": {"A": {"cost": 1}, "B": {"cost": 3}}}, "q": {"n": 2, "of": {"A": {"cost": 2}}}}}',
            "all.*.of",
            "key 2",
            "key",
        ),
    ],
)
def test_records_by_name_are_offered_together(read, text, records, algorithm, problem):
    with pytest.raises(Incomplete, match=re.escape(f"`records: {records}`".replace("`records: *.*`", "`records: '*.*'`"))):
        read(text, name="t.json")
    result = read(text, name="t.json", records=records, columns={"algorithm": algorithm, "problem": problem})
    assert sorted(rows(result, "problem", "algorithm", "cost")) == [("p", "A", 1), ("p", "B", 3), ("q", "A", 2)]


def test_keys_of_objects_within_objects_are_all_kept(read):
    text = '{"a": {"b": {"c": {"cost": 1}}, "d": {"e": {"cost": 2}}}}'
    said = {"records": "*.*.*", "columns": {"problem": ["key", "key 2"], "algorithm": "key 3"}}
    assert rows(read(text, name="t.json", **said), "problem", "algorithm") == [("a b", "c"), ("a d", "e")]


@pytest.mark.parametrize(
    ("names", "options"),
    [
        ("DE_mean,DE_std,PSO_mean,PSO_std", {"columns": ["DE_mean", "PSO_mean"], "sd": ["DE_std", "PSO_std"]}),
        ("DE,DE (SD),PSO,PSO (SD)", {"columns": ["DE", "PSO"], "sd": ["DE (SD)", "PSO (SD)"]}),
        ("A_obj,A time (s),B_obj,B time (s)", None),
    ],
)
def test_what_columns_hold_of_one_algorithm_is_asked_about(asked, names, options):
    text = f"problem,{names}\np,3,1,4,1\nq,3,2,4,2\n"
    ((proposal,),) = [asked(text, wide="algorithm")]
    assert proposal["options"] == ({} if options is None else {"wide": {"key": "algorithm", **options}})
    assert "are of one algorithm. Which are compared" in proposal["questions"][0]
    assert asked("problem,DE-best,DE-rand\np,3,1\nq,3,2\n", wide="algorithm") == []


def test_a_measure_in_another_column_tells_the_direction(read):
    text = "flow_name,data_name,evaluation_measure,value\nA,p,predictive_accuracy,0.75\nB,p,predictive_accuracy,0.5\n"
    with pytest.raises(UserError, match="larger values of 'predictive_accuracy' are better"):
        read(text, columns={"algorithm": "flow_name", "problem": "data_name", "cost": "value"})


def test_counts_of_wins_and_rows_of_counts(read, asked):
    with pytest.raises(UserError, match="a row of wins, ties and losses is left out with `where`"):
        read("problem,A,B\np,1,2\n+/=/-,1/0/1,2/0/0\n", wide="algorithm")
    ((proposal,),) = [asked("problem,A,B\np,1,2\nsolved,30,40\n", wide="algorithm")]
    assert proposal["options"] == {"where": {"problem": {"not": ["solved"]}}}


def test_columns_beside_means_with_deviations_are_no_algorithms_unasked(asked):
    text = "Problem,N,M,D,FEs,A,B\nP,100,3,7,3000,1.5e-2 (1e-3) -,2.5e-2 (1e-3)\nQ,100,3,12,3000,1.5e-2 (1e-3) +,2e-2 (1e-3)\n"
    ((proposal,),) = [asked(text, columns={"problem": "Problem"}, wide="algorithm", constants={"n": 30}, direction="min")]
    assert proposal["options"] == {
        "columns": {"problem": "Problem", "dimension": "D"},
        "wide": {"key": "algorithm", "except": ["N", "M", "FEs"]},
    }


def test_a_least_time_is_none_in_minutes_unasked(tmp_path):
    path = folder(tmp_path, {"t.csv": "problem,algorithm,time_min,n_eval\np,A,2,10\np,B,3,20\n"}) / "t.csv"
    asked = questions(path)
    assert asked.options == {"columns": {"cost": "time_min"}}
    assert asked.questions == ("Is 'time_min' in min? If so, say `unit: min`.",)


def test_a_letter_among_letters_is_an_algorithm(asked):
    assert asked("problem,A,B,C,D\np,10,20,3,4\nq,20,30,5,6\n", wide="algorithm") == []


def test_sizes_beside_algorithms_are_no_algorithms_unasked(asked):
    ((proposal,),) = [asked("problem,Nodes,|E|,A,B\np,10,20,3,4\nq,20,30,5,6\n", wide="algorithm")]
    assert proposal["options"] == {"wide": {"key": "algorithm", "except": ["Nodes", "|E|"]}}


def test_exponents_of_fortran(read):
    assert read("problem,algorithm,cost\np,A,0.15D-02\np,B,2d+1\n").column("cost") == [0.0015, 20]


def test_rows_of_several_statistics_are_asked_about(read, asked):
    text = "problem,Kind,A,B\np,Mean,1,2\np,Std,3,4\n"
    ((proposal,),) = [asked(text, wide={"key": "algorithm", "except": ["Kind"]})]
    assert proposal["questions"][0].startswith("Which 'Kind' is ")
    assert proposal["options"]["where"] == {"Kind": "Mean"}


def test_deviations_beside_means_are_not_lost_unasked(asked):
    ((proposal,),) = [asked("problem,algorithm,n,best,mean,std\np,A,30,1,2,0.5\n")]
    assert proposal["options"] == {"columns": {"sd": "std"}}
    assert proposal["questions"] == ["By its name 'std' is the deviation of the runs behind each mean. Is it?"]


MERGED = "\\begin{tabular}{llr}\nInstance & Solver & Time \\\\\n\\multirow{2}{*}{p} & A & 1 \\\\\n & B & 2 \\\\\n\\end{tabular}\n"


@pytest.mark.parametrize("text", [MERGED, "Instance,Solver,Time\np,A,1\n,B,2\n"])
def test_merged_cells_are_filled_where_an_entry_says_so(read, tmp_path, text):
    path = folder(tmp_path, {"t.txt": text}) / "t.txt"
    asked = questions(path)
    assert "Does an empty cell of 'Instance' repeat the one above (`fill: [Instance]`)?" in asked.questions
    said = {"columns": {"problem": "Instance", "algorithm": "Solver", "cost": "Time"}}
    with pytest.raises(UserError, match=r"or say `fill: \[Instance\]` if an empty cell repeats the one above"):
        read(text, **said)
    assert rows(read(text, **said, fill=["Instance"]), "problem", "algorithm", "cost") == [("p", "A", 1), ("p", "B", 2)]
    with pytest.raises(UserError, match="`fill` names 'Instanz'"):
        read(text, **said, fill=["Instanz"])


def test_numbers_among_names_are_names(tmp_path):
    text = "algId,target,DIM,funcId,mean,sd,2%,98%\nA,10,5,1,50,5,45,55\nA,10,5,8,50,5,45,55\n"
    path = folder(tmp_path, {"t.csv": text}) / "t.csv"
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    assert error.value.proposals[0].options["columns"] == {"problem": "funcId", "algorithm": "algId", "dimension": "DIM"}


NEVERGRAD = "loss,elapsed_time,pseudotime,seed,name,rotation,dimension,budget,optimizer_name\n" + "".join(
    f"{loss},0.1,{budget},1,sphere,{rotation},2,{budget},DE\n"
    for loss, (rotation, budget) in enumerate((r, b) for r in (True, False) for b in (50, 100))
)


def test_functions_of_nevergrad_are_told_apart_by_their_settings(read, asked):
    ((proposal,),) = [asked(NEVERGRAD)]
    assert proposal["options"] == {"columns": {"problem": ["name", "rotation"]}, "where": {"budget": "100"}}
    assert proposal["questions"] == [
        "Problems of one name and dimension differ in rotation. Are they different problems?",
        "Runs of one algorithm on one problem have the budgets 50, 100. Is the largest to be compared?",
    ]
    result = read(NEVERGRAD, **proposal["options"])
    assert rows(result, "problem", "cost", "budget") == [("sphere False", 3, 100), ("sphere True", 1, 100)]


def test_words_of_names_in_capitals_are_known(tmp_path):
    path = folder(tmp_path, {"t.csv": "problemName,solverName,solveTime\np,A,2\nq,A,3\n"}) / "t.csv"
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    assert error.value.proposals[0].options == {
        "columns": {"problem": "problemName", "algorithm": "solverName", "cost": "solveTime"}
    }


def test_the_columns_of_a_wide_table_may_be_how_far_a_run_had_come(read, tmp_path):
    text = "Optimizer,objfname,ExecutionTime,Iter1,Iter20\nDE,F1,0.1,9,5\nDE,F1,0.2,8,6\nPSO,F1,0.1,7,4\n"
    path = folder(tmp_path, {"u.csv": text}) / "u.csv"
    assert "`wide: evaluations` if each is how far a run had come" in questions(path).questions[0]
    said = {
        "columns": {"problem": "objfname", "algorithm": "Optimizer"},
        "wide": {"key": "evaluations", "except": ["ExecutionTime"]},
    }
    result = read(text, **said)
    assert rows(result, "algorithm", "run", "budget", "best_value") == [("DE", 1, 20, 5), ("DE", 2, 20, 6), ("PSO", 1, 20, 4)]
    assert result.traces.column("evaluations").to_pylist() == [1, 20] * 3


def test_the_columns_of_a_wide_table_may_be_dimensions(read):
    result = read("f num,10D,D30\n1,2,3\n", columns={"problem": "f num"}, wide="dimension", algorithm="A")
    assert rows(result, "problem", "dimension", "cost") == [("1", 10, 2), ("1", 30, 3)]
    with pytest.raises(UserError, match="'10D mean'"):
        read("f num,10D mean,10D best\n1,2,3\n", columns={"problem": "f num"}, wide="dimension", algorithm="A")
