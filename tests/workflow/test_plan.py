"""Every result of a study is declared once, and what a rule is told follows from that."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from benchmill.core.errors import UserError
from benchmill.core.schema import TABLES
from benchmill.registry import indicators
from benchmill.text import measures, variants
from benchmill.workflow import plan, study, views, watched

ROOT = Path(__file__).parents[2]

PLAIN = """
studies:
  s:
    sources: [A.tgz, B.tgz]
    measures: {ert: {kind: fixed_target, targets: [1]}, quality: {kind: fixed_budget, budgets: [5]}}
"""

EVERYTHING = """
studies:
  s:
    sources: [A.tgz, B.tgz, {path: logs, name: C}]
    measures:
      ert: {kind: fixed_target, targets: [1], exclude: [f1]}
      quality: {kind: fixed_budget, budgets: [5], floor: 1.0e-8}
      rate: {kind: success_rate, targets: [1]}
    profiles:
      - dolan_more
      - {variant: dolan_more, weights: w, weights_table: weights.csv, name: weighted}
      - {variant: probabilistic, measures: [ert]}
      - {variant: nested, bands: {replicates: 9}}
      - {variant: log_ratio, pair: [A, B]}
      - data
      - accuracy
    indicators:
      quantiles: [ert]
      ert: {targets: [2]}
      values: {budgets: [7]}
      ecdf: {target_set: few, aggregate: [target, problem]}
      target_sets: {few: {kind: fixed, targets: [1]}}
    inference: {design: replicated, bayes: [signed_rank], normalise: e2, bounds: bounds.csv}
    appearance: {pgf: true}
    paper: own.tex
    figures: [all, {kind: waves, measures: [ert]}, {kind: density, measures: [quality]}, {kind: convergence}]
  t:
    sources: A.tgz
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Studies of a configuration beside some files."""
    monkeypatch.chdir(tmp_path)
    for name in ("A.tgz", "B.tgz", "weights.csv", "bounds.csv", "own.tex"):
        (tmp_path / name).touch()
    (tmp_path / "logs").mkdir()

    def read(text, formats=("coco",)):
        return study.read_studies(
            yaml.safe_load(text),
            [tmp_path],
            look=lambda path, format: SimpleNamespace(format=format or formats[0], algorithms=[path.name]),
            options_of=lambda format: {"best_known": {"type": "string"}, "time_limit": {}, "columns": {}},
            figures_of=views.figures_of,
        )

    return read


def jobs(studies, root=ROOT):
    """Every job of every step."""
    for name, step in plan.STEPS.items():
        if "{study}" not in next(iter(step.results.values())).path:
            yield name, plan.Job(studies, root)
            continue
        for one in studies.values():
            for wildcards in step.each(one):
                yield name, plan.Job(studies, root, {"study": one.name, **wildcards})


def flat(inputs):
    return [path for value in inputs.values() for path in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("text", [PLAIN, EVERYTHING])
def test_every_input_is_a_result_of_the_study_or_a_file_that_is_there(read, text):
    studies = read(text)
    made = [path for one in studies.values() for path in plan.results_of(one)]
    made += [path for result in plan.RESULTS.values() if "{study}" not in result.path for path in result.paths()]
    assert len(made) == len(set(made))
    asked = set()
    for name, job in jobs(studies):
        for path in flat(plan.STEPS[name].inputs(job)):
            if isinstance(path, Path):
                assert path.exists(), (name, path)
            else:
                assert path in made, (name, path)
                asked.add(path)
        for parameter in plan.STEPS[name].parameters.values():
            parameter(job)
    assert set(plan.all_results(studies, ROOT, typeset=True)) <= set(made)
    # neither study is of a published table
    compared = {path for result in plan.STEPS["reproduction"].results.values() for path in result.paths()}
    assert asked - compared <= set(plan.all_results(studies, ROOT, typeset=True))


def test_every_step_with_statements_is_told_who_does_not_compete(read):
    def values(parameters):
        for value in parameters:
            yield value
            if isinstance(value, dict):
                yield from values(value.values())

    told = {"algorithms", "changes", "standings", "leaders", "tests", "verdicts", "claims", "rank_sums"}
    found = set()
    for name, job in jobs(read(PLAIN + "    not_competing: [A.tgz]\n")):
        if ["A.tgz"] in list(values(parameter(job) for parameter in plan.STEPS[name].parameters.values())):
            found.add(name)
    assert told <= found


def test_every_table_is_a_result_and_has_a_schema():
    # that of indicators to come is not made yet
    assert {result.table for result in plan.RESULTS.values()} | {indicators.USUAL_TABLE} == {None, *TABLES}


def test_every_step_is_a_rule_with_a_script():
    for name, step in plan.STEPS.items():
        if step.stage == "profiles":
            continue  # rules of their own, one for each set of tables
        if step.stage == "indicators":
            assert step.script == "indicators"  # one rule in a loop
            continue
        rules = (ROOT / f"workflow/rules/{step.stage}.smk").read_text("utf-8")
        assert re.search(rf'rule {name}:|as {name} with:|"{name}_\{{', rules), name
        assert f'outputs("{name}")' in rules, name
        script = step.script or name
        assert f"../../scripts/{script}.py" in rules
        assert (ROOT / f"scripts/{script}.py").is_file()


def test_the_plan_starts_neither_snakemake_nor_matplotlib():
    code = "import sys, benchmill.workflow.plan; print(sorted({'snakemake', 'matplotlib', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_paths_of_a_small_study(read):
    s = read(PLAIN)["s"]
    assert plan.files(s, "costs") == [
        f"results/s/costs/{measure}/{source}.parquet"
        for measure in ("ert", "quality", "indicators", "ecdf")
        for source in ("A", "B")
        if measure in s.measures
    ]
    assert plan.files(s, "profiles") == [
        "results/s/profiles/ert/dolan_more.parquet",
        "results/s/profiles/quality/dolan_more.parquet",
    ]
    assert plan.files(s, "waves") == plan.files(s, "pgf") == plan.files(s, "own_paper") == []
    assert plan.files(s, "contradictions") == []
    assert plan.STEPS["tests"].outputs == {
        name: f"results/{{study}}/{name}/{{measure}}.parquet"
        for name in ("designs", "tests", "ranks", "comparisons", "posteriors", "intervals", "assumptions")
    }
    assert {Path(path).name for path in plan.figure_files(s, "svg")} >= {"profile_ert_dolan_more.svg", "ranks_ert.svg"}


def test_a_study_has_what_it_asks_for(read):
    s, t = read(EVERYTHING).values()
    assert plan.files(s, "waves") == ["results/s/waves/ert/nested.parquet", *plan.files(s, "waves")[1:]]
    assert {Path(path).stem for path in plan.files(s, "log_ratios")} == {"log_ratio"}
    assert plan.files(s, "own_paper") == ["results/s/paper.pdf"]
    assert len(plan.files(s, "pgf")) == len(views.chosen_figures(s)) > 20
    tables = {Path(path).name for path in plan.files(s, "table_tex")}
    assert {"posteriors_ert.tex", "quantiles_ert.tex", "values_at_one_ert.tex", "standings.tex", "ert_ert.tex"} <= tables
    assert {"posteriors_ert.tex", "quantiles_ert.tex"}.isdisjoint(Path(path).name for path in plan.files(t, "table_tex"))
    shown = list(plan.shown(s))
    assert len(shown) == len(set(shown))
    assert [path for path in shown if "/costs/" in path] == [f"results/s/costs/ert/{name}.parquet" for name in "ABC"]


def test_a_paired_design_needs_ratios_and_a_replicated_one_costs(read):
    paired = plan.Job(read(PLAIN), ROOT, {"study": "s", "measure": "ert"})
    made_from = {"ratios": "results/s/ratios/ert.parquet", "families": ["results/s/families.parquet"]}
    assert plan.STEPS["tests"].inputs(paired) == made_from
    # a study that says what its clusters are has no families looked for
    own = plan.Job(read(PLAIN + "    cluster_keys: [suite, problem]\n"), ROOT, {"study": "s", "measure": "ert"})
    assert plan.STEPS["tests"].inputs(own) == {**made_from, "families": []}
    text = PLAIN + "    inference: {design: replicated}\n    profiles: []\n"
    replicated = plan.Job(read(text), ROOT, {"study": "s", "measure": "ert"})
    found = plan.STEPS["tests"].inputs(replicated)
    assert found["costs"] == ["results/s/costs/ert/A.parquet", "results/s/costs/ert/B.parquet"]
    # where two sources hold one algorithm this table is not made, and so no test
    assert found["algorithms"] == "results/s/algorithms.parquet"
    # the order of the algorithms alone is made of these ratios, and an aggregate that fails is no reason to stop
    assert plan.STEPS["ratios"].parameters["settings"](paired)["aggregate"] == "ert"
    assert plan.STEPS["ratios"].parameters["settings"](replicated) == {"aggregate": "median", "missing": "common"}
    assert plan.files(read(PLAIN + "    profiles: []\n")["s"], "ratios")[0] == "results/s/ratios/ert.parquet"


def test_solver_runs_of_several_sources_may_contradict_each_other(read):
    text = "studies: {s: {sources: [A.tgz, B.tgz], measures: {time: {kind: given}}, profiles: []}}"
    assert plan.files(read(text, ["mip_log"])["s"], "contradictions") == ["results/s/contradictions.parquet"]
    assert plan.files(read(text.replace(", B.tgz", ""), ["mip_log"])["s"], "contradictions") == []


def test_what_no_job_makes_is_watched(read, tmp_path):
    text = (
        "studies: {s: {sources: [{path: 'https://example.org/D.tgz', format: coco, best_known: bounds.csv}, A.tgz], "
        "profiles: [{variant: dolan_more, weights: w, weights_table: weights.csv}]}}"
    )
    studies = read(text)
    found = {}
    for name, job in jobs(studies):
        found.setdefault(name, []).extend(path.name for path in plan.STEPS[name].watched(job))
    assert found["ingest"] == ["bounds.csv", "A.tgz"]
    (variant,) = studies["s"].weights_tables
    job = plan.Job(studies, ROOT, {"study": "s", "measure": "ert", "variant": variant})
    assert plan.STEPS["profiles"].watched(job) == [Path("weights.csv")]
    assert found["paper"][:5] == ["paper.tex", "supplement.tex", "preamble.tex", "exhibit.tex", "section.tex"]
    assert "page.html" in found["page"]
    assert found["costs"] == found["tables"] == []


def test_an_installed_font_is_watched_by_its_bytes(read, tmp_path, monkeypatch):
    from benchmill.figures import kept

    font = tmp_path / "serif.ttf"
    font.write_bytes(b"1")
    monkeypatch.setattr(kept, "font_files", lambda appearance: [str(font)])
    (name,) = (name for name, step in plan.STEPS.items() if "fonts" in step.parameters and "pgf" not in name)

    def parameter(font):
        studies = read(f"studies: {{s: {{sources: A.tgz, appearance: {{font: {font}}}}}}}")
        watched._once.cache_clear()
        return plan.STEPS[name].parameters["fonts"](plan.Job(studies, ROOT, {"study": "s"}))

    before = parameter("paper")
    font.write_bytes(b"2")
    assert len(before) == 1
    assert parameter("paper") != before
    # those that ship with the plotting library change with its version
    assert parameter("bundled") == []
    font.unlink()
    with pytest.raises(UserError, match=r"serif\.ttf: cannot be read"):
        parameter("paper")


def test_papers_are_made_where_there_is_tex(read):
    studies = read(EVERYTHING)
    without = plan.all_results(studies, ROOT, typeset=False)
    documents = {"results/paper.pdf", "results/supplement.pdf", "results/s/paper.pdf"}
    assert set(plan.all_results(studies, ROOT, typeset=True)) - set(without) == documents
    assert {"results/paper/paper.tex", "results/paper/supplement.tex", "results/s/section.tex", "results/report.html"} <= set(
        without
    )


def test_published_numbers_are_compared_where_a_study_is_of_a_published_table(read):
    published = ROOT / "data/paper-tables/hekmati2018_table1_times.csv"
    made = plan.all_results(read(f"studies: {{mine: {{sources: {published}}}}}"), ROOT, typeset=False)
    assert {f"results/reproduction.{suffix}" for suffix in ("parquet", "tex", "csv", "md")} <= set(made)
    # a name says nothing
    made = plan.all_results(read("studies: {hekmati2018: {sources: A.tgz}}"), ROOT, typeset=False)
    assert not [path for path in made if "reproduction" in path]


def settings(read, text, step, **wildcards):
    studies = read(text)
    job = plan.Job(studies, ROOT, {"study": "s", **wildcards})
    return {name: value(job) for name, value in plan.STEPS[step].parameters.items()}


def test_a_setting_remakes_what_depends_on_it_and_nothing_else(read):
    other = PLAIN.replace("targets: [1]", "targets: [1], missing: failure")
    alpha = PLAIN + "    inference: {alpha: 0.01}\n"
    for step, wildcards in (
        ("costs", {"measure": "ert", "source": "A"}),
        ("ecdf", {"aggregation": "problem"}),
        ("figures", {"figure": "ecdf_problem"}),
    ):
        assert settings(read, PLAIN, step, **wildcards) == settings(read, other, step, **wildcards)
        assert settings(read, PLAIN, step, **wildcards) == settings(read, alpha, step, **wildcards)
    for step, changed, wildcards in (
        ("ratios", other, {"measure": "ert"}),
        ("changes", other, {}),
        ("tests", alpha, {"measure": "ert"}),
        ("config", alpha, {}),
    ):
        assert settings(read, PLAIN, step, **wildcards) != settings(read, changed, step, **wildcards)


def test_caption_of_a_measure_with_a_floor_needs_the_counts(read):
    job = plan.Job(read(EVERYTHING), ROOT, {"study": "s", "figure": "profile_quality_dolan_more"})
    assert "results/s/indicators/A.parquet" in plan.STEPS["figures"].inputs(job)["results"]
    job = plan.Job(job.studies, ROOT, {"study": "s", "figure": "profile_ert_dolan_more"})
    assert plan.STEPS["figures"].inputs(job)["results"] == [
        "results/s/profiles/ert/dolan_more.parquet",
        "results/s/profile_measures/ert/dolan_more.parquet",
    ]


def test_wildcards_stand_for_names_of_the_studies_alone(read):
    found = plan.constraints(read(EVERYTHING))
    assert re.fullmatch(found["study"], "t")
    assert re.fullmatch(found["figure"], "ecdf_problem")
    assert not re.fullmatch(found["measure"], "mean")
    assert not re.fullmatch(plan.constraints({})["variant"], "")


def test_a_profile_that_there_is_not(read):
    studies = read(EVERYTHING)
    pattern = plan.no_profile_pattern(studies)
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/ert/nesting.parquet")
    assert not re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/ert/nested.parquet")
    assert not re.fullmatch(f"results/({pattern})\\.parquet", "results/s/ratios/none.parquet")
    # its variant makes no waves; it is not made of this measure
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/waves/ert/dolan_more.parquet")
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/quality/data.parquet")
    told = plan.no_profile(studies, "results/s/waves/ert/dolan_more.parquet")
    assert "'dolan_more' of studies.s.profiles is a Dolan–Moré profile, and waves are made of the variant nested" in told
    assert "results/s/waves/ert/nested.parquet" in told
    told = plan.no_profile(studies, "results/s/profiles/quality/data.parquet")
    assert "studies.s.profiles makes 'data' of other measures than 'quality'" in told
    told = plan.no_profile(studies, "results/s/profiles/ert/nesting.parquet")
    assert "did you mean 'results/s/profiles/ert/nested.parquet'?" in told


def test_memory_grows_with_the_logs_behind_a_job(read):
    studies = read(PLAIN)
    Path("A.tgz").write_bytes(bytes(2_000_000))
    (Path("logs") / "deep").mkdir()
    (Path("logs") / "deep/x.dat").write_bytes(bytes(500_000))
    raw = plan.raw_mb(read(EVERYTHING))
    assert raw["s", "A"] == 2
    assert raw["s", "C"] == 0.5
    amount = plan.by_size(plan.raw_mb(studies), 700, 60)

    class Wildcards(dict):
        study = "s"

    assert amount(Wildcards(source="A"), 1) == 700 + 120
    assert amount(Wildcards(source="B"), 2) == 1400
    assert amount(Wildcards(), 2) == 2 * (700 + 120)
    # a folder of 10 GB asks for no more than a node has
    of_source = plan.by_size({("s", "A"): 10_000}, 700, 60, plan.MOST_OF_SOURCE)
    assert [of_source(Wildcards(source="A"), attempt) for attempt in (1, 2)] == [8_000, 16_000]


def test_small_sources_share_a_submission_and_a_large_one_has_its_own():
    raw = {("s", "A"): 49.9, ("s", "B"): 50}
    assert plan.batch(raw, SimpleNamespace(study="s", source="A")) == "sources"
    assert plan.batch(raw, SimpleNamespace(study="s", source="B")) == "source_s_B"


@pytest.mark.parametrize("name", ["slurm", "kubernetes", "cluster-generic"])
def test_a_profile_of_a_cluster_asks_for_the_batches_that_rules_know(name):
    profile = yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text("utf-8"))
    assert profile["group-components"].keys() == {"sources", "compare_{study}"}
    # by names of rules a module that renames them would be in none
    assert "groups" not in profile


def test_logs_have_one_place_for_each_job():
    assert plan.joblog("tests") == ".snakemake/joblogs/tests/{study}/{measure}.log"
    assert plan.joblog("tables") == ".snakemake/joblogs/tables/{study}.log"
    assert plan.joblog("figures") == ".snakemake/joblogs/figures/{study}/{figure}.log"
    assert plan.joblog("paper") == ".snakemake/joblogs/paper.log"


def test_titles_are_words_alone(read):
    """They reach captions and panels, and no job that computes depends on them."""
    text = """
