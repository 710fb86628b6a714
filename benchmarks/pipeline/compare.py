"""Time a whole analysis: benchmill beside cocopp.main on the same COCO archives, interleaved in one run.

Each measurement starts in an empty folder with copies of the archives, so that nothing made before helps either side, and is
taken of whole processes with their children: wall time, processor time (user and system), peak memory of the largest process.
`--breakdown` says instead where the time of benchmill goes, by script and by part (`sitecustomize.py` beside this file).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]

#: The study that both sides are asked for: running times to COCO's 51 targets, ECDFs, tables, tests, a page.
STUDY = """\
studies:
  coco:
    title: {n} algorithms on the BBOB functions
    sources: "*.tgz"
    measures:
      ert: {{kind: fixed_target, targets: [10, 1, 0.1, 1.0e-2, 1.0e-3, 1.0e-5, 1.0e-7]}}
    profiles: [dolan_more]
"""

COCOPP = """\
import sys
import matplotlib
matplotlib.use("Agg")
import cocopp
cocopp.main("-o out " + " ".join(sys.argv[1:]))
"""


def benchmill(folder: Path, archives: list[Path], cores: int) -> tuple[list[str], dict[str, str]]:
    """Raw archives to figures, tables, paper and page."""
    (folder / "config.yaml").write_text(STUDY.format(n=len(archives)), "utf-8")
    command = ["snakemake", "--snakefile", str(HERE / "Snakefile"), "--configfile", "config.yaml", "--directory", "."]
    return [*command, "--cores", str(cores), "--quiet", "all"], {}


def cocopp(folder: Path, archives: list[Path], cores: int) -> tuple[list[str], dict[str, str]]:
    """Raw archives to cocopp's pages, figures and tables; it uses one core."""
    return [sys.executable, "-c", COCOPP, *(str(path) for path in archives)], {"HOME": str(folder)}


SIDES = {"benchmill": benchmill, "cocopp": cocopp}


def measured(side: str, paths: list[Path], cores: int, **told: str) -> dict[str, object]:
    """One run of one side in a process group of its own; `told` are further variables of its environment."""
    with tempfile.TemporaryDirectory(prefix="pipeline-") as name:
        folder = Path(name)
        archives = [Path(shutil.copy(path, folder)) for path in paths]
        command, variables = SIDES[side](folder, archives, cores)
        child = os.fork()
        if child == 0:  # the limits of RUSAGE_CHILDREN are those of one process: a fresh one for each measurement
            begun = time.perf_counter()
            with (folder / "log").open("wb") as log:
                code = subprocess.run(
                    command, cwd=folder, env={**os.environ, **variables, **told}, stdout=log, stderr=subprocess.STDOUT
                ).returncode
            wall = time.perf_counter() - begun
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            record = {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024, "code": code}
            (folder / "measured.json").write_text(json.dumps(record), "utf-8")
            os._exit(0)
        os.waitpid(child, 0)
        record = json.loads((folder / "measured.json").read_text("utf-8"))
        if record["code"] != 0:
            sys.exit((folder / "log").read_text("utf-8", "replace")[-3000:])
        made = [p for p in folder.rglob("*") if p.is_file() and ".snakemake" not in p.parts and "refalgs" not in p.parts]
        record["files"] = Counter(p.suffix for p in made if p.suffix in {".pdf", ".svg", ".png", ".tex", ".html", ".parquet"})
        return record


#: What a script is for; the others compute.
PARTS = {
    "snakemake": "Snakemake itself",
    "fork_server": "what jobs import, once",
    "ingest": "reading",
    "figures": "drawing",
    **dict.fromkeys(("tables", "config", "paper", "page", "section", "changes"), "tables, paper, page"),
    "paper_pdf": "TeX",
}


