"""IOHprofiler's logs: small ones written here, and what a reader makes of them."""

import json
import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from tests.readers.making import Result, folder, one_sentence, tar, zipped

REAL = os.environ.get("BENCHMILL_REAL_DATA")
SHIPPED = Path(__file__).parents[2] / "data"
HEADER = '"function evaluation" "current f(x)" "best-so-far f(x)" "current af(x)+b"  "best af(x)+b" "rate" \n'


def listing(runs, function=1, name="Sphere", maximise=False, dimensions=(2,), suite="BBOB", **more):
    path = "data_f{}/IOHprofiler_f{}_DIM{}.dat"
    return json.dumps(
        {
            "version": "0.3.22",
            "suite": suite,
            "function_id": function,
            "function_name": name,
            "maximization": maximise,
            "algorithm": {"name": "A", "info": ""},
            "attributes": ["evaluations", "raw_y"],
            "scenarios": [
                {"dimension": d, "path": path.format(function, function, d), "runs": [run(*r) for r in runs]} for d in dimensions
            ],
        }
        | more
    )


def run(instance, evaluations, at, best, **more):
    return {"instance": instance, "evals": evaluations, "best": {"evals": at, "y": best, "x": [0.5, 1e-3]}, **more}


def blocks(*runs, header="evaluations raw_y x0 x1\n", decimals=10):
    return "".join(header + "".join(f"{e} {v:.{decimals}f} 0.1 0.2\n" for e, v in rows) for rows in runs)


RUNS = [(1, 100, 9, 0.0123456789012), (1, 100, 7, 3.5), (2, 80, 40, 6.1e-9)]
ROWS = [[(1, 20.0), (9, 0.0123456789), (100, 13.7)], [(3, 4.0), (7, 3.5)], [(1, 3.5), (40, 6.1e-9), (80, 2.0)]]
JSON, DAT = "A/IOHprofiler_f1_Sphere.json", "A/data_f1/IOHprofiler_f1_DIM2.dat"
SMALL_JSON = {JSON: listing(RUNS), DAT: blocks(*ROWS)}


def quoted(*runs):
    return "".join(
        HEADER + "".join(f"{e} {c:+.5e} {b:+.5e} {2 * c + 1:+.5e} {2 * b + 1:+.5e} 0.1\n" for e, c, b in rows) for rows in runs
    )


INFO, QDAT, TDAT = "P/IOHprofiler_f1.info", "P/data_f1/IOHprofiler_f1_DIM16.dat", "P/data_f1/IOHprofiler_f1_DIM16.tdat"
SMALL_INFO = {
    INFO: "suite = 'PBO', funcId = 1, DIM = 16, algId = 'RLS', algInfo = '_'\r\n%\r\n"
    "data_f1/IOHprofiler_f1_DIM16.dat, 1:500|3.30000e+001, 1:600|3.10000e+001\n",
    QDAT: quoted([(1, 9, 9), (4, 16, 16)], [(1, 8, 8), (7, 12, 12), (30, 15, 15)]),
    TDAT: quoted([(1, 9, 9), (2, 3, 9), (500, 5, 16)], [(1, 8, 8), (10, 9, 12), (600, 2, 15)]),
}


@pytest.fixture
def read(tmp_path):
    def read(files, **options):
        return Result(tar(tmp_path / "a.tgz", {n: t for n, t in files.items() if t is not None}), tmp_path, **options)

    return read


def test_json(read):
    result = read(SMALL_JSON)
    assert result.report["format"] == "ioh"
    assert [(t["instance"], t["run"]) for t in result.trials] == [("1", 1), ("1", 2), ("2", 1)]
    assert {(t["suite"], t["problem"], t["dimension"], t["algorithm"], t["maximise"]) for t in result.trials} == {
        ("BBOB", "f1", 2, "A", False)
    }
    # The budget is that of the listing, the best value has its digits, and a worse last row is no irregularity.
    assert result.column("budget") == [100, 100, 80]
    assert result.column("best_value") == [0.0123456789012, 3.5, 6.1e-9]
    assert result.column("status") == ["failed", "failed", "solved"]
    assert result.column("value_kind") == ["difference"] * 3
    assert [result.trace(i) for i in range(3)] == [
        [(1, 20.0), (9, 0.0123456789012)],
        [(3, 4.0), (7, 3.5)],
        [(1, 3.5), (40, 6.1e-9)],
    ]
    assert result.counts() == {}
    assert result.column("source")[1] == f"{DAT}:5"


