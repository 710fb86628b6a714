"""Whole runs: what they make, that it is the same everywhere, and how they fail."""

import csv
import io
import os
import re
import shutil
import signal
import time

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import yaml

from benchmill import cli
from benchmill.core import storage
from benchmill.core.schema import TABLES

from .conftest import PROJECT, STUDY, Workspace, make_workspace, write_archive, write_logs

pytestmark = pytest.mark.workflow
HAS_TEX = shutil.which("pdflatex") is not None


def test_every_documented_file_is_made(made):
    names = set(made.times())
    for source in ("Alpha", "Beta", "Gamma"):
        assert f"small/ingest/{source}.json" in names
        for stage in ("trials", "traces", "costs/ert", "costs/quality", "indicators"):
            assert f"small/{stage}/{source}.parquet" in names
    for measure in ("ert", "quality"):
        for stage in ("ratios", "tests", "comparisons", "ranks"):
            assert f"small/{stage}/{measure}.parquet" in names
        for stage in ("profiles", "profile_measures"):
            assert f"small/{stage}/{measure}/dolan_more.parquet" in names
    for aggregation in ("target", "problem", "dimension"):
        assert f"small/ecdf/{aggregation}.parquet" in names
    for kind in ("pdf", "svg"):
        assert {f"small/figures/profile_ert_dolan_more.{kind}", f"small/figures/scatter_quality.{kind}"} <= names
    assert {"small/numbers.tex", "small/config.yaml", "small/tables/ert_ert.tex", "report.html"} <= names
    assert ("paper.pdf" in names) == HAS_TEX


# made only where a study asks for nested profiles or bands, where a figure shows it, where several sources hold solver runs, or
# where another package brings an indicator
ON_REQUEST = {
    "attainment",
    "convergence",
    "densities",
    "indicator_values",
    "summary",
    "solver_runs",
    "kaplan_meier",
    "restricted_means",
    "contradictions",
    "log_ratios",
    "waves",
    "wave_profiles",
    "profile_intervals",
    "reproduction",
    "best_known",
}


def test_every_table_is_of_its_schema_and_says_what_it_is_made_from(made):
    checked = set()
    for path in made.path("small").rglob("*.parquet"):
        name = path.relative_to(made.path("small")).parts[0].removesuffix(".parquet")
        # nothing to warn of, nothing to claim, no families; no bands, posteriors or common difference of all pairs were asked for
        may_be_empty = ("profile_warnings", "claims", "families", "profile_intervals", "posteriors", "intervals")
        assert storage.read(path, name).num_rows > 0 or name in may_be_empty, path
        note = storage.origin_of(path)
        assert note["inputs"], path
        assert all(len(digest) == 64 for digest in note["inputs"].values())
        checked.add(name)
    assert checked >= set(TABLES) - ON_REQUEST


def test_no_result_knows_where_it_was_made(made):
    for name, content in made.contents().items():
        assert str(made.folder).encode() not in content, name
        assert str(PROJECT).encode() not in content, name


ELSEWHERE = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}


def test_same_bytes_on_one_core_and_elsewhere(made, tmp_path):
    other = make_workspace(tmp_path / "another place")
    run = other.run(cores=1, env=ELSEWHERE)
    assert run.code == 0, run.output
    expected, found = made.contents(), other.contents()
    assert found.keys() == expected.keys()
    assert [name for name in expected if expected[name] != found[name]] == []


