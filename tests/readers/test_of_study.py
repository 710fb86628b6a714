"""What a study takes of its sources: algorithms by name and by attribute, under the names that it gives them."""

import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.costs import costs
from benchmill.profiles.ratios import ratios
from benchmill.readers.selection import OF_STUDY, OfStudy, Selection
from tests.readers.making import Result, block, folder, info

TABLE = "problem,algorithm,cost\n" + "".join(
    f"p{i},{name},{cost + i}\n" for i in (1, 2, 3) for name, cost in (("A", 1), ("B", 10))
)


def load(path, options=None, **taken):
    return readers.load(path, options={**(options or {}), OF_STUDY: taken})


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE + "p1,C,7\n", encoding="utf-8")
    return path


def held(trials):
    return [(row["algorithm"], row["problem"], row["cost"]) for row in trials.to_pylist()]


def test_only_except_and_other_names(table):
    trials, _, report = load(table, algorithms={"only": ["A", "B"], "except": ["B"], "rename": {"A": "Ace"}})
    assert held(trials) == [("Ace", "p1", 2), ("Ace", "p2", 3), ("Ace", "p3", 4)]
    assert trials["trial"].to_pylist() == [0, 1, 2]
    assert report["algorithms"] == ["Ace"]
    assert report["algorithms_in_logs"] == {"A": "Ace", "B": None, "C": None}
    # what is left out is not missing: C has no run on p2 and p3
    assert report["trials"]["missing"] == 0
    assert {i["rule"]: i["count"] for i in report["irregularities"]} == {"not_in_study": 4}


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ({"only": ["Gurobi *"]}, {"Gurobi 7.0 [MIPGap=0]", "Gurobi 7.1"}),
        ({"except": ["* 7.?"]}, {"Gurobi 7.0 [MIPGap=0]", "SCIP"}),
        ({"only": ["Gurobi 7.0 [MIPGap=0]"]}, {"Gurobi 7.0 [MIPGap=0]"}),
        ({"only": ["G*"], "except": ["*=0]"]}, {"Gurobi 7.1"}),
    ],
)
def test_names_may_be_patterns(tmp_path, chosen, left):
    path = tmp_path / "t.csv"
    names = ("Gurobi 7.0 [MIPGap=0]", "Gurobi 7.1", "SCIP")
    path.write_text("problem,algorithm,cost\n" + "".join(f"p{i},{name},{i}\n" for name in names for i in (1, 2)), "utf-8")
    assert {name for name, _, _ in held(load(path, algorithms=chosen)[0])} == left


def test_names_of_the_study_come_after_those_of_the_entry(table):
    trials, _, report = load(table, {"algorithm": {"A": "X"}}, algorithms={"only": ["X"], "rename": {"X": "Y"}})
    assert {name for name, _, _ in held(trials)} == {"Y"}
    assert report["algorithms_in_logs"] == {"B": None, "C": None, "X": "Y"}


@pytest.mark.parametrize(
    ("rename", "expected"),
    [
        ({"*": "my *"}, ["my A", "my B", "my C"]),
        # a name of its own goes before a pattern, and a star in it is one
        ({"A": "A*", "?": "new *"}, ["A*", "new B", "new C"]),
        ({"x*": "y"}, ["A", "B", "C"]),
    ],
)
def test_patterns_give_names_with_what_their_stars_stand_for(table, rename, expected):
    trials, _, report = load(table, algorithms={"rename": rename})
    assert {name for name, _, _ in held(trials)} == {*expected}
    assert report["algorithms"] == expected


def test_a_source_may_be_left_out_altogether(table):
    trials, traces, report = load(table, algorithms={"only": ["Z"]})
    assert trials.num_rows == traces.num_rows == 0
    assert (report["algorithms"], report["algorithms_in_logs"]) == ([], dict.fromkeys("ABC"))


def test_two_algorithms_of_a_source_are_not_made_one(table):
    with pytest.raises(UserError, match=r"holds 'A' and 'B', and `algorithms` of the study calls both 'B'"):
        load(table, algorithms={"rename": {"A": "B"}})
    with pytest.raises(UserError, match=r"holds 'A' and 'B', and `algorithms` of the study calls both 'Z'"):
        load(table, algorithms={"rename": {"*": "Z"}})
    # one that is left out takes no name
    trials, _, _ = load(table, algorithms={"except": ["B"], "rename": {"A": "B"}})
    assert {name for name, _, _ in held(trials)} == {"B", "C"}


