"""What a table leaves open is asked about or refused, and never counts as a cost in silence."""

import math
from functools import partial

import pytest

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers.interface import Incomplete
from tests.readers.making import Result, folder, one_sentence

HEAD = "problem,algorithm,cost"


def written(path, text):
    path.write_text(text)
    return path


def doubtful(path, **options):
    """Rules that the reading of a source leaves to its owner."""
    return {one["rule"] for one in readers.doubts(readers.examine(path, options=options))}


def asked(path, **options):
    """The one entry that is proposed beside the reading, and its questions."""
    (proposal,) = readers.examine(path, options=options)["proposals"]
    return proposal["options"], proposal["questions"]


# ---- statistics of programs -----------------------------------------------------------------------------------------

GOOGLE_CSV = """2026-01-02T03:04:05+00:00
Running ./bench
Run on (8 X 24 MHz CPU s)
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message
"BM_Copy/8",100,20.5,19.5,ns,1e9,,,,
"BM_Copy/8",100,21.5,19.5,ns,1e9,,"a ""label"", quoted",,
"BM_Copy/8_mean",2,21,19.5,ns,1e9,,,,
"BM_Copy/8_median",2,21,19.5,ns,1e9,,,,
"BM_Copy/8_stddev",2,0.7,0.1,ns,1e9,,,,
"BM_Copy/8_cv",2,3.3,0.1,%,1e9,,,,
"BM_Row_mean",100,2,2,us,,,,,
"BM_Bad",,,,,,,,true,"no file"
"BM_Copy_BigO",,1.5,1.5,N,,,,,
"""


def test_statistics_of_google_benchmark_are_no_cases(tmp_path):
    result = Result(written(tmp_path / "old.csv", GOOGLE_CSV), tmp_path / "out")
    found = [(t["problem"], t["algorithm"], t["outcome"], t["cost"]) for t in result.trials]
    assert [row[:3] for row in found] == [
        ("BM_Bad", "old", "error"),
        ("BM_Copy/8", "old", "solved"),
        ("BM_Copy/8", "old", "solved"),
        ("BM_Row_mean", "old", "solved"),
    ]
    assert [row[3] for row in found] == pytest.approx([math.inf, 20.5e-9, 21.5e-9, 2e-6])
    # that rows are left out is said
    assert result.counts()["preset"] == 1 + 3


def test_google_benchmark_with_statistics_alone(tmp_path):
    lines = [line for line in GOOGLE_CSV.splitlines(True) if "BM" not in line or "/8_" in line]
    (trial,) = Result(written(tmp_path / "old.csv", "".join(lines)), tmp_path / "out").trials
    assert (trial["problem"], trial["n"], trial["cost"]) == ("BM_Copy/8", 2, pytest.approx(21e-9))


def test_rows_named_as_statistics_of_others_are_asked_about(tmp_path):
    names = ["a", "a_mean", "a_stddev", "b", "b-median", "c_mean"]
    path = written(tmp_path / "t.csv", HEAD + "\n" + "".join(f"{name},A,{i + 1.5}\n" for i, name in enumerate(names)))
    assert asked(path)[0] == {"where": {"problem": {"not": ["a_mean", "a_stddev", "b-median"]}}}


# ---- times and other costs ------------------------------------------------------------------------------------------


def objectives(name):
    rows = "".join(f"p{i},{s},{'optimal' if i else 'time limit'},{100 + i}\n" for i in range(3) for s in "AB")
    return f"instance,solver,status,{name}\n{rows}"


@pytest.mark.parametrize("name", ["objective", "Best fitness", "Final error"])
def test_an_objective_beside_outcomes_is_no_time_unasked(tmp_path, name):
    path = written(tmp_path / "t.csv", objectives(name))
    with pytest.raises(Incomplete, match="inspect") as error:
        readers.examine(path)
    assert f"{name!r} is by its name none" in error.value.asked.questions[0]
    told = error.value.asked.options
    as_values = Result(path, tmp_path / "a", **told, direction="min")
    assert as_values.column("cost") == [math.inf, math.inf, 101, 101, 102, 102]
    assert {(t["runtime_s"], t["outcome"], t["maximise"]) for t in as_values.trials} == {(None, None, False)}
    assert set(Result(path, tmp_path / "b", **told, direction="max").column("maximise")) == {True}
    as_times = Result(path, tmp_path / "c", **told, unit="s")
    assert as_times.column("outcome") == ["time_limit", "time_limit", *["solved"] * 4]
    with pytest.raises(UserError, match="leave one of them out"):
        readers.examine(path, options={**told, "direction": "min", "time_limit": 9})


