"""Defaults are filled in, shorthand is written out, and every mistake is named with its key."""

import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from benchmill import readers
from benchmill.core import UserError, beside
from benchmill.registry.figures import KINDS
from benchmill.registry.primary import Primary
from benchmill.study import study as config
from benchmill.study import validation, views, yaml_text
from benchmill.workflow import jobs


@dataclass
class Found:
    format: str
    algorithms: list[str]


def look(path, format):
    if path.suffix == ".bin":
        raise UserError(f"{path.name} is of no format that benchmill reads.")
    return Found(format or "coco", [path.name.split(".")[0]])


def options_of(format):
    return {
        "algorithm": {"type": "string"},
        "strict": {"type": "boolean"},
        "best_known": {"type": "string"},
        "lookup": {"type": "string"},
    }


def figures_of(study):
    return [f"profile_{measure}" for measure in study.measures_for("profiles")] + ["ecdf_target"]


@pytest.fixture
def logs(tmp_path):
    for name in ("A.tgz", "B.tgz", "C.zip"):
        (tmp_path / name).touch()
    return tmp_path


def read(text, folder):
    return config.read_studies(
        yaml_text.read(text, "my.yaml"), [folder], look=look, options_of=options_of, figures_of=figures_of, where="my.yaml"
    )


def mistakes(text, folder):
    with pytest.raises(UserError) as error:
        read(text, folder)
    return str(error.value)


def test_a_glob_is_enough(logs):
    study = read("studies: {s: {sources: '*'}}", logs)["s"]
    assert [source.name for source in study.sources] == ["A", "B", "C"]
    assert study.title == "s"
    assert study.measures["ert"]["targets"] == [10, 1, 0.1, 1e-3, 1e-5, 1e-7]
    assert list(study.variants) == ["dolan_more"]
    assert study.measures_for("ecdf") == ["ecdf"]
    assert study.measures_for("profiles") == ["ert"]


def test_defaults_are_those_of_the_schema_and_complete(logs):
    settings = read("studies: {s: {sources: '*', indicators: {level: 0.9}}}", logs)["s"].settings
    assert set(settings) == set(validation.schema()["properties"]["studies"]["additionalProperties"]["properties"])
    again = config.read_studies({"studies": {"s": settings}}, [logs], look=look, options_of=options_of, figures_of=figures_of)[
        "s"
    ]
    assert again.settings == settings


def test_the_51_targets_of_coco_meet_the_powers_of_ten(logs):
    targets = read("studies: {s: {sources: '*'}}", logs)["s"].measures["ecdf"]["targets"]
    assert len(targets) == 51
    assert targets[0::5] == [1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("cactus", "one of solver runs in indicators.summary.measures"),
        ("scaling", "one of evaluations to targets"),
        ("value_ecdf", "one of values at budgets, and indicators.ecdf.aggregate"),
        ("kaplan_meier", "one in indicators.kaplan_meier.measures"),
    ],
)
def test_a_figure_of_what_the_study_has_not_says_what_would_be_shown(logs, kind, expected):
    for asked in (f"{{kind: {kind}}}", f"{{kind: {kind}, measures: [time]}}"):
        text = f"studies: {{s: {{sources: A.tgz, measures: {{time: {{kind: given}}}}, figures: [{asked}]}}}}"
        (told,) = mistakes(text, logs).split("\n")[1:]
        assert told.endswith(f": the study has no measure that it can show, expected {expected}; see the key measures.")


def test_a_key_of_another_kind_of_measure_is_not_sent_to_where_it_stands(logs):
    told = mistakes("studies: {s: {sources: A.tgz, measures: {m: {kind: fixed_target, shift: 1}}}}", logs)
    assert "studies.s.measures.m.shift: unknown key. Allowed: aggregate, " in told
    told = mistakes("studies: {s: {sources: A.tgz, indicators: {summary: {shift: 1}}}}", logs)
    assert "'shift' is a key of 'measures', set it there." in told


def test_targets_have_as_many_titles_as_there_are(logs):
    text = "studies: {s: {sources: A.tgz, measures: {m: {kind: fixed_target, targets: [1, 10], target_titles: [a, b, c]}}}}"
    (told,) = mistakes(text, logs).split("\n")[1:]
    assert told == "  - studies.s.measures.m: target_titles has 3 titles for 2 targets; give one for each, or none."


def test_a_summary_of_a_measure_that_there_is_not(logs):
    text = "studies: {s: {sources: A.tgz, measures: {time: {kind: given}}, indicators: {summary: {measures: [tiem, time]}}}}"
    (told,) = mistakes(text, logs).split("\n")[1:]
    assert "studies.s.indicators.summary.measures: there is no measure of solver runs 'tiem'; did you mean 'time'?" in told


def test_whole_numbers_are_whole_however_they_are_written(logs):
    text = "studies: {s: {sources: '*', seed: 1.0, inference: {permutations: 1e4}, primary: {targets: [10, 1.0]}}}"
    settings = read(text, logs)["s"].settings
    found = [settings["seed"], settings["inference"]["permutations"], *settings["primary"]["targets"]]
    assert [(type(one), one) for one in found] == [(int, 1), (int, 10000), (int, 10), (float, 1.0)]


def test_numbers_that_yaml_reads_as_text_are_numbers(logs):
    study = read("studies: {s: {sources: '*', measures: {m: {kind: fixed_target, targets: [1e-3, 1e1]}}}}", logs)["s"]
    assert study.measures["m"]["targets"] == [0.001, 10.0]


def test_names_are_those_of_the_file_and_words_are_truth_values_where_the_schema_asks_for_one(logs):
    text = "studies: {NO: {sources: {path: A.tgz, strict: yes, algorithm: on}, title: 2026-01-31, algorithms: {except: [010]}}}"
    study = read(text, logs)["NO"]
    assert study.name == "NO"
    assert {source.options["strict"] for source in study.sources} == {True}
    assert {source.options["algorithm"] for source in study.sources} == {"on"}
    assert study.settings["algorithms"]["except"] == ["010"]
    assert study.title == "2026-01-31"


def test_indicators_have_defaults_in_every_part(logs):
    measures = "{q: {kind: fixed_budget, budgets: [5]}}"
    text = f"studies: {{s: {{sources: '*', measures: {measures}, indicators: {{level: 0.9, ecdf: {{bands: true}}}}}}}}"
    study = read(text, logs)["s"]
    indicators = study.settings["indicators"]
    assert (indicators["budget_rule"], indicators["quantile_type"]) == ("own", 7)
    assert (indicators["level"], indicators["summary"]["level"], indicators["kaplan_meier"]["level"]) == (0.9, 0.9, 0.9)
    assert indicators["ecdf"]["level"] == 0.9
    assert indicators["ecdf"]["weight"] == "instance"
    assert study.value_ecdfs == [("q", "budget"), ("q", "problem")]


def test_rates_have_the_criterion_of_the_competition_and_need_no_traces(logs):
    kinds = (
        "{f: {kind: feasible_rate, exclude: [g20]}, s: {kind: success_rate}, p: {kind: success_performance}, g: {kind: given}}"
    )
    study = read(f"studies: {{s: {{sources: '*', measures: {kinds}}}}}", logs)["s"]
    assert study.measures["f"]["exclude"] == ["g20"]
    assert study.measures["s"]["exclude"] == []
    for name in ("s", "p"):
        assert (study.measures[name]["targets"], study.measures[name]["scale"]) == ([1e-4], "distance")
    assert study.measures["p"]["published"] == "printed"
    assert study.measures["g"]["quantity"] == "cost"
    assert study.measures_for("ecdf") == []


