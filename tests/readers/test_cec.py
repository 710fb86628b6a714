"""Matrices of the CEC competitions: layouts, names, pairs, shapes."""

import io
import math

import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs as measured
from benchmill.readers import cec
from tests.readers.making import Result, folder, one_sentence, zipped

LAYOUT = {"files": "{algorithm}_{function}_{dimension}.txt", "fractions": [0.1, 0.5, 1.0], "budget_per_dimension": 100}
BY_POWERS = {"files": LAYOUT["files"], "fractions": "D^(k/5-3)", "budget_per_dimension": 100}
#: Three checkpoints by two runs.
TWO_RUNS = "9.0e+00 7\n4 7\n4 1e-9\n"


@pytest.fixture
def read(tmp_path):
    def read(logs, /, **options):
        source = folder(tmp_path / "source", logs)
        return Result(source, tmp_path / "out", format="cec", **options)

    return read


def test_rows_are_checkpoints(read):
    result = read({"A_3_10.txt": TWO_RUNS}, **LAYOUT)
    assert result.column("problem") == ["f3", "f3"]
    assert result.column("algorithm") == ["A", "A"]
    assert result.column("dimension") == [10, 10]
    assert result.column("run") == [1, 2]
    assert result.column("budget") == [1000, 1000]
    assert result.column("best_value") == [4, 1e-9]
    assert result.column("status") == ["failed", "solved"]
    assert result.column("value_kind") == ["difference"] * 2
    assert [result.trace(0), result.trace(1)] == [[(100, 9), (500, 4)], [(100, 7), (1000, 1e-9)]]
    assert not result.counts()


@pytest.mark.parametrize(
    "text",
    [
        "9.0e+00   7\r\n4   7\r\n4   1e-9\r\n",
        "9,7\n4,7\n4,1e-9\n",
        " 9e+000;7\n\n4;7\n  4;1E-009\n",
        "9.0D+00\t7\t\n4\t7\n4\t1d-9\t",
        "\ufeff9 7\n4 7\n4 1e-9\n",
    ],
)
def test_separators_line_ends_and_exponents(read, text):
    result = read({"A_3_10.txt": text}, **LAYOUT)
    assert [result.trace(0), result.trace(1)] == [[(100, 9), (500, 4)], [(100, 7), (1000, 1e-9)]]


def test_rows_are_runs_after_a_header_and_labels(read):
    text = "f3 0.1 0.5 1.0\n Run  1   9 \t4 \t4\n Run  2   7 \t7 \t1e-9\n"
    result = read({"A_3_10.txt": text}, **LAYOUT, rows="runs", header=1, labels=2)
    assert [result.trace(0), result.trace(1)] == [[(100, 9), (500, 4)], [(100, 7), (1000, 1e-9)]]
    assert [s.rsplit(":", 1)[1] for s in result.column("source")] == ["2", "3"]


def test_names_without_a_separator_and_functions_before_dimensions(read):
    result = read(
        {"IMODE10_5.txt": TWO_RUNS, "IMODE2_5.txt": TWO_RUNS}, **{**LAYOUT, "files": "{algorithm}{function}_{dimension}.*"}
    )
    assert result.column("problem") == ["f2", "f2", "f10", "f10"]
    assert result.report["algorithms"] == ["IMODE"]


def test_the_first_pattern_that_fits_counts_and_other_files_are_noted(read):
    files = {"deep/A-x_3_10.txt": TWO_RUNS, "B_F4_D10.dat": TWO_RUNS.upper() + "\n", "readme.txt": "hello"}
    patterns = ["{algorithm}_{function}_{dimension}.txt", "{algorithm}_F{function}_D{dimension}.*"]
    result = read(files, **{**LAYOUT, "files": patterns})
    assert result.report["algorithms"] == ["A-x", "B"]
    assert result.counts() == {"file_not_matched": 1}


def test_a_folder_can_be_the_algorithm_and_a_problem_a_word(read):
    result = read({"DE/sphere_10.txt": TWO_RUNS}, **{**LAYOUT, "files": "{problem}_{dimension}.txt"})
    assert (result.column("algorithm")[0], result.column("problem")[0]) == ("DE", "sphere")


