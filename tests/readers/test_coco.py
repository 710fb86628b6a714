import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers import coco
from benchmill.readers.archive import open_view
from benchmill.readers.interface import Report
from tests.readers.making import OPTIMA, SMALL, Result, block, folder, header, info, one_sentence, tar, zipped

DAT, TDAT = "W/data_f1/bbobexp_f1_DIM2.dat", "W/data_f1/bbobexp_f1_DIM2.tdat"
INFO = "W/bbobexp_f1.info"


@pytest.fixture
def read(tmp_path):
    """Read the small logs with some files changed or (None) left out."""

    def read(changes=None, **options):
        files = {name: text for name, text in {**SMALL, **(changes or {})}.items() if text is not None}
        source = folder(tmp_path / "logs", files)
        return Result(source, tmp_path / "out", **options)

    return read


def one(entries, dat, tdat, **more):
    """Files of function 1 in dimension 2 alone."""
    return {INFO: info(1, 2, entries, **more), DAT: dat, TDAT: tdat, **{n: None for n in SMALL if "DIM3" in n}}


def test_every_trial_has_its_trace_budget_and_status(read):
    result = read()
    assert [(t["problem"], t["dimension"], t["instance"], t["run"]) for t in result.trials] == [
        ("f1", 2, "1", 1),
        ("f1", 2, "2", 1),
        ("f1", 3, "1", 1),
        ("f1", 3, "2", 1),
    ]
    assert result.trace(0) == [(1, 30.0), (2, 28.0), (4, 2.5), (9, 0.0)]
    assert result.trace(1) == [(1, 20.0), (7, 1.5e-3)]
    assert result.trace(2) == [(1, 9.0), (3, 8.0), (5, 0.3)]
    assert result.trace(3) == [(1, 5.0), (2, 0.4)]
    assert result.column("budget") == [40, 50, 60, 60]
    assert result.column("best_value") == [0.0, 1.5e-3, 0.3, 0.4]
    assert result.column("optimum") == [79.48, 394.48, 79.48, 394.48]
    assert result.column("status") == ["solved", "failed", "failed", "failed"]
    assert set(result.column("value_kind")) == {"difference"}
    assert set(result.column("maximise")) == {False}
    assert set(result.column("suite")) == {"bbob"}
    assert set(result.column("algorithm")) == {"Walker"}
    assert result.column("source")[1] == f"{DAT}:5"
    assert result.report["irregularities"] == []
    assert result.report["trials"] == {
        "expected": 4, "found": 4, "missing": 0, "unexpected": 0, "solved": 1, "failed": 3, "ill_finalised": 0,
    }  # fmt: skip
    assert result.report["budget"] == {"min": 40, "median": 55.0, "max": 60, "total": 210}
    assert result.report["rows"] == {"read": 19, "kept": 11}
    assert result.report["instances"] == "1-2"


def test_the_keys_of_the_trace_are_those_of_the_trial(read):
    result = read()
    for row in result.traces.to_pylist():
        trial = result.trials[row["trial"]]
        assert all(row[k] == trial[k] for k in ("suite", "problem", "dimension", "instance", "algorithm", "run"))


def test_old_and_new_format_agree(tmp_path):
    rows = [(1, 30.0), (4, 2.5), (9, 0.25)]
    old = one(["1:9|2.5e-01"], block(1, rows), block(1, rows[:1] + rows[2:]))
    new = one(["1:9|2.5e-01"], block(1, rows, new=True), block(1, rows[:1] + rows[2:], new=True), suite="bbob")
    # The new format leaves out the variables in large dimensions.
    new[DAT] = new[DAT].replace(" +1.0000e+00 -2.0000e+00", "")
    results = []
    for kind, files in (("old", old), ("new", new)):
        source = folder(tmp_path / kind, {n: t for n, t in files.items() if t})
        results.append(Result(source, tmp_path / f"{kind}.out"))
    assert results[0].trials == results[1].trials
    assert results[0].traces.equals(results[1].traces)


def test_backslashes_line_ends_and_three_digit_exponents(read):
    def old_windows(text):
        return text.replace("e-", "e-0").replace("e+", "e+0")

    files = {name: old_windows(text) for name, text in SMALL.items()}
    files[INFO] = files[INFO].replace("data_f1/", "data_f1\\").replace("\n", "\r\n").rstrip("\r\n")
    changed, plain = read(files), None
    plain = read({n: t for n, t in SMALL.items()})
    assert changed.trials == plain.trials
    assert changed.traces.equals(plain.traces)


def test_carriage_returns_and_tabs_in_data_files(read):
    plain = read()
    changed = read({name: text.replace("\n", "\r\n").replace(" +", "\t +") for name, text in SMALL.items() if "dat" in name})
    assert changed.traces.equals(plain.traces)