studies:
  s:
    sources: [A.tgz]
    measures: {time: {kind: given, label: wall time, unit: h%s}}
    profiles: [{variant: dolan_more%s}]
"""
    plain = read(text % ("", ""), ["gams_trace"])
    titled = read(text % (", title: time on one core", ", title: By one core"), ["gams_trace"])
    for step in ("costs", "ratios", "profiles"):
        made = [
            {name: of(plan.Job(studies, ROOT, {"study": "s", **wildcards})) for name, of in plan.STEPS[step].parameters.items()}
            for studies in (plain, titled)
            for wildcards in plan.STEPS[step].each(studies["s"])
        ]
        assert made[: len(made) // 2] == made[len(made) // 2 :]
    settings = views.view_settings(titled["s"], {"measure": "time", "profile": "dolan_more"})
    assert measures.told(settings["measure"]) == "wall time (time on one core, in h)"
    assert measures.with_unit(settings["measure"]) == "wall time (h)"
    assert variants.title(settings["profile"]) == "By one core"
    assert variants.title(plain["s"].variants["dolan_more"]) == "Dolan–Moré"


def test_stated_costs_of_solver_runs_are_summarised(read):
    text = """
studies:
  s:
    sources: [A.tgz]
    measures: {time: {kind: given}, rate: {kind: given, reciprocal: true}, ert: {kind: fixed_target}}
