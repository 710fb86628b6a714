"""What a reader sees first: the verdict of one study, before any control; the other studies within reach."""

import pyarrow as pa
import pytest

from benchmill.exhibits import tables
from benchmill.exhibits.figures import draw
from benchmill.exhibits.sentences.statements import Statement, statements
from benchmill.inference.design import from_ratios
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.page import page
from benchmill.profiles.standings import leaders
from tests.page import explored, synthetic
from tests.profiles.test_leaders import COSTS, table


def report(**trials):
    lacking = [{"algorithm": "a", "count": trials.get("missing")}] * bool(trials.get("missing"))
    return {"source": "a", "algorithms": ["a", "b"], "trials": trials, "irregularities": [], "missing": lacking}


def test_claims_and_leaders_follow_the_order_of_the_measures():
    study = {
        **synthetic.NOTHING,
        "config": {"measures": {"time": {}, "ert": {}}},
        "verdicts": {"ert": ["e1", "e2"], "time": ["t1"]},
        "summaries": {"ert": ["se"], "time": ["st1", "st2"]},
    }
    assert statements(study) == [
        Statement("claim", "t1", "time"),
        Statement("claim", "e1", "ert"),
        Statement("claim", "e2", "ert"),
        Statement("leader", "st1", "time"),
        Statement("leader", "st2", "time"),
        Statement("leader", "se", "ert"),
    ]


def test_the_primary_measure_comes_first():
    table = pa.table(
        {
            "analysis": ["secondary", "primary", "primary", "primary"],
            "measure": ["time", "ert", "ert", "ert"],
            "algorithm_a": ["A", None, "A", "A"],
            "p_adjusted": [0.5, 0.01, 0.02, 0.5],
            "significant": [False, True, True, False],
            "n_clusters": [24, 24, 24, 24],
            "alpha": [0.05, 0.05, 0.05, 0.05],
        }
    )
    study = {
        **synthetic.NOTHING,
        "config": {"measures": {"time": {}, "ert": {}}},
        "verdicts": {"time": ["t"], "ert": ["e1", "e2"]},
        "summaries": {"time": ["s"]},
        "primary": tables.primary({"verdicts": table}),
    }
    pairs = "The primary analysis tells 1 of 2 pairs of algorithms apart (measure ERT, 24 clusters of problems, level 0.05)."
    assert [one.text for one in statements(study)] == ["e1", "e2", "t", "s", pairs]
    none = table.set_column(4, "significant", pa.array([False] * 4))
    told = [one.text for one in statements({**study, "primary": tables.primary({"verdicts": none})}) if one.kind == "pairs"]
    assert told == ["The primary analysis tells no pair of algorithms apart (measure ERT, 24 clusters of problems, level 0.05)."]


@pytest.mark.parametrize(
    ("reports", "sentences"),
    [
        ([], []),
        (
            [report(expected=15, found=15, missing=0, ill_finalised=0)],
            ["All expected trials are present.", "No log was irregular."],
        ),
        (
            [
                report(expected=15, found=14, missing=1, ill_finalised=2),
                {**report(expected=5, found=5, missing=0), "source": "b"},
            ],
            [
                "1 of 20 expected trials is missing (a).",
                "2 trials ended without the last line that the logger writes (ill-finalised).",
                "No log was irregular.",
            ],
        ),
        # what is not known is never said to be complete
        (
            [report(expected=None, found=9, missing=None)],
            ["Not every source says how many trials to expect.", "No log was irregular."],
        ),
        (
            [report(expected=15, found=13, missing=2), {**report(expected=None, found=9, missing=None), "source": "b"}],
            [
                "2 trials are missing (a).",
                "Not every source says how many trials to expect.",
                "No log was irregular.",
            ],
        ),
    ],
)
def test_what_is_missing_is_said_and_what_is_not_known_too(reports, sentences):
    assert [one.text for one in statements({**synthetic.NOTHING, "reports": reports})] == sentences


