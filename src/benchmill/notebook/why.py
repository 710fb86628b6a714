"""Why a pair of algorithms is said to differ, or not: the scores of its clusters, and what the verdict hangs on."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import keys
from benchmill.core.errors import UserError
from benchmill.inference import scores
from benchmill.inference.design import Design
from benchmill.text import display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Clusters that a plot has room for; of more those that speak most on either side.
_MOST_DRAWN = 40


@dataclass(frozen=True, eq=False)
class Why:
    """What is behind a statement of the primary analysis about two algorithms.

    `statement` is its row of `verdicts`; `frame` has a row a cluster, those against it first; `cells` a row a cell. Scores and
    `effect`, with the ends of its interval, are of the algorithm that does better, which is `first`.
    """

    statement: Mapping[str, Any]
    first: str
    second: str
    effect: tuple[float, float, float] | None
    frame: pd.DataFrame = field(repr=False)
    cells: pd.DataFrame = field(repr=False)

    @property
    def sentence(self) -> str:
        """The statement as the paper prints it."""
        return str(self.statement["text"])

    @property
    def fragility(self) -> str:
        """What would have to go for the verdict to turn."""
        row = self.statement
        said = "shown" if row["significant"] else "not shown"
        if row["fragility"] is None:
            return f"It stays {said} whichever clusters are left out, as far as that was tried."
        n = display.plural(row["fragility"], "cluster")
        if not row["fragility_exact"]:
            return f"Without {n}, those that contribute most, or with fewer left out, it is no longer {said}."
        turned = "would not be said" if row["significant"] else "would be said"
        return f"It {turned} without {row['carried_by']} ({n}; no fewer turn it)."

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the score of each cluster as a dot, and the effect with its interval as a line across them."""
        from matplotlib import pyplot

        axes = pyplot.subplots(figsize=(6, 1 + 0.18 * min(len(self.frame), _MOST_DRAWN)))[1] if ax is None else ax
        rows = self.frame
        if len(rows) > _MOST_DRAWN:
            rows = pd.concat([rows.head(_MOST_DRAWN // 2), rows.tail(_MOST_DRAWN // 2)])
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
        from benchmill.text import labels

        return f"<p>{labels.html(self.sentence)}</p>\n<p>{labels.html(self.fragility)}</p>\n{self.frame.to_html(index=False)}"


def why(verdicts: pa.Table, designs: Sequence[Design], clustered: Sequence[keys.Key], first: str, second: str) -> Why:
    """Return what is behind the primary statement about two algorithms, in either order.

    Raises
    ------
    UserError
        Nothing is said of them in the primary analysis.
    """
    rows = verdicts.filter(pc.and_(pc.equal(verdicts["analysis"], "primary"), pc.is_valid(verdicts["algorithm_a"])))
    found = {frozenset((row["algorithm_a"], row["algorithm_b"])): row for row in rows.to_pylist()}
    row = found.get(frozenset((first, second)))
    if row is None:
        known = sorted({name for pair in found for name in pair})
        near = [name for given in (first, second) if given not in known for name in difflib.get_close_matches(given, known, 1)]
        hint = f"did you mean {' and '.join(map(repr, near))}?" if near else f"expected two of {', '.join(known) or 'none'}."
        raise UserError(f"why: the primary analysis says nothing of {first!r} and {second!r}; {hint}")
    a, b = row["algorithm_a"], row["algorithm_b"]
    effect = None if row["effect"] is None else (row["effect"], row["effect_low"], row["effect_high"])
    if effect is not None and effect[0] < 0:
        a, b, effect = b, a, (-effect[0], -effect[2], -effect[1])
    frame = scores.of_pair(designs, clustered, a, b)
    if effect is not None and not np.isclose(frame["score"].mean(), effect[0], atol=1e-9):
        raise UserError(
            f"why: the scores of {a!r} and {b!r} have the mean {frame['score'].mean():.4g}, and the statement says "
            f"{effect[0]:.4g}; these costs and verdicts are of different runs: run Snakemake to its end."
        )
    carried = set((row["carried_by"] or "").split(", "))
    frame = frame.assign(against=frame["score"] < 0, carries=frame["cluster"].isin(carried))
    return Why(row, a, b, effect, frame, scores.of_cells(designs, a, b))