def test_same_bytes_with_a_python_of_its_own_for_every_job(workspace, made):
    """A result of each kind of job is lost, and made again of the rest."""
    of_source = [f"{stage}/Gamma.parquet" for stage in ("trials", "costs/quality", "indicators")]
    compared = ["ecdf/dimension.parquet", *(f"{stage}/quality.parquet" for stage in ("ratios", "tests", "ranks"))]
    compared += [
        "profiles/quality/dolan_more.parquet",
        *(f"{one}.parquet" for one in ("algorithms", "leaders", "verdicts", "claims")),
    ]
    lost = [*of_source, *compared, "changes.md", "figures/ecdf_dimension.pdf", "tables/ert_ert.tex"]
    for name in lost:
        workspace.path(f"small/{name}").unlink()
    run = workspace.run(*(f"results/small/{name}" for name in lost), cores=1, env={**ELSEWHERE, "BENCHMILL_FORK": "no"})
    assert run.code == 0, run.output
    expected, found = made.contents(), workspace.contents()
    assert found.keys() == expected.keys()
    assert [name for name in found if expected[name] != found[name]] == []


def test_the_written_out_configuration_gives_the_same_study(made):
    study = yaml.safe_load(made.path("small/config.yaml").read_text())["studies"]["small"]
    assert study["sources"] == [{"path": "logs/*.tar.xz"}]
    assert study["indicators"]["ecdf"]["x"] == "evaluations_per_dimension"


def test_without_tex_everything_else_is_made_and_one_line_says_how_to_get_the_pdf(workspace):
    """Papers, page and one figure are gone; a study that is made from nothing without TeX is among those below."""
    lost = ("report.html", "paper/paper.tex", "small/figures/profile_ert_dolan_more.pdf")
    for path in (*workspace.path("").rglob("paper.pdf"), *map(workspace.path, lost)):
        path.unlink()
    run = workspace.run(tex=False)
    assert run.code == 0, run.output
    names = set(workspace.times())
    assert "paper.pdf" not in names
    assert {*lost} <= names
    last = [line for line in run.output.splitlines() if "apt-get install" in line]
    assert len(last) == 1
    assert "texlive-latex-base" in last[0]


def test_one_file_can_be_asked_for_by_name_and_all_its_jobs_are_of_one_python(empty, tmp_path):
    started = tmp_path / "started"
    # Python imports this when it starts
    (tmp_path / "sitecustomize.py").write_text(f"import sys; print(sys.orig_argv, file=open({str(started)!r}, 'a'))")
    run = empty.run("results/small/ratios/ert.parquet", env={"PYTHONPATH": f"{tmp_path}:{empty.project / 'src'}"})
    assert run.code == 0, run.output
    assert len(run.jobs) == 8
    # Python's own, which takes away what is left when a server dies, runs nothing of a job
    snakemake, server = (line for line in started.read_text().splitlines() if "multiprocessing.resource_tracker" not in line)
    assert "Snakefile" in snakemake
    assert "benchmill.workflow.fork_server" in server
    assert set(empty.times()) >= {"small/ratios/ert.parquet"}
    assert not any("ecdf" in name or "figures" in name for name in empty.times())


def test_a_dry_run_starts_no_other_python_and_does_not_wait_for_pandas(empty, tmp_path):
    started = tmp_path / "started"
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, sys\nslow = {'pandas', 'matplotlib', 'seaborn', 'scipy.special', 'scipy.stats'}\n"
        f"atexit.register(lambda: print(sorted(slow & sys.modules.keys()), file=open({str(started)!r}, 'a')))\n"
    )
    run = empty.run("-n", env={"PYTHONPATH": f"{tmp_path}:{empty.project / 'src'}"})
    assert run.code == 0, run.output
    assert started.read_text().splitlines() == ["[]"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("measures:", "mesures:", "studies.small.mesures: unknown key; did you mean 'measures'?"),
        ("logs/*", "nowhere/*", "studies.small.sources[1].path: no file or folder matches 'nowhere/*.tar.xz'"),
        ("targets: [10, 1.0e-3]", "targets: [10, 0]", "studies.small.measures.ert.targets[2]: found 0"),
    ],
)
def test_a_mistake_in_the_configuration_is_told_before_any_job(empty, old, new, told):
    empty.config.write_text(STUDY.replace(old, new))
    run = empty.run()
    assert run.code != 0
    assert told in run.output
    assert "Traceback" not in run.output
    assert run.jobs == []
    assert not empty.path("").exists()


