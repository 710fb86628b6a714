"""Every result of a study is declared once, rules read what other rules make, and what a rule is told follows from its study."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from benchmill.core import UserError
from benchmill.core.schema import TABLES
from benchmill.study import catalogue, study, views
from benchmill.text.measures import Measure
from benchmill.text.variants import Profile
from benchmill.workflow import job as noted
from benchmill.workflow import jobs, rules
from benchmill.workflow.jobs import Job
from tests.runs.conftest import snakemake

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
      indicators: {kind: fixed_target, targets: [2], described: true}
      values: {kind: fixed_budget, budgets: [7], described: true}
    attributes: {problems: weights.csv}
    profiles:
      - dolan_more
      - {variant: dolan_more, weights: w, name: weighted}
      - {variant: probabilistic, measures: [ert]}
      - {variant: nested, bands: both}
      - {variant: log_ratio, pair: [A, B]}
      - data
    indicators:
      quantiles: [ert]
      ecdf: {aggregate: [target, problem]}
    inference: {design: replicated, bayes: [signed_rank], normalise: {e2: bounds.csv}}
    appearance: {formats: [png]}
    paper: own.tex
    figures: [all, {kind: auc_bars, measures: [ert]}, {kind: density, measures: [quality]}, {kind: convergence}]
  t:
    sources: A.tgz
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Studies of a configuration beside some files."""
    monkeypatch.chdir(tmp_path)
    for name in ("A.tgz", "B.tgz", "bounds.csv", "own.tex"):
        (tmp_path / name).touch()
    (tmp_path / "weights.csv").write_text("problem,w\nf1,2\n")
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


#: A Snakefile that says of each rule what it makes, and of each of its jobs what it reads and depends on.
DECLARED = """
from types import SimpleNamespace
from benchmill import readers
readers.sniff = lambda path, format=None, **more: SimpleNamespace(format=format or "coco", algorithms=[path.name])

include: "{snakefile}"

import json
from benchmill.workflow import borrowed

found = {{}}
for rule in workflow.rules:
    made = borrowed.named(rule.output)
    if "origin" not in made:
        continue
    declared = vars(workflow)["benchmill_rules"][borrowed.pattern(made["origin"])]
    jobs = list(catalogue.jobs(declared.name, STUDIES))
    found[rule.name] = {{
        "name": declared.name,
        "made": [borrowed.pattern(path) for path in rule.output],
        "log": borrowed.pattern(rule.log[0]),
        "group": getattr(rule._group, "__name__", None),
        "conda": rule.conda_env,
        "inputs": sorted(borrowed.named(rule.input)),
        "jobs": [
            {{
                "wildcards": job,
                "read": [[isinstance(path, Path), str(path)] for path in declared.read(job)],
                "parameters": {{name: declared.value(name, job) for name in declared.parameters if name != "code"}},
            }}
            for job in jobs
            if declared.name != "tables" or rule.name == "tables_" + job["study"]
        ],
    }}
print("DECLARED " + json.dumps(found, default=repr))
"""


@pytest.fixture
def declared(read, tmp_path):
    """Rules as Snakemake reads them, with their jobs for the studies of a configuration."""

    @cache
    def declared(text):
        read(text)
        (tmp_path / "config.yaml").write_text(text)
        (tmp_path / "Snakefile").write_text(DECLARED.format(snakefile=ROOT / "Snakefile"))
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        _, told = snakemake(["--configfile", "config.yaml", "--list"], environment, tmp_path)
        (found,) = re.findall("^DECLARED (.*)$", told, re.MULTILINE) or pytest.fail(told)
        return json.loads(found)

    return declared