def test_a_run_begins_at_its_header_even_if_it_goes_on_where_the_last_one_ended(read):
    """Neither a first record after evaluation 1 nor a value equal to the last of the run before joins two runs."""
    files = {JSON: listing([(1, 10, 5, 2.0), (1, 10, 8, 1.0)]), DAT: blocks([(1, 3.0), (5, 2.0)], [(6, 2.0), (8, 1.0)])}
    assert [read(files).trace(i) for i in (0, 1)] == [[(1, 3.0), (5, 2.0)], [(6, 2.0), (8, 1.0)]]


def test_maximisation(read):
    files = {JSON: listing([(1, 61, 5, 16)], maximise=True), DAT: blocks([(1, 9.0), (5, 16.0), (61, 15.0)])}
    result = read(files)
    assert result.column("maximise") == [True]
    assert result.column("best_value") == [16.0]
    assert result.trace(0) == [(1, 9.0), (5, 16.0)]


def test_a_value_printed_as_zero_is_not_better_than_the_best(read):
    files = {JSON: listing([(1, 90, 30, 9.9e-11)]), DAT: blocks([(1, 1.0), (30, 1e-10), (90, 0.0)])}
    result = read(files)
    assert result.column("best_value") == [9.9e-11]
    assert result.trace(0) == [(1, 1.0), (30, 9.9e-11)]
    assert result.counts() == {}


def test_a_raw_value_without_the_penalty_is_left_out(read):
    files = {JSON: listing([(1, 90, 30, 4.5)]), DAT: blocks([(1, 9.0), (8, 4.0), (30, 4.5), (90, 2.5)])}
    result = read(files)
    assert result.column("best_value") == [4.5]
    assert result.trace(0) == [(1, 9.0), (30, 4.5)]
    assert result.counts() == {"better_than_best": 2}
    with pytest.raises(UserError, match="better_than_best"):
        read(files, strict=True)


def test_a_log_of_given_evaluations_is_better_than_the_best_that_its_listing_states(read):
    """The listing states the last of the values at hand that beat all before it, those that were not logged among them."""
    rows = [(1, 9.0), (10, 4.0), (20, 6.0), (90, 8.0)]
    result = read({JSON: listing([(1, 90, 1, 9.0)]), DAT: blocks(rows)})
    assert result.column("best_value") == [4.0]
    assert result.trace(0) == [(1, 9.0), (10, 4.0)]
    assert result.counts() == {"final_value_disagrees": 1}
    # where every evaluation is logged, nothing that is not logged can have beaten it
    every = [(at, 9.0 if at == 1 else 4.0 if at == 3 else 9.5) for at in range(1, 6)]
    assert read({JSON: listing([(1, 5, 1, 9.0)]), DAT: blocks(every)}).counts() == {"better_than_best": 1}


def test_seeds_and_run_attributes(read):
    runs = [run(1, 100, 9, 0.0123456789, seed=7), run(1, 100, 7, 3.5, seed=8.0), run(2, 80, 40, 6.1e-9, seed="x")]
    whole = json.loads(SMALL_JSON[JSON])
    whole["scenarios"][0]["runs"] = runs
    assert read({**SMALL_JSON, JSON: json.dumps(whole)}).column("seed") == [7, 8, None]


@pytest.mark.parametrize("files", [SMALL_JSON, SMALL_INFO], ids=["json", "info"])
def test_a_listing_that_is_copied_or_says_another_dimension(read, files):
    name = next(name for name in files if not name.endswith("dat"))
    plain = read(files)
    copied = read({**files, name.replace("/", "/copy of "): files[name]})
    assert [copied.column(key) for key in ("instance", "budget", "best_value")] == [
        plain.column(key) for key in ("instance", "budget", "best_value")
    ]
    assert copied.counts() == {**plain.counts(), "listing_unreadable": 1}
    with pytest.raises(UserError, match="is listed in dimension 20, and its name says "):
        read({**files, name: re.sub(r"(DIM = |dimension\": )\d+", r"\g<1>20", files[name])})