def test_irregularities_are_counted_by_rule():
    found = [
        {"rule": rule, "outcome": outcome, "count": n}
        for rule, outcome, n in [
            ("cut_line", "repaired", 20),
            ("cut_line", "repaired", 1),
            ("stray", "refused", 1),
            ("x", "noted", 3),
            ("y", "noted", 0),
        ]
    ]
    reports = [{**report(expected=1, found=1, missing=0), "irregularities": found}]
    assert statements({**synthetic.NOTHING, "reports": reports})[-1].text == (
        "Irregularities in the logs: cut line (repaired, 21 times), x (noted, 3 times), stray (refused, once) and 1 other kind."
    )


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_answer_ranking_and_picture_are_on_the_first_screen(visit, studies, width, height, scheme):
    tab = visit(fresh=True, viewport={"width": width, "height": height}, color_scheme=scheme)
    card = tab.locator("#s1-verdict")

    def bottom(one):
        return one.bounding_box()["y"] + one.bounding_box()["height"]

    assert card.locator(".headline").inner_text() == studies[0]["primary"]["text"]
    rows = pa.concat_tables([studies[0]["data"]["rank_sets"]]).to_pylist()
    shown = card.locator(".ranking li")
    assert shown.count() == len(rows)
    ranks = {one["algorithm"]: (one["rank_low"], one["rank_high"]) for one in rows}
    for item in shown.all():
        low, high = ranks[item.locator(".name").inner_text()]
        assert item.locator(".read").inner_text() == (f"{low}–{high}" if high > low else f"{low}")
    assert bottom(shown.last) < height
    # what explains is folded
    details = card.locator("details")
    assert details.get_attribute("open") is None
    details.locator("summary").click()
    assert " ".join(studies[0]["verdicts"]["ert"][0].split()) in card.inner_text()
    assert "3 of 3 840 expected trials are missing (" in card.inner_text()
    details.locator("summary").click()
    picture = tab.locator("#explore-picture")
    if width > 1000:
        assert bottom(picture) < height
        assert picture.bounding_box()["width"] > 0.6 * width
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # a name in the ranking points at the curve
    shown.first.locator(".name").click()
    assert tab.evaluate("state.solver") == shown.first.locator(".name").inner_text()
    # and a link that somebody was sent opens at its view
    sent = visit("#explore?view=ecdf&dimension=5", fresh=True, viewport={"width": width, "height": height})
    explored.until(sent, "document.getElementById('explore-picture').getBoundingClientRect().y < innerHeight / 2")
    assert "dimension 5" in sent.locator("#explore-caption").inner_text()


def test_long_names_in_the_ranking_are_told_apart(studies):
    """They are cut to what tells them apart, which a narrow place would hide."""
    sets = studies[0]["data"]["rank_sets"]
    names = pa.array([f"Algorithm with a long name, number {i}" for i in range(sets.num_rows)])
    sets = sets.set_column(sets.schema.get_field_index("algorithm"), "algorithm", names)
    shown = {row["name"]: row["shown"] for row in page._ranking(sets, "ranking", {})["rows"]}
    assert set(shown) == set(names.to_pylist())
    assert all(len(text) <= 22 and text.endswith(name.rpartition(" ")[2]) for name, text in shown.items())
    assert len(set(shown.values())) == len(names)


def test_every_name_in_the_ranking_leads_to_its_curve(visit, studies):
    """Also one with letters that nobody sees."""
    tab = visit("#explore?study=hostile")
    found = tab.evaluate(
        """() => [...document.querySelectorAll("#s2 .ranking .name")].map((name) => {
            name.click();
            return state.solver;
        })"""
    )
    assert sorted(found) == sorted(studies[1]["data"]["rank_sets"]["algorithm"].to_pylist())


def test_p_fills_the_screen_with_the_picture(visit):
    tab = visit("#explore", viewport={"width": 1400, "height": 900})
    before = tab.locator("#explore-picture").bounding_box()["width"]
    tab.keyboard.press("p")
    box = tab.locator("#explore-picture").bounding_box()
    assert box["width"] > max(1300, before)
    assert box["height"] > 700
    assert tab.locator("#explore-caption").bounding_box()["y"] > box["y"] + box["height"] - 1
    tab.keyboard.press("Escape")
    assert tab.locator("#explore-picture").bounding_box()["width"] == before


