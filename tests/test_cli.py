import json
import subprocess
import sys
import time

import pytest
import yaml

from benchmill import __version__, cli, readers
from benchmill.core import storage
from benchmill.text import commands
from tests.exhibits.test_badge import claims
from tests.readers.making import SMALL, folder, tar


@pytest.fixture
def run(capsys):
    def run(*arguments):
        code = cli.main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def clean(tmp_path):
    return tar(tmp_path / "walker.tgz", SMALL)


@pytest.fixture
def odd(tmp_path):
    files = {**SMALL, "W/bbobexp_f1.info": SMALL["W/bbobexp_f1.info"].replace("2:50|", "2:45|").replace(", 2:60|4.0e-01", ", 2")}
    return folder(tmp_path / "odd", files)


def test_a_clean_source(run, clean):
    code, out, err = run("inspect", clean)
    assert (code, err) == (0, "")
    assert "walker.tgz: coco" in out
    assert "4 found of 4 expected, 0 missing" in out
    assert "40 to 60 evaluations, median 55, 210 in total" in out


def test_questions_are_asked_once(run, tmp_path):
    (tmp_path / "t.csv").write_text("Instância,solver,tempo\nçã,A,1.0\nçã,B,2.0\n", "utf-8")
    code, out, err = run("inspect", tmp_path / "t.csv")
    assert (code, err.count("?"), out.count("?")) == (2, 0, 1)
    assert "except: [Instância]" in out
    assert err.endswith("if each holds the costs of an algorithm.\n")


def test_what_is_being_read_is_said_where_it_takes_long(run, clean, monkeypatch):
    examine = readers.examine
    monkeypatch.setattr("benchmill.workflow.commands._PATIENCE", 0.01)
    monkeypatch.setattr(readers, "examine", lambda *given, **more: (time.sleep(0.5), examine(*given, **more))[1])
    code, out, err = run("inspect", clean)
    assert (code, err) == (0, f"benchmill: reading {clean} ...\n")
    assert "walker.tgz: coco" in out


def test_what_libraries_do_at_the_end_of_a_process_does_not_change_its_exit_code(clean):
    for arguments, code in ((["inspect", str(clean)], 0), (["inspect", "none"], 2)):
        text = "import atexit, os; from benchmill import cli; atexit.register(os.abort); cli.command()"
        ended = subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True)
        assert ended.returncode == code
        assert "walker.tgz: coco" in ended.stdout or "benchmill: none" in ended.stderr


def test_the_entry_for_the_config_can_be_used(run, clean):
    _, out, _ = run("inspect", clean, "--name", "w: {x}", "-o", "algorithm=R", "-o", "switch_off=[running_minimum]")
    entry = yaml.safe_load(out[out.index("\n- ") :])
    assert entry == [{"path": str(clean), "name": "w: {x}", "algorithm": "R", "switch_off": ["running_minimum"]}]


def test_repairs_give_1_and_are_shown_with_their_place(run, odd):
    code, out, _ = run("inspect", odd)
    assert code == 1
    assert "repaired: budget_from_trace, 1 time." in out
    assert "W/bbobexp_f1.info:3:" in out
    assert "1 ill-finalised" in out


def test_what_is_cut_is_said_and_all_shows_it(run, tmp_path):
    rows = "".join(f"A,p{i},\n" for i in range(9))
    folder(tmp_path, {"t.csv": "algorithm,problem,cost\n" + rows})
    code, out, _ = run("inspect", tmp_path / "t.csv", "-o", "empty=failure")
    assert code == 0
    assert "... and 6 more" in out
    _, out, _ = run("inspect", tmp_path / "t.csv", "-o", "empty=failure", "--all")
    assert "t.csv:10: column 'cost' is empty" in out
    assert "more (" not in out


def test_json(run, clean, odd):
    code, out, _ = run("inspect", clean, odd, "--json")
    reports = json.loads(out)
    assert code == 1
    assert [r["path"] for r in reports] == ["walker.tgz", "odd"]
    assert [r["trials"]["found"] for r in reports] == [4, 4]


