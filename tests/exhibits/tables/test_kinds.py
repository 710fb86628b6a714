"""Each kind of table shows the values it is made from, and marks the best and the missing rightly."""

import math

import pyarrow as pa
import pytest

from benchmill.core import UserError, schema
from benchmill.exhibits.tables import KINDS, build, leader, numbers, summary, verdict
from benchmill.profiles import all_tables
from benchmill.profiles.options import Options
from benchmill.profiles.ratios import ratios as rate
from benchmill.profiles.standings import leaders, standings
from benchmill.text import display
from tests.costs.making import cost_rows, matrix_costs
from tests.page import synthetic

QUANTILES = [f"q{q:02d}" for q in (2, 5, 10, 25, 50, 75, 90, 95, 98)]


def indicators(rows):
    """Rows of (problem, target, algorithm, ert, successes, trials)."""
    made = [
        {
            "measure": "ert",
            "problem": problem,
            "dimension": 5,
            "target": target,
            "algorithm": algorithm,
            "ert": ert,
            "success_rate": s / n,
            "n_trials": n,
            "n_successes": s,
            "n_instances": n,
            "n_missing": 0,
            "n_ill_finalised": 0,
            **dict.fromkeys(["mean", "median", *QUANTILES], 1.0),
        }
        for problem, target, algorithm, ert, s, n in rows
    ]
    return schema.table("indicators", {key: [row[key] for row in made] for key in made[0]})


def texts(table):
    return [[cell.text for cell in row] for section in table.sections for row in section.rows]


def best(table):
    return [[cell.best for cell in row] for section in table.sections for row in section.rows]


def ert(rows, **more):
    return build("ert", {"indicators": indicators(rows)}, {"measure": {"name": "ert"}, **more})


def test_problems_whose_names_are_cut_stay_apart():
    names = [f"an_instance_of_many_{letter}_letters_and_ends" for letter in "ab"] + [
        "abcdefghijklmnopq1rstuvwxyzab",
        "abcdefghijklmnopq2rstuvwxyzab",
    ]
    table = ert([(name, 1.0, "A", 100.0, 15, 15) for name in names])
    assert len({row[0] for row in texts(table)}) == 4


def test_ert_by_hand():
    table = ert(
        [
            ("f10", 1.0, "B", 100.0, 15, 15),
            ("f10", 1.0, "A", 100.0, 15, 15),
            ("f2", 1.0, "A", 12345.0, 12, 15),
            ("f2", 1.0, "B", math.inf, 0, 15),
            ("f2", 1e-8, "A", math.inf, 0, 15),
            ("f2", 1e-8, "B", math.inf, 0, 15),
            ("f3", 1.0, "A", 5.0, 3, 3),
        ]
    )
    assert [column.header for column in table.columns] == ["problem", "target", "A", "B"]
    assert texts(table) == [
        ["f2", "1", "1.23×10⁴ (12/15)", "∞ (0/15)"],
        ["f2", "10⁻⁸", "∞ (0/15)", "∞ (0/15)"],
        ["f3", "1", "5.00", "–"],  # no trial at all is not a failure
        ["f10", "1", "100", "100"],
    ]
    assert best(table) == [
        [False, False, True, False],
        [False, False, False, False],  # solved by none: no best
        [False, False, True, False],
        [False, False, True, True],  # ties are both best
    ]
    assert table.sections[0].heading == "dimension 5"


def test_ert_judges_the_best_on_unrounded_values():
    table = ert([("f1", 1.0, "A", 100.04, 5, 5), ("f1", 1.0, "B", 100.01, 5, 5)])
    assert texts(table) == [["f1", "1", "100", "100"]]
    assert best(table) == [[False, False, False, True]]


def test_ert_shows_first_middle_and_last_target_unless_told():
    rows = [("f1", t, "A", 1.0, 1, 1) for t in (10.0, 1.0, 0.1, 1e-3, 1e-5, 1e-7)]
    assert [r[1] for r in texts(ert(rows))] == ["10", "10⁻³", "10⁻⁷"]
    assert "3 of 6 targets" in ert(rows).caption
    chosen = ert(rows, asked={"table": "ert_ert", "name": "mine", "targets": [1.0, 1e-5]})
    assert [r[1] for r in texts(chosen)] == ["1", "10⁻⁵"]


def test_an_expected_running_time_that_is_not_known_is_a_dash_that_the_caption_explains():
    unknown = ert([("f1", None, "A", 5.0, 3, 3), ("f1", None, "B", None, 1, 3)])
    assert texts(unknown)[0][1:] == ["5.00", "– (1/3)"]
    assert "what a failure spent is not known" in unknown.caption
    assert "evaluations" not in unknown.caption


def test_an_algorithm_that_was_stopped_sooner_is_said_first():
    rows = [
        ("f1", 1.0, "A", math.inf, 0, 5),
        ("f1", 1.0, "B", 500.0, 5, 5),
        ("f2", 1.0, "A", 5.0, 5, 5),
        ("f2", 1.0, "B", 6.0, 5, 5),
    ]
    told = (
        "Budgets differ: on 1 of 2 rows runs of A were stopped before another algorithm succeeded, and count as worse there, "
        "perhaps wrongly. Expected running time"
    )
    made = indicators(rows)
    # an expected running time may be longer than any run
    for spent, longest, said in ((100.0, 400.0, True), (100.0, 100.0, False), (400.0, 400.0, False)):
        own = {"failure_budget": [spent, None, None, None], "q98_successful": [None, longest, 5.0, 6.0]}
        data = schema.replaced(made, **{name: pa.array(values) for name, values in own.items()})
        caption = build("ert", {"indicators": data}, {"measure": {"name": "ert"}}).caption
        assert caption.startswith(told) == said
        # no budget stopped a run that crashed
        crashed = schema.replaced(data, crashed=pa.array([True, None, None, None]))
        assert "Budgets differ" not in build("ert", {"indicators": crashed}, {"measure": {"name": "ert"}}).caption