def test_profiles_get_names(logs):
    text = "studies: {s: {sources: '*', profiles: [dolan_more, {variant: dolan_more, by: dimension, weights: dimension}]}}"
    assert list(read(text, logs)["s"].variants) == ["dolan_more", "dolan_more_weighted_by_dimension_by_dimension"]


def test_weights_of_profiles_are_words_or_attributes_that_are_numbers(logs):
    (logs / "p.table").write_text("problem,class,size\nf1,large,3\nf2,small,1e-1\n", "utf-8")
    text = "studies: {s: {sources: '*', attributes: {problems: p.table}, profiles: [{variant: nested, weights: WEIGHTS}]}}"
    study = read(text.replace("WEIGHTS", "size"), logs)["s"]
    assert study.variants["nested_weighted_by_size"]["weights"] == "size"
    assert study.weighted_variants["nested_weighted_by_size"]["weights"] == {"f1": 3.0, "f2": 0.1}
    assert read(text.replace("WEIGHTS", "baseline"), logs)["s"].weighted_variants["nested_weighted_by_baseline"]["weights"]
    own = read(text.replace("WEIGHTS", "{f1: 2, f2: 1e-1}"), logs)["s"].weighted_variants
    assert own["nested_weighted_by_numbers"]["weights"] == {"f1": 2, "f2": 0.1}
    told = mistakes(text.replace("WEIGHTS", "sise"), logs)
    assert "profiles[1].weights: found 'sise'; did you mean 'size'? Allowed: equal, dimension, baseline, median_cost, " in told
    told = mistakes(text.replace("WEIGHTS", "class"), logs)
    assert "profiles[1].weights: the attribute 'class' is not a number of every problem, expected numbers." in told
    told = mistakes(text.replace("WEIGHTS", "w, weights_table: w.csv"), logs)
    assert "profiles[1].weights_table: is no key of this version; name the table as `attributes.problems`" in told


def test_a_sources_sheet_is_read_beside_its_own_folder(logs):
    (logs / "deep").mkdir()
    (logs / "deep" / "sheet.yaml").write_text("- ../A.tgz\n- {path: ../B.tgz, name: bee, algorithm: Bee}\n")
    study = read("studies: {s: {sources: deep/sheet.yaml}}", logs)["s"]
    assert [(s.name, s.options) for s in study.sources] == [("A", {}), ("bee", {"algorithm": "Bee"})]


def test_a_sources_sheet_names_nothing_outside_of_its_folder_and_the_configurations(tmp_path, monkeypatch):
    study, inbox, home = (tmp_path / name for name in ("study", "inbox", "home"))
    for folder in (study / "own", inbox / "deep", home):
        folder.mkdir(parents=True)
        (folder / "A.tgz").touch()
    (home / "secret").write_text("root:x:0:0\n")
    (inbox / "link.tgz").symlink_to(home / "A.tgz")
    (inbox / "folder").symlink_to(home)
    (inbox / "inside.tgz").symlink_to(study / "own" / "A.tgz")
    monkeypatch.chdir(home)
    text = f"studies: {{s: {{sources: {inbox / 'sheet.yaml'}}}}}"

    def sheet(entry):
        (inbox / "sheet.yaml").write_text(f"- {entry}\n")
        return config.read_studies(yaml.safe_load(text), [study, Path()], look=look, options_of=options_of, figures_of=figures_of)

    inside = ("deep/A.tgz", "inside.tgz", str(study / "own/A.tgz"), "../study/own/A.tgz", "deep/*.tgz")
    for path in (*inside, f"{{path: deep/A.tgz, best_known: {study / 'own/A.tgz'}}}"):
        assert len(sheet(path)["s"].sources) == 1
    outside = ("../home/A.tgz", str(home / "A.tgz"), "link.tgz", "folder/A.tgz", "folder/*.tgz", "*.tgz", "/etc/passwd", "..")
    beside = [
        f"{{path: deep/A.tgz, {key}: {path}}}" for key in ("best_known", "lookup") for path in (home / "secret", "folder/secret")
    ]
    for entry in (*outside, *beside):
        with pytest.raises(
            UserError, match=r"entry 1 of the sources sheet .* is outside of the folders of the sheet and of"
        ) as error:
            sheet(f"'{entry}'" if "*" in entry else entry)
        assert "root:x" not in str(error.value)
    # the configuration itself names what it will
    assert read(f"studies: {{s: {{sources: {home / 'A.tgz'}}}}}", study)["s"].sources


def test_best_known_values_are_looked_up_like_sources(logs, monkeypatch):
    (logs / "deep").mkdir()
    (logs / "deep" / "sheet.yaml").write_text("- {path: ../A.tgz, best_known: ../x.solu}\n")
    (logs / "x.solu").touch()
    monkeypatch.chdir(logs / "deep")
    for text in ("[{path: A.tgz, best_known: x.solu}]", "deep/sheet.yaml", f"[{{path: A.tgz, best_known: {logs / 'x.solu'}}}]"):
        (source,) = read(f"studies: {{s: {{sources: {text}}}}}", logs)["s"].sources
        assert Path(source.options["best_known"]).samefile(logs / "x.solu")
    found = mistakes("studies: {s: {sources: [{path: A.tgz, best_known: y.solu}]}}", logs)
    assert "studies.s.sources[1].best_known: there is no file 'y.solu'; give a path relative to the configuration" in found


@pytest.mark.parametrize(
    "text",
    [
        'studies: {s: {sources: ["a\\0b", "a\\0*"]}}',
        "studies: {s: {sources: [&a [*a]]}}",
        "studies: {1: {sources: [2020-01-01, !!binary aGk=, ~, {path: [A.tgz]}]}}",
        "studies: {s: {sources: A.tgz, seed: .nan, figures: [.inf], measures: {~: ~, true: {}}}}",
    ],
)
def test_odd_values_are_mistakes_like_others(logs, text):
    assert mistakes(text, logs).startswith("my.yaml")


