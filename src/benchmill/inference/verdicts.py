"""Statements that a study may make: one primary analysis, declared before anything is tested, and the rest, marked secondary.

First it is tested that all algorithms are equal; only where that is rejected anything is said of the pairs of the primary family,
and of all the rest, which is one family (`clusters.flips`). So where all algorithms are equal something false is said with at
most alpha, and otherwise with at most alpha in the primary analysis and alpha in all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from benchmill.core import keys, names, schema, seeds
from benchmill.core.arrays import Array, Index, Mask
from benchmill.core.errors import UserError
from benchmill.core.limits import Ends
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters, draws, equivalence, ranking, verdict_words
from benchmill.inference.anova import interaction_of_ranks
from benchmill.inference.comparisons import agreeing
from benchmill.inference.design import Design, Outcome, counted_word, level_word
from benchmill.inference.effects import net_wins
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
    cluster_keys: Sequence[keys.Key] = keys.CLUSTER_KEYS
    alpha: float = 0.05
    permutations: int = draws.MOST
    seed: int = 1
    note: str = ""
    spent: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)


def verdicts(designs: Mapping[str, Sequence[Design]], declared: Declaration, leaders: pa.Table | None = None) -> pa.Table:
    """Make the table `verdicts` of a study; arguments as of `primary`."""
    return schema.concatenate(
        [schema.of_rows("verdicts", []), *statements(designs, primary(designs, declared, leaders))]
    ).combine_chunks()


def primary(designs: Mapping[str, Sequence[Design]], declared: Declaration, leaders: pa.Table | None = None) -> Tested | None:
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
    chosen = pooled(designs[measure], declared, measure)
    return Tested([_Family(measure, [chosen], declared, "primary", order)], declared)


def statements(designs: Mapping[str, Sequence[Design]], tested: Tested | None) -> Iterator[pa.Table]:
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


def secondary(designs: Mapping[str, Sequence[Design]], tested: Tested) -> Tested | None:
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
    (family,), flips, alpha = tested.families, tested.found, tested.declared.alpha
    low, high = ranking.rank_sets(flips.effect, flips.p_adjusted <= alpha, len(family.names), (family.a, family.b))
    return schema.table(
        "rank_sets",
        {
            "measure": family.measure,
            "algorithm": family.names,
            "net_share": [tested.leads[0][name] for name in family.names],
            "rank_low": low,
            "rank_high": high,
            "can_be_best": low == 1,
            "alpha": alpha,
            "n_clusters": int(tested.of.max()) + 1,
            "n_cells": int(tested.of.size),
        },
    )


def pooled(designs: Sequence[Design], declared: Declaration, measure: str) -> list[Design]:
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
        self.points = [(family, place, point) for family in families for place, point in enumerate(family.points)]
        designs = [design for *_, point in self.points for design in point]
        self.of, self.named = clusters.named(designs, declared.cluster_keys)
        #: the clusters in words, by the keys in which they differ
        self.clusters = clusters.in_words(self.named)
        cells = np.cumsum([0, *(sum(len(design.values) for design in point) for *_, point in self.points)])
        self.cells = [slice(*ends) for ends in pairwise(cells.tolist())]
        columns = np.cumsum([0, *(family.a.size for family, *_ in self.points)])
        self.columns = [slice(*ends) for ends in pairwise(columns.tolist())]
        every = np.empty((int(self.of.max(initial=-1)) + 1, columns[-1]), order="F")
        self.leads = []
        for (family, _, point), here, mine in zip(self.points, self.cells, self.columns, strict=True):
            d = family.scores(point, self.of[here], len(every))
            every[:, mine] = d[:, family.columns] * family.turned
            self.leads.append(ranking.net_shares(d, family.names))
            if gate is None:
                self.scores = d
                gate = _gate(d, family)
        assert gate is not None
        self.gate, self.every = gate, every
        flips, adjusted = _flipped(every, self.named, gate, declared)
        low, high = agreeing(flips.effect, flips.low, flips.high, adjusted <= declared.alpha)
        self.found = replace(flips, low=low, high=high, p_adjusted=adjusted, p_low=flips.p_low if self.opened else None)

    @property
    def opened(self) -> bool:
        """Return True if the gate rejects, so that pairs may be said to differ."""
        return self.gate.rejects(self.declared.alpha)

    @cached_property
    def fragility(self) -> list[Found]:
        """Return how many clusters carry the verdict of each tested pair of the primary analysis, see `fragility`."""
        family, declared = self.families[0], self.declared
        if family.analysis != "primary" or declared.spent or not self.every.size:
            return [None] * self.every.shape[1]

        def decide(kept: Sequence[int]) -> Mask:
            named, gate = [self.named[at] for at in kept], _gate(self.scores[kept], family)
            return _flipped(self.every[kept], named, gate, declared)[1] <= declared.alpha

        return fragility(
            self.scores,
            self.every,
            len(family.names),
            decide,
            declared.alpha,
            seeds.stream(declared.seed, "fragility", family.measure),
        )

    def tables(self) -> Iterator[pa.Table]:
        """Yield the rows of each point, the one about all algorithms first."""
        for (family, _, point), here, mine, leads in zip(self.points, self.cells, self.columns, self.leads, strict=True):
            cell_clusters, primary = self.of[here], family.analysis == "primary"
            # an interaction of algorithms and problems: of several targets, times their number
            p_values = [p for p in (interaction_of_ranks(design.values) for design in point) if p is not None]
            depends = min(1.0, len(p_values) * min(p_values)) if p_values else None
            none = np.full(mine.stop - mine.start, np.nan)
            pairs = {name: none if (all_of := getattr(self.found, name)) is None else all_of[mine] for name in _NUMBERS}
            key = {
                **family.key(point, depends, len(self.found.effect)),
                "n_clusters": np.unique(cell_clusters).size,
                "n_cells": cell_clusters.size,
                "alpha": self.declared.alpha,
                "method": clusters.PAIRS,
                "p_min": schema.known(self.found.p_min),
            }
            stopped, late = verdict_words.ends(point), verdict_words.late(point)
            known = pairs["p_adjusted"][~np.isnan(pairs["p_adjusted"])]
            # in a secondary analysis algorithms differ where a pair does
            about_all = {**key, "p": None, "p_adjusted": float(known.min()) if known.size else None}
            if primary:
                about_all |= {
                    "family": "all algorithms at once",
                    "family_size": 1,
                    "criterion": named(leading.headline(family.order)).words if family.order else _CRITERION,
                    "method": clusters.ALL,
                    **{name: getattr(self.gate, name) for name in ("p", "p_min", "p_low")},
                    "p_adjusted": self.gate.p,
                }
            about_all["significant"] = about_all["p_adjusted"] is not None and about_all["p_adjusted"] <= self.declared.alpha
            about_all["text"] = self._text(family, point, pairs, leads, about_all, depends, stopped, late)
            carried = self._carried(mine) if primary else {}
            of_all = display.plural(len(stopped.stopped), counted_word(point))
            rows = family.of_pairs(key, pairs, self.found, stopped, late, of_all, carried)
            yield schema.concatenate([schema.of_rows("verdicts", [about_all]), rows])

    def _text(
        self,
        family: _Family,
        point: Sequence[Design],
        pairs: Mapping[str, Array],
        leads: Mapping[str, float],
        row: schema.Row,
        depends: float | None,
        stopped: Ends,
        late: Array,
    ) -> str:
        """Say what is shown of all algorithms at a point."""
        early = stopped.early.sum(axis=0) if len(stopped.stopped) else late * 0
        ended = zip(family.names, early.tolist(), late.tolist(), strict=True)
        rows = [{"algorithm": name, "n_stopped": n, "n_late": n_late} for name, n, n_late in ended]
        cell, shown = counted_word(point), self.opened and row["p_adjusted"] is not None and family.a.size
        return prose.said(
            __file__,
            differ=limits.differing(rows, len(stopped.stopped), cell) if len(stopped.stopped) else "",
            stopped=early.any(),
            row=row,
            point=point,
            measure=self.declared.labels.get(row["measure"]) or display.words(row["measure"]),
            level_word=level_word(point),
            cell=cell,
            pairs=family.a.size,
            names=family.names,
            against=family.against,
            spent=self.declared.spent,
            note=self.declared.note,
            opened=self.opened,
            p_min=self.found.p_min,
            n_permutations=self.gate.n_resamples,
            n_flips=self.found.n_flips,
            n_statements=self.found.effect.size,
            undecided=verdict_words.undecided,
            criterion=_CRITERION,
            depends=depends,
            shown=family.shown(pairs, leads, row["alpha"]) if shown else None,
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
        points: Sequence[Sequence[Design]],
        declared: Declaration,
        analysis: str,
        order: Sequence[schema.Facts] = (),
    ) -> None:
        self.measure, self.points, self.declared = measure, points, declared
        self.analysis, self.order = analysis, order
        self.names = list(self.points[0][0].treatments if self.points and self.points[0] else [])
        self.against = None if declared.control is None else self._against(declared.control)
        i, j = np.triu_indices(len(self.names), 1)
        at = -1 if self.against is None else self.names.index(self.against)
        # the one that others are compared with stands first
        last = j == at
        self.a, self.b, self.turned = np.where(last, j, i), np.where(last, i, j), np.where(last, -1.0, 1.0)
        self.columns = np.arange(i.size)
        if self.against is not None:
            self.columns = np.flatnonzero(self.a == at)
            self.a, self.b, self.turned = self.a[self.columns], self.b[self.columns], self.turned[self.columns]

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

    def as_good(self, about_all: schema.Facts) -> list[schema.Row]:
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

    def scores(self, point: Sequence[Design], here: Index, n_clusters: int) -> Array:
        """Return the scores of all pairs in the clusters of all points; NaN where a cluster has no cell here."""
        d = np.full((n_clusters, len(self.names) * (len(self.names) - 1) // 2), np.nan)
        if here.size:
            present, local = np.unique(here, return_inverse=True)
            d[present] = clusters.means(np.concatenate([net_wins(design.values) for design in point]), local)
        return d

    def key(self, point: Sequence[Design], depends: float | None, size: int) -> schema.Row:
        """Return what the rows of a point share."""
        one = len(point) == 1
        family = "all pairs" if self.against is None else f"{self.against} against every other algorithm"
        if self.analysis == "secondary":
            family += " at every measure, target, budget and stratum"
        elif not one:
            family += f", {level_word(point) or 'part'}s pooled"
        return {
            "name": labels.statement(*self.path(point)),
            "analysis": self.analysis,
            "measure": self.measure,
            "target": point[0].target if one else None,
            "at_budget": point[0].at_budget if one else None,
            "stratum": point[0].stratum if one else None,
            "family": family,
            "family_size": size,
            # where the order depends on the problem, only its mean over the problems is claimed
            "population": _ON_AVERAGE if depends is not None and depends <= self.declared.alpha else _POPULATION,
            "criterion": _CRITERION,
        }

    def path(self, point: Sequence[Design]) -> list[str]:
        """Return the parts of the name of a statement about all algorithms at a point."""
        at = (
            labels.point({"stratum": point[0].stratum, "target": point[0].target, "at_budget": point[0].at_budget})
            if len(point) == 1
            else "all"
        )
        return [self.analysis] if self.analysis == "primary" else [self.analysis, self.measure, at]

    def of_pairs(
        self,
        key: schema.Facts,
        pairs: Mapping[str, Array],
        flips: clusters.Flips,
        stopped: Ends,
        late: Array,
        of_all: str,
        carried: Mapping[str, list[Any]],
    ) -> pa.Table:
        """Make the rows of the pairs at a point; `of_all` says of how many cells, `carried` has more columns."""
        names, significant = np.array(self.names, object), pairs["p_adjusted"] <= self.declared.alpha
        first, second = names[self.a].tolist(), names[self.b].tolist()
        texts = verdict_words.pair_texts(key, first, second, pairs, significant, flips.n_flips)
        path = "" if self.analysis == "primary" else f"{key['name']}/"
        ends = {name: labels.file_name(name) for name in self.names}
        for a, b, who, other in ((self.a, self.b, first, second), (self.b, self.a, second, first)):
            early = stopped.early_in(a, b)
            for i in np.flatnonzero(early).tolist():
                texts[i] = verdict_words.stopped_early(who[i], other[i], f"{display.count(early[i])} of {of_all}", texts[i])
            for i in np.flatnonzero(late[a]).tolist():
                texts[i] = verdict_words.cut(who[i], f"{display.count(late[a[i]])} of {of_all}", texts[i])
        return schema.table(
            "verdicts",
            {
                **key,
                "name": [f"{path}{ends[a]}/{ends[b]}" for a, b in zip(first, second, strict=True)],
                "algorithm_a": first,
                "algorithm_b": second,
                # null where there is none
                **{column: pa.array(n, from_pandas=True) for column, n in zip(_COLUMNS, pairs.values(), strict=True)},
                "significant": significant,
                **carried,
                "text": texts,
            },
        )

    def shown(self, pairs: Mapping[str, Array], leads: Mapping[str, float], alpha: float) -> schema.Row:
        """Return how many pairs differ, what is shown about the algorithm that comes first, and which may be the best."""
        significant = pairs["p_adjusted"] <= alpha
        leader, as_many, share = self.against or next(iter(leading.first(self.order)), None), [], None
        if leader is None:
            leader, *as_many = (name for name, one in leads.items() if one >= max(leads.values()) - TOLERANCE)
            share = leads[leader]
        relations: dict[str, list[str]] = {"better than": [], "worse than": [], "not shown to differ from": []}
        at = self.names.index(leader)
        for place in np.flatnonzero((self.a == at) | (self.b == at)).tolist():
            first = self.a[place] == at
            other = self.names[self.b[place] if first else self.a[place]]
            effect, low, high = (float(pairs[name][place]) for name in ("effect", "low", "high"))
            if significant[place]:
                how = "better than" if (effect > 0) == first else "worse than"
                relations[how].append(f"{other} by {verdict_words.size(effect, low, high)}")
            else:
                relations["not shown to differ from"].append(other)
        # those that none is shown to be better than may be the best
        smallest, _ = ranking.rank_sets(pairs["effect"], significant, len(self.names), (self.a, self.b))
        return {
            "n": int(significant.sum()),
            "open": int((~np.isnan(pairs["p_low"])).sum()),
            "leader": leader,
            "as_many": as_many,
            "share": share,
            "relations": {how: others for how, others in relations.items() if others},
            "best": [name for name, rank in zip(self.names, smallest.tolist(), strict=True) if rank == 1],
        }


def _gate(d: Array, family: _Family) -> Outcome:
    """Test that all algorithms of a point are equal, by the scores of all pairs in its clusters."""
    d, declared = d[~np.isnan(d).all(axis=1)] if len(family.names) > 1 else d[:0], family.declared
    rng = seeds.stream(declared.seed, clusters.ALL)
    return clusters.exchangeable(d, len(family.names), rng, declared.permutations, declared.alpha)


def _flipped(
    scores: Array, named: Sequence[tuple[Any, ...]], gate: Outcome, declared: Declaration
) -> tuple[clusters.Flips, Array]:
    """Test the pairs of families that are tested together; adjusted p are at least that of the gate."""
    # behind a gate that is shut nothing depends on how many flips there are
    most = declared.permutations if gate.rejects(declared.alpha) else min(declared.permutations, draws.BATCH)
    flips = clusters.flips(scores, clusters.streams(declared.seed, named), declared.alpha, most)
    return flips, np.maximum(flips.p_adjusted, 0.0 if gate.p is None else gate.p)
