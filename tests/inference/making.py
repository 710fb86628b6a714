"""Designs for tests, by hand."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from benchmill.core import keys
from benchmill.inference import analysis
from benchmill.inference.design import Design
from benchmill.registry.inference import Options


def analyse(designs, *, measure, seed=1, cluster_keys=keys.CLUSTER_KEYS, **options):
    """Tests and comparisons with these options."""
    return analysis.analyse(designs, measure=measure, seed=seed, cluster_keys=cluster_keys, options=Options(**options))


def design(values, **more):
    x = np.asarray(values, float)
    x = x[:, :, None] if x.ndim == 2 else x
    return Design(x, [f"p{i + 1}" for i in range(x.shape[0])], [f"a{i + 1}" for i in range(x.shape[1])], **more)


def rows(values, table, **settings):
    return analyse([design(values)], measure="m", **settings)[table].to_pylist()


def classifier_scores(root):
    """Accuracies of five classifiers on 54 data sets, ten times ten folds: what baycomp's examples are made from."""
    scores: dict[str, list[list[float]]] = {}
    with gzip.open(Path(root) / "classifier-cv-accuracies" / "accuracies.txt.gz", "rt") as lines:
        for line in filter(str.strip, lines):
            if not line.startswith(" "):
                name = line.strip()
            else:
                scores.setdefault(name, []).append([float(v) for v in line.split()[1:]])
    return scores
