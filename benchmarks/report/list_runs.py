"""Open a page that lists many runs in Chromium: its size, the time to the table, and what a change costs.

    python benchmarks/report/list_runs.py [RUNS]

Needs playwright and a Chromium. Prints one line a number; times are of one machine and say how they grow.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmill.core import schema
from benchmill.page import page, runs

PROBLEMS, SOLVERS = 500, 20
OUTCOMES = np.array(["solved", "time_limit", "memory_limit", "error"])


def study(n: int) -> dict[str, Any]:
    """A study of `n` runs of 20 solvers on 500 problems."""
    rng = np.random.default_rng(3)
    number = np.arange(n)
    solver, problem, seed = number % SOLVERS, number // SOLVERS % PROBLEMS, number // (SOLVERS * PROBLEMS)
    outcome = OUTCOMES[np.minimum(rng.geometric(0.8, n) - 1, 3)]
    seconds = np.round(np.exp(rng.normal(2, 2, n)), 3)
    names = [f"solver {i:02d}" for i in range(SOLVERS)]
    keys = {
        "suite": ["suite"] * n,
        "problem": [f"instance-{i:03d}" for i in problem],
        "dimension": (10 + problem % 7).astype(np.int32),
        "instance": [str(i) for i in seed],
        "algorithm": [names[i] for i in solver],
        "run": np.ones(n, np.int32),
        "trial": number.astype(np.int32),
    }
    trials = schema.table(
        "trials",
        {
            **keys,
            "best_value": np.round(rng.normal(size=n), 6),
            "value_kind": ["absolute"] * n,
            "maximise": [False] * n,
            "runtime_s": seconds,
            "time_limit_s": np.full(n, 600.0),
            "n": np.ones(n, np.int32),
            "status": np.where(outcome == "solved", "solved", "failed").tolist(),
            "outcome": outcome.tolist(),
            "seed": rng.integers(0, 10**6, n),
            "nodes": rng.integers(0, 10**5, n),
            "source": [f"logs/{names[i]}/{j}.log:{4 * k + 1}" for i, j, k in zip(solver, problem, seed, strict=True)],
        },
    )
    costs = schema.table(
        "costs",
        {
            **keys,
            "measure": ["time"] * n,
            "cost": np.where(outcome == "solved", seconds, np.inf),
            "budget": np.full(n, 600.0),
            "success": outcome == "solved",
            "n": np.ones(n, np.int32),
        },
    )
    reports = [{"source": "all", "algorithms": names, "suites": ["suite"], "problems": [], "trials": {}, "irregularities": []}]
    return {
        "name": "many",
        "title": "Many runs",
        "config": {"problem_keys": ["problem"], "measures": {"time": {"kind": "given", "aggregate": "mean", "mean_shift": 10.0}}},
        "tables": [],
        "figures": [],
        "verdicts": {},
        "reports": reports,
        "data": {"ingest": reports},
        "listed": {"trials": trials, "costs": costs},
    }


def main(n: int) -> None:
    """Write the page, open it and print what it took."""
    from playwright.sync_api import sync_playwright

    begun = time.process_time()
    given = study(n)
    made = page.pages([{**given, "evidence": runs.evidence(given, {})}])
    cpu_s, gigabytes = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{n} runs: {len(made.report) / 1e6:.2f} and {len(made.runs) / 1e6:.2f} MB, {cpu_s:.1f} s, {gigabytes:.1f} GB")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        file = Path(folder) / "report.html"
        file.write_text(made.report, "utf-8")
        (file.parent / "report").mkdir()
        (file.parent / "report/runs.html").write_text(made.runs, "utf-8")
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1400, "height": 900})
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable")

        def cpu() -> tuple[float, float]:
            found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
            return found["TaskDuration"], found["JSHeapUsedSize"] / 1e6

        def step(name: str, do: Any, until: str) -> None:
            before, wall = cpu()[0], time.perf_counter()
            do()
            tab.locator(until).first.wait_for(timeout=60_000)
            tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            after, heap = cpu()
            clock = time.perf_counter() - wall
            print(f"  {name}: {after - before:.2f} s of the page's thread, {clock:.2f} s by the clock, {heap:.0f} MB")

        row = "#explore-runs tbody tr:not(.space)"
        step("open", lambda: tab.goto(f"{file.as_uri()}#explore?study=many&view=runs"), row)
        step("filter", lambda: tab.locator("#explore-filter-outcome").fill("memory"), "#explore-caution")
        step("no filter", lambda: tab.locator("#explore-filter-outcome").fill(""), "#explore-runs-count:has-text('successful')")
        step("sort", lambda: tab.locator("th[data-column=cost] button").click(), "th[data-column=cost][aria-sort]")
        step("group", lambda: tab.locator("#explore-group").select_option("problem"), "#explore-runs .heading")
        step(
            "profile", lambda: tab.locator("#explore-chart").select_option("profile"), "#explore-caption:has-text('Performance')"
        )
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
