"""ASlib's algorithm runs: repetitions, statuses, penalised times."""

import gzip
import math
import os
from pathlib import Path

import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from tests.readers.making import Result, folder, one_sentence

REAL = os.environ.get("BENCHMILL_REAL_DATA")
real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA is not set")

ARFF = """@relation ALGORITHM_RUNS_Toy
% a comment
@ATTRIBUTE instance_id STRING
@attribute repetition NUMERIC
@ATTRIBUTE algorithm STRING
@ATTRIBUTE PAR10 NUMERIC
@ATTRIBUTE runstatus {ok, timeout, memout, not_applicable, crash, other}

@Data
i1,1,A,1.5,ok
i1,2,A,1.25,ok
% in between
i1,1,B,1000,timeout
i1,2,B,100.4,timeout
i2,1,A,1000,memout
i2,1,B,3,crash
"""
ABOUT = "scenario_id: Toy-2020\nperformance_measures:\n  - PAR10\nmaximize:\n  - false\nperformance_type:\n  - runtime\n" + (
    "algorithm_cutoff_time: 100\n"
)


@pytest.fixture
def read(tmp_path):
    def read(arff=ARFF, about=ABOUT, **options):
        files = {"s/algorithm_runs.arff": arff} | ({"s/description.txt": about} if about else {})
        source = folder(tmp_path / str(len(list(tmp_path.iterdir()))), files)
        return Result(source, tmp_path / "out", **options)

    return read


def test_runs_statuses_and_penalised_times(read):
    result = read()
    assert result.report["format"] == "aslib"
    names = ("problem", "algorithm", "run", "cost", "runtime_s", "outcome", "source")
    assert [tuple(t[n] for n in names) for t in result.trials] == [
        ("i1", "A", 1, 1.5, 1.5, "solved", "s/algorithm_runs.arff:10"),
        ("i1", "A", 2, 1.25, 1.25, "solved", "s/algorithm_runs.arff:11"),
        ("i1", "B", 1, math.inf, None, "time_limit", "s/algorithm_runs.arff:13"),
        ("i1", "B", 2, math.inf, 100.4, "time_limit", "s/algorithm_runs.arff:14"),
        ("i2", "A", 1, math.inf, None, "memory_limit", "s/algorithm_runs.arff:15"),
        ("i2", "B", 1, math.inf, 3, "error", "s/algorithm_runs.arff:16"),
    ]
    assert set(result.column("cost_budget")) == {100.0}
    assert set(result.column("suite")) == {"Toy-2020"}
    assert result.counts() == {"penalised_time": 2}


def test_a_file_in_utf_16(read):
    assert read(ARFF.encode("utf-16")).trials == read().trials


def test_without_a_description_nothing_is_known_of_the_limit(read):
    result = read(about=None)
    assert set(result.column("suite")) == {"Toy"}
    assert result.column("cost_budget") == [None] * 6
    assert result.column("runtime_s") == [1.5, 1.25, None, None, None, None]
    assert result.counts() == {"penalised_time": 4, "limit_not_stated": 4}
    assert read(about=None, time_limit=100).column("runtime_s") == [1.5, 1.25, None, 100.4, None, 3]


def test_ok_with_the_time_of_a_failure(read):
    result = read(ARFF.replace("1000,timeout", "1000,ok").replace("100.4,timeout", "100.4,ok"))
    assert result.column("outcome")[2:4] == ["time_limit", "solved"]
    assert result.counts() == {"penalised_ok": 1, "solved_beyond_limit": 1, "penalised_time": 1}
    with pytest.raises(UserError, match="penalised_ok"):
        read(ARFF.replace("1000,timeout", "1000,ok"), switch_off=["penalised_ok"])


def test_broken_rows_are_refused(read):
    result = read(ARFF + "i3,1,A,2\ni3,1,A,x,ok\ni3,1,A,?,ok\ni3,1,A,?,crash\ni4,1,A,1,weird\ni5,1,A,1.")
    assert result.counts() == {"penalised_time": 2, "malformed_line": 2, "measure_missing": 1, "unknown_status": 1, "cut_line": 1}
    assert len(result.trials) == 8
    assert result.first("malformed_line") == ("s/algorithm_runs.arff", 17)
    # of the commas that a row should have, one is in quotes
    assert read(ARFF + "'i3,x',1,A,2\n").first("malformed_line") == ("s/algorithm_runs.arff", 17)
    # whether cells are too few or too many, a blank line and a comment above it
    assert read(ARFF + "\n% note\ni3,1,A,2,ok,ok\n").first("malformed_line") == ("s/algorithm_runs.arff", 19)
    with pytest.raises(UserError, match="twice"):
        read(ARFF + "i1,2,A,1,ok\n")