def test_a_star_says_that_the_best_is_better_than_every_other():
    indicated = indicators([(p, 1.0, a, e, 5, 5) for p in ("f1", "f2") for a, e in (("A", 10.0), ("B", 20.0), ("C", 30.0))])
    tests = [("f1", "B", 1e-3), ("f1", "C", 2e-4), ("f2", "B", 0.06), ("f2", "C", 1e-9)]
    tested = schema.table(
        "rank_sums",
        {
            "measure": ["ert"] * 4,
            "problem": [p for p, _, _ in tests],
            "dimension": [5] * 4,
            "target": [1.0] * 4,
            "algorithm": [a for _, a, _ in tests],
            "best": ["A"] * 4,
            "ahead": [1.0] * 4,
            "p": [p / 2 for _, _, p in tests],
            "p_adjusted": [p for _, _, p in tests],
            "n_cells": [2] * 4,
            "alpha": [0.05] * 4,
            "significant": [p <= 0.05 for _, _, p in tests],
        },
    )
    table = build("ert", {"indicators": indicated, "rank_sums": tested}, {"measure": {"name": "ert"}})
    assert texts(table) == [["f1", "1", "10.0*³", "20.0", "30.0"], ["f2", "1", "10.0", "20.0", "30.0"]]
    assert "at most 0.05" in table.caption
    none = tested.set_column(tested.column_names.index("significant"), "significant", pa.array([False] * 4))
    table = build("ert", {"indicators": indicated, "rank_sums": none}, {"measure": {"name": "ert"}})
    assert texts(table) == [["f1", "1", "10.0", "20.0", "30.0"], ["f2", "1", "10.0", "20.0", "30.0"]]
    assert "star" not in ert([("f1", 1.0, "A", 5.0, 3, 3)]).caption
    # of algorithms that are not shown to differ none is better than all others
    for differ, stars in ((True, 1), (False, 0)):
        said = make_verdicts({"method": "cluster_permutation", "significant": differ, "text": ""})
        table = build("ert", {"indicators": indicated, "rank_sums": tested, "verdicts": said}, {"measure": {"name": "ert"}})
        assert sum("*" in text for row in texts(table) for text in row) == stars
        assert ("No cell has a star, since the primary analysis does not show" in table.caption) != differ


@pytest.fixture(scope="module")
def data():
    return {
        **synthetic.tables(n_problems=6),
        "ingest": synthetic.reports(),
        "origins": {"profiles/ert/dolan_more.parquet": {"version": "9.9", "inputs": {"ratios/ert.parquet": "ab" * 32}}},
    }


SETTINGS = {"measure": {"name": "ert"}, "profile": {"name": "dolan_more"}, "config": {"title": "x"}}


def test_all_kinds_have_different_names_and_something_to_say(data):
    costs = cost_rows([{"algorithm": "A", "cost": 3.0}], "ert")
    equal = statement("A", "B", 0.01, True) | {"analysis": "equivalence", "criterion": "ratio of costs", "margin": 5.0}
    stated = pa.concat_tables([data["verdicts"], make_verdicts(equal)])
    tables = [build(kind, {**data, "costs": costs, "verdicts": stated}, SETTINGS) for kind in KINDS]
    assert len({table.name for table in tables}) == len(KINDS)
    for table in tables:
        assert table.title
        assert table.caption
        assert table.n_rows
        assert {len(row) for section in table.sections for row in section.rows} == {len(table.columns)}
    with pytest.raises(UserError, match="no kind 'pie'"):
        build("pie", data, SETTINGS)


def test_standings_by_hand():
    costs = matrix_costs([[1.0, 1, 2, math.inf], [2, 3, 6, 1], [4, 2, 2, 2]], "ert")
    ratios = rate(costs, measure="ert", aggregate="mean")
    measures = all_tables(ratios, costs, measure="ert")["profile_measures"]
    ranked = standings(measures, {"ert": ratios}, options=Options())
    table = build("standings", {"standings": ranked}, SETTINGS)
    # wins repeat rho(1), R repeats tau*, and a rank sum over one measure its ranks: none is shown
    assert [column.header for column in table.columns] == [
        "algorithm",
        "log AUC",
        "AUC",
        "ρ(1)",
        "ρ(τ_max)",
        "ρ(τ_max), τ*",
        "τ*",
        "mean rank",
    ]
    assert texts(table) == [
        ["a1", "1", "1", "1", "3", "3", "3", "1"],
        ["a3", "2", "2", "2", "1", "2", "2", "2"],
        ["a2", "3", "2", "2", "1", "1", "1", "3"],
    ]
    assert best(table)[0] == [False, True, True, True, False, False, False, True]


