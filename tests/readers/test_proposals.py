"""What a message tells a user to do works when done: the options that it names, and the study that `inspect` prints, are used."""

import math
import os
import re
import warnings
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml

from benchmill import cli, readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.exhibits.figures import sheet
from benchmill.inference.design import from_ratios
from benchmill.profiles.ratios import ratios
from benchmill.readers import interface, table, table_cells, table_checks
from benchmill.readers.interface import Incomplete
from benchmill.workflow.commands import study_of
from tests.inference.making import analyse
from tests.readers.making import Result, folder, one_sentence, tar
from tests.readers.test_mip_log import SCIP

REAL = Path(os.environ.get("BENCHMILL_REAL_DATA", "none"))
real = pytest.mark.skipif(not REAL.is_dir(), reason="BENCHMILL_REAL_DATA does not name the folder of real logs")


def told(path, **options):
    """The options that the message about a source names, one mapping for each of those to choose from."""
    with pytest.raises(UserError) as error:
        readers.examine(path, options=options)
    one_sentence(error.value)
    remedy = str(error.value).rpartition("; it can be read with ")[2]
    return [yaml.safe_load(f"{{{text}}}") for text in re.findall(r"`([^`]*)`", remedy)]


def read_as_told(path, out, **options):
    """What is read with the one proposal of the message."""
    (proposal,) = told(path, **options)
    return proposal, Result(path, out, **options, **proposal)


def printed_studies(capsys, path, *arguments):
    """Settings of the studies that `benchmill inspect` prints, by name."""
    cli.main(["inspect", str(path), *arguments])
    text = re.search(r"^studies:\n(?: .*\n)+", capsys.readouterr().out, re.MULTILINE)[0]
    studies = yaml.safe_load(text)["studies"]
    for name in studies:
        # the configuration's own check
        study_of(text, Path("config.yaml"), name)
    return studies


def printed_study(capsys, path, *arguments):
    """Name and settings of the one study that is printed."""
    ((name, study),) = printed_studies(capsys, path, *arguments).items()
    return name, study


def rated(study, out):
    """Table `ratios` of the first measure of a study; those of the others can be made too."""
    entry = dict(study["sources"][0])
    result = Result(entry.pop("path"), out, **entry)
    keys = study.get("problem_keys", ["suite", "problem", "dimension"])
    trials = storage.read(result.files[0], "trials")
    tables = []
    for measure, said in study["measures"].items():
        settings = {"aggregate": "success_performance" if said["kind"] == "success_performance" else "mean", **said}
        of_ratios = {name: settings.pop(name) for name in ("aggregate", "missing", "shift") if name in settings}
        found = costs(settings.pop("kind"), trials, result.traces, measure, settings)
        if only := study.get("algorithms", {}).get("only"):
            found = found.filter(pc.is_in(found["algorithm"].cast(pa.string()), pa.array(only)))
        tables.append(ratios(found, measure=measure, problem_keys=keys, **of_ratios))
    return tables[0]