def test_several_measures_need_a_choice(read):
    text = ARFF.replace("@ATTRIBUTE PAR10", "@ATTRIBUTE quality NUMERIC\n@ATTRIBUTE PAR10")
    text = "\n".join(f"{line.replace(',A,', ',A,7,').replace(',B,', ',B,8,')}" for line in text.split("\n"))
    assert read(text).column("cost")[:2] == [1.5, 1.25]
    with pytest.raises(UserError, match="several measures"):
        read(text, about=None)
    assert read(text, about=None, measure="quality").column("cost")[:2] == [7.0, 7.0]


@pytest.mark.parametrize(("quality", "yes"), [("solution_quality", "true"), ("quality", "yes"), ("quality", "false")])
def test_quality_is_no_time(read, quality, yes):
    about = ABOUT.replace("runtime", quality).replace("false", yes)
    result = read(ARFF.replace(",1.5,", ",-1.5,"), about, time_limit=100)
    assert result.column("maximise") == [yes != "false"] * 6
    assert result.column("outcome") == [None] * 6
    assert result.column("cost") == [-1.5, 1.25] + [math.inf] * 4
    assert result.column("best_value") == [-1.5, 1.25, 1000, 100.4, 1000, 3]
    for name in ("runtime_s", "cost_budget", "time_limit_s"):
        assert result.column(name) == [None] * 6
    assert result.counts() == {}


def test_an_accuracy_without_a_description_is_no_time(read):
    text = ARFF.replace("PAR10", "predictive_accuracy")
    with pytest.raises(UserError, match="by its name larger values of 'predictive_accuracy' are better; put") as error:
        read(text, about=None)
    one_sentence(error.value)
    about = ABOUT.replace("PAR10", "predictive_accuracy").replace("runtime", "quality").replace("false", "true")
    assert set(read(text, about).column("maximise")) == {True}


def test_comments_in_a_description_are_none_of_its_values(read):
    about = (
        ABOUT.replace("  - false", "  - true  # yes")
        .replace("time: 100", "time: 100 # s")
        .replace("  - runtime", "  - quality # no time")
    )
    assert set(read(about=about).column("maximise")) == {True}
    assert set(read(about=ABOUT.replace("time: 100", "time: 100 # s")).column("time_limit_s")) == {100.0}


def test_scenarios_of_times_keep_their_outcomes_beside_one_of_quality(tmp_path):
    quality = {
        "a/algorithm_runs.arff": ARFF,
        "a/description.txt": ABOUT.replace("runtime", "solution_quality").replace("Toy", "Q"),
    }
    source = folder(tmp_path / "s", quality | {"b/algorithm_runs.arff": ARFF, "b/description.txt": ABOUT})
    result = Result(source, tmp_path / "out")
    words = ["solved", "solved", "time_limit", "time_limit", "memory_limit", "error"]
    assert [t["outcome"] for t in result.trials if t["suite"] == "Toy-2020"] == words


def test_the_direction_of_a_measure_that_the_description_does_not_name_is_not_guessed(read):
    text = ARFF.replace("@ATTRIBUTE PAR10", "@ATTRIBUTE rmse_not_applicable NUMERIC\n@ATTRIBUTE PAR10")
    text = text.replace(",A,", ",A,7,").replace(",B,", ",B,8,")
    about = (
        ABOUT.replace("- PAR10", "- accuracy\n  - rmse")
        .replace("false", "true\n  - false")
        .replace("- runtime", "- quality\n  - quality")
    )
    with pytest.raises(UserError, match=r"are accuracy, rmse; correct the name of 'rmse_not_applicable' in it") as error:
        read(text, about, measure="rmse_not_applicable")
    one_sentence(error.value)
    result = read(text, about.replace("- rmse", "- rmse_not_applicable"), measure="rmse_not_applicable")
    assert set(result.column("maximise")) == {False}


