"""What a reader chooses on the page is kept, shown as chosen, undone by Back, and told where it cannot be."""

import math
import re

import numpy as np
import pytest

from benchmill.core import schema
from benchmill.page import page
from benchmill.profiles.ratios import ratios
from tests.page import explored, synthetic
from tests.page.explored import downloaded, rows_of
from tests.page.synthetic import ALGORITHMS


@pytest.fixture
def opened(browser, tmp_path):
    """A page of some studies in a new tab; nothing throws."""
    tabs, problems = [], []

    def go(studies, address=""):
        path = tmp_path / "page.html"
        path.write_text(page.pages(explored.evident(studies)).report, "utf-8")
        tab = browser.new_page()
        tabs.append(tab)
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(path.as_uri() + address)
        explored.started(tab)
        return tab

    yield go
    for tab in tabs:
        tab.close()
    assert problems == []


def published(costs, **config):
    """A study as a paper's table has it: costs by algorithm and problem, nothing else."""
    costs = np.asarray(costs, float)
    cells = [(f"s{i}", f"p{j}", cost) for i, row in enumerate(costs) for j, cost in enumerate(row)]
    names, problems, values = zip(*cells, strict=True)
    table = schema.table(
        "costs",
        {
            "problem": problems,
            "algorithm": names,
            "run": [1] * len(cells),
            "trial": range(len(cells)),
            "measure": ["time"] * len(cells),
            "cost": values,
            "success": [math.isfinite(value) for value in values],
            "n": [1] * len(cells),
        },
    )
    plain = {"name": "dolan_more", **explored.VARIANTS["dolan_more"]}
    return {
        **synthetic.NOTHING,
        "name": "published",
        "title": "",
        "config": {"measures": {"time": {"kind": "given", "aggregate": "mean"}}, "profiles": [plain], **config},
        "data": {"ratios": ratios(table, measure="time", aggregate="mean")},
        "tables": [],
        "figures": [],
        "reports": explored.reports_of(names),
    }


def point_at(tab, x=0.3, y=0.5):
    """Click into the picture; the name of the solver that the words beside the pointer name."""
    picture = tab.locator("#explore-picture")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    tab.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    tab.mouse.move(0, 0)
    return tab.locator("#explore-tip").inner_text().split(":")[0]


def test_no_words_of_another_picture_stay(visit):
    tip = "#explore-tip"
    tab = visit("#explore?measure=ert", fresh=True)
    name = point_at(tab)
    assert tab.locator(tip).is_visible()
    tab.get_by_role("checkbox", name=name, exact=True).uncheck()
    assert tab.locator(tip).is_hidden()
    tab.get_by_role("checkbox", name=name, exact=True).check()
    words = tab.locator(tip).inner_text()
    tab.locator("#explore-dimension").select_option("2")
    assert tab.locator(tip).inner_text() != words
    assert re.search(r"of 18 \(problem, target\) pairs", tab.locator(tip).inner_text())
    for change in (
        lambda: tab.locator("#explore-tab-ecdf").click(),
        lambda: tab.locator("#explore-tab-problems").click(),
        lambda: tab.locator("#studies a").nth(1).click(),
    ):
        change()
        assert tab.locator(tip).is_hidden()
        tab.locator("#explore-tab-profile").click()
        point_at(tab)
        assert tab.locator(tip).is_visible()