def test_braces_in_paths_are_told_before_any_job(empty):
    """Snakemake takes them for wildcards."""
    (empty.folder / "logs" / "Gamma.tar.xz").rename(empty.folder / "logs" / "a{b}.tar.xz")
    (empty.folder / "{t}.csv").write_text("problem,value\n")
    run = empty.run("-n")
    assert run.code != 0
    assert "studies.small.sources: 'logs/a{b}.tar.xz' has a brace in its path" in run.output
    assert "Traceback" not in run.output
    known = "    best_known: '{t}.csv'\n"
    empty.config.write_text(STUDY.replace("logs/*", "logs/[AB]*") + known)
    assert "studies.small.best_known: '{t}.csv' has a brace" in empty.run("-n").output
    empty.config.write_text(STUDY.replace("logs/*", "logs/[AB]*"))
    (empty.folder / "{c}").mkdir()
    moved = empty.config.rename(empty.folder / "{c}" / "{d}.yaml")
    moved.write_text(STUDY.replace("logs/*", "../logs/[AB]*"))
    empty.config = moved
    assert empty.run("-n").code == 0
    empty.folder = empty.folder / "{c}"
    run = empty.run("-n")
    assert run.code != 0
    assert "Snakemake cannot work in a folder with a brace in its path; rename it." in run.output
    assert "Traceback" not in run.output


def test_a_source_that_no_reader_knows_is_told_before_any_job(empty):
    (empty.folder / "logs" / "Noise.tar.xz").write_bytes(bytes(range(256)) * 40)
    run = empty.run("-n")
    assert run.code == 0
    assert re.search(r"^study\.yaml: studies\.small\.sources\[1\]: .*Noise\.tar\.xz", run.output, re.MULTILINE)
    run = empty.run("results/small/ingest/Noise.json")
    assert run.code != 0
    assert re.search(r"^benchmill: study 'small': .*Noise\.tar\.xz", run.output, re.MULTILINE)
    assert "Traceback" not in run.output


def test_an_empty_folder_is_told(empty):
    (empty.folder / "void").mkdir()
    empty.config.write_text(STUDY.replace("logs/*.tar.xz", "void"))
    run = empty.run()
    assert run.code != 0
    assert "void" in run.output
    assert "Traceback" not in run.output


def test_an_archive_cut_short_is_told_in_one_sentence_and_stops_what_needs_it(empty):
    path = empty.folder / "logs" / "Beta.tar.xz"
    path.write_bytes(path.read_bytes()[:-200])
    run = empty.run("--keep-going", "results/small/costs/ert/Alpha.parquet", "results/small/ratios/ert.parquet")
    assert run.code != 0
    told = re.findall(
        r"^(study\.yaml: |benchmill: ).*Beta\.tar\.xz: the archive is damaged or cut short", run.output, re.MULTILINE
    )
    assert told == ["study.yaml: ", "benchmill: "]
    assert "Traceback" not in run.output
    assert {path.name for path in empty.path("small/costs/ert").iterdir()} == {"Alpha.parquet", "Gamma.parquet"}
    assert not empty.path("small/ratios").exists()


def test_a_profile_is_asked_of_the_measures_that_it_is_defined_for(empty):
    profiles = "    profiles: [dolan_more, data, {variant: dolan_more, name: one, measures: [quality]}]\n"
    empty.config.write_text(STUDY.replace("    figures:\n", f"{profiles}    figures:\n"))
    run = empty.run("-n")
    assert run.code == 0, run.output
    profiled = {job for job in run.jobs if " profile of " in job}
    expected = (("ert", "data"), ("quality", "one"), ("ert", "dolan_more"), ("quality", "dolan_more"))
    assert profiled == {f"Making the {variant} profile of {measure} for small" for measure, variant in expected}


