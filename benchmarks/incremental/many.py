"""A study of a thousand algorithms from scratch: whether it ends, its processor time, its largest process and what it makes.

    python benchmarks/incremental/many.py [--algorithms 1000] [--each 50] [--cores 2] [--folder FOLDER] [--keep]

The logs are made here, as for `kit.py`, several algorithms in an archive: 24 functions in 5 dimensions, 5 instances.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kit
import run


def main() -> None:
    """Make the study, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", type=int, default=1000)
    parser.add_argument("--each", type=int, default=50, help="algorithms of an archive")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="benchmill-many-"))
    folder.mkdir(parents=True, exist_ok=True)
    sources = []
    for first in range(0, options.algorithms, options.each):
        file = folder / f"s{first:04}.tgz"
        if not file.exists():
            kit.write_coco(file, range(first, min(first + options.each, options.algorithms)), 24, (5,), 5)
        sources.append(f"      - {{path: {file}, format: coco}}")
    (folder / "study.yaml").write_text(run.STUDY.format(sources="\n".join(sources), budget=100, height=6))
    command = ["snakemake", "-s", run.PROJECT / "Snakefile", "--directory", folder, "--configfile", folder / "study.yaml"]
    before, begin = run.seconds(), time.monotonic()
    with (folder / "run.log").open("w") as log:
        done = subprocess.run([str(part) for part in (*command, "--cores", options.cores)], stdout=log, stderr=log, check=False)
    if done.returncode:
        sys.exit(f"it failed after {time.monotonic() - begin:.0f} s: {folder / 'run.log'}")
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9
    print(f"{options.algorithms} algorithms: {time.monotonic() - begin:.0f} s, {run.seconds() - before:.0f} s of the processor")
    print(f"largest process {largest:.2f} GB")
    results = folder / "results"
    size = sum(path.stat().st_size for path in results.rglob("*") if path.is_file())
    print(f"results {size / 1e6:.0f} MB", *(f"{p.name} {p.stat().st_size / 1e6:.1f} MB" for p in results.glob("*.*")), sep=", ")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