def test_order_of_members_and_kind_of_archive_do_not_matter(tmp_path):
    names = sorted(SMALL)
    sources = [
        folder(tmp_path / "logs", SMALL),
        tar(tmp_path / "a.tgz", SMALL),
        tar(tmp_path / "b.tar", {n: SMALL[n] for n in reversed(names)}, "w"),
        tar(tmp_path / "c.tar.xz", {n: SMALL[n] for n in names[2:] + names[:2]}, "w:xz"),
        zipped(tmp_path / "d.zip", {n: SMALL[n] for n in reversed(names)}),
    ]
    made = [Result(source, tmp_path / f"out{i}").files for i, source in enumerate(sources)]
    for files in made[1:]:
        assert [f.read_bytes() for f in files[:2]] == [f.read_bytes() for f in made[0][:2]]


def test_two_reads_give_the_same_bytes(tmp_path):
    source = tar(tmp_path / "a.tgz", SMALL)
    files = [Result(source, tmp_path / str(i)).files for i in range(2)]
    assert [f.read_bytes() for f in files[0]] == [f.read_bytes() for f in files[1]]


def test_several_folders_and_one_file_a_trial(tmp_path):
    files = {}
    for instance in (1, 2, 10):
        files[f"W/run{instance}/f1.info"] = info(1, 2, [f"{min(instance, 3)}:5|1.0e+00"], data="d.dat")
        files[f"W/run{instance}/d.dat"] = block(min(instance, 3), [(1, 9.0), (5, 1.0)])
        files[f"W/run{instance}/d.tdat"] = block(min(instance, 3), [(1, 9.0), (5, 1.0)])
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert result.column("instance") == ["1", "2", "3"]
    assert result.column("source") == ["W/run1/d.dat:1", "W/run2/d.dat:1", "W/run10/d.dat:1"]


def test_repeated_instances_are_runs(read):
    entries = ["1:5|1.0e+00", "2:5|1.0e+00", "1:6|1.0e+00", "1:7|1.0e+00"]
    data = "".join(block(i, [(1, 9.0), (e, 1.0)]) for i, e in ((1, 5), (2, 5), (1, 6), (1, 7)))
    result = read(one(entries, data, data))
    assert [(t["instance"], t["run"], t["budget"]) for t in result.trials] == [("1", 1, 5), ("2", 1, 5), ("1", 2, 6), ("1", 3, 7)]
    assert result.report["instances"] == "1 ×3, 2"


def test_runs_with_the_same_rows_are_noted(read):
    """As of a log that was appended to itself; what has few values, or whole ones, may well agree by chance."""

    def told(values):
        rows = list(enumerate(values, 1))
        files = one(["1:9|1.0e-01", "1:9|1.0e-01"], 2 * block(1, rows), 2 * block(1, [(9, values[-1])]))
        return read(files).counts().get("same_rows", 0)

    assert told([9.5, 8.25, 7.5, 6.75, 0.125]) == 1
    assert told([9.5, 8.25, 7.5, 6.75]) == told([9.0, 8.0, 7.0, 6.0, 5.0, 4.0]) == 0


def test_logs_in_utf_16(tmp_path):
    expected = Result(folder(tmp_path / "a", SMALL), tmp_path / "a_out")
    files = {name: text.encode("utf-16") for name, text in SMALL.items()}
    result = Result(folder(tmp_path / "b", files), tmp_path / "b_out")
    assert result.trials == expected.trials
    assert result.traces == expected.traces


def test_a_header_that_is_lost_gives_no_runs_to_another_dimension(read):
    lines = SMALL[INFO].splitlines(keepends=True)
    result = read({INFO: "".join(lines[:3] + lines[5:])})
    assert result.column("dimension") == [2, 2]
    assert result.first("info_unreadable") == (INFO, 4)


def test_a_copy_of_a_listing_lists_no_further_runs(read):
    result = read({INFO.replace(".info", " (1).info"): SMALL[INFO]})
    assert (len(result.trials), result.counts()) == (4, {"info_unreadable": 1})


def test_several_data_files_on_one_line(tmp_path):
    line = ["1:5|1.0e+00", "data_f1/more.dat", "2:5|1.0e+00"]
    files = {
        INFO: info(1, 2, line),
        DAT: block(1, [(1, 9.0), (5, 1.0)]),
        TDAT: block(1, [(5, 1.0)]),
        "W/data_f1/more.dat": block(2, [(1, 8.0), (5, 1.0)]),
        "W/data_f1/more.tdat": block(2, [(5, 1.0)]),
    }
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert result.column("instance") == ["1", "2"]
    assert result.trace(1) == [(1, 8.0), (5, 1.0)]
    assert not result.counts()


def test_a_bare_instance_number_is_an_unfinished_trial(read):
    result = read({INFO: SMALL[INFO].replace(", 2:60|4.0e-01", ", 2")})
    assert result.column("status") == ["solved", "failed", "failed", "ill_finalised"]
    assert result.column("budget") == [40, 50, 60, 60]
    assert result.report["trials"]["ill_finalised"] == 1
    assert result.counts() == {"unfinished_trial": 1}
    assert result.first("unfinished_trial") == (INFO, 6)