def test_each_measure_has_its_own_type_and_direction(read):
    about = (
        "scenario_id: T\nperformance_measures: PAR10,quality\nmaximize: false,true\nperformance_type: runtime,solution_quality\n"
    )
    keys = {"performance_measures": "PAR10 quality", "maximize": "false true", "performance_type": "runtime solution_quality"}
    lists = "scenario_id: T\n" + "".join(f"{k}:\n" + "".join(f"- {v}\n" for v in two.split()) for k, two in keys.items())
    text = ARFF.replace("@ATTRIBUTE PAR10", "@ATTRIBUTE quality NUMERIC\n@ATTRIBUTE PAR10")
    text = text.replace(",A,", ",A,7,").replace(",B,", ",B,8,")
    for stated in (about, lists):
        stated += "algorithm_cutoff_time: 100\n"
        quality = read(text, stated, measure="quality")
        assert set(quality.column("maximise")) == {True}
        assert set(quality.column("runtime_s")) == {None}
        assert set(quality.column("cost_budget")) == {None}
        times = read(text, stated)
        assert set(times.column("maximise")) == {False}
        assert set(times.column("cost_budget")) == {100.0}


def test_packed_files_in_a_folder(tmp_path):
    source = folder(tmp_path / "s", {"algorithm_runs.arff.gz": gzip.compress(ARFF.encode()), "description.txt": ABOUT})
    assert readers.examine(source)["trials"]["found"] == 6
    (source / "algorithm_runs.arff.gz").write_bytes(gzip.compress(ARFF.encode())[:-30])
    with pytest.raises(UserError, match="cannot be read"):
        readers.examine(source, format="aslib")


def test_headers_that_are_none(read):
    for text in ("@relation x\nnonsense\n", ARFF.replace("@Data", "% data"), ARFF.replace("instance_id", "inst"), "@data\n"):
        with pytest.raises(UserError) as error:
            read(text, format="aslib")
        one_sentence(error.value)


@real
def test_real_scenarios(tmp_path):
    """Statuses as `cut -d, -f5 | sort | uniq -c` counts them; 112306 of 124240 runs of TSP-LION2015 are ok."""
    expected = {"TSP-LION2015": (124240, 112306), "MIP-2016": (1090, 872), "CSP-Minizinc-Time-2016": (2000, 1001)}
    trials = {}
    for name, counts in expected.items():
        files = [tmp_path / name for name in ("trials.parquet", "traces.parquet", "report.json")]
        report = readers.ingest(Path(REAL) / "aslib" / name, files, name=name)
        assert (report["trials"]["found"], report["trials"]["solved"]) == counts
        assert report["trials"]["missing"] == 0
        assert report["suites"] == [name]
        trials[name] = storage.read(files[0], "trials").to_pandas()
    tsp, mip = trials["TSP-LION2015"], trials["MIP-2016"].query("status == 'failed'")
    assert tsp["run"].value_counts().to_dict() == dict.fromkeys(range(1, 11), 12424)
    assert tsp["runtime_s"].notna().all()
    assert mip["runtime_s"].isna().all()
    assert set(mip["cost_budget"]) == {7200.0}


def test_binary_data_are_no_rows(read):
    with pytest.raises(UserError, match="binary") as error:
        read(ARFF + "i3,1,A\0,2,ok\n")
    one_sentence(error.value)


def test_files_of_other_names_are_no_runs_where_there_are_several(tmp_path):
    assert readers.sniff(folder(tmp_path / "one", {"runs.arff": ARFF})).format == "aslib"
    with pytest.raises(UserError, match=r"there is no algorithm_runs\.arff in it"):
        readers.examine(folder(tmp_path / "two", {"runs.arff": ARFF, "feature_values.arff": ARFF}))


def test_blanks_behind_commas_and_a_limit_that_is_no_number(read):
    spaced = ARFF.replace(",ok", ", 'ok'").replace(",timeout", ", 'timeout'")
    assert read(spaced).column("outcome") == read().column("outcome")
    result = read(about=ABOUT.replace("time: 100", "time: 1.0.0"))
    assert set(result.column("time_limit_s")) == {None}
    assert result.counts()["limit_not_stated"] == 4
    assert read(about=ABOUT.replace("time: 100", "time: -5")).counts()["impossible_time"] == 6
