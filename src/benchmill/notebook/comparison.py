"""Comparisons of algorithms as objects, and what is behind the statement about a pair: the scores of its clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from benchmill.core import Given, UserError, shown
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, Key, resolved
from benchmill.core.options import held
from benchmill.exhibits import tables
from benchmill.inference import analysis, design, families, ranking
from benchmill.inference.analysis import OF_ALL_PAIRS, against
from benchmill.inference.verdicts import Declaration, verdicts
from benchmill.notebook.arguments import in_own_words, looked_at, made
from benchmill.notebook.costs import Costs, as_costs, competing
from benchmill.notebook.objects import Drawn, Result, frame_of, names, of_exhibits, plain
from benchmill.profiles.standings import leaders
from benchmill.registry import criteria, inference, measures, primary
from benchmill.text import display, labels
from benchmill.text.claims import known
from benchmill.text.sentences import Sentences, sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What tells the designs of a measure apart.
_POINT = ("target", "at_budget", "stratum")
#: Options that take one name or several.
_NAMED = ("methods", "comparisons", "corrections", "bayes", "stratify", "blocks")


#: Clusters that a plot has room for; of more those that speak most on either side.
_MOST_DRAWN = 40


@dataclass(frozen=True, eq=False)
class Why:
    """Clusters, costs and trials behind a statement of the primary analysis about two algorithms.

    `statement` is its row of `verdicts`; `frame` has a row a cluster, those against it first; `cells` a row a cell. Scores and
    `effect`, with the ends of its interval, are of the algorithm that does better, which is `first`.
    """

    statement: Given
    first: str
    second: str
    effect: tuple[float, float, float] | None
    frame: pd.DataFrame
    cells: pd.DataFrame

    @property
    def sentence(self) -> str:
        """The statement as the paper prints it."""
        return str(self.statement["text"])

    @property
    def fragility(self) -> str:
        """Return the clusters that would have to go for the verdict to turn."""
        row = self.statement
        verdict = "shown" if row["significant"] else "not shown"
        if row["fragility"] is None:
            return f"It stays {verdict} whichever clusters are left out, as far as that was tried."
        n = display.plural(row["fragility"], "cluster")
        if not row["fragility_exact"]:
            return f"Without {n}, those that contribute most, or with fewer left out, it is no longer {verdict}."
        return f"It would {'not ' if row['significant'] else ''}be said without {row['carried_by']} ({n}; no fewer turn it)."

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the score of each cluster as a dot, and the effect with its interval as a line across them."""
        from matplotlib import pyplot

        half = _MOST_DRAWN // 2
        rows = self.frame if len(self.frame) <= _MOST_DRAWN else pd.concat([self.frame.head(half), self.frame.tail(half)])
        axes = pyplot.subplots(figsize=(6, 1 + 0.18 * len(rows)))[1] if ax is None else ax
        places, against = np.arange(len(rows)), rows["against"].to_numpy(bool)
        if self.effect is not None:
            effect, low, high = self.effect
            axes.axvspan(low, high, color="0.9", zorder=0)
            axes.axvline(effect, color="0.3", linewidth=1)
        axes.axvline(0, color="0.6", linewidth=0.8, linestyle=":")
        # those against are told apart in grey as well
        for chosen, edge, face in ((~against, "C0", "C0"), (against, "C3", "none")):
            axes.scatter(rows["score"][chosen], places[chosen], s=18, zorder=3, edgecolors=edge, facecolors=face)
        axes.set_yticks(places, rows["cluster"], fontsize="x-small")
        axes.set_xlim(-1.05, 1.05)
        axes.set_xlabel(f"net share of wins of {self.first} over {self.second}")
        return axes

    def __repr__(self) -> str:
        return f"{self.sentence}\n{self.fragility}\n{self.frame.to_string(index=False)}"

    def _repr_html_(self) -> str:
        return f"<p>{labels.html(self.sentence)}</p>\n<p>{labels.html(self.fragility)}</p>\n{self.frame.to_html(index=False)}"


def behind(row: Given, designs: Sequence[design.Design], clustered: Sequence[Key]) -> Why:
    """Return what is behind a statement about two algorithms, a row of `verdicts` of the primary analysis, or UserError."""
    a, b = row["algorithm_a"], row["algorithm_b"]
    effect = None if row["effect"] is None else (row["effect"], row["effect_low"], row["effect_high"])
    if effect is not None and effect[0] < 0:
        a, b, effect = b, a, (-effect[0], -effect[2], -effect[1])
    frame = ranking.of_pair(designs, clustered, a, b)
    if effect is not None and not np.isclose(frame["score"].mean(), effect[0], atol=1e-9):
        raise UserError(
            f"why: the scores of {a!r} and {b!r} have the mean {frame['score'].mean():.4g}, and the statement says "
            f"{effect[0]:.4g}; these costs and verdicts are of different runs: run Snakemake to its end."
        )
    return Why(
        row,
        a,
        b,
        effect,
        # a name may have a comma itself
        frame.assign(
            against=frame["score"] < 0, carries=[f", {one}, " in f", {row['carried_by'] or ''}, " for one in frame["cluster"]]
        ),
        ranking.of_cells(designs, clustered, a, b),
    )


