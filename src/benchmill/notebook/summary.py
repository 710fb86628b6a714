"""The summary of solver runs as an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from benchmill.core.errors import UserError
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, resolved
from benchmill.core.options import held, made
from benchmill.indicators import summary as summarised
from benchmill.notebook.arguments import looked_at
from benchmill.notebook.costs import Costs, as_costs
from benchmill.notebook.drawing import Drawn
from benchmill.notebook.objects import Result, frame_of, in_own_words, names
from benchmill.registry.measures import MEASURES
from benchmill.tables import forms
from benchmill.text import families, labels


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes(Result):
    """A table of how solver runs ended."""

    kind_of_table = "outcomes"


@dataclass(frozen=True, eq=False, repr=False)
class SummaryOfGaps(Result):
    """The summary of a measure that failed runs have too, such as gaps and integrals."""

    frame = frame_of(
        "summary",
        "One row per solver, subset and way to count failures: outcomes, means, PAR, rank.",
    )

    def classes(self, value: str = "solved", unsolved: str | None = None) -> pd.DataFrame:
        """Return one column of `frame` as a table: rows are solvers, columns all problems and the classes (`by`).

        `unsolved` is what a failure counts, by default the first way in `frame`. Raises UserError if there is no such column.
        """
        frame = self.frame
        for name, chosen, there in (("value", value, list(frame)), ("unsolved", unsolved, [None, *frame["unsolved"].unique()])):
            if chosen not in there:
                raise UserError(f"classes: {name} is {chosen!r}, expected one of {', '.join(map(str, there))}.")
        rows = frame[frame["unsolved"] == (unsolved or frame["unsolved"].iloc[0])]
        rows = rows[~rows["subset"].astype(str).str.startswith("[") & (rows["subset"] != "affected")].astype(
            {"subset": str, "algorithm": str}
        )
        table = rows.pivot(index="algorithm", columns="subset", values=value)
        return table.reindex(index=rows["algorithm"].unique(), columns=rows["subset"].unique()).rename_axis(columns=None)

    def __repr__(self) -> str:
        told = families.sentence(self._data.get("families"))
        return f"{told}\n\n{super().__repr__()}" if told else super().__repr__()

    kind_of_table = "summary"


@dataclass(frozen=True, eq=False, repr=False)
class Summary(SummaryOfGaps, Drawn):
    """The summary of solver runs in which a failure counts its limit, as `benchmill.summary` makes it."""

    usual = "outcomes"

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the runs as a table of its own."""
        return Outcomes(self._data, self._settings)

    def __repr__(self) -> str:
        return f"{super().__repr__()}\n\n{self.outcomes!r}"

    def _repr_html_(self) -> str:
        told = families.sentence(self._data.get("families"))
        return (f"<p>{labels.html(told)}</p>\n" if told else "") + self.to_html() + forms.html(self.outcomes.table)


@looked_at
def summary(
    costs: Costs | Any,
    *,
    by: Any = None,
    cluster_keys: Sequence[str] = DEFAULT_CLUSTER_KEYS,
    not_competing: Sequence[str] = (),
    **options: Any,
) -> Summary | SummaryOfGaps:
    """Summarise runs of solvers: who solves what, shifted geometric means, PAR, ranks, and the virtual best solver.

    Without the limit of a failure there is neither a mean nor a rank. Of gaps and integrals (``kind="gap"``) there is no PAR.

    Parameters
    ----------
    costs : Costs
        Stated costs, such as times, with their limit (``limit=3600``) and ``mean_shift=...``; or a DataFrame as for `compare`.
    by : str, path or mapping, optional
        What deals problems to classes, each of which is summarised too (`classes`): ``"family"`` by their names, ``"folder"``, a
        key such as ``"suite"``, a mapping or Series of problems to classes, or the path of a table of `problem` and class.
    cluster_keys : sequence of str
        As in `compare`, for the intervals.
    not_competing : sequence of str
        Algorithms that are shown, but have no rank and are no part of the virtual best.
    **options
        `brackets`, `level` of the intervals.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": ["p", "q"] * 2, "cost": [10.0, 90.0, 30.0, 100.0]})
    >>> s = bm.summary(bm.costs(df, limit=100), brackets=[]).frame.query("subset == 'all' and unsolved == 'limit'")
    >>> s[["algorithm", "solved", "par10"]]
          algorithm  solved  par10
    0             A       2   50.0
    1             B       1  515.0
    2  virtual best       2   50.0
    """
    of = as_costs(costs)
    kind = MEASURES[of.measure["kind"]]
    if not kind.summarised:
        raise UserError(
            f"summary: these are costs of the kind {kind.name}, expected stated costs of solver runs; give "
            "costs(runs, kind='given')."
        )
    if "measures" in options:
        raise UserError("summary: measures is for a configuration; give the costs of one measure.")
    with in_own_words():
        chosen = made(summarised.Options, options, "summary")
        asked = names(cluster_keys)
        dealt = of.families(asked)
        found = summarised.summary(
            [part.costs for part in of.parts],
            [part.trials for part in of.parts],
            replace(chosen, as_is=kind.summarised == "as_is"),
            shift=of.measure["mean_shift"],
            missing=of.measure["missing"],
            cluster_keys=resolved(asked, dealt),
            not_competing=not_competing,
            by=None if by is None else of.classes(by),
        )
    return shown({**found, "families": dealt, "ingest": of.reports}, {**of.settings, "indicators": {"summary": held(chosen)}})


def shown(data: dict[str, Any], settings: dict[str, Any]) -> Summary | SummaryOfGaps:
    """Return the object of a summary, by the kind of its measure."""
    kind = MEASURES[settings["measure"]["kind"]]
    return SummaryOfGaps(data, settings) if kind.summarised == "as_is" else Summary(data, settings)
