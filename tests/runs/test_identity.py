"""An algorithm belongs to one source: what is declared as parts is pooled in every table, everything else stops the run."""

import re

import pytest
import yaml

from benchmill import cli
from benchmill.core import storage

from .conftest import Workspace, write_campaign

pytestmark = pytest.mark.workflow

EARLY, LATE = (1, 2, 3, 4, 5), tuple(range(101, 116))
TEXTS = ("results/small/numbers.tex", "results/small/tables/ert_ert.md")
STUDY = """
studies:
  small:
    sources: []
    measures:
      ert: {kind: fixed_target, targets: [10, 1.0e-3]}
      quality: {kind: fixed_budget, budgets: [20], floor: 1.0e-8}
    figures: []
"""


def logs(algorithm, seed, instances):
    return algorithm, seed, {"instances": instances}


@pytest.fixture
def workspace(tmp_path):
    """An honest archive of CMA-ES; one that holds its own algorithm first and then, with other instances, CMA-ES again."""
    folder = tmp_path / "work"
    write_campaign(folder / "logs" / "honest.tar.xz", {"a": logs("CMA-ES", 1, EARLY)})
    write_campaign(folder / "logs" / "evil.tar.xz", {"a": logs("Evil", 2, EARLY), "b": logs("CMA-ES", 3, LATE)})
    return Workspace(folder)


def write_study(workspace, *sources):
    study = yaml.safe_load(STUDY)
    study["studies"]["small"]["sources"] = list(sources)
    workspace.config.write_text(yaml.safe_dump(study))


def advised(text):
    """The entries that a message says to write."""
    return [yaml.safe_load(line)[0] for line in re.findall(r"`(- \{.*?\})`", text)]


def tables(workspace, names):
    """Every table of a study but for what says which files it is from."""
    found = {}
    for name in names:
        table = storage.read(workspace.path(f"small/{name}.parquet"), name.split("/")[0])
        found[name] = table.drop_columns(["source"]) if "source" in table.column_names else table
    return found


@pytest.mark.parametrize("pattern", [True, False])
def test_an_algorithm_in_two_sources_stops_what_takes_sources_together(workspace, pattern):
    listed = ["logs/*.tar.xz"] if pattern else ["logs/honest.tar.xz", "logs/evil.tar.xz"]
    write_study(workspace, *listed)
    run = workspace.run("--keep-going", tex=False)
    assert run.code != 0
    assert "Traceback" not in run.output
    told = next(line for line in run.output.splitlines() if line.startswith("benchmill: "))
    assert "studies.small.sources: " in told
    assert "logs/honest.tar.xz" in told
    assert "logs/evil.tar.xz" in told
    assert "both hold the algorithm 'CMA-ES'" in told
    # each source by itself may be read and measured; what follows from the configuration alone is no result
    made = [name for name in workspace.times() if "/origins/" not in name and name != "pens.yaml"]
    stages = {re.sub(r"/settings\.\w+$", "/settings", name).split("/", 1)[1] for name in made}
    shared = {"config.yaml", "references.bib", "tables/settings", "pens.json"}
    assert {stage for stage in stages if not stage.rpartition("/")[2].startswith(("honest.", "evil."))} <= shared
    assert not workspace.path("report.html").exists()
    # and what the message says can be done
    pooled, renamed = advised(told)
    write_study(workspace, *(["logs/*.tar.xz", pooled] if pattern else [pooled]))
    # what follows from it to the last number is the same whether the sources were listed or found
    run = workspace.run(*(TEXTS if pattern else ["results/small/algorithms.parquet"]))
    assert run.code == 0, run.output
    if pattern:
        numbers = workspace.path("small/numbers.tex").read_text()
        assert r"benchmill@small/sources\endcsname{1}" in numbers
        assert r"benchmill@small/trials/found\endcsname{100}" in numbers
    found = storage.read(workspace.path("small/algorithms.parquet"), "algorithms").to_pylist()
    assert {row["algorithm"] for row in found} == {"CMA-ES", "Evil"}
    assert len({row["source"] for row in found}) == 1
    write_study(workspace, *(["logs/*.tar.xz", renamed] if pattern else ["logs/honest.tar.xz", renamed]))
    run = workspace.run("results/small/algorithms.parquet")
    assert run.code == 0, run.output
    found = storage.read(workspace.path("small/algorithms.parquet"), "algorithms").to_pylist()
    # a pattern gives them in the order of their names
    later = "honest" if pattern else "evil"
    assert renamed["path"] == f"logs/{later}.tar.xz"
    names = {"honest": "CMA-ES", "evil": "CMA-ES"} | {later: renamed["algorithm"]["CMA-ES"]}
    expected = {("Evil", "evil"), *((name, source) for source, name in names.items())}
    assert {(row["algorithm"], row["source"]) for row in found} == expected