def test_values_at_one_by_hand():
    # equal shares of wins; the second has the larger spread where it is not the best
    costs = matrix_costs([[1.0, 2], [1.5, 1], [2, 2]], "ert")
    ratios = rate(costs, measure="ert", aggregate="mean")
    plain = all_tables(ratios, costs, measure="ert")["profile_measures"]
    smooth = all_tables(ratios, costs, measure="ert", variant="probabilistic", sd={"default": 0.1, "a2": 5.0})["profile_measures"]
    table = build("values_at_one", {"profile_measures": schema.concatenate([plain, smooth])}, SETTINGS)
    # Phi((1 - 1.5)/5) = 0.460, Phi(0) = 0.5: 0.480 for a2, (0.5 + Phi(-10))/2 = 0.25 for a1
    assert [row[:4] for row in texts(table)] == [
        ["a2", "0.500", "0.480", "1"],
        ["a1", "0.500", "0.250", "2"],
        ["a3", "0.000", "<0.001", "3"],
    ]
    chances = [row[4].value for row in table.sections[0].rows]
    assert sum(chances) == pytest.approx(1, abs=1e-6)


def test_dominance_by_hand():
    costs = matrix_costs([[1.0, 1, 2], [2, 1, 4], [1.5, 3, 3]], "ert")
    found = all_tables(rate(costs, measure="ert", aggregate="mean"), costs, measure="ert")
    data = {name: found[name] for name in ("profile_pairs", "profile_measures")}
    # ratios (1, 1, 1), (2, 1, 2), (1.5, 3, 1.5)
    assert texts(build("dominance", data, SETTINGS)) == [
        ["a1", "a2 and a3", "–", "yes", "yes"],
        ["a2", "–", "a1", "–", "–"],
        ["a3", "–", "a1", "–", "–"],
    ]


def test_profile_measures_mark_the_best_that_competes():
    costs = matrix_costs([[1.0, 1, 1], [2, 2, 2], [4, 4, 4]], "ert")
    found = all_tables(rate(costs, measure="ert", aggregate="mean"), costs, measure="ert", not_competing=["a1"])
    (section,) = build("profile_measures", found, SETTINGS).sections
    rows = {row[0].text: row for row in section.rows}
    assert list(rows) == ["a2", "a3", "a1 (not competing)"]
    assert [rows["a2"][place].text for place in (2, 5, 7, 9)] == ["1", "1", "1", "1"]
    assert {rows["a1 (not competing)"][place].text for place in (2, 5, 7, 9)} == {"–"}
    assert rows["a2"][1].best
    assert not any(cell.best for cell in rows["a1 (not competing)"])
    (said,) = summary(found, SETTINGS)
    assert "log τ, a2 comes first" in said
    assert "a1" not in said


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ({}, ["over [1, τ_max]", "ρ(1): share of (problem, target) pairs on", "ρ(τ_max): share solved", "R: largest ratio."]),
        ({"weights": "dimension"}, ["ρ(1): weighted share of (problem, target) pairs", "ρ(τ_max): weighted share solved"]),
        ({"variant": "log_ratio"}, ["area over [0, τ_max]", "R: largest τ from which on a problem counts."]),
        ({"by": ["target"]}, ["ρ(1): share of problems on which"]),
    ],
)  # fmt: skip
def test_profile_measures_say_what_they_are_shares_of_and_where_areas_begin(profile, said):
    made = all_tables(rate(matrix_costs([[1.0, 2], [2, 1]], "m"), measure="m", aggregate="mean"), measure="m")
    measure = {"name": "m", "targets": [1.0, 0.1]}
    settings = {"measure": measure, "profile": {"name": "dolan_more", "variant": "dolan_more", **profile}}
    caption = build("profile_measures", made, settings).caption
    assert [words for words in said if words not in caption] == []


def test_profile_measures_are_those_of_the_file(data):
    table = build("profile_measures", data, SETTINGS)
    rows = [r for r in data["profile_measures"].to_pylist() if r["variant"] == "dolan_more"]
    shown = {row[0].text: row for row in table.sections[0].rows}
    assert [row[2].value for row in table.sections[0].rows] == sorted(r["rank_auc_log"] for r in rows)
    for row in rows:
        values = [cell.value for cell in shown[row["algorithm"]][1:]]
        assert values == [
            row[key]
            for key in (
                "auc_log",
                "rank_auc_log",
                "auc",
                "auc_normalised",
                "rank_auc",
                "rho_1",
                "rank_rho_1",
                "rho_tau_max",
                "rank_rho_tau_max",
                "tau_star",
                "reliability",
            )
        ]
        assert shown[row["algorithm"]][1].best == (row["auc"] == max(r["auc"] for r in rows))
    by_dimension = build("profile_measures", data, {**SETTINGS, "profile": {"name": "dolan_more_by_dimension"}})
    assert [section.heading.split(" (")[0] for section in by_dimension.sections] == [f"dimension {d}" for d in (2, 3, 5, 10)]


