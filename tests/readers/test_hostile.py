"""What a malicious entry can try (docs/security.md), where no other test shows that it cannot."""

import io
import itertools
import json
import signal
import tarfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmill import cli, readers
from benchmill.core import UserError
from benchmill.readers import coco, table_files
from benchmill.readers.archive import open_view
from benchmill.text.commands import REPAIRED
from tests.fuzz import samples
from tests.readers import test_ioh
from tests.readers.making import SMALL, Result, block, folder, info, one_sentence, tar, zipped

NAMES = [
    "a\nb.txt",
    "\x1b[2J\x1b]0;x\x07.txt",
    "\u202etxt.exe",
    "x" * 4096 + ".txt",
    "con.txt ",
    "a\tb",
    "'; rm -rf $HOME #",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_of_members_are_text_and_nothing_else(tmp_path, capsys, name):
    path = tmp_path / "e.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT, errors="surrogatepass") as made:
        for member, text in {**SMALL, "W/" + name: "x", "../" + name: "x"}.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(text)
            made.addfile(entry, io.BytesIO(text.encode()))
    result = Result(path, tmp_path)
    assert result.counts()["unsafe_name"] == 1
    assert cli.main(["inspect", str(path)]) == REPAIRED
    shown = "".join(capsys.readouterr())
    assert not {c for c in shown if not c.isprintable()} - {"\n"}
    # nothing of it became a file
    assert {p.name for p in tmp_path.iterdir()} == {"e.tar", "trials.parquet", "traces.parquet", "report.json"}


def test_an_algorithm_that_is_called_a_path_is_a_name(tmp_path):
    for name in ("../../etc/passwd", "/etc/passwd", "a\\b", "-rf", "..", ".", "CON", "a/b" * 100):
        files = {
            "W/a.info": info(1, 2, ["1:4|1e-3"], algorithm=name),
            "W/data_f1/bbobexp_f1_DIM2.dat": block(1, [(1, 2.0), (4, 1e-3)]),
        }
        result = Result(folder(tmp_path / "s", files), tmp_path / "out")
        assert result.report["algorithms"] == [name.strip()]
    assert {p.name for p in tmp_path.iterdir()} == {"s", "out"}


def test_data_files_outside_of_the_entry_are_not_read(tmp_path):
    (tmp_path / "secret.dat").write_text(block(1, [(1, 2.0), (4, 1e-3)]))
    for data in ("../secret.dat", "..\\secret.dat", str(tmp_path / "secret.dat")):
        source = folder(tmp_path / "s", {"a.info": info(1, 2, ["1:4|1e-3"], data=data)})
        with pytest.raises(UserError, match="lies outside of the source"):
            Result(source, tmp_path / "out")
        listing = test_ioh.listing(test_ioh.RUNS).replace("data_f1/IOHprofiler_f1_DIM2.dat", data.replace("\\", "\\\\"))
        with pytest.raises(UserError) as error:
            Result(folder(tmp_path / "t", {test_ioh.JSON: listing}), tmp_path / "out")
        one_sentence(error.value)


def test_encrypted_and_many_and_nested(tmp_path):
    path = zipped(tmp_path / "e.zip", {"a.txt": "secret"})
    data = bytearray(path.read_bytes())
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        data[data.index(mark) + (6 if mark[2] == 3 else 8)] |= 1
    path.write_bytes(data)
    with pytest.raises(UserError, match="encrypted; unpack the archive") as error:
        open_view(path)
    one_sentence(error.value)
    inner = tar(tmp_path / "inner.tgz", SMALL).read_bytes()
    for outer in (tar(tmp_path / "o.tgz", {"inner.tgz": inner}), zipped(tmp_path / "o.zip", {"inner.tgz": inner})):
        with pytest.raises(UserError, match=r"left out: inner.tgz \(an archive inside the archive\)") as error:
            readers.examine(outer)
        one_sentence(error.value)


def test_cut_zst_and_what_only_claims_to_be_one(tmp_path):
    whole = pa.compress(tar(tmp_path / "f.tar", SMALL, "w").read_bytes(), codec="zstd", asbytes=True)
    for data in (whole[: len(whole) // 2], whole[:4], whole[:-1] + b"\xff", b"\x28\xb5\x2f\xfd" + b"\xff" * 40):
        (tmp_path / "x.tar.zst").write_bytes(data)
        with pytest.raises(UserError) as error:
            readers.examine(tmp_path / "x.tar.zst")
        one_sentence(error.value)


def test_a_zip_that_lies_about_sizes_is_caught_where_it_is_read(tmp_path):
    path = zipped(tmp_path / "z.zip", {"a.csv": "0" * 3_000_000})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    with open_view(path) as view:
        try:
            assert len(view.read("a.csv")) <= 10
        except UserError as error:
            one_sentence(error)


LONG = 20_000
LINES = {
    "blanks": " " * LONG,
    "tabs": "\t" * LONG,
    "digits": "1" * LONG,
    "signs": "+-" * LONG,
    "commas": "," * LONG,
    "equals": "a=" * LONG,
    "quotes": "'\"" * LONG,
    "pipes": "1:2|3, " * (LONG // 7),
    "brackets": "[{(" * LONG,
    "percents": "% " * LONG,
    "stars": "*" * LONG,
    "blank lines": "\n" * LONG,
    "frames": "@01 a\n" * 1000,
    "exponents": "1e" * LONG,
    "parts of a banner": "Solving report\n  Status  " * (LONG // 25),
}


def examine_in_time(source, format, options):
    """Examine a source; the alarm, after three seconds of this process's own, stops what backtracks."""

    def stop(*_):
        raise AssertionError("it does not end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 3)
    try:
        readers.examine(source, format=format, options=options)
    except UserError as error:
        one_sentence(error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("line", LINES)
def test_no_line_makes_a_reader_search_for_ever(tmp_path, line):
    """Each sample with a long line after its first one and at its end."""
    for format, chosen in samples.READERS.items():
        for number, (files, options) in enumerate(chosen if format == "mip_log" else chosen[:1]):
            spoilt = {}
            for name, text in files.items():
                first, _, rest = text.partition("\n")
                spoilt[name] = f"{first}\n{LINES[line]}\n{rest}{LINES[line]}\n"
            examine_in_time(folder(tmp_path / f"{format}{number}", spoilt), format, options)


@pytest.mark.parametrize("format", samples.READERS)
def test_no_long_piece_of_a_line_is_too_much(tmp_path, format):
    """A long number, word or gap in one of the first lines that say something: two of them in each."""
    pieces = itertools.cycle(("7" * 40_000, " " * 40_000, "1." * 20_000, "x=" * 20_000))
    for number, (files, options) in enumerate(samples.READERS[format][:4]):
        name, text = next(iter(files.items()))
        lines = text.split("\n")
        for at in [i for i, line in enumerate(lines) if line.strip()][:6:2]:
            for piece in itertools.islice(pieces, 2):
                place = lines[at].find(" ") + 1 or len(lines[at]) // 2
                spoilt = "\n".join([*lines[:at], lines[at][:place] + piece + lines[at][place:] + piece + "y", *lines[at + 1 :]])
                examine_in_time(folder(tmp_path / f"{number}", {**files, name: spoilt}), format, options)


def test_best_known_values_that_are_none_are_not_used(tmp_path):
    trace = "* Trace Record Definition\n* InputFileName,SolverName,ModelStatus,SolverStatus,ObjectiveValue,SolverTime\n*\n"
    files = {"x.trc": trace + "m,A,1,1,5,1\nn,A,1,1,inf,1\n", "x.solu": "=opt= m nan\n=opt= n -inf\n=best= m -1e999\n"}
    result = Result(folder(tmp_path / "s", files), tmp_path / "out")
    assert result.counts()["best_known_unreadable"] == 3
    assert result.column("status") == ["solved", "solved"]


@pytest.mark.parametrize(
    "number", ["9223372036854775807", "9223372036854775808", "18446744073709551617", "1e300", "9" * 400, "-1", "nan"]
)
def test_evaluations_do_not_wrap_around(tmp_path, number):
    coco = {
        "a.info": info(1, 2, [f"1:{number}|1e-3", "2:9|1e-3"]),
        "data_f1/bbobexp_f1_DIM2.dat": block(1, [(1, 2.0), (number, 1e-3)]) + block(2, [(1, 2.0), (9, 1e-3)]),
    }
    ioh = {
        test_ioh.JSON: test_ioh.listing(test_ioh.RUNS).replace('"evals": 80', f'"evals": {number}'),
        test_ioh.DAT: test_ioh.blocks(*test_ioh.ROWS).replace("80 ", f"{number} "),
    }
    table = {"t.csv": f"algorithm,problem,evaluations,value,budget\nA,p,1,2.0,9\nA,p,{number},1.0,{number}\n"}
    for name, files in (("coco", coco), ("ioh", ioh), ("table", table)):
        try:
            result = Result(folder(tmp_path / name, files), tmp_path / "out", format=name)
        except UserError as error:
            one_sentence(error)
            continue
        budgets = [b for b in result.column("budget") if b is not None]
        assert all(0 <= b < 2**63 for b in budgets)
        evaluations = result.traces["evaluations"].to_numpy()
        assert np.all(evaluations >= 0)
        # what is no number of evaluations is never taken for another one
        assert set(evaluations.tolist()) <= {1, 3, 7, 9, 40, 80, 100, int(number) if number.isdigit() else -1}


@pytest.mark.parametrize("value", ["nan", "NaN", "-nan", "inf", "-inf", "1e999", "-1e999"])
def test_values_that_are_none_win_nothing(tmp_path, value):
    """A run cannot reach a target, or be the best, by logging what is no value."""
    rows = block(1, [(1, 30.0), (4, 2.5)]).replace("+2.500000000e+00", value)
    coco = {"a.info": info(1, 2, [f"1:4|{value}"]), "data_f1/bbobexp_f1_DIM2.dat": rows + block(2, [(1, 1.0)])}
    ioh = {
        test_ioh.JSON: json.dumps(json.loads(test_ioh.listing(test_ioh.RUNS))).replace(
            "0.0123456789012", value.replace("-nan", "NaN")
        ),
        test_ioh.DAT: test_ioh.blocks(*test_ioh.ROWS).replace("0.0123456789", value),
    }
    table = {"t.csv": f"algorithm,problem,evaluations,value,budget\nA,p,1,2.0,9\nA,p,2,{value},9\n"}
    matrix = {"A_1_10.txt": f"9 9\n{value} 8\n{value} 7\n"}
    for name, files, options in (
        ("coco", coco, {}),
        ("ioh", ioh, {}),
        ("table", table, {}),
        ("cec", matrix, samples.MATRIX),
    ):
        try:
            result = Result(folder(tmp_path / name, files), tmp_path / "out", format=name, **options)
        except UserError as error:
            one_sentence(error)
            continue
        values = result.traces["value"].to_numpy()
        assert np.isfinite(values).all() or (np.isinf(values) & (values > 0)).any()
        assert not np.isnan(values).any()
        assert not (values == -np.inf).any()
        best = [b for b in result.column("best_value") if b is not None]
        assert not any(b == -np.inf or np.isnan(b) for b in best)


@pytest.mark.parametrize(
    ("suite", "value", "told"),
    [("bbob", -0.3, 1), ("bbob", -1e-9, 0), ("bbob", 0.0, 0), ("bbob-constrained", -0.3, 1), ("bbob-biobj", -0.3, 0)],
)
def test_values_beyond_the_optimum_are_told(tmp_path, suite, value, told):
    data = block(1, [(3, 8.0), (60, value)])
    files = {"a.info": info(1, 3, [f"1:60|{value - 1e-8:.1e}"], data="d/a.dat", suite=suite), "d/a.dat": data, "d/a.tdat": data}
    result = Result(folder(tmp_path / "logs", files), tmp_path / "out")
    assert (result.column("best_value"), result.column("status")) == ([value], ["solved"])
    assert result.counts() == ({"beyond_optimum": told} if told else {})


@pytest.mark.parametrize(
    ("direction", "optimum", "violation", "told"),
    [("min", 5, 0, 1), ("min", 4, 0, 0), ("min", 5, 0.5, 0), ("max", 5, 0, 1), ("max", 9, 0, 0)],
)
def test_values_beyond_a_stated_optimum_are_told(tmp_path, direction, optimum, violation, told):
    """The best value is 4, or 9 where larger values are better; a point that is not feasible may be anywhere."""
    rows = "".join(f"A,p,{at},{value},{optimum},{violation}\n" for at, value in ((1, 9), (3, 4)))
    (tmp_path / "t.csv").write_text(f"algorithm,problem,evaluations,value,optimum,violation\n{rows}")
    found = Result(tmp_path / "t.csv", tmp_path, format="table", direction=direction).counts()
    assert found.get("beyond_optimum", 0) == told


def test_a_budget_that_is_understated_is_that_of_the_data(tmp_path):
    files = {"a.info": info(1, 2, ["1:5|1.5e-03"]), "data_f1/bbobexp_f1_DIM2.dat": block(1, [(1, 30.0), (4, 2.5), (900, 1.5e-3)])}
    result = Result(folder(tmp_path / "s", files), tmp_path / "out")
    assert result.column("budget") == [900]
    assert result.counts()["budget_from_trace"] == 1


def test_runs_that_are_there_twice_are_told(tmp_path):
    twice = {**SMALL, **{name.replace("W/", "again/W/"): text for name, text in SMALL.items()}}
    assert Result(folder(tmp_path / "s", twice), tmp_path / "out").counts() == {"same_content": 2}


def sparse(side):
    """Two trials a problem and dimension: `side` problems and as many dimensions, each pair of neighbours once."""
    places = [(p, d % side + 2) for p in range(1, side + 1) for d in (p, p + 7)]
    return {
        "W/a.info": "".join(info(p, d, ["1:4|1e-3"], data="d.dat", suite="bbob") for p, d in places),
        "W/d.dat": block(1, [(4, 1e-3)]),
    }


def test_the_report_grows_with_the_trials_and_not_with_the_grid(tmp_path):
    """4 000 cells over 2 000 functions and 2 000 dimensions took 6.4 GB and a report of 512 MB."""
    small, large = (Result(folder(tmp_path / str(side), sparse(side)), tmp_path) for side in (100, 130))
    assert small.report["trials"]["expected"] == 100 * 100  # few enough to be listed
    assert small.report["trials"]["missing"] == len(small.report["missing"]) == 9800
    assert (large.report["trials"]["expected"], large.report["trials"]["missing"]) == (260, 0)
    assert large.counts()["design_too_sparse"] == 1
    assert len(json.dumps(large.report)) < 200_000


def test_what_the_report_says_of_a_sparse_design_works(tmp_path):
    path = folder(tmp_path / "s", sparse(130))
    first = readers.examine(path)
    detail = next(item["detail"] for item in first["irregularities"] if item["rule"] == "design_too_sparse")
    value = int(detail.partition("`most_missing: ")[2].partition("`")[0])
    again = readers.examine(path, options={"most_missing": value})
    assert (again["trials"]["expected"], again["trials"]["missing"]) == (16_900, 16_640)
    assert "design_too_sparse" not in {item["rule"] for item in again["irregularities"]}


def test_a_crowd_of_algorithms_is_refused_and_can_be_allowed(tmp_path):
    crowd = "".join(info(1, 2, ["1:4|1e-3"], algorithm=f"a{i}", data="d.dat") for i in range(101))
    path = folder(tmp_path / "s", {"W/a.info": crowd, "W/d.dat": block(1, [(4, 1e-3)])})
    with pytest.raises(UserError, match=r"more than 100 algorithms; .*`most_algorithms: ") as error:
        readers.examine(path)
    one_sentence(error.value)
    assert len(readers.examine(path, options={"most_algorithms": 101})["algorithms"]) == 101


def _arrow(table):
    out = pa.BufferOutputStream()
    with pa.ipc.new_file(out, table.schema) as file:
        file.write_table(table)
    return out.getvalue().to_pybytes()


def _parquet(table):
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    return out.getvalue().to_pybytes()


def test_a_table_that_is_too_large_to_be_held_is_refused_before_it_is_read(tmp_path, monkeypatch):
    """A text of 4e6 rows takes 1.4 GB."""
    rows = [{"algorithm": "A", "problem": f"p{i}", "cost": float(i + 1)} for i in range(40)]
    table = pa.Table.from_pylist(rows)
    files = {
        "t.csv": "algorithm,problem,cost\n" + "".join(f"A,{row['problem']},{row['cost']}\n" for row in rows),
        "t.txt": "algorithm problem cost\n" + "".join(f"A {row['problem']} {row['cost']}\n" for row in rows),
        "t.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
        "t.parquet": _parquet(table),
        "t.feather": _arrow(table),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        blank = {"separator": " "} if name == "t.txt" else {}
        assert readers.examine(path, format="table", options={**blank, "most_cells": 140})["trials"]["found"] == 40
        with monkeypatch.context() as patch:
            patch.setattr(table_files, "read", None)
            with pytest.raises(UserError, match=r"more than 100 cells .*`most_cells: ") as error:
                readers.examine(path, format="table", options={**blank, "most_cells": 100})
        one_sentence(error.value)


def test_info_files_that_list_more_than_the_data_can_hold(tmp_path):
    many = info(1, 2, ["1"] * 150_000)
    path = folder(tmp_path / "s", {"W/a.info": many, "W/data_f1/bbobexp_f1_DIM2.dat": block(1, [(4, 1e-3)])})
    with pytest.raises(UserError, match="list more trials than the data files can hold") as error:
        readers.examine(path)
    one_sentence(error.value)


def test_one_data_file_is_not_read_for_thousands(tmp_path, monkeypatch):
    monkeypatch.setattr(coco, "_READ_ANYWAY", 1000)
    path = folder(tmp_path / "s", sparse(100))
    with pytest.raises(UserError, match="name the same data files again and again") as error:
        readers.examine(path)
    one_sentence(error.value)
