"""What the fuzz targets start from: small samples of every format, of archives and of configurations.

A sample is some files packed into one string of bytes, so that a fuzzer can change contents, names and the number of files.
Real logs, where `BENCHMILL_REAL_DATA` names them, are cut small and packed the same way; they stay where they are.
"""

import io
import json
import os
import re
import tarfile
import zipfile
from pathlib import Path

from benchmill.core import UserError
from benchmill.readers.archive import open_view
from tests.readers import (
    making,
    test_aslib,
    test_benchexec,
    test_cec2006,
    test_cec2013_niching,
    test_coco,
    test_competition_logs,
    test_eps_de,
    test_gams_solvetrace,
    test_gams_trace,
    test_ioh,
    test_mip_log,
    test_patterns,
    test_perprof,
    test_programs,
    test_solver_logs,
    test_solver_tables,
    test_table_reader,
)

#: Stands before the name of each file; a line feed ends the name.
MARK = b"\x1c\x1c"
ROOT = Path(__file__).parents[2]
REAL = os.environ.get("BENCHMILL_REAL_DATA")
#: Bytes that are kept of each file of a real log.
REAL_BYTES = 3000


def pack(files):
    """Files, name to text or bytes, as one string of bytes."""
    return b"".join(
        MARK + name.encode("utf-8", "surrogateescape") + b"\n" + (text if isinstance(text, bytes) else text.encode())
        for name, text in files.items()
    )


def unpack(data):
    """The files in a string of bytes; whatever the bytes are, there is one at least."""
    parts = data.split(MARK)
    files = {}
    for part in parts[1:] or [b"x\n" + data]:
        name, _, content = part.partition(b"\n")
        files[name.decode("utf-8", "replace").replace("\0", "") or "x"] = content
    return files


def _json(**more):
    return {test_ioh.JSON: test_ioh.listing(test_ioh.RUNS, **more), test_ioh.DAT: test_ioh.blocks(*test_ioh.ROWS)}


_DEEP = 3000
MATRIX = {"files": "{algorithm}_{function}_{dimension}.txt", "fractions": [0.1, 0.5, 1.0], "budget_per_dimension": 100}
PAIR = {**MATRIX, "files": "{algorithm}_{function}_F.txt", "violations": "{algorithm}_{function}_CV.txt", "dimension": 2}