#: A configuration, and what its message says.
MISTAKES = [
    ("{}", ["studies: is missing"]),
    ("studies: {}", ["studies: is empty"]),
    ("studies: {s: {}}", ["studies.s.sources: is missing"]),
    ("studies: {s: {sources: '*', measure: {}}}", ["studies.s.measure: unknown key; did you mean 'measures'?"]),
    (
        "studies: {s: {sources: '*', inference: {control: A}}}",
        ["studies.s.inference.control: unknown key; 'control' is a key of the study, set it there."],
    ),
    (
        "studies: {s: {sources: '*', alpha: 0.1}}",
        ["studies.s.alpha: unknown key; 'alpha' is a key of 'inference', set it there."],
    ),
    ("studies: {s: {sources: nowhere.tgz}}", ["studies.s.sources[1].path: there is no file or folder 'nowhere.tgz'"]),
    ("studies: {s: {sources: ['A.tgz', 'x*']}}", ["studies.s.sources[2].path: no file or folder matches 'x*'"]),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: fixed_traget}}}}",
        ["studies.s.measures.m.kind: found 'fixed_traget'; did you mean 'fixed_target'? Allowed: fixed_target, "],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {knid: fixed_target}}}}",
        ["studies.s.measures.m.knid: unknown key; did you mean 'kind'? Its values are fixed_target, "],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: success_performance, published: both, aggregate: mean}}}}",
        [
            "measures.m.published: found 'both'",
            "measures.m.aggregate: is no key of this version; leave it out",
        ],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: feasible_rate, exclude: g20}}}}",
        ["measures.m.exclude: found the text 'g20', expected a list of texts"],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: fixed_target, targtes: [1]}}}}",
        ["studies.s.measures.m.targtes: unknown key; did you mean 'targets'?"],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: fixed_target, targets: [1, -2, 0]}}}}",
        ["measures.m.targets[2]: found -2, expected a number above 0", "measures.m.targets[3]: found 0"],
    ),
    (
        "studies: {s: {sources: '*', measures: {m: {kind: fixed_target, targets: 1}}}}",
        ["measures.m.targets: found the number 1, expected a list of numbers"],
    ),
    ("studies: {s: {sources: '*', measures: {m: {kind: fixed_budget}}}}", ["measures.m.budgets: is missing"]),
    ("studies: {s: {sources: '*', measures: {'a b': {kind: given}}}}", ["'a b' cannot be a name"]),
    ("studies: {paper: {sources: '*'}}", ["studies.paper: this name is kept"]),
    ("studies: {'../s': {sources: '*'}}", ["'../s' cannot be a name"]),
    (
        "studies: {s: {sources: '*', profiles: [{variant: nested, name: a/b}], tables: [{table: x, name: ../y}]}}",
        ["s.profiles[1].name: 'a/b' cannot be a name", "s.tables[1].name: '../y' cannot be a name"],
    ),
    (
        "studies: {s: {sources: '*', appearance: {colours: {A: mauve}, paper: {column: wide, text: 1cm}}}}",
        [
            "colours.A: found 'mauve', expected colours by algorithm: `#rrggbb`, or one of blue",
            "column: found 'wide', expected a length",
        ],
    ),
    (
        "studies: {s: {sources: '*', inference: {normalise: {e1: a, e2: a}}}}",
        ["inference.normalise: lists 2, expected 1 of them."],
    ),
    ("studies: {s: {sources: '*', measures: {ecdf: {kind: fixed_target}}}}", ["measures.ecdf: this name is kept"]),
    (
        "studies: {s: {sources: '*', profiles: [dolan-more]}}",
        ["profiles[1].variant: found 'dolan-more'; did you mean 'dolan_more'?"],
    ),
    (
        "studies: {s: {sources: '*', profiles: [dolan_more, dolan_more]}}",
        ["profiles[2]: has the name 'dolan_more' of profiles[1]"],
    ),
    (
        "studies: {s: {sources: '*', figures: [profil_ert]}}",
        ["figures: there is no figure 'profil_ert'; did you mean 'profile_ert'?"],
    ),
    ("studies: {s: {sources: '*', inference: {alpha: 5}}}", ["inference.alpha: found 5, expected a number below 0.5"]),
    (
        "studies: {s: {sources: '*', siunitx: true, appearance: {formats: [pgf]}, figures: [{kind: scaling, target: 1}]}}",
        [
            "figures[1].target: is no key of this version; write it as a list (`targets: [0.1]`).",
            "s.siunitx: is no key of this version; leave it out",
            "s.appearance.formats[1]: 'pgf' is no value of this version; leave it out and include the PDF.",
        ],
    ),
    (
        "studies: {s: {sources: '*', figures: [{kind: scatter, measures: [ret]}]}}",
        ["s.figures: scatter_ret: there is no measure 'ret'; did you mean 'ert'?"],
    ),
    (
        "studies: {s: {sources: '*', figures: [{kind: auc_bars}, {kind: auc_bars}]}}",
        ["s.figures: found two figures of the same name"],
    ),
    ("studies: {s: {sources: '*', figures: [{kind: pie}]}}", ["figures[1].kind: found 'pie'"]),
    ("studies: {s: {sources: '*', appearance: {paper: IEEE}}}", ["appearance.paper: found 'IEEE'; did you mean 'ieee'?"]),
    ("studies: {s: {sources: ['A.tgz', 'A.tgz']}}", ["both have the source name 'A'"]),
    (
        "studies: {s: {sources: [A.tgz, {path: B.tgz, algorithm: A}]}}",
        ["'A.tgz' and 'B.tgz' both hold the algorithm 'A'", "`- {path: B.tgz, algorithm: A (B)}`"],
    ),
    (
        "studies: {s: {sources: [{path: A.tgz, stric: true}]}}",
        ["sources[1].stric: unknown key of the format 'coco'; did you mean 'strict'?"],
    ),
    (
        "studies: {s: {sources: '*', indicators: {ecdf: {aggregate: [group], restarts: 2, bands: true}}}}",
        [
            "indicators.ecdf.groups: is missing; the aggregation 'group' needs the problems",
            "indicators.ecdf.bands: bands are of trials as they are",
        ],
    ),
    (
        "studies: {s: {sources: '*', inference: {unbalanced: [drop], failure: 10, corrections: [bonferroni]}}}",
        [
            "inference.unbalanced: changes nothing without design: replicated; leave it out",
            "inference.failure: changes nothing without design: replicated",
            "inference.corrections: changes nothing without a comparison that has no correction of its own",
        ],
    ),
    (
        "studies: {s: {sources: '*', inference: {rope: 1}, indicators: {kaplan_meier: {horizon: 3}}}}",
        ["inference.rope: changes nothing", "kaplan_meier.horizon: changes nothing"],
    ),
    (
        "studies: {s: {sources: '*', profiles: [{variant: nested, failure_ratio: 5}], indicators: {ecdf: {groups: bbob}}}}",
        [
            "profiles[1].failure_ratio: changes nothing with `rule: wins`; leave it out, or set rule: sum.",
            "indicators.ecdf.groups: changes nothing without `group` in indicators.ecdf.aggregate",
        ],
    ),
    (
        "studies: {s: {sources: '*', indicators: {summary: {by: suite}}, appearance: {paper: {column: 9cm, text: 1cm}}}}",
        [
            "indicators.summary.by: changes nothing, since the study summarises no measure",
            "appearance.paper: found a column of 256pt in a text of 28pt, expected a text at least as wide; state both.",
        ],
    ),
    (
        "studies: {s: {sources: '*', problem_keys: [problem], profiles: [{variant: data}]}}",
        ["profiles[1]: a data profile needs the dimension of every problem, which the study does not have; add dimension"],
    ),
    (
        "studies: {s: {sources: '*', problem_keys: [problem], profiles: [{variant: dolan_more, by: dimension}]}}",
        ["profiles[1]: `by: dimension` needs the dimension of every problem, which the study does not have; add dimension"],
    ),
    (
        "studies: {s: {sources: '*', measures: {q: {kind: fixed_budget, budgets: [5]}}, "
        "figures: [{kind: density, targets: [1]}]}}",
        ["figures: density: targets: no measure that it shows (q) has targets; leave them out, or name a measure"],
    ),
    (
        "studies: {s: {sources: '*', primary: {limit: 9}, indicators: {summary: {brackets: [5]}}}}",
        [
            "primary.limit: changes nothing with the criterion auc_log; leave it out, or name a score of competitions (",
            "indicators.summary.brackets: changes nothing, since the study summarises no measure",
        ],
    ),
    (
        "studies: {s: {sources: '*', indicators: {attainment: {between: [1]}}}}",
        ["indicators.attainment.between: lists 1, expected 2 of them."],
    ),
    (
        "studies: {s: {sources: '*', indicators: {attainment: {between: [1, 2, 3]}}}}",
        ["indicators.attainment.between: lists 3, expected 2 of them."],
    ),
    (
        "studies: {s: {sources: '*', indicators: {attainment: {between: [0, 100]}}}}",
        ["indicators.attainment.between: found 0 and 100, expected a smaller and a larger number (above 0, or set value_log"],
    ),
    (
        "studies: {s: {sources: '*', indicators: {ecdf: {area_to: 1}}}}",
        ["indicators.ecdf.area_to: found 1, expected a number above 1"],
    ),
    (
        "studies: {s: {sources: {path: A.tgz, size_mb: 1:30}}}",
        ["sources[1].size_mb: found the text '1:30', expected a number; write 90 if 1:30 is minutes and seconds, 5400 if it is"],
    ),
    (
        "studies: {s: {sources: {path: A.tgz, size_mb: 1:30:00}}}",
        ["size_mb: found the text '1:30:00', expected a number; 1:30:00 is 5400 seconds: write that number"],
    ),
    ("studies: {s: {sources: {path: '*', name: x}}}", ["sources[1].name: 'x' would name 3 sources"]),
    ("studies: {s: {sources: {name: x}}}", ["sources[1].path: is missing; studies.s.sources[1] needs `path`, or `parts`"]),
    ("studies: {s: {sources: {path: A.tgz, parts: [B.tgz]}}}", ["sources[1].path: found both `path` and `parts`"]),
    ("studies: {s: {sources: {parts: []}}}", ["sources[1].parts: is empty, expected at least one entry"]),
    ("studies: {s: {sources: {parts: A.tgz}}}", ["sources[1].parts: found the text 'A.tgz', expected a list of texts"]),
    ("studies: {s: {sources: {parts: [A.tgz, D.tgz]}}}", ["sources[1].parts[2]: no file or folder matches 'D.tgz'"]),
    ("studies: {s: {sources: {parts: [A.tgz, '*']}}}", ["sources[1].parts[2]:", "A.tgz' is among the parts already"]),
    (
        "studies: {s: {sources: {parts: ['https://example.org/a.tgz', A.tgz]}}}",
        ["sources[1].parts[1]: found the URL 'https://example.org/a.tgz', expected a path"],
    ),
    (
        f"studies: {{s: {{sources: {{parts: [A.tgz, B.tgz], sha256: {'a' * 64}}}}}}}",
        ["sources[1].sha256: a source of parts has none"],
    ),
    (
        "studies: {s: {sources: {path: A.tgz, citation: '@book{a, title={x}'}}}",
        ["sources[1].citation: the entry 'a' is not closed; give each opening brace its closing one."],
    ),
    (
        "studies: {s: {sources: {path: A.tgz, citation: '@book{dolan2002, title={x}}'}}}",
        ["sources[1].citation: the key 'dolan2002' is that of an entry that benchmill writes; choose another key."],
    ),
    (
        "studies: {s: {sources: [A.tgz, {path: A.tgz, name: other}]}}",
        ["'A.tgz' and 'A.tgz' both hold the algorithm 'A'"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_a_mistake_is_named_with_its_key(logs, text, expected):
    told = mistakes(text, logs)
    assert told.startswith("my.yaml has ")
    for part in expected:
        assert part in told


@pytest.mark.parametrize(
    ("targets", "told"),
    [
        ("[]", "targets: is empty"),
        ("[1, 1]", "targets: lists 1 more than once"),
        ("{from: 0, to: 1, number: 3}", "targets"),
        ("{from: 10, to: -1, number: 3}", "targets"),
        ("{from: 10, to: 1, number: 0}", "targets"),
        ("{from: 10, to: 1, number: 1}", "targets"),
        ("{from: 10, to: 1, number: 2.5}", "targets"),
        ("{from: .inf, to: 1, number: 3}", "targets"),
        ("{from: true, to: 1, number: 3}", "targets"),
    ],
)
def test_targets_that_are_none_are_named(logs, targets, told):
    text = f"studies: {{s: {{sources: '*', measures: {{m: {{kind: fixed_target, targets: {targets}}}}}}}}}"
    assert f"studies.s.measures.m.{told}" in mistakes(text, logs)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        (
            "measures: {m: {kind: fixed_target, targets: [.inf]}}",
            "studies.s.measures.m.targets[1]: found the text '.inf', expected a number",
        ),
        ("inference: {alpha: .nan}", "studies.s.inference.alpha: found the text '.nan', expected a number"),
        ("inference: {alpha: 1e999}", "studies.s.inference.alpha: found the text '1e999', expected a number"),
        ("measures: {m: {kind: given}, M: {kind: given}}", "studies.s.measures: 'm' and 'M' differ in case alone"),
        (
            "measures: {m: {kind: given}}, profiles: [{variant: dolan_more, name: p}, {variant: nested, name: P}]",
            "studies.s.profiles: 'p' and 'P' differ in case alone",
        ),
    ],
)
def test_numbers_without_end_and_names_alike_are_mistakes(logs, setting, told):
    assert told in mistakes(f"studies: {{s: {{sources: A.tgz, {setting}}}}}", logs)