def test_a_folder_of_a_dimension_is_no_algorithm(tmp_path, read):
    files = {f"{folder}/F{function}_10D.txt": TWO_RUNS for folder in ("DE/10D", "PSO/D10", "GA/10") for function in (1, 2)}
    layout = {**LAYOUT, "files": "F{function}_{dimension}D.txt"}
    assert set(read(files, **layout).column("algorithm")) == {"DE", "GA", "PSO"}
    # without another folder the source is one of all
    only = folder(tmp_path / "only", {f"{d}D/F1_{d}D.txt": TWO_RUNS for d in (10, 30)})
    assert readers.examine(only, format="cec", options=layout)["algorithms"] == ["only"]
    flat = zipped(tmp_path / "flat.zip", {f"F{function}_10D.txt": TWO_RUNS for function in (1, 2)})
    assert readers.examine(flat, format="cec", options=layout)["algorithms"] == ["flat"]


def test_digits_at_the_end_of_an_algorithm_are_no_function(tmp_path):
    text = ("5 " * 30 + "\n") * 16
    source = folder(tmp_path / "s", {f"j2020{function}_10.txt": text for function in (1, 10)})
    with pytest.raises(UserError, match=r"j20201_10\.txt: the name does not fit"):
        readers.examine(source, options={"preset": "cec2020"})
    report = readers.examine(source, options={"preset": "cec2020", "files": "j2020{function}_{dimension}.txt"})
    assert report["problems"] == ["f1", "f10"]


def test_a_folder_may_tell_the_dimension(read):
    files = {f"A/D{d}/F{function}.csv": TWO_RUNS for d in (10, 30) for function in (1, 2)}
    result = read(files, **{**LAYOUT, "files": "{algorithm}/D{dimension}/F{function}.*"})
    assert {(t["algorithm"], t["problem"], t["dimension"]) for t in result.trials} == {
        ("A", f"f{function}", d) for d in (10, 30) for function in (1, 2)
    }


def test_checkpoints_of_2020_are_powers_of_the_dimension(read):
    text = "".join(f"{100 - k} 5\n" for k in range(16))
    result = read({"A_1_5.txt": text, "A_1_10.txt": text}, preset="cec2020", runs=2)
    assert result.column("budget") == [50_000, 50_000, 1_000_000, 1_000_000]
    times = [evaluations for evaluations, _ in result.trace(0)]
    assert times == [round(5 ** (k / 5 - 3) * 50_000) for k in range(16)]
    assert (times[0], times[5], times[10], times[15]) == (400, 2000, 10_000, 50_000)
    assert result.trace(1) == [(400, 5)]


def test_the_last_row_of_2022_tells_when_the_error_vanished(read):
    rows = [f"{v} 3" for v in (9.0,) * 14 + (0.0, 0.0)] + ["70000 200000"]
    result = read({"A_1_10.txt": "\n".join([*rows, ""])}, preset="cec2022")
    before = round(10 ** (13 / 5 - 3) * 200_000)
    assert before == 79621
    assert result.trace(0)[-1] == (126191, 0.0)  # 70000 is before the 14th checkpoint, where the error is still 9
    rows[-1] = "90000 200000"
    other = read({"A_1_10.txt": "\n".join([*rows, ""])}, preset="cec2022")
    assert other.trace(0)[-1] == (90_000, 0.0)
    assert other.trace(1) == [(200, 3.0)]
    assert other.counts() == {"runs_differ": 1}
    assert result.counts() == {"evaluations_disagree": 1, "runs_differ": 1}
    # entrants of 2022 state the number of the checkpoint, or the budget in any case, in that row
    for stated in ("1 1", "15 17", "200000 200000"):
        one = read({"A_1_10.txt": "\n".join(["0 3"] + ["0 0"] * 15 + [stated, ""])}, preset="cec2022")
        assert one.trace(0) == [(200, 0.0)]
        assert one.trace(1) == [(200, 3.0), (317, 0.0)]
        assert one.counts() == {"evaluations_disagree": 2, "runs_differ": 1}