def test_several_dimensions_and_functions(read):
    files = {
        JSON: listing(RUNS, dimensions=(5, 2)),
        "A/two.json": listing(RUNS, function=2, name="Ellipsoid"),
        DAT: blocks(*ROWS),
        DAT.replace("DIM2", "DIM5"): blocks(*ROWS),
        DAT.replace("f1", "f2"): blocks(*ROWS),
    }
    report = read(files).report
    assert (report["problems"], report["dimensions"]) == (["f1", "f2"], [2, 5])
    assert (report["trials"]["found"], report["trials"]["missing"]) == (9, 3)  # f2 has no dimension 5


def test_one_number_of_two_functions_is_not_one_problem(read):
    files = {**SMALL_JSON, "B/x.json": listing(RUNS, name="OneMax"), DAT.replace("A/", "B/"): blocks(*ROWS)}
    result = read(files)
    assert result.report["problems"] == ["f1_OneMax", "f1_Sphere"]
    assert result.counts() == {"one_number_several_functions": 1}


def test_several_objectives_are_refused_by_name(read):
    two = json.loads(listing([(1, 0, 2010, 0.12)], name="ZDT1")) | {"attributes": ["evaluations", "raw_y", "F2"]}
    with pytest.raises(UserError, match=r"F2.*multi_objective"):
        read({JSON: json.dumps(two), DAT: blocks([(1, 1.0)])})
    for change in (
        {"maximization": [False, True]},
        {"scenarios": [{"dimension": 2, "path": "d.dat", "runs": [run(1, 9, 1, [1, 2])]}]},
    ):
        with pytest.raises(UserError, match="multi_objective"):
            read({JSON: json.dumps(json.loads(listing([])) | change), DAT: blocks([(1, 1.0)])})
    # Beside logs of one objective only they are left out.
    result = read({**SMALL_JSON, "B/z.json": json.dumps(two)})
    assert (result.report["trials"]["found"], result.counts()) == (3, {"multi_objective": 1})


def test_columns_are_found_by_name(read):
    header = "evaluations rate transformed_y raw_y\n"
    data = header + "1 0.5 40.0 20.0\n9 0.5 0.5 0.0123456789\n" + header + "7 0 9 3.5\n" + header + "40 1 2 0.0000000061\n"
    assert read({**SMALL_JSON, DAT: data}).column("best_value") == [0.0123456789012, 3.5, 6.1e-9]
    transformed = read({**SMALL_JSON, DAT: data}, value="transformed")
    assert transformed.column("best_value") == [0.5, 9.0, 2.0]
    assert transformed.column("value_kind") == ["absolute"] * 3
    assert read({**SMALL_JSON, DAT: data}, value="rate").column("best_value") == [0.5, 0.0, 1.0]
    with pytest.raises(UserError, match=r"no column has the 'speed' values; it has evaluations, rate, .*`value`"):
        read({**SMALL_JSON, DAT: data}, value="speed")


def test_what_values_are(read):
    files = {**SMALL_JSON, JSON: listing(RUNS, suite="unknown_suite")}
    result = read(files)
    assert result.column("value_kind") == ["absolute"] * 3
    assert result.column("status") == ["failed"] * 3
    assert result.counts() == {"scale_not_stated": 1}
    result = read(files, values="difference", precision=1e-8)
    assert result.column("status") == ["failed", "failed", "solved"]
    assert result.counts() == {}
    assert read(files, suite="BBOB").column("status") == ["failed", "failed", "solved"]


def test_a_lost_header_or_a_killed_run(read):
    data = blocks(*ROWS)
    lost = read({**SMALL_JSON, DAT: data.replace("evaluations raw_y x0 x1\n3", "3")})
    assert lost.column("instance") == ["2"]
    assert lost.counts() == {"evaluations_not_sorted": 1, "block_missing": 2}
    assert lost.report["trials"]["missing"] == 2
    killed = read({**SMALL_JSON, DAT: blocks(ROWS[0], [(1, 99.0), (2, 98.0)], *ROWS[1:])})
    assert killed.column("best_value") == [0.0123456789012, 3.5, 6.1e-9]
    assert killed.counts() == {"block_not_listed": 1}


def test_a_cut_block_is_not_a_failure_with_its_budget(read):
    data = blocks(*ROWS)
    result = read({**SMALL_JSON, DAT: data[: data.index("40 ")]})
    assert result.column("status") == ["failed", "failed", "ill_finalised"]
    assert result.counts() == {"final_value_disagrees": 1}