class Comparison(Result, Drawn):
    """Tests and comparisons of the algorithms on one measure, as `benchmill.compare` makes them."""

    @property
    def usual(self) -> str:
        """The effects of the control where there is one, else critical differences."""
        return "critical_differences" if self.settings["control"] is None or "effects" not in self.kinds else "effects"

    frame = frame_of("comparisons", "All pairs: one row per pair, comparison and correction.")

    @property
    def against(self) -> pd.DataFrame:
        """The control (`algorithm_a`) against each other algorithm, corrected for these pairs alone, or UserError."""
        if self.settings["control"] is None:
            raise UserError("against: there is no control; say which algorithm it is: compare(..., control=...).")
        with in_own_words():
            return plain(against(self.data["comparisons"], self.settings["control"])).drop(columns=list(OF_ALL_PAIRS))

    statements = frame_of(
        "verdicts",
        "All that may be claimed: one row per statement, the primary analysis first.",
        of_measure=True,
    )

    leaders = frame_of(
        "leaders",
        "The leaders: one row per criterion and algorithm.",
        of_measure=True,
    )

    tests = frame_of("tests", "The tests that all algorithms are equal.")

    ranks = frame_of("ranks", "The average rank of each algorithm.")

    designs = frame_of("designs", "The designs that were tested: blocks, clusters, runs, failures, and how the costs became it.")

    @property
    def verdict(self) -> list[str]:
        """Paragraphs on what can and what cannot be claimed, the primary analysis first."""
        return tables.verdict(self.data, of_exhibits(self.settings))

    @property
    def text(self) -> Sentences:
        """The few sentences that it is known by: `headline`, `control`, `caveat`, `fragility` and `findings`."""
        return sentences(self.data, of_exhibits(self.settings))

    @looked_at
    def why(self, first: str, second: str) -> Why:
        """Return what is behind the primary analysis's statement about two algorithms, in either order, or raise UserError."""
        verdicts, (designs, clustered) = self.data["verdicts"], self.data["cells"]()
        rows = verdicts.filter(pc.and_(pc.equal(verdicts["analysis"], "primary"), pc.is_valid(verdicts["algorithm_a"])))
        of_pair = [pc.field(f"algorithm_{side}").cast("string").isin([first, second]) for side in "ab"]
        row = next(iter(rows.filter(of_pair[0] & of_pair[1]).to_pylist()), None)
        if row is None:
            there = sorted({*rows["algorithm_a"].to_pylist(), *rows["algorithm_b"].to_pylist()})
            for name in (first, second):
                known(name, there, "algorithm", "why: in the primary analysis")
            raise UserError(
                f"why: the primary analysis says nothing about {first!r} and {second!r}; name two of {', '.join(there)}."
            )
        return behind(row, designs, clustered)

    kind_of_table = "comparisons"

    @looked_at
    def p_values(self, method: str | None = None, correction: str | None = None, **point: Any) -> pd.DataFrame:
        """Return adjusted p values as a square; by default of the first comparison and correction, at one `point`."""
        rows = self.frame
        for key, value in {"method": method, "correction": correction}.items():
            rows = rows[rows[key] == known(value or rows[key].iloc[0], sorted(set(rows[key])), key, "p_values")]
        for key, value in point.items():
            known(key, _POINT, "keyword", "p_values")
            rows = rows[rows[key] == value]
        points = rows[list(_POINT)].drop_duplicates()
        if len(points) != 1:
            listed = "; ".join(
                ", ".join(f"{key}={value!r}" for key, value in row.items() if not pd.isna(value))
                for row in self.ranks[list(_POINT)].drop_duplicates().to_dict("records")
            )
            raise UserError(
                f"p_values: found {len(points)} designs, expected one; say which: {listed or 'the only one has no name'}."
            )
        both = pd.concat([rows, rows.rename(columns={"algorithm_a": "algorithm_b", "algorithm_b": "algorithm_a"})])
        order = sorted(set(both["algorithm_a"]), key=list(self.ranks["algorithm"].cat.categories).index)
        return (
            both.astype({"algorithm_a": str, "algorithm_b": str})
            .pivot(index="algorithm_a", columns="algorithm_b", values="p_adjusted")
            .reindex(index=order, columns=order)
            .rename_axis(index=None, columns=None)
            .mask(np.eye(len(order), dtype=bool), 1.0)
        )

    def __repr__(self) -> str:
        return "\n\n".join([*map(shown, self.verdict), super().__repr__()])

    def _repr_html_(self) -> str:
        return "".join(f"<p>{labels.html(paragraph)}</p>\n" for paragraph in self.verdict) + self.to_html()


