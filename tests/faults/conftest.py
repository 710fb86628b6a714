"""A small study that uses every rule of the workflow but those that fetch and that write pages of the documentation."""

import pytest

from tests.runs.conftest import PROJECT, Workspace, make_workspace, write_archive, write_logs

RATED = "results/small/ratios/ert.parquet"

SOLVED = """/x/bin/mipcl -threads 1 -time 100 a/{problem}.mps.gz
Reading data...
NAME           {problem}
Start preprocessing: Rows - 16, Cols - 33 (Int - 33, Bin - 33), NZs - 98
===========================================
MIPCL version 1.3.{version}
Solution time: {time}
Branch-and-Cut nodes: 13
Objective value: {value} - optimality proven
"""
STUDIES = f"""
studies:
  small:
    sources: [logs/*.tar.xz, logs/Folder]
    paper: mine/own.tex
    measures:
      ert: {{kind: fixed_target, targets: [10, 1.0e-3]}}
      quality: {{kind: fixed_budget, budgets: [20], floor: 1.0e-8}}
    profiles:
      - dolan_more
      - {{variant: nested, measures: [ert]}}
      - {{variant: log_ratio, pair: [Alpha, Beta], measures: [ert]}}
    indicators:
      ecdf: {{aggregate: [problem]}}
      quantiles: [quality]
    appearance: {{formats: [png]}}
    figures: [profile_ert_dolan_more]
  barreto2010:
    sources: {PROJECT}/data/paper-tables/barreto2010_table1_costs.csv
    problem_keys: [problem]
    measures:
      cost: {{kind: given, aggregate: single}}
    profiles: []
    figures: []
  solvers:
    sources: mip/*.log
    problem_keys: [problem]
    measures:
      time: {{kind: given}}
    profiles: []
    figures: []
"""
OWN_PAPER = (
    r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp,amsmath}\input{numbers.tex}"
    r"\begin{document}\benchmill{small/algorithms} algorithms\end{document}"
)


def make_every_rule(folder):
    """A workspace with that study."""
    logs = folder / "logs"
    logs.mkdir(parents=True)
    for seed, algorithm in enumerate(["Alpha", "Beta"]):
        write_archive(logs / f"{algorithm}.tar.xz", algorithm, seed)
    write_logs(logs / "Folder", "Gamma", 2)
    (folder / "mip").mkdir()
    for version in (1, 2):
        text = "".join(
            SOLVED.format(problem=problem, version=version, time=0.5 * version + place, value=3000.0 + place * version)
            for place, problem in enumerate(["p0033", "p0040", "p0050"])
        )
        (folder / "mip" / f"solver{version}.log").write_text(text)
    (folder / "mine").mkdir()
    (folder / "mine" / "own.tex").write_text(OWN_PAPER)
    (folder / "study.yaml").write_text(STUDIES)
    return Workspace(folder)


@pytest.fixture(scope="session")
def rated(tmp_path_factory):
    """A workspace of the small study of other tests, run as far as `RATED`; copy it before changing anything."""
    workspace = make_workspace(tmp_path_factory.mktemp("rated") / "work")
    run = workspace.run(RATED)
    assert run.code == 0, run.output
    return workspace


@pytest.fixture
def copied(rated, tmp_path):
    """A copy of it."""
    return rated.copy(tmp_path / "work")


def replace(path, seed):
    """Another archive in the place of one."""
    path.unlink()
    write_archive(path, path.name.split(".")[0], seed)
