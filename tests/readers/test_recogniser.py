"""Which format a source is, whoever asks, and what of it is left alone."""

import itertools
import os
import random
import tarfile
from pathlib import Path

import pytest

from benchmill import cli, readers
from benchmill.core import UserError
from benchmill.readers.interface import Found
from benchmill.registry import formats
from benchmill.workflow.commands import study_of
from tests.readers.making import SMALL, folder, one_sentence, tar, zipped
from tests.readers.test_eps_de import FIRST, HEAD
from tests.readers.test_gams_solvetrace import OPTIMAL
from tests.readers.test_gams_trace import SHORT
from tests.readers.test_identity_of_logs import SOLVED
from tests.readers.test_ioh import SMALL_INFO

REAL = os.environ.get("BENCHMILL_REAL_DATA")

TRACE, COURSE = {"t/a.trc": SHORT}, {"s/a.solvetrace": OPTIMAL}


def others(report):
    """File and detail of what was left alone."""
    entries = [e for e in report["irregularities"] if e["rule"] == "other_format"]
    assert all(e["outcome"] == "noted" for e in entries)
    return [(e["file"], e["detail"]) for entry in entries for e in entry["examples"]]


@pytest.mark.parametrize("files", [{**TRACE, **COURSE}, {**COURSE, **TRACE}])
@pytest.mark.parametrize("pack", [tar, zipped, folder])
def test_a_look_and_a_reading_agree_in_any_order_of_the_files(tmp_path, files, pack):
    source = pack(tmp_path / "mixed.x", files)
    messages = set()
    for look in (readers.sniff, readers.examine):
        with pytest.raises(UserError) as error:
            look(source)
        one_sentence(error.value)
        messages.add(str(error.value))
    assert len(messages) == 1
    assert all(f"`format: {name}`" in min(messages) for name in ("gams_trace", "gams_solvetrace"))
    for format, trials, left in (
        ("gams_trace", 3, [("s/a.solvetrace", "its format is 'gams_solvetrace'")]),
        ("gams_solvetrace", 1, [("t/a.trc", "its format is 'gams_trace'")]),
    ):
        assert readers.sniff(source, format).format == format
        report = readers.examine(source, format=format)
        assert (report["format"], report["trials"]["found"]) == (format, trials)
        assert others(report) == left