def test_studies_whose_folders_may_be_one_are_refused(logs):
    assert "studies: 's' and 'S' differ in case alone" in mistakes("studies: {s: {sources: A.tgz}, S: {sources: A.tgz}}", logs)


def test_the_smallest_series_of_targets_has_two(logs):
    text = "studies: {s: {sources: '*', measures: {m: {kind: fixed_target, targets: {from: 1, to: 100, number: 2}}}}}"
    assert read(text, logs)["s"].measures["m"]["targets"] == [100, 1]


def any_mistakes(text, folder):
    try:
        read(text, folder)
    except UserError as error:
        return str(error)
    return ""


_MEANT = re.compile(r"  - (\S+): (?:found '(.+?)'|unknown key.*?|there is no \w+ '(.+?)'); did you mean '(.+?)'\?")


@pytest.mark.parametrize("text", [text for text, expected in MISTAKES if any("did you mean" in part for part in expected)])
def test_what_a_mistake_was_meant_to_be_is_none(logs, text):
    """Every word that a message offers in place of another is taken there."""
    for key, value, name, meant in _MEANT.findall(mistakes(text, logs)):
        wrong = value or name or key.rpartition(".")[2]
        corrected = re.sub(rf"\b{re.escape(wrong)}\b", meant, text)
        assert corrected != text
        assert key not in [other for other, *_ in _MEANT.findall(any_mistakes(corrected, logs))]


def test_a_source_that_no_reader_knows_is_named(logs):
    (logs / "x.bin").touch()
    assert "studies.s.sources[1]: x.bin is of no format that benchmill reads." in mistakes("studies: {s: {sources: x.bin}}", logs)