def test_what_was_chosen_is_there_again_in_the_next_view_that_has_it(visit):
    tab = visit("#explore?measure=strict&variant=weighted", fresh=True)
    for view, shown in (("values", "quality"), ("profile", "strict"), ("tests", "strict")):
        tab.locator(f"#explore-tab-{view}").click()
        assert tab.locator("#explore-measure").input_value() == shown
    tab.locator("#explore-tab-profile").click()
    assert tab.locator("#explore-variant").input_value() == "weighted"
    tab.locator("#explore-dimension").select_option("5")
    tab.locator("#explore-functions").select_option("group:f1–f5, separable")
    caption = tab.locator("#explore-caption").inner_text()
    for view in ("scaling", "tests", "values"):
        tab.locator(f"#explore-tab-{view}").click()
    tab.locator("#explore-tab-profile").click()
    assert tab.locator("#explore-caption").inner_text() == caption
    assert "dimension 5, f1–f5" in caption
    # a measure without the chosen target shows all of its own, and the target is there again with the other measure
    tab.locator("#explore-point").select_option("target:0.001")
    tab.locator("#explore-measure").select_option("quality")
    assert tab.locator("#explore-point").input_value() == ""
    tab.locator("#explore-measure").select_option("strict")
    assert tab.locator("#explore-point").input_value() == "target:0.001"


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("view=__proto__", "the view “__proto__”"),
        ("view=constructor", "the view “constructor”"),
        ("study=nowhere", "the study “nowhere”"),
        ("measure=speed", "the measure “speed”"),
        ("functions=group:77", "the function or group “group:77”"),
        ("functions=problem:f99", "the function or group “problem:f99”"),
        ("dimension=99", "the dimension “99”"),
        ("point=target:3", "the target or budget “target:3”"),
        ("off=nobody&off=DE", "the solver “nobody”"),
        ("colour=red", "the choice “colour”"),
        ("at=zero", "the place “zero”"),
        ("at=-3", "τ = −3 is not on this axis"),
    ],
)
def test_what_an_address_asks_for_in_vain_is_told(visit, address, named):
    tab = visit(f"#explore?{address}", fresh=True)
    assert named in tab.locator("#explore-notice").inner_text()
    assert tab.locator("#explore-picture svg").is_visible()
    tab.locator("#explore-tab-scaling").click()
    assert tab.locator("#explore-notice").inner_text() == ""


def test_curves_are_read_where_their_axis_goes(visit):
    tab = visit("#explore?measure=ert", fresh=True)
    for typed, on_axis in (("-3", False), ("0.5", False), ("1", True), ("2.5", True)):
        tab.locator("#explore-at").fill(typed)
        tab.locator("#explore-at").press("Enter")
        assert ("is not on this axis" in tab.locator("#explore-notice").inner_text()) is not on_axis
        heads = tab.locator("#explore-measures thead").inner_text()
        assert (f"ρ({typed})" in heads) is on_axis
    tab = visit("#explore?view=ecdf&at=-3", fresh=True)
    assert "above 0" in tab.locator("#explore-notice").inner_text()


def test_a_mean_of_curves_that_end_at_one_ends_at_one(visit):
    ends = visit().evaluate(
        """() => [3, 7, 24, 49, 144].map((n) => {
            const functions = Array.from({ length: n }, (_, i) => ({
                x: Array.from({ length: 51 }, (_, k) => 1 + k + i / n), y: Array.from({ length: 51 }, (_, k) => (k + 1) / 51),
            }));
            return meanSteps(functions).y.at(-1);
        })"""
    )
    assert ends == [1.0] * 5


def test_nobody_is_best_where_everybody_fails(opened):
    tab = opened([published(np.full((3, 4), np.inf))])
    assert tab.locator("#explore-measures tbody tr").count() == 3
    assert tab.locator("#explore-measures .best").count() == 0
    tab = opened([published([[1.0, np.inf], [np.inf, np.inf]])])
    best = tab.locator("#explore-measures tbody tr:has(.best)")
    assert best.all_inner_texts()[0].strip().startswith("s0")
    assert best.count() == 1


def test_where_all_are_equal_the_axis_of_ratios_is_one_that_people_read(opened):
    tab = opened([published([[1.0, 4.0], [1.0, 4.0]])])
    ticks = tab.locator("#explore-picture svg > g text").all_text_contents()
    assert {"1", "2"} <= set(ticks)
    assert max(map(len, ticks[:-2])) <= 4  # the last two are the labels of the axes


def test_downloads_say_of_what_they_are(visit, tmp_path):
    def name(tab, button="Curves (CSV)"):
        path = downloaded(tab, button, tmp_path)
        path.replace(tmp_path / "last")
        return path.name

    tab = visit("#explore?measure=ert", fresh=True)
    names = [name(tab)]
    assert (tmp_path / "last").read_text("utf-8").splitlines()[0].endswith(",study,selection,made_by")
    for choice, value in (("measure", "strict"), ("dimension", "5"), ("functions", "problem:f4"), ("variant", "cut")):
        tab.locator(f"#explore-{choice}").select_option(value)
        names.append(name(tab))
    for solver in ("DE", "PSO"):
        tab.get_by_role("checkbox", name=solver, exact=True).uncheck()
        names.append(name(tab))
    tab.get_by_role("checkbox", name="DE", exact=True).check()  # seven of eight again, but other ones
    names.append(name(tab))
    tab.locator("#studies a").nth(1).click()
    names.append(name(tab))
    assert len(set(names)) == len(names)
    version = re.escape(page.__version__)
    assert all(
        re.fullmatch(rf"(plain|hostile)_profile_curves_[a-z0-9._+-]+_[0-9a-f]{{8}}_benchmill-{version}\.csv", n) for n in names
    )
    assert "dimension" not in names[0]
    assert names[3].startswith("plain_profile_curves_strict_dolan-more_5_problem-f4_")
    last = (tmp_path / "last").read_text("utf-8").splitlines()[1]
    assert re.search(rf",hostile,measure ERT; variant .*,benchmill {version}$", last)
    assert name(tab, "Picture (SVG)").endswith(".svg")
    assert "Study hostile" in (tmp_path / "last").read_text("utf-8")
    assert rows_of(tab, "Curves", tmp_path)