def test_budget_beyond_the_listing_and_missing_ends(read):
    whole = json.loads(SMALL_JSON[JSON])
    whole["scenarios"][0]["runs"][0]["evals"] = 60
    del whole["scenarios"][0]["runs"][1]["evals"]
    result = read({**SMALL_JSON, JSON: json.dumps(whole)})
    assert result.column("budget") == [100, 7, 80]
    assert result.column("status") == ["failed", "ill_finalised", "solved"]
    assert result.counts() == {"budget_from_trace": 1, "unfinished_trial": 1}


def test_missing_and_stray_files(read):
    other = {"B/y.json": listing(RUNS, function=3, name="R"), "B/data_f9/IOHprofiler_f9_DIM2.dat": "x"}
    result = read({**SMALL_JSON, **other})
    assert result.report["trials"]["found"] == 3
    assert result.report["trials"]["missing"] == 3
    assert result.counts() == {"file_missing": 1, "file_not_listed": 1}


def test_info(read):
    result = read(SMALL_INFO)
    assert result.report["format"] == "ioh"
    assert [(t["suite"], t["problem"], t["dimension"], t["instance"], t["run"]) for t in result.trials] == [
        ("PBO", "f1", 16, "1", 1),
        ("PBO", "f1", 16, "1", 2),
    ]
    assert result.column("maximise") == [True, True]
    assert result.column("budget") == [500, 600]
    assert result.column("best_value") == [16.0, 15.0]
    assert result.trace(0) == [(1, 9.0), (4, 16.0)]
    assert result.trace(1) == [(1, 8.0), (7, 12.0), (30, 15.0)]
    assert result.counts() == {"direction_from_best": 1}
    assert read(SMALL_INFO, direction="max").counts() == {}
    assert read(SMALL_INFO, value="transformed", direction="max").column("best_value") == [33.0, 31.0]


def test_rows_recorded_at_evaluations_are_no_targets(read):
    files = {**SMALL_INFO, TDAT.replace(".tdat", ".idat"): quoted([(2, 9, 9), (3, 10, 12)], [(5, 8, 8)])}
    result = read(files)
    rows = [(r["evaluations"], r["value"], r["on_target"]) for r in result.traces.to_pylist() if r["trial"] == 0]
    assert rows == [(1, 9.0, True), (3, 12.0, False), (4, 16.0, True)]
    alone = read({**SMALL_INFO, QDAT: None})
    assert alone.trace(0) == [(1, 9.0), (500, 16.0)]
    assert set(alone.traces["on_target"].to_pylist()) == {True}
    complete = {**SMALL_INFO, TDAT: None, QDAT: None, QDAT.replace(".dat", ".cdat"): SMALL_INFO[QDAT]}
    assert read(complete).trace(1) == [(1, 8.0), (7, 12.0), (30, 15.0)]
    uneven = read({**SMALL_INFO, TDAT: quoted([(600, 2, 15)])})
    assert uneven.counts() == {"direction_from_best": 1, "timed_file_not_read": 1}


def test_text_function_ids_and_no_suite(read):
    text = SMALL_INFO[INFO].replace("suite = 'PBO', ", "").replace("funcId = 1", "funcId = bla")
    result = read({**SMALL_INFO, INFO: text})
    assert (result.report["problems"], result.report["suites"]) == (["bla"], [])


def test_the_direction_is_stated_shown_or_asked_for(read):
    flat = {**SMALL_INFO, QDAT: quoted([(1, 16, 16)], [(1, 15, 15)]), TDAT: None}
    with pytest.raises(UserError, match="do not show it; add `direction: min` or `direction: max`"):
        read(flat)
    assert read(flat, direction="max").column("maximise") == [True, True]
    both = {**SMALL_INFO, QDAT: quoted([(1, 9, 9), (4, 16, 16)], [(1, 8, 8), (7, 2, 2)])}
    with pytest.raises(UserError, match="show both"):
        read(both)
    stated = SMALL_INFO[INFO].replace("DIM = 16", 'DIM = 16, maximization = "F"')
    assert read({**flat, INFO: stated}).column("maximise") == [False, False]
    with pytest.raises(UserError, match="take `direction` out"):
        read({**flat, INFO: stated}, direction="max")
    # A function whose values never change goes with its suite.
    needle = SMALL_INFO[INFO].replace("funcId = 1", "funcId = 23").replace("f1", "f23")
    files = {**SMALL_INFO, "P/IOHprofiler_f23.info": needle, QDAT.replace("f1", "f23"): flat[QDAT]}
    assert read(files).column("maximise") == [True] * 4


