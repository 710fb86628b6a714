"""Run every benchmark and print its table: times of benchmill beside those of what one would use instead, as ratios.

    python benchmarks/all.py [NAME ...]

Needs the packages of the extra `compare` (`make bench` installs them). Reading and the whole pipeline are timed on the archives
in `BENCHMILL_REAL_DATA` (`coco-bbob/*.tgz`, `ioh-json-dat/*`), where it is set, else on the shipped ones.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def commands() -> dict[str, list[str]]:
    """What is run, by name: script and arguments."""
    logs = os.environ.get("BENCHMILL_REAL_DATA")
    coco = sorted(Path(logs).glob("coco-bbob/*.tgz")) if logs else sorted(HERE.parent.glob("data/bbob/*.tar.xz"))
    ioh = sorted(Path(logs).glob("ioh-json-dat/*")) if logs else []
    found = {
        "pipeline": ["pipeline/compare.py", *coco],
        "incremental": ["incremental/run.py", "--sizes", "5", "20", "60"],
        "cluster": ["cluster/rehearse.py"],
        "ingest": ["ingest/compare.py", "--rounds", "3", *coco, *ioh],
        "profiles": ["profiles/run.py", "--large", "--repeats", "3"],
        "inference": ["inference/compare.py"],
        "frontdoor": ["frontdoor/run.py"],
        "tries": ["frontdoor/tries.py"],
        "size": ["size/verdicts.py", "2000"],
        "report": ["report/open_page.py", "--rounds", "3"],
    }
    if ioh:
        found["indicators"] = ["indicators/against_iohinspector.py", ioh[0]]
    return {name: [str(part) for part in command] for name, command in found.items()}


def main() -> None:
    """Run those that are asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of " + ", ".join(commands()))
    asked = parser.parse_args().names or list(commands())
    failed = []
    for name in asked:
        if name not in commands():
            parser.error(f"there is no benchmark {name!r}; choose among {', '.join(commands())}")
        script, *arguments = commands()[name]
        print(f"\n## {name}\n", flush=True)
        begun = time.perf_counter()
        if subprocess.run([sys.executable, str(HERE / script), *arguments]).returncode:
            failed.append(name)
        print(f"\n({time.perf_counter() - begun:.0f} s)", flush=True)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