def test_words_for_failures_among_costs_that_are_better_when_larger(tmp_path):
    path = written(tmp_path / "t.csv", f"{HEAD[:-4]}accuracy\np,A,0.9\np,B,OOM\n")
    entry = {"columns": {"cost": "accuracy"}, "direction": "max"}
    with pytest.raises(Incomplete, match=r"can be read with `outcomes: \{OOM: memory_limit\}`"):
        readers.examine(path, options=entry)
    result = Result(path, tmp_path / "out", **entry, outcomes={"OOM": "memory_limit"})
    assert [(t["cost"], t["status"]) for t in result.trials] == [(0.9, "solved"), (math.inf, "failed")]


@pytest.mark.parametrize(
    ("gap", "open_gap"), [("0.12", True), ("3.5%", True), ("0.00009", False), ("0.0", False), ("infeasible!", True)]
)
@pytest.mark.parametrize("name", ["gap", "MIP_gap", "Gap (%)"])
def test_a_gap_above_0_is_asked_about(tmp_path, gap, open_gap, name):
    rows = "".join(f"p{i},{s},{i + 1.5},{gap if (i, s) == (2, 'B') else 0}\n" for i in range(4) for s in "AB")
    path = written(tmp_path / "t.csv", f"{HEAD},{name}\n{rows}")
    assert ("outcome_not_used" in doubtful(path)) == open_gap
    if not open_gap:
        return
    options, (question,) = asked(path)
    assert gap in question
    report = readers.examine(path, options=options)
    assert (report["trials"]["solved"], report["trials"]["failed"], report["proposals"]) == (7, 1, [])


@pytest.mark.parametrize("word", ["infeasible!", "see log", "crashed"])
def test_words_among_the_numbers_of_another_column_are_asked_about(tmp_path, word):
    rows = "".join(f"p{i},{s},{i + 1.5},{word if (i, s) == (2, 'B') else 3 * i}\n" for i in range(4) for s in "AB")
    path = written(tmp_path / "t.csv", f"{HEAD},nodes explored\n{rows}")
    assert doubtful(path) == {"outcome_not_used"}
    assert repr(word) in asked(path)[1][0]


@pytest.mark.parametrize("direction", [{}, {"direction": "max"}], ids=["min", "max"])
@pytest.mark.parametrize(
    "cell",
    ["-1", "-999", "9999", "99999.0", "1e20", "1e+30", "1e9", "100000000", "2147483647", "inf", "NA", "nan", "-", "?", "1e308"],
)
def test_what_stands_for_no_cost_is_no_cost_in_silence(tmp_path, cell, direction):
    path = written(tmp_path / "t.csv", f"{HEAD}\np,A,3\np,B,{cell}\nq,A,4.2\nq,B,5\nr,A,7\nr,B,{cell}\n")
    if direction and not cell.startswith("-"):
        return  # what is too large for a cost would come first, and is seen
    try:
        report = readers.examine(path, options=direction)
    except UserError as error:
        one_sentence(error)
        return
    if report["trials"]["failed"] != 2:
        assert "stands_for_none" in {one["rule"] for one in readers.doubts(report)}
        options, _ = asked(path, **direction)
        assert readers.examine(path, options=direction | options)["trials"]["failed"] == 2


@pytest.mark.parametrize("cell", ["900", "99", "9998", "10000", "99990", "12345678"])
def test_usual_numbers_stand_for_themselves(tmp_path, cell):
    path = written(tmp_path / "t.csv", f"{HEAD}\np,A,3\np,B,{cell}\nq,A,4.2\nq,B,5\n")
    assert readers.examine(path)["proposals"] == []