@pytest.mark.parametrize("text", [PLAIN, EVERYTHING])
def test_every_input_is_a_result_of_the_study_or_a_file_that_is_there(read, declared, text, tmp_path):
    studies, rules = read(text), declared(text)
    made = [path for one in studies.values() for path in catalogue.results_of(one)]
    made += [path for result in catalogue.RESULTS.values() if not result.of_study for path in result.paths()]
    assert len(made) == len(set(made))
    asked = set()
    for name, rule in rules.items():
        for job in rule["jobs"]:
            for is_file, path in job["read"]:
                if is_file:
                    assert (tmp_path / path).exists(), (name, path)
                else:
                    assert path in made, (name, path)
                    asked.add(path)
    wanted = set(catalogue.all_results(studies, ROOT, typeset=True))
    assert wanted <= set(made)
    # neither study is of a published table
    compared = {path for result in catalogue.made_by("reproduction").values() for path in result.paths()}
    assert asked - compared <= wanted
    # a deposit takes along all that a study brings
    ships = {path for rule in rules.values() for job in rule["jobs"] for is_file, path in job["read"] if is_file}
    brought = {str(path) for one in studies.values() for path in jobs.brought(one, ROOT)}
    assert {path for path in ships if not Path(path).is_relative_to(ROOT)} == brought


def test_every_result_is_an_output_of_its_rule_which_has_a_log(read, declared):
    studies, rules = read(EVERYTHING), declared(EVERYTHING)
    for name in dict.fromkeys(result.rule for result in catalogue.RESULTS.values()):
        of = [rule for rule in rules.values() if rule["name"] == name]
        made = {path for rule in of for path in rule["made"]}
        if name == "tables":
            # a rule for each study
            jobs = [{"study": one} for one in studies]
            notes = {catalogue.origin(name).format(**job) for job in jobs}
            assert made == notes | {path for job in jobs for path in catalogue.made(name, studies[job["study"]], job)}
            assert [rule["log"] for rule in of] == [catalogue.joblog(name).format(**job) for job in jobs]
        else:
            patterns = [path for result in catalogue.made_by(name).values() for path in result.patterns()]
            assert made == {*patterns, catalogue.origin(name)}
            assert catalogue.joblog(name) in {rule["log"] for rule in of}


def test_rules_have_what_is_the_same_for_all(declared):
    rules = declared(EVERYTHING)
    assert {Path(rule["conda"]) for rule in rules.values()} == {ROOT / "environment.yml"}
    groups = {
        "batch": ["ingest", "ingest_folder", "costs", "indicators", "attainment"],
        "together": ["ratios", "changes", "profiles", "profiles_with_waves", "ecdf", "tests", "verdicts", "claims"],
        # where Snakemake runs, or of no study
        None: ["algorithms", "config", "figures", "tables_s", "page", "reproduction"],
    }
    for group, names in groups.items():
        assert {rules[name]["group"] for name in names} == {group}
    # by these names the scripts ask for them
    assert rules["ratios"]["inputs"] == ["algorithms", "costs", "reports"]
    assert rules["figures_png"]["inputs"] == rules["figures"]["inputs"] == ["own_reports", "pens", "results"]


def test_every_rule_with_statements_is_told_who_does_not_compete(declared):
    def values(parameters):
        for value in parameters:
            yield value
            if isinstance(value, dict):
                yield from values(value.values())

    told = {"algorithms", "changes", "standings", "leaders", "tests", "verdicts", "claims", "rank_sums"}
    rules = declared(PLAIN + "    not_competing: [A.tgz]\n")
    assert told <= {
        name for name, rule in rules.items() for job in rule["jobs"] if ["A.tgz"] in list(values(job["parameters"].values()))
    }


def test_every_table_is_a_result_and_has_a_schema():
    # that of indicators to come is not made yet
    assert {result.table for result in catalogue.RESULTS.values()} | {"indicator_values"} == {None, *TABLES}


