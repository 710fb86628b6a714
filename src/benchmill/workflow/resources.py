"""Resources that jobs ask for, from the sizes of the logs behind them; docs/scaling.md says how the numbers were measured."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmill.core.storage import files_below
from benchmill.workflow.sources import Source
from benchmill.workflow.study import Study

#: Megabytes of memory that a job of one source asks for at the most: rows of logs are read piece by piece (0.9 GB for a log of
#: 10 GB), and a table has at most 40 million cells of 100 bytes.
MOST_OF_SOURCE = 8_000

#: From so many megabytes of logs on, a source is a submission of its own: it takes longer than the two starts of Snakemake there.
LARGE_MB = 50


def raw_mb(studies: Mapping[str, Study]) -> dict[tuple[str, str], float]:
    """Return the size of the raw logs by study and source, known before anything runs."""
    return {(study.name, source.name): _mb(source) for study in studies.values() for source in study.sources}


def by_size(
    raw: Mapping[tuple[str, str], float], base: float, per_mb: float, most: float = math.inf
) -> Callable[[Any, int], int]:
    """Return a resource that grows with the raw logs behind a job, and doubles with each retry.

    For one source its own logs count, for a job that gathers those of the whole study.
    """
    whole: defaultdict[str, float] = defaultdict(float)
    for (study, _), size in raw.items():
        whole[study] += size

    def amount(wildcards: Any, attempt: int) -> int:
        source = wildcards.get("source")
        size = whole[wildcards.study] if source is None else raw.get((wildcards.study, source), 0)
        return int(min(base + per_mb * size, most) * 2 ** (attempt - 1))

    return amount


def batch(raw: Mapping[tuple[str, str], float], wildcards: Any) -> str:
    """Return the submission to a cluster that a job of a source is part of: that of many sources, or a large source's own."""
    large = raw.get((wildcards.study, wildcards.source), 0) >= LARGE_MB
    return f"source_{wildcards.study}_{wildcards.source}" if large else "sources"


def _mb(source: Source) -> float:
    if source.url and not source.paths[0].exists():
        return source.size_mb or 20
    try:
        found = [Path(file) for path in source.paths for file in ([path] if path.is_file() else files_below(path))]
        return sum(file.stat().st_size for file in found if file.is_file()) / 1e6
    except OSError:
        # what cannot be read its job says
        return 0
