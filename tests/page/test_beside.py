"""Runs of a study that is too large for one file: in a file beside the page, opened from a disk and from a server."""

import functools
import http.server
import threading

import pytest

from benchmill.page import page, runs
from tests.page import explored


@pytest.fixture(scope="module")
def folder(studies, tmp_path_factory):
    """The page and the file beside it; its first study is too large by one run, the second is not."""
    folder = tmp_path_factory.mktemp("beside")
    sizes = [len(study["listed"]["trials"]) for study in studies]
    assert sizes[0] > sizes[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "MOST_WITHIN", (sizes[0] - 1, 10**9))
        made = page.pages(explored.evident(studies))
    (folder / "report").mkdir()
    (folder / "report.html").write_text(made.report, "utf-8")
    (folder / "report" / "runs.html").write_text(made.runs, "utf-8")
    return folder


@pytest.fixture
def at(browser):
    tab, problems = browser.new_page(), []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text))

    def go(url, study="plain"):
        tab.goto(f"{url}#explore?study={study}&view=runs")
        explored.started(tab)
        return tab

    go.problems = problems
    yield go
    tab.close()


ROW = "#explore-runs tbody tr:not(.space)"


def test_runs_beside_the_page_are_opened_from_a_disk(at, folder, studies, tmp_path):
    tab = at((folder / "report.html").as_uri())
    tab.locator(ROW).first.wait_for()
    found = explored.rows_of(tab, "Runs", tmp_path)
    trials = studies[0]["listed"]["trials"].to_pylist()
    key = ("algorithm", "problem", "dimension", "instance", "run", "seed")
    assert {tuple(row[k] for k in key) for row in found} == {tuple(str(row[k]) for k in key) for row in trials}
    assert len(found) == len(trials)
    # what asked for them is gone again
    assert tab.locator("iframe").count() == 0
    assert at.problems == []
    # a study that fits is in the page itself
    at((folder / "report.html").as_uri(), "hostile")
    tab.locator(ROW).first.wait_for()


def test_runs_beside_the_page_are_opened_from_a_server(at, folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = at(f"http://127.0.0.1:{server.server_port}/report.html")
        tab.locator(ROW).first.wait_for()
        server.shutdown()


def test_a_page_without_its_file_says_so(at, folder, tmp_path):
    (tmp_path / "report.html").write_bytes((folder / "report.html").read_bytes())
    tab = at((tmp_path / "report.html").as_uri())
    tab.locator("#explore-message", has_text="keep the folder report/ with the page").wait_for()


def test_the_file_of_another_report_is_not_taken(at, folder, tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report.html").write_bytes((folder / "report.html").read_bytes())
    text = (folder / "report" / "runs.html").read_text("utf-8")
    place = text.index("octet-stream") + 4000
    for other, message in (
        (text.replace('id="s1-runs"', 'id="s9-runs"'), "is of another report"),
        # a letter of the packed block
        (text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :], None),
    ):
        (tmp_path / "report" / "runs.html").write_text(other, "utf-8")
        tab = at((tmp_path / "report.html").as_uri())
        tab.locator("#explore-message", has_text=message or "").wait_for()
        explored.until(tab, "!/being unpacked/.test($('explore-message').textContent)")
        assert tab.locator(ROW).count() == 0
        tab.goto("about:blank")


def test_the_policy_admits_a_frame_only_where_there_is_one(folder, file):
    assert "frame-src 'self'" in (folder / "report.html").read_text("utf-8")
    assert "frame-src" not in file.read_text("utf-8").partition("</head>")[0]
    assert "in report.html itself" in page.pages([]).runs
