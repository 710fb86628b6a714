"""Logs of other people's experiments: counts stated where the logs come from, and a plain scan line by line."""

import math
import os
import re
import tarfile
from pathlib import Path

import numpy as np
import pytest

from benchmill import readers
from tests.readers.making import Result

REAL = os.environ.get("BENCHMILL_REAL_DATA")

pytestmark = pytest.mark.skipif(not REAL, reason="BENCHMILL_REAL_DATA does not name the folder of real logs")


def real(path):
    return Path(REAL) / path


def counts(report):
    return {entry["rule"]: entry["count"] for entry in report["irregularities"]}


@pytest.mark.parametrize(
    ("name", "algorithm", "dimensions", "instances", "trials"),
    [
        ("R-SHADE-10e2_Tanabe.tgz", "R-SHADE-10e2", [2, 3, 5, 10, 20], "1-5, 31-40", 1800),
        ("RAND-2xDefault-MATSuMoTo_Brockhoff.tgz", "RAND-2xDefault-MATSuMoTo", [2, 3, 5, 10, 20], "1-5, 41-50", 1800),
        ("DIRECT_posik_noiseless.data-only.tgz", "DIRECT", [2, 3, 5, 10, 20, 40], "1-5", 720),
    ],
)
def test_clean_archives(name, algorithm, dimensions, instances, trials):
    report = readers.examine(real("coco-bbob") / name)
    assert (report["algorithms"], report["suites"]) == ([algorithm], ["bbob"])
    assert report["problems"] == [f"f{i}" for i in range(1, 25)]
    assert (report["dimensions"], report["instances"]) == (dimensions, instances)
    assert (report["trials"]["found"], report["trials"]["missing"]) == (trials, 0)
    assert report["irregularities"] == []


def test_one_folder_a_trial_with_missing_trials():
    report = readers.examine(real("coco-bbob/Ord-N-DTS-CMA-ES_Pitra.tgz"))
    trials = report["trials"]
    assert (trials["found"], trials["expected"], trials["missing"], trials["unexpected"]) == (1725, 1800, 75, 0)
    assert len(report["missing"]) == 75
    assert report["instances"] == "1-5, 61-70"
    assert report["irregularities"] == []


def test_unfinished_trials_and_stray_files():
    report = readers.examine(real("coco-bbob/BrentSTEPqi_Posik.tgz"))
    assert report["trials"]["ill_finalised"] == 12
    assert report["trials"]["found"] + report["trials"]["missing"] == 1800
    assert set(report["dimensions"]) == {2, 3, 5, 10, 20}
    found = counts(report)
    assert set(found) == {"unfinished_trial", "file_not_listed"}
    assert found["unfinished_trial"] == 12
    stray = next(e for e in report["irregularities"] if e["rule"] == "file_not_listed")
    assert {e["file"].rpartition("_")[2] for e in stray["examples"]} == {"DIM1.dat", "DIM1.tdat"}


def test_a_foreign_logger():
    report = readers.examine(real("coco-bbob/EvoSpace-PSO-GA_Garcia-Valdez.tgz"))
    assert report["trials"]["found"] == 1800
    found = counts(report)
    assert found["budget_from_trace"] == 672
    rising = next(e for e in report["irregularities"] if e["rule"] == "running_minimum")
    assert sum(e["file"].endswith(".dat") for e in rising["examples"]) == 4
    assert any("instance 46 of f18 in dimension 2" in e["detail"] for e in rising["examples"] if e["file"].endswith(".dat"))


@pytest.mark.parametrize(
    ("name", "trials", "dimensions", "suite"),
    [
        ("PYCMA_bbob_100D.tgz", 360, [2, 5, 10], "bbob"),
        ("SCIPY-FMIN_bbob_50D.tgz", 360, [2, 5, 10], "bbob"),
        ("RS_bbob-mixint_40D.tgz", 240, [5, 10], "bbob-mixint"),
    ],
)
def test_the_newest_logger(name, trials, dimensions, suite):
    report = readers.examine(real("coco-generated") / name)
    assert (report["trials"]["found"], report["dimensions"], report["suites"]) == (trials, dimensions, [suite])
    assert report["trials"]["missing"] == 0
    assert report["irregularities"] == []


def test_new_format_in_a_folder():
    report = readers.examine(real("coco-bbob-new2/BFGS-scipy-2019_Varelas"))
    assert report["trials"]["found"] == 15
    assert report["instances"] == "1-15"
    assert report["irregularities"] == []