def test_every_preset_reads_a_matrix_of_its_shape(tmp_path):
    for name, preset in cec.PRESETS.items():
        count = 16 if isinstance(preset["fractions"], str) else len(preset["fractions"])
        matrix = np.linspace(2, 1, count)[:, None] * np.ones(preset["runs"])
        if preset.get("rows") == "runs":
            matrix = matrix.T
        if preset.get("evaluations_row"):
            matrix = np.vstack([matrix, np.full(preset["runs"], 10)])
        text = "".join(" ".join(f"{v:.7e}" for v in row) + "\n" for row in matrix)
        pairs = "violations" in preset
        file = "A_RC1__F.txt" if pairs else "A_(011)_1_10.txt" if name == "cec2021" else "A_1_10.txt"
        source = folder(tmp_path / name, {file: text, **({"A_RC1__CV.txt": text} if pairs else {})})
        # how entrants name their files is said by the preset, or left to the source
        layout = {} if "files" in preset else {"files": "{algorithm}_{function}_{dimension}.*"}
        if layout:
            with pytest.raises(UserError, match=r"with `files: '\{algorithm\}_\{function\}_\{dimension\}\.\*'` in its entry"):
                Result(source, tmp_path / "out", format="cec", preset=name)
        result = Result(source, tmp_path / "out", format="cec", preset=name, **layout)
        assert len(result.trials) == preset["runs"]
        assert not result.counts()
        assert len(result.trace(0)) == count


def test_large_scale_milestones_and_the_real_world_of_2011(tmp_path):
    text = "9 8\n5 8\n1 2\n"
    named = {"files": "{algorithm}_{function}.txt", "format": "cec", "runs": 2}
    source = folder(tmp_path / "s", {"A_1.txt": text, "A_13.txt": text})
    large = Result(source, tmp_path / "out", preset="cec2013_large_scale", **named)
    assert large.trace(0) == [(120_000, 9), (600_000, 5), (3_000_000, 1)]
    assert large.column("dimension") == [1000, 1000, 905, 905]
    real = Result(source, tmp_path / "out", preset="cec2011_real_world", **named)
    assert real.trace(0) == [(50_000, 9), (100_000, 5), (150_000, 1)]
    assert set(real.column("value_kind")) == {"absolute"}


TENTHS = tuple(range(1, 11))
#: By preset, dimension (of pairs the number of the problem): the evaluations at which the technical reports ask for values.
CHECKPOINTS = {
    ("cec2010_constrained", 10): (20_000, 100_000, 200_000),
    ("cec2010_constrained", 30): (60_000, 300_000, 600_000),
    ("cec2010_large_scale", 1000): (120_000, 600_000, 3_000_000),
    ("cec2013", 10): (1000, *(10_000 * k for k in TENTHS)),
    ("cec2014", 30): (3000, 6000, 9000, 15_000, *(30_000 * k for k in TENTHS)),
    ("cec2014_expensive", 20): tuple(100 * k for k in TENTHS),
    ("cec2015_learning", 10): (10, 100, 1000, 2000, 3000, 4000, 5000, *(10_000 * k for k in TENTHS)),
    ("cec2017", 50): (5000, 10_000, 15_000, 25_000, *(50_000 * k for k in TENTHS)),
    ("cec2024", 30): tuple(300 * k for k in range(1, 1001)),
    # RC1, RC2, RC6, RC34 and RC36 have 9, 11, 38, 118 and 158 variables
    ("cec2020_real_world", 1): tuple(10_000 * k for k in TENTHS),
    ("cec2020_real_world", 2): tuple(20_000 * k for k in TENTHS),
    ("cec2020_real_world", 6): tuple(40_000 * k for k in TENTHS),
    ("cec2020_real_world", 34): tuple(80_000 * k for k in TENTHS),
    ("cec2020_real_world", 36): tuple(100_000 * k for k in TENTHS),
}


@pytest.mark.parametrize(("preset", "number"), CHECKPOINTS)
def test_checkpoints_are_those_of_the_reports(read, preset, number):
    expected = CHECKPOINTS[preset, number]
    falling = [str(len(expected) - k) for k in range(len(expected))]
    text = " ".join(falling) + "\n" if preset == "cec2014_expensive" else "".join(f"{value}\n" for value in falling)
    pairs = preset == "cec2020_real_world"
    files = {f"A_RC{number}_F.txt": text, f"A_RC{number}_CV.txt": "0\n" * len(expected)} if pairs else {f"A_1_{number}.txt": text}
    named = {} if "files" in cec.PRESETS[preset] else {"files": "{algorithm}_{function}_{dimension}.*"}
    result = read(files, preset=preset, runs=1, **named)
    assert [evaluations for evaluations, _ in result.trace(0)] == list(expected)
    assert result.column("budget") == [expected[-1]]
    assert not result.counts()


