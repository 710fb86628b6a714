"""Numbers of problems or runs that would decide what a study leaves open: the text of `benchmill plan`."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmill.core import UserError, seeds, storage
from benchmill.inference import sample_size
from benchmill.notebook.results import Results
from benchmill.text import prose

#: Share of cells that neither of two algorithms solves, from which budgets are spoken of.
_MANY_TIES = 0.25
#: Open pairs that are told one by one.
_MOST_PAIRS = 12


def outlook(
    results: Results,
    wanted: float = 0.8,
    most: float = 4.0,
    studies: int = 200,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[str, pd.DataFrame]:
    """Say what larger studies would decide: a text, and the curve behind it.

    The curve has a row for each open pair and size: `algorithm_a`, `algorithm_b`, `clusters`, `runs`, `power_as_seen`,
    `power_cautious`, `more_evaluations` (of all algorithms; missing where it is not known).

    Parameters
    ----------
    wanted : float
        Chance to decide a pair that is planned for.
    most : float
        The largest study asked about has so many times the clusters.
    studies : int
        Simulated studies of each size.
    progress : callable, optional
        Told how many studies of how many are simulated.

    Raises
    ------
    UserError
        There are no such results, or they have no primary analysis.
    """
    verdicts = storage.read(Path(results.folder, "verdicts.parquet"), "verdicts")
    rows = [row for row in verdicts.to_pylist() if row["analysis"] == "primary"]
    stated = [row for row in rows if row["algorithm_a"] is not None]
    if not stated:
        raise UserError(f"{results.folder}: the study compares no algorithms, so there is nothing to plan.")
    measure = stated[0]["measure"]
    designs, clustered = results.cells(measure)
    number = {name: i for i, name in enumerate(designs[0].treatments)}
    family = [(row["algorithm_a"], row["algorithm_b"]) for row in stated]
    places = {one: at for at, pair in enumerate(family) for one in (pair, pair[::-1])}
    open_pairs = [row for row in stated if not row["significant"]]
    facts = {"measure": measure, "stated": stated, "n_open": len(open_pairs), "alpha": stated[0]["alpha"]}
    facts["clusters"] = rows[0]["n_clusters"]
    columns = ["algorithm_a", "algorithm_b", "clusters", "runs", "power_as_seen", "power_cautious", "more_evaluations"]
    if not open_pairs:
        return prose.whole(__file__, **facts), pd.DataFrame(columns=columns)
    trials = pd.concat([results.frame("trials", report["source"]) for report in results.reports], ignore_index=True)
    rng = seeds.stream(results.settings["seed"], "sample_size", measure)
    scores = sample_size.scores(designs, [(number[a], number[b]) for a, b in family], rng, clustered)
    # NaN where some trials do not state theirs
    per_cluster = trials["budget"].to_numpy(float, na_value=math.nan) @ trials["n"].to_numpy(float) / len(scores.clusters)
    curve = []
    sizes = sample_size.sizes(len(scores.clusters), scores.n_runs, scores.n_runs > 1, most)
    for done, (n, r) in enumerate(sizes):
        if progress:
            progress(done * studies, len(sizes) * studies)
        simulated = sample_size.power(scores, n, r, rng, alpha=stated[0]["alpha"], studies=studies)
        more = per_cluster * (n * r / scores.n_runs - len(scores.clusters))
        for row in open_pairs:
            at = places[row["algorithm_a"], row["algorithm_b"]]
            curve.append((row["algorithm_a"], row["algorithm_b"], n, r, *simulated[:, at].tolist(), more))
    frame = pd.DataFrame(curve, columns=columns)
    nearest = [
        (row["algorithm_a"], row["algorithm_b"]) for row in sorted(open_pairs, key=lambda row: row["p_adjusted"])[:_MOST_PAIRS]
    ]
    counts = trials.groupby([*results.settings["problem_keys"], "algorithm"], dropna=False, observed=True)["n"].sum()
    counts = counts.unstack(fill_value=0)
    usual = int(np.median(counts.to_numpy()))
    short = counts.stack()[lambda lower: lower < usual]
    return prose.whole(
        __file__,
        **facts,
        studies=studies,
        wanted=wanted,
        runs=scores.n_runs,
        many_ties=_MANY_TIES,
        curves=frame[frame.set_index(columns[:2]).index.isin(nearest)].groupby(columns[:2], sort=False),
        nearest=[(*pair, scores.from_runs[places[pair]], scores.both_fail[places[pair]]) for pair in nearest],
        usual=usual,
        short=[f"{index[-1]} on {' '.join(str(part) for part in index[:-1])} ({count})" for index, count in short.items()],
    ), frame