def test_data_beyond_the_stated_budget_count(read):
    result = read({INFO: SMALL[INFO].replace("2:50|", "2:45|")})
    assert result.column("budget")[1] == 50
    assert result.counts() == {"budget_from_trace": 1}
    assert result.first("budget_from_trace") == (INFO, 3)
    with pytest.raises(UserError, match=r"f1\.info:3.*45 evaluations.*reach 50.*strict"):
        read({INFO: SMALL[INFO].replace("2:50|", "2:45|")}, strict=True)
    with pytest.raises(UserError, match=r"budget_from_trace.*switch_off"):
        read({INFO: SMALL[INFO].replace("2:50|", "2:45|")}, switch_off=["budget_from_trace"])


def test_a_stated_budget_beyond_the_data_counts(read):
    result = read({INFO: SMALL[INFO].replace("2:50|", "2:500|")})
    assert result.column("budget")[1] == 500
    assert result.counts() == {"trace_ends_before_budget": 1}


RISING = block(1, [(1, 30.0), (4, 2.5), (5, 3.5), (6, 3.0), (9, 2.0)])


def test_rising_values_are_repaired_by_the_running_minimum(read):
    files = one(["1:9|2.0e+00"], RISING, block(1, [(9, 2.0)]))
    result = read(files)
    assert result.trace(0) == [(1, 30.0), (4, 2.5), (9, 2.0)]
    assert result.counts() == {"running_minimum": 1}
    assert result.first("running_minimum") == (DAT, 4)
    with pytest.raises(UserError, match=r"DIM2\.dat:4.*3\.5 comes after 2\.5"):
        read(files, strict=True)


def test_a_running_minimum_that_is_switched_off_is_an_error_where_it_would_be_needed(read):
    with pytest.raises(UserError, match=r"DIM2\.dat:4.*3\.5 comes after 2\.5.*switch_off"):
        read(one(["1:9|2.0e+00"], RISING, block(1, [(9, 2.0)])), switch_off=["running_minimum"])


def test_contradicting_files_are_noted_and_both_are_kept(read):
    result = read(one(["1:9|2.0e+00"], block(1, [(1, 30.0), (9, 2.0)]), block(1, [(1, 25.0), (9, 2.0)])))
    assert result.trace(0) == [(1, 25.0), (1, 30.0), (9, 2.0)]
    assert result.traces["on_target"].to_pylist() == [False, True, True]
    assert result.counts() == {"files_disagree": 1}


@pytest.mark.parametrize(("last", "noted"), [(9, 0), (8, 0), (10, 1), (4, 1), (20, 1)])
def test_evaluations_of_dat_that_contradict_those_of_tdat(read, last, noted):
    """The `.tdat` ends with the last evaluation, and has a row at 7 evaluations that is above the end of the `.dat`."""
    late = block(1, [(1, 30.0), (7, 3.0), (9, 2.0)])
    result = read(one([f"1:{max(last, 9)}|2.0e+00"], block(1, [(1, 30.0), (last, 2.0)]), late))
    assert result.counts() == ({"files_disagree": 1} if noted else {})


def test_rows_of_dat_are_told_from_rows_that_only_tdat_has(read):
    early, late = block(1, [(1, 30.0), (7, 2.0)]), block(1, [(1, 30.0), (5, 3.0), (7, 2.0), (9, 1.0)])
    result = read(one(["1:9|1.0e+00"], early, late))
    assert result.trace(0) == [(1, 30.0), (5, 3.0), (7, 2.0), (9, 1.0)]
    assert result.traces["on_target"].to_pylist() == [True, False, True, False]


def test_without_dat_the_rows_of_tdat_are_all_there_is(read):
    result = read(one(["1:9|1.0e+00"], None, block(1, [(1, 30.0), (9, 1.0)])))
    assert result.trace(0) == [(1, 30.0), (9, 1.0)]
    assert result.traces["on_target"].to_pylist() == [True, True]


def test_unsorted_evaluations_are_sorted(read):
    result = read(one(["1:9|2.0e+00"], block(1, [(5, 8.0), (1, 30.0), (9, 2.0)]), block(1, [(9, 2.0)])))
    assert result.trace(0) == [(1, 30.0), (5, 8.0), (9, 2.0)]
    assert result.counts() == {"evaluations_not_sorted": 1}
    assert result.first("evaluations_not_sorted") == (DAT, 3)


def test_of_a_block_of_no_instance_nothing_else_is_told(read):
    unsorted = block(2, [(5, 8.0), (1, 30.0), (9, 2.0)])
    result = read(one(["1:9|2.0e+00"], block(1, [(1, 30.0), (9, 2.0)]), block(1, [(9, 2.0)]) + unsorted))
    assert result.counts() == {"block_of_no_instance": 1}


def test_final_value_of_info_is_compared(read):
    result = read({INFO: SMALL[INFO].replace("2:50|1.5e-03", "2:50|1.5e-05")})
    assert result.column("best_value")[1] == 1.5e-3
    assert result.counts() == {"final_value_disagrees": 1}