def test_rising_evaluations_show_no_direction(read):
    rows = (
        '"function evaluation" "current f(x)" "current af(x)+b" "parameter"\n1 +9.0e+00 +1.9e+01 0.1\n4 +7.0e+00 +1.5e+01 0.1\n'
    )
    with pytest.raises(UserError, match="do not show it; add `direction: min` or `direction: max`"):
        read({**SMALL_INFO, QDAT: rows * 2, TDAT: None})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"direction": "up"}, "'direction' is 'up': `min` or `max`"),
        ({"objectives": ["y1"]}, r"'objectives' is \['y1'\], expected at least 2 entries"),
    ],
)
def test_options_that_mean_nothing_are_refused(read, options, told):
    with pytest.raises(UserError, match=told):
        read(SMALL_INFO, **options)


def test_a_best_value_that_gets_worse_is_repaired(read):
    files = {**SMALL_INFO, QDAT: quoted([(1, 9, 9), (4, 16, 16), (6, 12, 12)], [(1, 8, 8), (30, 15, 15)])}
    result = read(files, direction="max")
    assert result.trace(0) == [(1, 9.0), (4, 16.0)]
    assert result.counts()["running_minimum"] == 1
    assert result.first("running_minimum") == (QDAT, 4)


def test_a_best_value_so_far_is_not_worse_than_itself_with_all_digits(read):
    rows = [(1, 18.1117834985, 18.1117834985), (28, 0.8181027332, 0.8181027332), (50, 27.3543316883, 0.8181027332)]
    text = "".join(f"{x} {a:.10f} {b:.10f}\n" for x, a, b in rows)
    files = {JSON: listing([(1, 50, 28, 0.8181027331629197)]), DAT: "evaluations raw_y raw_y_best\n" + text}
    result = read(files, strict=True)
    assert result.trace(0) == [(1, 18.1117834985), (28, 0.8181027331629197)]
    assert not result.counts()
    # another point whose value is printed alike is not the best one
    other = read({JSON: files[JSON], DAT: "evaluations raw_y\n1 2.0\n28 0.8181027332\n50 0.8181027332\n"})
    assert other.trace(0) == [(1, 2.0), (28, 0.8181027331629197)]


def test_junk_of_an_operating_system_is_not_read(tmp_path):
    junk = {"__MACOSX/P/._IOHprofiler_f1.info": b"\0\5\x16\7Mac OS X", "P/.DS_Store": b"\0\0", "P/._x.json": b"\0{"}
    result = Result(zipped(tmp_path / "a.zip", {**SMALL_INFO, **junk}), tmp_path)
    assert result.counts() == {"direction_from_best": 1, "junk_file": 3}


def test_lone_listings_and_names(tmp_path, read):
    source = folder(tmp_path / "f", SMALL_JSON)
    with pytest.raises(UserError, match="give the folder"):
        readers.examine(source / JSON, format="ioh")
    nameless = listing(RUNS).replace('"name": "A"', '"name": ""')
    with pytest.raises(UserError, match="names no algorithm"):
        read({**SMALL_JSON, JSON: nameless})
    assert read({**SMALL_JSON, JSON: nameless}, algorithm="B").column("algorithm") == ["B"] * 3
    with pytest.raises(UserError, match="no trial can be read"):
        read({JSON: "[" * 100_000, **{"x.json": '{"function_id": 1, "algorithm": {}, "scenarios": []}'}})


ALL = {**SMALL_JSON, **SMALL_INFO}


def _damaged(path, name, text):
    source = tar(path / "a.tar", {**(SMALL_JSON if name in SMALL_JSON else SMALL_INFO), name: text}, "w")
    try:
        report = readers.examine(source)
    except UserError as error:
        one_sentence(error)
    else:
        assert report["trials"]["found"] > 0
        assert sum(m["count"] for m in report["missing"]) == report["trials"]["missing"]