def test_parts_of_a_campaign_are_what_one_archive_with_all_of_it_is(workspace):
    write_campaign(workspace.folder / "logs" / "late.tar.xz", {"b": logs("CMA-ES", 3, LATE)})
    write_campaign(workspace.folder / "logs" / "whole.tar.xz", {"a": logs("CMA-ES", 1, EARLY), "b": logs("CMA-ES", 3, LATE)})
    write_campaign(workspace.folder / "logs" / "other.tar.xz", {"a": logs("Other", 2, EARLY)})
    names = [
        *(f"{table}/cma" for table in ("trials", "traces", "indicators", "densities", "attainment", "convergence")),
        *(f"costs/{measure}/cma" for measure in ("ert", "quality")),
        *(f"{table}/ert" for table in ("ratios", "tests", "comparisons", "ranks", "rank_sums")),
        *(f"{table}/ert/dolan_more" for table in ("profiles", "profile_measures")),
        *("ecdf/target", "ecdf_curves/target"),
    ]
    wanted = [f"results/small/{name}.parquet" for name in names]
    made = []
    for entry in (
        {"parts": ["logs/honest.tar.xz", "logs/la*.tar.xz"], "name": "cma"},
        {"path": "logs/whole.tar.xz", "name": "cma"},
    ):
        write_study(workspace, entry, "logs/other.tar.xz")
        run = workspace.run(*wanted, *TEXTS)
        assert run.code == 0, run.output
        assert "Traceback" not in run.output
        made.append((tables(workspace, names), *(workspace.folder.joinpath(text).read_text() for text in TEXTS)))
    parts, whole = made
    for name in names:
        assert parts[0][name].equals(whole[0][name]), name
    assert parts[1:] == whole[1:]


def test_an_algorithm_on_other_problems_is_one_of_two_sources_too(workspace):
    write_campaign(workspace.folder / "logs" / "noisy.tar.xz", {"a": logs("Noisy", 2, EARLY), "b": logs("CMA-ES", 3, EARLY)})
    write_study(workspace, "logs/honest.tar.xz", {"path": "logs/noisy.tar.xz", "suite": "bbob-noisy"})
    run = workspace.run("results/small/algorithms.parquet")
    assert run.code != 0
    assert "both hold the algorithm 'CMA-ES'" in run.output


def test_adding_says_it_before_anything_is_written(workspace, monkeypatch, capsys):
    monkeypatch.chdir(workspace.folder)
    write_study(workspace, "logs/honest.tar.xz")
    before = workspace.config.read_text()
    for arguments in (["--dry-run"], []):
        assert cli.main(["add", "small", "logs/evil.tar.xz", "--config", "study.yaml", *arguments]) == 2
        out, err = capsys.readouterr()
        assert "'logs/honest.tar.xz' and 'logs/evil.tar.xz' both hold the algorithm 'CMA-ES'" in err
        assert "Nothing was written" not in out
        assert workspace.config.read_text() == before
    pooled, renamed = advised(err)
    assert pooled == {"parts": ["logs/honest.tar.xz", "logs/evil.tar.xz"]}
    new = f"algorithm={{CMA-ES: {renamed['algorithm']['CMA-ES']}}}"
    assert cli.main(["add", "small", "logs/evil.tar.xz", "--config", "study.yaml", "-o", new]) == 0
    # the other way round the beginning of what is there names another algorithm: its ingest report tells, or nothing does yet
    write_study(workspace, "logs/evil.tar.xz")
    capsys.readouterr()
    arguments = ["add", "small", "logs/honest.tar.xz", "--config", "study.yaml", "-n"]
    assert cli.main(arguments) == 0
    assert "Not read yet: evil." in capsys.readouterr().out
    assert workspace.run("results/small/trials/evil.parquet").code == 0
    assert cli.main(arguments) == 2
    assert "both hold the algorithm 'CMA-ES'" in capsys.readouterr().err