@pytest.mark.parametrize(
    ("best", "final", "agree"),
    [
        (1.5e-3, 1.5e-3, True),
        (1.4999e-3, 1.5e-3, True),
        (1.56e-3, 1.5e-3, False),
        (0.0, -1e-8, True),
        (4.4e-9, -5.6e-9, True),
        (4.4e-9, 0.0, True),
        (2e-8, 0.0, False),
        (2e-8, 1e-8, True),
        (math.inf, math.inf, True),
        (9.96e2, 1.0e3, True),
    ],
)
def test_final_values_have_two_digits_with_or_without_the_precision(best, final, agree):
    assert coco._agree(*np.array([[best], [final], [1e-8]])).tolist() == [agree]


def test_a_listed_trial_without_a_block_is_missing_and_named(read):
    # The second block is gone; by its optimum the one that is left is that of instance 1.
    result = read({n: block(1, [(1, 30.0), (40, 0.0)]) for n in (DAT, TDAT)})
    assert result.column("instance") == ["1", "1", "2"]
    assert result.counts() == {"block_missing": 1}
    assert result.first("block_missing") == (INFO, 3)
    assert result.report["missing"] == [
        {"algorithm": "Walker", "suite": "bbob", "problem": "f1", "dimension": 2, "instance": "2", "count": 1}
    ]
    assert result.report["trials"]["expected"] == 4


def test_the_first_block_of_a_file_can_be_the_missing_one(read):
    result = read({n: block(2, [(1, 20.0), (50, 1.5e-3)]) for n in (DAT, TDAT)})
    assert [(t["dimension"], t["instance"], t["budget"]) for t in result.trials[:1]] == [(2, "2", 50)]
    assert [m["instance"] for m in result.report["missing"]] == ["1"]


def test_a_block_without_rows_is_a_missing_trial(read):
    result = read(
        {
            DAT: SMALL[DAT].replace(block(1, [(1, 30.0), (4, 2.5), (9, 0.0)]), header(1)),
            TDAT: header(1) + block(2, [(50, 1.5e-3)]),
        }
    )
    assert result.counts() == {"block_missing": 1}
    assert [m["instance"] for m in result.report["missing"]] == ["1"]
    assert result.trace(0) == [(1, 20.0), (7, 1.5e-3)]


def from_zero(text):
    """The rows of a data file as a loop writes them that counts from 0."""
    return re.sub(r"^\d+", lambda found: str(int(found[0]) - 1), text, flags=re.MULTILINE)


def test_evaluations_that_are_counted_from_zero(read):
    zero = {name: from_zero(text) for name, text in SMALL.items() if name.endswith("dat")}
    result, honest = read(zero), read()
    assert result.traces.equals(honest.traces)
    assert result.column("budget") == honest.column("budget")
    assert result.column("best_value") == honest.column("best_value")
    # The trials without a row at 0 show nothing.
    assert result.counts()["counted_from_zero"] == 4
    declared = read(zero, counted_from=0)
    assert declared.traces.equals(honest.traces)
    assert declared.counts() == {}


def test_a_point_before_the_first_evaluation(read):
    early = {TDAT: SMALL[TDAT].replace(header(1), header(1) + "0 9.9e+01 9.9e+01 +1.0 +1.0 +1.0e+00 -2.0e+00\n")}
    result = read(early, counted_from=1)
    assert result.traces.equals(read().traces)
    assert result.counts() == {"row_before_first": 1}
    assert result.first("row_before_first") == (TDAT, 2)
    # Without a word in the entry it is neither: the trial reaches the number stated.
    assert "counted_from_zero" not in read(early).counts()


def constrained(function, dimension, optima, rows):
    """Lines of a data file of a suite with constraints: a block of `(evaluations, best value)` for each optimum."""
    lines = []
    for optimum, block_rows in zip(optima, rows, strict=True):
        lines.append(
            f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({optimum:.12e}) + sum g_i+ | measured fitness | "
            "best measured fitness or single-digit g-values | x1 | x2...\n"
        )
        lines += [f"{n} {n} {value:+.9e} +1.0e+03 9 +1.0e+00 -2.0e+00\n" for n, value in block_rows]
    return "".join(lines)