@pytest.mark.parametrize("name", sorted(ALL))
def test_truncation(tmp_path, name):
    text = ALL[name].encode()
    for at in range(0, len(text), len(text) // 120 + 1):
        _damaged(tmp_path, name, text[:at])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(ALL)), st.integers(0, 1200), st.booleans(), st.binary(max_size=5))
def test_bit_flips_and_junk(tmp_path_factory, name, at, insert, garbage):
    text = ALL[name].encode()
    _damaged(tmp_path_factory.mktemp("d"), name, text[:at] + garbage + text[at + (0 if insert else len(garbage)) :])


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(ALL)), st.binary(max_size=300))
def test_binary_files(tmp_path_factory, name, content):
    _damaged(tmp_path_factory.mktemp("b"), name, content)


# ---- real logs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("solver", "solved"), [("CMA-ES", 60), ("Nelder-Mead", 175)])
def test_the_same_trials_through_two_loggers(tmp_path, solver, solved):
    """The shipped logs of both loggers agree where the trials did; data/README.md counts the solved ones in the `.json`."""
    (tmp_path / "i").mkdir()
    ioh = Result(SHIPPED / f"ioh/{solver}.zip", tmp_path / "i")
    coco = Result(SHIPPED / f"bbob/{solver}.tar.xz", tmp_path / "c")
    assert ioh.column("status").count("solved") == solved
    assert ioh.report["trials"]["missing"] == 0
    keys = ("problem", "dimension", "instance", "algorithm")
    other = {tuple(t[k] for k in keys): t for t in coco.trials}
    compared = 0
    for trial in ioh.trials:
        twin = other[tuple(trial[k] for k in keys)]
        if twin["budget"] != trial["budget"]:
            assert trial["problem"] == "f7"
            continue
        # Raw values lack the penalty outside of the bounds, where these functions are evaluated too.
        if trial["problem"] not in ("f16", "f23", "f4", "f7", "f18", "f20", "f21", "f22", "f24"):
            compared += 1
            assert trial["best_value"] == pytest.approx(twin["best_value"], rel=1e-6, abs=2e-10)
            assert trial["status"] == twin["status"]
    assert compared >= 290


needs_real = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA does not name the folder of real logs")


@needs_real
def test_ma_bbob():
    path = Path(REAL) / "ioh-json-dat/MABBOB_Baselines.zip"
    report = readers.examine(path)
    assert report["trials"]["found"] == 6000
    assert report["trials"]["missing"] == 0
    assert (report["dimensions"], report["instances"], len(report["algorithms"])) == ([2, 5], "0-999", 3)
    # 3 algorithms on 1000 instances in each dimension, and budgets that differ between algorithms.
    assert (report["budget"]["min"], report["budget"]["max"]) == (369, 10000)
    assert {e["rule"] for e in report["irregularities"]} == {"scale_not_stated"}


@needs_real
@pytest.mark.parametrize(("name", "trials", "kept"), [("SO_Data", 60, 599), ("SO_Data/HC", 30, None)])
def test_inspector_samples(name, trials, kept):
    report = readers.examine(Path(REAL) / "ioh-json-dat" / name)
    assert report["trials"]["found"] == trials
    if kept:
        assert report["rows"]["kept"] == kept  # what iohinspector loads, too


@needs_real
def test_generated_with_repeated_instances():
    report = readers.examine(next((Path(REAL) / "ioh-generated").glob("*.tgz")))
    assert (report["trials"]["found"], report["instances"]) == (300, "1-3 ×5")


@needs_real
def test_pseudo_boolean_sample(tmp_path):
    """Final values of `.info`, transformed, are the last best ones of the data for all 400 runs."""
    path = Path(REAL) / "ioh-info-dat/sample_data.zip"
    result = Result(path, tmp_path, value="transformed")
    assert (result.report["algorithms"], result.report["suites"]) == (["RLS", "self_GA"], ["PBO"])
    assert (result.report["trials"]["found"], result.report["trials"]["missing"]) == (400, 0)
    assert all(result.column("maximise"))
    plain = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".info") and "MACOSX" not in name:
                plain += re.findall(rb"(\d+):(\d+)\|([-+.\de]+)", archive.read(name))
    expected = sorted((int(i), int(e), float(v)) for i, e, v in plain)
    found = sorted((int(t["instance"]), t["budget"], t["best_value"]) for t in result.trials)
    assert [f[0] for f in found] == [e[0] for e in expected]
    assert np.allclose([f[2] for f in found], [e[2] for e in expected], rtol=2e-5)
    differing = [(f, e) for f, e in zip(found, expected, strict=True) if f[1] != e[1]]
    assert len(differing) <= result.counts().get("budget_from_trace", 0)


