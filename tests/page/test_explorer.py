"""The explorable page in a real browser: driven as a person would, its numbers those of the Parquet files."""

import itertools
import json
import math
import re
from urllib.parse import parse_qs

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from benchmill import profiles
from benchmill.core import schema
from benchmill.inference.design import from_ratios
from benchmill.page import explorer, page
from benchmill.page.arrays import Store
from benchmill.profiles.ratios import ratios
from benchmill.text import display
from benchmill.text.frames import frame
from benchmill.text.variants import Profile
from tests.costs.making import cost_rows
from tests.inference.making import analyse
from tests.page import explored, synthetic
from tests.page.explored import rows_of
from tests.page.test_free_targets import opened

PLAIN, HOSTILE = synthetic.ALGORITHMS, synthetic.HOSTILE


def equal(found, expected):
    """Sums in another order may differ in the last digits."""
    found = float(found)
    return found == expected or math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12)


def check_against(tab, curves, measures, tmp_path):
    """Downloads and table of the view against tables `profiles` and `profile_measures`."""
    found = rows_of(tab, "Curves", tmp_path)
    expected = sorted(
        (a, t, r) for a, t, r in zip(*(curves.column(c).to_pylist() for c in ("algorithm", "tau", "rho")), strict=True)
    )
    got = sorted((row["algorithm"], float(row["tau"]), float(row["rho"])) for row in found)
    assert [row[:2] for row in got] == [row[:2] for row in expected]
    assert all(equal(g[2], e[2]) for g, e in zip(got, expected, strict=True))
    if not curves.column("variant")[0].as_py().startswith("weighted"):
        assert got == expected
    by_name = {row["algorithm"]: row for row in rows_of(tab, "Measures", tmp_path)}
    rows = measures.to_pylist()
    assert set(by_name) == {row["algorithm"] for row in rows}
    for row in rows:
        for column, text in by_name[row["algorithm"]].items():
            if column not in ("algorithm", "average_rank"):
                assert equal(text.replace("inf", "Infinity") if text == "inf" else text, row[column]), (row["algorithm"], column)
    shown = tab.locator("#explore-measures tbody tr")
    assert shown.count() == len(rows)
    look = display.short_names([*PLAIN])
    for i in range(shown.count()):
        cells = shown.nth(i).locator("th, td").all_inner_texts()
        row = next(r for r in rows if look[r["algorithm"]] == cells[0].strip())
        expected_text = [
            display.number(row["auc"]),
            f"{row['auc_normalised']:.3f}",
            display.count(row["rank_auc"]),
            display.share(row["rho_1"]),
        ]
        assert [c.strip() for c in cells[1:5]] == expected_text


@pytest.mark.parametrize(
    ("measure", "variant"), [*(("ert", v) for v in explored.VARIANTS), ("strict", "dolan_more"), ("quality", "weighted")]
)
def test_profiles_of_all_solvers_are_those_of_the_files(visit, studies, tmp_path, measure, variant):
    data = studies[0]["data"]
    where = [("", None)] if variant != "by_dimension" else [(f"&dimension={d}", d) for d in explored.DIMENSIONS]
    for address, dimension in where:
        tab = visit(f"#explore?measure={measure}&variant={variant}{address}")
        of = {}
        for name in ("profiles", "profile_measures"):
            table = data[name]
            of[name] = table.filter(
                pc.and_(pc.equal(table["measure"].cast("string"), measure), pc.equal(table["variant"].cast("string"), variant))
            )
            if dimension:
                of[name] = of[name].filter(pc.equal(of[name]["dimension"], dimension))
        check_against(tab, of["profiles"], of["profile_measures"], tmp_path)


@pytest.mark.parametrize(
    ("measure", "variant", "off", "dimension", "point"),
    [
        ("ert", "dolan_more", [0], None, None),
        ("ert", "dolan_more", [len(PLAIN) - 1], None, 1e-3),
        ("ert", "weighted", [1, 4], None, 10.0),
        ("ert", "cut", [2, 3, 5], 5, None),
        ("strict", "dolan_more", [0, 1, 2, 3, 4, 5, 6], None, None),
        ("strict", "weighted", [0, 7], 20, 1e-7),
        ("quality", "dolan_more", [3], None, 100.0),
    ],
)
def test_switched_off_solvers_are_as_if_never_there(visit, tmp_path, measure, variant, off, dimension, point):
    """A problem that only they had no trial on comes back, and ratios are to the best of those left."""
    left = [name for i, name in enumerate(PLAIN) if i not in off]
    costs = explored.costs_of(measure, PLAIN)
    costs = costs.filter(pc.is_in(costs["algorithm"].cast("string"), value_set=pa.array(left)))
    point_column = "at_budget" if measure == "quality" else "target"
    if point:
        costs = costs.filter(pc.equal(costs[point_column], point))
    if dimension:
        costs = costs.filter(pc.equal(costs["dimension"], dimension))
    settings = explored.MEASURES[measure]
    table = ratios(costs, measure=measure, aggregate=settings["aggregate"], missing=settings["missing"])
    made_by = {"measure": measure, "name": variant, **explored.VARIANTS[variant]}
    address = f"#explore?measure={measure}&variant={variant}"
    address += f"&dimension={dimension}" if dimension else ""
    tab = visit(address)
    if point:
        tab.locator("#explore-point").select_option(label=display.target(point))
    for i in off:
        tab.get_by_role("checkbox", name=PLAIN[i], exact=True).uncheck()
    check_against(tab, profiles.fit(table, **made_by).profiles, profiles.fit(table, **made_by).profile_measures, tmp_path)
    if point and variant == "dolan_more":
        tested = analyse(from_ratios(table, measure=measure), measure=measure)
        ranks = {row["algorithm"]: row["average_rank"] for row in tested["ranks"].to_pylist()}
        found = {row["algorithm"]: float(row["average_rank"]) for row in rows_of(tab, "Measures", tmp_path)}
        assert found == pytest.approx(ranks, rel=1e-12)
    got = {
        (r["problem"], r["dimension"], r["target"] or r["at_budget"], r["algorithm"]): r for r in rows_of(tab, "Ratios", tmp_path)
    }
    kept = [r for r in table.to_pylist() if r["included"] and not (variant == "weighted" and math.isinf(r["baseline"]))]
    assert len(got) == len(kept)
    for row in kept:
        at = row["target"] if row["target"] is not None else row["at_budget"]
        key = next(
            k
            for k in got
            if k[0] == row["problem"] and int(k[1]) == row["dimension"] and float(k[2]) == at and k[3] == row["algorithm"]
        )
        for column in ("cost", "ratio", "baseline"):
            assert float(got[key][column]) == row[column]  # every bit
        assert (int(got[key]["n_trials"]), int(got[key]["n_successes"])) == (row["n_trials"], row["n_successes"])


