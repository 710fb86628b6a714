"""Claims of a study, each by the primary analysis and under every convention that another author could have chosen.

The conventions are a sensitivity analysis and no further tests: a claim that does not hold by the primary analysis does not hold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import UserError, schema
from benchmill.inference import equivalence, ranking
from benchmill.inference.conventions import Alternative, Analysis, Compared, Specification, alternatives
from benchmill.inference.design import TwoNames
from benchmill.text import claims, display, prose
from benchmill.text import leaders as leads

_PAIR = ("algorithm_a", "algorithm_b")
#: The numbers of a claim, and what a test calls them.
_NUMBERS = {"effect": "effect", "effect_low": "low", "effect_high": "high", "p": "p", "p_adjusted": "p_adjusted"}
#: Columns of the table `verdicts` that claims need.
COLUMNS = ["analysis", "measure", *_PAIR, *_NUMBERS, "p_min", "alpha", "significant"]
#: The convention of the first row of a claim.
PRIMARY = "primary analysis"
#: Most claims that are made from a headline, and most exceptions that a sentence names.
_MOST_CLAIMS, _MOST_NAMED = 8, 4
#: What an effect is a difference of, by criterion, and by test where that decides.
_CRITERIA = {
    "wins": "net share of wins",
    "ranks": "mean rank",
    "log areas": "area over log τ",
}
#: What the tests of `Specification` are called.
_TESTS = {
    "flips": "flips of clusters, max-T",
    "signed ranks": "Wilcoxon's signed ranks, Holm",
    "signs": "sign test, Holm",
    "ranks": "Nemenyi's comparison",
}


def evaluated(
    stated: Sequence[claims.Claim] | None,
    analyses: Mapping[str, Analysis],
    verdicts: pa.Table,
    leaders: pa.Table | None = None,
    where: str = "claims",
) -> pa.Table:
    """Make the table `claims`: claim by claim, first the row of the primary analysis, then those of the conventions.

    Parameters
    ----------
    stated : sequence of Claim or None
        None: the claims of the headline, that who comes first is better than the others, as far as the primary analysis shows it.
    analyses : mapping of str to Analysis
        By measure; those that claims are about.
    where : str
        The key of the claims, as a message begins.

    A `UserError` where there is no such algorithm, or the primary analysis does not compare the pair.
    """
    primary, stated_claims = _Primary(verdicts), chosen(stated, verdicts, leaders)
    equal = sum(claim.kind == "as_good" for claim in stated_claims)
    claimed = [
        _Claimed(claim, stated is not None, analyses[measure], f"{where}[{number}]", primary.gate, equal)
        for number, claim in enumerate(stated_claims, 1)
        if (measure := claim.measure or primary.measure) is not None
    ]
    for one in claimed:
        one.analysis.asked.update(one.pairs)
    return schema.of_rows(
        "claims", [row for one in claimed for row in one.rows(primary if one.analysis.measure == primary.measure else None)]
    )


def chosen(stated: Sequence[claims.Claim] | None, verdicts: pa.Table, leaders: pa.Table | None = None) -> list[claims.Claim]:
    """Return the claims that a study states, or those of its headline; arguments as of `evaluated`."""
    return _of_headline(_Primary(verdicts), leaders) if stated is None else list(stated)


def primary_measure(verdicts: pa.Table) -> str | None:
    """Return the measure of the primary analysis in the table `verdicts`; None where nothing was tested."""
    return _Primary(verdicts).measure


def level(verdicts: pa.Table, usual: float) -> float:
    """Return the level of the primary analysis, of which a look at a growing study has a part; else the usual one."""
    return next(iter(_primary(verdicts)["alpha"].to_pylist()), usual)


def _primary(verdicts: pa.Table) -> pa.Table:
    return verdicts.filter(pc.equal(verdicts["analysis"], "primary"))


class _Primary:
    """Rows of the primary analysis about pairs, and the p of its test of all algorithms."""

    def __init__(self, verdicts: pa.Table) -> None:
        rows = _primary(verdicts.select(COLUMNS)).to_pandas()
        about_pairs = rows["algorithm_a"].notna()
        self.measure: str | None = next(iter(rows["measure"]), None)
        self.gate = float(next(iter(rows["p_adjusted"][~about_pairs].fillna(1.0)), 0.0))
        self.pairs = rows[about_pairs]

    def about(self, algorithm: str) -> dict[TwoNames, schema.Row]:
        """Return the rows about an algorithm, each by the names of its pair."""
        rows = self.pairs[(self.pairs[list(_PAIR)] == algorithm).any(axis=1)].to_dict("records")
        return {(row["algorithm_a"], row["algorithm_b"]): row for row in rows}


def _of_headline(primary: _Primary, leaders: pa.Table | None) -> list[claims.Claim]:
    """Return what the primary analysis shows of who comes first: best, or better than those that are shown worse."""
    order = [] if leaders is None else [row for row in leaders.to_pylist() if row["measure"] == primary.measure]
    pairs = primary.pairs
    first, second, effect = (pairs[name] for name in (*_PAIR, "effect"))
    leading = leads.first(order) or ranking.most_wins(first, second, effect.fillna(0.0))
    if len(leading) != 1 or pairs.empty:
        return []
    worse = []
    for (a, b), row in primary.about(leading[0]).items():
        better, other = (a, b) if row["effect"] > 0 else (b, a)
        if row["significant"] and better == leading[0]:
            worse.append((abs(row["effect"]), other))
    if len(worse) == len({*first, *second}) - 1 > 1:
        return [claims.written("best", leading[0])]
    # what is nearest to failing says most
    return [claims.written("better", leading[0], other) for _, other in sorted(worse)[:_MOST_CLAIMS]]


@dataclass(frozen=True)
class _Claimed:
    """A claim with the analysis of its measure; `n_equal` claims of the study are of equivalence, `gate` is the p of the gate."""

    claim: claims.Claim
    stated: bool
    analysis: Analysis
    where: str
    gate: float
    n_equal: int = 0

    @property
    def pairs(self) -> list[TwoNames]:
        """Return the pairs that it is about, the better one first."""
        names = self.analysis.names
        first = claims.known(self.claim.algorithm, names, "algorithm", self.where)
        if self.claim.other is not None:
            return [(first, claims.known(self.claim.other, names, "algorithm", self.where))]
        return [(first, name) for name in names if name != first]

    def rows(self, primary: _Primary | None) -> schema.Rows:
        """Make all rows; `primary` where its rows decide about the measure of the claim."""
        pairs, control = self.pairs, self.analysis.settings.control
        if not pairs:
            raise UserError(f"{self.where}: {self.claim.text!r} compares nothing; the study has one algorithm.")
        if primary is None:
            stated, lacking = {}, [pair for pair in pairs if control not in (None, *pair)]
        else:
            # who is claimed to be better is in all of them
            stated = primary.about(pairs[0][0])
            lacking = [pair for pair in pairs if pair not in stated and pair[::-1] not in stated]
        if lacking and self.claim.kind != "as_good":
            better, worse = lacking[0]
            raise UserError(
                f"{self.where}: {self.claim.text!r} is about {better!r} and {worse!r}, which the primary analysis does not "
                "compare; claim something of pairs with the `control`, or leave that out."
            )
        base = Alternative((), (PRIMARY,), Specification())
        first = self._row(base, pairs)
        if primary is not None and self.claim.kind != "as_good":
            compared = [_of_first(pair, pair not in stated, stated.get(pair) or stated[pair[::-1]]) for pair in pairs]
            p_min, alpha = (float(primary.pairs[name].iloc[0]) for name in ("p_min", "alpha"))
            first |= {**_outcome(compared, p_min, alpha), "p_min": schema.known(p_min)}
        seen = {self._described(Specification())[0]: first}
        rows, words = [first], [base.words]
        for one in alternatives(self.analysis, pairs, ("criterion", "test") if self.claim.kind == "as_good" else ()):
            same = seen.get(digest := self._described(one.specification)[0])
            rows.append({**same, **self._told(one), "same_as": same["convention"]} if same else self._row(one, pairs))
            seen.setdefault(digest, rows[-1])
            words.append(one.words)
        return [row | {"text": text} for row, text in zip(rows, _texts(rows, words, self.analysis.settings.label), strict=True)]

    def _told(self, one: Alternative) -> schema.Row:
        names = [convention.name for convention in one.conventions] or ["primary"]
        groups = dict.fromkeys(convention.group for convention in one.conventions)
        return {
            "convention": ", ".join(one.words),
            "rule": " × ".join(names),
            "group": " × ".join(groups) or "primary",
        }

    def _row(self, one: Alternative, pairs: Sequence[TwoNames]) -> schema.Row:
        specification, alpha = one.specification, self.analysis.settings.alpha
        digest, sizes = self._described(specification)
        if self.claim.kind == "as_good":
            judged = self._as_good(self._made(specification))
        else:
            # pairs that later claims are about are tested then
            tested, p_min = self.analysis.once(
                ("tested", digest, len(self.analysis.asked)), lambda: self._tested(self._made(specification))
            )
            compared = [tested[pair] for pair in pairs if specification.without not in pair]
            if not one.conventions:
                compared = [{**row, "p_adjusted": max(row["p_adjusted"], self.gate)} for row in compared]
            judged = {
                "criterion": _CRITERIA[specification.test if specification.test in _CRITERIA else specification.criterion],
                "test": _TESTS[specification.test],
                "p_min": schema.known(p_min),
                **_outcome(compared, p_min, alpha),
            }
        return {
            "claim": self.claim.text,
            "stated": self.stated,
            "kind": self.claim.kind,
            "algorithm": self.claim.algorithm,
            "other": self.claim.other,
            "measure": self.analysis.measure,
            "margin": self.claim.margin,
            **self._told(one),
            "same_as": None,
            **judged,
            "alpha": alpha,
            **sizes,
            "text": "",
        }

    def _made(self, specification: Specification) -> Compared:
        if self.claim.kind != "as_good":
            return self.analysis.compared(specification)
        return self.analysis.log_ratios(specification, self.pairs[0])

    def _described(self, specification: Specification) -> tuple[str, schema.Row]:
        """Describe what is made so; claims share this, where the scores are too large to be kept."""
        return self.analysis.once(
            ("described", specification, self.pairs[0] if self.claim.kind == "as_good" else None),
            lambda: self._made(specification).described,
        )

    def _tested(self, made: Compared) -> tuple[dict[TwoNames, schema.Row], float]:
        """Test all pairs; keep the numbers of those that any claim is about, and the smallest p: of all they are too large."""
        control, found = made.settings.control, {}
        for pair in self.analysis.asked:
            if made.specification.without not in pair and control in (None, *pair):
                column, turned = made.place(pair)
                at = np.searchsorted(made.family, column)
                found[pair] = _of_first(pair, turned, {name: getattr(made.tested, of)[at] for name, of in _NUMBERS.items()})
        return found, made.tested.p_min

    @np.errstate(invalid="ignore")
    def _as_good(self, made: Compared) -> schema.Row:
        """Test by two one-sided tests that the mean log ratio of the costs lies within the margin."""
        alpha, n = self.analysis.settings.alpha, max(self.n_equal, 1)
        margin = math.log1p((self.claim.margin or 0.0) / 100)
        # where one of the two fails there is no ratio, and nothing is shown
        effect, low, high, p = (float(values[0]) for values in equivalence.of_means(made.scores, margin, alpha / n))
        p_min = min(n * 2.0 ** -len(made.clusters), 1.0)
        return {
            "criterion": "log of the ratio of costs",
            "test": "two one-sided t tests, Bonferroni",
            "p_min": p_min,
            "against": self.claim.other,
            **{name: schema.known(v) for name, v in (("effect", effect), ("effect_low", low), ("effect_high", high), ("p", p))},
            "p_adjusted": min(n * p, 1.0),
            **_judged(min(n * p, 1.0) <= alpha, low > margin or high < -margin, p_min > alpha),
        }


def _judged(holds: bool, opposite: bool, undecidable: bool) -> schema.Row:
    if opposite or holds:
        return {"outcome": "opposite" if opposite else "holds", "holds": not opposite}
    return {"outcome": "undecidable", "holds": None} if undecidable else {"outcome": "not shown", "holds": False}


def _of_first(pair: TwoNames, turned: bool, numbers: schema.Facts) -> schema.Row:
    """Return the numbers of a comparison, NaN for none, as the first of a pair sees it."""
    row = {name: float(numbers[name]) for name in _NUMBERS}
    if turned:
        # not -0.0
        row |= {"effect": 0.0 - row["effect"], "effect_low": 0.0 - row["effect_high"], "effect_high": 0.0 - row["effect_low"]}
    return {"against": pair[1], **row}


def _outcome(compared: Sequence[schema.Facts], p_min: float, alpha: float) -> schema.Row:
    """Judge a claim, which holds if every comparison is decided so; the numbers are those of the least effect."""
    least = min(compared, key=lambda one: math.inf if math.isnan(one["effect"]) else one["effect"])
    decided = [one for one in compared if one["p_adjusted"] <= alpha]
    opposite = any(one["effect"] < 0 for one in decided)
    row = {name: schema.known(value) if isinstance(value, float) else value for name, value in least.items()}
    if not opposite:
        # a claim about several pairs is no better supported than the worst of them
        row["p_adjusted"] = schema.known(max((one["p_adjusted"] for one in compared), default=math.nan))
    return row | _judged(len(decided) == len(compared), opposite, p_min > alpha)


# --- in words ----------------------------------------------------------------------------------


def _texts(rows: Sequence[schema.Facts], words: Sequence[tuple[str, ...]], label: str | None) -> list[str]:
    """Say what each row shows, the first one with what is so under the others."""
    others = [(row, choices) for row, choices in zip(rows[1:], words[1:], strict=True) if row["same_as"] is None]
    # groups of problems, also those that are too small to decide; of ratios of costs there is no direction
    turned = [
        choices[0]
        for row, choices in others
        if row["group"] == "problems" and row["kind"] != "as_good" and (row["effect"] or 0.0) < 0
    ]
    told = prose.told(
        __file__,
        rows=rows,
        others=len(others),
        n=Counter(row["outcome"] for row, _ in others),
        named=partial(_named, others),
        turned=turned,
        label=label,
    )
    return [*told["Claim"], *told["Conventions"]]


def _named(counted: Sequence[tuple[schema.Facts, tuple[str, ...]]], outcome: str) -> list[str]:
    """Name the conventions with an outcome; where several share a choice, that choice with how many of those that make it."""
    left = [choices for row, choices in counted if row["outcome"] == outcome]
    named: list[str] = []
    while left and len(named) < _MOST_NAMED:
        choice, n = Counter(choice for choices in left for choice in choices).most_common(1)[0]
        having = [choices for _, choices in counted if choice in choices]
        if n == 1:
            named.append(f"“{', '.join(left.pop(0))}”")
            continue
        share = f"all {display.count(n)}" if n == len(having) else f"{display.count(n)} of {display.count(len(having))}"
        named.append(f"“{choice}” ({share})")
        left = [choices for choices in left if choice not in choices]
    return [*named, f"{display.count(len(left))} more"] if left else named