@needs_real
def test_text_ids_without_a_suite():
    report = readers.examine(Path(REAL) / "ioh-info-dat/ONE_PLUS_LAMDA_EA_ws")
    assert (report["problems"], report["suites"], report["trials"]["found"]) == (["bla", "blubb"], [], 20)


def test_an_info_that_states_raw_values(read):
    """The logger that IOHexperimenter keeps for old logs states the best raw value and its evaluation."""
    files = {
        INFO: 'suite = "unknown_suite", funcId = 1, funcName = "Sphere", DIM = 16, maximization = "F", algId = "RS"\n%\n'
        "data_f1/IOHprofiler_f1_DIM16.dat, 1:4|16, 1:30|5.5, 2:7|12",
        QDAT: quoted([(1, 19, 19), (4, 16, 16), (60, 18, 16)], [(1, 8, 8), (30, 5.5, 5.5)], [(1, 20, 20), (7, 12, 12)]),
        TDAT: None,
    }
    result = read(files)
    assert (result.column("best_value"), result.column("status")) == ([16, 5.5, 12], ["failed"] * 3)
    assert "final_value_disagrees" not in result.counts()
    transformed = read(files, value="transformed")
    assert (transformed.column("best_value"), transformed.column("status")) == ([33, 12, 25], ["failed"] * 3)
    assert "final_value_disagrees" not in transformed.counts()
    # A run whose data never reach the raw value stated is cut still.
    short = read(files | {INFO: files[INFO].replace("2:7|12", "2:7|11.5")})
    assert short.column("status") == ["failed", "failed", "ill_finalised"]
    assert short.counts()["final_value_disagrees"] == 1


def test_a_folder_that_was_copied_is_noted(read):
    files = SMALL_JSON | {name.replace("A/", "copy/", 1): text for name, text in SMALL_JSON.items()}
    result = read(files)
    assert (len(result.trials), result.counts()["same_content"]) == (6, 1)
    assert result.first("same_content") == (f"copy/{DAT.removeprefix('A/')}", None)
    assert "same_content" not in read(SMALL_JSON).counts()


def test_evaluations_that_are_counted_from_zero(read):
    rows = [[(0, 20.0), (8, 0.0123456789), (99, 13.7)], [(0, 4.0), (6, 3.5), (99, 9.0)], [(0, 3.5), (39, 6.1e-9), (79, 2.0)]]
    honest = [[(e + 1, v) for e, v in block] for block in rows]
    result, other = read({**SMALL_JSON, DAT: blocks(*rows)}), read({**SMALL_JSON, DAT: blocks(*honest)})
    assert result.column("budget") == other.column("budget") == [100, 100, 80]
    assert [row["evaluations"] for row in result.traces.to_pylist()] == [row["evaluations"] for row in other.traces.to_pylist()]
    assert result.counts()["counted_from_zero"] == 3


def test_names_in_another_encoding_stay_apart_and_runs_have_the_place_of_their_own_listing(tmp_path):
    listing = "suite = 'PBO', funcId = 1, DIM = 16, algId = '{}'\n%\n{}x.dat, 1:{}|{}\n"
    data = quoted([(1, 1, 1), (5, 3, 3)])
    files = {f"{name}/a.info": listing.format(name, "", 5, 3).encode("latin-1") for name in ("Caf\xe9", "Caf\xe8")}
    files |= {f"{name}/x.dat": data for name in ("Caf\xe9", "Caf\xe8")}
    result = Result(folder(tmp_path / "names", files), tmp_path / "a", direction="max")
    assert result.report["algorithms"] == ["Caf\xe8", "Caf\xe9"]
    files = {"a.info": listing.format("A", "", 5, 3), "b.info": listing.format("A", "\n", 3, 4)}
    files["x.dat"] = data + quoted([(1, 2, 2), (9, 4, 4)])
    result = Result(folder(tmp_path / "two", files), tmp_path / "b", direction="max")
    assert result.first("budget_from_trace") == ("b.info", 4)