@pytest.mark.parametrize("suite", ["bbob-constrained", "bbob"])
def test_finished_trials_outlive_a_kill_where_no_other_file_shows_their_optima(tmp_path, suite):
    """Constraints make the optimum of an instance differ from dimension to dimension: `.info` alone tells the blocks apart."""
    rows = [[(1, 219.5), (250, 3.34)], [(1, 88.1), (250, 0.941)], [(1, 54.0), (121, 27.0)]]
    data = constrained(2, 5, [-1991.226, -715.867, -453.125], rows)
    # The same instances have other optima in dimension 2.
    other = constrained(
        2, 2, [-1500.5, -610.25, -453.125], [[(1, 9.0), (100, 5.1)], [(1, 9.0), (100, 5.2)], [(1, 9), (100, 5.3)]]
    )
    listed = ["1:250|3.3e+00", "2:250|9.4e-01"]
    name = "data_f2/bbobexp_f2_DIM5"
    files = {"W/f2.info": info(2, 5, listed, data=f"{name}.dat", suite=suite), f"W/{name}.dat": data, f"W/{name}.tdat": data}
    if suite == "bbob-constrained":
        small = "data_f2/bbobexp_f2_DIM2"
        entries = ["1:100|5.1e+00", "2:100|5.2e+00", "3:100|5.3e+00"]
        files |= {"W/f2_2.info": info(2, 2, entries, data=f"{small}.dat", suite=suite)}
        files |= {f"W/{small}.dat": other, f"W/{small}.tdat": other}
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    found = [(t["instance"], t["optimum"], t["best_value"]) for t in result.trials if t["dimension"] == 5]
    assert found == [("1", -1991.226, 3.34), ("2", -715.867, 0.941)]
    # Which instance was killed is not known.
    assert result.counts()["block_of_no_instance"] == 2
    assert "block_missing" not in result.counts()


def test_blocks_that_end_alike_are_not_told_apart(tmp_path):
    """Two of three blocks fit the first trial; the second trial is that of the last block either way."""
    rows = [[(1, 9.0), (250, 3.34)], [(1, 8.0), (250, 3.31)], [(1, 7.0), (250, 0.5)]]
    data = constrained(2, 5, [1.0, 2.0, 3.0], rows)
    name = "data_f2/bbobexp_f2_DIM5"
    listed = info(2, 5, ["1:250|3.3e+00", "2:250|5.0e-01"], data=f"{name}.dat", suite="bbob-constrained")
    files = {"W/f2.info": listed, f"W/{name}.dat": data, f"W/{name}.tdat": data}
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert [(t["instance"], t["optimum"]) for t in result.trials] == [("2", 3.0)]
    assert (result.counts()["block_missing"], result.counts()["block_of_no_instance"]) == (1, 4)


def all_orders(fits):
    """Every way to give trials ascending places, by trying all."""
    some = [i for i, places in enumerate(fits) if len(places)]
    return [
        ways for ways in itertools.product(*(fits[i].tolist() for i in some)) if all(a < b for a, b in itertools.pairwise(ways))
    ]


@given(st.lists(st.sets(st.integers(0, 5)), max_size=5))
def test_a_place_is_told_where_there_is_one_alone(sets):
    fits = [np.array(sorted(places), np.int64) for places in sets]
    ways = all_orders(fits)
    some = [i for i, places in enumerate(fits) if len(places)]
    expected = [None] * len(fits)
    for column, i in enumerate(some):
        places = {way[column] for way in ways}
        expected[i] = places.pop() if len(places) == 1 else None
    assert coco._only_order(fits) == expected


def test_a_block_that_is_not_listed_is_told_by_its_optimum(read):
    result = read({INFO: SMALL[INFO].replace("1:40|-1.0e-08, ", "")})
    assert [(t["instance"], t["status"], t["budget"]) for t in result.trials[:2]] == [("2", "failed", 50), ("1", "solved", 40)]
    assert result.counts() == {"block_not_listed": 1}
    assert result.first("block_not_listed") == (DAT, 1)


def test_a_block_of_an_unknown_optimum_is_refused(read):
    result = read({DAT: SMALL[DAT] + block(3, [(1, 7.0)]), TDAT: SMALL[TDAT] + block(3, [(1, 7.0)])})
    assert len(result.trials) == 4
    assert result.counts() == {"block_of_no_instance": 2}
    assert result.first("block_of_no_instance") == (DAT, 8)


def test_blocks_of_one_trial_with_different_optima_are_not_mixed(read):
    result = read({TDAT: block(2, [(1, 0.1)]) + block(1, [(1, 0.1)])})
    assert result.counts()["blocks_disagree"] == 2
    assert result.trace(0) == [(1, 30.0), (4, 2.5), (9, 0.0)]


def test_an_instance_with_another_optimum_elsewhere_is_noted(read):
    result = read({INFO: SMALL[INFO].replace("1:60", "9:60").replace("2:60", "1:60").replace("9:60", "2:60")})
    assert len(result.trials) == 4
    assert result.counts()["instance_mismatch"] == 2


def test_missing_files_and_files_that_nobody_names(read):
    result = read({TDAT: None, "W/data_f1/bbobexp_f1_DIM1.dat": block(1, [(1, 1.0)])})
    assert result.counts() == {"file_missing": 1, "file_not_listed": 1, "trace_ends_before_budget": 2}
    assert result.column("budget") == [40, 50, 60, 60]
    assert result.trace(0) == [(1, 30.0), (4, 2.5), (9, 0.0)]


def test_what_is_no_row_is_left_out_and_reported(read):
    text = (
        SMALL[DAT]
        .replace("4 +2.500000000e+00 +2.5", "4 +2.500000000e+00 x2.5")
        .replace("7 +1.500000000e-03 +1.500000000e-03", "7 +1.500000000e-03 nan")
    )
    result = read({DAT: "5 1 1\n" + text})
    assert result.counts() == {"malformed_line": 2, "rows_without_header": 1, "dat_ends_early": 1}
    assert result.first("rows_without_header") == (DAT, 1)
    assert result.first("malformed_line") == (DAT, 4)
    assert result.trace(0) == [(1, 30.0), (2, 28.0), (9, 0.0)]
    assert result.trace(1) == [(1, 20.0), (10, 1.5e-3)]