def test_tables_of_tests_are_those_of_the_files(data):
    omnibus = build("tests", data, SETTINGS)
    assert "What each heading names (target, budget or stratum) is tested separately" in omnibus.caption
    assert [row[3].value for section in omnibus.sections for row in section.rows] == data["tests"]["p"].to_pylist()
    ranks = build("ranks", data, SETTINGS)
    found = {(r["algorithm"], r["target"]): r["average_rank"] for r in data["ranks"].to_pylist()}
    for row in ranks.sections[0].rows:
        assert [cell.value for cell in row[1:]] == [found[row[0].text, t] for t in (10.0, 1e-3, 1e-7)]
    pairs = build("comparisons", data, SETTINGS)
    assert pairs.n_rows == data["comparisons"].num_rows
    average = {name: found[name, 10.0] for name in synthetic.ALGORITHMS}
    for row in pairs.sections[0].rows:
        assert average[row[0].text] <= average[row[1].text]  # the better one first
        assert row[2].value == pytest.approx(average[row[1].text] - average[row[0].text])


def test_inventory_counts_missing_apart_from_failed(data):
    table = build("inventory", data, {})
    by_name = {row[0].text: dict(zip([c.header for c in table.columns], row, strict=True)) for row in table.sections[0].rows}
    assert by_name["DE"]["trials"].text == "477/480"
    assert by_name["DE"]["miss."].value == 3
    assert by_name["DE"]["failed"].value == 75
    assert by_name["DE"]["ill-fin."].value == 2


def test_contradictions_between_sources_are_a_section_of_their_own(data):
    found = {
        "suite": [None, None, None], "problem": ["m1", "m2", "m3"], "instance": [None, None, None],
        "kind": ["optima", "optima", "better"], "algorithm": ["A", "A", "A"], "claim": ["the optimum 5"] * 3,
        "in_source": ["a", "a", "a"], "place": ["a.trc:4"] * 3, "other_algorithm": ["B", "B", "B"],
        "other_claim": ["the optimum 7"] * 3, "other_in_source": ["b", "b", "a"], "other_place": ["b.trc:9"] * 3,
    }  # fmt: skip
    contradictions = schema.table("contradictions", found)
    table = build("irregularities", {**data, "contradictions": contradictions}, {})
    section = table.sections[-1]
    assert section.heading == "between sources"
    assert [[cell.text for cell in row] for row in section.rows] == [
        [
            "solvers_disagree (two optima)",
            "noted",
            "2",
            "a.trc:4; b.trc:9",
            "m1: the optimum 5 by A, the optimum 7 by B",
        ]
    ]
    assert "Runs of different sources contradict each other on 2 problems." in table.caption
    key = "s/contradictions"
    assert next(n for n in numbers.build("s", {"contradictions": contradictions}) if n.key == key).value == 2


def test_irregularities_and_missing_trials_are_all_listed(data):
    table = build("irregularities", data, {})
    assert "2 repaired, 0 noted and 1 refused" in table.caption
    assert texts(table)[0][:4] == ["unterminated last line", "repaired", "2", "data_f1/exp_f1_DIM2.info, line 7"]
    assert texts(build("missing", data, {})) == [["bbob", "f7", "10", "3", "3"]]
    none = build("irregularities", {"ingest": synthetic.reports()[:1]}, {})
    assert none.n_rows == 0


def test_a_long_list_of_missing_trials_is_cut_and_adds_up():
    def table(count):
        report = {
            **synthetic.reports()[0],
            "missing": [
                {"algorithm": "A", "suite": "s", "problem": f"f{i}", "dimension": 2, "instance": "1", "count": i}
                for i in range(1, count + 1)
            ],
        }
        return texts(build("missing", {"ingest": [report]}, {}))

    assert len(table(201)) == 201
    assert table(201)[-1] == ["s", "f201", "2", "201", "1"]
    rows = table(5000)
    assert len(rows) == 201
    assert rows[-1][1] == "4\u202f800 more, listed in ingest/source_0.json"
    assert sum(int(row[3].replace("\u202f", "")) for row in rows) == 5000 * 5001 // 2


def test_settings_show_every_key(data):
    config = {"title": "x", "measures": {"ert": {"targets": [1.0, 0.1], "scale": "logged", "floor": None}}}
    assert texts(build("settings", data, {"config": config})) == [
        ["title", "x"],
        ["measures.ert.targets", "1.0, 0.1"],
        ["measures.ert.scale", "logged"],
        ["measures.ert.floor", "–"],
    ]


def make_tests(*rows):
    columns = ("method", "statistic", "df1", "df2", "p", "significant")
    made = {c: [row[i] for row in rows] for i, c in enumerate(columns)}
    n = len(rows)
    fixed = {
        "measure": ["m"] * n,
        "alpha": [0.05] * n,
        "n_blocks": [6] * n,
        "n_treatments": [3] * n,
        "n_left_out": [0] * n,
        "n_all_tied": [1] * n,
        "n_runs": [1] * n,
        "n_failures": [0] * n,
    }
    return schema.table("tests", {**fixed, **made})


def make_ranks(**ranks):
    n = len(ranks)
    return schema.table(
        "ranks", {"measure": ["m"] * n, "algorithm": list(ranks), "average_rank": list(ranks.values()), "n_blocks": [6] * n}
    )


def make_pairs(*rows):
    n = len(rows)
    fixed = {"measure": ["m"] * n, "method": ["conover"] * n, "correction": ["holm"] * n, "df": [10.0] * n, "alpha": [0.05] * n}
    fixed |= {"scale": ["average rank"] * n}
    columns = ("algorithm_a", "algorithm_b", "difference", "significant")
    return schema.table("comparisons", {**fixed, **{c: [row[i] for row in rows] for i, c in enumerate(columns)}})


CHOSEN = {"measure": {"name": "m"}}