@looked_at
def compare(
    costs: Costs | Any,
    *,
    control: str | None = None,
    criterion: str = criteria.DEFAULT,
    margin: float | None = None,
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS,
    seed: int = 1,
    not_competing: Sequence[str] = (),
    **options: Any,
) -> Comparison:
    """Test whether algorithms differ: all at once, and pair by pair.

    Parameters
    ----------
    costs : Costs
        What `costs` gives; or a DataFrame with the columns `algorithm`, `problem` and `cost`.
    control : str, optional
        One algorithm that every other one is compared with, or a pattern such as ``"Ours *"``; the primary analysis is then of
        its pairs. Choose it before you see the data.
    criterion : str
        What the leader is named by, such as `auc_log` or `average_rank`.
    margin : float, optional
        Per cent by which the costs of two algorithms may differ that are as good as each other.
    cluster_keys : sequence of str
        Problems that agree in these count once; `family` is that of a problem where the data show that it matters.
    seed : int
        For random rearrangements.
    not_competing : sequence of str
        Algorithms that are no part of any comparison, or patterns.
    **options
        As `inference` of a configuration: `methods`, `comparisons`, `corrections`, `alpha`, `design`, `bayes`, ...

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"problem": range(1, 11), "A": range(1, 11), "B": range(2, 12), "C": [9.5, 0.7] * 5})
    >>> wide = bm.costs(df, wide=["A", "B", "C"])
    >>> c = bm.compare(wide, control="B", comparisons="wilcoxon", corrections="holm", normalise="none")
    >>> c.against[["algorithm_b", "difference", "p_adjusted"]].round(3)
      algorithm_b  difference  p_adjusted
    0           A       1.000       0.004
    1           C       0.273       0.492
    """
    measured_costs = as_costs(costs)
    name = measured_costs.measure["name"]
    chosen = {key: names(value) if key in _NAMED and value is not None else value for key, value in options.items()}
    for key in chosen.get("stratify", ()):
        known(key, measured_costs.problem_keys, "key of problems", "compare: stratify")
    made_by = made(inference.Options, chosen, "compare")
    aside, fitting = competing(measured_costs, not_competing), competing(measured_costs, control or (), "control")
    if len(fitting) > 1:
        raise UserError(f"control: {control!r} fits {', '.join(map(repr, fitting))}; name one.")
    control = fitting[0] if fitting else None
    if control in aside:
        raise UserError(f"control: {control!r} is in not_competing; name an algorithm that competes.")
    if margin is not None and measured_costs.measure.get("shift"):
        raise UserError(f"margin: {primary.SHIFTED}")
    single = made_by.design == "single"
    ranked = measured_costs.rating(False, aside) if aside else measured_costs.ranked
    designs = design.of_study(
        made_by,
        measure=name,
        problem_keys=measured_costs.problem_keys,
        seed=seed,
        ratios=ranked if single else None,
        costs=[] if single else [(part.name, part.costs) for part in measured_costs.parts],
        not_competing=aside,
    )
    asked = names(cluster_keys)
    dealt = families.of_designs(designs, asked, families.log_folders(part.trials for part in measured_costs.parts), seed)
    clustered = resolved(asked, dealt)
    results = analysis.analyse(designs, measure=name, seed=seed, cluster_keys=clustered, options=made_by)
    leading = leaders(
        {name: ranked},
        criterion=criterion,
        rates=[name] if measures.MEASURES[measured_costs.measure["kind"]].rate else [],
        not_competing=aside,
    )
    results["verdicts"] = verdicts(
        {name: designs},
        Declaration(
            primary=made(primary.Primary, {"criterion": criterion, "margin": margin}, "compare"),
            control=control,
            cluster_keys=clustered,
            alpha=made_by.alpha,
            permutations=made_by.permutations,
            seed=seed,
        ),
        leading,
    )
    results |= {"leaders": leading, "families": dealt, "ratios": ranked, "cells": partial(tuple, (designs, clustered))}
    return Comparison(
        {**results, "ingest": measured_costs.reports},
        {**measured_costs.settings, "cluster_keys": asked, "control": control, "inference": held(made_by)},
    )