def test_runs_are_chosen_by_attributes_of_problems_and_algorithms(table):
    said = {"problem": {"size": {"p1": "5", "p2": "6"}}, "algorithm": {"licence": {"Ace": "free", "B": "paid", "C": "free"}}}
    rename = {"rename": {"A": "Ace"}}
    trials, _, report = load(table, algorithms=rename, where={"licence": "free", "size": [5, 7]}, attributes=said)
    assert held(trials) == [("Ace", "p1", 2), ("C", "p1", 7)]
    # what has no value is taken where a value is not wanted, and told
    trials, _, report = load(table, algorithms=rename, where={"size": {"not": 5}}, attributes=said)
    assert held(trials) == [("Ace", "p2", 3), ("B", "p2", 12), ("Ace", "p3", 4), ("B", "p3", 13)]
    (told,) = [i for i in report["irregularities"] if i["rule"] == "attribute_missing"]
    assert told["detail"] == "the problem 'p3' has no size"


def test_traces_follow_their_trials_and_names(tmp_path):
    rows = [(1, 5.0), (20, 0.5)]
    logs = {f"{name}.info": info(1, 2, ["1:20|5.0e-01"], name, data=f"data_{name}/a.dat") for name in ("Ant", "Bee")} | {
        f"data_{name}/a.{kind}": block(1, rows) for name in ("Ant", "Bee") for kind in ("dat", "tdat")
    }
    trials, traces, _ = load(folder(tmp_path / "logs", logs), algorithms={"except": ["Ant"], "rename": {"Bee": "Wasp"}})
    assert trials["algorithm"].to_pylist() == ["Wasp"]
    assert set(traces["algorithm"].to_pylist()) == {"Wasp"}
    assert set(traces["trial"].to_pylist()) == {0}
    assert traces["value"].to_pylist() == [5.0, 0.5]


def test_best_values_known_shift_the_costs_of_each_problem(tmp_path):
    """-142.7 and -4529 on one problem, 0.5 and 0.75 on another: distances of different scales, and ratios of these."""
    (tmp_path / "known.csv").write_text("problem,value,bound,sense\nRC1,-4530,,min\nRC2,0.25,,min\n")
    tables = []
    for name, (first, second) in {"A": (-142.5, 0.5), "B": (-4529.5, 0.75), "C": (-4531, 0.25)}.items():
        rows = [f"{name},RC1,50,{first}", f"{name},RC2,50,{second}"]
        (tmp_path / f"{name}.csv").write_text("algorithm,problem,evaluations,value\n" + "\n".join(rows) + "\n")
        of_study = {"best_known": str(tmp_path / "known.csv")}
        result = Result(tmp_path / f"{name}.csv", tmp_path / name, format="table", direction="min", of_study=of_study)
        assert result.counts().get("better_than_best_known", 0) == (name == "C")
        measure = {"budgets": {"evaluations": [50]}, "scale": "distance", "floor": 0.125}
        tables.append((name, costs("fixed_budget", storage.read(result.files[0], "trials"), [result.traces], "v", measure)))
    rated = ratios(tables, measure="v", problem_keys=["problem"], aggregate="median").to_pylist()
    assert {(row["problem"], row["algorithm"]): row["ratio"] for row in rated} == {
        ("RC1", "A"): 4387.5 / 0.125,
        ("RC1", "B"): 4,
        ("RC1", "C"): 1,
        ("RC2", "A"): 2,
        ("RC2", "B"): 4,
        ("RC2", "C"): 1,
    }


def test_values_of_all_shares_of_a_column_are_known_where_conditions_are_checked():
    chosen = Selection({"a": ["x", 2], "b": {"not": "z"}})
    assert chosen.mask("a", ["x", None, "2.0"]).tolist() == [True, False, True]
    assert chosen.mask("a", ["y"]).tolist() == [False]
    # only the columns that are asked for
    chosen.check("t.csv", ["a"])
    with pytest.raises(UserError, match="`where` names 'z', which is no value of 'b'; it has none"):
        chosen.check("t.csv")
    with pytest.raises(UserError, match="names 'z'"):
        chosen.check("t.csv", ["b"])


@pytest.mark.parametrize(
    ("rename", "expected"),
    [({"*-free": "*"}, "Picat-SAT"), ({"*-*": "* by *"}, "Picat-SAT by free")],
)
def test_a_star_stands_for_all_that_it_fits(rename, expected):
    assert OfStudy({"rename": rename}).called("Picat-SAT-free") == expected
