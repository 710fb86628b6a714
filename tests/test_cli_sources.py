import pytest
import yaml

from benchmill import cli
from tests.readers.making import SMALL, tar

CONFIG = """\
# my studies
studies:
  mine:
    sources:
      - logs/walker.tgz   # the first
    measures: {ert: {kind: fixed_target, targets: [1]}}
"""


def archive(path, algorithm):
    path.parent.mkdir(exist_ok=True)
    return tar(path, {name: text.replace("'Walker'", f"'{algorithm}'") for name, text in SMALL.items()})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for algorithm in ("walker", "runner", "flyer"):
        archive(tmp_path / "logs" / f"{algorithm}.tgz", algorithm)
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    def run(*arguments):
        code = cli.main([str(a) for a in arguments])
        return code, *capsys.readouterr()

    return run


def sources(folder):
    return yaml.safe_load((folder / "config.yaml").read_text())["studies"]["mine"]["sources"]


def test_a_dry_run_says_what_it_would_do_and_does_nothing(run, folder):
    code, out, err = run("add", "mine", "logs/runner.tgz", "--dry-run")
    assert (code, err) == (0, "")
    assert "1 sources and 1 more (runner)" in out
    assert "+      - logs/runner.tgz" in out
    assert "Nothing was written" in out
    assert (folder / "config.yaml").read_text() == CONFIG


def test_several_are_added_with_their_options_and_comments_stay(run, folder):
    (folder / "t.csv").write_text("solver,problem,cost\nA,p1,3\n")
    assert run("add", "mine", "logs/runner.tgz", folder / "logs" / "flyer.tgz")[0] == 0
    assert run("add", "mine", "t.csv", "--name", "times", "-o", "columns={algorithm: solver}")[0] == 0
    assert sources(folder)[:3] == ["logs/walker.tgz", "logs/runner.tgz", "logs/flyer.tgz"]
    assert sources(folder)[3] == {"path": "t.csv", "name": "times", "format": "table", "columns": {"algorithm": "solver"}}
    text = (folder / "config.yaml").read_text()
    assert text.startswith("# my studies\n")
    assert "# the first" in text


def test_paths_are_written_from_the_folder_of_the_configuration(run, folder, tmp_path_factory):
    inner = folder / "studies"
    inner.mkdir()
    (inner / "mine.yaml").write_text(CONFIG.replace("logs/", "../logs/"))
    far = archive(tmp_path_factory.mktemp("far") / "far.tgz", "far")
    assert run("add", "mine", "logs/runner.tgz", far, "--config", "studies/mine.yaml")[0] == 0
    found = yaml.safe_load((inner / "mine.yaml").read_text())["studies"]["mine"]["sources"]
    assert found == ["../logs/walker.tgz", "../logs/runner.tgz", str(far)]


@pytest.mark.parametrize("begun", ["sources: []", "sources:", "sources: ~", "title: none"])
def test_a_study_without_sources_gets_its_first(run, folder, begun):
    (folder / "config.yaml").write_text(CONFIG.replace("sources:\n      - logs/walker.tgz", begun))
    code, out, err = run("add", "mine", "logs/runner.tgz")
    assert (code, err) == (0, "")
    assert "0 sources and 1 more (runner)" in out
    assert sources(folder) == ["logs/runner.tgz"]
    assert "# the first" in (folder / "config.yaml").read_text()
    assert run("add", "yours", "logs/runner.tgz")[2] == "benchmill: config.yaml: there is no study 'yours'; it has mine.\n"