# ---- runs of several files ------------------------------------------------------------------------------------------

COSTS = f"{HEAD}\np,A,{{0}}\nq,A,4\n"
TRACE = "problem,algorithm,evaluations,value\np,A,{0},3\np,A,5{0},2\n"
#: Texts of two files of one algorithm, and how many trials they are if they are repetitions.
FILES = {
    "costs": (COSTS, 4),
    "means": (COSTS.replace("cost", "mean"), 4),
    "improvements that begin again": (TRACE.replace("{0}", "1"), 2),
    "improvements that go on": (TRACE, 2),
    "one seed": (COSTS.replace("cost", "seed,cost").replace("A,", "A,7,"), 4),
    "improvements with a seed": (TRACE.replace("evaluations", "seed,evaluations").replace("A,", "A,7,"), 2),
}


@pytest.mark.parametrize("case", FILES)
def test_files_of_one_algorithm_are_no_repetitions_unasked(tmp_path, case):
    text, trials = FILES[case]
    path = folder(tmp_path / "s", {f"{name}.csv": text.format(i + 3) for i, name in enumerate("ab")})
    with pytest.raises(Incomplete, match=r"a\.csv:2 and b\.csv:2: both have a run of A on p") as error:
        readers.examine(path)
    assert [one.options for one in error.value.proposals] == [{"repetitions": True}]
    result = Result(path, tmp_path / "out", repetitions=True)
    assert len(result.trials) == trials
    assert {t["run"] for t in result.trials} == {1, 2}
    # names of files can tell runs apart
    pattern = {"file_pattern": "{instance}.csv"}
    assert {t["instance"] for t in Result(path, tmp_path / "more", **pattern).trials} == {"a", "b"}


def test_seeds_and_numbers_of_runs_tell_files_apart(tmp_path):
    for name in ("seed", "run"):
        texts = {f"{i}.csv": f"problem,algorithm,{name},cost\np,A,{i},{i + 2}\n" for i in (1, 2)}
        assert len(Result(folder(tmp_path / name, texts), tmp_path / f"{name}-out").trials) == 2


# ---- keys that are there twice --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        (
            "t.json",
            '[{"problem": "p",\n"algorithm": "A", "cost": 1,\n"note": {"cost": 2}, "cost": 3}]',
            "t.json:2 and t.json:3: .* 'cost'",
        ),
        ("t.json", '{"a": [{"time": 1}],\n"b": "{ \\"a\\": ",\n"a": [{"time": 2}]}', "t.json:1 and t.json:3: .* 'a'"),
        ("t.jsonl", '{"problem": "p"}\n{"problem": "p", "pr\\u006fblem": "q"}\n', "t.jsonl:2 and t.jsonl:2: .* 'problem'"),
    ],
)
def test_a_key_of_json_with_two_values_is_refused(tmp_path, name, text, places):
    with pytest.raises(UserError, match=places) as error:
        readers.examine(written(tmp_path / name, text))
    one_sentence(error.value)
    # a key that says the same twice contradicts nothing
    readers.examine(written(tmp_path / "u.json", '[{"problem": "p", "algorithm": "A", "cost": 1, "cost": 1}]'))


def test_a_head_of_perprof_with_two_values_is_refused(tmp_path):
    text = "---\nalgname: A\nmaxtime: 5\nsuccess: c\nmaxtime: 9\n---\np c 1\n"
    with pytest.raises(UserError, match=r"a\.table:3 and a\.table:5: the head has 'maxtime' twice"):
        readers.examine(written(tmp_path / "a.table", text))


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD},optimum\np,A,1,0\nq,A,1,0\np,B,2,5\n",
        "problem,algorithm,evaluations,value,optimum\np,A,1,7,5\n\np,A,2,6,\np,A,3,5,0\n",
    ],
)
def test_two_optima_of_one_problem_are_refused_with_both_places(tmp_path, text):
    with pytest.raises(UserError, match=r"t\.csv:2 and t\.csv:(?:4|5): p has the optimum (?:0 and 5|5 and 0); correct one"):
        readers.examine(written(tmp_path / "t.csv", text))


