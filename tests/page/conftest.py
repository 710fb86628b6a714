import itertools
import re
import shutil
from pathlib import Path

import pytest

from benchmill.exhibits import figures, tables
from benchmill.exhibits.figures import style
from benchmill.exhibits.sentences.methods import methods
from benchmill.page import page
from benchmill.paper import paper
from tests.page import explored, synthetic

TEMPLATE = Path(__file__).parents[2] / "workflow" / "paper" / "paper.tex"

MEASURE = {
    "name": "ert",
    "kind": "fixed_target",
    "targets": [10.0, 1e-3, 1e-7],
    "aggregate": "ert",
    "missing": "common",
    "scale": "logged",
}
PROFILES = [
    {"variant": "dolan_more", "name": "dolan_more", "by": [], "weights": "equal", "tau_max": None, "unsolved": "keep"},
    {
        "variant": "dolan_more",
        "name": "dolan_more_by_dimension",
        "by": ["dimension"],
        "weights": "equal",
        "tau_max": None,
        "unsolved": "keep",
    },
]
CONFIG = {
    "problem_keys": ["suite", "problem", "dimension"],
    "measures": {"ert": MEASURE},
    "profiles": PROFILES,
    "indicators": {
        "ecdf": {"targets": [100.0, 1.0, 1e-8], "aggregate": ["dimension"], "x": "evaluations_per_dimension"},
    },
    "inference": {"alpha": 0.05, "methods": ["friedman"], "comparisons": ["conover", "nemenyi"]},
}


def make_study(folder: Path, name: str, title: str, algorithms=synthetic.ALGORITHMS, suite="bbob", n_problems=6):
    """All files of a study below `folder/name`, and the study as the paper and the page take it."""
    data = {
        **synthetic.tables(algorithms, suite=suite, n_problems=n_problems),
        "ingest": synthetic.reports(algorithms, suite),
        "config": CONFIG,
        "methods": methods(CONFIG),
        "origins": {"profiles/ert/dolan_more.parquet": {"version": "0.1.0", "inputs": {"ratios/ert.parquet": "ab" * 32}}},
    }
    drawn = []
    for kind, stem, settings in [
        *[("profile", f"profile_ert_{p['name']}", {"measure": MEASURE, "profile": p}) for p in PROFILES],
        ("ecdf", "ecdf_dimension", {"aggregation": "dimension", "indicators": CONFIG["indicators"]}),
        ("critical_differences", "critical_differences_ert", {"measure": MEASURE}),
    ]:
        figure, caption = figures.draw(kind, data, settings)
        _, svg = style.save(figure, folder / name / "figures" / stem, ["pdf", "svg"])
        drawn.append(
            {"kind": kind, "name": stem, "file": f"figures/{stem}.pdf", "caption": caption, "svg": svg.read_text("utf-8")}
        )
    chosen = {"measure": MEASURE, "config": CONFIG}
    # quantiles are of costs, which this study has none of; tests/exhibits/tables has that table
    kinds = itertools.chain.from_iterable(
        [(k, p) for p in (PROFILES if k == "profile_measures" else PROFILES[:1])] for k in tables.KINDS if k != "quantiles"
    )
    built = [tables.build(kind, data, {**chosen, "profile": profile}) for kind, profile in kinds]
    for table in built:
        tables.write(table, folder / name / "tables" / f"{table.name}.tex")
    numbers = tables.numbers.build(name, data, data["ingest"])
    tables.numbers.write(numbers, folder / name / "numbers.tex")
    return {
        **synthetic.NOTHING,
        "name": name,
        "title": title,
        "config": CONFIG,
        "methods": methods(CONFIG),
        "tables": built,
        "long": [table.name for table in built if tables.latex.is_long(table)],
        "figures": drawn,
        "verdicts": {"ert": tables.verdict(data, {"measure": MEASURE})},
        "summaries": {"ert": tables.leader(data, {"measure": MEASURE})},
        "reports": data["ingest"],
        "numbers": [vars(number) for number in numbers],
    }


@pytest.fixture(scope="session")
def browser():
    """One headless Chromium for all tests of the page."""
    sync_api = pytest.importorskip("playwright.sync_api")
    # the shell has no window, which takes two thirds of the time of a page
    path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    if not path:
        pytest.skip("needs chromium")
    with sync_api.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=path, args=["--no-sandbox"])
        make = chromium.new_page

        def new_page(**settings):
            tab = make(**settings)
            # a page that is slow to show waits for a rest; with a clock that stands, every change is shown at once
            tab.add_init_script("performance.now = () => 0")
            return tab

        chromium.new_page = new_page
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """The folder of results with a plain and a hostile study and the source of the paper, and the studies."""
    folder = tmp_path_factory.mktemp("results")
    studies = [
        make_study(folder, "plain", "Eight solvers"),
        make_study(folder, "hostile", r"\input{x} <script>alert(1)</script> $x$ & % 😀 _#", synthetic.HOSTILE, r"b\b$o<i>", 3),
    ]
    (folder / "paper").mkdir()
    for name in ("paper", "supplement"):
        (folder / "paper" / f"{name}.tex").write_text(paper.render(studies, TEMPLATE.with_stem(name)), "utf-8")
    return folder, studies


@pytest.fixture(scope="session")
def studies(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explored")
    return [
        explored.make(folder, "plain", synthetic.ALGORITHMS),
        explored.make(folder, "hostile", synthetic.HOSTILE, r"b\b$o<i>", title=explored.TITLE, n_problems=4),
    ]


@pytest.fixture(scope="session")
def file(studies, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page.pages(explored.evident(studies)).report, "utf-8")
    return path


@pytest.fixture(scope="session")
def tabs():
    """Tabs with the page, by their settings: what is opened once stays open."""
    return {}


@pytest.fixture
def visit(browser, file, tabs):
    """Open the page at an address, as it is for one who comes anew; afterwards nothing was complained about or fetched.

    The page is loaded once for each kind of screen, and told to start over for each visit; `fresh` loads it anew.
    """
    loaded = []

    def load(address, settings):
        tab, problems, requests = browser.new_page(**settings), [], []
        tab.on("console", lambda message: problems.append(message.text))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("dialog", lambda dialog: problems.append(dialog.message))
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(file.as_uri() + address)
        if settings.get("java_script_enabled", True):
            explored.started(tab)
        return tab, problems, requests

    def go(address="", fresh=False, **settings):
        if fresh:
            loaded.append(load(address, settings))
            return loaded[-1][0]
        key = tuple(sorted((name, str(value)) for name, value in settings.items()))
        if key not in tabs:
            tabs[key] = load(address, settings)
            return tabs[key][0]
        tab = tabs[key][0]
        tab.mouse.move(0, 0)
        tab.evaluate(
            """address => {
                scrollTo(0, 0);
                document.activeElement.blur();
                document.getElementById("explore-address").hidden = true;
                history.replaceState(null, "", address || "#");
                openAddress(address);
                remember(study(), "keep");
            }""",
            address,
        )
        return tab

    yield go
    for tab, *_ in loaded:
        tab.close()
    for _, problems, requests in [*tabs.values(), *loaded]:
        assert problems == []
        assert {re.sub("#.*", "", url) for url in requests if not url.startswith("blob:")} <= {file.as_uri()}
