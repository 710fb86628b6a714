"""Comparisons of algorithms as objects: tests, average ranks, all pairs, and what can be said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import pandas as pd

from benchmill import tables
from benchmill.core.errors import UserError
from benchmill.core.keys import DEFAULT_CLUSTER_KEYS, resolved
from benchmill.core.options import held, made
from benchmill.inference import analysis, design, families
from benchmill.inference.control import OF_ALL_PAIRS, against
from benchmill.inference.equivalence import Effect
from benchmill.inference.verdicts import Plan, Primary, verdicts
from benchmill.notebook.costs import Costs, as_costs, competing
from benchmill.notebook.drawing import Drawn
from benchmill.notebook.objects import Result, in_own_words, names, plain
from benchmill.profiles.leaders import leaders
from benchmill.registry.criteria import DEFAULT
from benchmill.registry.measures import MEASURES
from benchmill.text import labels
from benchmill.text.display import Table
from benchmill.text.frames import frame

#: What tells the designs of a measure apart.
_POINT = ("target", "at_budget", "stratum")
#: Options that take one name or several.
_NAMED = ("methods", "comparisons", "corrections", "bayes", "stratify", "blocks")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result, Drawn):
    """Tests and comparisons of the algorithms on one measure, as `benchmill.compare` makes them.

    `data` has the tables of `benchmill.inference.analysis.RESULTS`, `leaders` and `verdicts`.
    """

    usual = "critical_differences"

    @property
    def frame(self) -> pd.DataFrame:
        """All pairs: one row per pair, comparison and correction."""
        return plain(self.data["comparisons"])

    @property
    def against(self) -> pd.DataFrame:
        """The control against each other algorithm: rows as in `frame`, whose `p_adjusted` is corrected for these pairs alone.

        The control is `algorithm_a`: a negative `difference` says that it is better. Corrections and methods for all pairs only
        have no rows. Raises UserError if there is no control, or no comparison that can be corrected so.
        """
        if self.settings["control"] is None:
            raise UserError("against: there is no control; say which algorithm it is: compare(..., control=...).")
        with in_own_words():
            found = plain(against(self.data["comparisons"], self.settings["control"]))
        return found.drop(columns=list(OF_ALL_PAIRS))

    @property
    def statements(self) -> pd.DataFrame:
        """What may be claimed: one row per statement, the primary analysis first; of a point the first is of all algorithms."""
        return frame(self.data["verdicts"], self.settings["measure"]["name"])

    @property
    def leaders(self) -> pd.DataFrame:
        """Who leads by what: one row per criterion and algorithm, the criterion that names the leader first."""
        return frame(self.data["leaders"], self.settings["measure"]["name"])

    @property
    def tests(self) -> pd.DataFrame:
        """The tests that all algorithms are equal."""
        return plain(self.data["tests"])

    @property
    def ranks(self) -> pd.DataFrame:
        """The average rank of each algorithm."""
        return plain(self.data["ranks"])

    @property
    def designs(self) -> pd.DataFrame:
        """What was tested: blocks, clusters, runs, failures, and how the costs became it."""
        return plain(self.data["designs"])

    @property
    def verdict(self) -> list[str]:
        """What can and what cannot be claimed, a paragraph each: the primary analysis first."""
        return tables.verdict(self.data, self.settings)

    @property
    def table(self) -> Table:
        """All pairs, as a paper shows them."""
        return tables.build("comparisons", self.data, self.settings)

    def p_values(self, method: str | None = None, correction: str | None = None, **point: Any) -> pd.DataFrame:
        """Return adjusted p values as a square with the algorithms along both sides; 1 on the diagonal.

        Parameters
        ----------
        method, correction : str, optional
            By default the first comparison, with its first correction.
        **point
            `target`, `at_budget` and `stratum`, where there are several.
        """
        rows = self.frame
        for key, value in {"method": method, "correction": correction}.items():
            if value is not None and value not in set(rows[key]):
                raise UserError(f"p_values: there is no {key} {value!r}, expected one of {', '.join(sorted(set(rows[key])))}.")
            rows = rows[rows[key] == (value or rows[key].iloc[0])]
        rows = self._at(rows, point)
        both = pd.concat([rows, rows.rename(columns={"algorithm_a": "algorithm_b", "algorithm_b": "algorithm_a"})])
        order = sorted(set(both["algorithm_a"]), key=list(self.ranks["algorithm"].cat.categories).index)
        square = both.astype({"algorithm_a": str, "algorithm_b": str}).pivot(
            index="algorithm_a", columns="algorithm_b", values="p_adjusted"
        )
        square = square.reindex(index=order, columns=order).rename_axis(index=None, columns=None)
        for name in order:
            square.loc[name, name] = 1.0
        return square

    def _at(self, rows: pd.DataFrame, point: Mapping[str, Any]) -> pd.DataFrame:
        if unknown := [key for key in point if key not in _POINT]:
            raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}")
        for key, value in point.items():
            rows = rows[rows[key] == value]
        found = rows[list(_POINT)].drop_duplicates()
        if len(found) != 1:
            listed = "; ".join(
                ", ".join(f"{key}={value!r}" for key, value in row.items() if not pd.isna(value))
                for row in self.ranks[list(_POINT)].drop_duplicates().to_dict("records")
            )
            raise UserError(f"found {len(found)} designs, expected one; say which: {listed}.")
        return rows

    def __repr__(self) -> str:
        return "\n\n".join([*map(labels.shown, self.verdict), super().__repr__()])

    def _repr_html_(self) -> str:
        return "".join(f"<p>{labels.html(paragraph)}</p>\n" for paragraph in self.verdict) + self.to_html()


def compare(
    costs: Costs | Any,
    *,
    control: str | None = None,
    criterion: str = DEFAULT,
    family: Literal["all_pairs", "control", "best"] | None = None,
    margin: float | None = None,
    margin_of: Effect = "cost_ratio",
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
        One algorithm, usually your own, that every other one is compared with, in a family of its own (`verdict`, `statements`,
        `against`). Choose it before you see the data.
    criterion : str
        What the leader is named by, such as `auc_log` or `average_rank`; pairs are compared by the net share of wins.
    family : {"all_pairs", "control", "best"}, optional
        The pairs of the primary analysis: all, or those with the control (the default if there is one) or the leader.
    margin, margin_of : float, {"cost_ratio", "share_of_wins"}
        Per cent within which two algorithms are as good as each other, and of what.
    cluster_keys : sequence of str
        Problems that agree in these keys count once; `family` is the family of a problem where the data show that it matters.
    seed : int
        For random rearrangements.
    not_competing : sequence of str
        Algorithms that are no part of any comparison.
    **options
        What a configuration can set of `inference`: `methods`, `comparisons`, `corrections`, `alpha`, `design`, `bayes`, ...

    Raises
    ------
    UserError
        An option or name is unknown, or the costs are not what a design needs.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"problem": range(1, 11), "A": range(1, 11), "B": range(2, 12), "C": [9.5, 0.7] * 5})
    >>> wide = bm.costs(df, wide=["A", "B", "C"])
    >>> c = bm.compare(wide, control="B", comparisons="wilcoxon", corrections="holm", normalise="none")
    >>> c.p_values().round(3)
           A      B      C
    A  1.000  0.006  0.984
    B  0.006  1.000  0.984
    C  0.984  0.984  1.000
    >>> c.against[["algorithm_b", "difference", "p_adjusted"]].round(3)
      algorithm_b  difference  p_adjusted
    0           A       1.000       0.004
    1           C       0.273       0.492
    """
    of = as_costs(costs)
    chosen = {key: names(value) if key in _NAMED and value is not None else value for key, value in options.items()}
    of_designs = {one.name for one in fields(design.Options)}
    with in_own_words():
        rest = {key: value for key, value in chosen.items() if key not in of_designs}
        settings = {
            **held(made(design.Options, {key: value for key, value in chosen.items() if key in of_designs}, "compare")),
            **held(made(analysis.Options, rest, "compare")),
        }
        aside = competing(of, not_competing)
        if control in aside:
            raise UserError(f"control: {control!r} is in not_competing; name an algorithm that competes.")
        single = settings["design"] == "single"
        designs = design.of_study(
            settings,
            measure=of.measure["name"],
            problem_keys=of.problem_keys,
            seed=seed,
            ratios=of.ranked if single else None,
            costs=[] if single else [(part.name, part.costs) for part in of.parts],
            not_competing=aside,
        )
        asked = names(cluster_keys)
        dealt = families.of_designs(designs, asked, seed=seed)
        clustered = resolved(asked, dealt)
        found = analysis.analyse(
            designs, measure=of.measure["name"], seed=seed, cluster_keys=clustered, **analysis.options_of(settings)
        )
        leading = leaders(
            {of.measure["name"]: of.ranked},
            criterion=criterion,
            rates=[of.measure["name"]] if MEASURES[of.measure["kind"]].rate else [],
            not_competing=aside,
        )
        plan = Plan(
            primary=Primary(criterion=criterion, family=family, margin=margin, margin_of=margin_of),
            control=control,
            cluster_keys=clustered,
            alpha=settings["alpha"],
            permutations=settings["permutations"],
            seed=seed,
        )
        found["verdicts"] = verdicts({of.measure["name"]: designs}, plan, leading)
        found |= {"leaders": leading, "families": dealt}
    return Comparison(
        {**found, "ingest": of.reports},
        {**of.settings, "cluster_keys": asked, "control": control, "inference": settings},
    )