def test_one_study_is_shown_and_the_others_are_a_link_away(visit):
    tab = visit(fresh=True)

    def shown():
        return [i for i in (1, 2) if tab.locator(f"#s{i}-verdict").is_visible()]

    assert shown() == [1]
    tab.locator("#explore-measure").select_option("strict")
    tab.locator("#studies a").nth(1).click()
    assert shown() == [2]
    assert tab.locator("#studies [aria-current]").count() == 1
    assert tab.evaluate("study().name") == "hostile"  # what can be explored goes along
    assert tab.locator("#s2 #explore").count() == 1
    tab.evaluate("location.hash = '#s1-appendix'")
    assert shown() == [1]
    assert tab.locator("#s1-appendix").bounding_box()["y"] < 900
    assert tab.evaluate("study().name") == "plain"
    tab.go_back()
    assert shown() == [2]
    tab.go_back()
    assert shown() == [1]
    assert tab.locator("#explore-measure").input_value() == "strict"
    tab.locator("#studies a").nth(1).click()
    assert shown() == [2]
    # the browser's own search finds what is not shown
    assert tab.locator("#s1").get_attribute("hidden") == "until-found"
    tab.evaluate("document.getElementById('s1').dispatchEvent(new Event('beforematch', { bubbles: true }))")
    assert shown() == [1]
    for address in ("#s2", "#explore?study=hostile&view=tests"):
        assert visit(address, fresh=True).locator("#s2-verdict").is_visible()


def test_contents_and_heads_stay_in_sight(visit):
    tab = visit("#explore?view=problems", fresh=True, viewport={"width": 1400, "height": 700})
    tab.locator("#s1-method").scroll_into_view_if_needed()
    assert tab.evaluate("scrollY") > 300
    assert abs(tab.locator("#s1 nav.parts").bounding_box()["y"]) < 1
    table = tab.locator("#explore-measures .scroll")
    table.evaluate("box => { box.scrollIntoView(); box.scrollTop = 600; }")
    assert table.evaluate("box => box.scrollTop") > 300
    head = table.locator("thead th").first
    assert abs(head.bounding_box()["y"] - table.bounding_box()["y"]) < 1


def test_without_scripts_all_studies_are_there(browser, file):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(file.as_uri())
    assert tab.locator("#s1-verdict").is_visible()
    assert tab.locator("#s2-verdict").is_visible()
    assert tab.locator("#explore").is_hidden()
    context.close()


def test_a_study_without_tests_claims_nothing(tmp_path):
    html = page.pages([synthetic.NOTHING]).report
    assert "This study tests no difference between algorithms." in html


def test_hostile_names_are_text_in_the_verdict():
    name = synthetic.HOSTILE[1]
    html = page.pages(
        [{**synthetic.NOTHING, "verdicts": {"ert": [f"{name} leads."]}, "summaries": {"ert": [f"{name} comes first."]}}]
    ).report
    assert "<img" not in html
    assert (
        html.count("&lt;img src=x onerror=&#34;alert(1)&#34;&gt; leads.")
        + html.count("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; leads.")
        == 2
    )


def test_text_tables_and_figures_name_one_leader_and_its_criterion():
    """Where the criteria disagree: b by the area over log τ, which the study goes by, a by wins, mean rank and net wins."""
    rated = table({name: 2 * values for name, values in COSTS.items()})
    led = leaders({"m": rated})
    said = verdicts({"m": from_ratios(rated, measure="m")}, Declaration(permutations=9999), led)
    assert led.to_pylist()[0]["criterion"] == "auc_log"
    sentence = "b comes first by the area under the profile over log τ, but a by the "
    about_all = said.to_pylist()[0]
    assert ". b is better than c by " in about_all["text"]
    assert "; not shown to differ from a" in about_all["text"]
    data = {"leaders": led, "verdicts": said, "ingest": []}
    settings = {"measure": {"name": "m"}}
    assert all(text.startswith(sentence) for text in tables.leader(data, settings))
    first = tables.build("leaders", data, settings).sections[0].rows[0]
    assert [cell.text for cell in first[:2]] == ["area under the profile over log τ", "b"]
    figure, caption = draw("effects", data, settings)
    assert figure.axes[0].get_xlabel() == "net share of wins of b"
    assert caption.startswith("b against each other algorithm")
