"""A new thing of any kind is one module and one entry; it arrives in the configuration, on the pages, and in what is computed."""

import json
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmill import readers
from benchmill.core import UserError, schema, storage
from benchmill.core.options import option
from benchmill.exhibits import tables
from benchmill.exhibits.figures import draw
from benchmill.exhibits.sentences.methods import methods
from benchmill.indicators.job import Given, Made
from benchmill.inference.design import Outcome
from benchmill.profiles import all_tables, fit, thresholds
from benchmill.profiles import options as profile_options
from benchmill.profiles.ratios import ratios
from benchmill.profiles.standings import standings
from benchmill.registry import formats
from benchmill.registry.criteria import CRITERIA, Criterion
from benchmill.registry.entry import Registry, points
from benchmill.registry.figures import KINDS, Kind
from benchmill.registry.formats import Format
from benchmill.registry.indicators import INDICATORS, Indicator
from benchmill.registry.inference import (
    COMPARISONS,
    CORRECTIONS,
    POSTERIORS,
    TESTS,
    BayesianComparison,
    Comparison,
    Correction,
    OmnibusTest,
)
from benchmill.registry.measures import MEASURES, Measure
from benchmill.registry.variants import VARIANTS, Variant
from benchmill.study import catalogue, configuration, validation, views
from benchmill.study.study import Study, read_studies
from benchmill.text.variants import Profile
from benchmill.workflow import jobs
from benchmill.workflow.jobs import Job
from tests.costs.making import cost_rows
from tests.inference.making import analyse, design

PAGE = runpy.run_path(str(Path(__file__).parents[2] / ".ci/config_page.py"))["page"]


@dataclass(frozen=True)
class Options:
    depth: int = option("How deep it goes.", 3, minimum=1)


OPTIONS = """
from benchmill.exhibits.figures.options import OfMeasures
from tests.registry.test_new_entries import Options
"""

FIGURE = Kind(name="toy", words="a picture of nothing", module="toy", shows="costs", tables=("ratios/{measure}",))
CRITERION = Criterion("toy", "toy criterion", symbol="T", function=lambda costs, weights: -costs.max(axis=1))
#: Every registry that a configuration names entries of, with a toy.
TOYS = {
    "profiles": (VARIANTS, Variant("toy", "profile of nothing", options=Options)),
    "figures": (KINDS, FIGURE),
    "measures": (MEASURES, Measure("toy", "toy cost", function=None, options=Options, phrase="nothing", caption="nothing")),
    "methods": (TESTS, OmnibusTest(name="toy", words="toy test")),
    "comparisons": (COMPARISONS, Comparison(name="toy", words="toy comparison")),
    "corrections": (CORRECTIONS, Correction(name="toy", words="toy correction")),
    "bayes": (POSTERIORS, BayesianComparison(name="toy", words="toy posterior")),
    "rank_sum": (CRITERIA, CRITERION),
}


def add(registry, entry, monkeypatch):
    """Put an entry into a registry."""
    monkeypatch.setitem(getattr(registry, "entries", registry), "toy", entry)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Makes a module of the name `toy`."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(text):
        (tmp_path / "toy.py").write_text(text)

    yield make
    sys.modules.pop("toy", None)


MODULE = """
from benchmill.registry.criteria import Criterion
from benchmill.registry.measures import Measure

ENTRIES = (Criterion("toy", "toy criterion"), {more})
"""


def test_a_registry_takes_of_a_module_what_is_of_its_kind(module):
    of_measure = 'Measure("m", "m", function=None, options=None, phrase="", caption="")'
    module(MODULE.format(more=f'Criterion("other", "another"), {of_measure}'))
    found = Registry(Criterion, "none", "benchmill.profiles.measures", "toy")
    assert list(found)[-2:] == ["toy", "other"]
    assert found["other"].module == "toy"
    with pytest.raises(KeyError):
        found["m"]


def test_modules_are_imported_when_an_entry_is_asked_for(module):
    module(MODULE.format(more=""))
    found = Registry(Criterion, "none", "toy", "benchmill.no_such_module")
    assert found._of("toy")[0].name == "toy"
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        list(found)


