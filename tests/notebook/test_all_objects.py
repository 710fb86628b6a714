"""All kinds of objects of a notebook at once: values that do not change, shown as TeX, Markdown and HTML; and all options."""

import copy
import dataclasses
import os
import pickle
import shutil
import subprocess
import typing

import matplotlib
import numpy as np
import pandas as pd
import pytest

import benchmill as bm
from benchmill.notebook.objects import Drawn, Result, Shown
from benchmill.notebook.results import Results
from benchmill.registry.figures import KINDS
from benchmill.registry.variants import VARIANTS
from benchmill.versions.comparison import Versions

matplotlib.use("agg")

EVIL = r"\input{x} & <b>$_%"


def stated():
    """Costs of three algorithms on eight problems in two dimensions, of which some fail; one name is markup."""
    rng = np.random.default_rng(3)
    rows = [(a, f"p{p}", 2 + 3 * (p % 2)) for a in (EVIL, "B", "C") for p in range(8)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension"])
    frame["cost"] = np.round(rng.lognormal(0, 1, len(frame)), 2) + 0.01
    frame.loc[[3, 12], "cost"] = np.inf
    return frame


def traces():
    """Improvements of two algorithms on three problems in two dimensions, two runs each."""
    rng = np.random.default_rng(5)
    rows = [
        (a, f"f{p}", d, r, t, float(v))
        for a in ("A", EVIL)
        for p in range(3)
        for d in (2, 5)
        for r in (1, 2)
        for t, v in zip((1, 5, 20), np.sort(rng.uniform(0, 10, 3))[::-1], strict=True)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "run", "evaluations", "value"])


def objects():
    """One of each kind, by name; made anew with every call."""
    costs = bm.costs(stated(), limit=20)
    runs = bm.read(traces(), evaluations="evaluations", value="value")
    targets = bm.costs(runs, targets=[8, 2])
    found = {
        "runs": runs,
        "costs": costs,
        "costs to targets": targets,
        "indicators": bm.indicators(costs),
        "ert": bm.ert(targets),
        "kaplan_meier": bm.kaplan_meier(targets),
        "ecdf": bm.ecdf(runs, targets=[8, 2]),
        "ecdf of values": bm.ecdf(runs, budgets=[2, 10]),
        "summary": bm.summary(costs, brackets=[1]),
        "outcomes": bm.summary(costs, brackets=[1]).outcomes,
        "comparison": bm.compare(costs, permutations=199),
    }
    for variant in VARIANTS.values():
        of = bm.costs(runs, budgets=[10]) if variant.kinds == ("fixed_budget",) else targets
        more = {"pair": ["A", EVIL]} if variant.name == "log_ratio" else {}
        found[variant.name] = bm.profile(of, variant.name, **more)
    return found


OBJECTS, AGAIN = objects(), objects()
DRAWINGS = [(name, kind) for name, thing in OBJECTS.items() if isinstance(thing, Drawn) for kind in thing.kinds]


def kinds_of_objects(base=Shown):
    return {base, *(kind for child in base.__subclasses__() for kind in kinds_of_objects(child))}


def test_every_kind_of_object_is_here():
    there = {type(thing).__name__ for thing in OBJECTS.values()}
    abstract = {"Shown", "Result", "Curves", "Reported"}
    # these are made from files: tests/notebook/test_load.py, test_real_data.py, test_versions.py, tests/costs/test_courses.py
    made = {Results.__name__, "Inspection", "SummaryOfGaps", Versions.__name__}
    assert {kind.__name__ for kind in kinds_of_objects()} - there - abstract == made


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_values(name):
    thing, again = OBJECTS[name], AGAIN[name]
    assert thing == again
    assert thing == copy.deepcopy(thing) == copy.copy(thing) == pickle.loads(pickle.dumps(thing))
    assert [other for other in OBJECTS if OBJECTS[other] == thing] == [name]
    assert thing != 1
    assert repr(thing).count("\n") < 80
    for field in dataclasses.fields(thing):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, field.name, None)
    with pytest.raises(TypeError):
        hash(thing)
    # what it gives away is a copy
    for part in ("frame", "measures", "trials"):
        frame = getattr(thing, part, None)
        if isinstance(frame, pd.DataFrame):
            frame[frame.columns[0]] = None
    if hasattr(thing, "settings"):
        thing.settings["measure"]["name"] = "other"
        thing.settings.clear()
    if hasattr(thing, "reports"):
        thing.reports[0].clear()
    if isinstance(thing, Result):
        with pytest.raises(TypeError):
            thing.data["profiles"] = None
    assert thing == again


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_show_themselves_and_run_nothing(name):
    thing = OBJECTS[name]
    shown = thing._repr_html_()
    assert "<table" in shown
    assert "<b>$" not in shown
    assert "&lt;b&gt;" in shown or name in ("runs", "costs", "costs to targets")
    assert thing.caption
    assert thing.table.title in repr(thing)
    assert thing.to_markdown().count("|") > 6
    assert "<table" in thing.to_html()


def test_tables_of_all_objects_compile(tmp_path):
    if not shutil.which("pdflatex"):
        pytest.skip("needs pdflatex")
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp,amsmath,booktabs,longtable}\begin{document}"
    body = [thing.to_latex() + r"\clearpage" for thing in OBJECTS.values()]
    (tmp_path / "t.tex").write_text("\n".join([head, *body, r"\end{document}"]), "utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "max_print_line": "1000"},
    )
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]