def test_what_rules_name_starts_neither_snakemake_nor_matplotlib():
    code = "import sys, benchmill.workflow.jobs; print(sorted({'snakemake', 'matplotlib', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_paths_of_a_small_study(read):
    s = read(PLAIN)["s"]
    assert catalogue.files(s, "costs") == [
        f"results/s/costs/{measure}/{source}.parquet"
        for measure in ("ert", "quality", "indicators", "ecdf")
        for source in ("A", "B")
        if measure in s.measures
    ]
    assert catalogue.files(s, "profiles") == [
        "results/s/profiles/ert/dolan_more.parquet",
        "results/s/profiles/quality/dolan_more.parquet",
    ]
    assert catalogue.files(s, "waves") == catalogue.files(s, "png") == catalogue.files(s, "own_paper") == []
    assert catalogue.files(s, "contradictions") == []
    drawn = {Path(path).name for path in catalogue.files(s, "figure")}
    assert drawn >= {"profile_ert_dolan_more.svg", "critical_differences_ert.svg"}


def test_a_study_has_what_it_asks_for(read):
    s, t = read(EVERYTHING).values()
    assert catalogue.files(s, "waves") == ["results/s/waves/ert/nested.parquet", *catalogue.files(s, "waves")[1:]]
    assert {Path(path).stem for path in catalogue.files(s, "log_ratios")} == {"log_ratio"}
    assert catalogue.files(s, "own_paper") == ["results/s/paper.pdf"]
    assert len(catalogue.files(s, "png")) == len(views.chosen_figures(s)) >= 20
    tables = {Path(path).name for path in catalogue.files(s, "table_tex")}
    assert {"posteriors_ert.tex", "quantiles_ert.tex", "values_at_one_ert.tex", "standings.tex", "ert_ert.tex"} <= tables
    assert {"posteriors_ert.tex", "quantiles_ert.tex"}.isdisjoint(Path(path).name for path in catalogue.files(t, "table_tex"))
    shown = list(catalogue.shown(s))
    assert len(shown) == len(set(shown))
    assert [path for path in shown if "/costs/" in path] == [f"results/s/costs/ert/{name}.parquet" for name in "ABC"]


def test_a_paired_design_needs_ratios_and_a_replicated_one_costs(read):
    paired = Job(read(PLAIN), ROOT, {"study": "s", "measure": "ert"})
    families = jobs.of_study("families")
    ratios, costs = jobs.result("ratios", when="not study.replicated"), jobs.of_sources("costs", when="study.replicated")
    algorithms, bounds = jobs.result("algorithms", when="study.replicated"), jobs.named_file("study.bounds_table")
    assert ratios(paired) == "results/s/ratios/ert.parquet"
    assert families(paired) == ["results/s/families.parquet"]
    assert costs(paired) == algorithms(paired) == bounds(paired) == []
    # a study that says what its clusters are has no families looked for
    assert families(Job(read(PLAIN + "    cluster_keys: [suite, problem]\n"), ROOT, {"study": "s"})) == []
    text = PLAIN + "    inference: {design: replicated}\n    profiles: []\n"
    replicated = Job(read(text), ROOT, {"study": "s", "measure": "ert"})
    assert costs(replicated) == ["results/s/costs/ert/A.parquet", "results/s/costs/ert/B.parquet"]
    assert ratios(replicated) == []
    # where two sources hold one algorithm this table is not made, and so no test
    assert algorithms(replicated) == "results/s/algorithms.parquet"
    # the order of the algorithms alone is made of these ratios, and an aggregate that fails is no reason to stop
    assert jobs.one_cost(paired)["aggregate"] == "ert"
    assert jobs.one_cost(replicated) == {"aggregate": "median", "missing": "common"}
    assert catalogue.files(read(PLAIN + "    profiles: []\n")["s"], "ratios")[0] == "results/s/ratios/ert.parquet"


