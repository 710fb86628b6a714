"""What a reader writes of a view elsewhere: an address, a sentence, and lines of `config.yaml` that make the same curves."""

import copy

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml

from benchmill import profiles
from benchmill.page import page
from benchmill.profiles.ratios import ratios
from benchmill.study import validation
from tests.page import explored
from tests.page.explored import rows_of
from tests.page.synthetic import ALGORITHMS


def citation(tab):
    """The parts of the citation: address, sentence, lines."""
    return tab.locator("#explore-citation pre").all_text_contents()


@pytest.mark.parametrize(
    ("choices", "off"),
    [
        ("measure=ert&variant=dolan_more&dimension=5&functions=group:f1–f5, separable", ["PSO", "DE"]),
        ("measure=ert&variant=dolan_more&point=target:0.001&axis=linear", []),
        ("measure=strict&variant=cut", ["DE"]),
        ("measure=quality&variant=by_dimension&dimension=20", []),
        ("measure=ert&variant=weighted&functions=problem:f4", []),
    ],
)
def test_the_lines_of_the_configuration_make_the_same_curves(visit, studies, tmp_path, choices, off):
    address = f"#explore?{choices}" + "".join(f"&off={name}" for name in off)
    tab = visit(address, fresh=True)
    link, sentence, text = citation(tab)
    assert link == tab.evaluate("location.href.replace(/#.*/, '') + addressOf(study())")
    assert page.__version__ in sentence
    assert "Study plain" in sentence
    assert all(name in sentence for name in off)
    asked = yaml.safe_load(text)
    # a configuration of the study with these lines is one
    config = copy.deepcopy(studies[0]["config"])
    known = [p["name"] for p in config["profiles"]]
    whole = {"sources": [{"path": "logs"}], **{key: config[key] for key in ("measures", "profiles")}}
    whole["profiles"] = [*whole["profiles"], *asked.get("profiles", [])]
    whole |= {"figures": asked["figures"], "algorithms": asked.get("algorithms", {})}
    assert validation.mistakes_of({"studies": {"plain": whole}}, validation.schema()) == []
    # and what the workflow makes of it are the curves of the view
    (figure,) = asked["figures"]
    (variant,) = figure["variants"]
    assert (variant in known) == ("profiles" not in asked)
    made_by = next(p for p in whole["profiles"] if p["name"] == variant)
    (measure,) = figure["measures"]
    left = [name for name in ALGORITHMS if name not in asked.get("algorithms", {}).get("except", [])]
    assert len(left) == len(ALGORITHMS) - len(off)
    costs = explored.costs_of(measure, ALGORITHMS)
    costs = costs.filter(pc.is_in(costs["algorithm"].cast("string"), value_set=pa.array(left)))
    settings = explored.MEASURES[measure]
    table = ratios(costs, measure=measure, aggregate=settings["aggregate"], missing=settings["missing"])
    made_by = {**made_by, "measure": measure}
    made_by.pop("measures", None)
    rows = profiles.fit(table, **made_by).profiles.to_pylist()
    for column, key in (("dimension", "dimensions"), ("target", "targets")):
        if key in figure:
            rows = [row for row in rows if row[column] in figure[key]]
    found = sorted((row["algorithm"], float(row["tau"]), float(row["rho"])) for row in rows_of(tab, "Curves", tmp_path))
    expected = sorted((row["algorithm"], row["tau"], row["rho"]) for row in rows)
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], rel=1e-12)


def test_a_view_that_no_figure_shows_says_so(visit):
    for address in ("view=problems", "view=profile&measure=quality&point=budget:10"):
        assert citation(visit(f"#explore?{address}", fresh=True))[2] == "# No figure of the paper shows just this view."


def test_hostile_names_are_text_in_yaml(visit):
    tab = visit("#explore?study=hostile&measure=ert", fresh=True)
    tab.locator("#explore-solvers input").nth(1).uncheck()
    tab.locator("#explore-solvers input").nth(3).uncheck()
    off = [tab.evaluate(f"study().algorithms[{i}].name") for i in (1, 3)]
    assert yaml.safe_load(citation(tab)[2])["algorithms"] == {"except": off}


def test_a_renamed_solver_is_named_as_its_source_does(studies):
    from benchmill.page import explorer

    config = {**studies[0]["config"], "algorithms": {"rename": {"old": "DE"}}}
    (found,) = explored.unpacked(explorer.payload([{**studies[0], "config": config}]))[0]["studies"]
    assert {a["name"]: a["source"] for a in found["algorithms"]} == {name: name for name in ALGORITHMS} | {"DE": "old"}
