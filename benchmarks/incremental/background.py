"""How large a background of 200 algorithms is, and how long it takes to make and to use.

    python benchmarks/incremental/background.py [--size 200] [--folder FOLDER]

Makes so many archives of the whole suite bbob (24 functions, 6 dimensions, 15 instances; random walks), a background of them,
and a study that compares one of the algorithms with the background. Times are of the processor, with all that is started.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kit import command, spent, write_coco

CONFIG = """studies:
  mine:
    sources:
      - {path: mine.tgz, algorithm: mine}
      - {path: background.zip, most_algorithms: 1000}
    measures:
      ert: {kind: fixed_target, targets: [10, 1.0e-1, 1.0e-3, 1.0e-7], missing: common}
    profiles: [dolan_more]
    figures: []
"""


def main() -> None:
    """Print size and times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="benchmill-background-"))
    logs = folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for number in range(options.size):
        file = logs / f"algorithm{number:03}.tgz"
        if not file.exists():
            write_coco(file, number, 24, (2, 3, 5, 10, 20, 40))
    size = sum(file.stat().st_size for file in logs.iterdir())
    print(f"{options.size} archives, {size / 1e6:.0f} MB", flush=True)
    seconds = command(folder, "background", "make", *map(str, sorted(logs.iterdir())), "-o", "background.zip")
    print(f"  made in {seconds:.0f} s: {(folder / 'background.zip').stat().st_size / 1e6:.1f} MB", flush=True)
    (folder / "config.yaml").write_text(CONFIG)
    write_coco(folder / "mine.tgz", 10_000, 24, (2, 3, 5, 10, 20, 40))
    for what in ("leaders.parquet", ""):
        target = [f"results/mine/{what}"] if what else []
        code = "import sys; sys.argv[0] = 'benchmill'; from benchmill.workflow import make; from pathlib import Path; "
        code += f"make(Path('config.yaml'), Path(), '2', {target!r})"
        before = spent()
        run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(run.stdout[-3000:] + run.stderr[-3000:])
        print(f"  {'all results' if not what else 'who leads'}: {spent() - before:.0f} s", flush=True)
    if options.folder is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