def test_a_click_right_after_typing_is_not_lost(visit, tmp_path):
    tab = visit("#explore?measure=ert", fresh=True)
    # the click first ends the typing, which draws the page anew
    tab.locator("#explore-at").fill("3")
    assert "; read at 3," in downloaded(tab, "Curves (CSV)", tmp_path).read_text("utf-8")
    # what was clicked has the focus, and is still there when the page is drawn
    tab.locator("#explore-measure").evaluate("(box) => { window.before = box; }")
    tab.locator("#explore-at").fill("4")
    tab.locator("#explore-measure").click()
    assert tab.evaluate("before === document.activeElement && before.id") == "explore-measure"
    assert "at=4" in tab.evaluate("location.hash")
    # who ends it with Enter stays in the field
    tab.locator("#explore-at").fill("5")
    tab.locator("#explore-at").press("Enter")
    assert tab.evaluate("document.activeElement.id") == "explore-at"


def test_rapid_clicks_on_a_slow_page_are_shown_together(visit):
    tab = visit(fresh=True)
    drawn = tab.evaluate(
        """async () => {
            // every look at the clock seems to come 40 ms after the last one
            let now = 0;
            performance.now = () => (now += 40);
            const boxes = [...$("explore-solvers").querySelectorAll("input")], begun = [];
            const profile = VIEWS.get("profile"), { show } = profile;
            profile.show = (s) => {
                begun.push(state.off.size);
                // three clicks while the first one is being shown
                if (begun.length === 2) queueMicrotask(() => { for (const box of boxes.slice(1, 4)) box.click(); });
                return show(s);
            };
            let pictures = 0;
            const steps = history.length, seen = (changes) => (pictures += changes.filter((one) => one.addedNodes.length).length);
            new MutationObserver(seen).observe($("explore-picture"), { childList: true });
            change({ at: 1.5 });
            await Promise.resolve();
            const first = pictures;
            boxes[0].click();
            while (waiting) await new Promise((done) => setTimeout(done, 5));
            return { first, begun, pictures, steps: history.length - steps, there: location.hash, address: addressOf(study()) };
        }"""
    )
    assert (drawn["first"], drawn["pictures"], drawn["steps"]) == (1, 2, 2)
    assert drawn["begun"] == [0, 1, 4]
    assert drawn["there"] == drawn["address"]
    assert tab.locator("#explore-solvers-count").inner_text() == "4 of 8"


def test_back_and_forward_go_through_what_was_chosen(visit):
    tab = visit(fresh=True)
    tab.locator("#explore-measure").select_option("strict")
    tab.locator("#explore-tab-ecdf").click()
    tab.get_by_role("checkbox", name="DE", exact=True).uncheck()

    def shown():
        view = tab.locator("#explore-tabs [aria-selected=true]").inner_text()
        measure = tab.locator("#explore-measure")
        return view, measure.input_value() if measure.count() else None, tab.locator("#explore-solvers-count").inner_text()

    after = [("ECDF", None, "8 of 8"), ("Profile", "strict", "8 of 8"), ("Profile", "ert", "8 of 8")]
    for expected in after:
        tab.go_back()
        assert shown() == expected
    for expected in [*after[1::-1], ("ECDF", None, "7 of 8")]:
        tab.go_forward()
        assert shown() == expected
    # a link into the article is a step of its own, and the way back through it changes nothing
    tab.evaluate("location.hash = '#s1-method'")
    assert shown() == ("ECDF", None, "7 of 8")
    tab.go_back()
    assert shown() == ("ECDF", None, "7 of 8")