def break_down(paths: list[Path], cores: int) -> None:
    """Say where the time of one run of benchmill goes: processor time by script and by part, and how many jobs run at a time."""
    with tempfile.TemporaryDirectory(prefix="pipeline-") as name:
        lines = Path(name) / "breakdown"
        path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        run = measured("benchmill", paths, cores, PYTHONPATH=path, BREAKDOWN=str(lines))
        processes = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    scripts: dict[str, list[dict[str, float]]] = {}
    for process in processes:
        # a script of a rule is run under a name of its own: tmp_….figures.py
        scripts.setdefault(process["script"].removesuffix(".py").split(".")[-1], []).append(process)
    parts: Counter[str] = Counter()
    print("script                processes  imports [s]  other Python [s]  programs [s]")
    for script, found in sorted(scripts.items(), key=lambda item: -sum(p["python"] for p in item[1])):
        imports, python = (sum(process[key] for process in found) for key in ("imports", "python"))
        # what these two start is listed itself
        programs = 0.0 if script in ("snakemake", "fork_server") else sum(process["programs"] for process in found)
        parts[PARTS.get(script, "computing")] += python + programs
        print(f"{script:20} {len(found):10} {imports:12.2f} {python - imports:17.2f} {programs:13.2f}")
    for part, seconds in parts.most_common():
        print(f"{part:24} {seconds:6.2f} s of processor time, {seconds / parts.total():4.0%}")
    jobs = [process for script, found in scripts.items() if script not in ("snakemake", "fork_server") for process in found]
    (snakemake,) = scripts["snakemake"]
    changes = sorted([(job["begun"], 1) for job in jobs] + [(job["ended"], -1) for job in jobs])
    at_once: Counter[int] = Counter()
    running = 0
    for (moment, change), (following, _) in pairwise(changes):
        running += change
        at_once[running] += following - moment
    print(f"wall time {run['wall']:.1f} s: {changes[0][0] - snakemake['begun']:.1f} s before the first job; then", end=" ")
    print(", ".join(f"{seconds:.1f} s with {n} jobs at once" for n, seconds in sorted(at_once.items())))


def main() -> None:
    """Print a table of medians and the ratios of cocopp to benchmill."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="+", type=Path, help="COCO archives")
    parser.add_argument("--sizes", nargs="+", type=int, help="how many of them, from the first on (default: 2, 4, all)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--only", choices=SIDES, help="measure one side alone")
    parser.add_argument("--breakdown", action="store_true", help="say where the time of benchmill goes, in one run of each size")
    asked = parser.parse_args()
    if asked.breakdown:
        for n in asked.sizes or [2]:
            print(f"{n} archives")
            break_down(asked.archives[:n], asked.cores)
        return
    sides = [asked.only] if asked.only else list(SIDES)
    print("archives  side       wall [s]  CPU [s]  peak [MB]  made")
    for n in asked.sizes or sorted({2, 4, len(asked.archives)}):
        runs: dict[str, list[dict[str, object]]] = {side: [] for side in sides}
        for _ in range(asked.repeats):
            for side in sides:
                runs[side].append(measured(side, asked.archives[:n], asked.cores))
        middle = {
            side: {key: statistics.median(run[key] for run in runs[side]) for key in ("wall", "cpu", "peak_mb")}  # type: ignore[type-var]
            for side in sides
        }
        for side in sides:
            made = ", ".join(f"{count} {suffix[1:]}" for suffix, count in sorted(runs[side][0]["files"].items()))  # type: ignore[attr-defined]
            m = middle[side]
            print(f"{n:8}  {side:9} {m['wall']:9.1f} {m['cpu']:8.1f} {m['peak_mb']:10.0f}  {made}", flush=True)
        if len(sides) > 1:
            times = {key: f"{middle['cocopp'][key] / middle['benchmill'][key]:.1f}" for key in ("wall", "cpu")}
            print(f"{n:8}  cocopp takes {times['wall']} times the wall time, {times['cpu']} times the CPU time", flush=True)


if __name__ == "__main__":
    main()