def test_algorithms_with_hostile_names_go_through_unharmed(empty):
    names = [
        r"a_b%c&d $x$ \input{x} \write18{touch made} ^^5cinput{x} #~ <img src=x onerror=alert(1)>",
        "=1+1 \u202eדוגמה 😀 " + " ".join(["long"] * 40),
    ]
    for usual in ("Beta", "Gamma"):
        (empty.folder / "logs" / f"{usual}.tar.xz").unlink()
    for place, name in enumerate(names):
        write_archive(empty.folder / "logs" / f"100% a_b & c{place}.tar.xz", name, 5 + place)
    run = empty.run()
    assert run.code == 0, run.output
    algorithms = pq.read_table(empty.path("small/ratios/ert.parquet"))["algorithm"].unique().to_pylist()
    assert set(names) <= set(algorithms)
    assert not list(empty.folder.rglob("made"))
    made = empty.times()
    assert all(name.isascii() and len(name.rsplit("/", 1)[-1]) < 150 for name in made)
    assert ("paper.pdf" in made) == HAS_TEX
    assert "<img" not in empty.path("report.html").read_text("utf-8")
    for path in empty.path("small/tables").iterdir():
        text = path.read_text("utf-8")
        if path.suffix == ".tex":
            assert not re.search(r"\\(input|write)\b|\^\^", text), path
        elif path.suffix == ".csv":
            rows = list(csv.reader(io.StringIO(text)))
            assert not [cell for row in rows for cell in row if re.match(r"\s*[=+@]", cell)], path
        elif path.suffix == ".md":
            assert "<img" not in text, path
        assert "\u202e" not in text, path
    assert any("'=1+1" in path.read_text("utf-8") for path in empty.path("small/tables").glob("*.csv"))


@pytest.mark.skipif(not HAS_TEX, reason="needs pdflatex")
def test_a_study_brings_its_own_paper(workspace):
    own = workspace.folder / "mine" / "own.tex"
    own.parent.mkdir()
    own.write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp,amsmath,graphicx,booktabs,longtable}"
        r"\input{numbers.tex}\begin{document}\benchmill{small/algorithms} algorithms"
        r"\includegraphics[width=5cm]{figures/profile_ert_dolan_more.pdf}\input{tables/ert_ert.tex}\end{document}"
    )
    workspace.config.write_text(STUDY + "    paper: mine/own.tex\n")
    run = workspace.run("results/small/paper.pdf")
    assert run.code == 0, run.output
    assert "Compiling the paper of small" in run.jobs
    assert workspace.path("small/paper.pdf").read_bytes().startswith(b"%PDF-")
    workspace.config.write_text(STUDY + "    paper: mine/absent.tex\n")
    run = workspace.run("results/small/paper.pdf")
    assert "studies.small.paper: there is no file 'mine/absent.tex'" in run.output
    assert "Traceback" not in run.output


def test_a_log_folder_is_followed_file_by_file(tmp_path):
    folder = tmp_path / "work"
    for seed, algorithm in enumerate(["Alpha", "Beta"]):
        write_logs(folder / "logs" / algorithm, algorithm, seed)
    (folder / "study.yaml").write_text(STUDY.replace("logs/*.tar.xz", "logs/*"))
    workspace = Workspace(folder)
    target = "results/small/ratios/ert.parquet"
    assert workspace.run(target).code == 0
    assert workspace.run(target).jobs == []
    path = folder / "logs" / "Beta" / "data_f1" / "bbobexp_f1_DIM2.dat"
    path.write_text(path.read_text().replace("e+02", "e+01"))
    run = workspace.run(target)
    assert [job for job in run.jobs if job.startswith("Reading")] == ["Reading Beta for small"]