def test_whole_numbers_in_other_notations_and_infinite_values(read):
    text = block(1, [(1, 9.0), (5, 1.0)]).replace("\n5 ", "\n5.0e+00 ").replace("+9.000000000e+00", "inf")
    result = read(one(["1:5|1.0e+00"], text, text))
    assert result.trace(0) == [(1, math.inf), (5, 1.0)]


def test_noisy_functions_are_a_suite_of_their_own(tmp_path):
    files = {
        "f101.info": info(101, 2, ["1:5|1.0e+00"], data="d.dat"),
        "d.dat": block(1, [(5, 1.0)]),
        "d.tdat": block(1, [(5, 1.0)]),
    }
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert result.column("suite") == ["bbob-noisy"]


def test_names_can_be_replaced(read):
    result = read(algorithm="Runner", suite="mine")
    assert set(result.column("algorithm")) == {"Runner"}
    assert set(result.column("suite")) == {"mine"}
    assert set(read(algorithm={"Walker": "R2"}).column("algorithm")) == {"R2"}
    with pytest.raises(UserError, match=r"renames 'Walkr'.*'Walker'"):
        read(algorithm={"Walkr": "R2"})


def test_an_empty_name_must_be_given(read):
    with pytest.raises(UserError, match="algId"):
        read({INFO: SMALL[INFO].replace("Walker", "")})
    assert set(read({INFO: SMALL[INFO].replace("Walker", "")}, algorithm="W").column("algorithm")) == {"W"}


def test_the_grid_of_the_source_tells_what_is_missing(tmp_path):
    files = {}
    for function, dimension, instances in ((1, 2, (1, 2, 3)), (1, 3, (1, 2, 3)), (2, 2, (1, 3, 4))):
        files[f"f{function}d{dimension}.info"] = info(
            function, dimension, [f"{i}:5|1.0e+00" for i in instances], data=f"{function}{dimension}.dat"
        )
        for suffix in ("dat", "tdat"):
            files[f"{function}{dimension}.{suffix}"] = "".join(block(i, [(5, 1.0)]) for i in instances)
    report = Result(folder(tmp_path / "logs", files), tmp_path / "out").report
    assert [(m["problem"], m["dimension"], m["instance"], m["count"]) for m in report["missing"]] == [
        ("f2", 2, "2", 1),
        ("f2", 3, "1", 1),
        ("f2", 3, "2", 1),
        ("f2", 3, "3", 1),
    ]
    trials = report["trials"]
    assert (trials["expected"], trials["found"], trials["missing"], trials["unexpected"]) == (12, 9, 4, 1)


@pytest.mark.parametrize("name", [INFO, DAT, TDAT])
def test_cut_anywhere_no_value_is_invented(tmp_path, name):
    """Whatever is left after a cut was in the whole file, and what is lost is reported."""
    whole = _tables(folder(tmp_path / "whole", SMALL))
    raw = {
        (d, i, e, v)
        for d, i, rows in (
            (2, "1", [(1, 30.0), (2, 28.0), (4, 2.5), (9, 0.0), (40, 0.0)]),
            (2, "2", [(1, 20.0), (2, 20.0), (7, 1.5e-3), (10, 1.5e-3), (50, 1.5e-3)]),
            (3, "1", [(1, 9.0), (3, 8.0), (5, 0.3), (60, 0.3)]),
            (3, "2", [(1, 5.0), (2, 0.4), (60, 0.4)]),
        )
        for e, v in rows
    }
    source = folder(tmp_path / "cut", SMALL)
    text = SMALL[name].encode()
    for end in range(len(text)):
        (source / name).write_bytes(text[:end])
        try:
            trials, traces, report = _tables(source)
        except UserError as error:
            one_sentence(error)
            continue
        assert {t["instance"] for t in trials} <= {"1", "2"}
        if name != INFO:
            assert {(r["dimension"], r["instance"], r["evaluations"], r["value"]) for r in traces} <= raw
            if traces != whole[1] or [t["budget"] for t in trials] != [t["budget"] for t in whole[0]]:
                assert report.counts


def _tables(source):
    """Rows of the tables and the report, without writing them."""
    report = Report(coco.RULES)
    with open_view(source) as view:
        pairs = list(coco.read(view, coco.Options(), report))
    return [r for t, _ in pairs for r in t.to_pylist()], [r for _, t in pairs for r in t.to_pylist()], report


