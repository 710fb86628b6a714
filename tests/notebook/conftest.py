"""A table of solver runs and logs of three algorithms, and one run of the workflow on both."""

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.runs.conftest import FUNCTIONS, Workspace, write_archive

TARGETS = [10.0, 1e-3]
BUDGETS = [5.0, 20.0]
#: Random rearrangements cost most of the time, and how many there are makes no difference here.
FEW = {"permutations": 199}
#: Variants of profiles that both make, with their options.
VARIANTS = [
    {"variant": "dolan_more"},
    {"variant": "nested", "rule": "sum"},
    {"variant": "dolan_more", "by": ["dimension"], "tau_max": 50},
    {"variant": "dolan_more", "name": "banded", "bands": "problems"},
]


def solver_runs():
    """Times of three solvers on twenty models, three runs each: some without a time, some in words, two not made."""
    rng = np.random.default_rng(7)
    models = [f"m{i}" for i in range(1, 21)]
    rows = [(s, m, n) for s in ("Ours", "theirs", "Third one") for m in models for n in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["solver", "model", "vars"])
    frame["vars"] = 2 + frame["model"].str[1:].astype(int) % 3
    frame["seconds"] = np.round(rng.lognormal(0, 1.5, len(frame)), 3)
    frame["state"] = np.where(rng.random(len(frame)) < 0.1, "timeout", "ok")
    frame.loc[frame["state"] == "timeout", "seconds"] = 60.0
    return frame.drop(index=[5, 90]).reset_index(drop=True)


def study():
    """The configuration of both."""
    table = {
        "path": "runs.csv",
        "format": "table",
        "columns": {"algorithm": "solver", "problem": "model", "dimension": "vars", "cost": "seconds", "outcome": "state"},
        "outcomes": {"ok": "solved", "timeout": "time_limit"},
        "citation": "Nobody, 2024",
    }
    return {
        "studies": {
            "table": {
                "sources": [table],
                "measures": {"cost": {"kind": "given", "aggregate": "median", "missing": "failure"}},
                "profiles": VARIANTS,
                "control": "Third one",
                "inference": {"comparisons": ["wilcoxon", "conover"], "corrections": ["holm", "shaffer"], **FEW},
                "figures": [],
            },
            "logs": {
                "sources": "logs/*.tar.xz",
                "measures": {
                    "ert": {"kind": "fixed_target", "targets": TARGETS},
                    "quality": {"kind": "fixed_budget", "budgets": BUDGETS, "floor": 1e-8},
                },
                "profiles": ["dolan_more", "probabilistic", "data"],
                "inference": FEW,
                "indicators": {"ecdf": {"targets": TARGETS}},
                "figures": ["profile_ert_data", "ecdf_problem"],
            },
        }
    }


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with `runs.csv`, `logs`, and the results that the workflow makes of them, without papers and pages."""
    folder = tmp_path_factory.mktemp("notebook") / "work"
    for seed, algorithm in enumerate(["Alpha", "Beta", "Gamma"]):
        write_archive(folder / "logs" / f"{algorithm}.tar.xz", algorithm, seed)
    solver_runs().to_csv(folder / "runs.csv", index=False)
    (folder / "study.yaml").write_text(yaml.safe_dump(study(), sort_keys=False))
    workspace = Workspace(folder)
    wanted = [f"results/{study}/{name}" for study in ("table", "logs") for name in ("config.yaml", "numbers.tex")]
    wanted.append("results/logs/value_ecdf/quality/problem.parquet")
    wanted += [f"results/logs/figures/{name}.txt" for name in ("profile_ert_data", "ecdf_problem")]
    wanted += [f"results/table/tables/{name}_cost.md" for name in ("summary", "outcomes")]
    wanted += [f"results/{name}/references.bib" for name in ("table", "logs")]
    wanted += [f"results/logs/ecdf/{name}.parquet" for name in ("target", "dimension")]
    run = workspace.run(*wanted)
    assert run.code == 0, run.output
    assert len(FUNCTIONS) == 2
    return workspace