def test_a_run_that_is_killed_twice_goes_on_with_the_same_bytes(empty, made):
    wanted = [f"results/small/{name}" for name in ("numbers.tex", "changes.md", "figures/ecdf_dimension.svg")]
    for kind, reached in ((signal.SIGKILL, "small/ratios/ert.parquet"), (signal.SIGTERM, "small/figures/ecdf_dimension.svg")):
        process = empty.start("--", *wanted)
        while process.poll() is None and not empty.path(reached).exists():
            time.sleep(0.05)
        os.killpg(process.pid, kind)
        process.communicate()
        assert process.returncode != 0
        if kind == signal.SIGKILL:
            assert empty.run("--unlock").code == 0
    run = empty.run("--", *wanted)
    assert run.code == 0, run.output
    expected, found = made.contents(), empty.contents()
    assert {name.removeprefix("results/") for name in wanted} <= found.keys() <= expected.keys()
    assert [name for name in found if expected[name] != found[name]] == []


ABSOLUTE = """
studies:
  real:
    sources: {path: values.csv, direction: min}
    measures:
      quality: {kind: fixed_budget, budgets: {evaluations: [10]}}
    profiles: []
"""


@pytest.fixture
def absolute(tmp_path):
    """Two algorithms on four problems, whose values may be negative, and a study without profiles of them."""
    rows = [
        f"{algorithm},f{problem},2,{run},{evaluations},{value * (-1) ** problem * 10**problem - place * evaluations}"
        for place, algorithm in enumerate(["Ant", "Bee"])
        for problem in range(1, 5)
        for run in (1, 2)
        for evaluations, value in ((1, 9), (5, 8 - 17 * (problem % 2)))
    ]
    (tmp_path / "values.csv").write_text("\n".join(["algorithm,problem,dimension,run,evaluations,value", *rows]) + "\n")
    (tmp_path / "study.yaml").write_text(ABSOLUTE)
    return Workspace(tmp_path)


def test_a_study_without_profiles_is_made_of_costs_of_any_sign(absolute):
    run = absolute.run(tex=False)
    assert run.code == 0, run.output
    costs = storage.read(absolute.path("real/costs/quality/values.parquet"), "costs")
    ratios = storage.read(absolute.path("real/ratios/quality.parquet"), "ratios")
    assert min(costs.column("cost").to_pylist()) < 0
    assert ratios.filter(pc.less_equal(ratios.column("cost"), 0)).column("ratio").null_count > 0
    assert not absolute.path("real/profiles").exists()
    ranks = storage.read(absolute.path("real/ranks/quality.parquet"), "ranks")
    assert {row["algorithm"]: row["average_rank"] for row in ranks.to_pylist()} == {"Bee": 1, "Ant": 2}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[10]}}", "[10]}, floor: 1.0e-8}", "no distance to an optimum; the floor 1e-08 of measure 'quality' would make"),
        ("profiles: []", "profiles: [dolan_more]", "but ratios need costs > 0; correct the cost if it is a mistake, or add"),
    ],
)
def test_values_of_any_sign_are_not_made_equal_and_the_advice_works(absolute, old, new, told):
    absolute.config.write_text(ABSOLUTE.replace(old, new))
    run = absolute.run("results/real/ratios/quality.parquet")
    assert run.code != 0
    assert told in run.output
    for advice in ("shift: 1.0e+6", "exclude: [f1, f3]"):
        advised = ABSOLUTE.replace("[10]}}", f"[10]}}, {advice}}}").replace("profiles: []", "profiles: [dolan_more]")
        absolute.config.write_text(advised)
        run = absolute.run("results/real/profiles/quality/dolan_more.parquet")
        assert run.code == 0, run.output


def test_values_below_the_floor_are_counted_in_every_caption(workspace):
    workspace.config.write_text(STUDY.replace("floor: 1.0e-8", "floor: 1.0"))
    run = workspace.run(tex=False)
    assert run.code == 0, run.output
    indicators = [storage.read(path, "indicators") for path in sorted(workspace.path("small/indicators").iterdir())]
    mine = [table.filter(pc.equal(table.column("measure").cast("string"), "quality")) for table in indicators]
    below = sum(pc.sum(table.column("n_floored")).as_py() or 0 for table in mine)
    total = sum(pc.sum(table.column("n_trials")).as_py() for table in mine)
    values = [storage.read(path, "costs") for path in sorted(workspace.path("small/costs/quality").iterdir())]
    assert below == sum(pc.sum(pc.equal(table.column("cost"), 1.0)).as_py() for table in values) > 0
    told = f"Of {total} values of quality, {below} were below the floor 1 and count as it."
    captions = [
        path for path in workspace.path("small").rglob("*.txt") if "_quality" in path.name and path.parent.name != "figures"
    ]
    captions += workspace.path("small/figures").glob("value_ecdf_quality*.txt")
    captions += [workspace.path("small/figures/scatter_quality.txt")]
    assert len(captions) > 3
    for path in captions:
        assert told in path.read_text(), path
    assert told in workspace.path("report.html").read_text()