# ---- limits ---------------------------------------------------------------------------------------------------------


def test_a_limit_is_met_within_what_it_takes_to_stop(tmp_path):
    times = {"p": "3", "q": "600.35", "r": "600", "s": "599.98", "t": "598", "u": "6003.5", "v": "6000.0000001"}
    path = written(tmp_path / "t.csv", HEAD + "\n" + "".join(f"{name},A,{time}\n" for name, time in times.items()))
    result = Result(path, tmp_path / "out", time_limit=600)
    ends = {t["problem"]: (t["outcome"], t["runtime_s"]) for t in result.trials}
    assert ends == {
        "p": ("solved", 3), "q": ("time_limit", 600.35), "r": ("time_limit", 600), "s": ("solved", 599.98), "t": ("solved", 598),
        "u": ("time_limit", None), "v": ("time_limit", None),
    }  # fmt: skip
    # a limit on another clock
    assert doubtful(path, time_limit=600) == {"near_limit"}
    options, questions = asked(path, time_limit=600)
    assert questions == ["1 of 7 times are less than 0.1% below the limit. Did the limit stop these runs?"]
    again = partial(Result, path, tmp_path / "again", **options)()
    assert [t["outcome"] for t in again.trials if t["problem"] == "s"] == ["time_limit"]


# ---- texts in UTF-16, as a shell of Windows writes them -------------------------------------------------------------


def test_logs_and_results_in_utf_16(tmp_path):
    from tests.readers.test_mip_log import SCIP

    for name, text in (("air04.log", SCIP), ("go.txt", "pkg: x\nBenchmarkSort-8   \t 1000\t   1500 ns/op\n")):
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode("utf-16"))
        assert len(Result(tmp_path / name, tmp_path / f"{name}.out").trials) == 1


def test_sizes_of_problems_are_not_taken_for_numbers_of_runs_unasked(tmp_path):
    head = "problem,n,algorithm,mean,sd\n"
    sizes = written(tmp_path / "t.csv", head + "p,20,A,3,1\np,20,B,4,1\nq,50,A,5,1\nq,50,B,6,1\n")
    assert doubtful(sizes) == {"sizes_as_runs"}
    entry, (question,) = asked(sizes)
    assert (entry, question[:34]) == ({"columns": {"dimension": "n"}}, "Is 'n' the size of each problem? I")
    assert doubtful(sizes, columns={"n": "n"}) == set()
    assert Result(sizes, tmp_path / "a", format="table", **entry).column("dimension") == [20, 20, 50, 50]
    for runs in ("p,20,A,3,1\np,30,B,4,1\nq,50,A,5,1\nq,50,B,6,1\n", "p,20,A,3,1\np,20,B,4,1\nq,20,A,5,1\nq,20,B,6,1\n"):
        assert doubtful(written(tmp_path / "t.csv", head + runs)) == set()


@pytest.mark.parametrize("name", ["passed", "test_ok", "Completed"])
def test_runs_that_did_not_pass_are_not_solved_unasked(tmp_path, name):
    rows = f"problem,algorithm,cost,{name}\np,A,3,True\np,B,4,False\nq,A,5,True\nq,B,6,True\n"
    path = written(tmp_path / "t.csv", rows)
    assert doubtful(path) == {"outcome_not_used"}
    entry, _ = asked(path)
    assert Result(path, tmp_path / "a", format="table", **entry).column("outcome") == ["solved", "unknown", "solved", "solved"]


@pytest.mark.parametrize("cells", ["{}", "{} ± 0.1"], ids=["costs", "means"])
@pytest.mark.parametrize(("none", "empty"), [("nan", "missing"), ("-", "failure"), ("N/A", "missing")])
def test_words_for_none_are_empty_where_an_entry_says_what_empty_cells_are(tmp_path, cells, none, empty):
    rows = [f"{p},{cells.format(1.5)},{cells.format(2.5) if p == 'p' else none}" for p in "pq"]
    path = written(tmp_path / "t.csv", "problem,A,B\n" + "\n".join(rows) + "\n")
    with pytest.raises(
        UserError,
        match=rf"t\.csv:3: column 'B' is '{none}'; expected a number or inf \(or declare `empty: failure` or",
    ):
        Result(path, tmp_path / "a", format="table", wide="algorithm")
    result = Result(path, tmp_path / "b", format="table", wide="algorithm", empty=empty)
    assert result.counts()[f"empty_is_{empty}"] == 1
    assert result.column("cost") == [1.5, 2.5, 1.5] + [float("inf")] * (empty == "failure")