def test_values_above_all_optima_are_asked_about(tmp_path):
    """Errors are small where the function is easy, and objective values are above the optima, 300 to 2700 in 2022."""
    optima = cec._DATA["optima"]["cec2022"]

    def read(name, ends, **options):
        rows = {f"A_{i}_10.txt": f"{1e9 + i} 2e9\n" * 15 + f"{end!r} {end + 9!r}\n" for i, end in enumerate(ends, 1)}
        source = folder(tmp_path / name, rows)
        return source, Result(source, tmp_path / f"{name}_out", preset="cec2022", runs=2, **options)

    source, result = read("values", [optimum + 5e-9 * (i % 2) for i, optimum in enumerate(optima)])
    assert result.counts() == {"values_in_doubt": 1}
    assert result.first("values_in_doubt")[0] == "A_1_10.txt"
    assert set(result.column("status")) == {"failed"}
    (proposal,) = readers.examine(source, options={"preset": "cec2022", "runs": 2})["proposals"]
    assert proposal["options"] == {"values": "absolute"}
    _, result = read("stated", optima, values="absolute")
    assert not result.counts()
    assert result.column("optimum") == [optimum for optimum in optima for _ in range(2)]
    assert result.column("status") == ["solved", "failed"] * 12
    assert not read("errors", [0.5, *optima[1:]])[1].counts()
    assert not read("few", optima[:4])[1].counts()


def test_functions_of_2024_may_be_numbered_in_a_row_too(read):
    result = read({f"A_{number}_10.txt": f"{number}\n" * 1000 for number in range(1, 30)}, preset="cec2024", runs=1)
    assert result.counts() == {"numbered_in_a_row": 1}
    assert result.first("numbered_in_a_row")[0] == "A_2_10.txt"


def test_pairs_named_without_a_mark_between_algorithm_and_function(tmp_path):
    matrix = "2 1\n" * 10
    source = folder(tmp_path / "s", {"sCMAgES21_F.txt": matrix, "sCMAgES21_CV.txt": matrix})
    result = Result(source, tmp_path / "out", format="cec", preset="cec2020_real_world", runs=2)
    assert result.report["algorithms"] == ["sCMAgES"]
    assert result.column("problem") == ["RC21", "RC21"]


# ---- what is wrong --------------------------------------------------------------------------------------------------


def test_a_run_that_gets_worse(read):
    result = read({"A_1_10.txt": "5 9 9\n6 8 8\n4 7 7\n"}, **LAYOUT)
    assert result.trace(0) == [(100, 5), (1000, 4)]
    assert result.counts() == {"running_minimum": 1}


def test_columns_that_are_no_runs(read):
    files = {"A_1_10.txt": "5 9 9\n6 10 8\n4 7 7\n"}
    result = read(files, **LAYOUT)
    assert result.counts() == {"columns_are_not_runs": 1}
    assert [result.trace(i) for i in range(3)] == [[(1000, 4)], [(1000, 7)], [(1000, 7)]]
    forced = read(files, **LAYOUT, switch_off=["columns_are_not_runs"])
    assert forced.counts() == {"running_minimum": 2}
    assert forced.trace(1) == [(100, 9), (1000, 7)]


def test_infinite_and_absent_values(read):
    result = read({"A_1_10.txt": "Inf 5 NaN\n3 4 Inf\n2 4 inf\n"}, **LAYOUT)
    assert [result.trace(i) for i in range(3)] == [[(500, 3), (1000, 2)], [(100, 5), (500, 4)], []]
    assert result.column("best_value") == [2, 4, None]
    assert result.column("status") == ["failed"] * 3
    assert result.counts() == {"no_value": 4}


@pytest.mark.parametrize(
    ("text", "rule", "detail"),
    [
        ("1 2\n1 2\n", "wrong_shape", "it has 2 rows and 2 columns, expected 3 checkpoints in the rows"),
        ("3 2 1\n3 2 1\n", "wrong_shape", r"rows and columns may be exchanged"),
        ("3 2\n1\n1 1\n", "wrong_shape", "the row has 1 numbers, the first one 2"),
        ("", "wrong_shape", "there is no number"),
        ("3 2\n1 x\n1 1\n", "not_a_number", "found 'x'"),
        ("3 2\n1 1_0\n1 1\n", "not_a_number", "found '1_0'"),
        (b"\x00\xff\x9f3 2\n", "not_a_number", "found"),
        ("100 3\n500 2\n1000 1\n", "wrong_shape", "its first column counts up, as evaluations do"),
        ("0.1 3\n0.5 2\n1 1\n", "wrong_shape", "leave it out (`labels: 1`)"),
    ],
)
def test_a_file_of_another_shape_is_refused_and_its_runs_are_missing(read, text, rule, detail):
    result = read({"A_1_10.txt": TWO_RUNS, "A_2_10.txt": text}, **LAYOUT, runs=2)
    assert result.counts() == {rule: 1}
    entry = result.report["irregularities"][0]
    assert entry["file"] == "A_2_10.txt"
    assert detail in entry["detail"].replace("\n", " ")
    assert result.report["trials"]["missing"] == 2
    assert result.report["missing"][0]["problem"] == "f2"


