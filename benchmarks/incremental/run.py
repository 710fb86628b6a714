"""What one more algorithm, one less and changed settings cost in a study of 5, 20 or 60, against making all of it from scratch.

    python benchmarks/incremental/run.py [--sizes 5 20 60] [--cocopp 5 20] [--cores 2] [--folder FOLDER] [--keep]

The algorithms are the shipped logs under other names. For each size a study of that many is made from scratch; then one is
added, it is removed again, the height of one figure and the budget of the measure of quality are changed, with Snakemake run
after each; results are kept in between as a user would keep them. `cocopp.main`, which begins anew each
time, is run on one more than the size where it is installed (put it on PYTHONPATH). Times are of the processor, of Snakemake
and all that it starts.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[2]
ARCHIVES = sorted((PROJECT / "data/bbob").glob("*.tar.xz"))
STUDY = """studies:
  many:
    sources:
{sources}
    measures:
      ert: {{kind: fixed_target}}
      quality: {{kind: fixed_budget, budgets: [{budget}], floor: 1.0e-8}}
    figures: [all, {{kind: profile, name: mine, measures: [ert], height: {height}cm}}]
"""


def seconds() -> float:
    """Processor time of everything that was started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_study(folder: Path, number: int, budget: int = 100, height: int = 6) -> None:
    """Write the configuration of a study of so many algorithms; the height of one figure is in cm."""
    lines = [
        f"      - {{path: {ARCHIVES[i % len(ARCHIVES)]}, name: s{i:03}, algorithm: algorithm {i:03}}}" for i in range(number)
    ]
    (folder / "study.yaml").write_text(STUDY.format(sources="\n".join(lines), budget=budget, height=height))


def make(folder: Path, number: int, cores: int, **settings: int) -> tuple[float, collections.Counter[str]]:
    """Make a study of so many algorithms, or what is missing of it: processor time, and jobs by rule."""
    write_study(folder, number, **settings)
    command = ["snakemake", "-s", PROJECT / "Snakefile", "--directory", folder, "--configfile", folder / "study.yaml"]
    before = seconds()
    run = subprocess.run(
        [str(part) for part in (*command, "--cores", cores)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if run.returncode:
        sys.exit(run.stdout)
    jobs = collections.Counter(re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", run.stdout, re.MULTILINE))
    return seconds() - before, jobs


def post_process(folder: Path, number: int) -> float:
    """Processor time of cocopp.main on so many algorithms."""
    folder.mkdir(parents=True)
    for i in range(number):
        with tarfile.open(ARCHIVES[i % len(ARCHIVES)]) as archive:
            archive.extractall(folder / f"a{i:03}", filter="data")
    before = seconds()
    arguments = ["-o", "ppdata", *(f"a{i:03}" for i in range(number))]
    code = f"import cocopp; cocopp.genericsettings.interactive_mode = False; cocopp.main({arguments})"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    if run.returncode:
        sys.exit(run.stdout[-3000:])
    return seconds() - before


def main() -> None:
    """Print one row per size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 20, 60])
    parser.add_argument("--cocopp", type=int, nargs="*", default=[])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    root = options.folder or Path(tempfile.mkdtemp(prefix="benchmill-incremental-"))
    for size in options.sizes:
        folder = root / str(size)
        folder.mkdir(parents=True)
        scratch, scratch_jobs = make(folder, size, options.cores)
        added, added_jobs = make(folder, size + 1, options.cores)
        again = {
            "one less": make(folder, size, options.cores),
            "one figure higher": make(folder, size, options.cores, height=7),
            "another budget": make(folder, size, options.cores, height=7, budget=200),
        }
        new = (folder / "results/many").rglob(f"s{size:03}.*")
        print(f"\n{size} algorithms, {len(list(new))} files of the new source alone")
        print(f"  from scratch      {scratch:7.1f} s, {scratch_jobs.total():4} jobs")
        print(f"  one more          {added:7.1f} s, {added_jobs.total():4} jobs, {added / scratch:.3f} of from scratch")
        for what, (used, jobs) in again.items():
            print(f"  {what:18}{used:6.1f} s, {jobs.total():4} jobs, {used / scratch:.3f} of from scratch")
        print("  jobs of the figure: " + ", ".join(sorted(again["one figure higher"][1])))
        print("  jobs of the addition: " + ", ".join(f"{rule} {count}" for rule, count in sorted(added_jobs.items())), flush=True)
        if not options.keep:
            shutil.rmtree(folder)
    for size in options.cocopp:
        print(f"\ncocopp.main on {size + 1}: {post_process(root / f'cocopp-{size}', size + 1):.1f} s", flush=True)
        if not options.keep:
            shutil.rmtree(root / f"cocopp-{size}")


if __name__ == "__main__":
    main()