def test_all_mistakes_come_in_one_message(logs):
    told = mistakes("studies: {s: {sources: '*', figurs: all, seed: -1, measures: {m: {kind: x}}}, t: {}}", logs)
    assert told.startswith("my.yaml has 4 mistakes:")
    assert told.count("\n  - ") == 4


def test_sources_are_looked_at_even_where_the_rest_is_wrong(logs):
    told = mistakes("studies: {s: {sources: nowhere.tgz, figurs: all}, t: {sources: [A.tgz, B.tgz, A.tgz]}, u: 3}", logs)
    assert told.startswith("my.yaml has 4 mistakes:")
    for part in ("studies.s.figurs", "studies.s.sources[1].path", "studies.t.sources[3]", "studies.u: found the number 3"):
        assert part in told


def test_names_from_strangers_become_safe_file_names(logs):
    (logs / "100%_a&b .tgz").touch()
    study = read("studies: {s: {sources: '100*'}}", logs)["s"]
    assert set(study.sources[0].name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
    assert study.sources[0].shown == "100%_a&b .tgz"


def test_tests_suit_the_design(logs):
    def inference(more):
        return read(f"studies: {{s: {{sources: A.tgz, inference: {{{more}}}}}}}", logs)["s"].settings["inference"]

    for made in (inference(""), inference("design: replicated")):
        assert (made["methods"], made["comparisons"]) == (["cluster_permutation"], ["net_wins"])
    assert inference("design: replicated, methods: [anova]")["methods"] == ["anova"]
    told = mistakes("studies: {s: {sources: A.tgz, inference: {stratify: [instance]}, indicators: {quantiles: [erd]}}}", logs)
    assert "inference.stratify: 'instance' is not among the keys of a block" in told
    assert "indicators.quantiles: there is no measure 'erd'" in told


def test_bounds_and_figures_of_tests_have_what_they_need(logs):
    (logs / "bounds.csv").write_text("problem,lower\n")
    study = read("studies: {s: {sources: A.tgz, inference: {normalise: {e2: bounds.csv}}}}", logs)["s"]
    assert study.bounds_table.name == "bounds.csv"
    assert read("studies: {s: {sources: A.tgz}}", logs)["s"].bounds_table is None
    for inference, message in (
        ("normalise: {e1: none.csv}", "inference.normalise.e1: there is no file 'none.csv'"),
        ("normalise: {log: bounds.csv}", "inference.normalise.log: unknown key"),
        ("normalise: {}", "inference.normalise: is empty"),
        ("bounds: bounds.csv, normalise: e2", "bounds: is no key of this version; write `normalise: {e2: bounds.csv}`, or"),
        ("lower: 0", "lower: is no key of this version; write it as `lower` of every problem into a file"),
        ("bayes: [hierarchical]", "inference.bayes[1]: 'hierarchical' is no value of this version; write `cluster_wins`."),
        ("comparisons: [welch]", "inference.comparisons[1]: 'welch' is no value of this version; write `net_wins`, which"),
        ("permutations: 120", "cannot decide anything at the level 0.05, whatever the data; expected 149"),
    ):
        assert message in mistakes(f"studies: {{s: {{sources: A.tgz, inference: {{{inference}}}}}}}", logs)
    for figure, message in (("kind: critical_differences, method: tukey", "the study makes no comparison 'tukey'"),):
        assert message in mistakes(f"studies: {{s: {{sources: A.tgz, figures: [{{{figure}}}]}}}}", logs)


def test_parts_are_one_source_and_a_pattern_leaves_out_what_an_entry_names(logs):
    study = read("studies: {s: {sources: ['*', {parts: [C.zip, 'A.*'], strict: true}]}}", logs)["s"]
    assert [(source.name, [path.name for path in source.paths]) for source in study.sources] == [
        ("B", ["B.tgz"]),
        ("C", ["C.zip", "A.tgz"]),
    ]
    both = study.source("C")
    assert both.shown == "C.zip, A.*"
    assert both.options == {"strict": True}
    assert both.algorithms == ("C", "A")
    study = read("studies: {s: {sources: ['*', {path: B.tgz, algorithm: mine}]}}", logs)["s"]
    assert [(source.name, source.algorithms) for source in study.sources] == [("A", ("A",)), ("C", ("C",)), ("B", ("mine",))]


def test_parts_of_two_formats_are_told(logs, monkeypatch):
    monkeypatch.setattr("tests.study.test_study.look", lambda path, format: Found("ioh" if path.suffix == ".zip" else "coco", []))
    told = mistakes("studies: {s: {sources: {parts: [A.tgz, C.zip]}}}", logs)
    assert "sources[1].parts: the format of 'C.zip' is 'ioh', that of 'A.tgz' 'coco'" in told


def test_parts_in_a_sheet_are_seen_from_it(logs):
    (logs / "sheets").mkdir()
    (logs / "sheets" / "list.yaml").write_text("- {parts: [../A.tgz, ../B.tgz]}\n")
    study = read("studies: {s: {sources: sheets/list.yaml}}", logs)["s"]
    assert [path.resolve().name for path in study.sources[0].paths] == ["A.tgz", "B.tgz"]


def test_algorithms_are_compared_by_the_names_that_the_tables_have(logs):
    schema = {"algorithm": {"type": ["string", "object"]}}

    def study(text):
        return config.read_studies(
            yaml.safe_load(text), [logs], look=look, options_of=lambda _: schema, figures_of=figures_of, where="my.yaml"
        )

    assert study("studies: {s: {sources: [A.tgz, {path: B.tgz, algorithm: {B: C}}]}}")["s"].sources[1].algorithms == ("C",)
    with pytest.raises(UserError, match=r"'A\.tgz' and 'B\.tgz' both hold the algorithm 'A'"):
        study("studies: {s: {sources: [A.tgz, {path: B.tgz, algorithm: {B: A}}]}}")


@pytest.mark.parametrize("kind", beside.toml(validation.__file__)["figures"])
def test_a_kind_of_figure_that_is_gone_is_refused_with_what_to_write_instead(logs, kind):
    text = f"studies: {{s: {{sources: A.tgz, figures: [{{kind: {kind}, scale: linear}}]}}}}"
    assert f"studies.s.figures[1].kind: '{kind}' is no value of this version; " in mistakes(text, logs)
    by_name = mistakes(f"studies: {{s: {{sources: A.tgz, figures: [{kind}_ert]}}}}", logs)
    assert f"studies.s.figures: '{kind}_ert' is no value of this version; " in by_name
    assert kind not in KINDS


@pytest.mark.parametrize(
    ("indicators", "key", "advice"),
    [
        ("{intervals: {level: 0.9}}", "intervals", "write its `level` as `indicators.level`."),
        ("{summary: {intervals: {level: 0.9}}}", "summary.intervals", "write its `level` as `indicators.level`."),
        ("{kaplan_meier: {level: 0.9}}", "kaplan_meier.level", "write it once, as `indicators.level`."),
        ("{ecdf: {bands: true, level: 0.9}}", "ecdf.level", "write it once, as `indicators.level`."),
        ("{ecdf: {area: {to: 9}}}", "ecdf.area", "write its `to` as `indicators.ecdf.area_to`; areas begin at 1."),
        ("{attainment: {value_from: 1}}", "attainment.value_from", "write both as `between: [1.0e-8, 100]`."),
        ("{common_budget: 100}", "common_budget", "write `budget_rule: {common: ...}`."),
        ("{ert: {targets: [1]}}", "ert", "write its `targets` as a measure: `measures: {more: {kind: fixed_target, "),
        (
            "{values: {budgets: [1]}}",
            "values",
            "write its `budgets` as a measure: `measures: {more: {kind: fixed_budget, ",
        ),
        ("{value_ecdf: {aggregate: []}}", "value_ecdf", "write its `aggregate` into `indicators.ecdf.aggregate`, which"),
        ("{ecdf: {scale: distance}}", "ecdf.scale", "write it once, as `indicators.scale`."),
        ("{attainment: {scale: distance}}", "attainment.scale", "write it once, as `indicators.scale`."),
        ("{densities: {log: true}}", "densities.log", "leave it out: densities are of the costs as they are."),
        ("{densities: {points: 9}}", "densities.points", "leave it out: an estimate has 64 points"),
        ("{target_sets: {few: {kind: all}}}", "target_sets", "list the targets in `indicators.ecdf.targets`."),
        ("{ecdf: {target_set: few}}", "ecdf.target_set", "list the targets in `indicators.ecdf.targets`."),
    ],
)
def test_what_indicators_had_and_have_no_more_is_told_with_what_to_write(logs, indicators, key, advice):
    told = mistakes(f"studies: {{s: {{sources: A.tgz, indicators: {indicators}}}}}", logs)
    assert f"studies.s.indicators.{key}: is no key of this version; {advice}" in told


@pytest.mark.parametrize(
    ("section", "key", "advice"),
    [
        (
            "measures: {m: {kind: given, title: x}}",
            "measures.m.title",
            "write it as `label`, which stands on axes and in captions.",
        ),
        ("appearance: {columnwidth: 252pt}", "appearance.columnwidth", "write it into `paper`: `{column: 252pt, text: 516pt}`."),
        ("appearance: {textwidth: 516pt}", "appearance.textwidth", "write it into `paper`: `{column: 252pt, text: 516pt}`."),
        (
            "measures: {m: {kind: feasible_rate, aggregate: success_performance}}",
            "measures.m.aggregate",
            "leave it out: a rate becomes the cost 1 / rate",
        ),
        ("measures: {m: {kind: given, reciprocal: true}}", "measures.m.reciprocal", "write `quantity: rate`."),
        (
            "inference: {replicates: subsample}",
            "inference.replicates",
            "write `unbalanced: [subsample]` for `subsample`; for one",
        ),
        ("inference: {incomplete: drop}", "inference.incomplete", "write `unbalanced: [drop]` for `drop`; by default it is"),
        ("primary: {shift: 1}", "primary.shift", "write it as `mean_shift` of the measure."),
        (
            "profiles: [{variant: data, problems: [f1]}]",
            "profiles[1].problems",
            "write `groups: {name of the group: [problems]}`.",
        ),
        (
            "profiles: [{variant: data, of_group: few}]",
            "profiles[1].of_group",
            "write `groups: {name of the group: [problems]}`.",
        ),
        ("profiles: [{variant: probabilistic, epsilon: 0.1}]", "profiles[1].epsilon", "leave it out: tau* is where a smooth"),
        (
            "measures: {m: {kind: fixed_budget, budgets: [9], per_dimension: false}}",
            "measures.m.per_dimension",
            "leave it out: `budgets: [100]` are multiples of the dimension, `budgets: {evaluations: [1000]}` evaluations.",
        ),
        (
            "competition: {budget: 9, budget_per_dimension: true}",
            "competition.budget_per_dimension",
            "write `budget: {per_dimension: 1000}`.",
        ),
        ("inference: {error: cells}", "inference.error", "leave it out, or compare by `tukey_cells` or `tukey_interaction`."),
        ("inference: {epsilon: 0.1}", "inference.epsilon", "leave it out: the tolerance of `permutation_published` is 0.02."),
        *(
            (f"figures: [{{kind: profile, {key}: x}}]", f"figures[1].{key}", "write it into `appearance` of the figure")
            for key in ("width", "highlight", "others", "labels")
        ),
        (
            "profiles: [{variant: nested, bands: both, level: 0.9}]",
            "profiles[1].level",
            "write it once, as `indicators.level`.",
        ),
    ],
)
def test_what_a_study_had_and_has_no_more_is_told_with_what_to_write(logs, section, key, advice):
    assert f"studies.s.{key}: is no key of this version; {advice}" in mistakes(
        f"studies: {{s: {{sources: A.tgz, {section}}}}}", logs
    )


def test_the_description_of_a_deposit_is_its_own(logs):
    told = mistakes("{deposit: {description: x}, studies: {s: {sources: [A.tgz]}}}", logs)
    assert "deposit.description: is no key of this version; leave it out: a deposit says which studies it holds" in told


def test_bands_that_were_a_mapping_are_refused(logs):
    told = mistakes("studies: {s: {sources: A.tgz, profiles: [{variant: nested, bands: {resample: runs}}]}}", logs)
    assert "profiles[1].bands: {'resample': 'runs'} is no value of this version; write what is drawn again, `bands: runs`" in told
    told = mistakes("studies: {s: {sources: A.tgz, indicators: {ecdf: {bands: {}}}}}", logs)
    assert "studies.s.indicators.ecdf.bands: {} is no value of this version; write `bands: true`." in told


def test_rows_and_columns_of_a_figure_are_refused(logs):
    text = "studies: {s: {sources: A.tgz, figures: [{kind: ecdf, rows: group, columns: dimension}]}}"
    for word in ("rows", "columns"):
        assert f"studies.s.figures[1].{word}: is no key of this version; leave it out" in mistakes(text, logs)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('{columns: {problem: ""}}', ".columns.problem: is empty, expected at least one entry."),
        ("{columns: {problem: 3}}", ".columns.problem: found the number 3, expected text or a list of texts."),
        ("{columns: {problem: [a, 3]}}", ".columns.problem[2]: found the number 3, expected text."),
        ("{wide: columns}", ".wide: found 'columns'. Allowed: suite, problem, dimension, instance, algorithm, run, evaluations."),
        ("{wide: {keys: problem}}", ".wide.keys: unknown key of the format 'table'; did you mean 'key'?"),
        ("{budget: 60}", ".budget: no key of the format 'table', but a column; name it in `columns` ({budget: ...}), or, where"),
        ("{algorithm: 5}", ".algorithm: found the number 5, expected text or a mapping."),
        ("{algorithm: {}}", ".algorithm: is empty, expected at least one entry."),
    ],
)
def test_a_mistake_in_an_option_with_alternatives_is_named(tmp_path, entry, told):
    (tmp_path / "t.csv").write_text("algorithm,problem,cost\nA,f,1\n")
    with pytest.raises(UserError) as error:
        config.read_studies(
            {"studies": {"s": {"sources": {"path": "t.csv", **yaml.safe_load(entry)}}}},
            [tmp_path],
            look=readers.sniff,
            options_of=lambda name: readers.options_schema(name)["properties"],
            figures_of=figures_of,
        )
    assert f"studies.s.sources[1]{told}" in str(error.value)


