"""Statements that a study may make: one primary analysis, declared before anything is tested, and the rest, marked secondary.

First it is tested that all algorithms are equal; only where that is rejected anything is said of the pairs of the primary family,
and of all the rest, which is one family (`clusters.flips`). So where all algorithms are equal something false is said with at
most alpha, and otherwise with at most alpha in the primary analysis and alpha in all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import Array, Index, Mask, Numbers, UserError, keys, names, schema, seeds
from benchmill.core.limits import Ends
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters, draws, equivalence, ranking
from benchmill.inference.anova import interaction_of_ranks
from benchmill.inference.clusters import Cluster
from benchmill.inference.design import Design, Designs, Outcome, counted_word, level_word, net_wins
from benchmill.inference.fragility import Found, fragility
from benchmill.registry.criteria import named
from benchmill.registry.primary import Primary
from benchmill.text import display, labels, limits, prose
from benchmill.text import leaders as leading

_CRITERION = "net share of wins"
#: The numbers of a pair in what flips find, and the columns of the table that they stand in.
_NUMBERS = ("effect", "low", "high", "p", "p_adjusted", "p_low")
_COLUMNS = ("effect", "effect_low", "effect_high", "p", "p_adjusted", "p_low")
_POPULATION, _ON_AVERAGE = "problems like these", "problems like these, on average"


@dataclass(frozen=True)
class Declaration:
    """Declaration of a study before it is tested.

    Without a `control` all pairs are compared. `note` is what has to be said of earlier looks, and `spent` that they leave
    nothing to decide with. `labels` are what measures are called that have one.
    """

    primary: Primary = Primary()  # noqa: RUF009 - frozen
    control: str | None = None
    cluster_keys: keys.Keys = keys.CLUSTER_KEYS
    alpha: float = 0.05
    permutations: int = draws.MOST
    seed: int = 1
    note: str = ""
    spent: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)


def verdicts(designs: Mapping[str, Designs], declared: Declaration, leaders: pa.Table | None = None) -> pa.Table:
    """Make the table `verdicts` of a study; arguments as of `primary`."""
    return schema.concatenate(
        [schema.of_rows("verdicts", []), *statements(designs, primary(designs, declared, leaders))]
    ).combine_chunks()


def primary(designs: Mapping[str, Designs], declared: Declaration, leaders: pa.Table | None = None) -> Tested | None:
    """Test the primary analysis of a study; None where nothing is tested.

    `designs` are by measure, one for each target or budget, and stratum. Without the table `leaders` the algorithm with the
    largest mean net share of wins leads. A `UserError` where there is no such measure, target or algorithm, or too few
    rearrangements are asked for.
    """
    measure = declared.primary.measure or next(iter(designs), None)
    if measure is None:
        return None
    if not declared.spent:
        draws.refuse_few(declared.permutations, declared.alpha)
    if measure not in designs:
        raise UserError(f"primary.measure: there is no tested measure {measure!r}; choose from {', '.join(designs)}.")
    order = [] if leaders is None else [row for row in leaders.to_pylist() if row["measure"] == measure]
    return Tested([_Family(measure, [pooled(designs[measure], declared, measure)], declared, "primary", order)], declared)


def statements(designs: Mapping[str, Designs], tested: Tested | None) -> Iterator[pa.Table]:
    """Yield the table `verdicts` piece by piece: pairs at all points are millions for a thousand algorithms.

    The primary analysis comes first: a row about all algorithms, then one a pair. Nothing is significant where a p value is null.
    """
    if tested is None:
        return
    (family,) = tested.families
    (about_pairs,) = tested.tables()
    yield about_pairs
    if tested.declared.primary.margin is not None:
        yield schema.of_rows("verdicts", family.as_good(about_pairs.slice(0, 1).to_pylist()[0]))
    rest = secondary(designs, tested)
    if rest is not None:
        yield from rest.tables()


def secondary(designs: Mapping[str, Designs], tested: Tested) -> Tested | None:
    """Test all the rest, as one family behind the gate of the primary analysis; None where there is nothing else."""
    (family,), declared, rest = tested.families, tested.declared, []
    for measure, all_of in designs.items():
        points = [[design] for design in all_of]
        # what the primary analysis has said is not said again
        if measure != family.measure or len(points) > 1 or len(family.points[0]) != len(all_of):
            rest.append(_Family(measure, points, declared, "secondary"))
    return Tested(rest, declared, tested.gate) if rest else None


def rank_sets(tested: Tested | None) -> pa.Table:
    """Make the table `rank_sets` of a study, by what its primary analysis says of pairs.

    Without clusters, or with one algorithm, it has no row. Where the analysis is about the pairs with a control alone, the sets
    are what these tell.
    """
    if tested is None or not tested.of.size or len(tested.families[0].names) < 2:
        return schema.of_rows("rank_sets", [])
    ((family,), (point,)), flips, alpha = (tested.families, tested.points), tested.found, tested.declared.alpha
    low, high = ranking.rank_sets(flips.effect, flips.p_adjusted <= alpha, len(family.names), (family.a, family.b))
    return schema.table(
        "rank_sets",
        {
            "measure": family.measure,
            "algorithm": family.names,
            "net_share": [point.leads[name] for name in family.names],
            "rank_low": low,
            "rank_high": high,
            "can_be_best": low == 1,
            "alpha": alpha,
            "n_clusters": len(tested.named),
            "n_cells": tested.of.size,
        },
    )


def pooled(designs: Designs, declared: Declaration, measure: str) -> list[Design]:
    """Return the designs of a measure that the primary analysis pools."""
    if declared.primary.targets is None:
        return list(designs)
    known = {design.level for design in designs}
    if unknown := [target for target in declared.primary.targets if target not in known]:
        listed = ", ".join(f"{level:g}" for level in known if level is not None) or "none"
        raise UserError(f"primary.targets: measure {measure!r} has no target or budget {unknown[0]:g}; it has {listed}.")
    return [design for design in designs if design.level in declared.primary.targets]


class Tested:
    """Families that are tested together, by the same flips of whole clusters.

    `gate` is the test of the primary analysis that all algorithms are equal; `found` is of all pairs of all points, one after the
    other, with adjusted p of at least that of the gate.
    """

    def __init__(self, families: Sequence[_Family], declared: Declaration, gate: Outcome | None = None) -> None:
        self.families, self.declared = families, declared
        every_point = [(family, point) for family in families for point in family.points]
        self.of, self.named = clusters.named([design for _, point in every_point for design in point], declared.cluster_keys)
        #: the clusters in words, by the keys in which they differ
        self.clusters = clusters.in_words(self.named)
        columns = np.cumsum([0, *(family.a.size for family, _ in every_point)]).tolist()
        every = np.empty((len(self.named), columns[-1]), order="F")
        cells = np.split(self.of, np.cumsum([sum(len(design.values) for design in point) for _, point in every_point])[:-1])
        self.points = []
        for (family, designs), here, ends in zip(every_point, cells, pairwise(columns), strict=True):
            d = _scores(designs, here, len(every))
            every[:, slice(*ends)] = d[:, family.columns] * family.turned
            self.points.append(_Point(family, designs, here, slice(*ends), ranking.net_shares(d, family.names)))
            if gate is None:
                self.scores = d
                gate = _gate(d, family)
        assert gate is not None
        self.gate, self.every = gate, every
        self.found = _flipped(every, self.named, gate, declared)

    @property
    def opened(self) -> bool:
        """Return True if the gate rejects, so that pairs may be said to differ."""
        return self.gate.rejects(self.declared.alpha)

    @cached_property
    def fragility(self) -> list[Found]:
        """Return how many clusters carry the verdict of each tested pair of the primary analysis, see `fragility`."""
        family, declared = self.families[0], self.declared
        if declared.spent or not self.every.size:
            return [None] * self.every.shape[1]

        def decide(kept: Sequence[int]) -> Mask:
            named, gate = [self.named[at] for at in kept], _gate(self.scores[kept], family)
            if (gate.p or 0.0) > declared.alpha:
                return np.zeros(self.every.shape[1], bool)
            return _flipped(self.every[kept], named, gate, declared).p_adjusted <= declared.alpha

        rng = seeds.stream(declared.seed, "fragility", family.measure)
        return fragility(self.scores, self.every, len(family.names), decide, declared.alpha, rng)

    def tables(self) -> Iterator[pa.Table]:
        """Yield the rows of each point, the one about all algorithms first."""
        for point in self.points:
            family, alpha = point.family, self.declared.alpha
            pairs = {name: getattr(self.found, name)[point.columns] for name in _NUMBERS}
            # nothing is open behind a gate that is shut
            pairs["p_low"] = np.where(self.opened, pairs["p_low"], np.nan)
            key = {**point.key(self.found.effect.size), "alpha": alpha, "p_min": schema.known(self.found.p_min)}
            known = pairs["p_adjusted"][~np.isnan(pairs["p_adjusted"])]
            # in a secondary analysis algorithms differ where a pair does
            about_all = {**key, "p": None, "p_adjusted": float(known.min()) if known.size else None}
            if family.analysis == "primary":
                about_all |= {
                    "family": "all algorithms at once",
                    "family_size": 1,
                    "criterion": named(leading.headline(family.order)).words if family.order else _CRITERION,
                    "method": clusters.ALL,
                    **{name: getattr(self.gate, name) for name in ("p", "p_min", "p_low")},
                    "p_adjusted": self.gate.p,
                }
            tested = about_all["p_adjusted"] is not None
            about_all["significant"] = tested and about_all["p_adjusted"] <= alpha
            shown = self.opened and tested and family.a.size
            about_all["text"] = prose.said(
                __file__,
                tested=self,
                point=point,
                differ=limits.differing(point.ended, point.of.size, point.cell) if point.of.size else "",
                row=about_all,
                undecided=undecided,
                criterion=_CRITERION,
                shown=point.shown(pairs, alpha) if shown else None,
            )
            carried = self._carried(point.columns) if family.analysis == "primary" else {}
            yield schema.concatenate(
                [schema.of_rows("verdicts", [about_all]), point.of_pairs(key, pairs, self.found.n_flips, carried)]
            )

    def _carried(self, mine: slice) -> dict[str, list[Any]]:
        """Return the columns on what carries the verdicts of the pairs at a point."""
        carriers = self.fragility[mine]
        return {
            "fragility": [one and one[0] for one in carriers],
            "fragility_exact": [one and one[1] for one in carriers],
            "carried_by": [one and ", ".join(self.clusters[at] for at in one[2]) for one in carriers],
        }


class _Family:
    """All statements of a measure: of each point (designs that are pooled) the pairs that are compared.

    `a`, `b` are the algorithms of the tested pairs, `columns` their places among all pairs, `turned` -1 where turned round,
    `order` are rows of `leaders`.
    """

    def __init__(
        self,
        measure: str,
        points: Sequence[Designs],
        declared: Declaration,
        analysis: str,
        order: Sequence[schema.Facts] = (),
    ) -> None:
        self.measure, self.points, self.declared = measure, points, declared
        self.analysis, self.order = analysis, order
        self.names = list(points[0][0].treatments)
        self.against = None if declared.control is None else self._against(declared.control)
        i, j = np.triu_indices(len(self.names), 1)
        self.columns = np.arange(i.size)
        at = -1
        if self.against is not None:
            at = self.names.index(self.against)
            self.columns = np.flatnonzero((i == at) | (j == at))
        i, j = i[self.columns], j[self.columns]
        # the one that others are compared with stands first
        last = j == at
        self.a, self.b, self.turned = np.where(last, j, i), np.where(last, i, j), np.where(last, -1.0, 1.0)

    def _against(self, control: str) -> str:
        fitting = names.meant(control, self.names)
        if len(fitting) != 1:
            raise UserError(
                f"control: {control!r} fits {', '.join(fitting)}; name one."
                if fitting
                else f"control: there is no algorithm {control!r}; choose from {', '.join(self.names)}."
                if self.analysis == "primary"
                else f"control: the measure {self.measure!r} has no run of {control!r}, with which others are compared; leave "
                "the measure out, or name another control."
            )
        return fitting[0]

    def as_good(self, about_all: schema.Facts) -> schema.Rows:
        """Make the rows about equivalence, of all pairs that are tested."""
        shared = ("measure", "target", "at_budget", "stratum", "population", "n_clusters", "n_cells", "alpha")
        primary, (point,) = self.declared.primary, self.points
        assert primary.margin is not None
        return equivalence.statements(
            point,
            [(self.names[a], self.names[b]) for a, b in zip(self.a.tolist(), self.b.tolist(), strict=True)],
            primary.margin,
            {name: about_all[name] for name in shared},
            self.declared.cluster_keys,
            self.declared.labels.get(self.measure),
        )


@dataclass(frozen=True)
class _Point:
    """Designs of a family that are pooled: the cluster of each cell, the columns of the pairs, and mean net shares of wins."""

    family: _Family
    designs: Designs
    of: Index
    columns: slice
    leads: Mapping[str, float]

    @property
    def cell(self) -> str:
        """Return what counts once."""
        return counted_word(self.designs)

    @property
    def level(self) -> str:
        """Return what tells the designs apart."""
        return level_word(self.designs) or "part"

    @cached_property
    def depends(self) -> float | None:
        """Return p of an interaction of algorithms and problems: of several targets the smallest, times their number."""
        p_values = [p for p in (interaction_of_ranks(design.values) for design in self.designs) if p is not None]
        return min(1.0, len(p_values) * min(p_values)) if p_values else None

    @cached_property
    def ends(self) -> Ends:
        """Return where the runs of all cells end."""
        parts = [
            Ends.of(one.values, one.budgets) if one.spent is None else Ends.of_cells(one.values[:, :, 0], one.spent[:, :, 0])
            for one in self.designs
            if len(one.values)
        ]
        return Ends(*map(np.concatenate, zip(*parts, strict=True))) if parts else Ends(*np.zeros((2, 0, len(self.family.names))))

    @cached_property
    def late(self) -> Array:
        """Count the cells in which runs of each algorithm succeeded after the common limit."""
        return sum((one.late.sum(axis=0) for one in self.designs if one.late is not None), np.zeros(len(self.family.names)))

    @cached_property
    def ended(self) -> schema.Rows:
        """Return of each algorithm the cells in which it was stopped early, and in which it succeeded late."""
        ended = zip(self.family.names, self.ends.early.sum(axis=0).tolist(), self.late.tolist(), strict=True)
        return [{"algorithm": name, "n_stopped": n, "n_late": n_late} for name, n, n_late in ended]

    def key(self, size: int) -> schema.Row:
        """Return what the rows of a point share."""
        first, one, whole = self.designs[0], len(self.designs) == 1, self.family
        family = "all pairs" if whole.against is None else f"{whole.against} against every other algorithm"
        path = [whole.analysis]
        if whole.analysis == "secondary":
            family += " at every measure, target, budget and stratum"
            path += [whole.measure, labels.point(vars(first)) if one else "all"]
        elif not one:
            family += f", {self.level}s pooled"
        return {
            "name": labels.statement(*path),
            "analysis": whole.analysis,
            "measure": whole.measure,
            **{name: getattr(first, name) if one else None for name in ("target", "at_budget", "stratum")},
            "family": family,
            "family_size": size,
            # where the order depends on the problem, only its mean over the problems is claimed
            "population": _ON_AVERAGE if self.depends is not None and self.depends <= whole.declared.alpha else _POPULATION,
            "criterion": _CRITERION,
            "method": clusters.PAIRS,
            "n_clusters": np.unique(self.of).size,
            "n_cells": self.of.size,
        }

    def of_pairs(self, key: schema.Facts, pairs: Mapping[str, Array], n_flips: int, carried: Mapping[str, list[Any]]) -> pa.Table:
        """Make the rows of the pairs; `carried` has more columns."""
        a, b, of_all = self.family.a, self.family.b, display.plural(self.of.size, self.cell)
        names, significant = np.array(self.family.names, object), pairs["p_adjusted"] <= key["alpha"]
        first, second = names[a], names[b]
        texts = _texts(key, first, second, pairs, significant, n_flips)
        path = "" if key["analysis"] == "primary" else f"{key['name']}/"
        for one, two, who, other in ((a, b, first, second), (b, a, second, first)):
            early = self.ends.early_in(one, two)
            for i in np.flatnonzero(early).tolist():
                texts[i] = (
                    f"Budgets differ: {who[i]} was stopped before {other[i]} succeeded on {display.count(early[i])} of {of_all}, "
                    # that budgets differ is said once
                    f"and counts as worse there. {texts[i].replace('Budgets differ: ', '', 1)}"
                )
            for i in np.flatnonzero(self.late[one]).tolist():
                texts[i] = (
                    f"Limits differ: runs of {who[i]} that succeeded after the smallest limit of an instance count as failed on "
                    f"{display.count(self.late[one[i]])} of {of_all}. {texts[i].replace('Limits differ: r', 'And r', 1)}"
                )
        return schema.table(
            "verdicts",
            {
                **key,
                "name": [f"{path}{labels.file_name(a)}/{labels.file_name(b)}" for a, b in zip(first, second, strict=True)],
                "algorithm_a": first,
                "algorithm_b": second,
                # null where there is none
                **{column: schema.or_null(n) for column, n in zip(_COLUMNS, pairs.values(), strict=True)},
                "significant": significant,
                **carried,
                "text": texts,
            },
        )

    def shown(self, pairs: Mapping[str, Array], alpha: float) -> schema.Row:
        """Return how many pairs differ, what is shown about the algorithm that comes first, and which may be the best."""
        family, significant = self.family, pairs["p_adjusted"] <= alpha
        leader, as_many, share = family.against or next(iter(leading.first(family.order)), None), [], None
        if leader is None:
            leader, *as_many = (name for name, one in self.leads.items() if one >= max(self.leads.values()) - TOLERANCE)
            share = self.leads[leader]
        relations: dict[str, list[str]] = {"better than": [], "worse than": [], "not shown to differ from": []}
        at = family.names.index(leader)
        for place in np.flatnonzero((family.a == at) | (family.b == at)).tolist():
            other = family.names[family.a[place] + family.b[place] - at]
            effect, low, high = (float(pairs[name][place]) for name in ("effect", "low", "high"))
            if significant[place]:
                how = "better than" if (effect > 0) == (family.a[place] == at) else "worse than"
                relations[how].append(f"{other} by {_size(effect, low, high)}")
            else:
                relations["not shown to differ from"].append(other)
        # those that none is shown to be better than may be the best
        smallest, _ = ranking.rank_sets(pairs["effect"], significant, len(family.names), (family.a, family.b))
        return {
            "n": int(significant.sum()),
            "open": int((~np.isnan(pairs["p_low"])).sum()),
            "leader": leader,
            "as_many": as_many,
            "share": share,
            "relations": {how: others for how, others in relations.items() if others},
            "best": [name for name, rank in zip(family.names, smallest.tolist(), strict=True) if rank == 1],
        }


def _scores(point: Designs, here: Index, n_clusters: int) -> Array:
    """Return the scores of all pairs in the clusters of all points; NaN where a cluster has no cell here."""
    wins = np.concatenate([net_wins(design.values) for design in point])
    d = np.full((n_clusters, wins.shape[1]), np.nan)
    if here.size:
        present, local = np.unique(here, return_inverse=True)
        d[present] = clusters.means(wins, local)
    return d


def _gate(d: Array, family: _Family) -> Outcome:
    """Test that all algorithms of a point are equal, by the scores of all pairs in its clusters."""
    d, declared = d[~np.isnan(d).all(axis=1)] if len(family.names) > 1 else d[:0], family.declared
    return clusters.exchangeable(
        d, len(family.names), seeds.stream(declared.seed, clusters.ALL), declared.permutations, declared.alpha
    )


def _flipped(scores: Array, named: Sequence[Cluster], gate: Outcome, declared: Declaration) -> clusters.Flips:
    """Test the pairs of families that are tested together, behind the gate."""
    # behind a gate that is shut nothing depends on how many flips there are
    most = declared.permutations if gate.rejects(declared.alpha) else min(declared.permutations, draws.BATCH)
    flips = clusters.flips(scores, clusters.Signs(declared.seed, named), declared.alpha, most)
    return clusters.behind(flips, gate, declared.alpha)


# --- in words ----------------------------------------------------------------------------------


def _size(effect: float, low: float, high: float) -> str:
    """Write the size of a difference with its interval, as the better one sees it."""
    sign = 1.0 if effect > 0 else -1.0
    low, high = sorted((sign * low, sign * high))
    return f"{display.number(sign * effect)} ({display.number(low)} to {display.number(high)})"


def undecided(low: float, high: float, drawn: int | None, alpha: str) -> str:
    """Say between which values p is, where chance decides."""
    return f"undecided at {alpha}: p between {display.p_value(low)} and {display.p_value(high)} after {display.count(drawn or 0)}"


def _texts(
    key: Mapping[str, Any],
    first: Numbers,
    second: Numbers,
    numbers: Mapping[str, Array],
    significant: Mask,
    n_flips: int,
) -> list[str]:
    """Make the sentence of each pair of a family."""
    family_words = f"one of {display.plural(key['family_size'], 'statement')} ({key['family']}; {key['analysis']} analysis)"
    effect, low, high, _, adjusted, p_low = numbers.values()
    # of two that differ the better one is named first
    turned = significant & ~(effect > 0)
    better, worse, effect, low, high = (
        np.where(turned, one, other)
        for one, other in ((second, first), (first, second), (-effect, effect), (-high, low), (-low, high))
    )
    alpha = display.target(key["alpha"])
    # a look beyond those that were planned has almost nothing to spend
    equal = "no difference is shown" if key["alpha"] > 1e-8 else "nothing more can be decided"
    open_at = {at: undecided(p_low[at], adjusted[at], n_flips, alpha) for at in np.flatnonzero(~np.isnan(p_low)).tolist()}
    columns = zip(
        better.tolist(),
        worse.tolist(),
        significant.tolist(),
        *(_written(display.number, one) for one in (effect, low, high)),
        _written(display.p_phrase, adjusted),
        np.isnan(adjusted).tolist(),
        strict=True,
    )
    return [
        f"{a} and {b}: not compared, as there is no problem on which all algorithms have runs."
        if nothing
        else f"{a} is better than {b} on {key['population']}: net share of wins {share} ({start} to {end}), adjusted p {p}, "
        f"{family_words}."
        if differ
        else f"{a} and {b}: {open_at[at]} flips, which counts as not shown; net share of wins of {a} {share} ({start} to {end}), "
        f"{family_words}."
        if at in open_at
        else f"{a} and {b}: {equal}; net share of wins of {a} {share} ({start} to {end}), adjusted p {p}, {family_words}."
        for at, (a, b, differ, share, start, end, p, nothing) in enumerate(columns)
    ]


def _written(write: Callable[[float], str], values: Array) -> list[str]:
    """Write numbers; of many pairs few have numbers of their own."""
    distinct, at = np.unique(values, return_inverse=True)
    return np.array([write(value) for value in distinct.tolist()], object)[at].tolist()  # type: ignore[no-any-return]