def test_evaluations_before_the_runs_of_a_checkpoint_are_labels(read, tmp_path):
    rows = [f"{400 * 2**k}," + ",".join(str(900 - k - run) for run in range(30)) for k in range(16)]
    text = "\n".join(["NFE," + ",".join(f"Run{run}" for run in range(1, 31)), *rows]) + "\n"
    source = folder(tmp_path / "s", {"A_1_10.csv": text})
    with pytest.raises(UserError, match=r"`preset: cec2020, header: 1, labels: 1`"):
        readers.examine(source, format="cec")
    report = readers.examine(source, format="cec", options={"preset": "cec2020", "header": 1, "labels": 1})
    assert report["trials"]["found"] == report["trials"]["expected"] == 30
    turned = read({"A_1_10.txt": "100 500 1000\n3 2 1\n2 2 1\n"}, **LAYOUT, rows="runs", header=1)
    assert turned.column("best_value") == [1, 1]
    with pytest.raises(UserError, match=r"first row counts up.*`header: 1`"):
        readers.examine(tmp_path / "source", format="cec", options={**LAYOUT, "rows": "runs"})


def test_fewer_and_more_runs_than_promised(read):
    result = read(
        {"A_1_10.txt": "3 2\n2 2\n1 1\n", "A_2_10.txt": "3\n2\n1\n", "A_3_10.txt": "3 2 1\n2 2 1\n1 1 1\n"}, **LAYOUT, runs=2
    )
    assert result.counts() == {"runs_differ": 2}
    trials = result.report["trials"]
    assert (trials["found"], trials["missing"], trials["unexpected"]) == (6, 1, 1)


def test_two_files_of_one_problem(read):
    result = read({"a/A_1_10.txt": TWO_RUNS, "b/A_1_10.txt": TWO_RUNS}, **LAYOUT)
    assert result.counts() == {"several_files": 1}
    assert len(result.trials) == 2


def test_a_layout_that_is_not_known_names_the_presets_that_fit(tmp_path):
    text = "\n".join("5 " * 30 for _ in range(16))
    source = zipped(tmp_path / "s.zip", {"A_1_10.txt": text, "A_2_10.txt": text})
    assert readers.sniff(source).format == "cec"
    with pytest.raises(UserError, match=r"16 x 30 numbers.*`preset: cec2020` or with `preset: cec2021, files") as error:
        readers.examine(source)
    one_sentence(error.value)


def test_the_preset_that_fits_as_it_is_comes_first(tmp_path):
    source = folder(tmp_path / "s", {"A_1_10.txt": "5 " * 30 + "\n" + ("4 " * 30 + "\n") * 15 + "200000 " * 30 + "\n"})
    with pytest.raises(UserError, match=r"numbers\); it can be read with `preset: cec2022` or with `preset: cec2020, eval"):
        readers.examine(source)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({**BY_POWERS, "budget": {"5": 10}}, "`budget` has no number for dimension 10"),
        ({**BY_POWERS, "files": "{algorithm}_{function}_*", "budget": 10}, "the dimension is not known"),
        ({**LAYOUT, "files": "{algorithm}.txt"}, "must have either"),
        ({**LAYOUT, "files": "{algo}_{function}.txt"}, "must have either"),
        ({**LAYOUT, "fractions": [0.5, 0.1, 1.0]}, "ascending"),
        ({**LAYOUT, "fractions": [0.5]}, "end in 1"),
        ({**LAYOUT, "fractions": []}, "option 'fractions'"),
        ({"preset": "cec2021x"}, "option 'preset'"),
        ({**LAYOUT, "statistics": ["mean"]}, "need the number of `runs`"),
        ({"fractions": [1.0], "budget": 10}, "say `files`"),
    ],
)
def test_mistakes_in_the_entry(read, options, message):
    with pytest.raises(UserError, match=message) as error:
        read({"A_1_10.txt": TWO_RUNS if options.get("fractions") != "D^(k/5-3)" else "1\n" * 16}, **options)
    one_sentence(error.value)