@given(st.binary(max_size=300), st.sampled_from([INFO, DAT, TDAT]), st.integers(0, 400))
def test_garbage_is_reported_and_never_raises_anything_but_a_user_error(tmp_path_factory, garbage, name, at):
    path = tmp_path_factory.mktemp("g")
    text = SMALL[name].encode()
    source = tar(path / "a.tar", {**SMALL, name: text[:at] + garbage + text[at:]}, "w")
    try:
        report = readers.examine(source)
    except UserError as error:
        one_sentence(error)
    else:
        assert report["trials"]["found"] > 0


def test_words_of_a_header_are_no_keys(tmp_path):
    garbled = folder(tmp_path / "s", {**SMALL, INFO: SMALL[INFO].replace("Precision", "algorithmindicator, Precision", 1)})
    expected = folder(tmp_path / "t", SMALL)
    trials = [readers.load(source, format="coco")[0].drop_columns("source") for source in (garbled, expected)]
    assert trials[0].equals(trials[1])


def test_sources_that_hold_no_trial(tmp_path):
    empty = folder(tmp_path / "empty", {INFO: b"", DAT: b"", TDAT: b""})
    with pytest.raises(UserError, match="no format recognises it"):
        readers.examine(empty)
    no_data = folder(tmp_path / "no_data", {INFO: SMALL[INFO]})
    with pytest.raises(UserError, match=r"no trial can be read.*block_missing"):
        readers.examine(no_data)
    binary = folder(tmp_path / "binary", {**SMALL, "W/x.info": b"\0\1\2"})
    assert Result(binary, tmp_path / "out").counts() == {"info_unreadable": 1}
    alone = tmp_path / "no_data" / INFO
    with pytest.raises(UserError, match="give the folder"):
        readers.examine(alone)


def test_a_data_file_outside_of_the_source_is_not_read(tmp_path):
    folder(tmp_path, {"secret.dat": block(1, [(1, 1.0)]), "secret.tdat": block(1, [(1, 1.0)])})
    source = folder(tmp_path / "logs", {"a.info": info(1, 2, ["1:1|1.0e+00"], data="../secret.dat")})
    with pytest.raises(UserError, match="lies outside of the source"):
        readers.examine(source)


def test_sniffing_takes_the_first_header(tmp_path):
    for source in (folder(tmp_path / "logs", SMALL), tar(tmp_path / "a.tgz", SMALL), zipped(tmp_path / "a.zip", SMALL)):
        assert readers.sniff(source) == readers.Found("coco", ("Walker",))


def test_constraint_evaluations_are_not_taken_for_values(read):
    rows = block(1, [(1, 30.0), (9, 2.0)], new=True).replace("9 0 +", "9 4 +")
    result = read(one(["1:9|2.0e+00"], rows, rows))
    assert result.trace(0) == [(1, 30.0), (9, 2.0)]


def test_every_optimum_of_the_helper_is_different():
    assert len(set(OPTIMA.values())) == len(OPTIMA)


def test_numbers_beyond_all_bounds(read):
    for wrong in ("DIM = 99999999999", "DIM = 0", "DIM = x", "Precision = "):
        key = wrong.split(" = ")[0]
        text = re.sub(rf"{key} = [^,]*", wrong, SMALL[INFO], count=1)
        result = read({INFO: text})
        assert [t["dimension"] for t in result.trials] == [3, 3]
        assert result.first("info_unreadable") == (INFO, 1)
    huge = 10**17
    result = read({INFO: SMALL[INFO].replace("1:40|", f"1:{huge}|").replace("2:50|", f"2:{huge}|")})
    assert result.report["budget"]["total"] == 2 * huge + 120


def test_many_blocks_that_nobody_lists_take_no_long_time(read):
    count = 20_000
    dat = block(1, [(1, 2.0)]) * count + block(2, [(1, 2.0)])
    result = read(
        one(["2:1|2.0e+00", "1:1|2.0e+00"], dat, dat)
        | {n: SMALL[n] for n in SMALL if "DIM3" in n}
        | {"W/x.info": info(1, 3, ["1:60|3.0e-01", "2:60|4.0e-01"])}
    )
    assert result.counts()["block_not_listed"] == count
    assert result.counts()["block_missing"] == 1


def test_a_folder_that_was_copied_is_noted(tmp_path):
    files = SMALL | {name.replace("W/", "copy/"): text for name, text in SMALL.items()}
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert result.counts() == {"same_content": 2}
    assert result.first("same_content") == ("W/data_f1/bbobexp_f1_DIM2.dat", None)
    assert result.column("run") == [1, 1, 2, 2, 1, 1, 2, 2]


CONSTRAINED = (
    "% f evaluations | g evaluations | best noise-free fitness - Fopt ({}) + sum g_i+ | measured fitness | best measured fitness "
    "or single-digit g-values | x1 | x2...\n"
)