def test_a_group_of_functions_is_a_profile_of_its_own(visit, tmp_path):
    costs = explored.costs_of("ert", PLAIN)
    costs = costs.filter(pc.is_in(costs["problem"].cast("string"), value_set=pa.array(["f6", "f7"])))
    table = ratios(costs, measure="ert")
    tab = visit()
    tab.locator("#explore-functions").select_option(label="f6–f9, low or moderate conditioning")
    check_against(tab, profiles.fit(table, measure="ert").profiles, profiles.fit(table, measure="ert").profile_measures, tmp_path)


def test_numbers_are_written_as_elsewhere(visit):
    rng = np.random.default_rng(0)
    values = [
        0.0,
        1.0,
        9.995,
        99.95,
        999.5,
        1.125,
        0.125,
        0.0625,
        2.5,
        1e-3,
        9.9995e-4,
        1e22,
        1e-300,
        0.3125,
        1.0005,
        0.9995,
        0.99949,
    ]
    values += (10.0 ** rng.uniform(-8, 8, 300)).tolist() + (rng.integers(1, 4096, 300) / 256).tolist() + [-2.5, -1e5, -0.375]
    tab = visit()
    for digits in (2, 3, 4):
        assert tab.evaluate("([v, d]) => v.map((x) => number(x, d))", [values, digits]) == [
            display.number(v, digits) for v in values
        ]
    shares = [v for v in values if 0 <= v <= 1]
    assert tab.evaluate("v => v.map(share)", shares) == [display.share(v) for v in shares]
    assert tab.evaluate("v => v.map(pValue)", shares) == [display.p_value(v) for v in shares]
    assert tab.evaluate("v => v.map(count)", [0, 7, 1234, 12345678]) == [display.count(v) for v in (0, 7, 1234, 12345678)]
    assert tab.evaluate("[number(Infinity), number(-Infinity), number(NaN), number(null)]") == ["∞", "−∞", "–", "–"]


def test_ecdf_and_scaling_show_the_files(visit, studies, tmp_path):
    data = studies[0]["data"]
    table = data["ecdf"]
    for address, wanted in [
        ("", {"aggregation": "dimension"}),
        ("&dimension=5", {"aggregation": "problem", "dimension": 5}),
        ("&dimension=20&functions=problem:f4", {"aggregation": "target", "dimension": 20, "problem": "f4"}),
    ]:
        rows = [row for row in table.to_pylist() if all(row[key] == value for key, value in wanted.items())]
        found = rows_of(visit(f"#explore?view=ecdf{address}"), "Curves", tmp_path)
        assert sorted((r["algorithm"], float(r["evaluations_per_dimension"]), float(r["fraction"])) for r in found) == sorted(
            (r["algorithm"], r["x"], r["fraction"]) for r in rows
        )
    tab = visit("#explore?view=scaling&measure=ert&functions=problem:f1")
    tab.locator("#explore-point").select_option(label="10⁻³")
    found = rows_of(tab, "Values", tmp_path)
    rows = [r for r in data["indicators"].to_pylist() if r["measure"] == "ert" and r["problem"] == "f1" and r["target"] == 1e-3]
    assert {(r["algorithm"], int(r["dimension"]), float(r["ert"]), int(r["n_successes"])) for r in found} == {
        (r["algorithm"], r["dimension"], r["ert"], r["n_successes"]) for r in rows
    }
    tab.locator("#explore-over").select_option("point")
    assert "against the target" in tab.locator("#explore-caption").inner_text()
    ticks = tab.locator("#explore-picture text").all_text_contents()
    assert [t for t in ticks if t in ("10", "0.001", "10⁻³", "10⁻⁷")][-3:] == ["10", "10⁻³", "10⁻⁷"]  # the hardest on the right


def test_ecdf_of_a_group_is_the_mean_of_its_problems(visit, studies, tmp_path):
    from benchmill.core import step_functions

    tab = visit("#explore?view=ecdf&functions=group:f6–f9, low or moderate conditioning&dimension=2")
    found = rows_of(tab, "Curves", tmp_path)
    rows = [r for r in studies[0]["data"]["ecdf"].to_pylist() if r["aggregation"] == "target" and r["dimension"] == 2]
    for name in PLAIN:
        curves = []
        for problem in ("f6", "f7"):
            mine = [r for r in rows if r["algorithm"] == name and r["problem"] == problem]
            curves.append((np.array([r["x"] for r in mine]), np.array([r["fraction"] for r in mine])))
        x = np.unique(np.concatenate([curve[0] for curve in curves]))
        y = step_functions.values(curves, x).mean(axis=0)
        got = [(float(r["evaluations_per_dimension"]), float(r["fraction"])) for r in found if r["algorithm"] == name]
        assert [g[0] for g in got] == x.tolist()
        assert [g[1] for g in got] == pytest.approx(y.tolist(), abs=1e-12)