def make_verdicts(*rows):
    fixed = {
        "analysis": "primary",
        "measure": "m",
        "family": "all pairs",
        "family_size": 3,
        "population": "problems like these",
        "criterion": "net share of wins",
        "method": "net_wins",
        "alpha": 0.05,
        "significant": False,
        "n_clusters": 6,
        "n_cells": 12,
        "text": "",
    }
    rows = [fixed | row for row in rows]
    return schema.table("verdicts", {c: [row.get(c) for row in rows] for c in schema.TABLES["verdicts"].names})


def statement(a, b, effect, significant, **more):
    p = 0.01 if significant else 0.4
    ends = {"effect_low": effect - 0.2, "effect_high": effect + 0.2}
    return {
        "algorithm_a": a,
        "algorithm_b": b,
        "effect": effect,
        **ends,
        "p": p,
        "p_adjusted": p,
        "significant": significant,
        **more,
    }


def test_verdict_is_the_text_of_the_primary_analysis_and_a_count_of_the_rest():
    secondary = {"analysis": "secondary", "target": 1.0}
    data = {
        "verdicts": make_verdicts(
            {"method": "cluster_permutation", "text": "Primary analysis: A is better than B."},
            statement("A", "B", 0.5, True),
            statement("A", "B", 0.5, True, **secondary),
            statement("A", "C", 0.1, False, **secondary),
        ),
        "tests": make_tests(("friedman", 9.0, 2.0, None, 0.011, True)),
    }
    first, second = verdict(data, CHOSEN)
    assert first == "Primary analysis: A is better than B."
    assert second.startswith("Secondary analysis, measure m: 1 of 2 statements about pairs is significant")
    assert verdict(data, {"measure": {"name": "other"}}) == []


def test_table_of_statements_puts_the_better_one_and_what_is_shown_first():
    data = {
        "verdicts": make_verdicts(
            {"method": "cluster_permutation", "text": "about all"},
            statement("A", "B", 0.1, False),
            statement("A", "C", -0.4, True),
        )
    }
    (section,) = build("verdicts", data, {}).sections
    assert section.heading == "primary: m (6 clusters, family of 3)"
    assert [[cell.text for cell in row] for row in section.rows] == [
        ["C", "A", "0.400", "0.200 to 0.600", "0.0100", "0.0100", "yes", "3"],
        ["A", "B", "0.100", "−0.100 to 0.300", "0.400", "0.400", "no", "2"],
    ]
    assert build("verdicts", {"verdicts": make_verdicts()}, {}).n_rows == 0


def test_verdict_claims_nothing_from_tests_that_take_blocks_for_independent():
    data = {
        "tests": make_tests(("friedman", 9.0, 2.0, None, 0.011, True)),
        "ranks": make_ranks(A=1.2, B=1.9, C=2.9),
        "comparisons": make_pairs(("A", "B", -0.7, False), ("A", "C", -1.7, True), ("B", "C", -1.0, False)),
    }
    assert verdict(data, CHOSEN) == []


def test_verdict_names_what_the_design_could_not_reject():
    pairs = make_pairs(("A", "B", -1.0, False), ("A", "C", -1.0, False), ("B", "C", -1.0, False)).to_pydict()
    pairs |= {
        "method": ["wilcoxon"] * 3,
        "p": [0.25] * 3,
        "p_adjusted": [0.75] * 3,
        "p_min": [0.25] * 3,
        "p_adjusted_min": [0.75] * 3,
    }
    tests = make_tests(("permutation", 3.0, 2.0, None, 0.5, False)).to_pydict() | {"p_min": [0.2], "n_resamples": [5]}
    data = {
        "tests": schema.table("tests", tests),
        "ranks": make_ranks(A=1.2, B=1.9, C=2.9),
        "comparisons": schema.table("comparisons", pairs),
    }
    (text,) = verdict(data, CHOSEN)
    assert text == (
        "All problems: Whatever the data, this design could not have rejected anything by permutation within problems (smallest "
        "possible p 0.200); nor by Wilcoxon with Holm’s correction (smallest possible adjusted p 0.750 for 3 pairs)."
    )
    one = {name: values[:1] for name, values in pairs.items()} | {"p_adjusted_min": [0.25]}
    (text,) = verdict({**data, "comparisons": schema.table("comparisons", one)}, CHOSEN)
    assert text.endswith("nor by Wilcoxon with Holm’s correction (smallest possible adjusted p 0.250 for 1 pair).")


def test_what_the_primary_analysis_says_of_its_own_pairs_is_not_said_again():
    stated = make_verdicts(statement("A", "B", 0.1, False))
    method = stated["method"].to_pylist()[0]
    pairs = make_pairs(("A", "B", -1.0, False)).to_pydict()
    pairs |= {"p": [0.25], "p_adjusted": [0.25], "p_min": [0.25], "p_adjusted_min": [0.25]}
    tests = make_tests(("friedman", 9.0, 2.0, None, 0.011, True))
    said = {}
    for name in (method, "wilcoxon"):
        compared = schema.table("comparisons", pairs | {"method": [name]})
        data = {"tests": tests, "ranks": make_ranks(A=1.2, B=1.9), "comparisons": compared, "verdicts": stated}
        said[name] = "could not have rejected anything" in " ".join(verdict(data, CHOSEN))
    assert said == {method: False, "wilcoxon": True}


