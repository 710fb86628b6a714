"""Make one large data file, by repeating what a log has under new instance numbers: for measuring memory.

    python benchmarks/ingest/grow.py INFO_OR_JSON MEGABYTES OUT

takes the last data file that a COCO `.info` (with its `.tdat`) or an IOHprofiler `.json` lists.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def repeat(source: Path, target: Path, times: int) -> None:
    """Write the content of a file several times."""
    content = source.read_bytes()
    content += b"" if content.endswith(b"\n") else b"\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        for _ in range(times):
            out.write(content)


def grow_info(listing: Path, megabytes: float, out: Path) -> None:
    """One `.dat` with its `.tdat`, and their lines of `.info`."""
    header, comment, data = listing.read_text().strip().splitlines()[-3:]
    name, *trials = data.split(", ")
    files = [name.replace("\\", "/"), name.replace("\\", "/").removesuffix(".dat") + ".tdat"]
    times = round(megabytes * 1e6 / sum((listing.parent / file).stat().st_size for file in files))
    for file in files:
        repeat(listing.parent / file, out / file, times)
    renamed = (f"{int(number) + 1000 * k}:{end}" for k in range(times) for number, end in (t.split(":") for t in trials))
    (out / listing.name).write_text(f"{header}\n{comment}\n{', '.join([name, *renamed])}\n")


def grow_json(listing: Path, megabytes: float, out: Path) -> None:
    """One `.dat` and its `.json`."""
    content = json.loads(listing.read_text())
    scenario = content["scenarios"][-1]
    times = round(megabytes * 1e6 / (listing.parent / scenario["path"]).stat().st_size)
    repeat(listing.parent / scenario["path"], out / scenario["path"], times)
    runs = [run | {"instance": run["instance"] + 10_000 * k} for k in range(times) for run in scenario["runs"]]
    content["scenarios"] = [scenario | {"runs": runs}]
    (out / listing.name).write_text(json.dumps(content))


if __name__ == "__main__":
    source, size, folder = Path(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])
    (grow_json if source.suffix == ".json" else grow_info)(source, size, folder)