def test_every_object_says_what_is_drawn_of_it():
    there = {kind for _, kind in DRAWINGS}
    # these need tables that only a run makes, single runs, or pairs that change places
    absent = {"convergence", "aocc", "density", "intervals"}
    absent |= {"specification_curve"}
    assert set(KINDS) - there == absent
    for thing in OBJECTS.values():
        if isinstance(thing, Drawn):
            assert thing.usual in thing.kinds


@pytest.mark.parametrize(("name", "kind"), DRAWINGS, ids=str)
def test_figures_of_objects(name, kind):
    thing = OBJECTS[name]
    if (name, kind) == ("indicators", "running_time"):
        # costs that a table states have no target to stand over
        with pytest.raises(bm.UserError, match="the measure 'cost' has none with a target"):
            thing.figure(kind)
        return
    assert thing.figure(kind, width="column").axes
    assert thing.caption_of(kind)


def test_an_ecdf_of_values_is_what_its_definition_says():
    rows = [("A", "f", 2, 1, 8.0), ("A", "f", 2, 6, 0.5), ("B", "f", 2, 5, 9.0), ("B", "f", 2, 8, 2.0)]
    frame = pd.DataFrame(rows, columns=["algorithm", "problem", "dimension", "evaluations", "value"])
    runs = bm.read(frame, evaluations="evaluations", value="value")
    with pytest.warns(UserWarning, match="nothing is recorded of problem f in dimension 2 up to the budget 2"):
        costs = bm.costs(runs, budgets=[2, 4])
    found = bm.ecdf(costs)
    # after 4 and 8 evaluations A has 8 and 0.5; B has nothing yet, and 2
    steps = {
        name: list(zip(own["x"], own["fraction"], strict=True)) for name, own in found.frame.groupby("algorithm", observed=True)
    }
    assert steps == {"A": [(0.5, 0.5), (8.0, 1.0)], "B": [(2.0, 0.5)]}
    assert found.measures.set_index("algorithm")["recorded"].to_dict() == {"A": 1.0, "B": 0.5}
    axes = found.plot(palette={"A": "red", "B": "blue"})
    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines if line.get_label() in ("A", "B")}
    assert [point for point in drawn["A"][1:-1]] == [[0.5, 0.5], [8.0, 1.0]]
    assert drawn["A"][0][1] == 0
    assert drawn["B"][-1][1] == 0.5
    assert axes.get_xscale() == "log"
    assert found.figure().axes
    for call, words in (
        (lambda: bm.ecdf(runs, budgets=[2], targets=[1]), "both targets and budgets are given"),
        (lambda: bm.ecdf(costs, budgets=[2]), "budgets are for runs"),
        (lambda: bm.ecdf(costs, restarts=3), "restarts is for running times"),
        (lambda: bm.ecdf(costs, "target"), "expected one of trial, budget"),
        (lambda: bm.ecdf(bm.costs(stated())), "these are not costs with targets or budgets"),
    ):
        with pytest.raises(bm.UserError) as told:
            call()
        assert words in str(told.value)


def test_where_larger_values_are_better_the_best_is_on_the_left():
    frame = pd.DataFrame({"algorithm": ["A"] * 2 + ["B"] * 2, "x": [9.0, 3.0, 5.0, 1.0], "fraction": [0.5, 1.0, 0.25, 0.5]})
    from benchmill.exhibits.figures.curves import value_ecdf_plot

    axes = value_ecdf_plot(frame)
    left, right = axes.get_xlim()
    assert left > right
    drawn = {line.get_label(): line.get_xydata()[:, 0].tolist() for line in axes.lines if line.get_label() in ("A", "B")}
    assert drawn["A"][1:-1] == [9.0, 3.0]


#: A value of every option of profiles that is not its default.
OPTIONS = {
    "name": ["mine"],
    "by": ["dimension", ["target"]],
    "groups": [{"easy ones": ["f1", "f2"]}],
    "weights": ["dimension", {"f0": 1.0, "f1": 3.0, "f2": 2.0}],
    "tau_max": [3.0],
    "tau_min": [0.5],
    "title": ["Mine"],
    "unsolved": ["drop"],
    "bands": ["both", "problems"],
    "level": [0.8],
    "sd": [1.0, {"A": 1.0, EVIL: 2.0}],
    "waves": [1],
    "failure_ratio": [100.0],
    "pair": [["A", EVIL]],
}
#: What is for configurations alone: the measures that a profile is made of.
OF_CONFIGURATIONS = ("measures",)


def asked():
    """Every variant with every option: those with few values in all of them."""
    for variant in VARIANTS.values():
        options = variant.options
        hints = typing.get_type_hints(options)
        for field in dataclasses.fields(options):
            if field.name in OF_CONFIGURATIONS:
                continue
            choices = [value for value in typing.get_args(hints[field.name]) if isinstance(value, str)]
            for value in choices or OPTIONS[field.name]:
                yield variant.name, field.name, value


@pytest.mark.parametrize(("variant", "option", "value"), list(asked()), ids=str)
def test_every_option_of_every_variant_can_be_asked_for(variant, option, value):
    of = bm.read(traces(), evaluations="evaluations", value="value")
    costs = bm.costs(of, budgets=[10]) if VARIANTS[variant].kinds == ("fixed_budget",) else bm.costs(of, targets=[8, 2])
    more = {"pair": ["A", EVIL]} if variant == "log_ratio" else {}
    if option == "sd":
        more["model"] = "normal"
    found = bm.profile(costs, variant, **{**more, option: value})
    kept = found.settings["profile"][option]
    if option == "by":
        value = [value] if isinstance(value, str) else value
    assert kept == (list(value) if isinstance(value, tuple) else value)
    assert len(found.frame)