def test_what_a_study_claims_is_looked_at_and_an_unknown_algorithm_is_told(empty, capsys):
    wanted = ("results/small/claims.parquet", "results/small/badge.svg")
    stated = "claims: [Alpha better than Beta, Gamma best on quality]\n    figures:"
    empty.config.write_text(STUDY.replace("figures:", stated))
    run = empty.run(*wanted)
    assert run.code == 0, run.output
    found = storage.read(empty.path("small/claims.parquet"), "claims").to_pylist()
    first = [row for row in found if row["convention"] == "primary analysis"]
    assert [(row["claim"], row["measure"]) for row in first] == [
        ("Alpha better than Beta", "ert"),
        ("Gamma best on quality", "quality"),
    ]
    assert empty.path("small/badge.svg").read_text("utf-8").startswith("<svg ")
    folder = str(empty.folder / "results")
    assert cli.main(["claims", "small", "--results", folder]) == 0
    assert capsys.readouterr().out == "".join(f"small: {row['text']}\n" for row in first)
    assert cli.main(["claims", "--results", folder, "--check"]) == (0 if all(row["holds"] for row in first) else 1)
    empty.config.write_text(STUDY.replace("figures:", stated.replace("Alpha", "Alfa")))
    run = empty.run(*wanted)
    assert run.code != 0
    assert "studies.small.claims[1]: there is no algorithm 'Alfa'; did you mean 'Alpha'?" in run.output
    assert "Traceback" not in run.output


def test_a_profile_that_there_is_not_is_told_with_those_that_there_are(empty):
    profiles = "profiles: [dolan_more, {variant: probabilistic, model: empirical}]\n    figures:"
    empty.config.write_text(STUDY.replace("figures:", profiles))
    for path in ("small/profiles/ert/probabilistic", "small/profile_measures/time/dolan_more", "big/waves/ert/nested"):
        run = empty.run("-n", f"results/{path}.parquet")
        assert run.code != 0
        assert f"There is no profile results/{path}.parquet" in run.output
        assert "results/small/profiles/ert/probabilistic_empirical.parquet" in run.output
    assert empty.run("-n", "results/small/profiles/ert/probabilistic_empirical.parquet").code == 0


def test_variants_of_one_name_in_two_studies_are_made_by_their_own_rules(empty):
    """One job makes all tables of a variant, whichever of them is asked for."""
    study = STUDY.partition("studies:\n")[2]
    of_name = "profiles: [{variant: VARIANT, name: mine}]\n    figures:"
    small, other = (
        study.replace("figures:", of_name.replace("VARIANT", variant)).replace("small:", name)
        for variant, name in (("nested", "small:"), ("dolan_more", "other:"))
    )
    empty.config.write_text(f"studies:\n{small}{other}")
    run = empty.run("results/small/waves/ert/mine.parquet", "results/other/profiles/ert/mine.parquet")
    assert run.code == 0, run.output
    assert sum("Making the mine profile of ert" in job for job in run.jobs) == 2
    tables = {study: {path.parts[-3] for path in empty.path(study).rglob("ert/mine.parquet")} for study in ("small", "other")}
    assert tables["small"] - tables["other"] == {"waves", "wave_profiles"}
    assert empty.run("-n", "results/other/waves/ert/mine.parquet").code != 0