# ---- pairs and statistics -------------------------------------------------------------------------------------------

PAIRS = {
    **LAYOUT,
    "files": "{algorithm}_RC{function}_F*",
    "violations": "{algorithm}_RC{function}_CV*",
    "dimension": 2,
    "values": "absolute",
}


def test_violation_counts_before_value(read):
    """Run 1: the infeasible -5 is worse than the feasible 3. Run 2: less violation, then a better value. Run 3: none feasible."""
    files = {"A_RC07_F.txt": "-5 9 Inf\n3 9 2\n2.5 8 1\n", "A_RC07_CV.txt": "0.5 2 1\n0 1 1\n0 1 4\n"}
    result = read(files, **PAIRS, problem="RC{function}")
    assert result.column("problem") == ["RC7"] * 3
    assert result.column("best_value") == [2.5, 8, 2]
    assert result.column("violation") == [0, 1, 1]
    rows = [(r["trial"], r["evaluations"], r["value"], r["violation"]) for r in result.traces.to_pylist()]
    assert rows == [
        (0, 20, -5, 0.5), (0, 100, 3, 0), (0, 200, 2.5, 0),
        (1, 20, 9, 2), (1, 100, 9, 1), (1, 200, 8, 1),
        (2, 100, 2, 1),
    ]  # fmt: skip
    assert result.counts() == {"no_value": 1, "running_minimum": 1}
    assert result.column("status") == ["failed"] * 3


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("digits", [4, 9])
@pytest.mark.parametrize(
    "behind",
    [
        lambda x: (x.min(axis=1), x.max(axis=1), np.median(x, axis=1), x.mean(axis=1), x.std(axis=1, ddof=1)),
        lambda x: (x.mean(axis=1), x.std(axis=1)),
        lambda x: (x.max(axis=1), x.mean(axis=1)),
    ],
)
def test_statistics_behind_the_runs_are_no_runs(read, behind, digits, across):
    """They are not counted as runs, and what is left without them is read."""
    runs = np.sort(10 ** np.random.default_rng(1).normal(2, 2, (3, 8)), axis=0)[::-1]
    many = np.column_stack([runs, *behind(runs)])

    def text(values):
        return "\n".join(" ".join(f"{v:.{digits}e}" for v in row) for row in (values.T if across else values)) + "\n"

    options = {**LAYOUT, **({"rows": "runs"} if across else {})}
    with pytest.raises(UserError, match=rf"numbers 9 to {many.shape[1]} of a checkpoint are statistics of the first 8"):
        read({"A_1_10.txt": text(many)}, **options)
    assert read({"A_1_10.txt": text(runs)}, **options).column("run") == [*range(1, 9)]


@given(seed=st.integers(0, 2**32 - 1), stuck=st.booleans(), solved=st.integers(0, 12))
def test_runs_are_not_taken_for_statistics(seed, stuck, solved):
    """Not even where runs stand still, end in one value, or are as good as all others."""
    values = np.minimum.accumulate(10 ** np.random.default_rng(seed).normal(2, 2, (5, 12)), axis=0)
    values = np.repeat(values[:1], 5, axis=0) if stuck else values
    values[2:, :solved] = 0
    assert cec._runs_of_statistics(values) is None


def test_where_half_of_the_runs_get_worse_they_are_runs(read):
    """For them to be none, more than half must."""
    half = read({"A_1_10.txt": "5 9\n6 8\n4 7\n"}, **LAYOUT)
    assert half.counts() == {"running_minimum": 1}
    assert (half.trace(0), half.trace(1)) == ([(100, 5), (1000, 4)], [(100, 9), (500, 8), (1000, 7)])
    more = read({"A_1_10.txt": "5 9 9\n6 8 10\n4 7 3\n"}, **LAYOUT)
    assert more.counts() == {"columns_are_not_runs": 1}
    assert more.trace(0) == [(1000, 4)]


def test_a_matrix_that_is_there_twice_is_noted(read):
    result = read({"A_1_10.txt": TWO_RUNS, "A_2_10.txt": TWO_RUNS, "A_3_10.txt": TWO_RUNS.replace("7", "8")}, **LAYOUT)
    assert (len(result.trials), result.counts()) == (6, {"same_content": 1})
    assert result.first("same_content") == ("A_2_10.txt", None)
    assert not read({"A_1_10.txt": "0 0\n0 0\n0 0\n", "A_2_10.txt": "0 0\n0 0\n0 0\n"}, **LAYOUT).counts()


