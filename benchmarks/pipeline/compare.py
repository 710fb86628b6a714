"""Time a whole analysis: benchmill beside cocopp.main on the same COCO archives, interleaved in one run.

Each measurement starts in an empty folder with copies of the archives, so that nothing made before helps either side, and is
taken of whole processes with their children: wall time, processor time (user and system), peak memory of the largest process.
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


def measured(side: str, paths: list[Path], cores: int) -> dict[str, object]:
    """One run of one side in a process group of its own."""
    with tempfile.TemporaryDirectory(prefix="pipeline-") as name:
        folder = Path(name)
        archives = [Path(shutil.copy(path, folder)) for path in paths]
        command, variables = SIDES[side](folder, archives, cores)
        child = os.fork()
        if child == 0:  # the limits of RUSAGE_CHILDREN are those of one process: a fresh one for each measurement
            begun = time.perf_counter()
            with (folder / "log").open("wb") as log:
                code = subprocess.run(
                    command, cwd=folder, env={**os.environ, **variables}, stdout=log, stderr=subprocess.STDOUT
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


def main() -> None:
    """Print a table of medians and the ratios of cocopp to benchmill."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="+", type=Path, help="COCO archives")
    parser.add_argument("--sizes", nargs="+", type=int, help="how many of them, from the first on (default: 2, 4, all)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--only", choices=SIDES, help="measure one side alone")
    asked = parser.parse_args()
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