def test_thinned_curves_are_nowhere_far_off_and_nowhere_too_high(studies, monkeypatch):
    rows = studies[0]["data"]["ecdf"].to_pandas()
    monkeypatch.setattr(explorer, "MOST_STEPS", len(rows) - 1)
    monkeypatch.setattr(explorer, "_THINNING", (0.05,))
    carried, arrays = explored.unpacked(explorer.payload(studies[:1]))
    e = carried["studies"][0]["ecdf"]
    assert e["step"] == 0.05
    assert e["left_out"] == {}
    assert sum(e["size"]) < len(rows) - 1
    x, y, ends = np.array(arrays[e["x"]]), np.array(arrays[e["fraction"]]), np.cumsum([0, *e["size"]])
    names = [a["name"] for a in carried["studies"][0]["algorithms"]]
    problems = carried["studies"][0]["problem_names"]
    rows = studies[0]["data"]["ecdf"].to_pylist()
    for c in range(0, len(e["size"]), 7):
        problem = problems[e["problem"][c]] if e["problem"][c] >= 0 else None
        dimension = e["dimension"][c] if e["dimension"][c] >= 0 else None
        full = [
            (r["x"], r["fraction"])
            for r in rows
            if (r["aggregation"], r["problem"], r["dimension"], r["algorithm"])
            == (e["aggregations"][e["aggregation"][c]], problem, dimension, names[e["algorithm"][c]])
        ]
        mine = x[ends[c] : ends[c + 1]], y[ends[c] : ends[c + 1]]
        assert set(zip(*mine, strict=True)) <= set(full)
        at = np.searchsorted(mine[0], [f[0] for f in full], side="right") - 1
        error = np.array([f[1] for f in full]) - mine[1][at]
        assert (error >= 0).all()
        assert (error < e["step"]).all()
        assert mine[1][-1] == full[-1][1]


def test_curves_over_all_functions_are_drawn_in_coarser_steps_until_they_fit(studies, monkeypatch):
    rows = studies[0]["data"]["ecdf"].to_pandas()
    over_functions = rows[rows["aggregation"] != "target"]

    def steps(step):
        part = (over_functions["fraction"] // step).rename("part")
        curve = ["aggregation", "problem", "dimension", "algorithm"]
        ends = over_functions.groupby(curve, observed=True, dropna=False).size().size
        return over_functions.assign(part=part).drop_duplicates([*curve, "part"]).shape[0] + ends

    monkeypatch.setattr(explorer, "_THINNING", (0.01, 0.1, 0.2))
    monkeypatch.setattr(explorer, "MOST_STEPS", steps(0.1))
    carried, _ = explored.unpacked(explorer.payload(studies[:1]))
    e = carried["studies"][0]["ecdf"]
    assert steps(0.1) < steps(0.01)
    assert e["step"] == 0.1
    assert (e["aggregations"], list(e["left_out"])) == (["dimension", "problem"], ["target"])


def test_curves_that_do_not_fit_are_left_out_by_kind_and_those_that_are_carried_are_exact(
    studies, browser, tmp_path, monkeypatch
):
    rows = studies[0]["data"]["ecdf"].to_pandas()
    steps = rows.groupby("aggregation", observed=True).size()
    # those of single functions do not fit beside the others
    monkeypatch.setattr(explorer, "MOST_STEPS", int(steps["problem"] + steps["dimension"]))
    carried, arrays = explored.unpacked(explorer.payload(studies[:1]))
    e = carried["studies"][0]["ecdf"]
    assert e["aggregations"] == ["dimension", "problem"]
    assert list(e["left_out"]) == ["target"]
    kept = rows[rows["aggregation"] != "target"]
    # no two fractions of these curves are as close as what is drawn together
    assert sorted(arrays[e["fraction"]]) == sorted(kept["fraction"])
    with opened(browser, tmp_path, studies[0], "#explore?view=ecdf") as tab:
        assert "Curves of single functions have" in tab.locator("#explore-caption").inner_text()
        assert tab.locator("#explore-functions").count() == 0
    monkeypatch.setattr(explorer, "MOST_STEPS", int(steps["dimension"]))
    with opened(browser, tmp_path, studies[0], "#explore?view=ecdf&dimension=5") as tab:
        assert "Curves of single dimensions and functions have" in tab.locator("#explore-caption").inner_text()
        assert re.fullmatch(r"[01]\.\d\d", tab.locator("#explore-measures tbody tr:first-child td").first.inner_text())


def test_a_view_can_be_sent_to_somebody(visit):
    tab = visit()
    tab.locator("#explore-measure").select_option("strict")
    tab.locator("#explore-variant").select_option("cut")
    tab.locator("#explore-dimension").select_option("5")
    tab.locator("#explore-functions").select_option("group:f1–f5, separable")
    tab.locator("#explore-axis").select_option("broken")
    tab.locator("#explore-point").select_option(label="10⁻³")
    for name in ("DE", "Random search"):
        tab.get_by_role("checkbox", name=name, exact=True).uncheck()
    tab.locator("#explore-at").fill("1.5")
    tab.locator("#explore-at").press("Enter")
    state = parse_qs(tab.evaluate("location.hash").split("?")[1])
    assert state["off"] == ["DE", "Random search"]
    assert (state["measure"], state["dimension"], state["at"]) == (["strict"], ["5"], ["1.5"])
    other = visit(tab.evaluate("location.hash"), fresh=True)
    for selector in ("#explore-caption", "#explore-measures", "#explore-solvers"):
        assert other.locator(selector).inner_text() == tab.locator(selector).inner_text()
    assert other.locator("#explore-axis").input_value() == "broken"
    assert not other.get_by_role("checkbox", name="DE", exact=True).is_checked()
    # words that mean nothing fall back to something that does
    broken = visit(
        "#explore?study=nowhere&view=x&measure=%22%3E&variant=&dimension=99&functions=group:77&at=zero&off=nobody&solver=%00",
        fresh=True,
    )
    assert broken.locator("#explore-measures tbody tr").count() == len(PLAIN)


def test_a_view_without_all_does_not_narrow_the_others(visit):
    tab = visit()
    for view in ("tests", "scaling"):
        tab.locator(f"#explore-tab-{view}").click()
        assert tab.locator("#explore-point").input_value() == "target:10"
    tab.locator("#explore-tab-profile").click()
    assert tab.locator("#explore-point").input_value() == ""
    assert tab.locator("#explore-functions").input_value() == ""
    tab.locator("#explore-tab-tests").click()
    tab.locator("#explore-point").select_option(label="10⁻³")  # but what the reader chose stays
    tab.locator("#explore-tab-profile").click()
    assert tab.locator("#explore-point").input_value() == "target:0.001"


def test_going_back_to_another_view_in_the_address_bar(visit):
    tab = visit("#explore?view=tests")
    tab.evaluate("location.hash = '#explore?view=ecdf&dimension=5'")
    explored.until(tab, "document.querySelector('#explore-tab-ecdf').getAttribute('aria-selected') === 'true'")
    assert tab.locator("#explore-dimension").input_value() == "5"


def test_pointing_reads_and_clicking_shows_the_problems(visit, studies):
    tab = visit("#explore?measure=ert")
    table = studies[0]["data"]["ratios"].to_pylist()
    picture = tab.locator("#explore-picture")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    tab.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.5)
    tip = tab.locator("#explore-tip").inner_text()
    name, rho, tau = re.fullmatch(r"(.*): ρ ([0-9.]+) at τ = ([0-9.]+), [0-9]+ of 51 \(problem, target\) pairs", tip).groups()
    mine = [r["ratio"] for r in table if r["measure"] == "ert" and r["algorithm"] == name and r["included"]]
    assert any(
        display.share(np.mean([x <= t for x in mine])) == rho for t in (float(tau) * 0.999, float(tau), float(tau) * 1.001)
    )
    values = dict(
        zip(
            tab.locator("#explore-solvers bdi").all_inner_texts(),
            tab.locator("#explore-solvers output").all_inner_texts(),
            strict=True,
        )
    )
    assert values[name] == rho
    tab.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.5)
    behind = tab.locator("#explore-behind")
    at = tab.evaluate("state.at")
    within = sum(x <= at * (1 + 1e-12) for x in mine)
    words = behind.locator("caption").inner_text()
    at_step, before, beyond, never = map(
        int,
        re.search(
            r"of 51 \(problem, target\) pairs (\d+) lies? at .*, (\d+) before it, (\d+) beyond τ, and (\d+) it does not", words
        ).groups(),
    )
    assert words.startswith(f"{name} at τ = ")
    assert (at_step + before, never) == (within, sum(map(math.isinf, mine)))
    assert at_step + before + beyond + never == 51
    listed = behind.locator("tbody tr").count()
    assert listed == 51
    assert "at this step" in behind.locator("tbody tr").first.inner_text()


