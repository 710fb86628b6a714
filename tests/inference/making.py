"""Designs for tests, by hand."""

from __future__ import annotations

import numpy as np

from benchmill.inference.analysis import analyse
from benchmill.inference.design import Design


def design(values, **more):
    x = np.asarray(values, float)
    x = x[:, :, None] if x.ndim == 2 else x
    return Design(x, [f"p{i + 1}" for i in range(x.shape[0])], [f"a{i + 1}" for i in range(x.shape[1])], **more)


def rows(values, table, **settings):
    return analyse([design(values)], measure="m", **settings)[table].to_pylist()