def test_verdict_reports_broken_assumptions_and_what_to_trust():
    checks = {
        "measure": ["m"] * 3,
        "check": ["shapiro_wilk", "brown_forsythe", "interaction"],
        "meaning": ["residuals are normal", "algorithms have equal variances", "algorithms differ in the same way on all blocks"],
        "p": [0.001, 0.6, 0.01],
        "n": [9] * 3,
    }
    data = {"tests": make_tests(("anova", 9.0, 2.0, 10.0, 0.01, True)), "assumptions": schema.table("assumptions", checks)}
    (text,) = verdict(data, CHOSEN)
    assert "assume: residuals are normal (p = 0.00100); rely on the permutation and rank tests" in text
    assert "depends on the problem (interaction, p = 0.0100)" in text
    assert "equal variances" not in text
    ranks_only = {**data, "tests": make_tests(("friedman", 9.0, 2.0, None, 0.01, True))}
    assert "assume" not in verdict(ranks_only, CHOSEN)[0]


def test_caution_about_these_problems_stays_whatever_other_test_there_is():
    checks = {"measure": ["m"], "check": ["interaction"], "meaning": ["alike"], "p": [0.001], "n": [9]}
    tukey = make_pairs(("A", "B", -0.7, True)).to_pydict() | {"method": ["tukey"], "correction": ["studentised_range"]}
    data = {
        "tests": make_tests(("anova_interaction", 9.0, 2.0, 10.0, 0.01, True)),
        "ranks": make_ranks(A=1.2, B=1.9),
        "comparisons": schema.table("comparisons", tukey),
        "assumptions": schema.table("assumptions", checks),
    }
    (text,) = verdict(data, CHOSEN)
    assert "what is found by Tukey holds for the mean over these problems, not for problems like them" in text
    clusters = tukey | {"method": ["net_wins"], "correction": ["max_t"]}
    assert verdict({**data, "comparisons": schema.table("comparisons", clusters)}, CHOSEN) == []


def test_quantiles_by_hand():
    rows = [
        {"problem": "f1", "algorithm": a, "run": i, "cost": c}
        for a, cs in (("A", [4, 1, 3, 2, 9]), ("B", [5, math.inf]))
        for i, c in enumerate(cs)
    ]
    table = build("quantiles", {"costs": cost_rows(rows, "m")}, CHOSEN)
    assert [[cell.value for cell in row[1:]] for section in table.sections for row in section.rows] == [
        [1, 2, 3, 4, 9, 5],
        [5, math.inf, math.inf, math.inf, math.inf, 2],
    ]
    assert [row[3].best for section in table.sections for row in section.rows] == [True, False]


def posterior(a, b, a_better, equal, b_better, method="cluster_wins"):
    return {
        "measure": "m",
        "method": method,
        "algorithm_a": a,
        "algorithm_b": b,
        "rope": 0.02,
        "normalisation": "position",
        "a_better": a_better,
        "equal": equal,
        "b_better": b_better,
        "n_samples": 100,
        "n_blocks": 6,
        "n_runs": 5,
        "alpha": 0.05,
    }


def make_posteriors(*rows):
    return schema.table("posteriors", {c: [row.get(c) for row in rows] for c in schema.TABLES["posteriors"].names})


def test_posteriors_by_hand():
    table = build(
        "posteriors",
        {"posteriors": make_posteriors(posterior("A", "B", 0.01, 0.02, 0.97), posterior("A", "C", 0.001, 0.9995, 0.0))},
        CHOSEN,
    )
    first, second = table.sections[0].rows
    assert [cell.text for cell in first] == ["A", "C", "0.001", ">0.999", "0"]
    assert [cell.text for cell in second] == ["B", "A", "0.970", "0.020", "0.010"]
    assert [cell.best for cell in second] == [False, False, True, False, False]
    assert "Bayesian comparison of net wins" in table.sections[0].heading
    assert "±0.02" in table.sections[0].heading


def test_nothing_is_claimed_from_posteriors():
    data = {"tests": make_tests(("friedman", 9.0, 2.0, None, 0.011, True)), "ranks": make_ranks(A=1.2, B=1.9)}
    believed = {"posteriors": make_posteriors(posterior("A", "B", 0.99, 0.01, 0.0))}
    assert verdict(data | believed, CHOSEN) == verdict(data, CHOSEN)


def test_areas_have_the_digits_of_their_intervals_and_measures_are_words(data):
    rows = [r for r in data["profile_measures"].to_pylist() if r["variant"] == "dolan_more"]
    made = [
        {**{k: row[k] for k in ("measure", "variant", "dimension", "target", "algorithm")}, "quantity": quantity, "level": 0.95,
         "resample": "runs", "low": 0.5 * row[quantity], "high": 1.5 * row[quantity]}
        for row in rows
        for quantity in ("auc", "auc_normalised", "rho_1")
    ]  # fmt: skip
    spans = schema.table(
        "profile_intervals", {key: [row[key] for row in made] for key in schema.TABLES["profile_intervals"].names}
    )
    plain = build("profile_measures", data, SETTINGS)
    table = build("profile_measures", {**data, "profile_intervals": spans}, SETTINGS)
    assert "rounded to the second digit of half their interval" in table.caption
    assert "half their interval" not in plain.caption
    for with_spans, without in zip(table.sections[0].rows, plain.sections[0].rows, strict=True):
        assert [cell.value for cell in with_spans] == [cell.value for cell in without]
        # half the width is half of the value: two digits, three where half of the value begins with a larger one
        digits = with_spans[3].text.split("×")[0].replace(".", "").lstrip("0")
        assert len(digits) <= 3 <= len(without[3].text.split("×")[0].replace(".", ""))
        assert with_spans[3].text in {n.text for n in numbers.build("s", {**data, "profile_intervals": spans})}