def test_costs_beside_outcomes_and_times_are_no_times_unasked(tmp_path):
    path = written(tmp_path / "t.csv", "problem,algorithm,status,cost,time\np,A,optimal,590,1.5\np,B,optimal,610,2.5\n")
    columns = {"outcome": "status"}
    with pytest.raises(
        UserError, match=r"'cost' may be none beside 'time'; say `direction: min` or .*, or name the times in `columns`"
    ):
        Result(path, tmp_path / "a", format="table", columns=columns)
    for n, (entry, costs) in enumerate(
        (
            ({"direction": "min"}, [590, 610]),
            ({"unit": "ms"}, [0.59, 0.61]),
            ({"columns": {**columns, "cost": "time"}}, [1.5, 2.5]),
        )
    ):
        assert Result(path, tmp_path / str(n), format="table", **{"columns": columns, **entry}).column("cost") == costs


def test_a_backslash_in_a_name_of_a_table_in_markdown_is_none_of_it(tmp_path):
    text = "# Costs\n\n| problem | algorithm | cost (\\$) |\n| --- | --- | --- |\n| p | A | 7.50 |\n| q | A | inf |\n"
    path = written(tmp_path / "t.md", text)
    result = Result(path, tmp_path / "a", format="table", lines="3-6", columns={"cost": "cost ($)"})
    assert result.column("cost") == [7.5, float("inf")]
    with pytest.raises(UserError, match=r"it has problem, algorithm, cost \(\$\)"):
        readers.examine(path, format="table", options={"lines": "3-6"})


def test_a_file_that_is_called_alike_for_every_algorithm_names_none(tmp_path):
    path = written(tmp_path / "results.csv", VNN.format("sat", 6.5))
    with pytest.raises(UserError, match=r"no column gives 'algorithm'; .* name it \(`algorithm: \.\.\.`\)"):
        readers.examine(path)
    assert Result(path, tmp_path / "a", algorithm="crown").column("algorithm") == ["crown"]
    assert Result(written(tmp_path / "nnv.csv", VNN.format("sat", 6.5)), tmp_path / "b").column("algorithm") == ["nnv"]


def test_a_column_that_is_none_is_not_corrected_to_one_that_no_person_knows(tmp_path):
    path = written(tmp_path / "t.csv", "solver,model,cost\nA,p,1.5\n")
    with pytest.raises(UserError, match=r"takes 'problem' from 'line', which is no .*; it has solver, model, cost"):
        readers.examine(path, format="table", options={"columns": {"problem": "line"}})


VNN = "acasxu,onnx/n.onnx,vnnlib/p.vnnlib,1.5,{},{}\n"


def test_folders_with_files_of_one_name_are_several_algorithms(tmp_path):
    for tool, result in (("crown", "sat"), ("nnv", "unknown")):
        (tmp_path / "vnn" / tool / "2025").mkdir(parents=True)
        written(tmp_path / "vnn" / tool / "2025/results.csv", VNN.format(result, 6.5))
    with pytest.raises(UserError) as error:
        readers.examine(tmp_path / "vnn")
    assert str(error.value).startswith(
        "crown/2025/results.csv and nnv/2025/results.csv: the files have the same name, and nothing"
    )
    assert "`file_pattern`, as in `{algorithm}/{}/results.csv`" in str(error.value)
    # a folder of one verifier has folders of benchmarks
    assert "results.csv`), or its name if all are of one (`algorithm: ...`)" in str(error.value)
    (tmp_path / "one" / "acasxu").mkdir(parents=True)
    (tmp_path / "one" / "nn4sys").mkdir()
    written(tmp_path / "one/acasxu/results.csv", VNN.format("sat", 6.5))
    written(tmp_path / "one/nn4sys/results.csv", VNN.replace("acasxu", "nn4sys").format("unsat", 2.5))
    found = Result(tmp_path / "one", tmp_path / "o", algorithm="crown").trials
    assert [(t["algorithm"], t["suite"], t["cost"]) for t in found] == [("crown", "acasxu", 6.5), ("crown", "nn4sys", 2.5)]
    result = Result(tmp_path / "vnn", tmp_path / "a", format="table", file_pattern="{algorithm}/{}/results.csv")
    assert [(t["algorithm"], t["outcome"]) for t in result.trials] == [("crown", "solved"), ("nnv", "unknown")]