"""
    of_runs = read(text, ["gams_trace"])["s"]
    assert plan.files(of_runs, "summary") == ["results/s/summary/time.parquet"]
    assert {"summary_time", "outcomes_time"} <= set(views.tables_of(of_runs))
    # and drawn, each kind once, also where it is asked for with settings of its own
    assert {"cactus_time", "outcomes_time"} <= set(views.chosen_figures(of_runs))
    asked = read(text + "    figures: [{kind: cactus, name: cactus_time, virtual_best: false}]\n", ["gams_trace"])["s"]
    assert views.chosen_figures(asked) == ["cactus_time"]
    assert views.figures_of(asked)["cactus_time"].chosen["asked"]["virtual_best"] is False
    # a table of costs is none of solver runs unless it says so
    plain = read(text, ["table"])["s"]
    assert plan.files(plain, "summary") == []
    assert "summary_time" not in views.tables_of(plain)
    assert "cactus_time" not in views.figures_of(plain)
    # limits are in seconds, one for all or one a run, and so are the costs
    for entry in ("time_limit: 60", "columns: {time_limit: Timeout}"):
        assert read(text.replace("A.tgz", f"{{path: A.tgz, {entry}}}"), ["table"])["s"].measures["time"]["unit"] == "s"
    assert plain.measures["time"]["unit"] is None
    limited = read(text.replace("A.tgz", "{path: A.tgz, best_known: bounds.csv}"), ["table"])["s"]
    assert limited.summarised == []
    named = text + "    indicators: {summary: {measures: [rate]}}\n"
    assert read(named, ["table"])["s"].summarised == ["rate"]
    # gaps and integrals are summarised by key alone, and are no times
    gaps = text.replace("ert: {kind: fixed_target}", "gap: {kind: gap}, early: {kind: primal_integral, mean_shift: 5}")
    assert read(gaps, ["gams_trace"])["s"].summarised_as_is == []
    both = read(gaps + "    indicators: {summary: {measures: [time, gap, early]}}\n", ["gams_trace"])["s"]
    assert (both.summarised, both.summarised_as_is) == (["time"], ["gap", "early"])
    assert plan.files(both, "summary") == [f"results/s/summary/{name}.parquet" for name in ("time", "gap", "early")]
    assert {"summary_gap", "summary_early", "outcomes_time"} <= set(views.tables_of(both))
    assert not {"outcomes_gap", "times_gap"} & set(views.tables_of(both))
    assert "cactus_gap" not in views.figures_of(both)
    assert list(views.sentence_settings(both)["runs"]) == ["time"]
    assert [both.measures[name]["mean_shift"] for name in ("time", "gap", "early")] == [10, 0.01, 5]
    with pytest.raises(UserError, match=r"studies.s.indicators.summary.measures: there is no measure of solver runs 'ert'"):
        read(text + "    indicators: {summary: {measures: [ert]}}\n")