def test_views_that_a_study_has_not_are_not_there_and_it_is_said_why(opened, studies):
    tab = opened([published([[1.0, 4.0], [2.0, 2.0]]), studies[0]])
    reasons = {
        "ecdf": "This study has no running time distributions.",
        "values": "This study has no distributions of values at a budget.",
        "scaling": "This study has no indicators.",
    }
    for view in ("profile", "ecdf", "values", "scaling", "problems", "tests"):
        assert tab.locator(f"#explore-tab-{view}").is_visible() == (view not in reasons)
        if view in reasons:
            assert reasons[view] in tab.locator("#explore-missing").inner_text()
    tab.locator("#explore-tab-profile").press("ArrowRight")  # past those that are not there
    assert tab.locator("#explore-tab-problems").get_attribute("aria-selected") == "true"
    tab.locator("#studies a").nth(1).click()
    # it has everything but the trajectories of its runs
    assert tab.locator("#explore-tabs [hidden]").all_text_contents() == ["Convergence"]
    tab.locator("#explore-tab-ecdf").click()
    tab.locator("#studies a").first.click()  # has no such view, and opens on one that it has
    assert tab.locator("#explore-picture svg").is_visible()


def test_a_study_opens_on_a_view_that_shows_something(opened):
    without_profiles = published([[1.0, 4.0], [2.0, 2.0]], profiles=[])
    tab = opened([without_profiles])
    assert tab.locator("#explore-tab-problems").get_attribute("aria-selected") == "true"
    assert tab.locator("#explore-measures tbody tr").count() == 2


def test_the_address_names_the_solvers_that_are_fewer(visit):
    tab = visit(fresh=True)
    tab.locator("#explore-none").click()
    for name in ("DE", "PSO"):
        tab.get_by_role("checkbox", name=name, exact=True).check()
    address = tab.evaluate("location.hash")
    assert address.count("on=") - address.count("functions=") == 2
    assert "off=" not in address
    other = visit(address, fresh=True)
    assert other.locator("#explore-solvers input:checked").count() == 2
    assert len(ALGORITHMS) == other.locator("#explore-solvers input").count()


def listed(tab):
    """The solvers of the list that are shown, in order, and what stands behind each."""
    items = tab.locator("#explore-solvers li:visible")
    names = [item.locator("label").get_attribute("title") for item in items.all()]
    return dict(zip(names, items.locator("output").all_inner_texts(), strict=True))


def test_one_of_many_solvers_is_found_sorted_and_shown_alone(opened):
    rng = np.random.default_rng(5)
    costs = rng.lognormal(3, 2, (40, 30))
    tab = opened([published(costs)])
    assert list(listed(tab)) == [f"s{i}" for i in range(40)]
    tab.locator("#explore-order").select_option("value")
    tab.locator("#explore-at").fill("3")
    tab.locator("#explore-at").press("Enter")
    within = (costs <= 3 * costs.min(axis=0)).mean(axis=1)  # the share of problems that each solves within three times the best
    found = listed(tab)
    assert [float(value) for value in found.values()] == pytest.approx(sorted(within, reverse=True), abs=5e-4)
    assert {name: float(value) for name, value in found.items()} == pytest.approx(
        {f"s{i}": value for i, value in enumerate(within)}, abs=5e-4
    )
    # ten have names and colours, the crowd is grey until one points at it
    assert tab.locator("#explore-picture .curve").count() == 40
    assert tab.locator("#explore-picture .curve.faint").count() == 30
    tenth = sorted(within)[-10]
    assert {f"s{i}" for i in np.flatnonzero(within > tenth)} <= named(tab) <= {f"s{i}" for i in np.flatnonzero(within >= tenth)}
    assert len(named(tab)) == 10
    assert "the 10 with the best values where the curves are read" in tab.locator("#explore-caption").inner_text()
    tab.locator("#explore-solvers-search").fill("S3")
    assert set(listed(tab)) == {"s3", *(f"s{i}" for i in range(30, 40))}
    assert tab.locator("#explore-solvers-found").inner_text() == "11 found"
    tab.locator("#explore-none").click()
    assert tab.locator("#explore-solvers-count").inner_text() == "29 of 40"
    tab.locator("#explore-all").click()
    tab.get_by_role("button", name="only s33", exact=True).click()
    assert tab.locator("#explore-solvers-count").inner_text() == "1 of 40"
    address = tab.evaluate("location.hash")
    assert "on=s33" in address
    assert "order=value" in address
    assert len(address) < 200
    assert tab.locator("#explore-picture .faint").count() == 0


