"""What a study of so many sources sends to a cluster: submissions, what they ask for, and what it takes to plan them.

    python benchmarks/cluster/rehearse.py [--sizes 60 1000] [--profile profiles/slurm]
    python benchmarks/cluster/rehearse.py --sizes 60 --queue 30

The study is that of `benchmarks/incremental`: the shipped logs under other names, with all figures and tables. No job is
started: an executor of its own notes what Snakemake would submit. With `--queue` the study is made on a Slurm that is started on
this machine, as for `make cluster-test`, and each submission may start so many seconds after it was made.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "incremental"), str(PROJECT)]

from run import write_study  # noqa: E402


def snakemake(folder: Path, size: int, *arguments: object, **environment: str) -> tuple[str, float, float]:
    """Run Snakemake on the study: what it said, seconds of the processor, and MB of the largest process."""
    write_study(folder, size)
    command = [sys.executable, "-m", "snakemake", "-s", PROJECT / "Snakefile", "--directory", folder]
    command += ["--configfile", folder / "study.yaml", *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [str(part) for part in command],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode:
        sys.exit(run.stdout)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return run.stdout, used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, used.ru_maxrss / 1024


def rehearse(folder: Path, size: int, profile: Path) -> None:
    """Plan the study for a cluster, and print what would be submitted."""
    settings = yaml.safe_load((profile / "config.yaml").read_text("utf-8"))
    # what decides how jobs are put together, and not where they go
    kept = ("group-components", "cores", "default-resources", "retries")
    (folder / "profile").mkdir()
    (folder / "profile/config.yaml").write_text(yaml.safe_dump({key: settings[key] for key in kept if key in settings}))
    told = folder / "rehearsal.jsonl"
    paths = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    asked = ("--profile", folder / "profile", "--executor", "rehearse", "--quiet", "all")
    _, seconds, memory = snakemake(folder, size, *asked, PYTHONPATH=paths, REHEARSAL=str(told))
    lines = [json.loads(line) for line in told.read_text("utf-8").splitlines()]
    sent = [line for line in lines if line["submitted"]]
    print(f"\n{size} sources: planned in {seconds:.1f} s of processor time with {memory:.0f} MB")
    print(f"  {sum(line['jobs'] for line in lines)} jobs, {len(lines) - len(sent)} of them where Snakemake runs")
    print(f"  {len(sent)} submissions in {len({line['round'] for line in sent})} rounds")
    for name, number in collections.Counter(line["name"] for line in sent).items():
        same = [line for line in sent if line["name"] == name]
        most = {key: max(line[key] or 0 for line in same) for key in ("jobs", "cores", "mem_mb", "minutes")}
        print(f"    {number:4} {name}, at most {', '.join(f'{value} {key}' for key, value in most.items())}", flush=True)


def make(folder: Path, size: int, profile: Path, wait: int) -> None:
    """Make the study on Slurm, and print how long it took."""
    from tests.cluster.conftest import slurm

    resources = yaml.safe_load((profile / "config.yaml").read_text("utf-8"))["default-resources"]
    asked = [f"{name}={value}" for name, value in {**resources, "slurm_extra": f"'--begin=now+{wait}'"}.items()]
    with slurm():
        begun = time.perf_counter()
        said, _, _ = snakemake(folder, size, "--profile", profile, "--slurm-no-account", "--default-resources", *asked)
        took = time.perf_counter() - begun
    jobs = len(set(re.findall(r"SLURM jobid (\d+)", said)))
    print(f"\n{size} sources on Slurm: {jobs} submissions that wait {wait} s each, all made after {took:.0f} s", flush=True)


def main() -> None:
    """Do so for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[60, 1000])
    parser.add_argument("--profile", type=Path, default=PROJECT / "profiles/slurm")
    parser.add_argument("--queue", type=int, metavar="SECONDS")
    options = parser.parse_args()
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="benchmill-cluster-") as folder:
            if options.queue is None:
                rehearse(Path(folder), size, options.profile)
            else:
                make(Path(folder), size, options.profile, options.queue)


if __name__ == "__main__":
    main()
