"""What one more entry costs in a competition of 60: its check and the site after it, against making the site from scratch.

    python benchmarks/incremental/kit.py [--size 60] [--logs coco|table] [--functions 24] [--folder FOLDER] [--keep]

`benchmill init --competition` makes the repository; the entries' logs are made here: archives of COCO (`--logs coco`; so many
functions, 2 dimensions, 15 instances, a digest of a random walk each) or tables of solver runs (200 models, 3 seeds). Then so
many entries are published from scratch, one more is checked (`check-entry`) and published. Times are of the processor, of the
commands and all that they start.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

RULES = {
    "coco": "source: {format: coco}\n      tie_breaks: [average_rank]",
    "table": "source: {format: table, columns: {problem: model, cost: seconds, outcome: status, run: seed, seed: seed}, "
    "outcomes: {timeout: time_limit}, time_limit: 600}"
    "\n      seeds: [1, 2, 3]\n      time_limit: 600",
}
MEASURE = {
    "coco": "ert: {kind: fixed_target, targets: [10, 1.0e-1, 1.0e-3, 1.0e-7]}",
    "table": "time: {kind: given}",
}
CONFIG = """studies:
  cup:
    title: A cup
    competition:
      {rules}
      awards: [largest_contribution, biggest_lead, best_newcomer]
    measures:
      {measure}
    profiles: [dolan_more]
"""


def walk(rng: random.Random, budget: int) -> list[tuple[int, float]]:
    """Improvements of a run: evaluations, and distance to the optimum."""
    log10, at, skill = rng.uniform(1, 4), 1, rng.uniform(0.3, 1)
    rows = [(at, 10**log10)]
    while True:
        at = math.ceil(at * rng.uniform(1.05, 1.4)) + 1
        if at > budget or log10 < -8:
            return rows
        log10 -= rng.expovariate(1) * skill
        rows.append((at, 10**log10))


def write_coco(
    file: Path, numbers: Sequence[int], functions: int, dimensions: Sequence[int] = (2, 5), instances: int = 15
) -> None:
    """An archive of COCO's old format, of one algorithm or several."""
    with tempfile.TemporaryDirectory() as temporary, tarfile.open(file, "w:gz", compresslevel=1) as archive:
        for number in numbers:
            folder = Path(temporary) / f"algorithm{number:03}"
            write_folder(folder, number, functions, dimensions, instances)
            archive.add(folder, folder.name)


def write_folder(folder: Path, number: int, functions: int, dimensions: Sequence[int], instances: int) -> None:
    """The logs of an algorithm."""
    for function in range(1, functions + 1):
        rng = random.Random(1000 * number + function)
        data = folder / f"data_f{function}"
        data.mkdir(parents=True)
        heads = []
        for dimension in dimensions:
            name, lines, ends = f"bbobexp_f{function}_DIM{dimension}", [], []
            for instance in range(1, instances + 1):
                budget = 1000 * dimension
                rows = walk(rng, budget)
                lines.append("% function evaluation | noise-free fitness - Fopt | best noise-free fitness - Fopt | measured")
                lines += [f"{at} {value:+.9e} {value:+.9e} {value:+.9e}" for at, value in rows]
                if rows[-1][0] < budget and rows[-1][1] > 1e-8:
                    lines.append(f"{budget} " + " ".join([f"{rows[-1][1]:+.9e}"] * 3))
                last = int(lines[-1].split()[0])
                ends.append(f"{instance}:{last}|{rows[-1][1]:.1e}")
            for suffix in ("dat", "tdat"):
                (data / f"{name}.{suffix}").write_text("\n".join(lines) + "\n")
            head = f"funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, algId = 'algorithm{number:03}'"
            heads += [head, "% made", f"data_f{function}/{name}.dat, {', '.join(ends)}"]
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(heads) + "\n")


def write_table(file: Path, number: int) -> None:
    """A table of solver runs."""
    rng = random.Random(number)
    skill = rng.lognormvariate(0, 0.5)
    lines = ["model,seconds,status,seed"]
    for model in range(200):
        hard = random.Random(f"model {model}").lognormvariate(3, 2)
        for seed in (1, 2, 3):
            seconds = skill * hard * rng.lognormvariate(0, 0.4)
            lines.append(f"m{model},{min(seconds, 600):.3f},{'solved' if seconds < 600 else 'timeout'},{seed}")
    file.write_text("\n".join(lines) + "\n")


def enter(folder: Path, number: int, options: argparse.Namespace) -> None:
    """Add an entry."""
    entry = folder / "entries" / f"e{number:03}"
    entry.mkdir()
    logs = "logs.tgz" if options.logs == "coco" else "runs.csv"
    if options.logs == "coco":
        write_coco(entry / logs, [number], options.functions)
    else:
        write_table(entry / logs, number)
    (entry / "entry.yaml").write_text(f"name: Entry {number:03}\nauthors: [A]\nlogs: {logs}\n")


def spent() -> float:
    """Processor time of everything that was started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(folder: Path, *arguments: str) -> float:
    """Run benchmill; the processor time."""
    before = spent()
    run = subprocess.run([sys.executable, "-m", "benchmill", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode == 2:
        sys.exit(run.stderr + run.stdout)
    return spent() - before


def main() -> None:
    """Print what each command takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=60)
    parser.add_argument("--logs", choices=RULES, default="coco")
    parser.add_argument("--functions", type=int, default=24)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    root = options.folder or Path(tempfile.mkdtemp(prefix="benchmill-kit-"))
    folder = root / "cup"
    command(root, "init", "--competition", "cup")
    (folder / "config.yaml").write_text(CONFIG.format(rules=RULES[options.logs], measure=MEASURE[options.logs]))
    for number in range(options.size):
        enter(folder, number, options)
    print(f"{options.size} entries of {options.logs} logs")
    scratch = command(folder, "publish", "--date", "2026-01-01")
    print(f"  the site from scratch  {scratch:7.1f} s", flush=True)
    enter(folder, options.size, options)
    check = command(folder, "check-entry", f"e{options.size:03}", "--date", "2026-01-02")
    print(f"  check of one more      {check:7.1f} s", flush=True)
    publish = command(folder, "publish", "--date", "2026-01-02")
    print(f"  the site after it      {publish:7.1f} s", flush=True)
    print(f"  together               {(check + publish) / scratch:9.3f} of from scratch", flush=True)
    again = command(folder, "publish", "--date", "2026-01-03")
    print(f"  nothing new            {again:7.1f} s", flush=True)
    if not options.keep:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