def named(tab):
    """The solvers whose names stand in the picture."""
    return {
        text.split()[-1] for text in tab.locator("#explore-picture svg text").all_text_contents() if re.search(r"\bs\d+$", text)
    }


def test_of_many_solvers_that_all_end_at_one_those_with_the_largest_areas_are_named(opened):
    costs = np.random.default_rng(8).lognormal(3, 2, (60, 30))
    tab = opened([published(costs)])
    ratios = costs / costs.min(axis=0)
    # every solver solves everything, so that all curves end at 1; the area over the logarithm of the ratio tells them apart
    areas = (np.log(ratios.max()) - np.log(ratios)).mean(axis=1)
    assert named(tab) == {f"s{i}" for i in np.argsort(-areas)[:10]}
    assert "the 10 with the largest areas under the curves" in tab.locator("#explore-caption").inner_text()


def test_a_trade_off_of_many_solvers_draws_all_and_names_those_on_the_front(opened):
    rng = np.random.default_rng(4)
    costs = rng.lognormal(3, 1, (40, 50))
    # wins against what is solved: s37 wins most and fails often, s38 solves all and never wins, s39 is between
    costs[:37][rng.random((37, 50)) < 0.5] = np.inf
    costs[37], costs[38], costs[39] = 1e-3, 1e9, 1e-2
    costs[37, 20:], costs[39, 35:] = np.inf, np.inf
    tab = opened([published(costs)], "#explore?view=tradeoff")
    assert named(tab) == {"s37", "s38", "s39"}
    points = (
        tab.locator("#explore-picture .curve.faint circle").count() + tab.locator("#explore-picture .curve:not(.faint)").count()
    )
    assert points == 40
    assert "those on the Pareto front" in tab.locator("#explore-caption").inner_text()


def test_the_list_of_solvers_puts_the_smaller_first_where_smaller_is_better(visit):
    tab = visit("#explore?view=tests&order=value", fresh=True)
    ranks = [float(value) for value in listed(tab).values() if value]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 3
    tab.locator("#explore-order").select_option("name")
    assert sorted(listed(tab)) == sorted(ALGORITHMS)
    assert [float(value) for value in listed(tab).values() if value] != ranks


def test_every_change_is_announced(visit):
    status = "#explore-status"
    tab = visit("#explore?measure=ert", fresh=True)
    assert tab.locator(status).get_attribute("aria-live") == "polite"
    heard = []
    for change in (
        lambda: tab.locator("#explore-measure").select_option("strict"),
        lambda: tab.locator("#explore-dimension").select_option("5"),
        lambda: tab.get_by_role("checkbox", name="DE", exact=True).uncheck(),
        lambda: tab.locator("#explore-tab-ecdf").click(),
        lambda: tab.locator("#explore-none").click(),
    ):
        change()
        heard.append(tab.locator(status).text_content())
    assert len(set(heard)) == len(heard)
    assert "dimension 5" in heard[1]
    assert heard[2].endswith("without DE; 7 of 8 solvers.")
    assert heard[3].startswith("ECDF:")
    assert "switch at least one on" in heard[4]


def test_distributions_are_drawn_on_the_axis_that_is_chosen(visit):
    tab = visit("#explore?view=ecdf", fresh=True)
    assert tab.locator("#explore-axis option").all_inner_texts() == ["automatic", "logarithmic", "linear"]
    for chosen, kind in (("auto", "decades"), ("linear", "linear"), ("log", "decades")):
        tab.locator("#explore-axis").select_option(chosen)
        assert tab.evaluate("drawn.spec.x.kind") == kind
        assert tab.locator("#explore-picture .curve").count() == len(ALGORITHMS)
    # what only a profile has is not taken for a distribution
    assert visit("#explore?view=ecdf&axis=broken", fresh=True).locator("#explore-axis").input_value() == "auto"


def test_links_in_the_text_are_told_by_more_than_colour(visit):
    tab = visit()
    assert tab.locator("article p a").count()
    assert tab.evaluate(
        "[...document.querySelectorAll('article p a')].every((a) => getComputedStyle(a).textDecorationLine === 'underline')"
    )