WIDE = "problem,CLP 1.17.7,COPT 8\nfome13,40.0s,1s\nneos3,15000.0s,2s\nqap15,7s,1.5s\n"
WORDS = "cnf,solution,a,b\np1,SAT,861.4,TIMEOUT\np2,UNKNOWN,FAILED,TIMEOUT\np3,SAT,18.1,INCORRECT\n"
#: Text of a table whose names are known, the options that the message names, and costs by problem and algorithm.
TABLES = {
    "milliseconds": (
        "instance;solver;time (ms)\np1;A;20\np1;B;TO\n",
        {
            "columns": {"cost": "time (ms)", "problem": "instance", "algorithm": "solver"},
            "unit": "ms",
            "outcomes": {"TO": "time_limit"},
        },
        {("p1", "A"): 0.02, ("p1", "B"): math.inf},
    ),
    "means": (
        "method,function,mean,std,runs\nA,f1,1,3,25\n",
        {"columns": {"sd": "std", "n": "runs", "problem": "function", "algorithm": "method"}},
        {("f1", "A"): 1},
    ),
    "solved or not, as 1 and 0": (
        "problem,solver,time,solved\np1,A,1.5,1\np2,A,300,0\np1,B,0.1,0\np2,B,12,1\n",
        {
            "columns": {"cost": "time", "algorithm": "solver", "outcome": "solved"},
            "outcomes": {"0": "unknown", "1": "solved"},
        },
        {("p1", "A"): 1.5, ("p2", "A"): math.inf, ("p1", "B"): math.inf},
    ),
    "statuses of nonlinear solvers and of modelling languages, limits": (
        "model,solver,status,cpu,Timeout\na,I,first_order,1,9\nb,I,max_iter,2,9\nc,I,max_time,9,9\nd,I,exception,4,9\n"
        "a,J,LOCALLY_SOLVED,1,9\nb,J,ITERATION_LIMIT,2,9\nc,J,INTERRUPTED,3,9\nd,J,PARSE_ERROR,4,9\n",
        {
            "columns": {
                "cost": "cpu", "problem": "model", "algorithm": "solver", "outcome": "status", "time_limit": "Timeout",
            },
            "outcomes": {
                "INTERRUPTED": "stopped", "ITERATION_LIMIT": "limit", "LOCALLY_SOLVED": "solved", "PARSE_ERROR": "error",
                "exception": "error", "first_order": "solved", "max_iter": "limit", "max_time": "time_limit",
            },
        },
        {("a", "I"): 1, ("b", "I"): math.inf, ("a", "J"): 1, ("d", "J"): math.inf},
    ),
    "words of success of several solvers": (
        "model,solver,status,seconds\na,I,Optimum,1\nb,I,integer optimal solution,2\nc,I,\"integer optimal, tolerance\",3\n"
        "d,I,OPTIMUM FOUND,4\ne,I,timed out,9\nf,I,infeasible or unbounded,1\n",
        {
            "columns": {"cost": "seconds", "problem": "model", "algorithm": "solver", "outcome": "status"},
            "outcomes": {
                "Optimum": "solved", "integer optimal solution": "solved", "integer optimal, tolerance": "solved",
                "OPTIMUM FOUND": "solved", "timed out": "time_limit", "infeasible or unbounded": "unknown",
            },
        },
        {("a", "I"): 1, ("b", "I"): 2, ("c", "I"): 3, ("d", "I"): 4, ("e", "I"): math.inf, ("f", "I"): math.inf},
    ),
    "Markdown": (
        "| Model | Solver | Total time (s) |\n|---|:--|--:|\n| a | A | 107.44 |\n| a | B | 600 |\n| b | A | 1 |\n| b | B | 2 |\n",
        {"columns": {"cost": "Total time (s)", "problem": "Model", "algorithm": "Solver"}},
        {("a", "A"): 107.44, ("b", "B"): 2},
    ),
    "the frame that databases draw": (
        "+---------+--------+------+\n| problem | solver | time |\n+---------+--------+------+\n| p1      | A      |  1.5 |\n"
        "| p1      | B      | TO   |\n+---------+--------+------+\n",
        {"columns": {"cost": "time", "algorithm": "solver"}, "outcomes": {"TO": "time_limit"}},
        {("p1", "A"): 1.5, ("p1", "B"): math.inf},
    ),
    "blanks": (
        "problem solver  time\np1      A       1.5\np1      B       2\n",
        {"format": "table", "separator": " ", "columns": {"cost": "time", "algorithm": "solver"}},
        {("p1", "A"): 1.5, ("p1", "B"): 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_a_table_can_be_read_as_the_message_says(tmp_path, case):
    text, expected, values = TABLES[case]
    (tmp_path / "t.csv").write_text(text)
    proposal, result = read_as_told(tmp_path / "t.csv", tmp_path / "out")
    assert {key: value for key, value in proposal.items() if key != "format"} == {
        key: value for key, value in expected.items() if key != "format"
    }
    found = {(t["problem"], t["algorithm"]): t["cost"] for t in result.trials}
    assert {key: found[key] for key in values} == values


#: Text of a table, what its names tell, and how the questions begin that they leave open.
OPEN = {
    "a column a solver": (WIDE, {}, ["Which column is compared: 'CLP 1.17.7', 'COPT 8'? Name it in `columns` ({cost: ...}), or"]),
    "a problem and a word that says nothing": (
        "cnf,solver,time\np1,A,3\np2,A,what\n",
        {"columns": {"problem": "cnf", "algorithm": "solver", "cost": "time"}},
        ["So it cannot be read: t.csv:3: column 'time' is 'what'; expected a number or inf; all words in place of costs are"],
    ),
    "versions of a solver, sizes of a problem": (
        "Benchmark,Size,Solver,Solver Version,Runtime (s)\nm,10,A,1,3\nm,20,A,1,60\nm,10,A,2,5\nm,20,A,2,4\n",
        {"columns": {"problem": "Benchmark", "algorithm": "Solver", "cost": "Runtime (s)"}},
        ["3 rows with the problem and the algorithm of an earlier one: repetitions? If 'Size', 'Solver Version' tells"],
    ),
    "no header": ("p1,A,0.02\np1,B,0.5\np2,A,1.5\np2,B,2\n", {"format": "table"}, ["Are there no names in the first line?"]),
    "a problem that is called so beside an instance": (
        "Algorithm,Problem,Instance,time\nA,p,i,3\nA,p,j,4\nB,p,i,5\nB,p,j,6\nB,p,j,7\n",
        {"columns": {"problem": "Problem", "algorithm": "Algorithm", "instance": "Instance", "cost": "time"}},
        ["1 row with the problem and the algorithm of an earlier one: repetitions?"],
    ),
    "one solver": ("problem,time\np1,20\np2,30\n", {"columns": {"cost": "time"}}, ["Which column names the algorithm"]),
    "problems with numbers for names": (
        "algo,id,time\nA,1,3\nA,2,4\n",
        {"columns": {"algorithm": "algo", "cost": "time"}},
        ["Which column names the problem"],
    ),
    "models that learn from data": (
        "dataset,model,fold,accuracy\niris,RF,1,0.95\niris,RF,2,0.93\n",
        {"columns": {"instance": "fold", "cost": "accuracy"}},
        ["Which column names the problem: 'model', 'dataset'?", "Which column names the algorithm"],
    ),
    "larger is better": (
        "problem,solver,accuracy\np,A,0.9\np,B,0.8\n",
        {"columns": {"algorithm": "solver", "cost": "accuracy"}},
        ["So it cannot be read: t.csv: by its name, larger values of 'accuracy' are better"],
    ),
    "a loss beside a time": (
        "dataset,algo,seed,loss,elapsed_time\niris,RS,1,0.12,3.2\niris,TPE,1,0.09,5.1\n",
        {"columns": {"problem": "dataset", "algorithm": "algo"}},
        ["Which column is compared: 'elapsed_time', 'loss'?"],
    ),
    "timed out or not, where a run may have failed otherwise": (
        "problem,solver,time,timed_out\np1,A,1.5,no\np2,A,30,yes\n",
        {"columns": {"algorithm": "solver", "cost": "time"}},
        ["Do the columns 'timed_out', which are not read, say how runs ended"],
    ),
    "answers beside those that are expected": (
        "benchmark,result,time,solver,expected\nb1,sat,5,V,sat\nb2,timeout,9,V,sat\nb3,unsat,9,V,sat\n",
        {
            "columns": {"problem": "benchmark", "algorithm": "solver", "cost": "time", "outcome": "result"},
            "outcomes": {"sat": "solved", "timeout": "time_limit", "unsat": "solved"},
        },
        ["Does 'expected' say which answer is right?"],
    ),
    "the letters of the MiniZinc Challenge": (
        "solver,model,status,time\ng,m,C,12.5\nc,m,S,1200\n",
        {"columns": {"problem": "model", "algorithm": "solver", "cost": "time", "outcome": "status"}},
        ["So it cannot be read: t.csv:2: column 'status' is 'C'; expected a word of `outcomes`, or one of solved, infeasible,"],
    ),
    "numbers for outcomes": (
        "instance,solver,status,time\na,S,2,1.5\na,T,9,3600.1\n",
        {"columns": {"problem": "instance", "algorithm": "solver", "cost": "time", "outcome": "status"}},
        ["So it cannot be read: t.csv:2: column 'status' is '2'; expected a word of `outcomes`, or one of solved, infeasible,"],
    ),
    "empty costs": (
        "problem,solver,time\np,A,1\np,B,\n",
        {"columns": {"algorithm": "solver", "cost": "time"}},
        ["So it cannot be read: t.csv:3: column 'time' is empty; expected a number or inf (or declare `empty: failure`"],
    ),
    "a value by its own name": (
        "name,value\nx,1\ny,2\n",
        {"columns": {"cost": "value"}},
        ["Which column names the problem", "Which column names the algorithm"],
    ),
    "a column of values without any": (
        "name,value,steps\nx,,3\ny,,4\n",
        {},
        ["Which column is compared: 'steps'?", "Which column names the problem", "Which column names the algorithm"],
    ),
    "a fold is no problem": (
        "fold,seconds\n0,0.9\n1,0.8\n",
        {"columns": {"instance": "fold", "cost": "seconds"}},
        ["Which column names the problem", "Which column names the algorithm"],
    ),
    "an error beside a mean": (
        "method,Mean,Error\nx,1.5,0.1\ny,2.5,0.2\n",
        {"columns": {"algorithm": "method"}},
        ["Which column is compared: 'Error', 'Mean'?", "Which column names the problem"],
    ),
    "a mean beside the best of its runs": (
        "method,function,runs,mean_error,std_error,best_error\nA,f1,25,1,3,0.5\nA,f2,25,2,1,1\n",
        {"columns": {"algorithm": "method", "problem": "function"}},
        ["Which column is compared: 'best_error', 'mean_error'?"],
    ),
    "means with a unit": (
        "command,mean (ms)\nx,1.5 ± 0.5\ny,2.5 ± 0.5\n",
        {"columns": {"mean": "mean (ms)"}, "unit": "ms"},
        ["Which column names the problem", "Which column names the algorithm"],
    ),
    "decimal commas": (
        "problem;solver;time\np;A;1,5\np;B;2,125\nq;A;1\nq;B;7\n",
        {"columns": {"algorithm": "solver", "cost": "time"}},
        ["So it cannot be read: t.csv:2: column 'time' is '1,5'; expected a number or inf (or declare `decimal: ','`)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", OPEN)
def test_what_names_do_not_tell_is_asked(tmp_path, capsys, case):
    text, told_so_far, beginnings = OPEN[case]
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    one_sentence(error.value)
    assert error.value.proposals == ()
    assert error.value.asked.options == told_so_far
    assert len(error.value.asked.questions) == len(beginnings)
    assert all(map(str.startswith, error.value.asked.questions, beginnings))
    assert cli.main(["inspect", str(path)]) == 2
    out = capsys.readouterr().out
    assert (
        out.splitlines()[0].split()
        == re.split("[,;]", text.splitlines()[0].replace(" ", ","))[: len(out.splitlines()[0].split())]
    )
    assert f"1. {beginnings[0]}" in out


@pytest.mark.parametrize("begins", [b"7z\xbc\xaf\x27\x1c\0\x04", b"Rar!\x1a\x07\x01\0"])
def test_archives_that_are_not_read_are_named(tmp_path, begins):
    (tmp_path / "a.7z").write_bytes(begins + bytes(range(256)))
    with pytest.raises(UserError, match="archives of 7z and RAR are not read"):
        readers.examine(tmp_path / "a.7z")


def test_whether_rows_are_improvements_or_ends_of_runs_is_asked(tmp_path):
    (tmp_path / "t.csv").write_text("method,function,fes,best\nA,f1,1,3\nA,f1,5,2\n")
    with pytest.raises(Incomplete) as error:
        readers.examine(tmp_path / "t.csv")
    asked = error.value.asked
    assert asked.options == {"columns": {"problem": "function", "algorithm": "method"}}
    improvements = "`columns: {evaluations: fes, value: best}`"
    assert asked.questions == (
        f"Is each row an improvement within a run ({improvements}), or the end of one (`columns: {{cost: ...}}`)?",
    )
    columns = {**asked.options["columns"], "evaluations": "fes", "value": "best"}
    result = Result(tmp_path / "t.csv", tmp_path / "out", columns=columns)
    assert result.trace(0) == [(1, 3), (5, 2)]


def test_improvements_of_runs_that_seeds_tell_apart(tmp_path):
    (tmp_path / "t.csv").write_text("Algo,Function,Seed,FEs,Best Fitness\nA,f1,7,1,3\nA,f1,7,5,2\nA,f1,8,1,9\nA,f1,8,5,1\n")
    columns = {"evaluations": "FEs", "value": "Best Fitness", "algorithm": "Algo"}
    (proposal,) = told(tmp_path / "t.csv", columns=columns)
    assert proposal["columns"] == {**columns, "problem": "Function", "seed": "Seed"}
    result = Result(tmp_path / "t.csv", tmp_path / "out", **proposal)
    assert [result.trace(0), result.trace(1)] == [[(1, 3), (5, 2)], [(1, 9), (5, 1)]]


@pytest.mark.parametrize(
    ("text", "column", "role"),
    [
        ("problem,dim,algorithm,cost\np,2,A,3\np,3,A,4\n", "dim", "dimension"),
        ("problem,Instance,algorithm,cost\np,2,A,3\np,3,A,4\n", "Instance", "instance"),
        ("problem,algorithm,Seed,evaluations,value\np,A,1,5,3\np,A,2,5,2\n", "Seed", "seed"),
        ("problem,algorithm,Rep,evaluations,value\np,A,1,5,3\np,A,2,5,2\n", "Rep", "run"),
    ],
)
def test_what_tells_runs_apart_and_is_not_read_is_noted(tmp_path, text, column, role):
    path = tmp_path / "t.csv"
    path.write_text(text)
    result = Result(path, tmp_path / "a")
    assert result.counts()["key_not_used"] == 1
    assert result.first("key_not_used") == ("t.csv", 1)
    entry, (question,) = asked(path)
    assert entry == {"columns": {role: column}}
    assert repr(column) in question
    again = Result(path, tmp_path / "b", format="table", **entry)
    assert "key_not_used" not in again.counts()
    assert len({(t["dimension"], t["instance"], t["run"]) for t in again.trials}) == 2


def test_what_does_not_tell_runs_apart_is_not_asked_about(tmp_path):
    (tmp_path / "t.csv").write_text("problem,dim,algorithm,Seed,cost\np,2,A,1,3\np,2,A,2,4\nq,3,A,1,4\n")
    assert "key_not_used" not in Result(tmp_path / "t.csv", tmp_path / "a").counts()


def test_costs_at_several_budgets_are_noted(tmp_path):
    text = "problem,algorithm,budget,cost\np,A,100,3\np,A,1000,2\nq,A,100,4\n"
    (tmp_path / "t.csv").write_text(text)
    result = Result(tmp_path / "t.csv", tmp_path / "a")
    assert result.counts()["several_budgets"] == 1
    assert "several_budgets" in {one["rule"] for one in readers.doubts(result.report)}
    again = Result(tmp_path / "t.csv", tmp_path / "b", where={"budget": "100"})
    assert "several_budgets" not in again.counts()
    assert again.column("cost") == [3, 4]


def test_a_column_of_outcomes_has_few_words(tmp_path):
    for words in (30, 31):
        rows = "".join(f"A,p{i},{i + 1},error{i}\n" for i in range(words - 1))
        (tmp_path / f"{words}.csv").write_text(f"solver,model,seconds,status\n{rows}A,p{words},5,ok\n")
    (proposal,) = told(tmp_path / "30.csv")
    assert proposal["columns"]["outcome"] == "status"
    with pytest.raises(Incomplete) as error:
        readers.examine(tmp_path / "31.csv")
    (question,) = error.value.asked.questions
    what = "30 of 31 runs with a cost have 'error0' or the like in 'status'. Did these runs fail?"
    assert question == f"{what} If so, say `columns: {{outcome: status}}`."


@pytest.mark.parametrize(
    ("name", "yes"),
    [
        ("solved", "solved"), ("is_optimal", "solved"), ("Solution found", "solved"), ("timed_out", "time_limit"),
        ("time_limit_reached", "time_limit"), ("failed", "error"), ("limit_reached", None), ("max_iter_reached", None),
        ("not_solved", None), ("no solution found", None), ("errors_found", None), ("unsolved", None),
    ],
)  # fmt: skip
def test_what_yes_means_is_told_by_the_whole_name_of_a_column(name, yes):
    assert table_checks.meanings(pd.Series(["True", "False"], name=name))["True"] == yes
    assert table_checks.outcome_named(pd.DataFrame({name: ["1", "0"]})) == (name if yes else None)


@pytest.mark.parametrize(("length", "meant"), [(100, "error"), (101, None)])
def test_a_long_text_is_no_word_in_place_of_a_number(length, meant):
    assert table_cells.meaning_in_place("error".ljust(length, "x")) == meant


def test_a_row_of_a_framed_table_that_is_cut_is_left_out(tmp_path):
    (tmp_path / "t.txt").write_text("| problem | algorithm | cost |\n|---|---|---|\n| p | A | 10 |\n| q | A | 10")
    result = Result(tmp_path / "t.txt", tmp_path / "out")
    assert result.first("cut_line") == ("t.txt", 4)
    assert [t["problem"] for t in result.trials] == ["p"]


def test_a_bar_within_a_cell_of_markdown(tmp_path):
    lines = ["| Solver | Problem | time |", "|:---|---|---:|", "| a \\| b | p | 1.5 |", "| c | p | 2 |"]
    (tmp_path / "t.md").write_text("\n".join(lines) + "\n")
    _, result = read_as_told(tmp_path / "t.md", tmp_path / "out")
    assert [(t["algorithm"], t["cost"]) for t in result.trials] == [("a | b", 1.5), ("c", 2)]


def test_what_the_entry_says_already_stays(tmp_path):
    (tmp_path / "t.csv").write_text(WORDS)
    entry = {"columns": {"problem": "cnf"}, "wide": {"key": "algorithm", "columns": ["a", "b"]}}
    with pytest.raises(UserError, match=r"'TIMEOUT' \(2\), 'FAILED' \(1\), 'INCORRECT' \(1\)"):
        readers.examine(tmp_path / "t.csv", options=entry)
    proposal, result = read_as_told(tmp_path / "t.csv", tmp_path / "a", **entry)
    assert proposal == {"outcomes": {"TIMEOUT": "time_limit", "FAILED": "error", "INCORRECT": "wrong"}}
    assert len(result.trials) == 6
    (some,) = told(tmp_path / "t.csv", **entry, outcomes={"TIMEOUT": "memory_limit"})
    assert some["outcomes"] == {"TIMEOUT": "memory_limit", "FAILED": "error", "INCORRECT": "wrong"}


def test_all_words_of_a_column_of_outcomes_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost,outcome\nA,p1,3,fine\nA,p2,4,OOM\nB,p1,5,solved\n")
    with pytest.raises(UserError, match="such words are 'fine', 'OOM'"):
        readers.examine(tmp_path / "t.csv")
    with pytest.raises(Incomplete) as error:
        readers.examine(tmp_path / "t.csv")
    assert error.value.asked.options == {"outcomes": {"OOM": "memory_limit"}}
    assert "such words are 'fine'; say in `outcomes` what they mean" in error.value.asked.questions[0]


def test_what_ran_out_of_time_is_told_in_more_words(tmp_path):
    (tmp_path / "t.csv").write_text("solver,benchmark,time,status\nA,p1,3,solved\nA,p2,900,timeout (wallclock)\n")
    proposal, result = read_as_told(tmp_path / "t.csv", tmp_path / "out")
    assert proposal["outcomes"] == {"timeout (wallclock)": "time_limit"}
    assert [t["outcome"] for t in result.trials] == ["solved", "time_limit"]


def test_a_mistyped_number_is_no_outcome(tmp_path):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,p1,3\nA,p2,1.2.3\n")
    with pytest.raises(UserError, match=r"t.csv:3: column 'cost' is '1.2.3'; expected a number or inf\.$"):
        readers.examine(tmp_path / "t.csv")


@pytest.mark.parametrize(
    "text", ["studies:\n  a: 1\n", "a b c\nd e f\n", "x,y\n", "name hash\nf1 a0\nf2 b1\n", ",,\n,,\n", "1\n2\n"]
)
def test_what_is_no_table_is_proposed_nothing(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(UserError) as error:
        readers.examine(tmp_path / "t.csv")
    assert "can be read" not in str(error.value)


def test_many_equal_largest_times_are_asked_about_and_never_taken_for_a_limit(tmp_path):
    rows = "".join(f"A,p{i},{min(i * 10.5, 300)}\n" for i in range(1, 60))
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\n" + rows)
    result = Result(tmp_path / "t.csv", tmp_path / "a")
    assert result.counts() == {"same_largest": 1}
    assert result.first("same_largest") == ("t.csv", 30)
    assert {t["status"] for t in result.trials} == {"solved"}
    detail = next(e for e in result.report["irregularities"])["detail"]
    (say,) = re.findall(r"say `([^`]*)`", detail)
    again = Result(tmp_path / "t.csv", tmp_path / "b", **yaml.safe_load(f"{{{say}}}"))
    assert sum(t["outcome"] == "time_limit" for t in again.trials) == 31
    # a multiple of a limit that no other time is beyond
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\n" + rows.replace("300.0", "3000").replace(",300\n", ",3000\n"))
    result = Result(tmp_path / "t.csv", tmp_path / "c")
    (say,) = re.findall(r"say `([^`]*)`", result.report["irregularities"][0]["detail"])
    assert say == "time_limit: 300, penalty: 10"
    again = Result(tmp_path / "t.csv", tmp_path / "d", **yaml.safe_load(f"{{{say}}}"))
    assert sum(t["outcome"] == "time_limit" for t in again.trials) == 31
    assert "same_largest" not in again.counts()


def test_times_little_above_a_usual_limit_are_asked_about(tmp_path):
    """Runs that are stopped take somewhat longer than they may, each its own time."""
    path = tmp_path / "t.csv"
    times = [i * 5.0 for i in range(1, 51)] + [3600 + i / 100 for i in range(10)]
    path.write_text("algorithm,problem,cost\n" + "".join(f"A,p{i},{time}\n" for i, time in enumerate(times)))
    result = Result(path, tmp_path / "a")
    assert result.counts() == {"same_largest": 1}
    assert result.first("same_largest") == ("t.csv", 52)
    entry, (question,) = asked(path)
    assert entry == {"time_limit": 3600}
    assert question == "10 of 60 costs are between 3600 and 3600.09, the largest. Did these runs fail at a limit of 3600?"
    again = Result(path, tmp_path / "b", format="table", time_limit=3600)
    assert again.counts() == {"censored": 10}
    assert again.report["trials"]["solved"] == 50
    # where as many lie little below, nothing was stopped
    times[40:50] = [3590 + i / 10 for i in range(10)]
    path.write_text("algorithm,problem,cost\n" + "".join(f"A,p{i},{time}\n" for i, time in enumerate(times)))
    assert Result(path, tmp_path / "c").counts() == {}


def test_the_limit_of_stopped_runs_is_on_the_scale_of_their_times(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("solver,runtime_ms,instance,result\nA,1200,i1,sat\nA,3600400,i2,cutoff\nB,50,i1,sat\nB,80000,i2,unsat\n")
    proposal, result = read_as_told(path, tmp_path / "out")
    assert (proposal["unit"], proposal["outcomes"]["cutoff"]) == ("ms", "time_limit")
    assert result.column("runtime_s") == [1.2, 0.05, 3600.4, 80]


def test_names_and_words_of_a_table_of_tools(tmp_path):
    (tmp_path / "t.tsv").write_text(
        "status\twallclock time (s)\tbenchmark\ttool\nsolved\t1.5\tb1\tT1\nsegmentation fault\t0.1\tb1\tT2\n"
        "solved\t30\tb2\tT2\nout of time\t3600.2\tb2\tT1\n"
    )
    proposal, result = read_as_told(tmp_path / "t.tsv", tmp_path / "out")
    assert proposal["columns"] == {
        "cost": "wallclock time (s)", "problem": "benchmark", "algorithm": "tool", "outcome": "status"
    }  # fmt: skip
    ended = {(t["algorithm"], t["problem"]): t["outcome"] for t in result.trials}
    assert ended == {("T1", "b1"): "solved", ("T2", "b1"): "error", ("T2", "b2"): "solved", ("T1", "b2"): "time_limit"}


def test_few_equal_costs_are_nothing_to_ask_about(tmp_path):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\n" + "".join(f"A,p{i},{i % 3}\n" for i in range(60)))
    assert not Result(tmp_path / "t.csv", tmp_path / "a").counts()


# ---- matrices -------------------------------------------------------------------------------------------------------


def matrix(rows, columns, scale=1.0):
    return [[f"{scale * (rows * columns - r * columns - c + 0.5):.3f}" for c in range(columns)] for r in range(rows)]


def text_of(rows, before=""):
    return "".join(f"{before}{' '.join(row)}\n" for row in rows)


def transposed(rows):
    return [list(column) for column in zip(*rows, strict=True)]


#: Files, the options that the message names, and how many trials are read.
MATRICES = {
    "as the report has it": ({"A_1_5.txt": text_of(matrix(16, 30))}, [{"preset": "cec2020"}], 30),
    "two competitions of one layout": (
        {"A_1_10.txt": text_of(matrix(14, 51))},
        [{"preset": "cec2014"}, {"preset": "cec2017"}],
        51,
    ),
    "a run a row": (
        {"L-SRTDE_F1_D10.txt": text_of(transposed([*matrix(1000, 25), ["100000"] * 25]))},
        [{"preset": "cec2024", "rows": "runs"}],
        25,
    ),
    "a checkpoint a row, without the row of evaluations": (
        {"A_F1_D10.txt": text_of(matrix(1000, 25))},
        [{"preset": "cec2024", "evaluations_row": False}],
        25,
    ),
    "statistics": (
        {"HSBA_1_10.txt": text_of(matrix(2, 10))},
        [{"preset": "cec2014_expensive", "statistics": ["mean", "median"]}],
        1,
    ),
    "statistics with their names": (
        {"MVMO_1_10.txt": "MED " + text_of(matrix(1, 10)) + "AVG " + text_of(matrix(1, 10, 2))},
        [{"preset": "cec2014_expensive", "statistics": ["median", "mean"], "labels": 1}],
        1,
    ),
    "a header, and the number of each run": (
        {"GCO_1_10.txt": "f1 at tenths\n" + "".join(f"Run {i} {' '.join(r)}\n" for i, r in enumerate(matrix(20, 10), 1))},
        [{"preset": "cec2014_expensive", "header": 1, "labels": 2}],
        20,
    ),
    "names of another kind": (
        {"A-F1-10D.txt": text_of(matrix(17, 51)), "A-F2-30D.txt": text_of(matrix(17, 51))},
        [{"preset": "cec2015_learning", "files": "{algorithm}-F{function}-{dimension}D.*"}],
        102,
    ),
    "the dimension before the function": (
        {"jSOa_D30_S10.txt": text_of(matrix(1000, 25)).replace(" ", ",")},
        [{"preset": "cec2024", "evaluations_row": False, "files": "{algorithm}_D{dimension}_S{function}.*"}],
        25,
    ),
    "marks before the numbers": (
        {"mLSAHDE_LR_F#1_D#30.mat": text_of(matrix(1000, 25)), "mLSAHDE_LR_F#3_D#30.dat": text_of(matrix(1000, 25))},
        [{"preset": "cec2024", "evaluations_row": False, "files": "{algorithm}_F#{function}_D#{dimension}.*"}],
        50,
    ),
    "other numbers of runs": (
        {"A_1_10.txt": text_of(matrix(17, 31))},
        [{"preset": "cec2015_learning", "runs": 31}],
        31,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MATRICES)
def test_a_matrix_can_be_read_as_the_message_says(tmp_path, case):
    files, expected, trials = MATRICES[case]
    path = folder(tmp_path / "s", files)
    proposals = told(path)
    assert [{k: v for k, v in p.items() if k != "format"} for p in proposals] == expected
    for number, proposal in enumerate(proposals):
        result = Result(path, tmp_path / str(number), **proposal)
        assert len(result.trials) == trials
        assert set(result.counts()) <= {"other_statistics", "same_content"}


def test_the_mean_is_read_where_its_name_stands(tmp_path):
    path = folder(tmp_path / "s", MATRICES["statistics with their names"][0])
    _, result = read_as_told(path, tmp_path / "out")
    assert result.column("best_value") == [3.0]
    assert result.column("n") == [20]
    # without names, the mean comes first
    path = folder(tmp_path / "t", {"HSBA_1_10.txt": "9 7 5 4 3 2.5 2 1.5 1.25 1\n8 8 8 8 8 8 8 8 8 8\n"})
    _, result = read_as_told(path, tmp_path / "other")
    assert result.column("best_value") == [1.0]
    assert result.trace(0)[:2] == [(50, 9), (100, 7)]
    assert result.column("n") == [20]


def test_a_run_a_row_with_the_evaluations_to_success_at_its_end(tmp_path):
    """As L-SRTDE writes it: six digits, a tab behind each, errors of 1e-8 and less as 0, the budget where there was none."""
    reached, not_reached = 150_123, 300_000
    rows = [
        [*("0" if 300 * k >= reached else f"{2e9 / k:.6g}" for k in range(1, 1001)), f"{reached:g}"],
        *[[*(f"{3e12 / k:.6g}" for k in range(1, 1001)), f"{not_reached:g}"] for _ in range(2)],
    ]
    path = folder(tmp_path / "s", {"L-SRTDE_F4_D30.txt": "".join("".join(f"{c}\t" for c in row) + "\n" for row in rows)})
    proposal, result = read_as_told(path, tmp_path / "out", preset="cec2024")
    assert proposal == {"rows": "runs", "runs": 3}
    assert result.column("status") == ["solved", "failed", "failed"]
    assert result.column("budget") == [300_000] * 3
    assert result.column("best_value") == [0, 3e9, 3e9]
    assert result.trace(0)[0] == (300, 2e9)
    # between the checkpoints at 150000 and 150300
    assert result.trace(0)[-2:] == [(150_000, 4e6), (reached, 0)]
    assert result.trace(1)[-1] == (300_000, 3e9)
    assert not result.counts()


def test_functions_that_are_numbered_in_a_row(tmp_path):
    """Of the thirty functions of 2017 and 2024 the second is left out: entries have f1, f3 to f30, or f1 to f29 instead."""
    text = text_of(matrix(14, 51))

    def read(name, numbers, **options):
        # no two are the same, for the blanks at their ends
        path = folder(tmp_path / name, {f"A_{number}_10.txt": text + " " * number + "\n" for number in numbers})
        return path, Result(path, tmp_path / f"{name}_out", **options)

    path, result = read("row", range(1, 30), preset="cec2017")
    assert result.counts() == {"numbered_in_a_row": 1}
    assert result.first("numbered_in_a_row")[0] == "A_2_10.txt"
    (proposal,) = readers.examine(path, options={"preset": "cec2017"})["proposals"]
    assert proposal["options"] == {"not_counted": 2}
    assert proposal["questions"] == ["The suite leaves out function 2 of 30. Is A_2_10.txt of function 3?"]
    result = Result(path, tmp_path / "b", preset="cec2017", not_counted=2)
    assert not result.counts()
    expected = ["f1", *(f"f{number}" for number in range(3, 31))]
    assert result.report["problems"] == expected
    of = {trial["problem"]: trial["source"] for trial in result.trials}
    assert of["f1"].startswith("A_1_10.txt")
    assert of["f3"].startswith("A_2_10.txt")
    assert of["f30"].startswith("A_29_10.txt")
    # as the suite has them, all thirty, and other suites
    for name, numbers in (("cec2017", [1, *range(3, 31)]), ("cec2017", range(1, 31)), ("cec2014", range(1, 30))):
        _, result = read(f"{name}, {len(numbers)}, {numbers[1]}", numbers, preset=name)
        assert result.report["problems"] == [f"f{number}" for number in numbers]
        assert not result.counts()


def test_a_matrix_of_another_shape_than_its_preset(tmp_path):
    path = folder(tmp_path / "s", {"A_1_10.txt": text_of(transposed(matrix(17, 51)))})
    proposal, result = read_as_told(path, tmp_path / "out", preset="cec2015_learning")
    assert proposal == {"rows": "runs"}
    assert len(result.trials) == 51


# ---- studies --------------------------------------------------------------------------------------------------------


def test_a_study_of_stated_costs_is_printed_whole(tmp_path, capsys):
    (tmp_path / "1 t.csv").write_text("algorithm,problem,cost\nA,p1,3\nB,p1,5\nA,p2,1\nB,p2,1\n")
    name, study = printed_study(capsys, tmp_path / "1 t.csv")
    assert name == "t"
    assert study["measures"] == {"cost": {"kind": "given"}}
    assert sorted(rated(study, tmp_path / "out")["ratio"].to_pylist()) == [1, 1, 1, 5 / 3]


def test_costs_of_0_and_below_get_a_shift(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,p1,-2.5\nB,p1,5\n")
    _, study = printed_study(capsys, tmp_path / "t.csv")
    assert study["measures"] == {"cost": {"kind": "given", "shift": 4}}
    assert sorted(rated(study, tmp_path / "out")["ratio"].to_pylist()) == [1, 6]
    # a mean of runs is above 0 where one of them is
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,p1,0\nA,p1,1\nB,p1,5\n")
    assert printed_study(capsys, tmp_path / "t.csv")[1]["measures"] == {"cost": {"kind": "given"}}


def test_solvers_without_a_common_problem(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost,outcome\nA,p1,2.5,solved\nB,p2,5,solved\n")
    _, study = printed_study(capsys, tmp_path / "t.csv")
    assert study["measures"] == {"time": {"kind": "given", "missing": "failure"}}
    assert all(rated(study, tmp_path / "out")["included"].to_pylist())


def test_a_figure_of_ranks_without_a_common_problem_says_what_works(tmp_path):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,p1,2.5\nA,p2,3\nB,p3,5\nB,p4,5\n")
    result = Result(tmp_path / "t.csv", tmp_path / "out")
    found = costs("given", storage.read(result.files[0], "trials"), None, "m", {})

    def ranks(missing):
        table = ratios(found, measure="m", aggregate="mean", missing=missing)
        return analyse(from_ratios(table, measure="m"), measure="m", methods=["friedman"], comparisons=["nemenyi"])["ranks"]

    assert not ranks("common").num_rows
    message = str(sheet.nothing_to_draw("critical_differences", "measure 'm'"))
    (said,) = re.findall(r"missing: (\w+)", message)
    assert ranks(said).num_rows == 2


def test_larger_costs_are_better(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,p1,0.5\nB,p1,1\n")
    _, study = printed_study(capsys, tmp_path / "t.csv", "-o", "direction=max")
    assert study["measures"] == {"cost": {"kind": "given", "quantity": "rate"}}
    assert rated(study, tmp_path / "out")["ratio"].to_pylist() == [2, 1]


def test_a_log_of_a_solver_and_improvements(tmp_path, capsys):
    _, study = printed_study(capsys, tar(tmp_path / "logs.tgz", {"a.log": SCIP}))
    assert study["measures"] == {"time": {"kind": "given"}, "gap": {"kind": "gap"}}
    rated(study, tmp_path / "out")
    (tmp_path / "t.csv").write_text("algorithm,problem,evaluations,value\nA,f1,1,3\nA,f1,5,2\n")
    assert cli.main(["inspect", str(tmp_path / "t.csv")]) in (0, 1)
    assert "studies:" not in capsys.readouterr().out


def test_nodes_are_proposed_where_all_solved_runs_state_them(tmp_path, capsys):
    solved = SCIP.replace("solving was interrupted [time limit reached]", "problem is solved [optimal solution found]")
    other = solved.replace("60 (total of 61 nodes in 2 runs)", "0").replace("air04", "p0033").replace("7200.01", "1.50")
    _, study = printed_study(capsys, tar(tmp_path / "logs.tgz", {"a.log": solved}))
    assert study["measures"] == {"time": {"kind": "given"}, "nodes": {"kind": "given", "quantity": "nodes"}}
    _, study = printed_study(capsys, tar(tmp_path / "more.tgz", {"a.log": solved, "b.log": other}))
    assert study["measures"]["nodes"] == {"kind": "given", "quantity": "nodes", "shift": 1}
    rated(study, tmp_path / "out")
    silent = re.sub("Solving Nodes.*\n", "", other)
    _, study = printed_study(capsys, tar(tmp_path / "some.tgz", {"a.log": solved, "b.log": silent}))
    assert list(study["measures"]) == ["time"]


def test_a_proposal_is_printed_with_what_it_reads(tmp_path, capsys):
    rows = "p1,A,861.4,ok\np2,A,0.1,FAILED\np1,B,9,TIMEOUT\np2,B,18.1,ok\n"
    (tmp_path / "t.csv").write_text("cnf,solver,time,status\n" + rows)
    name, study = printed_study(capsys, tmp_path / "t.csv")
    assert (name, study["measures"]) == ("t", {"time": {"kind": "given"}})
    assert study["sources"][0]["outcomes"]["FAILED"] == "error"
    assert cli.main(["inspect", str(tmp_path / "t.csv")]) == 2
    out, err = capsys.readouterr()
    assert "4 found of 4 expected" in out
    assert "it can be read with `columns: {problem: cnf, algorithm: solver, cost: time, outcome: status}" in err
    # what to paste reads the table
    entry = yaml.safe_load(re.search(r"^- [\s\S]*?\n\n", out, re.MULTILINE)[0])[0]
    assert len(Result(entry.pop("path"), tmp_path / "out", **entry).trials) == 4


# ---- what is read, and may mean something else ----------------------------------------------------------------------


def asked(path, **options):
    """The one entry with which `inspect` says that a source may have to be read, and what it asks."""
    (proposal,) = readers.examine(path, options=options)["proposals"]
    return options | proposal["options"], proposal["questions"]


def test_words_in_place_of_times_can_be_read_as_the_message_says(tmp_path):
    (tmp_path / "t.csv").write_text("problem,A,B\np1,4,TIMEOUT\np2,TO,3\np3,MO,7\np4,TO (3600s),1\n")
    proposal, result = read_as_told(tmp_path / "t.csv", tmp_path / "out", wide="algorithm")
    assert list(proposal) == ["outcomes"]
    assert result.column("outcome") == ["solved", *["time_limit"] * 2, "solved", "memory_limit", "solved", "time_limit", "solved"]


STATUSES = "problem,solver,seconds,Status,Timeout\np1,A,3,ok,60\np2,A,60,TO,60\np1,B,2,ok,60\np2,B,1,OOM,60\n"
ROLES = {"columns": {"algorithm": "solver", "cost": "seconds"}, "format": "table"}


def test_columns_that_say_how_runs_ended_are_asked_about(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(STATUSES)
    result = Result(path, tmp_path / "out", **ROLES)
    assert result.report["trials"]["solved"] == 4
    assert result.counts() == {"column_not_used": 2, "outcome_not_used": 2}
    entry, questions = asked(path, columns=ROLES["columns"])
    assert "'Status' and 'Timeout'" in questions[0]
    again = Result(path, tmp_path / "again", format="table", **entry)
    assert again.column("outcome") == ["solved", "solved", "time_limit", "memory_limit"]
    assert again.column("time_limit_s") == [60] * 4
    assert again.counts() == {}
    assert readers.examine(path, options=entry)["proposals"] == []


def test_solved_runs_that_another_column_doubts_are_noted(tmp_path):
    path = tmp_path / "t.csv"
    ends = ["optimal", "Optimal", "unknown", "", "Timeout", "optimal"]
    rows = [f"p{i},A,{i + 1},{'TO' if end == 'Timeout' else 'ok'},{end},{i % 2}\n" for i, end in enumerate(ends)]
    path.write_text("problem,solver,seconds,Status,Termination Condition,machine\n" + "".join(rows))
    entry = {"columns": {"algorithm": "solver", "cost": "seconds", "outcome": "Status"}, "format": "table", "time_limit": 9}
    result = Result(path, tmp_path / "out", **entry, outcomes={"ok": "solved", "TO": "time_limit"})
    assert result.counts() == {"column_not_used": 2, "solved_in_doubt": 1}
    (noted,) = [one for one in result.report["irregularities"] if one["rule"] == "solved_in_doubt"]
    assert (noted["line"], noted["detail"]) == (4, "1 of 5 solved runs have 'unknown' or the like in 'Termination Condition'")
    assert result.report["trials"]["solved"] == 5


@pytest.mark.parametrize(
    ("statuses", "there"),
    [
        ("True,False,True,True", 1),
        ("sat,unsat,sat,sat", 0),
        ("a,b,a,b", 1),
        ("TO,TO,TO,TO", 1),
        ("done,done,done,done", 1),
        ("ok,ok,ok,ok", 0),
    ],
)
def test_a_column_says_how_runs_ended_if_its_words_tell_success_from_failure(tmp_path, statuses, there):
    rows = "".join(f"p{i},A,{i + 1},{status}\n" for i, status in enumerate(statuses.split(",")))
    (tmp_path / "t.csv").write_text("problem,solver,seconds,found\n" + rows)
    assert len(readers.examine(tmp_path / "t.csv", options={"columns": ROLES["columns"]})["proposals"]) == there


def test_an_often_repeated_largest_time_is_asked_about_on_the_scale_of_the_costs(tmp_path):
    times = [*range(1, 40), *[7200] * 8]
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\n" + "".join(f"A,p{i},{t}\n" for i, t in enumerate(times)))
    for unit, seconds in (("s", 7200), ("ms", 7.2)):
        entry, questions = asked(tmp_path / "t.csv", unit=unit)
        assert entry == {"unit": unit, "time_limit": 7200}
        assert questions[0].startswith("8 of 47 costs are")
        result = Result(tmp_path / "t.csv", tmp_path / unit, format="table", **entry)
        assert result.report["trials"]["failed"] == 8
        assert set(result.column("time_limit_s")) == {seconds}


def test_outcomes_of_one_column_of_a_wide_table_are_noted(tmp_path):
    (tmp_path / "t.csv").write_text("problem,time_A,time_B,status_A\na,3,4,opt\nb,3600,11,TO\n")
    entry = {"wide": {"key": "algorithm", "except": ["status_A"]}}
    assert Result(tmp_path / "t.csv", tmp_path / "out", format="table", **entry).counts() == {
        "column_not_used": 1,
        "outcome_not_used": 1,
    }
    # no entry can name it
    assert readers.examine(tmp_path / "t.csv", options=entry)["proposals"] == []


@pytest.mark.parametrize("name", ["R2", "test_MCC", "win rate", "success_rate", "throughput [1/s]", "speedup", "mIoU/IoU"])
def test_names_of_what_is_better_the_larger_it_is_are_asked_about(name):
    assert table_cells.larger_is_better(name)
    assert not table_cells.larger_is_better(f"{name} loss")


#: As the AutoML benchmark states its runs: a failure has a time as any other, no result, and a text.
SILENT = "task,framework,result,info,duration\n" + "".join(
    f"t{i},{name},{'' if i % 8 == 3 else 0.5 + i / 400},{'Error: no memory' if i % 8 == 3 else ''},{i + 1.5}\n"
    for name in "AB"
    for i in range(40)
)


@pytest.mark.parametrize(
    ("left_out", "about"), [("info,", "no 'result'"), ("result,", "'Error: no memory' or the like in 'info'")]
)
def test_failures_that_a_text_or_an_empty_result_alone_tells_are_asked_about(tmp_path, left_out, about):
    path = tmp_path / "t.csv"
    place = SILENT.split("\n")[0].split(",").index(left_out[:-1])
    rows = [row.split(",") for row in SILENT.splitlines()]
    path.write_text("".join(",".join(row[:place] + row[place + 1 :]) + "\n" for row in rows))
    columns = {"problem": "task", "algorithm": "framework", "cost": "duration"}
    report = readers.examine(path, options={"columns": columns})
    assert report["trials"]["solved"] == 80
    assert "outcome_not_used" in {one["rule"] for one in readers.doubts(report)}
    entry, questions = asked(path, columns=columns)
    assert questions == [f"10 of 80 runs with a cost have {about}. Did these runs fail?"]
    entry["columns"] |= columns
    trials = readers.examine(path, options=entry)["trials"]
    assert (trials["solved"], trials["failed"]) == (70, 10)
    assert readers.examine(path, options=entry)["proposals"] == []


@pytest.mark.parametrize(
    ("column", "fine", "failed"),
    [
        ("comment", "ok", "DNF"),
        ("note", "", "did not finish"),
        ("remark", "optimal", "no solution of this model"),
        ("solver_error", "", "x < 0 in step 3"),
        ("stat", "Optimal", "Not optimal"),
        ("exit", "0", "139"),
        ("rc", "0", "-9"),
    ],
)
def test_words_of_failure_in_columns_of_any_name_are_asked_about(tmp_path, column, fine, failed):
    """A remark beside words of success, a text in a column of errors, and the number that a shell gives."""
    path = tmp_path / "t.csv"
    rows = [f"p{i},{name},{i + 1.5},{failed if name == 'B' and i % 5 == 0 else fine}\n" for i in range(20) for name in "AB"]
    path.write_text(f"problem,algorithm,seconds,{column}\n" + "".join(rows))
    report = readers.examine(path, options={"columns": {"cost": "seconds"}})
    assert "outcome_not_used" in {one["rule"] for one in readers.doubts(report)}
    assert column in str(report["proposals"])


def test_words_that_tell_algorithms_apart_are_no_outcomes(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"p{i},{name},{i + 1.5},{word}\n" for i in range(20) for name, word in (("A", "opt"), ("B", "naive"))]
    path.write_text("problem,algorithm,seconds,variant\n" + "".join(rows))
    report = readers.examine(path, options={"columns": {"cost": "seconds"}})
    assert "outcome_not_used" not in {one["rule"] for one in readers.doubts(report)}


def test_a_number_that_a_problem_or_a_solver_never_has_tells_no_failure(tmp_path):
    rows = [(p, a, "" if p == "q" else 3, "" if a == "A" else 7) for p in "pqr" for a in "AB"]
    text = "problem,algorithm,width,nodes,cost\n" + "".join(f"{p},{a},{w},{n},1.5\n" for p, a, w, n in rows)
    (tmp_path / "t.csv").write_text(text)
    assert readers.examine(tmp_path / "t.csv")["proposals"] == []


WIDE_TWICE = "name,digest,seed,A,B\np,x1,1,1,2\np,x2,1,3,4\nq,x3,1,5,6\n"
LONG_TWICE = "name,digest,solver,memory,time\np,x1,A,11,1\np,x2,A,12,3\np,x1,B,13,2\np,x2,B,14,4\nq,x3,A,15,5\nq,x3,B,16,6\n"


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (WIDE_TWICE, {"columns": {"problem": "name"}, "wide": {"key": "algorithm", "except": ["digest", "seed"]}}),
        (LONG_TWICE, {"columns": {"problem": "name", "algorithm": "solver", "cost": "time"}}),
        ("".join(row for row in LONG_TWICE.splitlines(True) if ",B," not in row), {
            "columns": {"problem": "name", "algorithm": "solver", "cost": "time"},
        }),
    ],
    ids=["wide", "long", "one solver"],
)  # fmt: skip
def test_rows_of_one_name_that_an_attribute_tells_apart_are_no_repetitions_unasked(tmp_path, text, entry):
    path = tmp_path / "t.csv"
    path.write_text(text)
    report = readers.examine(path, options=entry)
    assert report["problems"] == ["p", "q"]
    assert "key_not_used" in {one["rule"] for one in readers.doubts(report)}
    (proposal,) = report["proposals"]
    assert proposal["options"] == {"columns": {**entry["columns"], "problem": ["name", "digest"]}}
    assert "differ in 'digest'. Are they different problems" in proposal["questions"][0]
    again = readers.examine(path, options=entry | proposal["options"])
    assert again["problems"] == ["p x1", "p x2", "q x3"]
    assert again["proposals"] == []
    # where they are instances, these are told apart
    columns = {**entry["columns"], "instance": "digest"}
    assert readers.examine(path, options=entry | {"columns": columns})["proposals"] == []


@pytest.mark.parametrize("text", [WIDE_TWICE.replace("x2", "x1"), WIDE_TWICE.replace("digest", "Run")])
def test_rows_of_one_name_and_one_digest_are_repetitions(tmp_path, text):
    (tmp_path / "t.csv").write_text(text.replace("x1", "1").replace("x2", "2").replace("x3", "1"))
    aside = [text.split(",")[1], "seed"]
    entry = {"columns": {"problem": "name"}, "wide": {"key": "algorithm", "except": aside}}
    assert readers.examine(tmp_path / "t.csv", options=entry)["proposals"] == []


@pytest.mark.parametrize("name", ["accuracy", "score", "mean reward", "F1", "f1_score", "test_auc"])
def test_what_is_better_the_larger_it_is_by_its_name_is_asked_about(tmp_path, name):
    path = tmp_path / "t.csv"
    path.write_text(f"problem,algorithm,{name}\np,A,0.9\np,B,0.8\n")
    for columns in ({"cost": name}, {"mean": name}):
        with pytest.raises(UserError, match="say `direction: max`, or `direction: min`") as error:
            readers.examine(path, options={"columns": columns})
        one_sentence(error.value)
        for direction in ("max", "min"):
            assert readers.examine(path, options={"columns": columns, "direction": direction})["trials"]["found"] == 2


@pytest.mark.parametrize("name", ["score_time", "error of score", "accuracy loss", "escore", "hv time (s)"])
def test_what_is_measured_of_such_a_number_is_not(tmp_path, name):
    (tmp_path / "t.csv").write_text(f"problem,algorithm,{name}\np,A,0.9\np,B,0.8\n")
    assert readers.examine(tmp_path / "t.csv", options={"columns": {"cost": name}})["trials"]["found"] == 2


@pytest.mark.parametrize(("written", "noted"), [("-1", True), ("-1.0", True), ("-999", True), ("-3.5", False)])
def test_the_only_number_below_0_is_asked_about_and_is_no_time_then(tmp_path, written, noted):
    """As a failure it is one: the run is neither the best of all nor missing. (With another number below 0 both are costs.)"""
    path = tmp_path / "t.csv"
    path.write_text(f"problem,algorithm,cost\na,A,3\na,B,{written}\nb,A,{written if noted else -2}\nb,B,4\n")
    result = Result(path, tmp_path / "out", format="table")
    assert result.counts() == ({"stands_for_none": 2} if noted else {})
    if noted:
        entry, (question,) = asked(path)
        assert question == f"2 of 4 costs are {written}, the only number below 0. Are they failures?"
        again = Result(path, tmp_path / "again", format="table", **entry)
        assert sorted(again.column("cost")) == [3, 4, math.inf, math.inf]
        assert (again.report["trials"]["failed"], again.report["trials"]["missing"]) == (2, 0)


@pytest.mark.parametrize(("written", "noted"), [("1e+30", True), ("1E20", True), ("1" + 20 * "0", True), ("2e30", False)])
def test_what_solvers_write_for_infinity_is_asked_about(tmp_path, written, noted):
    path = tmp_path / "t.csv"
    path.write_text(f"problem,algorithm,cost\na,A,3\na,B,{written}\nb,A,2.5e19\nb,B,4\n")
    result = Result(path, tmp_path / "out", format="table")
    assert result.counts() == ({"stands_for_none": 1} if noted else {})
    assert result.report["trials"]["solved"] == 4
    if noted:
        entry, _ = asked(path)
        again = Result(path, tmp_path / "again", format="table", **entry)
        assert sorted(again.column("cost")) == [3, 4, 2.5e19, math.inf]
        assert again.counts() == {}


def test_rows_of_totals_are_asked_about(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Instance,A,B\np1,1,2\np2,3,4\nTotal,4,6\nMean F1,2,3\n")
    entry = {"columns": {"problem": "Instance"}, "wide": "algorithm"}
    result = Result(path, tmp_path / "out", format="table", **entry)
    assert result.counts() == {"row_of_totals": 4}
    assert result.first("row_of_totals") == ("t.csv", 4)
    said, _ = asked(path, **entry)
    again = Result(path, tmp_path / "again", format="table", **said)
    assert set(again.column("problem")) == {"p1", "p2"}
    assert "row_of_totals" not in again.counts()
    # a problem of such a name that is the only one is a problem
    path.write_text("Instance,A,B\nsum,1,2\n")
    assert Result(path, tmp_path / "one", format="table", **entry).counts() == {}


def test_inspect_prints_the_study_of_what_it_asks(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(STATUSES)
    assert cli.main(["inspect", str(tmp_path / "t.csv"), "-o", "columns={algorithm: solver, cost: seconds}"]) == 0
    first, second = re.findall(r"^studies:\n(?: .*\n)+", capsys.readouterr().out + "\n", re.MULTILINE)
    assert "outcome" not in first
    ((_, study),) = yaml.safe_load(second)["studies"].items()
    assert rated(study, tmp_path / "out").num_rows == 4


@real
def test_statuses_and_limits_of_real_tables_are_asked_about(tmp_path):
    path = REAL / "energy-lp-milp/benchmark_results.csv.gz"
    columns = {"problem": "bench-size", "algorithm": ["Solver", "Solver Version"], "cost": "Runtime (s)"}
    entry, questions = asked(path, columns=columns, empty="failure")
    assert "outcome" not in entry["columns"]
    assert "'Status' and 'Timeout'" in questions[0]
    assert questions[1] == "What do the words 'warning' of 'Status' mean? Say it in `outcomes`."
    path = REAL / "mittelmann-extract/lpopt-29-Apr-2026.csv"
    entry, _ = asked(path, wide="algorithm")
    assert entry["time_limit"] == 15000
    cells = path.read_text().replace("\n", ",").split(",")
    assert readers.examine(path, options=entry)["trials"]["failed"] == cells.count("15000.0s")


# ---- real logs ------------------------------------------------------------------------------------------------------

#: Tables, and what their owner says of them.
TABLES_OF_OTHERS = {
    "mittelmann-extract/lpopt-29-Apr-2026.csv": ["-o", "wide=algorithm"],
    "sat-competition/sat2024-detailed_main.csv": [
        *("-o", "columns={problem: hash}", "-o", "wide={key: algorithm, except: [vresult]}"),
    ],
    "qpbenchmark/qpbenchmark_results.csv.gz": [
        *("-o", "columns={algorithm: [solver, settings], cost: runtime, outcome: found}"),
        *("-o", "outcomes={'True': solved, 'False': unknown}"),
    ],
}
MATRICES_OF_OTHERS = {
    "cec2014-expensive/14210-Without-Approx.tgz": 24,
    "cec2014-expensive/14280-SA-DE-DPS.tgz": 480,
    "cec2014-expensive/14543-GCO.tgz": 480,
    "cec2014-expensive/14756-SOMODS.tgz": 44,
    "cec2015-learning/15170-MVMO_learning_based_SORP_optimization.zip": 3060,
    "cec2015-learning/15620-DEsPA-results.tgz": 3060,
    "cec2020-bound/E-24505-results.zip": 1200,
    "cec2020-bound/E24365-IMODE-results.tgz": 1200,
    "cec2020-realworld-constrained/EnMODE-results.tgz": 1425,
    "cec2020-realworld-constrained/BiPopEpsMAgES-results.tgz": 1425,
}
RUNS_OF_SOLVERS = [
    "gams-trace/paver-globallib-linlib-miplib2010.tgz",
    "gams-trace/solvetrace-sample.tgz",
    "mip-logs/mip-logs.tgz",
    "mip-logs/scip-multi-instance-check.tgz",
    "gurobi-logs/k16x240-gurobi-1003.tgz",
    "gurobi-logs/mixed-model-types.tgz",
    "aslib/MIP-2016",
    "aslib/CSP-Minizinc-Time-2016",
    "perprof-cutest",
    "cec2013-niching",
    "cec2006-constrained/fes_to_success.csv",
]


@real
@pytest.mark.parametrize("name", [*TABLES_OF_OTHERS, *RUNS_OF_SOLVERS])
def test_printed_studies_of_real_logs_can_be_rated(tmp_path, capsys, name):
    for i, study in enumerate(printed_studies(capsys, REAL / name, *TABLES_OF_OTHERS.get(name, ())).values()):
        ratio = rated(study, tmp_path / f"out{i}")
        assert ratio.num_rows
        assert any(ratio["included"].to_pylist())


@real
@pytest.mark.parametrize(("name", "trials"), MATRICES_OF_OTHERS.items())
def test_real_matrices_can_be_read_as_the_message_says(tmp_path, name, trials):
    _, result = read_as_told(REAL / name, tmp_path / "out")
    assert len(result.trials) == trials


@real
def test_a_printed_study_of_real_means_can_be_rated(tmp_path, capsys):
    _, study = printed_study(capsys, REAL / "cec2014-expensive/14210-Without-Approx.tgz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rated(study, tmp_path / "out").num_rows == 24


def test_times_with_a_plus_are_failures_at_that_limit(tmp_path):
    (tmp_path / "t.csv").write_text("instance,A,B\np1,7200+,3.5\np2,20,7200 +\np3,3600+,2\n", "utf-8")
    result = Result(tmp_path / "t.csv", tmp_path / "out", wide="algorithm", columns={"problem": "instance"})
    outcomes = {(row["algorithm"], row["problem"]): (row["outcome"], row["time_limit_s"]) for row in result.trials}
    assert outcomes["A", "p1"] == outcomes["B", "p2"] == ("time_limit", 7200)
    assert (outcomes["A", "p3"], outcomes["B", "p3"]) == (("time_limit", 3600), ("solved", None))


def runs_of(suites):
    """A table of solver runs: by suite the solvers and the problems that each has runs on."""
    rows = ["suite,solver,problem,time,status"]
    for suite, solvers in suites.items():
        rows += [f"{suite},{name},{problem},{len(problem)},ok" for name, problems in solvers.items() for problem in problems]
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("suites", "apart", "missing"),
    [
        ({"s": {"A": ["p", "q"], "B": ["q"]}, "t": {"C": ["p"], "D": ["p", "r"]}}, {"s": ["A", "B"], "t": ["C", "D"]}, False),
        # A and C share nothing, but B joins them: one study, in which what is missing counts as failed
        ({"s": {"A": ["p"], "B": ["p", "q"], "C": ["q"]}}, {}, True),
        ({"s": {"A": ["p"], "B": ["p", "q"], "C": ["q"]}, "t": {"D": ["p"]}}, {}, True),
        # no suite tells the groups apart
        ({"s": {"A": ["p"], "B": ["p"], "C": ["q"], "D": ["q"]}}, {"1": ["A", "B"], "2": ["C", "D"]}, False),
        ({"s": {"A": ["p", "q"], "B": ["q"]}}, {}, False),
        (
            {"s": {"A": ["p"], "B": ["p", "q"], "C": ["q"]}, "t": {"D": ["p"], "E": ["p"]}},
            {"s": ["A", "B", "C"], "t": ["D", "E"]},
            True,
        ),
    ],
)
def test_solvers_without_a_common_problem_are_studies_of_their_own(tmp_path, suites, apart, missing):
    (tmp_path / "w.csv").write_text(runs_of(suites), "utf-8")
    columns = {"suite": "suite", "algorithm": "solver", "problem": "problem", "cost": "time", "outcome": "status"}
    report = readers.examine(tmp_path / "w.csv", options={"columns": columns, "outcomes": {"ok": "solved"}})
    assert report["apart"] == apart
    assert ("missing" in report["study"]["measures"]["time"]) == missing
    assert any("a study for each group" in check for check in report["checks"]) == bool(apart)


#: What three repositories publish, in few of their rows: cells of a mean and its deviation, with marks of tests and bold type.
MEANS = {
    "pages.md": (
        {
            "columns": {"problem": "Function"},
            "wide": {"key": "algorithm", "columns": ["GIVP-full mean ± std", "GRASP-only mean ± std"]},
        },
        "| Function | GIVP-full mean ± std | GRASP-only mean ± std | W | p-value | Sig |\n|---|---|---|---|---|---|\n"
        "| Sphere | 2.0692e-04 ± 6.3134e-05 | 2.5144e+00 ± 5.6531e-01 | 0.0 | < 0.0001 | ★ |\n"
        "| Schwefel | 4.9916e+01 ± — | 1.9143e+03 ± 1.6299e+02 | 0.0 | < 0.0001 | ★ |\n",
        {"Sphere": (2.0692e-04, 6.3134e-05, 2.5144, 0.56531), "Schwefel": (49.916, None, 1914.3, 162.99)},
    ),
    "marked.md": (
        {"columns": {"problem": "Problem"}, "wide": "algorithm"},
        "| Problem | `AD-BSA` (Proposed) | `CMA-ES` |\n| :--- | :---: | :---: |\n"
        "| **F1** | **834.28 ± 785.1** | **0.00e+00** (-) |\n| **F3** | **138.19 ± 19.8** | 246.56 ± 19.1 (+) |\n",
        {"F1": (834.28, 785.1, 0, None), "F3": (138.19, 19.8, 246.56, 19.1)},
    ),
    "latex.csv": (
        {"wide": "algorithm"},
        "problem,PSO,DE\nf1,$1.5 \\pm 0.25$,$\\mathbf{2.5e+01 \\pm 1}$\nf2,7+/-2,8 +- 3 ≈\n",
        {"f1": (1.5, 0.25, 25, 1), "f2": (7, 2, 8, 3)},
    ),
    "pairs.csv": (
        {"wide": {"key": "algorithm", "columns": ["A_mean", "B_mean"], "sd": ["A_std", "B_std"]}},
        "problem,A_mean,A_std,B_mean,B_std\np1,1,0.5,2,0\np2,3,,4,1.5\n",
        {"p1": (1, 0.5, 2, 0), "p2": (3, None, 4, 1.5)},
    ),
}


@pytest.mark.parametrize("name", MEANS)
def test_means_with_their_deviations_are_read_as_such(tmp_path, name):
    """A table of means says so, whatever stands between a mean and its deviation; the p value beside them is no algorithm."""
    entry, text, expected = MEANS[name]
    result = Result(folder(tmp_path, {name: text}) / name, tmp_path / "out", **entry)
    found = {}
    for trial in result.trials:
        found[trial["problem"]] = (*found.get(trial["problem"], ()), trial["cost"], trial["cost_sd"])
    assert found == {problem: pytest.approx(numbers, nan_ok=True) for problem, numbers in expected.items()}
    stated = sum(number is not None for numbers in expected.values() for number in numbers[1::2])
    assert stated <= result.counts()["mean_and_sd"] <= len(result.trials)
    assert result.counts()["runs_not_stated"] == len(result.trials)
    (counted,) = ({t["n"] for t in Result(tmp_path / name, tmp_path / "n", **entry, constants={"n": 30}).trials},)
    assert counted == {30}


@pytest.mark.parametrize("above", ["", ",PSO,PSO,DE,DE\n", ",PSO,,DE,\n"])
def test_a_line_above_the_names_is_refused(tmp_path, above):
    path = tmp_path / "t.csv"
    path.write_text(f"{above}problem,PSO mean,PSO std,DE mean,DE std\nF1,0.84,0.03,0.71,0.07\n")
    entry = {"wide": {"key": "algorithm", "except": ["PSO std", "DE std"]}, "format": "table"}
    if above:
        with pytest.raises(UserError, match=r"t.csv:1: the column '(PSO|DE|)' occurs more than once; rename one of them, or say"):
            Result(path, tmp_path / "a", **entry)
    else:
        assert Result(path, tmp_path / "a", **entry).column("algorithm") == ["PSO mean", "DE mean"]
    # a column without a name is no mistake
    path.write_text("problem,A,\np1,TIMEOUT,\np2,3,\n")
    entry = {"wide": {"key": "algorithm", "columns": ["A"]}, "outcomes": {"TIMEOUT": "time_limit"}}
    assert Result(path, tmp_path / "b", format="table", **entry).column("problem") == ["p1", "p2"]


def test_deviations_are_one_for_each_column_of_means(tmp_path):
    path = folder(tmp_path, {"t.csv": MEANS["pairs.csv"][1]}) / "t.csv"
    with pytest.raises(UserError, match="1 column in `sd` for 2 in `columns`; name one for each"):
        readers.examine(path, options={"wide": {"key": "algorithm", "columns": ["A_mean", "B_mean"], "sd": ["A_std"]}})
    with pytest.raises(UserError, match="`wide` names 'A_sd'"):
        readers.examine(path, options={"wide": {"key": "algorithm", "columns": ["A_mean"], "sd": ["A_sd"]}})


def test_columns_of_times_and_of_outcomes_side_by_side_are_asked_about_and_named_for_each_other(tmp_path):
    text = "instance,A_time,A_status,B 2_time,B 2_status\np1,1.5,ok,3,ok\np2,60,timeout,2,ok\n"
    path = folder(tmp_path, {"t.csv": text}) / "t.csv"
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    assert (
        "`wide: {key: algorithm, columns: [...], outcome: [...]}` if some are, and others say how"
        in error.value.asked.questions[0]
    )
    wide = {"key": "algorithm", "columns": ["A_time", "B 2_time"], "outcome": ["A_status", "B 2_status"]}
    entry = error.value.asked.options | {"wide": wide, "algorithm": {"A_time": "A", "B 2_time": "B 2"}}
    proposal, result = read_as_told(path, tmp_path / "out", **entry)
    assert proposal == {"outcomes": {"ok": "solved", "timeout": "time_limit"}}
    rows = [(t["algorithm"], t["problem"], t["outcome"], t["cost"]) for t in result.trials]
    assert rows == [
        ("A", "p1", "solved", 1.5),
        ("B 2", "p1", "solved", 3),
        ("A", "p2", "time_limit", math.inf),
        ("B 2", "p2", "solved", 2),
    ]
    with pytest.raises(UserError, match="1 column in `outcome` for 2 in `columns`"):
        readers.examine(path, options={**entry, "wide": {**wide, "outcome": ["A_status"]}})


def test_what_goes_with_a_mean_and_its_deviation_is_not_compared(tmp_path):
    path = folder(tmp_path, {"t.tsv": "Func\tBest\tWorst\tMean\tStd\n4\t5.8e1\t5.9e1\t5.85e1\t2e-1\n"}) / "t.tsv"
    (proposal,) = told(path, algorithm="A", constants={"n": 51})
    assert proposal == {"columns": {"problem": "Func", "mean": "Mean", "sd": "Std"}}


def test_times_beside_objectives_without_outcomes_are_asked_about(tmp_path):
    path = folder(tmp_path, {"t.csv": "instance,A_obj,A_time,B_obj,B_time\np,9,1.5,9,2\nq,8,2.5,8,3\n"}) / "t.csv"
    with pytest.raises(Incomplete) as error:
        readers.examine(path)
    assert not error.value.proposals
    assert "Which column is compared" in error.value.asked.questions[0]


def test_a_number_in_parentheses_is_a_deviation_as_behind_a_sign(tmp_path):
    path = folder(tmp_path, {"t.csv": "problem,A,B\nf1,1.5 (0.2),2 (1)\n"}) / "t.csv"
    for text in (path.read_text(), re.sub(r"\((.*?)\)", r"± \1", path.read_text())):
        path.write_text(text)
        result = Result(path, tmp_path / "out", wide="algorithm")
        assert list(zip(result.column("cost"), result.column("cost_sd"), strict=True)) == [(1.5, 0.2), (2, 1)]


#: The first runs of a published file of milestones: problem 10 of the CEC 2013 suite of large scale, by IHDELS.
MILESTONES = "120000, 10, 9.497418e+07\n300000, 10, 9.313852e+07\n120000, 10, 9.375730e+07\n300000, 10, 9.349566e+07\n"


def test_runs_that_stand_one_after_the_other_are_no_single_run(tmp_path):
    """Nothing but their evaluations, which begin again, says that the rows are of two runs; the best of both is no run's."""
    path = folder(tmp_path, {"f10.csv": MILESTONES}) / "f10.csv"
    with pytest.raises(UserError, match="Are there no names in the first line"):
        readers.examine(path, format="table", options={"algorithm": "IHDELS"})
    header = ["evaluations", "problem", "value"]
    result = Result(path, tmp_path / "out", format="table", algorithm="IHDELS", header=header)
    assert result.column("run") == [1, 2]
    assert result.column("best_value") == [93138520, 93495660]
    assert (result.trace(0), result.trace(1)) == (
        [(120000, 94974180.0), (300000, 93138520.0)],
        [(120000, 93757300.0), (300000, 93495660.0)],
    )
    assert (result.counts()["runs_in_a_row"], result.first("runs_in_a_row")) == (1, ("f10.csv", 3))


@pytest.mark.parametrize("rows", ["9 1\n3 2\n5 2\n", "3 2\n9 1\n3 2\n", "3 2\n3 1\n5 1\n"])
def test_rows_in_any_order_are_one_run_where_it_can_have_had_them_all(tmp_path, rows):
    path = tmp_path / "t.csv"
    path.write_text(
        "problem,algorithm,evaluations,value\n" + "".join(f"p,A,{row.replace(' ', ',')}\n" for row in rows.split("\n")[:-1])
    )
    result = Result(path, tmp_path / "out")
    assert (result.column("run"), "runs_in_a_row" in result.counts()) == ([1], False)


def test_several_quantities_in_one_column_are_asked_about(tmp_path):
    """What jMetal writes for a study: a row for each indicator of each run."""
    path = tmp_path / "QualityIndicatorSummary.csv"
    rows = [
        f"{a},ZDT1,{i},{run},{number}\n"
        for a in ("NSGAII", "SMPSO")
        for i, number in (("EP", 0.01), ("HV", 0.66))
        for run in (0, 1)
    ]
    path.write_text("Algorithm,Problem,IndicatorName,ExecutionId,IndicatorValue\n" + "".join(rows))
    proposal = {"columns": {"algorithm": "Algorithm", "problem": "Problem", "cost": "IndicatorValue"}}
    result = Result(path, tmp_path / "a", **proposal)
    assert result.counts()["several_quantities"] == 2
    assert [one["rule"] for one in readers.doubts(result.report)] == ["several_quantities"]
    chosen, (question,) = asked(path, **proposal)
    assert "larger values" in question
    result = Result(path, tmp_path / "b", **chosen)
    assert result.column("cost") == [0.01] * 4
    assert "several_quantities" not in result.counts()


def test_quantities_of_both_directions_are_asked_about(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("task,framework,result,metric\np,A,0.9,auc\np,B,0.8,auc\nq,A,0.2,logloss\nq,B,0.1,logloss\n")
    said = {"columns": {"cost": "result", "problem": "task", "algorithm": "framework"}}
    chosen, (question,) = asked(path, **said)
    assert question.startswith("Which 'metric' is to be compared, and are its larger values better")
    result = Result(path, tmp_path / "a", **chosen)
    assert (result.column("problem"), result.column("maximise")) == (["p", "p"], [True, True])
    path.write_text(path.read_text().replace("logloss", "neg_logloss"))
    with pytest.raises(UserError, match="larger values of 'auc' are better"):
        Result(path, tmp_path / "b", **said)
    assert readers.doubts(Result(path, tmp_path / "b", **said, direction="max").report) == []


LONG = {"columns": {"problem": "task", "algorithm": "method", "cost": "value"}}
WIDE = {"columns": {"problem": "task"}, "wide": "algorithm"}


@pytest.mark.parametrize(
    ("name", "text", "entry", "larger"),
    [
        ("accuracies.csv", "task,A,B\np,0.5,0.75\nq,1,2\n", WIDE, "accuracies"),
        ("t.csv", "task,A_acc,B_acc\np,0.5,0.75\nq,1,2\n", WIDE, "A_acc"),
        ("t.csv", "task,qps A,qps B\np,5,7\nq,1,2\n", WIDE, "qps A"),
        ("f1.md", "| task | A | B |\n|---|---|---|\n| p | **5** | 7 |\n| q | 1 | 2 |\n", WIDE, "f1"),
        ("mean_reward.csv", "task,A,B\np,5 ± 1,7 ± 1\nq,1 ± 1,2 ± 1\n", {**WIDE, "constants": {"n": 3}}, "mean_reward"),
        ("scores.csv", "task,method,value\np,A,1\np,B,2\n", LONG, "scores"),
        ("t.csv", "task,method,metric,value\np,A,recall,1\np,B,recall,2\n", LONG, "recall"),
        (
            "t.csv",
            "task,method,ops_per_sec\np,A,1\np,B,2\n",
            {"columns": LONG["columns"] | {"cost": "ops_per_sec"}},
            "ops_per_sec",
        ),
    ],
)
def test_names_of_what_is_better_the_larger_it_is_ask_for_the_direction(tmp_path, name, text, entry, larger):
    """Be it the name of a column, of several that are spread, of a file, or of a metric."""
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=rf"larger values of '{larger}' are better.*`direction: max`, or `direction: min`"):
        Result(tmp_path / name, tmp_path / "a", **entry)
    for direction in ("max", "min"):
        assert {*Result(tmp_path / name, tmp_path / "a", **entry, direction=direction).column("maximise")} == {direction == "max"}


@pytest.mark.parametrize(
    ("name", "text", "entry"),
    [
        ("accuracies.csv", "task,method,time\np,A,1\np,B,2\n", {"columns": LONG["columns"] | {"cost": "time"}}),
        ("accuracies.csv", "task,A time,B time\np,1,2\n", WIDE),
        ("scores.csv", "task,Kappa,Dice\np,1,TO\n", {**WIDE, "outcomes": {"TO": "time_limit"}}),
        ("errors.csv", "task,A,B\np,1,2\n", WIDE),
        ("scores.csv", "task,A,B\np,1,2\n", {**WIDE, "unit": "ms"}),
    ],
)
def test_times_and_errors_need_no_direction_whatever_the_file_is_called(tmp_path, name, text, entry):
    (tmp_path / name).write_text(text)
    assert not any(Result(tmp_path / name, tmp_path / "a", **entry).column("maximise"))


@pytest.mark.parametrize(("role", "name"), [("cost", "time"), ("mean", "mean")])
def test_a_column_of_units_that_is_not_read_is_asked_about(tmp_path, role, name):
    (tmp_path / "t.csv").write_text(f"solver,problem,{name},time_unit\na,p,5,ms\na,q,6,us\nb,p,7,ms\nb,q,8,us\n")
    said = {"columns": {"algorithm": "solver"} | ({} if role == name else {role: name})}
    chosen, (question,) = asked(tmp_path / "t.csv", **said)
    assert question.startswith(f"The column 'time_unit' holds units of time, and the numbers of '{name}' have no unit")
    result = Result(tmp_path / "t.csv", tmp_path / "out", **chosen)
    assert {(t["problem"], t["cost"]) for t in result.trials} == {("p", 0.005), ("q", 6e-6), ("p", 0.007), ("q", 8e-6)}
    (tmp_path / "t.csv").write_text(f"solver,problem,{name},time_unit\na,p,5,s\na,q,6,s\n")
    assert readers.doubts(Result(tmp_path / "t.csv", tmp_path / "more", **said).report) == []


def test_measurements_of_a_run_are_no_runs(tmp_path):
    """Columns of different names beside an algorithm and a problem measure each run."""
    path = folder(
        tmp_path, {"t.csv": "backend,case_name,median_ms,p95_ms,steps\nacados,chain,5.9,9.4,25\ncasadi,chain,360,387,25\n"}
    )
    with pytest.raises(UserError, match="say in `columns` which one holds them"):
        readers.examine(path / "t.csv")


def test_a_quoted_cell_with_commas_is_one_cell_of_a_proposal(tmp_path):
    """A list of times in quotes made the row longer than the header, which was then taken for a row."""
    path = tmp_path / "t.csv"
    path.write_text('solver,status,total,mean_ms,each\nGLPK,optimal,205,4.5,"[2.9, 2.8]"\nCBC,optimal,205,22.7,"[20.5, 22.2]"\n')
    assert all("header" not in proposal for proposal in told(path))


def test_the_name_of_a_page_of_markdown_has_no_suffix(tmp_path):
    path = folder(tmp_path, {"t.md": "| problem | A | B |\n|---|---|---|\n| p | 1 | 2 |\n| q | 3 | 1 |\n"}) / "t.md"
    assert readers.examine(path, options={"wide": "algorithm"})["source"] == "t"


def test_a_question_names_the_first_columns_of_many_and_the_last(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",".join(["problem", *"ABCDEFGHI"]) + "\n" + "p" + ",1" * 9 + "\n" + "q" + ",2" * 9 + "\n")
    (question,) = table.told_by_names(pd.read_csv(path, dtype=str), {}).questions
    assert question.startswith("Which column is compared: 'A', 'B', 'C', 'D', 'E', 'F', ..., 'I'?")


def test_a_folder_with_a_file_that_is_no_table_is_none(tmp_path):
    files = {"a.csv": "problem,algorithm,cost\np,A,1\n", "run.sh": "echo\n"}
    with pytest.raises(UserError, match="no format recognises it"):
        readers.examine(folder(tmp_path / "both", files))
    assert readers.sniff(folder(tmp_path / "one", {"a.csv": files["a.csv"]})).format == "table"


def test_what_is_measured_of_each_run_beside_its_status_is_no_algorithm(tmp_path):
    """A solver's report on CUTEst's problems, in which the status says what became of each."""
    path = tmp_path / "t.txt"
    path.write_text(
        "Name nvar f #obj #grad status\nbroydn7d 10000 1.58e+03 3038 3039 Optimal\nchainwoo 10000 1.7e+04 20001 2 MAXEVAL\n"
    )
    assert all("wide" not in proposal for proposal in told(path))


def test_most_cells_of_a_column_of_numbers_are_numbers_and_all_of_a_column_of_whole_numbers():
    cells = {"names": ["7", "a", "b", "c"], "numbers": ["7", "8", "9", "c"], "words": ["timeout", "timeout", "timeout", "c"]}
    found = pd.DataFrame({**cells, "halves": ["1", "2.0", "2.5", "3"]})
    assert [name for name in found if table_cells.holds_numbers(found[name])] == ["numbers", "halves"]
    runs = pd.DataFrame({"run": found["halves"], "trial": ["1", "2.0", "3", "4"]})
    assert table_cells.keys_named(runs, list(runs), "run") == ["trial"]


def test_letters_of_questions_and_entries_stand_as_they_are():
    assert interface.flow({"except": ["Instância", "é"]}) == "except: [Instância, é]"
    # but where they cannot be seen, or look like others
    assert interface.flow({"a": "x\u202ey"}) == r'a: "x\u202Ey"'
    assert interface.flow({"a": "e\u0301"}) == r'a: "e\u0301"'