def test_solver_runs_of_several_sources_may_contradict_each_other(read):
    text = "studies: {s: {sources: [A.tgz, B.tgz], measures: {time: {kind: given}}, profiles: []}}"
    assert catalogue.files(read(text, ["mip_log"])["s"], "contradictions") == ["results/s/contradictions.parquet"]
    assert catalogue.files(read(text.replace(", B.tgz", ""), ["mip_log"])["s"], "contradictions") == []
    # rows of tables do, where they have an outcome and a value
    columns = "columns: {outcome: status, best_value: objective}"
    text = text.replace("A.tgz, B.tgz", f"{{path: A.tgz, {columns}}}, {{path: B.tgz, {columns}}}")
    assert catalogue.files(read(text, ["table"])["s"], "contradictions") == ["results/s/contradictions.parquet"]
    assert catalogue.files(read(text.replace("best_value", "gap"), ["table"])["s"], "contradictions") == []


def test_what_no_job_makes_is_watched(read, tmp_path):
    text = (
        "studies: {s: {sources: [{path: 'https://example.org/D.tgz', format: coco, best_known: bounds.csv}, A.tgz], "
        "attributes: {problems: weights.csv}, profiles: [{variant: dolan_more, weights: w}]}}"
    )
    studies = read(text)
    of_sources = [Job(studies, ROOT, {"study": "s", "source": name}) for name in ("D", "A")]
    # what is fetched is made by a job
    assert [jobs.logs(job)[0].__class__ for job in of_sources] == [str, type(Path())]
    assert [jobs.beside_logs(job) for job in of_sources] == [[Path("bounds.csv")], []]
    # what it says is among the parameters
    assert Job(studies, ROOT, {"study": "s", "variant": "dolan_more_weighted_by_w"}).variant["weights"] == {"f1": 2.0}
    assert {path.name for path in jobs.brought(studies["s"], ROOT)} == {"bounds.csv", "A.tgz"}
    assert "page.html" in {path.name for path in jobs.page_templates(of_sources[0])}
    assert all(path.is_file() for path in jobs.templates("paper.tex", "own_section.md")(of_sources[0]))


def test_an_installed_font_is_watched_by_its_bytes(read, tmp_path, monkeypatch):
    from benchmill.exhibits.figures import style

    font = tmp_path / "serif.ttf"
    font.write_bytes(b"1")
    monkeypatch.setattr(style, "font_files", lambda appearance: [str(font)])

    def parameter(font):
        studies = read(f"studies: {{s: {{sources: A.tgz, appearance: {{font: {font}}}}}}}")
        noted._once.cache_clear()
        return jobs.fonts(Job(studies, ROOT, {"study": "s"}))

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
    without = catalogue.all_results(studies, ROOT, typeset=False)
    documents = {"results/paper.pdf", "results/supplement.pdf", "results/s/paper.pdf"}
    assert set(catalogue.all_results(studies, ROOT, typeset=True)) - set(without) == documents
    assert {"results/paper/paper.tex", "results/paper/supplement.tex", "results/s/section.tex", "results/report.html"} <= set(
        without
    )


def test_published_numbers_are_compared_where_a_study_is_of_a_published_table(read):
    published = ROOT / "data/paper-tables/hekmati2018_table1_times.csv"
    made = catalogue.all_results(read(f"studies: {{mine: {{sources: {published}}}}}"), ROOT, typeset=False)
    assert {f"results/reproduction.{suffix}" for suffix in ("parquet", "tex", "csv", "md")} <= set(made)
    # a name says nothing
    made = catalogue.all_results(read("studies: {hekmati2018: {sources: A.tgz}}"), ROOT, typeset=False)
    assert not [path for path in made if "reproduction" in path]


def test_a_setting_remakes_what_depends_on_it_and_nothing_else(declared):
    other = PLAIN.replace("targets: [1]", "targets: [1], missing: failure")
    alpha = PLAIN + "    inference: {alpha: 0.01}\n"

    def settings(text, rule):
        return [job["parameters"] for job in declared(text)[rule]["jobs"]]

    for rule in ("costs", "ecdf", "profiles"):
        assert settings(PLAIN, rule) == settings(other, rule) == settings(alpha, rule)
    for rule, changed in (("ratios", other), ("changes", other), ("tests", alpha), ("config", alpha)):
        assert settings(PLAIN, rule) != settings(changed, rule)