@pytest.mark.parametrize(
    ("name", "algorithm", "dimensions", "trials", "rows"),
    [
        ("RS-100.tgz", "RS-100", [2, 3, 5, 10, 20, 40], 3300, 447061),
        ("MAT-DIRECT_Al-Dujaili_bbob-biobj.tgz", "MAT-DIRECT", [2, 3, 5, 10, 20], 2750, 145930),
    ],
)
def test_indicators_of_bi_objective_suites(tmp_path, name, algorithm, dimensions, trials, rows):
    result = Result(real("coco-bbob-biobj") / name, tmp_path)
    report = result.report
    assert (report["algorithms"], report["suites"]) == ([algorithm], ["bbob-biobj"])
    assert report["problems"] == [f"f{i}" for i in range(1, 56)]
    assert (report["dimensions"], report["instances"]) == (dimensions, "1-10")
    assert (report["trials"]["found"], report["trials"]["missing"], report["rows"]["read"]) == (trials, 0, rows)
    assert report["irregularities"] == []
    # A plain scan: the last row of each block in `.tdat` has the final indicator and the last evaluation.
    plain = {}
    with tarfile.open(real("coco-bbob-biobj") / name) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".tdat"):
                function, dimension = (int(n) for n in re.search(r"_f(\d+)_d(\d+)_", member.name).groups())
                for line in archive.extractfile(member).read().decode().split("\n"):
                    if found := re.search(r"instance = (\d+)", line):
                        key = (f"f{function}", dimension, found[1])
                    elif line and not line.startswith("%"):
                        cells = line.split()
                        plain[key] = (int(cells[0]), min(float(cells[1]), plain[key][1] if key in plain else math.inf))
    found = {(t["problem"], t["dimension"], t["instance"]): (t["budget"], t["best_value"]) for t in result.trials}
    assert found == plain


@pytest.mark.parametrize(
    "name",
    [
        "coco-bbob/DIRECT_posik_noiseless.data-only.tgz",
        "coco-bbob/EvoSpace-PSO-GA_Garcia-Valdez.tgz",
        "coco-bbob/Ord-N-DTS-CMA-ES_Pitra.tgz",
        "coco-generated/PYCMA_bbob_100D.tgz",
    ],
)
def test_every_trial_is_that_of_a_plain_scan(tmp_path, name):
    result = Result(real(name), tmp_path)
    trial = result.traces["trial"].to_numpy()
    cuts = np.searchsorted(trial, np.arange(len(result.trials) + 1))
    evaluations, value = result.traces["evaluations"].to_numpy(), result.traces["value"].to_numpy()
    found = {}
    for number, t in enumerate(result.trials):
        rows = slice(cuts[number], cuts[number + 1])
        steps = list(zip(evaluations[rows].tolist(), value[rows].tolist(), strict=True))
        found[int(t["problem"][1:]), t["dimension"], t["instance"]] = (t["budget"], steps)
    assert found == dict(_scan(real(name)))


def _scan(path):
    files = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(("info", "dat")):
                files[member.name] = archive.extractfile(member).read().decode("latin-1").replace("\r", "")
    for name in (n for n in files if n.endswith(".info")):
        lines = files[name].split("\n")
        for at, line in enumerate(lines):
            if "funcId" not in line:
                continue
            function, dimension = (int(re.search(rf"{key} = (\d+)", line)[1]) for key in ("funcId", "DIM"))
            data, *entries = (part.strip() for part in lines[at + 2].split(","))
            stem = f"{name.rpartition('/')[0]}/{data.removesuffix('.dat')}".replace("\\", "/")
            dat, tdat = (_blocks(files[f"{stem}.{suffix}"]) for suffix in ("dat", "tdat"))
            for entry, early, late in zip(entries, dat, tdat, strict=True):
                instance, _, rest = entry.partition(":")
                best, best_early, steps = math.inf, math.inf, []
                for evaluations, value, timed in sorted([(*row, False) for row in early] + [(*row, True) for row in late]):
                    if (not timed and value < best_early) or (timed and value < best):
                        steps.append((evaluations, value))
                    best = min(best, value)
                    best_early = best_early if timed else min(best_early, value)
                stated = int(rest.partition("|")[0]) if rest else 0
                yield (function, dimension, instance), (max(stated, *(e for e, _ in early + late)), steps)


def _blocks(text):
    blocks = []
    for line in text.split("\n"):
        if line.startswith("%"):
            blocks.append([])
        elif line:
            cells = line.split()
            blocks[-1].append((int(cells[0]), float(cells[2])))
    return blocks
