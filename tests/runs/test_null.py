"""Studies of exchangeable solvers through the whole workflow: no text names a leader without what is shown of it."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
import yaml

from benchmill.core import storage

from .conftest import Workspace

pytestmark = pytest.mark.workflow

NAMED = re.compile(r"\b(comes? first with|solves? most|(is|are) fastest|(is|are) first)\b")
VERDICT = re.compile(r"(is|are) (not )?shown to be better|nothing is tested|can be the best|shows (it|them) better")
STUDIES, SOLVERS, INSTANCES, LIMIT = ("one", "two"), 5, 16, 60.0


def runs(seed):
    """Times of exchangeable solvers, of which a sixth ends at the limit."""
    rng = np.random.default_rng(seed)
    rows = [(f"S{solver}", f"m{instance}") for solver in range(SOLVERS) for instance in range(INSTANCES)]
    seconds = np.minimum(np.exp(rng.normal(2.5, 1.6, len(rows))), LIMIT).round(3)
    status = np.where(seconds < LIMIT, "ok", "timeout")
    return pd.DataFrame(rows, columns=["solver", "instance"]).assign(s=seconds, status=status)


@pytest.fixture(scope="module")
def null(tmp_path_factory):
    """Two studies in one paper."""
    folder = tmp_path_factory.mktemp("null") / "work"
    folder.mkdir()
    columns = {"algorithm": "solver", "problem": "instance", "cost": "s", "outcome": "status"}
    table = {"columns": columns, "outcomes": {"ok": "solved", "timeout": "time_limit"}, "time_limit": LIMIT}
    of = {"measures": {"time": {"kind": "given"}}, "figures": [], "inference": {"permutations": 199}}
    for seed, name in enumerate(STUDIES, 1):
        runs(seed).to_csv(folder / f"{name}.csv", index=False)
    studies = {name: {"sources": {"path": f"{name}.csv", **table}, **of} for name in STUDIES}
    (folder / "study.yaml").write_text(yaml.safe_dump({"studies": studies}, sort_keys=False))
    workspace = Workspace(folder)
    run = workspace.run("results/paper/paper.tex", *(f"results/{name}/section.md" for name in STUDIES))
    assert run.code == 0, run.output
    return workspace


def test_wherever_a_leader_is_named_the_verdict_stands_in_that_sentence_or_the_one_before(null):
    named = 0
    for path in ("paper/paper.tex", *(f"{name}/section.md" for name in STUDIES)):
        text = re.sub(r"\s+", " ", null.path(path).read_text("utf-8"))
        sentences = re.split(r"(?<=[.}])\s+(?=[A-Z\\])|(?<=\.)\s+(?=S\d)", text)
        for before, sentence in zip(["", *sentences], sentences, strict=False):
            if NAMED.search(sentence):
                named += 1
                assert VERDICT.search(before + sentence), (path, before, sentence)
    assert named >= 2 * len(STUDIES)


def test_no_pair_is_called_different(null):
    for name in STUDIES:
        assert not any(storage.read(null.path(f"{name}/verdicts.parquet"), "verdicts").column("significant").to_pylist())