@pytest.mark.parametrize(("control", "center"), [(None, "a00"), ("a07", "a07"), ("not there", "a00")])
def test_of_too_many_pairs_those_nearest_to_the_control_or_the_best_are_shown(control, center, monkeypatch):
    """The difference of algorithms i and j is i² - j²: the nearest are known."""
    names = [f"a{i:02}" for i in range(15)]
    made = [(a, b, float(i**2 - j**2), j > 9) for i, a in enumerate(names) for j, b in enumerate(names) if i < j]
    monkeypatch.setattr("benchmill.exhibits.tables.fields.NEAREST", 5)
    settings = SETTINGS | {"measure": {"name": "m"}, "control": control}
    table = build("comparisons", {"comparisons": make_pairs(*made)}, settings)
    *rows, last = texts(table)
    k = int(center[1:])
    nearest = sorted((i for i in range(15) if i != k), key=lambda i: abs(i**2 - k**2))[:5]
    assert {frozenset(row[:2]) for row in rows} == {frozenset((center, names[i])) for i in nearest}
    assert all(row[0] < row[1] for row in rows)
    assert last[:2] == ["100 more pairs", "in comparisons/m.parquet"]
    n_significant = sum(row[3] for row in made) - sum(row[6] == "yes" for row in rows)
    assert last[6] == f"{n_significant} yes"
    assert "come nearest to it" in table.caption


def test_a_hundred_pairs_are_all_shown():
    made = [("A", f"b{i:03}", float(-i), False) for i in range(100)]
    table = build("comparisons", {"comparisons": make_pairs(*made)}, SETTINGS | {"measure": {"name": "m"}})
    assert len(texts(table)) == 100
    assert "come nearest to it" not in table.caption


@pytest.mark.parametrize("kind", ["profile_measures", "tests", "ranks", "comparisons", "ert"])
def test_captions_have_measures_as_words(data, kind):
    import pyarrow as pa

    renamed = {}
    for name, table in data.items():
        if hasattr(table, "column_names") and "measure" in table.column_names:
            place, field = table.column_names.index("measure"), table.schema.field("measure")
            table = table.set_column(place, field, pa.array(["final_costs"] * table.num_rows).cast(field.type))
        renamed[name] = table
    table = build(kind, renamed, {**SETTINGS, "measure": {"name": "final_costs"}})
    assert "measure final costs" in table.caption
    assert "final_costs" not in table.caption + table.title


def test_problems_that_are_dropped_are_not_among_those_that_count():
    costs = matrix_costs([[1.0, 2.0, math.inf], [2.0, 1.0, math.inf]], "ert")
    rated = rate(costs, measure="ert", aggregate="single")
    for unsolved, heading, told in (
        ("keep", "3 problems, 1 solved by none;", "1 problem of 3 is solved by none."),
        ("drop", "2 problems, 1 left out that none solves;", "1 problem of 3 is solved by none."),
    ):
        profile = {"name": "dolan_more", "variant": "dolan_more", "unsolved": unsolved}
        settings = {**SETTINGS, "measure": {"name": "ert", "kind": "given", "aggregate": "single"}, "profile": profile}
        found = all_tables(rated, costs, measure="ert", unsolved=unsolved)
        (section,) = build("profile_measures", found, settings).sections
        assert heading in section.heading
        assert told in summary(found, settings)[0]


def test_a_chance_is_never_rounded_to_certainty():
    assert [display.share(v, 2) for v in (0.0, 0.004, 0.097, 0.5, 0.996, 1.0, None)] == [
        "0.00",
        "<0.01",
        "0.10",
        "0.50",
        ">0.99",
        "1.00",
        "–",
    ]


def test_quantities_of_papers_are_words():
    from benchmill.exhibits.tables import sources

    assert sources._written("rank_tau_min_over_tau_star of PCX") == "rank by τ_min/τ* of PCX"
    assert (
        sources._written("cec_rank_success_rate of jDE-2 (that of Table IV)")
        == "CEC rank by success rate of jDE-2 (that of Table IV)"
    )
    assert sources._written("feas_rate_auc of a_b") == "AUC, feasible rate, of a_b"


def test_what_a_budget_is_counted_in_stands_in_the_caption(data):
    quality = {"name": "ert", "kind": "fixed_budget", "budgets": [10.0]}
    assert build("ranks", data, {"measure": quality}).caption.endswith("Budgets are in evaluations/dimension.")
    assert "Budgets" not in build("ranks", data, {"measure": {**quality, "budgets": {"evaluations": [10.0]}}}).caption
    assert "Budgets" not in build("ranks", data, SETTINGS).caption