def test_half_a_pair(read):
    names = ("A_RC1_F", "A_RC1_CV", "A_RC2_F", "A_RC3_CV", "A_RC4_F")
    files = {f"{name}.txt": TWO_RUNS for name in names} | {"A_RC4_CV.txt": "1\n1\n1\n"}
    result = read(files, **PAIRS, runs=2)
    assert result.counts() == {"half_pair": 2, "runs_differ": 1, "wrong_shape": 1, "same_content": 1}
    assert len(result.trials) == 2
    assert result.report["trials"]["missing"] == 6
    # where nobody says how many runs there are, none is missing
    assert read(files, **PAIRS).report["trials"]["missing"] == 0


def test_matrices_in_files_of_matlab(tmp_path):
    """Three entrants of 2024 handed in `RDE_F1_Min_EV.mat` and the like, in MATLAB's own format."""
    binary = io.BytesIO()
    scipy.io.savemat(binary, {"data": np.ones((1001, 25))})
    source = folder(tmp_path / "s", {"RDE_F1_Min_EV.mat": binary.getvalue()})
    for path, options in ((source, {}), (source / "RDE_F1_Min_EV.mat", {}), (source, {"format": "cec"})):
        with pytest.raises(
            UserError, match=r"RDE_F1_Min_EV\.mat: it is a binary file of MATLAB; write its matrix as text"
        ) as error:
            Result(path, tmp_path / "out", **options)
        one_sentence(error.value)
    # what the message names is a text of commas, which is read
    text = "".join(",".join(["1"] * 25) + "\n" for _ in range(1000))
    folder(source, {"RDE_F1_D30.txt": text})
    mixed = Result(
        source, tmp_path / "out", preset="cec2024", files=["{algorithm}_F{function}_D{dimension}.*", "{algorithm}_F{function}_*"]
    )
    assert (len(mixed.trials), mixed.counts()) == (25, {"not_a_number": 1})


def test_means_in_place_of_runs(read):
    files = {"A_1_10.txt": "AVG 9 4 2\nMED 7 3 2\n"}
    result = read(files, **LAYOUT, rows="runs", labels=1, statistics=["mean", "median"], runs=20)
    assert result.column("n") == [20]
    assert result.trace(0) == [(100, 9), (500, 4), (1000, 2)]
    assert result.counts() == {"other_statistics": 1}


# ---- properties -----------------------------------------------------------------------------------------------------


@given(st.data())
def test_the_best_so_far_of_any_matrix(tmp_path_factory, data):
    shape = (3, data.draw(st.integers(1, 5)))
    cells = st.sampled_from([0.0, 0.5, 1.0, 2.0, math.inf])
    value = np.array(data.draw(st.lists(cells, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))).reshape(shape)
    violation = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=value.size, max_size=value.size))).reshape(
        shape
    )
    tmp = tmp_path_factory.mktemp("m")
    files = {
        f"A_RC1_{what}.txt": "".join(" ".join(map(str, row)) + "\n" for row in m) for what, m in (("F", value), ("CV", violation))
    }
    result = Result(folder(tmp / "s", files), tmp / "out", format="cec", **PAIRS)
    for run in range(shape[1]):
        best, expected = None, []
        for checkpoint in range(3):
            pair = (violation[checkpoint, run], value[checkpoint, run])
            if math.isfinite(pair[1]) and (best is None or pair < best):
                best = pair
                expected.append(((20, 100, 200)[checkpoint], pair[1]))
        assert result.trace(run) == expected
        assert (result.trials[run]["violation"], result.trials[run]["best_value"]) == (best or (None, None))


@pytest.mark.parametrize("between", [" ", "\t", ";", " ; ", "   "])
def test_decimal_commas_are_no_separators(read, between):
    """Two runs of three checkpoints, as a spreadsheet of most of Europe prints them."""
    rows = [("9,5", "7,25"), ("4,5", "7,0E+00"), ("4", "1,5e-9")]
    result = read({"A_1_10.txt": "".join(between.join(row) + "\n" for row in rows)}, **LAYOUT)
    assert [result.trace(0), result.trace(1)] == [[(100, 9.5), (500, 4.5), (1000, 4)], [(100, 7.25), (500, 7), (1000, 1.5e-9)]]
    assert (result.counts(), result.first("decimal_comma")) == ({"decimal_comma": 1}, ("A_1_10.txt", 1))


