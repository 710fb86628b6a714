"""The page is whole in itself, harmless, and shows what the tables say."""

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest

from benchmill.page import arrays, page
from benchmill.page.explorer import point_of
from benchmill.text.measures import Measure
from tests.page import synthetic

VOID = {"meta", "input", "br", "hr", "img", "link"}


class Reader(HTMLParser):
    """Elements, attributes and text of a page; fails where tags do not match."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> without a start"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open and "style" not in self.open:
            self.text.append(data)


@pytest.fixture(scope="module")
def html(results):
    _, studies = results
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "MOST_LETTERS", 10**9)
        patch.setattr(arrays, "MOST_CELLS", 10**9)
        yield page.pages(studies).report


@pytest.fixture(scope="module")
def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def test_same_bytes_each_time(results, html):
    _, studies = results
    assert page.pages(studies).report == html


def test_ids_are_unique_and_every_reference_has_its_target(read):
    ids = Counter(attrs["id"] for _, attrs in read.elements if "id" in attrs)
    assert [i for i, n in ids.items() if n > 1] == []
    targets = [attrs["href"] for _, attrs in read.elements if "href" in attrs]
    assert targets
    assert {t for t in targets if not (t.startswith("#") and t[1:] in ids)} == set()
    clips = {
        name for _, attrs in read.elements for value in attrs.values() if value for name in re.findall(r"url\(#([^)]+)\)", value)
    }
    assert clips
    assert clips <= set(ids)
    assert {attrs["aria-labelledby"] for _, attrs in read.elements if "aria-labelledby" in attrs} <= set(ids)


def test_nothing_is_fetched_and_nothing_foreign_runs(html, read):
    without_namespace = html.replace('"http://www.w3.org/2000/svg"', "", 1)
    assert not re.search(r"https?://|//[a-z]+\.[a-z]", without_namespace)
    assert not [
        tag
        for tag, attrs in read.elements
        if "src" in attrs or tag in ("link", "iframe", "object", "embed", "base", "img", "foreignobject")
    ]
    assert not [name for _, attrs in read.elements for name in attrs if name.startswith("on")]
    assert sum(tag == "script" for tag, _ in read.elements) == 1  # nothing to explore without data
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    policy = next(attrs["content"] for tag, attrs in read.elements if attrs.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_strange_names_are_text(read):
    text = "".join(read.text)
    for name in (
        r"\input{/etc/passwd}",
        '<img src=x onerror="alert(1)">',
        "100 % of $x^2$ & ~#_{}",
        "🚀 rocket 😀",
        "]]><script>alert(1)</script><!--",
    ):
        assert name in text
    assert "\u202e" not in text


def test_every_cell_of_every_table_is_there(results, read):
    _, studies = results
    shown = Counter(" ".join(t.split()) for t in read.text)
    plain = studies[0]
    for table in plain["tables"]:
        for section in table.sections:
            for row in section.rows:
                for cell in row:
                    # the index of a symbol is an element of its own
                    text = re.split(r"(?<=τ)(?:_max|\*)", " ".join(cell.text.split()))[0]
                    assert shown[text] or any(text in t for t in shown), text
    n_cells = sum(len(row) for study in studies for table in study["tables"] for s in table.sections for row in s.rows)
    n_numbers = sum(3 * len(study["numbers"]) for study in studies)
    n_headings = sum(bool(s.heading) for study in studies for table in study["tables"] for s in table.sections)
    in_body = sum(tag == "td" or (tag == "th" and attrs.get("scope") in ("row", "rowgroup")) for tag, attrs in read.elements)
    assert in_body == n_cells + n_numbers + n_headings


def test_sort_keys_are_exact(results, read):
    _, studies = results
    keys = [attrs["data-v"] for _, attrs in read.elements if "data-v" in attrs]
    cells = [cell for study in studies for table in study["tables"] for s in table.sections for row in s.rows for cell in row]
    values = [cell.value for cell in cells if cell.value is not None]
    as_numbers = [float(k.replace("Infinity", "inf")) for k in keys if k]
    assert Counter(as_numbers) == Counter(v for v in values if v == v)


def test_captions_and_verdicts_are_the_same_text_as_in_the_paper(results, read):
    _, studies = results
    text = " ".join("".join(read.text).split())
    for study in studies:
        for figure in study["figures"]:
            assert " ".join(figure["caption"].replace("τ_max", "τmax").replace("τ*", "τ*").split()) in text
    for paragraph in studies[0]["verdicts"]["ert"]:
        assert paragraph in text


def test_it_has_the_landmarks_a_reader_needs(read):
    tags = Counter(tag for tag, _ in read.elements)
    assert tags["h1"] == tags["main"] == 1
    assert tags["nav"] == 1 + tags["article"]
    assert tags["figure"] == tags["figcaption"] == tags["svg"] == 8
    assert tags["caption"] == tags["table"]
    assert next(attrs for tag, attrs in read.elements if tag == "html")["lang"] == "en"
    assert all(attrs.get("scope") for tag, attrs in read.elements if tag == "th" and "colspan" not in attrs)


def test_sorting_and_filtering_work_in_a_browser(html, browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(html, "utf-8")
    tab = browser.new_page()
    problems, requests = [], []
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(path.as_uri())
    table = tab.locator("#s1-ert_ert")
    table.locator("xpath=ancestor::details").locator("summary").click()
    column = table.locator("tbody").first.locator("tr:not(.heading) > :nth-child(3)")
    for order in ("ascending", "descending"):
        table.locator("thead button").nth(2).press("Enter")  # by keyboard
        assert table.locator("thead th").nth(2).get_attribute("aria-sort") == order
        keys = column.evaluate_all("cells => cells.map(c => c.dataset.v)")
        found = [float(key.replace("Infinity", "inf")) for key in keys]
        assert found == sorted(found, reverse=order == "descending")
    assert table.locator("tbody").first.locator("tr").first.get_attribute("class") == "heading"
    table.locator("input").fill("f3 10⁻³")
    assert table.locator("tbody tr:not(.heading):visible").count() == 4
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.close()
    assert problems == []
    assert requests == [path.as_uri()]


def test_a_study_with_nothing_but_data_makes_a_page(results):
    _, (study, _) = results
    assert "<h2" in page.pages([synthetic.NOTHING]).report
    without = page.pages([{**study, "numbers": [], "figures": []}]).report
    assert "<figure" not in without
    assert "Numbers for the text" not in without


def test_a_dozen_studies_are_found_without_scrolling_past_their_list(results, browser, tmp_path):
    _, studies = results
    many = [{**studies[0], "name": f"study{i}", "title": f"Study {i} of solvers with a rather long title"} for i in range(12)]
    path = tmp_path / "many.html"
    path.write_text(page.pages(many).report, "utf-8")
    for width in (1280, 390):
        tab = browser.new_page(viewport={"width": width, "height": 800})
        tab.goto(path.as_uri())
        contents = tab.locator("header nav")
        assert contents.locator("a").count() == 12
        assert contents.bounding_box()["height"] < 300
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        contents.get_by_role("link", name="Study 11 of").focus()
        tab.keyboard.press("Enter")
        assert tab.evaluate("location.hash") == "#s12"
        parts = tab.locator("#s12 nav.parts")
        assert parts.get_attribute("aria-label") == "Parts of Study 11 of solvers with a rather long title"
        parts.get_by_role("link", name="Statistics").click()
        assert tab.evaluate("location.hash") == "#s12-statistics"
        tab.close()


#: What every cell of the article is: its element and looks, its sort key, its text, and whether its writing direction is its own.
CELLS = """() => [...document.querySelectorAll("article .table")].filter((box) => box.id).map((box) => [
    box.id, ...[...box.querySelectorAll("caption, th, td")].map((one) => [
        one.tagName, one.className, one.scope ?? null, one.title, one.dataset.v ? Number(one.dataset.v) : one.dataset.v ?? null,
        one.textContent.trim().replace(/\\s+/g, " "), one.querySelector("bdi") !== null,
    ]),
])"""


def test_large_tables_are_built_as_they_would_stand_in_the_page(results, browser, tmp_path, monkeypatch):
    """Every cell of every table: what is shown, how, and by which value it is sorted."""
    _, studies = results
    path = tmp_path / "report.html"
    found = []
    for most in (10**9, 0):
        monkeypatch.setattr(arrays, "MOST_CELLS", most)
        path.write_text(page.pages(studies).report, "utf-8")
        tab, problems = browser.new_page(), []
        tab.on("pageerror", lambda error, problems=problems: problems.append(str(error)))
        tab.goto(path.as_uri())
        tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        tab.wait_for_selector("details [data-folded]", state="detached")
        tab.evaluate("document.querySelectorAll('[data-folded] button').forEach((one) => one.click())")
        tab.wait_for_selector("article .table[id]:not(:has(table))", state="detached")
        found.append(tab.evaluate(CELLS))
        tab.close()
        assert problems == []
    assert len(found[0]) == sum(len(study["tables"]) + bool(study["numbers"]) for study in studies)
    for stands, built in zip(*found, strict=True):
        assert built == stands, stands[0]


def test_a_large_table_takes_little_more_than_its_values_and_words():
    from benchmill.text import display

    values = np.random.default_rng(1).lognormal(5, 3, (500, 40))
    rows = tuple(tuple(display.Cell(f"{display.number(v)} ({i % 15}/15)", v) for v in row) for i, row in enumerate(values))
    columns = tuple(display.Column(f"solver {i}") for i in range(40))
    table = display.Table("x", "x", "x", columns, (display.Section("", rows),))
    assert len(arrays.folded(table)) < 19 * values.size  # eight bytes of a value and a dozen letters, packed


def test_a_print_is_the_article(results, browser, tmp_path):
    """Figures at full width, what is folded only where the reader has opened it."""
    _, studies = results
    path = tmp_path / "report.html"
    path.write_text(page.pages(studies).report, "utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    tab.wait_for_selector("[data-packed]", state="detached")  # figures that are large are drawn after the rest
    tab.locator("#s1-appendix details").first.locator("summary").click()
    text = tab.pdf(format="A4")
    assert text.count(b"/Type /Page\n") <= 20
    tab.emulate_media(media="print")
    tables = tab.locator("#s1-appendix details > div")
    assert tables.count() > 5
    assert [tables.nth(i).is_visible() for i in range(tables.count())] == [i == 0 for i in range(tables.count())]
    pictures = tab.locator("#s1 figure svg")
    assert pictures.count()
    boxes, width = [one.bounding_box() for one in pictures.all()], tab.locator("#s1-results").bounding_box()["width"]
    assert all(box["height"] < 23 / 2.54 * 96 and box["width"] > 0.95 * width for box in boxes)
    tab.close()


def test_targets_have_the_titles_that_their_measure_gives_them():
    measure = Measure(targets=[1.0, 0.1], target_titles=["easy", "target <hard>"])
    assert point_of({"target": 0.1, "at_budget": None}, measure) == {"target": 0.1, "label": "target <hard>"}
    assert point_of({"target": 1.0, "at_budget": None}, measure)["label"] == "easy"
    assert point_of({"target": 1.0, "at_budget": None}, Measure(targets=[1.0]))["label"] == "target 1"
    assert point_of({"target": None, "at_budget": 10.0}, measure)["label"] == "budget 10"
