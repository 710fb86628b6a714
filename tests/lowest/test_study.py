"""The lowest versions that `pyproject.toml` admits make the numbers of the pinned ones (`make lowest-test`)."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

PROJECT = Path(__file__).parents[2]
LOCK = (Path(__file__).parent / "requirements.lock").read_text("utf-8")
LOWEST = dict(re.findall(r"^([a-z]+)==([0-9.]+)", LOCK, re.MULTILINE))
LIBRARIES = ("matplotlib", "numpy", "pandas", "pyarrow", "scipy", "seaborn", "snakemake")

pytestmark = pytest.mark.skipif("BENCHMILL_PINNED" not in os.environ, reason="`make lowest-test` has the lowest versions")

STUDY = """studies:
  bbob:
    sources: [{data}/bbob/CMA-ES.tar.xz, {data}/bbob/Nelder-Mead.tar.xz, {data}/bbob/Random-search.tar.xz]
    measures:
      ert: {{kind: fixed_target, targets: [10, 0.1, 1.0e-6]}}
      quality: {{kind: fixed_budget, budgets: [100], floor: 1.0e-8}}
  table:
    sources: [{{path: {data}/paper-tables/hekmati2018_table1_times.csv, columns: {{algorithm: solver, cost: time}}}}]
    problem_keys: [problem]
    measures:
      time: {{kind: given, aggregate: single}}
"""


def made_by(python, folder):
    """Make the study with this Python and what it finds first; its results."""
    folder.mkdir()
    (folder / "config.yaml").write_text(STUDY.format(data=PROJECT / "data"))
    command = [python, "-m", "snakemake", "-s", PROJECT / "Snakefile", "--directory", folder]
    command += ["--configfile", folder / "config.yaml", "--cores", "all", "--quiet"]
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    return folder / "results"


def differing(ours, theirs):
    """Columns of two tables of the same shape that differ by more than the libraries' own rounding."""
    if ours.columns.tolist() != theirs.columns.tolist() or len(ours) != len(theirs):
        return ["shape"]
    return [
        name
        for name in ours
        if not (
            np.allclose(ours[name], theirs[name], rtol=1e-8, atol=1e-12, equal_nan=True)
            if pd.api.types.is_float_dtype(ours[name].dtype)
            else ours[name].astype(str).equals(theirs[name].astype(str))
        )
    ]


def test_these_are_the_lowest_versions():
    assert {name: version(name) for name in LIBRARIES} == {name: LOWEST[name] for name in LIBRARIES}


def test_the_numbers_are_those_of_the_pinned_versions(tmp_path):
    lowest, pinned = made_by(sys.executable, tmp_path / "lowest"), made_by(os.environ["BENCHMILL_PINNED"], tmp_path / "pinned")
    names = sorted(path.relative_to(pinned) for path in pinned.rglob("*.parquet"))
    assert len(names) > 40
    assert sorted(path.relative_to(lowest) for path in lowest.rglob("*.parquet")) == names
    found = {
        name: differing(pq.read_table(lowest / name).to_pandas(), pq.read_table(pinned / name).to_pandas()) for name in names
    }
    assert {str(name): columns for name, columns in found.items() if columns} == {}
    figures = {path.relative_to(pinned) for path in pinned.glob("*/figures/*")}
    assert {path.relative_to(lowest) for path in lowest.glob("*/figures/*")} == figures
    assert len(figures) > 10