def test_what_is_advised_about_a_measure_that_the_study_has_not_named_works(logs):
    """The measure is gone when the message's advice is followed, and the study's own are there."""
    text = "studies: {s: {sources: A.tgz, measures: {v: {kind: fixed_budget, budgets: [5]}}, indicators: %s}}"
    assert set(read(text % "{ecdf: {aggregate: [target]}}", logs)["s"].measures) == {"v", config.ECDF_MEASURE}
    (changed,) = re.findall(r"`indicators: (.*)`", config.WITHOUT)
    assert set(read(text % changed, logs)["s"].measures) == {"v"}


def test_a_measure_that_is_only_described_is_compared_nowhere(logs):
    measures = "{more: {kind: fixed_target, targets: [1], described: true}, ert: {kind: fixed_target}}"
    text = f"studies: {{s: {{sources: A.tgz, measures: {measures}, %s}}}}"
    study = read(text % "title: T", logs)["s"]
    assert study.measures_for("indicators") == ["more", "ert"]
    assert study.measures_for("profiles") == study.measures_for("inference") == ["ert"]
    assert study.primary_measure == "ert"
    for wanted, told in (
        ("primary: {measure: more}", "primary.measure: there is no measure 'more'"),
        ("claims: [A best on more]", "claims[1]: there is no measure 'more'"),
        ("profiles: [{variant: dolan_more, measures: [more]}]", "profiles[1].measures: found 'more'"),
        ("figures: [{kind: scatter, measures: [more]}]", "scatter_more: there is no measure 'more'"),
    ):
        assert told in mistakes(text % wanted, logs)
    told = mistakes("studies: {s: {sources: A.tgz, measures: {m: {kind: fixed_target, described: true}}}}", logs)
    assert "studies.s.measures: all are `described`; leave that out of one to compare." in told