def test_two_entries_of_one_name_are_an_error(module):
    module(MODULE.format(more='Criterion("auc", "another area")'))
    with pytest.raises(UserError, match=r"toy: its entry 'auc' is called as that of benchmill\.profiles\.measures; rename it"):
        list(Registry(Criterion, "none", "benchmill.profiles.measures", "toy"))


def test_an_installed_package_adds_entries(module, tmp_path):
    module(MODULE.format(more=""))
    (tmp_path / "toys-1.dist-info").mkdir()
    (tmp_path / "toys-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
    (tmp_path / "toys-1.dist-info/entry_points.txt").write_text("[benchmill.toys]\ntoy = toy\n")
    points.cache_clear()
    assert list(Registry(Criterion, "benchmill.toys")) == ["toy"]


def below(node, key):
    """All that a schema says of a key, wherever it stands."""
    if isinstance(node, dict):
        if key in node.get("properties", {}):
            yield node["properties"][key]
        for child in node.values():
            yield from below(child, key)
    elif isinstance(node, list):
        for child in node:
            yield from below(child, key)


@pytest.mark.parametrize("key", TOYS)
def test_a_new_entry_arrives_in_the_configuration_and_on_its_page(key, module, monkeypatch):
    module(OPTIONS)
    registry, entry = TOYS[key]
    add(registry, entry, monkeypatch)
    made = configuration.schema()
    text = json.dumps(next(below(made["properties"]["studies"], key)))
    assert '"toy"' in text
    lines = [line for line in PAGE(made).splitlines() if f"`toy`: {entry.words}" in line]
    # every criterion may be the headline of a study, and of a competition
    assert len(lines) == (3 if key == "rank_sum" else 1)
    if key in ("profiles", "figures", "measures"):
        (said,) = below(made, "depth")
        assert said == {"description": "How deep it goes.", "type": "integer", "minimum": 1, "default": 3}
        assert "`depth` (toy)" in PAGE(made)


DEEP = """
from dataclasses import dataclass
from benchmill.core.options import option
from benchmill.exhibits.figures.options import OfMeasures

@dataclass(frozen=True)
class Options(OfMeasures):
    depth: int = option("How deep it goes.", 3, minimum=1)
"""


def test_a_new_entry_can_be_asked_for_and_a_wrong_option_is_told(module, monkeypatch, tmp_path):
    module(DEEP)
    add(*TOYS["figures"], monkeypatch)
    made = configuration.schema()
    monkeypatch.setattr(validation, "schema", lambda: made)
    (tmp_path / "A.tgz").touch()

    class Look:
        format, algorithms = "coco", ("A",)

    def read(**asked):
        study = {"sources": "A.tgz", "figures": [{"kind": "toy", **asked}]}
        how = {"look": lambda path, format: Look(), "options_of": lambda format: {}, "figures_of": views.figures_of}
        return read_studies({"studies": {"s": study}}, [tmp_path], **how)["s"]

    study = read()
    assert study.asked_figures["toy"]["depth"] == 3
    view = views.figures_of(study)["toy"]
    assert view.tables == ("ratios/ert",)
    assert views.figure_settings(study, view)["depth"] == 3
    with pytest.raises(Exception, match=r"figures\[1\]\.depth: found 0, expected a number of at least 1"):
        read(depth=0)
    with pytest.raises(
        Exception,
        match=r"figures\[1\]\.nothing: unknown key. Allowed: algorithms, appearance, budgets, depth, dimensions",
    ):
        read(nothing="beside")


@dataclass(frozen=True, kw_only=True)
class Places(profile_options.Options):
    step: float = option("What a place counts.", 1.0, exclusiveMinimum=0)


class ByPlace(thresholds.Profile[Places]):
    variant = "toy"

    def thresholds_of_group(self, group):
        return self.options.step * (1 + np.argsort(np.argsort(group.costs, axis=0), axis=0))


def test_a_new_variant_is_computed_drawn_and_described(monkeypatch):
    words = {"tau": "place τ", "definition": "ρ(τ) counts {what} by place.", "facts": ("by place",)}
    add(VARIANTS, Variant("toy", "profile of places", profile=ByPlace, options=Places, **words), monkeypatch)
    rows = [{"algorithm": a, "problem": p, "cost": c} for p in "pq" for a, c in (("A", 1.0), ("B", 2.0))]
    rated = ratios(cost_rows(rows), measure="m", aggregate="mean")
    made = fit(rated, measure="m", variant="toy", step=2.0).profiles.to_pylist()
    assert {(row["algorithm"], row["tau"]) for row in made if row["rho"] == 1} >= {("A", 2.0), ("B", 4.0)}
    profile = {"variant": "toy", "name": "toy", "step": 2.0}
    drawn = all_tables(rated, measure="m", variant="toy", step=2.0)
    figure, caption = draw("profile", drawn, {"measure": {"name": "m"}, "profile": profile})
    assert figure.axes[0].get_xlabel() == "place τ"
    assert "ρ(τ) counts problems by place." in caption
    assert caption.startswith("Toy profiles of 2 algorithms")
    assert "Toy (by place)" in dict(methods({"profiles": [profile]}))["Profiles"]
    assert Profile.parsed(profile).called == "toy"
    study = Study("s", "", {"profiles": [{"name": "toy", "variant": "toy", "measures": None}]}, (), {"m": {"kind": "given"}})
    assert list(study.variants_for("m")) == ["toy"]


def test_a_new_criterion_ranks_and_heads_a_column(monkeypatch):
    add(CRITERIA, CRITERION, monkeypatch)
    costs = {"A": (1.0, 9.0), "B": (2.0, 4.0)}
    rows = [{"algorithm": a, "problem": p, "cost": c} for a, both in costs.items() for p, c in zip("pq", both, strict=True)]
    rated = ratios(cost_rows(rows), measure="m", aggregate="mean")
    measures = fit(rated, measure="m", variant="dolan_more").profile_measures
    made = standings(measures, {"m": rated}, rank_sum=["toy"], options=profile_options.Options())
    ranks = {row["algorithm"]: (row["value"], row["rank"]) for row in made.to_pylist() if row["criterion"] == "toy"}
    assert ranks == {"A": (-9.0, 2), "B": (-4.0, 1)}
    table = tables.build("standings", {"standings": made, "ingest": []}, {})
    assert ("T", "toy criterion") in [(column.header, column.meaning) for column in table.columns]


def test_a_new_test_and_a_new_correction_are_made_and_described(monkeypatch):
    outcome = lambda costs: [Outcome("toy", float(costs.shape[0]), p=0.5)]  # noqa: E731
    add(TESTS, OmnibusTest(name="toy", words="toy test", function=outcome, phrase="a test of nothing"), monkeypatch)
    corrected = {"function": lambda p: 0 * p + 0.25, "phrase": "toys"}
    add(CORRECTIONS, Correction(name="toy", words="toy correction", **corrected), monkeypatch)
    costs = np.arange(24.0).reshape(4, 3, 2) + 1
    found = analyse([design(costs)], measure="m", methods=["toy"], comparisons=["wilcoxon"], corrections=["toy"])
    assert found["tests"].select(["method", "statistic", "p"]).to_pylist() == [{"method": "toy", "statistic": 4.0, "p": 0.5}]
    assert set(found["comparisons"]["p_adjusted"].to_pylist()) == {0.25}
    section = {"methods": ["toy"], "comparisons": ["wilcoxon"], "corrections": ["toy"]}
    said = dict(methods({"inference": section}))["Tests"]
    assert "a test of nothing" in said
    assert "toys" in said
    built = tables.build("tests", found, {"measure": {"name": "m"}})
    assert "toy test" in [row[0].text for section in built.sections for row in section.rows]


DOTS = """
from matplotlib.figure import Figure
from benchmill.exhibits.figures import options

Options = options.OfMeasures

def select(sheet):
    sheet.rows = sheet.table("ratios")

def draw(sheet):
    figure = Figure()
    figure.subplots().plot(sheet.rows["ratio"])
    return figure

def caption(sheet):
    return [f"{len(sheet.rows)} ratios."]
"""


def test_a_new_kind_of_figure_is_drawn_and_has_its_place_on_page_and_paper(module, monkeypatch):
    module(DOTS)
    add(*TOYS["figures"], monkeypatch)
    made = ratios(cost_rows([{"algorithm": a, "problem": "p", "cost": c} for a, c in (("A", 1.0), ("B", 2.0))]), measure="m")
    figure, caption = draw("toy", {"ratios": made}, {"measures": [{"name": "m"}]})
    assert figure.axes[0].lines[0].get_ydata().tolist() == [1, 2]
    assert caption == "2 ratios."


def luck(given):
    (costs,) = given.read("costs")
    depth, report = given.options(Options).depth, given.reports[0]
    columns = {name: costs.column(name) for name in ("measure", "suite", "problem", "dimension", "algorithm")}
    n = costs.num_rows
    values = [depth + given.needed["seed"] + report["lines"]] * n
    made = schema.table("indicator_values", {**columns, "indicator": ["toy"] * n, "value": values, "n_trials": [1] * n})
    return Made({"toy": made}, {"by": "chance"})


def test_a_new_indicator_has_a_section_a_step_and_a_file(monkeypatch, tmp_path):
    entry = Indicator("toy", "luck", function=luck, options=Options, needs=("costs", "ingest", "seed"))
    add(INDICATORS, entry, monkeypatch)
    (said,) = below(configuration.schema(), "depth")
    assert said["default"] == 3
    assert "## indicators: toy\n" in PAGE(configuration.schema())

    made = catalogue.indicated()["toy"]
    assert (made.path, made.table) == ("results/{study}/indicator_values/toy/{source}.parquet", "indicator_values")
    measures = {"m": {"kind": "given", "for": ["indicators"]}, "n": {"kind": "given", "for": []}}
    study = Study("s", "", {"seed": 7, "indicators": {"toy": {"depth": 5}}}, (), measures)
    job = Job({"s": study}, tmp_path, {"study": "s", "source": "A"})
    read = {name: of(job) for name, of in jobs.read_by(entry).items()}
    assert read == {"ingest": ["results/s/ingest/A.json"], "costs": ["results/s/costs/m/A.parquet"]}
    given = {name: of(job) for name, of in jobs.given_to(entry).items()}
    assert given == {"settings": {"depth": 5}, "needed": {"seed": 7}}

    storage.write(cost_rows([{"algorithm": "A", "problem": "p", "cost": 1.0}]), "costs", tmp_path / "costs.parquet")
    given = Given(
        files={"costs": [tmp_path / "costs.parquet"]}, settings={"depth": 5}, reports=[{"lines": 30}], needed={"seed": 7}
    )
    made = entry.function(given)
    assert made.note == {"by": "chance"}
    assert schema.check(made.tables["toy"], entry.table("toy"))["value"].to_pylist() == [42.0]


BUDGETS = """
from dataclasses import dataclass
from benchmill.core import schema
from benchmill.core.options import option
from benchmill.readers import interface
from benchmill.readers.interface import Found, Rule, place

RULES = {"odd": Rule("repaired", "An odd budget is rounded up.")}

@dataclass(frozen=True)
class Options(interface.Options):
    depth: int = option("How deep it goes.", 3, minimum=1)

def sniff(view):
    return Found("toy", ("T",)) if all(m.name.endswith(".toy") for m in view.members) else None

def read(view, options, report):
    for trial, member in enumerate(view.members):
        spent = int(view.read(member.name))
        if spent % 2:
            report.add("odd", member.name, 1, f"found {spent}")
            spent += 1
        row = {"problem": member.name[:-4], "dimension": options.depth, "algorithm": "T", "run": 1, "trial": trial,
               "budget": spent, "best_value": 0.5, "value_kind": "difference", "maximise": False, "n": 1, "status": "failed",
               "source": place(member.name, 1)}
        yield schema.table("trials", {name: [v] for name, v in row.items()}), schema.TABLES["traces"].empty_table()
"""


def test_a_new_format_of_an_installed_package_is_recognised_and_read(module, monkeypatch, tmp_path):
    module(BUDGETS)
    entry = Format("toy", "toy logs", "toy", suffixes=(".toy",))
    monkeypatch.setitem(formats.FORMATS.entries, "toy", entry)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/sphere.toy").write_text("7")
    assert readers.sniff(tmp_path / "logs").format == "toy"
    assert readers.options_schema("toy")["properties"]["depth"]["minimum"] == 1
    trials, traces, report = readers.load(tmp_path / "logs", options={"depth": 2})
    assert trials.select(["problem", "dimension", "budget"]).to_pylist() == [{"problem": "sphere", "dimension": 2, "budget": 8}]
    assert traces.num_rows == 0
    assert [(found["rule"], found["examples"]) for found in report["irregularities"]]
