"""The logs of public BBOB archives read in plain Python, sharing no code with the package."""

import os
import re
import tarfile
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pytest

DATA = Path(os.environ.get("BENCHMILL_REAL_DATA", "")) / "coco-bbob"
ARCHIVES = {
    "DIRECT": "DIRECT_posik_noiseless.data-only.tgz",
    "R-SHADE-10e2": "R-SHADE-10e2_Tanabe.tgz",
    "BrentSTEPqi": "BrentSTEPqi_Posik.tgz",
    "EvoSpace-PSO-GA": "EvoSpace-PSO-GA_Garcia-Valdez.tgz",
}
TARGETS = [10.0, 1.0, 1e-1, 1e-3, 1e-5, 1e-7]

needs_real_data = pytest.mark.skipif(
    not (os.environ.get("BENCHMILL_REAL_DATA") and DATA.is_dir()), reason="needs BENCHMILL_REAL_DATA, a folder with public logs"
)


def blocks(text):
    """Rows (evaluations, best value) of each trial in a .dat or .tdat file."""
    found = []
    for line in text.splitlines():
        if line.startswith("%"):
            found.append([])
        elif line.strip():
            fields = line.split()
            found[-1].append((int(float(fields[0])), float(fields[2])))
    return found


def scan(archive):
    """(sum spent, successes, trials) by (function, dimension, target); hits are looked for in .dat, budgets in both files."""
    with tarfile.open(archive) as tar:
        texts = {m.name: tar.extractfile(m).read().decode("latin-1") for m in tar if m.isfile()}
    cells = {}
    for name, text in texts.items():
        if not name.endswith(".info"):
            continue
        key = None
        for line in text.replace("\r", "").split("\n"):
            head = re.search(r"funcId\s*=\s*(\d+).*?DIM\s*=\s*(\d+)", line)
            if head:
                key = (int(head[1]), int(head[2]))
            elif line and not line.startswith("%"):
                dat = str(PurePosixPath(name).parent / line.split(",")[0].strip().replace("\\", "/"))
                trials = blocks(texts[dat])
                more = blocks(texts[dat[:-4] + ".tdat"])
                assert len(trials) == len(more)
                for rows, others in zip(trials, more, strict=True):
                    budget = max(evaluations for evaluations, _ in rows + others)
                    best, hits = float("inf"), {}
                    for evaluations, value in sorted(rows, key=lambda row: row[0]):
                        best = min(best, value)
                        for target in TARGETS:
                            if best <= target and target not in hits:
                                hits[target] = evaluations
                    for target in TARGETS:
                        cell = cells.setdefault((*key, target), [0, 0, 0])
                        cell[0] += hits.get(target, budget)
                        cell[1] += target in hits
                        cell[2] += 1
    return cells


def rising(archive):
    """(function, dimension) of the trials in which the best value rises on the way."""
    found = set()
    with tarfile.open(archive) as tar:
        for member in tar:
            place = re.search(r"_f(\d+)_DIM(\d+)\.dat$", member.name)
            if place and member.isfile():
                trials = blocks(tar.extractfile(member).read().decode("latin-1"))
                if any(later[1] > earlier[1] for rows in trials for earlier, later in pairwise(rows)):
                    found.add((int(place[1]), int(place[2])))
    return found