def test_caption_of_a_measure_with_a_floor_needs_the_counts(read):
    job = Job(read(EVERYTHING), ROOT, {"study": "s", "figure": "profile_quality_dolan_more"})
    assert "results/s/indicators/A.parquet" in jobs.drawn(job)
    job = Job(job.studies, ROOT, {"study": "s", "figure": "profile_ert_dolan_more"})
    assert jobs.drawn(job) == [
        "results/s/profiles/ert/dolan_more.parquet",
        "results/s/profile_measures/ert/dolan_more.parquet",
    ]


def test_wildcards_stand_for_names_of_the_studies_alone(read):
    found = catalogue.constraints(read(EVERYTHING))
    assert re.fullmatch(found["study"], "t")
    assert re.fullmatch(found["figure"], "ecdf_problem")
    assert not re.fullmatch(found["measure"], "mean")
    assert not re.fullmatch(catalogue.constraints({})["variant"], "")


def test_a_profile_that_there_is_not(read):
    studies = read(EVERYTHING)
    pattern = catalogue.no_profile_pattern(studies)
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/ert/nesting.parquet")
    assert not re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/ert/nested.parquet")
    assert not re.fullmatch(f"results/({pattern})\\.parquet", "results/s/ratios/none.parquet")
    # its variant makes no waves; it is not made of this measure
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/waves/ert/dolan_more.parquet")
    assert re.fullmatch(f"results/({pattern})\\.parquet", "results/s/profiles/quality/data.parquet")
    told = catalogue.no_profile(studies, "results/s/waves/ert/dolan_more.parquet")
    assert "'dolan_more' of studies.s.profiles is a Dolan–Moré profile, and waves are made of the variant nested" in told
    assert "results/s/waves/ert/nested.parquet" in told
    told = catalogue.no_profile(studies, "results/s/profiles/quality/data.parquet")
    assert "studies.s.profiles makes 'data' of other measures than 'quality'" in told
    told = catalogue.no_profile(studies, "results/s/profiles/ert/nesting.parquet")
    assert "did you mean 'results/s/profiles/ert/nested.parquet'?" in told


def test_memory_grows_with_the_logs_behind_a_job(read):
    studies = read(PLAIN)
    Path("A.tgz").write_bytes(bytes(2_000_000))
    (Path("logs") / "deep").mkdir()
    (Path("logs") / "deep/x.dat").write_bytes(bytes(500_000))
    raw = rules.raw_mb(read(EVERYTHING))
    assert raw["s", "A"] == 2
    assert raw["s", "C"] == 0.5
    amount = rules.by_size(rules.raw_mb(studies), 700, 60)

    class Wildcards(dict):
        study = "s"

    assert amount(Wildcards(source="A"), 1) == 700 + 120
    assert amount(Wildcards(source="B"), 2) == 1400
    assert amount(Wildcards(), 2) == 2 * (700 + 120)
    # a folder of 10 GB asks for no more than a node has
    of_source = rules.by_size({("s", "A"): 10_000}, 700, 60, rules.MOST_OF_SOURCE)
    assert [of_source(Wildcards(source="A"), attempt) for attempt in (1, 2)] == [8_000, 16_000]


def test_small_sources_share_a_submission_and_a_large_one_has_its_own():
    raw = {("s", "A"): 49.9, ("s", "B"): 50}
    assert rules.batch(raw, SimpleNamespace(study="s", source="A")) == "sources"
    assert rules.batch(raw, SimpleNamespace(study="s", source="B")) == "source_s_B"


@pytest.mark.parametrize("name", ["slurm", "kubernetes", "cluster-generic"])
def test_a_profile_of_a_cluster_asks_for_the_batches_that_rules_know(name):
    profile = yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text("utf-8"))
    assert profile["group-components"].keys() == {"sources", "compare_{study}"}
    # by names of rules a module that renames them would be in none
    assert "groups" not in profile