#: Name to the log of a solver.
LOGS = (
    test_mip_log.ALL
    | test_solver_logs.ALL
    | test_patterns.ALL
    | {"minizinc": test_patterns.MINIZINC, "cuopt": test_solver_logs.CUOPT, "soplex": test_solver_logs.SOPLEX}
    | {"cp-optimizer": test_competition_logs.CP_OPTIMIZER, "competition": test_competition_logs.PLAIN}
)
#: Format to samples: files and the options of the source.
READERS = {
    "coco": [
        (making.SMALL, {}),
        (test_coco.BIOBJECTIVE, {}),
        ({"a.info": making.info(1, 2, ["1:40|-1e-8"] * 3), "data_f1/bbobexp_f1_DIM2.dat": making.block(1, [(1, 3.0)], True)}, {}),
    ],
    "ioh": [
        (test_ioh.SMALL_JSON, {}),
        (test_ioh.SMALL_INFO, {"direction": "max"}),
        (_json(maximise=True, dimensions=(2, 3)), {}),
        ({test_ioh.JSON: '{"function_id": ' + "[" * _DEEP + "]" * _DEEP + "}"}, {}),
        ({test_ioh.JSON: test_ioh.listing(test_ioh.RUNS).replace("100", "9" * 5000), test_ioh.DAT: "x\n"}, {}),
    ],
    "cec": [
        ({"A_1_10.txt": "9.0e+00 7 Inf\r\n4;7;3\n4\t1e-9 2\n"}, MATRIX),
        ({"A_1_F.txt": "-9 7\n4 7\n4 2\n", "A_1_CV.txt": "1 0\n0 0\n0 0\n"}, PAIR),
        ({"A_1_10.txt": "5 4\n" * 16}, {"preset": "cec2020"}),
    ],
    "cec2006": [
        ({"t.csv": test_cec2006.HEADER + 'A,g01,20,1.5,100%,80%,25\n"B",g02,-,–,80.00,0,NA\n'}, {"runs": 5}),
        ({"t.txt": test_cec2006.PAPER}, {"runs": 5}),
    ],
    "gams_trace": [
        *(({"x.trc": text}, {}) for text in (test_gams_trace.SHORT, test_gams_trace.LIMITS, test_gams_trace.DEFAULT)),
        ({"x.trc": test_gams_trace.FOUR, "x.solu": test_gams_trace.SOLU}, {}),
        ({"x.trc": test_gams_trace.EXAMINER}, {}),
    ],
    "gams_solvetrace": [({"x.solvetrace": test_gams_solvetrace.OPTIMAL + test_gams_solvetrace.OPEN}, {})],
    "mip_log": [
        *(({f"{name}.log": text}, {}) for name, text in LOGS.items()),
        ({"x.log": test_mip_log.framed(test_mip_log.GUROBI) + test_mip_log.framed(test_mip_log.CBC)}, {}),
    ],
    "cec2013_niching": [({"A_PR.dat": test_cec2013_niching.RATIOS, "A_SR.dat": test_cec2013_niching.RATES}, {})],
    "eps_de": [({"a.log": test_eps_de.HEAD + test_eps_de.FIRST + test_eps_de.NO_CHECKPOINTS + test_eps_de.TIME}, {})],
    "aslib": [({"algorithm_runs.arff": test_aslib.ARFF, "description.txt": test_aslib.ABOUT}, {})],
    "benchexec": [
        ({"w.results.xml": test_benchexec.SAMPLE}, {}),
        ({"w.xml": test_benchexec.results(test_benchexec.RUNS[:2])}, {}),
    ],
    "perprof": [({"x.table": test_perprof.TABLE}, {}), ({"x.table": test_perprof.MOVED}, {})],
    "table": [
        ({"x.csv": test_solver_tables.WIDE}, test_solver_tables.SAT),
        ({"x.csv": test_solver_tables.STATED}, test_solver_tables.STATES),
        ({"x.csv": test_table_reader.COSTS}, {"columns": test_table_reader.MAP}),
        ({"x.csv": test_table_reader.TRACE}, {}),
        *(({"x.txt": one if isinstance(one, str) else json.dumps(one)}, {}) for one in test_programs.SAMPLES.values()),
        *(({"x.json": text}, test_programs.NAMED | entry) for text, entry, _ in test_programs.HISTORIES.values()),
        (test_programs.CRITERION, {}),
        ({"x.jsonl": '{"algorithm":"A","problem":"p","cost":1}\n{"algorithm":"B","problem":"p","cost":2}\n'}, {}),
        ({"x.jsonl": '{"algorithm":"A","problem":"p","cost":' + "[" * _DEEP + "]" * _DEEP + "}\n"}, {}),
    ],
}