def test_a_refused_source_does_not_stop_the_others(run, clean, tmp_path):
    code, out, err = run("inspect", tmp_path / "nothing", clean)
    assert code == 2
    assert err == f"benchmill: {tmp_path / 'nothing'}: there is no such file or folder; correct the path.\n"
    assert "walker.tgz: coco" in out
    code, out, _ = run("inspect", tmp_path / "nothing", clean, "--json")
    assert [set(r) >= {"path"} for r in json.loads(out)] == [True, True]
    assert "no such file" in json.loads(out)[0]["error"]


def test_mistakes_in_options(run, clean):
    assert run("inspect", clean, clean, "--name", "x")[0] == 2
    assert "has no `=`" in run("inspect", clean, "-o", "strict")[2]
    assert "not YAML" in run("inspect", clean, "-o", "columns={a")[2]
    assert "did you mean 'coco'" in run("inspect", clean, "--format", "coca")[2]


def test_names_from_logs_cannot_move_the_cursor(run, tmp_path):
    text = SMALL["W/bbobexp_f1.info"].replace("Walker", "\x1b[31mred\x07")
    _, out, _ = run("inspect", folder(tmp_path / "f", {**SMALL, "W/bbobexp_f1.info": text}))
    assert "\x1b" not in out
    assert "\x07" not in out


def test_version_and_help(capsys):
    for argument, expected in (("--version", f"benchmill {__version__}"), ("--help", "inspect"), ("", "COMMAND")):
        with pytest.raises(SystemExit):
            cli.main([argument] if argument else [])
        out, err = capsys.readouterr()
        assert expected in out + err


def test_as_a_module_and_without_a_reader_of_its_output(clean):
    done = subprocess.run([sys.executable, "-m", "benchmill", "inspect", str(clean)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    code = f"import sys\nfrom benchmill import cli\nsys.exit(cli.main(['inspect', '--all', *[{str(clean)!r}] * 200]))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_an_interrupt_is_no_traceback(run, clean, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("benchmill.readers.examine", interrupted)
    code, _, err = run("inspect", clean)
    assert (code, err) == (130, "benchmill: interrupted\n")


def test_progress_is_shown_on_a_slow_terminal_only(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    clock = iter([0.0, 1.0, 3.0, 3.1, 9.0, 9.1, 9.2])
    monkeypatch.setattr(commands.time, "monotonic", lambda: next(clock))
    with commands.Progress("a/logs") as progress:
        progress(1_000_000, 3_000_000)
        assert capsys.readouterr().err == ""
        progress(2_000_000, 3_000_000)
        assert "logs: 2.0 MB of 3.0 MB" in capsys.readouterr().err
    assert capsys.readouterr().err == "\r\033[K"


@pytest.fixture
def claimed(tmp_path):
    """Results of two studies: one claim that holds everywhere, and one that fails in a convention."""
    for study, outcomes in (("firm", [True, True]), ("frail", [True, False]), ("wrong", [False, True])):
        table = claims((f"{study} best", outcomes))
        storage.write(table, "claims", tmp_path / study / "claims.parquet")
    return tmp_path


def test_claims_are_printed_and_checked(run, claimed):
    printed = "firm: firm best: sentence 0.\nfrail: frail best: sentence 0.\nwrong: wrong best: sentence 0.\n"
    assert run("claims", "--results", claimed) == (0, printed, "")
    for study, by_primary, everywhere in (("firm", 0, 0), ("frail", 0, 1), ("wrong", 1, 1)):
        line = f"{study}: {study} best: sentence 0.\n"
        assert run("claims", study, "--results", claimed, "--check") == (by_primary, line, "")
        assert run("claims", study, "--results", claimed, "--check", "--all") == (everywhere, line, "")


def test_claims_of_no_study_are_told(run, claimed, tmp_path):
    code, out, err = run("claims", "fir", "--results", claimed)
    assert (code, out) == (2, "")
    assert "there is no study 'fir' with claims; there is firm, frail, wrong." in err
    code, out, err = run("claims", "--results", tmp_path / "none")
    assert (code, out) == (2, "")
    assert "there is no study with claims; make them with `snakemake --cores all`" in err
