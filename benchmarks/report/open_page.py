"""How large the report of a large study is, and how long a browser takes to open it.

    python benchmarks/report/open_page.py [--algorithms 40] [--functions 24] [--dimensions 6] [--targets 6] [--levels 51]
        [--trials 15] [--rounds 5] [--keep FOLDER]

The study is made up: heavy-tailed running times of 40 algorithms on 24 functions in 6 dimensions, 15 trials, 6 targets
(51 for the ECDF; none with `--levels 0`). Its tables and figures are made by the library and put into the page as the workflow
does it. The page is opened in Chromium in turn with the same page without anything to explore; times are from the start of the
navigation.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmill import profiles
from benchmill.core import schema
from benchmill.exhibits import figures, tables
from benchmill.exhibits.figures import style
from benchmill.indicators.ecdf import ecdf
from benchmill.indicators.ert import indicators
from benchmill.inference.analysis import analyse
from benchmill.inference.design import from_ratios
from benchmill.page import page
from benchmill.profiles.ratios import ratios

DIMENSIONS = (2, 3, 5, 10, 20, 40)
TARGETS = (10.0, 1.0, 0.1, 1e-3, 1e-5, 1e-7)


def costs(measure: str, targets: tuple[float, ...], sizes: argparse.Namespace):
    """Running times that grow with the dimension and with every target; failures beyond 10 000 evaluations a dimension."""
    rng = np.random.default_rng(1)
    n_algorithms, n_functions, n_trials = sizes.algorithms, sizes.functions, sizes.trials
    dimensions = DIMENSIONS[: sizes.dimensions]
    shape = (n_algorithms, n_functions, len(dimensions), len(targets), n_trials)
    skill = rng.normal(0, 0.8, (n_algorithms, n_functions, 1, 1, 1))
    hard = rng.normal(0, 1.0, (1, n_functions, 1, 1, 1))
    size = np.log(dimensions)[None, None, :, None, None]
    steps = np.cumsum(rng.gamma(0.6, 12 / len(targets), shape), axis=3)
    time_to = np.ceil(np.exp(1 + skill + hard + 1.4 * size + steps + 0.3 * rng.standard_normal(shape)))
    budget = np.broadcast_to(1e4 * np.array(dimensions)[None, None, :, None, None], shape)
    cost = np.where(time_to <= budget, time_to, np.inf).ravel()
    a, f, d, t, k = np.indices(shape).reshape(5, -1)
    names = np.array([f"Algorithm {i + 1}" for i in range(n_algorithms)], object)
    functions = np.array([f"f{i + 1}" for i in range(n_functions)], object)
    return schema.table(
        "costs",
        {
            "suite": ["bbob"] * cost.size,
            "problem": functions[f],
            "dimension": np.array(dimensions)[d].astype(np.int32),
            "instance": np.array([str(i + 1) for i in range(n_trials)], object)[k],
            "algorithm": names[a],
            "run": np.ones(cost.size, np.int32),
            "trial": np.arange(cost.size, dtype=np.int32),
            "measure": [measure] * cost.size,
            "target": np.array(targets)[t],
            "cost": cost,
            "budget": budget.ravel(),
            "success": np.isfinite(cost),
            "n": np.ones(cost.size, np.int32),
        },
    )


def study(sizes: argparse.Namespace, folder: Path) -> dict:
    """The study as `page.pages` takes it."""
    targets = TARGETS[: sizes.targets]
    measure = {"name": "ert", "kind": "fixed_target", "targets": list(targets), "aggregate": "ert", "missing": "common"}
    plain = {"variant": "dolan_more", "by": [], "weights": "equal", "tau_max": None, "unsolved": "keep"}
    variants = [{"name": "dolan_more", **plain}, {"name": "dolan_more_by_dimension", **plain, "by": ["dimension"]}]
    found = costs("ert", targets, sizes)
    table = ratios(found, measure="ert")
    data = {"ratios": table, "indicators": indicators(found)}
    del found
    for kind, make in (("profiles", profiles.profile), ("profile_measures", profiles.profile_measures)):
        data[kind] = schema.concatenate(make(table, measure="ert", **variant) for variant in variants)
    tested = analyse(from_ratios(table, measure="ert"), measure="ert")
    data |= {name: tested[name] for name in ("tests", "ranks", "comparisons")}
    grid = tuple(10.0 ** np.linspace(2, -8, sizes.levels))
    aggregations = ("target", "problem", "dimension") if grid else ()
    if grid:
        many = costs("ecdf", grid, sizes)
        data["ecdf"] = schema.concatenate(ecdf(many, aggregation=a) for a in aggregations)
        del many
    shown = []
    settings = {"measure": measure, "indicators": {"ecdf": {"targets": list(grid), "x": "evaluations_per_dimension"}}}
    for kind, stem, chosen in [
        *[("profile", f"profile_{v['name']}", {"profile": v}) for v in variants],
        *[("ecdf", f"ecdf_{a}", {"aggregation": a}) for a in aggregations],
        ("critical_differences", "critical_differences", {}),
    ]:
        one = dict(data)
        if kind == "ecdf":
            one["ecdf"] = data["ecdf"].filter(
                np.array(data["ecdf"]["aggregation"].cast("string").to_pylist()) == chosen["aggregation"]
            )
        drawn, caption = figures.draw(kind, one, {**settings, **chosen})
        (svg,) = style.save(drawn, folder / stem, ["svg"])
        shown.append({"kind": kind, "name": stem, "caption": caption, "svg": svg.read_text("utf-8")})
    kinds = [
        *(("profile_measures", {"profile": v}) for v in variants),
        *((k, {}) for k in ("tests", "ranks", "comparisons", "ert")),
    ]
    return {
        "name": "large",
        "title": "A large study",
        "config": {
            "problem_keys": ["suite", "problem", "dimension"],
            "measures": {"ert": measure},
            "profiles": variants,
            "indicators": {"ecdf": {"x": "evaluations_per_dimension"}},
        },
        "data": data,
        "tables": [tables.build(kind, data, {**settings, **chosen}) for kind, chosen in kinds],
        "figures": shown,
        "verdicts": {"ert": tables.verdict(data, settings)},
        "reports": [
            {"source": "all", "algorithms": sorted({*table["algorithm"].to_pylist()}), "suites": [], "problems": [], "trials": {}}
        ],
    }


#: What a page says of itself: when it was there, what moved under the reader's eyes, and how large it is.
FOUND = """() => ({
    "paint ms": performance.getEntriesByType("paint")[0]?.startTime ?? NaN,
    "explorer ms": window.there ?? NaN,
    "complete ms": performance.getEntriesByType("navigation")[0].loadEventEnd,
    "layout shift": window.shifted,
    "elements": document.querySelectorAll("*").length,
    "memory MB": performance.memory.usedJSHeapSize / 1e6,
})"""
WATCH = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value; })
    .observe({ type: "layout-shift", buffered: true });
new MutationObserver((_, self) => {
    if (!document.querySelector("#explore-picture svg")) return;
    window.there = performance.now();
    self.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
BLOCK = re.compile(r'<script type="application/octet-stream" id="(.*?)">(.*?)</script>')
#: Milliseconds of clicks, with a rest of some milliseconds after each, until what they lead to is laid out.
CHANGE = """async ([selector, clicks, rest]) => {
    const start = performance.now();
    for (const one of [...document.querySelectorAll(selector)].slice(0, clicks)) {
        one.click();
        if (rest) await new Promise((done) => setTimeout(done, rest));
    }
    while (waiting) await new Promise((done) => setTimeout(done, 0));
    document.body.offsetHeight;
    return performance.now() - start;
}"""


def open_once(browser, url: str, shot: Path) -> dict[str, float]:
    """What the page says of itself, and the times of changes in it."""
    tab = browser.new_page(viewport={"width": 1400, "height": 900})
    tab.add_init_script(WATCH)
    tab.goto(url)
    explored = tab.locator("#explore").count()
    if explored:
        tab.wait_for_selector("#explore-picture svg")
        tab.wait_for_timeout(300)
    found = tab.evaluate(FOUND)
    if explored:
        tab.screenshot(path=shot)
        found["a solver off ms"] = tab.evaluate(CHANGE, ["#explore-solvers input", 1, 0])
        for rest in (0, 20):
            found[f"ten solvers, {rest} ms apart, ms"] = tab.evaluate(CHANGE, ["#explore-solvers input", 10, rest])
        for view in ("ecdf", "problems", "profile"):
            if tab.locator(f"#explore-tab-{view}").is_visible():
                found[f"view {view} ms"] = tab.evaluate(CHANGE, [f"#explore-tab-{view}", 1, 0])
    tab.close()
    return found


def main() -> None:
    """Make both pages, open them in turn, print sizes and medians."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    defaults = {"algorithms": 40, "functions": 24, "dimensions": 6, "targets": 6, "levels": 51, "trials": 15, "rounds": 5}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--keep", type=Path)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = settings.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        made = study(settings, folder)
        start = time.process_time()
        html = page.pages([made]).report
        print(f"rendered in {time.process_time() - start:.1f} s of CPU")
        pages = {"with": html, "without": page.pages([{**made, "data": None}]).report}
        for name, text in pages.items():
            (folder / f"{name}.html").write_text(text, "utf-8")
        blocks = {name: len(packed) for name, packed in BLOCK.findall(html)}
        parts = {
            "page": len(html.encode()),
            "data to explore": blocks.pop("explore-data"),
            "folded tables": sum(blocks.values()),
            "figures": sum(len(s) for s in re.findall(r"<svg.*?</svg>", html, re.S)),
            "tables": sum(len(s) for s in re.findall(r"<table>.*?</table>", html, re.S)),
        }
        print(", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in parts.items()))
        times: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
        with sync_playwright() as p:
            path = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = p.chromium.launch(executable_path=path, args=["--no-sandbox", "--enable-precise-memory-info"])
            for _ in range(settings.rounds):
                for name in pages:
                    times[name].append(open_once(browser, (folder / f"{name}.html").resolve().as_uri(), folder / "first.png"))
            browser.close()
    for name, found in times.items():
        medians = {key: statistics.median(one[key] for one in found) for key in found[0]}
        print(
            f"{name} data: "
            + ", ".join(f"{key} {value:.3g}" if value < 10 else f"{key} {value:.0f}" for key, value in medians.items())
        )
    ratio = statistics.median(a["complete ms"] / b["complete ms"] for a, b in zip(times["with"], times["without"], strict=True))
    print(f"complete, with / without: {ratio:.2f}")


if __name__ == "__main__":
    main()