@pytest.mark.parametrize(
    "text",
    ["9, 7\n4, 7\n4, 1e-9\n", "9,7\n4,7\n4,1e-9\n", "9.0 ,7\n4.0 ,7\n4.0 ,1e-9\n", "9,7.0\t\n4,7.0\t\n4,1e-9\t\n"],
)
def test_commas_between_numbers_are_separators(read, text):
    result = read({"A_1_10.txt": text}, **LAYOUT)
    assert [result.trace(0), result.trace(1)] == [[(100, 9), (500, 4)], [(100, 7), (1000, 1e-9)]]
    assert result.counts() == {}


def test_a_declared_separator_leaves_commas_to_the_numbers(read):
    result = read({"A_1_10.txt": "9,5;7\n4,5;7\n4;1,5e-9\n"}, **LAYOUT, separator=";")
    assert result.column("best_value") == [4, 1.5e-9]
    assert result.counts() == {"decimal_comma": 1}
    with pytest.raises(UserError, match="found '5 7', expected a number"):
        read({"A_1_10.txt": "9,5 7,2\n4,5 7,2\n4,1 1,2\n"}, **LAYOUT, separator=",")


def test_placeholders_are_no_values_yet_and_failures_at_such_budgets(read):
    """1e300 is what a logger begins with: the run has its first value at the next checkpoint, or never."""
    rows = "1e300 1.0e+300 5\n8 1e300 4\n6 1e300 1e99\n"
    result = read({"A_3_10.txt": rows}, **LAYOUT)
    assert result.column("best_value") == [6, None, 4]
    assert [result.trace(number) for number in range(3)] == [[(500, 8), (1000, 6)], [], [(100, 5), (500, 4)]]
    assert result.counts() == {"placeholder": 4, "running_minimum": 1}
    assert result.first("placeholder") == ("A_3_10.txt", 1)
    trials = storage.read(result.files[0], "trials")
    with pytest.warns(UserWarning, match="nothing is recorded of problem f3"):
        costs = measured("fixed_budget", trials, result.traces, "m", {"budgets": {"evaluations": [100, 500, 1000]}})
    inf = math.inf
    assert costs["cost"].to_pylist() == [inf, 8, 6, inf, inf, inf, 5, 4, 4]


def test_a_placeholder_with_a_small_violation_hides_no_value(read):
    pair = {"files": "{algorithm}_{function}_F.txt", "violations": "{algorithm}_{function}_CV.txt", "dimension": 2}
    files = {"A_1_F.txt": "1e300\n7\n6\n", "A_1_CV.txt": "0\n1\n1\n"}
    result = read(files, **{**LAYOUT, **pair})
    assert result.trace(0) == [(100, 7), (200, 6)]
    again = read({"A_1_F.txt": "5\n7\n6\n", "A_1_CV.txt": "1e300\n1\n1\n"}, **{**LAYOUT, **pair})
    assert (again.trace(0), again.counts()) == ([(100, 7), (200, 6)], {"placeholder": 1})


def test_the_problems_of_the_real_world_have_their_numbers_of_variables(read):
    """Kumar et al., Swarm and Evolutionary Computation 56, 100693, 2020, as the competition's own code states them."""
    files = {f"A_RC{number}_{what}.txt": "1\n" * 10 for number in range(1, 58) for what in ("F", "CV")}
    result = read(files, preset="cec2020_real_world", runs=1)
    variables = dict(zip(result.column("problem"), result.column("dimension"), strict=True))
    assert len(variables) == 57
    assert [variables[f"RC{number}"] for number in (1, 8, 34, 57)] == [9, 2, 118, 64]
    assert (sum(variables.values()), sum(int(name[2:]) * d for name, d in variables.items())) == (2069, 80105)


def test_commas_that_may_stand_between_thousands_are_refused(read):
    result = read({"A_1_10.txt": "1,500 4,250\n1,100 2,000\n1,000 1,000\n", "A_2_10.txt": "5 4\n3 2\n1 1\n"}, **LAYOUT)
    assert result.column("problem") == ["f2", "f2"]
    assert result.first("not_a_number") == ("A_1_10.txt", 1)
    # no thousands begin with 0
    result = read({"A_1_10.txt": "1,500 4,250\n1,100 2,000\n1,000 0,750\n"}, **LAYOUT)
    assert (result.trace(1)[-1], result.counts()) == ((1000, 0.75), {"decimal_comma": 1})