def test_an_outcome_is_asked_for_only_where_the_cost_tells_none(tmp_path):
    text = "benchmark,solver,wallclock time,result\na,X,TIMEOUT,\na,Y,2.5,SATISFIABLE\nb,X,1.5,UNSATISFIABLE\nb,Y,CRASHED,{}\n"
    entry = {"columns": {"problem": "benchmark", "algorithm": "solver", "cost": "wallclock time", "outcome": "result"}}
    entry |= {"outcomes": {"SATISFIABLE": "solved", "UNSATISFIABLE": "solved", "TIMEOUT": "time_limit", "CRASHED": "error"}}
    path = written(tmp_path / "t.csv", text.format(""))
    assert Result(path, tmp_path / "a", **entry).column("outcome") == ["time_limit", "solved", "solved", "error"]
    with pytest.raises(UserError) as asked:
        readers.examine(path)
    assert "do the words" not in str(asked.value)
    path = written(tmp_path / "u.csv", text.format("").replace("2.5,SATISFIABLE", "2.5,").replace("1.5,UNS", "1.5,S"))
    with pytest.raises(UserError, match=r"u\.csv:3: column 'result' is empty"):
        readers.examine(path, format="table", options=entry)


# ---- what names of columns say --------------------------------------------------------------------------------------


def test_a_column_of_bests_is_asked_about(tmp_path):
    path = written(tmp_path / "t.csv", "problem,A,B,best\np,3,4,3\nq,5,6,5\n")
    assert doubtful(path, wide="algorithm") == {"row_of_totals"}
    options, (question,) = asked(path, wide="algorithm")
    assert options == {"where": {"algorithm": {"not": ["best"]}}}
    assert question == "The algorithm 'best' has a name for what is computed from the others. Is it one of theirs?"
    result = Result(path, tmp_path / "out", wide="algorithm", **options)
    assert (result.report["algorithms"], result.counts()) == (["A", "B"], {"not_chosen": 2})


def test_a_unit_in_the_name_of_a_column_is_asked_about(tmp_path):
    path = written(tmp_path / "t.csv", "problem,algorithm,time_ms,status\np,A,1500,ok\nq,A,10,ok\n")
    entry = {"columns": {"cost": "time_ms", "outcome": "status"}, "outcomes": {"ok": "solved"}}
    assert doubtful(path, **entry) == {"unit_not_used"}
    options, questions = asked(path, **entry)
    assert (options, questions) == ({"unit": "ms"}, ["Is 'time_ms' in ms?"])
    result = Result(path, tmp_path / "out", **entry, **options)
    assert (result.column("runtime_s"), result.counts()) == ([1.5, 0.01], {})
    assert not doubtful(path, **entry, unit="s")
    path = written(tmp_path / "u.csv", "problem,algorithm,time_ms\np,A,1500 ms\nq,A,1 s\n")
    assert not doubtful(path, columns={"cost": "time_ms"})


def test_a_negative_time_beside_the_cost_is_refused(tmp_path):
    path = written(tmp_path / "t.csv", "problem,algorithm,cost,runtime_s\np,A,3,1\nq,A,4,-5\n")
    with pytest.raises(UserError, match=r"t\.csv:3: column 'runtime_s' is '-5'; expected a time of 0 or more"):
        readers.examine(path)