#: Format to files of real logs, and what the source's entry says of them.
_REAL = {
    "coco": [
        ("coco-generated/*", {}),
        ("coco-bbob-new2/*", {}),
        ("coco-bbob-biobj/RS-100.tgz", {}),
        ("coco-bbob/EvoSpace*", {}),
    ],
    "ioh": [("ioh-generated/*", {}), ("ioh-info-dat/*", {}), ("ioh-json-dat/*", {})],
    "cec": [
        ("cec2015-learning/15170*", {"preset": "cec2015_learning"}),
        ("cec2020-bound/*", {"preset": "cec2020"}),
        ("cec2020-realworld-constrained/BiPop*", {"preset": "cec2020_real_world"}),
    ],
    "cec2006": [("cec2006-constrained/tables/*.txt", {}), ("cec2006-constrained/fes_to_success.csv", {})],
    "gams_trace": [("gams-trace/paver*", {})],
    "gams_solvetrace": [("gams-trace/solvetrace*", {})],
    "mip_log": [("mip-logs/*", {}), ("gurobi-logs/*", {})],
    "cec2013_niching": [("cec2013-niching/*_[PS]R.dat", {})],
    "eps_de": [("cec2010-constrained/*", {})],
    "aslib": [("aslib/*/algorithm_runs.arff*", {})],
    "benchexec": [],
    "perprof": [("perprof-cutest/*", {})],
    "table": [
        ("sat-competition/*", {}),
        ("energy-lp-milp/*", {}),
        ("qpbenchmark/*", {}),
        ("mittelmann-extract/*", {}),
        ("scmamp/*", {}),
    ],
}


def readers(format):
    """Samples of a format and their options: our own, then those cut from real logs."""
    return [(pack(files), options) for files, options in READERS[format]] + list(_real(format))


def _real(format):
    for pattern, options in _REAL[format] if REAL else ():
        for path in sorted(Path(REAL).glob(pattern))[:4]:
            try:
                files = _cut(path)
            except UserError:
                continue
            if files:
                yield pack(files), options


def _cut(path):
    """The beginnings of the first files of a source: the first of all, and those that lie beside or below it."""
    with open_view(path) as view:
        listings = [m.name for m in view.members if m.name.lower().endswith((".info", ".json"))]
        members = [m.name for m in view.members if m.size]
        if listings:
            folder = listings[0].rpartition("/")[0]
            members = listings[:1] + [n for n in members if n.startswith(folder) and n not in listings][:2]
        return {name: view.head(name, REAL_BYTES).rpartition(b"\n")[0] + b"\n" for name in members[:3]}


def _tar(files, **kinds):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
        for name, kind in kinds.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "../../x"
            archive.addfile(entry)
    return made.getvalue()


def _zip(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def archives():
    """Small archives of every kind, among them hostile ones."""
    import bz2
    import gzip
    import lzma

    files = {"a/1.info": making.info(1, 2, ["1:4|1e-3"]), "../up.txt": "x", "/root.txt": "x", "a" * 120: "x", "in.zip": "PK"}
    plain = _tar(files, link=tarfile.SYMTYPE, hard=tarfile.LNKTYPE, dev=tarfile.CHRTYPE, pipe=tarfile.FIFOTYPE)
    return [plain, gzip.compress(plain, mtime=0), bz2.compress(plain), lzma.compress(plain), _zip(files), _zip({})]


def configurations():
    """Texts of configurations: those that ship, and what YAML can do beyond."""
    shipped = [path.read_bytes() for path in sorted((ROOT / "studies").glob("*.yaml"))]
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    hostile = [
        "studies: &a {s: *a}",
        "studies:\n  s: {sources: &a [*a]}",
        bomb + "studies: {s: {sources: *i}}",
        bomb + "studies: {s: {title: *i, sources: x, profiles: *i}}",
        "studies: !!python/object/apply:os.system ['true']",
        "studies: {s: {sources: x, seed: 1e999, figures: [.nan, .inf]}}",
        "studies: {1: {sources: [2020-01-01, 0x1F, 1_000, !!binary aGk=, ~]}}",
        "studies: {s: {sources: x, measures: {? [a, b] : {}, m: {kind: fixed_target, targets: {from: 1e-300, to: 1e300, "
        "number: 99999999}}}}}",
        "studies: {s: " + "[" * 200 + "]" * 200 + "}",
        "%YAML 9.9\n---\nstudies: {}\n--- x\n",
    ]
    return [re.sub(rb"(?m)^\s*#.*\n", b"", text)[:1500] for text in shipped] + [text.encode() for text in hostile]