def test_everything_by_keyboard(visit):
    tab = visit()
    tab.locator("#explore-tab-profile").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#explore-tab-ecdf").get_attribute("aria-selected") == "true"
    assert tab.evaluate("document.activeElement.id") == "explore-tab-ecdf"
    tab.keyboard.press("ArrowLeft")
    tab.locator("#explore-picture").focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    first = tab.locator("#explore-status").inner_text()
    assert re.match(r".+: ρ [0-9.]+ at τ = [0-9.]+, \d+ of 51 \(problem, target\) pairs", first)
    tab.keyboard.press("ArrowDown")
    assert tab.locator("#explore-status").inner_text().split(":")[0] != first.split(":")[0]
    assert tab.locator("#explore-behind tbody tr").count() == 51
    tab.keyboard.press("Escape")
    assert tab.locator("#explore-behind").count() == 0
    box = tab.get_by_role("checkbox", name="PSO", exact=True)
    box.focus()
    tab.keyboard.press("Space")
    assert not box.is_checked()
    assert tab.evaluate("document.activeElement.type") == "checkbox"
    assert "7 of 8" in tab.locator("#explore-caption").inner_text()
    tab.locator("#explore-dimension").focus()
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.id") == "explore-dimension"
    head = tab.locator("#explore-measures thead button").nth(4)
    head.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#explore-measures thead th").nth(4).get_attribute("aria-sort") == "ascending"
    assert tab.evaluate("document.activeElement.closest('th').cellIndex") == 4


