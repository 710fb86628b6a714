"""Damaged logs of solver runs: a result with a report, or one sentence; never a traceback."""

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError, storage
from tests.readers import test_aslib, test_gams_trace, test_mip_log, test_perprof, test_solver_tables
from tests.readers.making import one_sentence

SAMPLES = [
    *(("mip_log", log, {}) for log in test_mip_log.ALL.values()),
    ("mip_log", test_mip_log.framed(test_mip_log.GUROBI) + test_mip_log.framed(test_mip_log.CBC), {}),
    *(("gams_trace", text, {}) for text in (test_gams_trace.SHORT, test_gams_trace.LIMITS, test_gams_trace.EXAMINER)),
    ("gams_trace", test_gams_trace.DEFAULT, {}),
    ("aslib", test_aslib.ARFF, {}),
    ("perprof", test_perprof.TABLE, {}),
    ("table", test_solver_tables.WIDE, test_solver_tables.SAT),
    ("table", test_solver_tables.STATED, test_solver_tables.STATES),
    ("table", "A\n p 1 2\n q 3 4\n", {"separator": " ", "header": ["problem"], "titles": "algorithm", "wide": "run"}),
    ("table", "problem,A,B\np1,40.0s,1s\np2,1.5min,20ms\n", {"wide": "algorithm"}),
    ("table", '{"algorithm":"A","problem":"p","cost":1}\n{"algorithm":"B","problem":"p","cost":2}\n', {}),
]
ODD = [
    b",",
    b"\n",
    b"\r",
    b"'",
    b'"',
    b"1e400",
    b"nan",
    b"-",
    b"inf",
    b"9" * 25,
    b"@01 ",
    b"@04 1\n",
    b"*",
    b"---\n",
    b"\xff",
    b"\0",
]


@st.composite
def damages(draw):
    """A sample, and what is done to its bytes."""
    number = draw(st.integers(0, len(SAMPLES) - 1))
    places = st.integers(0, len(SAMPLES[number][1]))
    changes = st.one_of(
        st.tuples(st.just("flip"), places, st.integers(0, 7)),
        st.tuples(st.just("cut"), places, st.just(0)),
        st.tuples(st.just("drop"), places, st.integers(1, 40)),
        st.tuples(st.just("odd"), places, st.integers(0, len(ODD) - 1)),
        st.tuples(st.just("copy"), places, st.integers(1, 60)),
    )
    return number, draw(st.lists(changes, min_size=1, max_size=6))


def damaged(text, changes):
    data = bytearray(text.encode())
    for what, at, extent in changes:
        at = min(at, len(data))
        if what == "flip" and at < len(data):
            data[at] ^= 1 << extent
        elif what == "cut":
            del data[at:]
        elif what == "drop":
            del data[at : at + extent]
        elif what == "odd":
            data[at:at] = ODD[extent]
        elif what == "copy":
            data[at:at] = data[at : at + extent]
    return bytes(data)


@settings(max_examples=120, deadline=None)
@given(damages())
def test_damaged_logs(case):
    number, changes = case
    format, text, options = SAMPLES[number]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.log"
        path.write_bytes(damaged(text, changes))
        for named, chosen in ((format, options), (None, {})):
            try:
                report = readers.examine(path, format=named, options=chosen)
            except UserError as error:
                one_sentence(error)
                continue
            found = report["trials"]
            assert found["found"] == found["solved"] + found["failed"] + found["ill_finalised"]


@pytest.mark.parametrize("format", ["mip_log", "gams_trace", "aslib", "perprof", "table"])
def test_empty_and_binary_files(tmp_path, format):
    path = tmp_path / "x.log"
    for content in (b"", b"\0", b"\n", b"\xff\xfe\x00", bytes(range(256)) * 8, b"\n" * 500, b"@01 \n", b"{", b"---"):
        path.write_bytes(content)
        with pytest.raises(UserError) as error:
            readers.examine(path, format=format)
        one_sentence(error.value)


@pytest.mark.parametrize(("format", "text", "options"), SAMPLES, ids=[f"{s[0]}-{i}" for i, s in enumerate(SAMPLES)])
def test_the_order_of_files_and_the_kind_of_line_ends_change_nothing(tmp_path, format, text, options):
    tables = []
    for number, content in zip(itertools.count(), (text, text.replace("\n", "\r\n")), strict=False):
        files = [tmp_path / f"{number}.{kind}" for kind in ("trials", "traces", "report")]
        path = tmp_path / str(number) / "x.log"
        path.parent.mkdir()
        path.write_bytes(content.encode())
        readers.ingest(path, files, name="x", format=format, options=options)
        tables.append(storage.read(files[0], "trials").to_pylist())
    assert tables[0] == tables[1]
