"""Numbers of problems or runs that would decide what a study leaves open: the text of `benchmill plan`."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmill.core import seeds, storage
from benchmill.core.errors import UserError
from benchmill.inference import sample_size
from benchmill.notebook.results import Results
from benchmill.text import display, labels

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
    head = (
        f"Primary analysis of measure {display.words(measure)}: {len(open_pairs)} of {display.plural(len(stated), 'pair')} "
        f"open at level {display.target(stated[0]['alpha'])}, over {display.plural(rows[0]['n_clusters'], 'cluster')}."
    )
    columns = ["algorithm_a", "algorithm_b", "clusters", "runs", "power_as_seen", "power_cautious", "more_evaluations"]
    if not open_pairs:
        return f"{head}\nNothing is left to decide.\n", pd.DataFrame(columns=columns)
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
    nearest = sorted(open_pairs, key=lambda row: row["p_adjusted"])[:_MOST_PAIRS]
    shown = frame.set_index(columns[:2]).index.isin([(row["algorithm_a"], row["algorithm_b"]) for row in nearest])
    lines = [head, *_assumptions(scores, studies), "", *_table(frame[shown], wanted, scores.n_runs), ""]
    if len(nearest) < len(open_pairs):
        lines.append(
            f"Above are {display.out_of(len(nearest), len(open_pairs), 'open pair')}, those with the smallest p; --csv has all."
        )
    if scores.n_runs == 1:
        lines.append("Each problem has one aggregated cost, so nothing is known of more runs; what helps is new problems.")
    lines += [line for row in nearest for line in _next_runs(row, scores, places[row["algorithm_a"], row["algorithm_b"]])]
    return "\n".join([*lines, *_lacking(trials, results.settings["problem_keys"])]) + "\n", frame


def _assumptions(scores: sample_size.Scores, studies: int) -> list[str]:
    runs = " More runs shrink the part of the variance that the runs make up." if scores.n_runs > 1 else ""
    return [
        f"{studies} studies of each size are simulated: clusters drawn from those of this study, tested as the primary "
        f"analysis is: all algorithms first, and behind that the pairs.{runs}",
        "An estimate for planning, conditional on what was seen here. `as seen`: the effects are those seen, which is too "
        "hopeful for pairs picked by these data. `cautious`: they are the lower ends of their 50 % intervals.",
        "A study that is tested again whenever it has grown says false things too often: choose one size and test once "
        "more, or state in `primary.looks` how often you will look.",
    ]


def _table(curve: pd.DataFrame, wanted: float, runs: int) -> list[str]:
    lines = []
    for (a, b), rows in curve.groupby(["algorithm_a", "algorithm_b"], sort=False):
        lines += [f"{labels.shown(a)} and {labels.shown(b)}:", "    clusters  runs  as seen  cautious  more evaluations"]
        for row in rows.itertuples():
            more = display.ABSENT if math.isnan(row.more_evaluations) else f"{row.more_evaluations:,.0f}"
            of_runs = display.ABSENT if runs <= 1 else row.runs
            chances = f"{100 * row.power_as_seen:>5.0f} %  {100 * row.power_cautious:>6.0f} %"
            lines.append(f"    {row.clusters:>8}  {of_runs:>4}  {chances}  {more:>16}")
        enough = rows[rows["power_cautious"] >= wanted].sort_values(["more_evaluations", "clusters"])
        if enough.empty:
            lines.append(f"    None of these sizes decides it with a chance of {100 * wanted:.0f} % (`cautious`).")
        else:
            first = enough.iloc[0]
            with_runs = f" with {display.plural(first.runs, 'run')} each" if runs > 1 else ""
            lines.append(
                f"    {display.plural(first.clusters, 'cluster')}{with_runs} would do for a chance of {100 * wanted:.0f} % "
                "(`cautious`)."
            )
    return lines


def _next_runs(row: dict[str, Any], scores: sample_size.Scores, at: int) -> list[str]:
    share, fail = 100 * scores.from_runs[at], 100 * scores.both_fail[at]
    better = "more runs help" if share > 50 else "new problems help more than more runs"
    text = "" if math.isnan(share) else f" {share:.0f} % of the variance between clusters comes from the runs, so {better}."
    text += (
        f" In {fail:.0f} % of the cells both fail: a larger budget or easier targets may decide these; these data cannot say how."
        if fail >= 100 * _MANY_TIES
        else ""
    )
    return [f"{labels.shown(row['algorithm_a'])} and {labels.shown(row['algorithm_b'])}:{text}"] if text else []


def _lacking(trials: pd.DataFrame, problem_keys: Sequence[str]) -> list[str]:
    counts = trials.groupby([*problem_keys, "algorithm"], dropna=False, observed=True)["n"].sum().unstack(fill_value=0)
    usual = int(np.median(counts.to_numpy()))
    short = counts.stack()[lambda lower: lower < usual]
    if short.empty:
        return [f"Every algorithm has {display.plural(usual, 'run')} on every problem: no cell to fill first."]
    named = [f"{index[-1]} on {' '.join(str(part) for part in index[:-1])} ({count})" for index, count in short.items()]
    return [f"Run these cells first, which have fewer than {usual} runs: {display.listed(named, limit=8)}."]