def test_claims_are_read_before_anything_runs(logs):
    text = "studies: {s: {sources: A.tgz, claims: [A better than B, A worse than B, A best on eart, A as good as B within 5 %]}}"
    told = mistakes(text, logs)
    assert "studies.s.claims[2]: 'A worse than B' is no claim that can be read" in told
    assert "studies.s.claims[3]: there is no measure 'eart'; did you mean 'ert'?" in told
    assert "claims[1]" not in told
    drawn = mistakes("studies: {s: {sources: A.tgz, claims: [A worse than B], figures: [{kind: specification_curve}]}}", logs)
    assert "studies.s.claims: 'A worse than B' is no claim that can be read" in drawn
    assert "claims[4]" not in told
    told = mistakes("studies: {s: {sources: A.tgz, not_competing: [G], claims: [A better than B, A better than G]}}", logs)
    assert "studies.s.claims[2]: 'G' is in `not_competing`, so nothing is claimed of it" in told
    assert "claims[1]" not in told
    claims = (
        "[A better than B, 'A  better than  B on ert', B better than A, A as good as B within 5 %, A as good as B within 6 %]"
    )
    told = mistakes(f"studies: {{s: {{sources: A.tgz, claims: {claims}}}}}", logs)
    assert told.split("\n")[1:] == ["  - studies.s.claims[2]: it says what claims[1] says; leave one of them out."]
    text = "studies: {s: {sources: A.tgz, measures: {a: {kind: given}, b: {kind: given}}, claims: %s}}"
    measures = [read(text % claims, logs)["s"].claimed_measures for claims in ("[x best on b, x best]", "null", "[]")]
    assert measures == [["b", "a"], ["a"], []]


def test_a_primary_measure_is_one_of_the_study(logs):
    text = "studies: {s: {sources: A.tgz, primary: {measure: erd}}}"
    assert "primary.measure: there is no measure 'erd'" in mistakes(text, logs)
    text = "studies: {s: {sources: A.tgz, measures: {ert: {kind: fixed_target, targets: [10, 0.1]}}, primary: {%s}}}"
    assert "primary.targets: found 1, expected some of the measure 'ert' (10, 0.1)." in mistakes(text % "targets: [1]", logs)
    told = mistakes(text % "criterion: auc_lag", logs)
    assert "primary.criterion: found 'auc_lag'; did you mean 'auc_log'?" in told
    told = mistakes(text % "criterion: mean_rate", logs)
    assert "primary.criterion: mean_rate needs rates, and the measure 'ert' is of kind fixed_target" in told
    told = mistakes(text % "family: control", logs)
    assert "primary.family: is no key of this version; leave it out: the analysis is of the pairs with the `control`" in told
    study = read(text % "criterion: rho_1, targets: [10]", logs)["s"]
    assert study.primary == Primary(targets=[10], criterion="rho_1")
    told = mistakes(text % "margin: 100, margin_of: share_of_wins", logs)
    assert "primary.margin_of: is no key of this version; leave it out: a margin is of ratios of costs." in told
    shifted = "studies: {s: {sources: A.tgz, primary: {margin: 5}, claims: [A as good as B within 5 %], measures: %s}}"
    told = mistakes(shifted.replace("%s", "{m: {kind: given, shift: 1}}"), logs)
    assert [told.count(f"{key}: the measure has a `shift`") for key in ("primary.margin", "claims[1]")] == [1, 1]
    settings = read("studies: {s: {sources: A.tgz, control: Ours}}", logs)["s"].settings
    assert (settings["control"], settings["cluster_keys"]) == ("Ours", ["suite", "family"])
    told = mistakes("studies: {s: {sources: A.tgz, control: Ours, not_competing: [Ours]}}", logs)
    assert "studies.s.control: 'Ours' is in `not_competing`, so nothing is compared with it; name an algorithm" in told


def test_algorithms_of_a_study_count_by_its_names(logs):
    study = read("studies: {s: {sources: '*', algorithms: {except: [B], rename: {C: Cat}}}}", logs)["s"]
    assert [source.algorithms for source in study.sources] == [("A",), (), ("Cat",)]
    assert study.settings["algorithms"] == {"only": None, "except": ["B"], "rename": {"C": "Cat"}}
    told = mistakes("studies: {s: {sources: '*', algorithms: {rename: {A: X, B: X}, only: [A], except: [A]}}}", logs)
    assert "algorithms.rename: 'A', 'B' are all called 'X'" in told
    assert "'A' stands in both `only` and `except`" in told
    # one that takes the name of another source's
    assert "both hold the algorithm 'B'" in mistakes("studies: {s: {sources: '*', algorithms: {rename: {A: B}}}}", logs)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("[separable]", ["f1–f5, separable"]), ('["f6–f9, low or moderate conditioning"]', ["f6–f9, low or moderate conditioning"])],
)
def test_the_groups_of_a_figure_are_named_by_their_labels_or_by_their_words(logs, asked, meant):
    figures = f"[{{kind: ecdf, aggregation: group, groups: {asked}}}]"
    text = f"studies: {{s: {{sources: '*', indicators: {{ecdf: {{groups: bbob, aggregate: [group]}}}}, figures: {figures}}}}}"
    assert read(text, logs)["s"].asked_figures["ecdf"]["groups"] == meant
    told = mistakes(text.replace(asked, "[separate, separable]"), logs)
    assert "studies.s.figures: ecdf: groups: there is no group 'separate'" in told
    assert "'separable'" not in told