def test_what_the_study_has_already_is_not_added_twice(run, folder):
    code, out, _ = run("add", "mine", "logs/walker.tgz")
    assert code == 0
    assert "already in mine, as the source walker" in out
    assert (folder / "config.yaml").read_text() == CONFIG


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "nine", "logs/runner.tgz"), "there is no study 'nine'; it has mine"),
        (("add", "mine", "logs/nothing.tgz"), "nothing.tgz"),
        (("add", "mine", "config.yaml"), "no format recognises it"),
        (("add", "mine", "logs/runner.tgz", "config.yaml"), "no format recognises it"),
        (("add", "mine", "logs/runner.tgz", "--config", "no.yaml"), "no.yaml: there is no such file"),
        (("add", "mine", "other/walker.tgz"), "`- {parts: [logs/walker.tgz, other/walker.tgz]}`"),
        (("add", "mine", "other/walker.tgz", "logs/runner.tgz", "-n"), "both hold the algorithm 'walker'"),
        (("add", "mine", "logs/runner.tgz", "logs/flyer.tgz", "--name", "x"), "one name is given for 2 paths"),
        (("remove", "mine", "walker"), "only source"),
        (("remove", "mine", "runner"), "no source 'runner'; its sources are walker"),
    ],
)
def test_mistakes_are_told_and_change_nothing(run, folder, arguments, told):
    archive(folder / "other" / "walker.tgz", "walker")
    code, _, err = run(*arguments)
    assert code == 2
    assert told in err
    assert "Traceback" not in err
    assert (folder / "config.yaml").read_text() == CONFIG


@pytest.mark.parametrize(
    ("text", "told"),
    [("studies: &a {mine: *a}\n", "studies.mine is an alias"), (f"seed: {'9' * 5001}\n", "seed is a number of 5001 digits")],
)
def test_a_dry_run_names_the_key_at_which_snakemake_ends_with_its_traceback(run, folder, text, told):
    (folder / "other.yaml").write_text(text)
    code, _, err = run("add", "mine", "x", "--dry-run", "--config", "other.yaml")
    assert code == 2
    assert told in err


def test_the_parts_of_a_source_are_there_already(run, folder):
    parts = "\n      - {parts: [logs/runner.tgz, logs/flyer.tgz], name: both, algorithm: R}"
    (folder / "config.yaml").write_text(CONFIG.replace("   # the first", parts))
    code, out, _ = run("add", "mine", "logs/flyer.tgz")
    assert code == 0
    assert "already in mine, as the source both" in out


def test_a_source_is_removed_by_name_or_path(run, folder):
    run("add", "mine", "logs/runner.tgz", "logs/flyer.tgz")
    code, out, _ = run("remove", "mine", "runner", "-n")
    assert code == 0
    assert "-      - logs/runner.tgz" in out
    assert len(sources(folder)) == 3
    assert run("remove", "mine", "runner", "logs/flyer.tgz")[0] == 0
    assert (folder / "config.yaml").read_text() == CONFIG


@pytest.mark.parametrize("said", ["", "    algorithms: {except: [walker], rename: {flyer: Fly}}   # ours\n"])
@pytest.mark.parametrize("sources", ["logs/*er.tgz ", "sheet.yaml "])
def test_of_a_source_of_a_pattern_or_sheet_the_algorithms_are_excepted(run, folder, said, sources):
    (folder / "sheet.yaml").write_text("- logs/walker.tgz\n- logs/runner.tgz\n- logs/flyer.tgz\n")
    (folder / "config.yaml").write_text(CONFIG.replace("logs/walker.tgz ", sources) + said)
    code, out, _ = run("remove", "mine", "runner")
    assert code == 0
    assert "mine: runner of the source runner (logs/runner.tgz) is left out." in out
    study = yaml.safe_load((folder / "config.yaml").read_text())["studies"]["mine"]
    rename = {"rename": {"flyer": "Fly"}} if said else {}
    assert study["algorithms"] == {"except": ["walker", "runner"] if said else ["runner"], **rename}
    assert "# ours" in (folder / "config.yaml").read_text() or not said
    # and with `only`, it is one of those no more
    (folder / "config.yaml").write_text(CONFIG.replace("logs/walker.tgz ", sources) + "    algorithms: {only: [runner, flyer]}\n")
    assert run("remove", "mine", "logs/runner.tgz")[0] == 0
    assert yaml.safe_load((folder / "config.yaml").read_text())["studies"]["mine"]["algorithms"] == {"only": ["flyer"]}
