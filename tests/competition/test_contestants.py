"""What contestants try with runs that the rules cannot see in one entry alone: small tables by hand."""

from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest
import yaml

from benchmill.competition import entries, options
from benchmill.competition import site as competition
from benchmill.core import UserError

CELLS = [("bbob", "f1", 2), ("bbob", "f1", 5), ("bbob", "f2", 2), ("bbob", "f2", 5)]


def gaps(mine, *, missing="failure", theirs=CELLS, aside=(), **given):
    """What is said of the cells of `Mine` beside those of two others: the rule and whether it breaks."""
    rows = [(name, *cell, target) for name, cells in (("Mine", mine), ("A", theirs), ("B", theirs))
            for cell in cells for target in (1.0, 0.1)]  # fmt: skip
    # where what is missing is a failure there is a row for it
    lacking = [("Mine", *cell, target) for cell in theirs if cell not in mine for target in (1.0, 0.1)]
    full = [*rows, *(lacking if missing == "failure" else [])]
    columns = dict(zip(("algorithm", "suite", "problem", "dimension", "target"), zip(*full, strict=True), strict=True))
    tried = [1] * len(rows) + [0] * (len(full) - len(rows))
    table = pa.table({**columns, "instance": pa.nulls(len(full), pa.string()), "n_trials": tried})
    study = SimpleNamespace(settings={"not_competing": aside}, measures={"ert": {"missing": missing}})
    of = SimpleNamespace(study=study, measure="ert", rules=options.Options(**given), ratios={"ert": table})
    return [(one.rule, one.breaks) for one in competition._gaps(of, "Mine")]


@pytest.mark.parametrize(
    ("mine", "more", "expected"),
    [
        (CELLS, {}, []),
        (CELLS, {"missing": "common"}, []),
        (CELLS[:1], {}, [False]),
        (CELLS[:1], {"breaking": ["gaps"]}, [True]),
        (CELLS[:1], {"breaking": ["all"]}, [True]),
        (CELLS[:1], {"breaking": ["all"], "allowed": ["gaps"]}, [False]),
        # one function in one dimension would take the others' pairs from all
        (CELLS[:1], {"missing": "common", "allowed": ["gaps"]}, [True]),
        # problems of its own would be failures of all others, under whatever names
        ([*CELLS, ("bbob", "f9", 2)], {}, [True]),
        ([*CELLS, ("mine", "f1", 2)], {"problems": ["f1", "f2"]}, [True]),
        ([("mine", *cell[1:]) for cell in CELLS], {"problems": ["f1", "f2"]}, [False, True]),
        ([*CELLS, ("bbob", "f9", 2)], {"missing": "common"}, []),
        # what the rules ask for, and nobody else has yet
        ([*CELLS, ("bbob", "f3", 2)], {"problems": ["f1", "f2", "f3"]}, []),
        # the first of all, and one beside those that are only shown
        (CELLS, {"theirs": []}, []),
        (CELLS[:1], {"aside": ["A", "B"], "breaking": ["all"]}, []),
    ],
)
def test_gaps_take_nothing_from_others(mine, more, expected):
    assert gaps(mine, **more) == [("gaps", breaks) for breaks in expected]


def written(tmp_path, measures, **rules):
    folder = tmp_path / "entries" / "mine"
    folder.mkdir(parents=True)
    (folder / "runs.csv").write_text("algorithm,problem,cost\nX,p,1\n")
    (folder / "entry.yaml").write_text(yaml.safe_dump({"name": "Mine", "authors": ["A"], "logs": "runs.csv"}))
    study = {"competition": rules, **({} if measures is None else {"measures": measures})}
    mistakes = []
    entries.enter({}, {"cup": study}, [tmp_path], mistakes)
    return study["measures"], mistakes


@pytest.mark.parametrize("measures", [None, {"ert": {"kind": "fixed_target"}}])
def test_what_an_entry_lacks_is_a_failure_of_its_own(tmp_path, measures):
    found, mistakes = written(tmp_path, measures)
    assert (found, mistakes) == ({"ert": {"kind": "fixed_target", "missing": "failure"}}, [])


def test_common_needs_problems_that_every_entry_has(tmp_path):
    measures = {"ert": {"kind": "fixed_target", "missing": "common"}, "odd": 3}
    found, mistakes = written(tmp_path / "a", measures)
    assert [mistake.split(":")[0] for mistake in mistakes] == ["studies.cup.measures.ert.missing"]
    found, mistakes = written(tmp_path / "b", measures, problems=["f1"])
    assert (found, mistakes) == (measures, [])


def test_a_misspelt_irregularity_breaks_nothing_and_is_refused():
    of = SimpleNamespace(config=Path("config.yaml"), name="cup")
    for names in (["all"], ["gaps", "beyond_optimum", "files_disagree"], []):
        of.rules = options.Options(breaking=names)
        competition._check_breaking(of, "coco")
    of.rules = options.Options(breaking=["files_disagre"])
    with pytest.raises(
        UserError, match="no irregularity 'files_disagre' of the format coco; expected some of after_the_end, all,"
    ):
        competition._check_breaking(of, "coco")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("CMA-ES", "СМА-ЕЅ"),  # Cyrillic
        ("CMA-ES", "cma es"),
        ("CMA-ES", "ＣＭＡ－ＥＳ"),
        ("Müller", "Mu\u0308ller"),
        ("Solver", "So1ver"),
        ("Solver", "S0lver"),
        ("Solver", "Sοlver"),  # Greek
        ("Solver", "Sol\u200bver"),
        ("ABC", "ＡВС"),
    ],
)
def test_names_that_look_alike(name, other):
    assert entries.folded(name) == entries.folded(other)
    assert entries.folded(name) != entries.folded(f"{other}2")