def test_the_headline_is_the_log_area_and_says_where_criteria_disagree():
    """Sums over five problems: over ln τ 4 ln 1000 against 5 ln 1000 - 4 ln 8; over τ 4 · 999 against 999 + 4 · 992."""
    costs = matrix_costs([[1.0, 1, 1, 1, 1000], [8, 8, 8, 8, 1]], "ert")
    data = all_tables(rate(costs, measure="ert", aggregate="mean"), costs, measure="ert")
    (text,) = summary(data, SETTINGS)
    assert text.startswith(
        "All problems: by the area under the profile over log τ, a1 comes first, untested (`compare` tests); ρ(1) is largest "
    )
    assert text.endswith("The criteria disagree: by the area over τ itself it is a2.")


@pytest.mark.parametrize("cost", [2.0, math.inf])
def test_where_all_tie_or_all_fail_nobody_comes_first(cost):
    costs = matrix_costs([[cost] * 5] * 3, "ert")
    rated = rate(costs, measure="ert", aggregate="mean")
    (text,) = summary(all_tables(rated, costs, measure="ert"), SETTINGS)
    assert "over log τ, no algorithm comes first, untested (`compare` tests); ρ(1) is largest for no algorithm" in text
    assert "disagree" not in text
    (section,) = build("leaders", {"leaders": leaders({"ert": rated})}, {}).sections
    assert {row[1].text for row in section.rows} == {"–"}


def test_of_one_cost_a_problem_a_is_the_share_of_problems_won():
    design = {"measure": "m", "rule": "x", "normalisation": "none"}
    counts = [f.name for f in schema.TABLES["designs"] if f.name.startswith("n_") or f.name == "seed"]

    def caption(n_runs):
        row = design | dict.fromkeys(counts, 3) | {"n_runs": n_runs}
        designs = schema.table("designs", {c: [row.get(c)] for c in schema.TABLES["designs"].names})
        pairs = make_pairs(("A", "B", -0.7, False))
        return build("comparisons", {"comparisons": pairs, "designs": designs}, CHOSEN).caption

    assert "A: share of problems on which the first has the smaller aggregated cost, ties half" in caption(1)
    assert "A: chance that a run of the first is better" in caption(5)


def test_who_leads_by_what():
    rows = leaders({"ert": rate(matrix_costs([[1.0, 1, 1, 1, 1000], [8, 8, 8, 8, 1]], "ert"), measure="ert", aggregate="mean")})
    data = {"leaders": rows}
    (section,) = build("leaders", data, {}).sections
    assert section.heading == "ERT (5 problems)"
    by_words = {row[0].text: [cell.text for cell in row[1:]] for row in section.rows}
    assert next(iter(by_words)) == "area under the profile over log τ"
    # 4 ln 1000 / 5 against (5 ln 1000 - 4 ln 8) / 5
    assert [by_words["area under the profile over log τ"][i] for i in range(4)] == ["a1", "5.53", "a2", "5.24"]
    assert [by_words["area under the profile over τ"][i] for i in range(4)] == ["a2", "993", "a1", "799"]
    assert section.rows[0][1].best
    assert not section.rows[1][1].best
    (text,) = leader(data, {"measure": {"name": "ert"}})
    assert text.startswith("a1 comes first by the area under the profile over log τ, but a2 by the area under the profile over τ")
    assert leader({}, {"measure": {"name": "ert"}}) == []
    assert build("leaders", {"leaders": rows.slice(0, 0)}, {}).n_rows == 0
    # a whole study calls measures by their labels
    assert build("leaders", data, {"measure_labels": {"ert": "Effort"}}).sections[0].heading.startswith("Effort (")


def test_standings_go_by_the_headline_of_the_study():
    costs = matrix_costs([[1.0, 1, 1, 1, 1000], [8, 8, 8, 8, 1]], "ert")
    ratios = rate(costs, measure="ert", aggregate="mean")
    ranked = standings(all_tables(ratios, costs, measure="ert")["profile_measures"], {"ert": ratios}, options=Options())

    def first(**data):
        table = build("standings", {"standings": ranked, **data}, {})
        return table.columns[1].header, table.sections[0].rows[0][0].text

    assert first() == ("log AUC", "a1")
    assert first(leaders=leaders({"ert": ratios}, criterion="auc")) == ("AUC", "a2")


def test_ranks_that_algorithms_can_have():
    shared = {"measure": "ert", "alpha": 0.05, "n_clusters": 24, "n_cells": 96}
    found = [("a", 0.5, 1, 2), ("b", 0.2, 1, 3), ("c", -0.7, 3, 3)]
    rows = [
        {
            **shared,
            "algorithm": name,
            "net_share": share,
            "rank_low": low,
            "rank_high": high,
            "can_be_best": low == 1,
        }
        for name, share, low, high in found
    ]
    table = build("rank_sets", {"rank_sets": schema.of_rows("rank_sets", rows)}, {})
    labelled = {"measure_labels": {rows[0]["measure"]: "Wall time"}}
    assert (
        "of the measure Wall time, over" in build("rank_sets", {"rank_sets": schema.of_rows("rank_sets", rows)}, labelled).caption
    )
    lines = [[cell.text for cell in row] for section in table.sections for row in section.rows]
    assert lines == [["a", "0.500", "1–2"], ["b", "0.200", "1–3"], ["c", "−0.700", "3"]]
    assert [row[0].best for row in table.sections[0].rows] == [True, True, False]
    assert "of the measure ERT, over 24 clusters, with a chance of at least 0.95" in table.caption
    assert build("rank_sets", {"rank_sets": schema.of_rows("rank_sets", [])}, {}).n_rows == 0