def test_tables_sort_by_exact_values_with_the_empty_last(visit):
    tab = visit("#explore?view=problems&measure=ert")
    for direction in ("ascending", "descending"):
        heads = tab.locator("#explore-measures thead th")
        place = next(i for i in range(heads.count()) if heads.nth(i).inner_text().strip() == "SLSQP")
        heads.nth(place).locator("button").click()
        assert tab.locator("#explore-measures thead th").nth(place).get_attribute("aria-sort") == direction
        texts = tab.locator(f"#explore-measures tbody tr > :nth-child({place + 1})").all_inner_texts()
        empty = [t == "–" for t in texts]
        assert empty == sorted(empty)
        finite = [
            float(re.sub("×10(.)", r"e\1", t).translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
            for t in texts
            if t not in "–∞"
        ]
        assert finite == sorted(finite, reverse=direction == "descending")
    assert sum(empty) == 9  # f2 in three dimensions, for three targets


def test_tests_are_shown_with_their_words(visit, studies):
    tab = visit("#explore?view=tests&measure=ert")
    assert studies[0]["verdicts"]["ert"][0] in tab.locator("#explore-verdict").inner_text()
    tab.locator("#explore-point").select_option(label="10⁻⁷")
    # the primary analysis is of all targets together
    assert studies[0]["verdicts"]["ert"][0] in tab.locator("#explore-verdict").inner_text()
    rows = [r for r in studies[0]["data"]["comparisons"].to_pylist() if r["measure"] == "ert" and r["target"] == 1e-7]
    assert tab.locator("#explore-pairs tbody tr").count() == len(rows) == 56
    yes = sum(r["significant"] for r in rows)
    assert sum(t == "yes" for t in tab.locator("#explore-pairs tbody tr > :last-child").all_text_contents()) == yes
    tab.get_by_role("checkbox", name="DE", exact=True).uncheck()
    assert tab.locator("#explore-pairs tbody tr").count() == 42


def test_strata_are_tested_one_at_a_time(browser, studies, tmp_path):
    study = studies[0]
    designs = from_ratios(study["data"]["ratios"], measure="ert", stratify=["dimension"])
    tested = analyse(designs, measure="ert", methods=["friedman"], comparisons=["conover"])
    stratified = {**study, "data": {**study["data"], **tested}}
    with opened(browser, tmp_path, stratified, "#explore?view=tests&measure=ert&point=target:0.001") as tab:
        strata = tab.locator("#explore-stratum option").all_inner_texts()
        assert strata == list(dict.fromkeys(tested["tests"]["stratum"].to_pylist()))
        assert len(strata) == 3
        for stratum in strata:
            tab.locator("#explore-stratum").select_option(label=stratum)
            assert stratum in tab.locator("#explore-tests caption").inner_text()
            for kind, table in (("tests", "tests"), ("ranks", "ranks"), ("comparisons", "pairs")):
                rows = [row for row in tested[kind].to_pylist() if (row["stratum"], row["target"]) == (stratum, 1e-3)]
                found = tab.locator(f"#explore-{table} tbody tr").all_inner_texts()
                assert len(found) == len(rows) > 0
                if kind == "ranks":
                    shown = {text.split()[0]: text.split()[-1] for text in found}
                    assert shown == {row["algorithm"].split()[0]: display.number(row["average_rank"]) for row in rows}


def test_strange_names_do_nothing_but_show(visit, tmp_path):
    tab = visit("#explore")
    tab.locator("#studies a").nth(1).click()
    for view in ("profile", "ecdf", "scaling", "problems", "tests"):
        tab.locator(f"#explore-tab-{view}").click()
        assert tab.locator("#explore-panel").inner_text()
        assert tab.locator("#explore-panel img, #explore-panel script").count() == 0
    tab.locator("#explore-tab-profile").click()
    shown = tab.locator("#explore-solvers bdi").all_inner_texts()
    assert r"\input{/etc/passwd}" in shown
    assert not any("\u202e" in name for name in shown)
    assert len(set(shown)) == len(HOSTILE)
    boxes = tab.locator("#explore-solvers input")
    for i in (1, 4, 8):
        boxes.nth(i).uncheck()
    names = [row["algorithm"] for row in rows_of(tab, "Measures", tmp_path)]
    assert set(names) < set(HOSTILE)
    assert len(names) == len(HOSTILE) - 3
    again = visit(tab.evaluate("location.hash"), fresh=True)
    assert again.locator("#explore-caption").inner_text() == tab.locator("#explore-caption").inner_text()
    assert "7 of 10" in again.locator("#explore-caption").inner_text()


def test_a_name_like_a_formula_is_no_formula_in_a_spreadsheet(visit):
    assert visit().evaluate("csv([['=1+1', '-x', 'a,\"b\"', -1, Infinity, NaN, 0.1]])") == '\'=1+1,\'-x,"a,""b""",-1,inf,,0.1\n'


def test_nobody_left_and_nothing_in_common_are_said(visit):
    tab = visit()
    tab.locator("#explore-none").click()
    assert "switch at least one on" in tab.locator("#explore-message").inner_text()
    assert tab.locator("#explore-picture").is_hidden()
    tab.locator("#explore-all").click()
    assert tab.locator("#explore-picture svg").is_visible()
    tab.locator("#explore-functions").select_option("problem:f2")
    assert "no problem on which every shown solver has a trial" in tab.locator("#explore-message").inner_text()
    tab.get_by_role("checkbox", name="SLSQP", exact=True).uncheck()
    assert tab.locator("#explore-picture svg").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_it_fits_screen_and_paper(visit, width, scheme):
    for view in ("profile", "ecdf", "values", "scaling", "problems", "tests"):
        tab = visit(f"#explore?view={view}", viewport={"width": width, "height": 800}, color_scheme=scheme)
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert all(
            tab.locator("#explore select").nth(i).evaluate("s => s.closest('label') !== null")
            for i in range(tab.locator("#explore select").count())
        )
    tab = visit("#explore", fresh=True)
    tab.emulate_media(media="print")
    assert tab.locator("#explore-picture svg").is_visible()
    assert tab.locator("#explore-controls").is_hidden()
    assert tab.locator("#explore-measures").is_visible()


def test_same_bytes_and_no_markup_in_the_data(studies):
    text = explorer.payload(studies)
    assert text == explorer.payload(studies)
    assert re.fullmatch("[^<\\s]+", text)


def test_a_block_gives_back_what_was_put_into_it(visit, tmp_path):
    store = Store()
    arrays = {
        "d": [0.1, -math.inf, math.nan, 5e-324, 1.7976931348623157e308],
        "i": [-(2**31), -1, 2**31 - 1],
        "h": [0, 255, 65535],
        "b": [0, 128, 255],
    }
    places = [store.put(values, kind) for kind, values in arrays.items()]
    assert store.put([0, 128, 255], "b") == places[-1]
    assert store.counts(np.array([], int)) == len(arrays)
    block = store.packed({"name": "\N{PILE OF POO}</script>", "places": places})
    content, found = explored.unpacked(block)
    assert content["name"].endswith("</script>")
    assert repr([list(map(float, values)) for values in found[:-1]]) == repr([list(map(float, v)) for v in arrays.values()])
    tab = visit()
    got = tab.evaluate(
        """async (text) => {
            document.body.append(Object.assign(document.createElement("script"), { type: "text/plain", id: "a-block", text }));
            const { content, arrayOf } = await unpacked("a-block");
            document.getElementById("a-block").remove();
            const texts = content.places.map((place) => [...arrayOf(place)].map(String));
            return [content, texts.map((all) => all.map(Number)).slice(1), texts[0], arrayOf(4).length];
        }""",
        block,
    )
    texts = ["0.1", "-Infinity", "NaN", "5e-324", "1.7976931348623157e+308"]
    expected = list(arrays.values())[1:]
    assert got == [content, expected, texts, 0]


def test_a_browser_that_cannot_unpack_says_so_and_shows_the_article(browser, file):
    tab = browser.new_page()
    tab.add_init_script("delete window.DecompressionStream")
    tab.goto(file.as_uri())
    assert "no DecompressionStream" in tab.locator("#explore").inner_text()
    assert "The article below is complete" in tab.locator("#explore").inner_text()
    assert tab.locator("#s1-verdict").is_visible()
    tab.close()


@pytest.mark.parametrize(("variant", "axis"), [("nested", "performance ratio τ"), ("data", "evaluations/(dimension + 1) τ")])
def test_variants_the_page_cannot_compute_are_shown_from_their_table(studies, browser, tmp_path, variant, axis):
    study = studies[0]
    config = json.loads(json.dumps(study["config"]))
    for profile in config["profiles"]:
        if profile["name"] == "by_dimension":
            profile["variant"] = variant
    path = tmp_path / "given.html"
    path.write_text(page.pages(explored.evident([{**study, "config": config}])).report, "utf-8")
    tab = browser.new_page()
    tab.goto(f"{path.as_uri()}#explore?measure=ert&variant=by_dimension")
    explored.started(tab)
    tab.locator("#explore-part").select_option("dimension 5")
    tab.get_by_role("checkbox", name="DE", exact=True).uncheck()
    found = rows_of(tab, "Curves", tmp_path)
    rows = [
        (r["algorithm"], r["tau"], r["rho"])
        for r in study["data"]["profiles"].to_pylist()
        if r["measure"] == "ert" and r["variant"] == "by_dimension" and r["dimension"] == 5 and r["algorithm"] != "DE"
    ]
    assert sorted((r["algorithm"], float(r["tau"]), float(r["rho"])) for r in found) == sorted(rows)
    assert "changes no number" in tab.locator("#explore-caption").inner_text()
    assert axis in tab.locator("#explore-picture").text_content()
    tab.close()


def test_ranks_of_weighted_profiles_are_weighted(visit, studies, tmp_path):
    tab = visit("#explore?measure=ert&variant=weighted")
    rows = frame(studies[0]["data"]["ratios"], "ert")
    rows = rows[rows["included"] & np.isfinite(rows["baseline"])]
    wide = rows.pivot(index=["problem", "dimension", "target"], columns="algorithm", values="cost")
    ranks = wide.rank(axis=1, method="average")
    weights = wide.index.get_level_values("dimension").astype(float)
    expected = {name: float(np.average(ranks[name], weights=weights)) for name in ranks}
    found = {row["algorithm"]: float(row["average_rank"]) for row in rows_of(tab, "Measures", tmp_path)}
    assert found == pytest.approx(expected)


def test_bands_are_those_of_the_files_and_go_when_a_solver_goes(studies, browser, tmp_path):
    study = studies[0]
    config = json.loads(json.dumps(study["config"]))
    config["profiles"][0] |= {"level": 0.95, "bands": "runs"}
    curves = study["data"]["profiles"]
    rho = curves["rho"].to_numpy()
    for name, values in (("rho_low", np.maximum(rho - 0.05, 0)), ("rho_high", np.minimum(rho + 0.1, 1))):
        curves = curves.set_column(curves.column_names.index(name), curves.schema.field(name), pa.array(values))
    distribution = study["data"]["ecdf"]
    share = distribution["fraction"].to_numpy()
    for name, values in (("fraction_low", share - 0.01), ("fraction_high", share + 0.01)):
        at = distribution.column_names.index(name)
        distribution = distribution.set_column(at, distribution.schema.field(name), pa.array(values))
    path = tmp_path / "bands.html"
    data = {**study["data"], "profiles": curves, "ecdf": distribution}
    path.write_text(page.pages(explored.evident([{**study, "config": config, "data": data}])).report, "utf-8")
    tab = browser.new_page()
    tab.goto(f"{path.as_uri()}#explore?measure=ert&variant=dolan_more")
    explored.started(tab)
    bands = tab.locator("#explore-picture path.band")
    assert bands.count() == len(PLAIN)
    assert "Bands are those of the study" in tab.locator("#explore-caption").inner_text()
    found = rows_of(tab, "Curves", tmp_path)
    chosen = curves.filter(
        pc.and_(pc.equal(curves["measure"].cast("string"), "ert"), pc.equal(curves["variant"].cast("string"), "dolan_more"))
    )
    # bands have four digits, as many as a picture shows
    expected = sorted((r["algorithm"], r["tau"], r["rho"], r["rho_low"], r["rho_high"]) for r in chosen.to_pylist())
    shown = sorted((r["algorithm"], *(float(r[c]) for c in ("tau", "rho", "low", "high"))) for r in found)
    assert [one[:3] for one in shown] == [one[:3] for one in expected]
    assert np.allclose([one[3:] for one in shown], [one[3:] for one in expected], rtol=0, atol=0.5001e-4)
    tab.get_by_role("checkbox", name="DE", exact=True).uncheck()
    assert bands.count() == 0
    assert "for all solvers and problems only" in tab.locator("#explore-caption").inner_text()
    tab.locator("#explore-tab-ecdf").click()
    assert bands.count() == len(PLAIN) - 1
    tab.close()


def test_values_reached_are_those_of_the_files(visit, studies, tmp_path):
    table = studies[0]["data"]["value_ecdf"]["quality"]
    tab = visit("#explore?view=values&functions=problem:f1&dimension=5")
    found = rows_of(tab, "Curves", tmp_path)
    expected = sorted(
        (r["algorithm"], r["x"], r["fraction"])
        for r in table.to_pylist()
        if r["aggregation"] == "budget" and r["problem"] == "f1" and r["dimension"] == 5
    )
    assert sorted((r["algorithm"], float(r["value"]), float(r["fraction"])) for r in found) == expected
    assert "share of (problem, budget) pairs" in tab.locator("#explore-picture").inner_html()
    assert visit("#explore?study=hostile&view=values").locator("#explore-measures tbody tr").count() == len(HOSTILE)


def test_the_front_is_that_of_the_files(visit, studies, tmp_path):
    tab = visit("#explore?measure=ert&variant=dolan_more")
    rows = studies[0]["data"]["profile_measures"].to_pylist()
    expected = {r["algorithm"] for r in rows if r["measure"] == "ert" and r["variant"] == "dolan_more" and r["front_wins_solved"]}
    assert {r["algorithm"] for r in rows_of(tab, "Measures", tmp_path) if r["front_wins_solved"] == "1"} == expected
    assert 0 < len(expected) < len(PLAIN)


def test_a_table_of_published_costs_can_be_explored(browser, tmp_path):
    """No suite, dimension, instance, target, trace or test: what a table in a paper has."""
    names, costs = ["A", "B", "C"], np.array([[1.0, 4.0, np.inf], [2.0, 2.0, np.inf], [4.0, np.inf, np.inf]])
    cells = [(name, f"p{j}", costs[i, j]) for i, name in enumerate(names) for j in range(3)]
    table = schema.table(
        "costs",
        {
            "problem": [c[1] for c in cells],
            "algorithm": [c[0] for c in cells],
            "run": [1] * 9,
            "trial": list(range(9)),
            "measure": ["time"] * 9,
            "cost": [c[2] for c in cells],
            "success": [math.isfinite(c[2]) for c in cells],
            "n": [1] * 9,
        },
    )
    plain = explored.VARIANTS["dolan_more"]
    study = {
        **synthetic.NOTHING,
        "name": "paper",
        "title": "",
        "config": {"measures": {"time": {"kind": "given", "aggregate": "mean"}}, "profiles": [{"name": "dolan_more", **plain}]},
        "data": {"ratios": ratios(table, measure="time", aggregate="mean")},
        "tables": [],
        "figures": [],
        "reports": explored.reports_of(names),
    }
    path = tmp_path / "paper.html"
    path.write_text(page.pages(explored.evident([study])).report, "utf-8")
    tab, problems = browser.new_page(), []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.goto(path.as_uri())
    explored.started(tab)
    tab.locator("#explore-tab-problems").click()
    assert tab.locator("#explore-measures tbody tr").count() == 3
    tab.locator("#explore-tab-profile").click()
    by_name = {row["algorithm"]: row for row in rows_of(tab, "Measures", tmp_path)}
    # ratios: A 1, 2, inf; B 2, 1, inf; C 4, inf, inf; tau_max 4
    assert {n: float(by_name[n]["auc"]) for n in names} == pytest.approx({"A": 5 / 3, "B": 5 / 3, "C": 0})
    assert [by_name[n]["rank_auc"] for n in names] == ["1", "1", "3"]
    assert [float(by_name[n]["average_rank"]) for n in names] == pytest.approx(
        [(1 + 2 + 2) / 3, (2 + 1 + 2) / 3, (3 + 3 + 2) / 3]
    )

    # one that does not compete takes no rank from the others, and has none
    study["config"]["not_competing"] = ["A"]
    path.write_text(page.pages(explored.evident([study])).report, "utf-8")
    tab.reload()
    explored.started(tab)
    tab.locator("#explore-tab-profile").click()
    by_name = {row["algorithm"]: row for row in rows_of(tab, "Measures", tmp_path)}
    assert {n: float(by_name[n]["auc"]) for n in names} == pytest.approx({"A": 5 / 3, "B": 5 / 3, "C": 0})
    assert [by_name[n]["rank_auc"] for n in names] == ["", "1", "2"]
    assert [by_name[n]["front_wins_solved"] for n in names] == ["0", "1", "0"]
    assert by_name["A"]["average_rank"] == ""
    assert [float(by_name[n]["average_rank"]) for n in "BC"] == pytest.approx([(1 + 1 + 1.5) / 3, (2 + 2 + 1.5) / 3])
    assert "Not competing, and so without a rank: A." in tab.locator("#explore").inner_text()
    best = tab.locator("#explore-measures tr", has=tab.locator(".best")).locator("th").all_inner_texts()
    assert "A" not in best
    tab.get_by_role("checkbox", name="A", exact=True).uncheck()
    by_name = {row["algorithm"]: row for row in rows_of(tab, "Measures", tmp_path)}
    # ratios: B 1, 1, inf; C 2, inf, inf; tau_max 2
    assert {n: float(by_name[n]["auc"]) for n in "BC"} == pytest.approx({"B": 2 / 3, "C": 0})
    tab.close()
    assert problems == []


def test_costs_of_zero_have_no_ratios(browser, tmp_path):
    names = ["A", "B"]
    costs = cost_rows(
        [
            {"algorithm": name, "problem": f"p{j}", "target": target, "cost": float(i * j)}
            for i, name in enumerate(names)
            for j in range(3)
            for target in (1.0, 0.1)
        ],
        "gap",
    )
    study = {
        **synthetic.NOTHING,
        "name": "zero",
        "title": "",
        "config": {"measures": {"gap": {"kind": "given", "aggregate": "mean", "label": "relative gap"}}, "profiles": []},
        "data": {"ratios": ratios(costs, measure="gap", aggregate="mean", profiled=False)},
        "tables": [],
        "figures": [],
        "reports": explored.reports_of(names),
    }
    path = tmp_path / "zero.html"
    path.write_text(page.pages(explored.evident([study])).report, "utf-8")
    tab = browser.new_page()
    for view, said in (("tradeoff", "choose another measure."), ("problems&show=ratio", "choose costs.")):
        tab.goto("about:blank")
        tab.goto(f"{path.as_uri()}#explore?view={view}")
        explored.started(tab)
        assert f"A cost is not positive, and ratios need costs above 0; {said}" in tab.locator("#explore").inner_text()
    assert "relative gap" in tab.locator("#explore").inner_text()
    tab.close()


def test_what_the_page_computes():
    def computed(**more):
        return explorer.computes(Profile.parsed({**explored.VARIANTS["dolan_more"], **more}))

    assert computed()
    assert computed(weights="dimension", bands="both")
    assert not computed(variant="nested")
    assert not computed(weights="entropy")
    assert not computed(groups={"one": ["f1"]})


def test_groups_that_a_study_names_come_first(studies):
    config = json.loads(json.dumps(studies[0]["config"]))
    config["indicators"]["ecdf"] |= {"groups": {"mine": ["f2", "f7"], "elsewhere": ["f99"]}, "weight": "pooled"}
    (found,) = explored.unpacked(explorer.payload([{**studies[0], "config": config, "groups": {}}]))[0]["studies"]
    assert found["groups"] == [{"label": "mine", "problems": [1, 6]}]
    assert found["ecdf_pooled"]
    # those of attributes are offered whether the study groups by them or not
    by_class = {"class": {"hard": ["f1", "f99"], "none": ["f98"]}}
    (found,) = explored.unpacked(explorer.payload([{**studies[0], "config": config, "groups": by_class}]))[0]["studies"]
    assert [group["label"] for group in found["groups"]] == ["mine", "class: hard"]
    assert found["groups"][1]["problems"] == [0]
    config["indicators"]["ecdf"] |= {"groups": by_class}
    (found,) = explored.unpacked(explorer.payload([{**studies[0], "config": config, "groups": by_class}]))[0]["studies"]
    assert [group["label"] for group in found["groups"]] == ["class: hard"]


def test_function_groups_are_those_of_bbob_alone():
    found = explorer._groups(None, {}, ["bbob"], [f"f{i}" for i in range(1, 25)])
    assert [len(group["problems"]) for group in found] == [5, 4, 5, 5, 5]
    assert sorted(itertools.chain.from_iterable(group["problems"] for group in found)) == list(range(24))
    for suites, problems in (
        ([], ["f1"]),
        (["cec2006"], ["f1"]),
        (["bbob", "cec"], ["f1"]),
        (["bbob"], ["sphere"]),
        (["bbob-biobj"], ["f1"]),
    ):
        assert explorer._groups(None, {}, suites, problems) == []


def test_a_measure_offers_the_variants_that_it_has(visit):
    offered = "#explore-variant option"
    tab = visit("#explore?measure=ert&variant=cut")
    assert tab.eval_on_selector_all(offered, "all => all.map(one => one.value)") == list(explored.VARIANTS)
    assert tab.input_value("#explore-variant") == "cut"
    tab = visit("#explore?measure=quality&variant=cut")
    assert tab.eval_on_selector_all(offered, "all => all.map(one => one.value)") == [v for v in explored.VARIANTS if v != "cut"]
    assert tab.input_value("#explore-variant") == "dolan_more"


def test_an_algorithm_of_which_every_trial_is_missing_takes_no_other_s_place(studies):
    """It has rows of indicators, and no trial in any report."""
    table = studies[0]["data"]["indicators"]
    ghosts = [
        row | {"algorithm": "Ghost", "ert": None, "median": math.inf, "n_trials": 0, "n_successes": 0}
        for row in table.to_pylist()
        if row["algorithm"] == table["algorithm"][0].as_py()
    ]
    more = schema.concatenate([table, schema.of_rows("indicators", ghosts)])
    found = [
        explored.unpacked(explorer.payload([{**studies[0], "data": {**studies[0]["data"], "indicators": one}}]))
        for one in (table, more)
    ]
    (plain, plain_arrays), (beside, arrays) = found
    for one, other in zip(plain["studies"][0]["indicators"], beside["studies"][0]["indicators"], strict=True):
        for name in ("value", "n_trials", "n_successes"):
            if isinstance(one.get(name), int):
                np.testing.assert_array_equal(plain_arrays[one[name]], arrays[other[name]])
        assert one["statistic"] == other["statistic"]