def test_evaluations_of_constraints_are_added(tmp_path):
    files = {"c.info": "", "d/f1_DIM2.dat": "", "d/f1_DIM3.dat": ""}
    for dimension, optimum in ((2, 7.5), (3, 9.25)):  # here the optimum of an instance depends on the dimension
        head = CONSTRAINED.format(optimum)
        files["c.info"] += info(1, dimension, ["1:60|3.0e+00"], data=f"d/f1_DIM{dimension}.dat", suite="bbob-constrained")
        files[f"d/f1_DIM{dimension}.dat"] = head + "1 3 8.0 100 0 1.0 1.0\n4 5 3.0 100 0 1.0 1.0\n"
        files[f"d/f1_DIM{dimension}.tdat"] = head + "1 3 8.0 100 0 1.0 1.0\n60 50 3.0 100 9 1.0 1.0\n"
    result = Result(folder(tmp_path / "f", files), tmp_path / "o")
    assert [t for t, _ in result.trace(0)] == [4, 9]
    assert result.column("budget") == [110, 110]
    assert result.counts() == {"constraint_evaluations_added": 2}
    assert result.first("constraint_evaluations_added") == ("d/f1_DIM2.dat", 1)


def test_an_option_that_there_was_is_refused_with_what_holds_in_its_place(read):
    with pytest.raises(UserError, match="no option 'constraint_weight'; leave it out, an evaluation of the constr") as error:
        read(constraint_weight=1)
    one_sentence(error.value)


def indicator(instances, timed=False):
    text = ""
    for instance, rows in instances:
        text += f"%\n% index = 3, name = a__b\n% instance = {instance}, reference value = 8.{instance}e-001\n"
        text += f"% function evaluation | indicator value{'' if timed else ' | target hit'}\n"
        text += "".join("\t".join([str(e), *[f"{v:.15e}"] * (1 if timed else 2)]) + "\n" for e, v in rows)
    return text


BIOBJECTIVE = {
    "B/d02/1-a_hyp.info": "algorithm = 'P', indicator = 'hyp', folder = '1-a', coco_version = '1.1'\r\n% P: = and, commas\r\n"
    "function =  1, dim =  2, bbob-biobj_f01_d02_hyp.dat, 10:40|1.0e-001, 1:50|-2.0e-003\r\n"
    "function =  2, dim =  2, bbob-biobj_f02_d02_hyp.dat, 10:40|3.0e+000, 1",
    "B/d02/1-a/bbob-biobj_f01_d02_hyp.dat": indicator([(10, [(1, 5.0), (7, 0.1)]), (1, [(2, 1.0), (9, -0.002)])]),
    "B/d02/1-a/bbob-biobj_f01_d02_hyp.tdat": indicator([(10, [(1, 5.0), (40, 0.1)]), (1, [(2, 1.0), (50, -0.002)])], True),
    # The blocks are not in the order of the list.
    "B/d02/1-a/bbob-biobj_f02_d02_hyp.dat": indicator([(1, [(1, 2.0), (3, 1.0)]), (10, [(1, 4.0), (8, 3.0)])]),
    "B/d02/1-a/bbob-biobj_f02_d02_hyp.tdat": indicator([(1, [(1, 2.0), (30, 1.0)]), (10, [(40, 3.0)])], True),
}


def test_the_indicator_of_a_bi_objective_suite(tmp_path):
    result = Result(tar(tmp_path / "b.tgz", BIOBJECTIVE), tmp_path)
    keys = zip(*(result.column(c) for c in ("suite", "problem", "dimension", "instance", "algorithm")), strict=True)
    assert list(keys) == [("bbob-biobj", f, 2, i, "P") for f, i in (("f1", "10"), ("f1", "1"), ("f2", "10"), ("f2", "1"))]
    assert result.column("budget") == [40, 50, 40, 30]
    assert result.column("best_value") == [0.1, -0.002, 3.0, 1.0]
    assert result.column("optimum") == [0.81, 0.81, 0.81, 0.81]
    assert result.column("status") == ["failed", "solved", "failed", "ill_finalised"]
    assert result.trace(2) == [(1, 4.0), (8, 3.0)]
    assert result.counts() == {"unfinished_trial": 1}


def test_a_block_of_an_unlisted_instance_of_an_indicator_is_kept(tmp_path):
    name = "B/d02/1-a/bbob-biobj_f01_d02_hyp.tdat"
    files = {**BIOBJECTIVE, name: BIOBJECTIVE[name] + indicator([(4, [(1, 9.0)])], True)}
    result = Result(tar(tmp_path / "b.tgz", files), tmp_path)
    assert result.column("instance") == ["10", "1", "4", "10", "1"]
    assert result.counts() == {"unfinished_trial": 1, "block_not_listed": 1, "half_trial": 1}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(BIOBJECTIVE)), st.integers(0, 700), st.booleans(), st.binary(max_size=4))
def test_a_damaged_indicator_log_is_read_or_refused_in_one_sentence(tmp_path_factory, name, at, cut, garbage):
    text = BIOBJECTIVE[name].encode()
    damaged = text[:at] + garbage + (b"" if cut else text[at + len(garbage) :])
    source = tar(tmp_path_factory.mktemp("b") / "b.tar", {**BIOBJECTIVE, name: damaged}, "w")
    try:
        report = readers.examine(source)
    except UserError as error:
        one_sentence(error)
    else:
        assert report["trials"]["found"] > 0