def test_logs_have_one_place_for_each_job():
    assert catalogue.joblog("tests") == ".snakemake/joblogs/tests/{study}/{measure}.log"
    assert catalogue.joblog("tables") == ".snakemake/joblogs/tables/{study}.log"
    assert catalogue.joblog("figures") == ".snakemake/joblogs/figures/{study}/{figure}.log"
    assert catalogue.joblog("paper") == ".snakemake/joblogs/paper.log"


def test_titles_are_words_alone(read, declared):
    """They reach captions and panels, and no job that computes depends on them."""
    text = """
studies:
  s:
    sources: [A.tgz]
    measures: {time: {kind: given, label: %s, unit: h}}
    profiles: [{variant: dolan_more%s}]
"""
    plain_text, titled_text = text % ("wall time", ""), text % ("time on one core", ", title: By one core")
    plain, titled = read(plain_text, ["gams_trace"]), read(titled_text, ["gams_trace"])
    for rule in ("costs", "ratios", "profiles"):
        assert declared(plain_text)[rule]["jobs"] == declared(titled_text)[rule]["jobs"]
    settings = views.view_settings(titled["s"], {"measure": "time", "profile": "dolan_more"})
    assert Measure.parsed(settings["measure"]).told == "time on one core (as stated, in h)"
    assert Measure.parsed(settings["measure"]).with_unit() == "time on one core (h)"
    assert Profile.parsed(settings["profile"]).called == "By one core"
    assert Profile.parsed(plain["s"].variants["dolan_more"]).called == "Dolan–Moré"


def test_stated_costs_of_solver_runs_are_summarised(read):
    text = """
studies:
  s:
    sources: [A.tgz]
    measures: {time: {kind: given}, rate: {kind: given, quantity: rate}, ert: {kind: fixed_target}}
"""
    of_runs = read(text, ["gams_trace"])["s"]
    assert catalogue.files(of_runs, "summary") == ["results/s/summary/time.parquet"]
    assert {"summary_time", "outcomes_time"} <= set(views.tables_of(of_runs))
    # and drawn, each kind once, also where it is asked for with settings of its own
    assert {"cactus_time", "outcomes_time"} <= set(views.chosen_figures(of_runs))
    asked = read(text + "    figures: [{kind: cactus, name: cactus_time, algorithms: [A]}]\n", ["gams_trace"])["s"]
    assert views.chosen_figures(asked) == ["cactus_time"]
    assert views.figures_of(asked)["cactus_time"].chosen["asked"]["algorithms"] == ["A"]
    # of what is asked for by its kind and drawn by `all` too one is shown, unless it is asked for with a setting of its own
    asked = read(text + "    figures: [all, {kind: cactus}, {kind: outcomes, name: ends, algorithms: [A]}]\n", ["gams_trace"])[
        "s"
    ]
    assert {"cactus", "cactus_time", "ends", "outcomes_time"} <= {*views.chosen_figures(asked)}
    assert views.page_parts(asked)["repeated"] == ["cactus"]
    # a table of costs is none of solver runs unless it says so
    plain = read(text, ["table"])["s"]
    assert catalogue.files(plain, "summary") == []
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
    assert catalogue.files(both, "summary") == [f"results/s/summary/{name}.parquet" for name in ("time", "gap", "early")]
    assert {"summary_gap", "summary_early", "outcomes_time"} <= set(views.tables_of(both))
    assert not {"outcomes_gap", "times_gap"} & set(views.tables_of(both))
    assert "cactus_gap" not in views.figures_of(both)
    assert list(views.sentence_settings(both)["runs"]) == ["time"]
    assert [both.measures[name]["mean_shift"] for name in ("time", "gap", "early")] == [10, 0.01, 5]
    with pytest.raises(UserError, match=r"studies.s.indicators.summary.measures: there is no measure of solver runs 'ert'"):
        read(text + "    indicators: {summary: {measures: [ert]}}\n")