def test_attributes_stand_where_groups_and_strata_do(logs):
    (logs / "p.table").write_text("problem,class,size\nf1,large,3\nf2,small,\nf10,large,5\n", "utf-8")
    text = """
    studies:
      s:
        sources: '*.tgz'
        attributes: {problems: p.table}
        where: {size: {not: 3}}
        profiles: [dolan_more, {variant: nested, groups: class}, {variant: nested, groups: {easy: [f1, f3]}},
                   {variant: nested, name: mine, groups: {small: [f2]}}]
        indicators: {ecdf: {groups: class, aggregate: [group]}}
        inference: {stratify: [class]}
    """
    study = read(text, logs)["s"]
    by_class = {"large": ["f1", "f10"], "small": ["f2"]}
    assert study.problem_groups["class"] == by_class
    assert {name: variant["groups"] for name, variant in study.variants.items()} == {
        "dolan_more": None,
        "nested_class_large": {"class large": ["f10"]},
        "nested_class_small": {"class small": ["f2"]},
        "nested_easy": {"easy": ["f1", "f3"]},
        "mine": {"small": ["f2"]},
    }
    # problems of which an attribute tells may be those of other studies
    listed = {name: jobs.listed_groups(jobs.Job({"s": study}, logs, {"study": "s", "variant": name})) for name in study.variants}
    assert listed["nested_class_large"] == {"class large": []}
    assert listed["nested_easy"] == {"easy": ["f3"]}
    assert study.settings["indicators"]["ecdf"]["groups"] == {"class": {"large": ["f10"], "small": ["f2"]}}
    assert study.inference["stratify"] == [{"class": {"f1": "large", "f2": "small", "f10": "large"}}]
    assert study.taken["where"] == {"size": {"not": 3}}
    # readers are given the values that decide, and of others who has one
    given = study.taken["attributes"]["problem"]
    assert given == {"size": {"f1": "3", "f10": "5"}, "class": {"f1": "", "f2": "", "f10": ""}}
    # what is written out is read again as the same
    again = config.read_studies(
        {"studies": {"s": study.settings}}, [logs], look=look, options_of=options_of, figures_of=figures_of
    )
    assert again["s"].settings == study.settings


@pytest.mark.parametrize(("where", "groups"), [("{class: small}", ["small"]), ("{size: {not: [3, 5]}}", ["small"])])
def test_groups_of_which_nothing_is_taken_are_none(logs, where, groups):
    (logs / "p.table").write_text("problem,class,size\nf1,large,3\nf2,small,\nf10,large,5\n", "utf-8")
    text = f"""
    studies:
      s:
        sources: '*.tgz'
        attributes: {{problems: p.table}}
        where: {where}
        profiles: [{{variant: nested, groups: class}}]
    """
    assert [*read(text, logs)["s"].variants] == [f"nested_class_{name}" for name in groups]


def test_attributes_that_are_not_there_are_told(logs):
    (logs / "p.table").write_text("problem,class\nf1,large\n", "utf-8")
    (logs / "a.table").write_text("algorithm,class\nA,free\n", "utf-8")
    text = """
    studies:
      s:
        sources: '*.tgz'
        attributes: {problems: p.table, algorithms: a.table}
        where: {clas: large}
        profiles: [{variant: nested, groups: classes}]
        inference: {stratify: [clazz]}
        indicators: {summary: {by: classs}}
    """
    told = mistakes(text, logs)
    assert "indicators.summary.by: there is no key or attribute of problems 'classs'; did you mean 'class'" in told
    assert "attributes: both tables have a column 'class'" in told
    assert "where: there is no attribute 'clas'; did you mean 'class'" in told
    assert "profiles[1].groups: there are no groups 'classes'; did you mean 'class'" in told
    assert "inference.stratify: 'clazz' is not among the keys of a block" in told
    (logs / "a.table").write_text("algorithm,licence\nA,free\n", "utf-8")
    told = mistakes("studies: {s: {sources: '*.tgz', attributes: {algorithms: a.table}, where: {licence: fre}}}", logs)
    assert "which is no value of 'licence'; did you mean 'free'" in told
    assert "best_known: there is no file 'k.csv'" in mistakes("studies: {s: {sources: '*.tgz', best_known: k.csv}}", logs)
    assert "there is no file 'b.csv'" in mistakes("studies: {s: {sources: '*.tgz', attributes: {problems: b.csv}}}", logs)


def test_tables_to_order_name_a_table_of_the_study_and_have_names_of_their_own(logs):
    measures = "measures: {ert: {kind: fixed_target, targets: [1]}}"
    order = "studies: {{s: {{sources: [A.tgz], {}, tables: [{}]}}}}".format
    good = "{table: ert_ert, name: a, layout: blocks}"
    assert read(order(measures, good), logs)["s"].settings["tables"][0]["layout"] == "blocks"
    assert "tables: a: there is no table 'ert_er'" in mistakes(order(measures, "{table: ert_er, name: a}"), logs)
    assert "give this one another name" in mistakes(order(measures, "{table: ert_ert, name: inventory}"), logs)
    assert "give this one another name" in mistakes(order(measures, f"{good}, {good}"), logs)
    assert "inventory has one layout alone" in mistakes(order(measures, "{table: inventory, name: a, layout: blocks}"), logs)


def test_what_the_environment_and_a_paper_say_themselves_is_told(logs):
    told = mistakes("{archives: {cache: x}, studies: {s: {sources: [A.tgz], date: 2024-02-29}}}", logs)
    assert "archives: is no key of this version; set the variables BENCHMILL_CACHE and BENCHMILL_MIRROR" in told
    assert r"studies.s.date: is no key of this version; write the day into the paper itself, with `\date{...}`." in told


@pytest.mark.parametrize(
    ("setting", "advice"),
    [
        ("eliminated: all", "leave it out: an eliminated algorithm is compared with those that remain and itself"),
        ("stability: false", "leave it out: `changes.md` tells what each algorithm changes"),
        ("points: 9", "leave it out: a smooth curve has 400 points"),
    ],
)
def test_what_profiles_had_and_have_no_more_is_told_with_what_to_do(logs, setting, advice):
    profile = f"{{variant: nested, {setting}}}"
    told = mistakes(f"studies: {{s: {{sources: [A.tgz], measures: {{m: {{kind: given}}}}, profiles: [{profile}]}}}}", logs)
    assert f"is no key of this version; {advice}." in told


def test_a_size_of_problems_is_no_family_of_them(logs):
    (logs / "about.csv").write_text("problem,size,class\n" + "".join(f"p{i},{i},{i % 3}\n" for i in range(20)))
    study = read("studies: {s: {sources: [A.tgz], attributes: {problems: about.csv}}}", logs)["s"]
    assert list(study.problem_groups) == ["class"]
    assert list(study.problem_groups["class"]) == ["0", "1", "2"]


def test_a_mapping_of_snakemake_is_one_in_messages():
    """A configuration in JSON comes as Snakemake has read it."""
    assert [validation.kind_of(one) for one in (OrderedDict(), {}, [], True, 2, None, b"")] == [
        *("a mapping", "a mapping", "a list", "yes/no (true or false)", "the number 2", "nothing", "a bytes")
    ]


def test_labels_of_measures_are_no_labels_of_algorithms(logs):
    text = "studies: {s: {sources: '*', measures: {ert: {kind: fixed_target, targets: [1], label: Effort}}}}"
    study = read(text, logs)["s"]
    for figure in views.figures_of(study).values():
        settings = views.figure_settings(study, figure)
        assert (settings["measure_labels"], settings.get("labels", {})) == ({"ert": "Effort"}, {})