def test_what_the_message_says_works_in_a_configuration(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tar(tmp_path / "mixed.tgz", {**TRACE, **COURSE})
    tar(tmp_path / "walker.tgz", SMALL)
    config = "studies:\n  s:\n    sources:\n      - walker.tgz\n    measures: {ert: {kind: fixed_target, targets: [1]}}\n"
    Path("config.yaml").write_text(config)
    assert cli.main(["inspect", "mixed.tgz"]) == cli.main(["add", "s", "mixed.tgz"]) == cli.REFUSED
    assert capsys.readouterr().err.count("`format: gams_solvetrace` or `format: gams_trace`") == 2
    assert cli.main(["inspect", "mixed.tgz", "--format", "gams_trace"]) != cli.REFUSED
    assert "noted: other_format, 1 time." in capsys.readouterr().out
    assert cli.main(["add", "s", "mixed.tgz", "--format", "gams_trace"]) != cli.REFUSED
    # what `other_format` says: the same source a second time, with the other format and a name of its own
    text = Path("config.yaml").read_text()
    entry = "{path: mixed.tgz, format: gams_trace}"
    assert entry in text
    Path("config.yaml").write_text(
        text.replace(entry, f"{entry}\n      - {{path: mixed.tgz, format: gams_solvetrace, name: course}}")
    )
    assert {s.name: s.format for s in study_of(Path("config.yaml").read_text(), Path("config.yaml"), "s").sources} == {
        "walker": "coco",
        "mixed": "gams_trace",
        "course": "gams_solvetrace",
    }


def test_headers_of_one_suffix_are_told_apart(tmp_path):
    source = tar(tmp_path / "both.tgz", {**SMALL_INFO, **SMALL})
    with pytest.raises(UserError, match=r"coco \(such as 'W/bbobexp_f1\.info'\) and ioh \(such as 'P/IOHprofiler_f1\.info'\)"):
        readers.sniff(source)
    for format, rule, file in (
        ("coco", "info_unreadable", "P/IOHprofiler_f1.info"),
        ("ioh", "listing_unreadable", "W/bbobexp_f1.info"),
    ):
        entries = readers.examine(source, format=format)["irregularities"]
        assert [(e["file"], e["outcome"]) for e in entries if e["rule"] == rule] == [(file, "refused")]


def test_headers_go_before_content_and_content_before_a_look(tmp_path):
    table = "algorithm,problem,cost\nA,p,1\n"
    source = tar(tmp_path / "a.tgz", {"a/log.txt": HEAD + FIRST, "b/times.csv": table, **SMALL})
    report = readers.examine(source)
    assert report["format"] == readers.sniff(source).format == "coco"
    # that a file looks like a table is a guess, such as `seeds.csv` beside the logs that ship
    assert others(report) == [("a/log.txt", "its format is 'eps_de'")]
    source = folder(tmp_path / "b", {"a.csv": table, "README.txt": "words\n", "z.log": HEAD + FIRST})
    assert readers.sniff(source) == Found("eps_de", ("eDEa",))
    two = folder(tmp_path / "c", {"a.log": HEAD + FIRST, "b_PR.dat": "0 0 0 0 0\n" * 20})
    with pytest.raises(UserError, match=r"cec2013_niching .* and eps_de"):
        readers.sniff(two)


def test_a_file_that_two_formats_recognise_is_of_none(tmp_path, monkeypatch):
    """Whatever their order, which means nothing."""
    path = folder(tmp_path / "f", {"a.log": HEAD + FIRST + SOLVED.format(name="p1")}) / "a.log"
    for entries in (formats.FORMATS.entries, dict(reversed(formats.FORMATS.entries.items()))):
        monkeypatch.setitem(vars(formats.FORMATS), "entries", entries)
        with pytest.raises(UserError, match=r"2 formats recognise it, .*; write into its entry which one") as error:
            readers.sniff(path)
        one_sentence(error.value)
    assert [readers.sniff(path, name).format for name in ("eps_de", "mip_log")] == ["eps_de", "mip_log"]


def test_what_is_told_of_a_file_left_alone_and_of_a_damaged_one_hangs_on_no_order(tmp_path, monkeypatch):
    both = HEAD + FIRST + SOLVED.format(name="p1")
    beside = folder(tmp_path / "f", {"a.log": both, **SMALL})
    damaged = folder(
        tmp_path / "d", {"a.xml": "<result", "b.arff": "@RELATION", "c.info": "\x00", "d.trc": "* Trace", "e.json": "{"}
    )
    entries = list(formats.FORMATS.entries.items())

    def told():
        yield others(readers.examine(beside))
        with pytest.raises(UserError) as error:
            readers.sniff(damaged)
        yield str(error.value).partition("known are")[0]

    before = list(told())
    assert before[0] == [("a.log", "its format is 'eps_de' or 'mip_log'")]
    for seed in range(5):
        random.Random(seed).shuffle(entries)
        monkeypatch.setitem(vars(formats.FORMATS), "entries", dict(entries))
        assert list(told()) == before


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA does not name the folder of real logs")
def test_no_real_log_is_of_another_format_when_formats_are_asked_in_another_order(monkeypatch):
    files = [path for path in sorted(Path(REAL).rglob("*")) if path.is_file()]

    def told():
        for path in files:
            try:
                yield str(path), readers.sniff(path).format
            except UserError as error:
                yield str(path), sorted(str(error))

    before = dict(told())
    monkeypatch.setitem(vars(formats.FORMATS), "entries", dict(reversed(formats.FORMATS.entries.items())))
    assert dict(told()) == before
    assert len({one for one in before.values() if isinstance(one, str)}) > 8


def test_a_format_that_guesses_less_goes_first(tmp_path):
    source = folder(
        tmp_path / "f", {"t.csv": "problem,algorithm,FEs to success,feasible rate,success rate\n" + "g01,A,10,100%,100%\n" * 2}
    )
    assert readers.sniff(source).format == "cec2006"
    assert readers.sniff(source, "table").format == "table"


def test_a_first_header_that_is_none_does_not_hide_the_others(tmp_path):
    assert readers.sniff(folder(tmp_path / "t", {"a.trc": "", "b.trc": SHORT})).format == "gams_trace"
    assert readers.sniff(folder(tmp_path / "s", {"a.miptrace": "x\n", "b.miptrace": OPTIMAL})).format == "gams_solvetrace"


def test_many_files_of_no_format_do_not_hide_one_by_its_suffix(tmp_path):
    noise = {f"n/{number}.odat": "noise\n" for number in range(30)}
    source = folder(tmp_path / "f", {**SMALL, **noise, "z.trc": SHORT, "z.log": HEAD + FIRST})
    report = readers.examine(source, format="coco")
    assert others(report) == [("z.log", "its format is 'eps_de'"), ("z.trc", "its format is 'gams_trace'")]


def test_further_files_of_a_logger_are_shown_to_no_other_format(tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(readers, "_sniffed", lambda one, view: told.append(view.members[0].name))
    folder(
        tmp_path / "logs", SMALL | {f"data_f1/bbobexp_f1_DIM2.{suffix}": "% restarts\n" for suffix in ("rdat", "mdat", "odat")}
    )
    readers.examine(tmp_path / "logs", format="coco")
    assert set(told) == {"data_f1/bbobexp_f1_DIM2.odat"}


def test_what_is_left_alone_need_not_be_whole(tmp_path):
    path = zipped(tmp_path / "a.zip", {**SMALL, "z.trc": SHORT * 50})
    data = bytearray(path.read_bytes())
    at = data.index(b"z.trc") + 5
    data[at : at + 20] = b"\xff" * 20
    path.write_bytes(data)
    report = readers.examine(path)
    assert (report["format"], report["trials"]["found"]) == ("coco", 4)


def test_what_has_neither_header_nor_content_of_its_own_is_recognised_by_a_look(tmp_path):
    assert readers.sniff(folder(tmp_path / "s", {"t.csv": "problem,algorithm,cost\np,A,1\n"})).format == "table"


@pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA does not name the folder of real logs")
def test_traces_and_their_courses_in_one_archive(tmp_path):
    """The examples of PAVER hold both, and one entry was read as one of them here and as the other there."""

    def content(name):
        with tarfile.open(Path(REAL) / "gams-trace" / name) as archive:
            return {m.name: archive.extractfile(m).read() for m in archive if m.isfile() and "miplib2010" in m.name}

    traces, courses = content("paver-globallib-linlib-miplib2010.tgz"), content("solvetrace-sample.tgz")
    for number, (first, second) in enumerate(itertools.permutations([traces, courses])):
        source = tar(tmp_path / f"{number}.tgz", {**first, **second})
        for look in (readers.sniff, readers.examine):
            with pytest.raises(UserError, match="`format: gams_solvetrace` or `format: gams_trace`"):
                look(source)
        report = readers.examine(source, format="gams_trace")
        assert (report["trials"]["found"], len(others(report))) == (435, 16)
        report = readers.examine(source, format="gams_solvetrace")
        assert (report["trials"]["found"], len(others(report))) == (16, 5)
