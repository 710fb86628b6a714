"""The sentences that sum up a study: at most 40 words each, the verdict and the doubt in one, in a reader's units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from benchmill.core import Given
from benchmill.registry.criteria import named
from benchmill.registry.inference import EQUIVALENCE
from benchmill.text import claims, display, families, frames, leaders, limits, prose
from benchmill.text.frames import Data
from benchmill.text.settings import Settings

#: Words of a sentence at most.
MOST_WORDS = 40
#: Where an algorithm was stopped early on more than this share of the cells, that is said first.
DOUBTFUL = 0.05
#: Words of all findings at most: what has no room is in the tables.
MOST_IN_ALL = 150
_BEST, _RUNS, _OTHERWISE = QUESTIONS = "Which algorithm is best?", "How do the runs end?", "Does it depend on how one looks?"


@dataclass(frozen=True)
class Sentences:
    """The sentences that sum up a study, by name, empty if there is nothing to say.

    Attributes
    ----------
    headline : str
        Which algorithm is best, or that none is; about the control where there is one.
    control : str
        The same about the control alone.
    caveat : str
        That budgets or limits differ, and where that counts.
    fragility : str
        The clusters without which the headline would not be said.
    findings : tuple of (str, str)
        Questions and answers, in order, of which the first is the headline's.
    """

    headline: str = ""
    control: str = ""
    caveat: str = ""
    fragility: str = ""
    findings: tuple[tuple[str, str], ...] = ()

    @property
    def named(self) -> dict[str, str]:
        """Return the sentences that there are, by name; of the findings the answers."""
        texts = asdict(self) | {"findings": " ".join(answer for _, answer in self.findings)}
        return {name: text for name, text in texts.items() if text}


def sentences(data: Data, settings: Given, runs: Sequence[str] = ()) -> Sentences:
    """Return the sentences of a study.

    Parameters
    ----------
    data : mapping
        Tables `verdicts`, `leaders`, `ratios`, `families`, `claims`, as far as there are any.
    settings : mapping
        See `benchmill.text.settings.Settings`; `measure` is that of the primary analysis.
    runs : sequence of str
        Sentences on how runs of solvers end.
    """
    stated = frames.frame(data.get("verdicts"), columns=["analysis", "algorithm_a", "significant", "margin"])
    primary = frames.frame(data.get("verdicts"), analysis="primary")
    of_runs = [(_RUNS, text) for text in runs]
    if not len(primary):
        return Sentences(findings=_fitting(of_runs))
    of_primary = _Primary(data, Settings.parsed(settings), primary)
    caveat, headline, fragility, lead = of_primary.caveat, of_primary.headline, of_primary.fragility, of_primary.lead
    if of_primary.doubtful and "Limits differ" in caveat:
        # it is said once
        of_runs = [(_RUNS, text) for text in runs if limits.caveats(text) != text]
    # what matters most comes first
    texts = [
        *([(_BEST, caveat)] if of_primary.doubtful else []),
        (_BEST, headline),
        (_BEST, families.sentence(data.get("families"))),
        (_BEST, f"On {of_primary.compared}, {lead}." if lead and lead not in headline else ""),
        (_BEST, of_primary.evidence),
        (_BEST, fragility),
        *of_runs[:2],
        *([] if of_primary.doubtful else [(_BEST, caveat)]),
        (_OTHERWISE, of_primary.criteria),
        (_OTHERWISE, _conventions(data.get("claims"))),
        (_OTHERWISE, _stated(stated, EQUIVALENCE)),
        (_OTHERWISE, _stated(stated, "secondary")),
        *of_runs[2:],
    ]
    return Sentences(headline, headline if of_primary.control else "", caveat, fragility, _fitting(texts))


def _fitting(texts: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return questions and answers, of the first sentences that fit."""
    kept: list[tuple[str, str]] = []
    for question, text in texts:
        if text and sum(in_words(one) for _, one in kept) + in_words(text) <= MOST_IN_ALL:
            kept.append((question, text))
    answers = ((question, " ".join(text for asked, text in kept if asked == question)) for question in QUESTIONS)
    return tuple((question, answer) for question, answer in answers if answer)


def in_words(text: str) -> int:
    """Return the number of words of a sentence; `5 %` is one."""
    return len(text.replace(" %", "%").split())


def _shortest(texts: Iterator[str]) -> str:
    """Return the first text that is short enough, or the last one."""
    candidates = list(texts)
    return next((text for text in candidates if in_words(text) <= MOST_WORDS), candidates[-1] if candidates else "")


def leader(data: Data, settings: Given) -> list[str]:
    """Say how the first two of a measure compare, and which criteria disagree; empty where nothing is ranked."""
    about = Settings.parsed(settings)
    sentences_of = _Measure(data, about, about.measure.name)
    lead = f"On these problems, {sentences_of.lead}." if sentences_of.leaders and sentences_of.lead else ""
    return [text for text in (lead, sentences_of.criteria) if text]


class _Measure:
    """The algorithms by one measure: who comes first, and by how much."""

    def __init__(self, data: Data, about: Settings, measure: str, names: Sequence[str] | None = None) -> None:
        self.measure = about.measure if about.measure.name else replace(about.measure, name=measure)
        self.leaders = frames.records(frames.frame(data.get("leaders"), measure))
        self.names = list(dict.fromkeys([row["algorithm"] for row in self.leaders] if names is None else names))
        self.able: list[str] | None = None
        self.costs = _costs(data.get("ratios"), measure, about.targets, self.names)
        self.control = frames.control(about.control, self.names)
        self.shown = frames.short_names(data, self.names, 24)

    @cached_property
    def order(self) -> list[str]:
        """Return the algorithms, those that can be the best first, by the headline criterion."""
        own = [row for row in self.leaders if row["headline"] and row["algorithm"] in self.names]
        names = [row["algorithm"] for row in sorted(own, key=lambda row: row["rank"])] or self.names
        return sorted(names, key=lambda name: name not in (self.able or names))

    @property
    def first(self) -> str:
        """Return the control, or else the first algorithm; a single algorithm has no order."""
        return self.control or next(iter(self.order), "")

    @property
    def _is_of_solved(self) -> bool:
        # nothing is solved by having a gap or a value
        kind = self.measure.kind
        return not (kind.values or kind.rate or kind.summarised == "as_is" or self.measure.quantity in ("value", "wrong"))

    @property
    def _is_unsolved(self) -> bool:
        costs = [] if self.costs is None else self.costs.to_numpy()
        return bool(self._is_of_solved and len(costs) and not np.isfinite(costs).any())

    @cached_property
    def lead(self) -> str:
        """Say in a reader's units how the first two compare; empty where costs are not known, or two are first."""
        first = self.first
        rival = next((other for other in self.order if other != first), None)
        tied = not self.control and {first, rival} <= set(leaders.first(self.leaders))
        if rival is None or tied or self.costs is None or not {first, rival} <= set(self.costs.columns):
            return ""
        # as they were before anything was added for the ratios
        a, b = (self.costs[name].to_numpy() - self.measure.shift for name in (first, rival))
        if not self._is_of_solved:
            wins, losses = float((a < b).mean()), float((b < a).mean())
            where = f"{_percent(wins)} of the {self.measure.cell}s, {self.shown[rival]} on {_percent(losses)}"
            return f"{self.shown[first]} is better on {where}" if wins or losses else ""
        return self._in_units(a, b, self.shown[first], self.shown[rival])

    def _in_units(self, a: Any, b: Any, first: str, rival: str) -> str:
        """Compare costs where both succeed by the geometric mean of their ratios, and shares solved."""
        both, solved = np.isfinite(a) & np.isfinite(b), (float(np.isfinite(a).mean()), float(np.isfinite(b).mean()))
        positive = both.any() and bool((a[both] > 0).all() and (b[both] > 0).all())
        ratio = float(np.exp(np.log(b[both] / a[both]).mean())) if positive else 1.0
        places = next(n for n in range(9) if n == 8 or len({_percent(share, n) for share in solved}) == len(set(solved)))
        less, more = (_percent(share, places) for share in sorted(solved))
        factor = max(ratio, 1 / ratio)
        if factor < 1.05 and solved[0] == solved[1]:
            return ""
        slow, fast = (rival, first) if ratio >= 1 else (first, rival)
        able, other = (first, rival) if solved[0] > solved[1] else (rival, first)
        in_runs = self.costs.attrs["in_runs"]  # type: ignore[union-attr]
        shares = {"able": able, "other": other, "less": less, "more": more, "in_runs": in_runs, "alike": solved[0] == solved[1]}
        times = {"slow": slow, "fast": fast, "factor": factor, "failures": not both.all()}
        return prose.said(__file__, "lead", measure=self.measure, **times, **shares)

    @property
    def caveat(self) -> str:
        """Say that budgets or limits differ."""
        own = [{**row, "algorithm": self._name(row["algorithm"])} for row in self.leaders if row["headline"]]
        return limits.differing(own, own[0]["n_problems"], self.measure.cell) if own else ""

    @property
    def doubtful(self) -> bool:
        """Return True if budgets or limits differ on so many problems that the comparison is doubtful."""
        return any(
            max(row["n_stopped"] or 0, row["n_late"] or 0) > DOUBTFUL * row["n_problems"]
            for row in self.leaders
            if row["headline"]
        )

    def _name(self, algorithm: str) -> str:
        return self.shown.get(algorithm, algorithm)

    @property
    def criteria(self) -> str:
        """Say which criteria put another algorithm first."""
        first, others = set(leaders.first(self.leaders)), dict[str, list[str]]()
        for name in dict.fromkeys(row["criterion"] for row in self.leaders):
            leads = leaders.first(self.leaders, name)
            if not (named(name).repeats or named(name).ranks or set(leads) & first):
                others.setdefault(display.listed(list(map(self._name, leads)), limit=3), []).append(f"the {named(name).words}")
        if not others:
            return ""
        facts = {"first": list(map(self._name, sorted(first))), "by": named(leaders.headline(self.leaders)), "others": others}
        return _shortest(prose.said(__file__, "criteria", most=most, **facts) for most in (4, 2, 1))


class _Primary(_Measure):
    """The primary analysis of a study."""

    def __init__(self, data: Data, about: Settings, rows: frames.Frame) -> None:
        self.gate = frames.records(rows[rows["algorithm_a"].isna()].head(1))[0]
        self.pairs = rows[rows["algorithm_a"].notna() & rows["effect"].notna()].astype({"algorithm_a": str, "algorithm_b": str})
        super().__init__(data, about, str(self.gate["measure"]), [*self.pairs["algorithm_a"], *self.pairs["algorithm_b"]])
        self.able = leaders.can_be_best(self.pairs)
        self.unit = "cluster"
        if families.sentence(data.get("families")):
            self.unit = "family"
        elif set(about.cluster_keys) <= {"suite", "problem", "family"}:
            self.unit = "function" if self.costs is not None and self.costs.attrs["dimensions"] else "problem"

    @property
    def where(self) -> str:
        """Return for what and at what level: `on problems like these (24 functions, 5 % for all statements)`."""
        level = "" if self.spent else f", {100 * float(self.gate['alpha']):.3g} % for all statements"
        return f"on {self.gate['population']} ({self.clusters}{level})"

    @property
    def spent(self) -> bool:
        """Return True where a look beyond those that were planned has almost nothing to spend."""
        return float(self.gate["alpha"]) < 1e-8

    @property
    def clusters(self) -> str:
        """Return how many clusters there are: `24 functions`."""
        return display.plural(int(self.gate["n_clusters"]), self.unit, "families" if self.unit == "family" else "")

    @property
    def headline(self) -> str:
        """Say which algorithm is best, or how far that is known."""
        if not len(self.pairs):
            return "Nothing can be compared, so nothing is claimed."
        better = leaders.shown_better(self.pairs)
        name = self.control or (self.order[0] if better and not self.able else "")
        about = self.pairs[(self.pairs["algorithm_a"] == name) | (self.pairs["algorithm_b"] == name)]
        told: dict[str, list[str]] = {"won": [], "lost": [], "level": []}
        for row in frames.records(about):
            first = row["algorithm_a"] == name
            outcome = "level" if not row["significant"] else "won" if (row["effect"] > 0) == first else "lost"
            told[outcome].append(self.shown[row["algorithm_b" if first else "algorithm_a"]])
        facts = {
            "name": self.shown.get(name, ""),
            "others": len(about),
            "names": [self.shown[one] for one in self.names],
            "better": better,
            "gate": self.gate,
            "spent": self.spent,
            "unsolved": f"No algorithm solves any {self.measure.cell}" if self._is_unsolved else "",
            "few": float(self.pairs["p_min"].iloc[0]) > float(self.gate["alpha"]),
            "able": [self.shown[one] for one in self.able or ()],
            "beaten": {self.shown[worse] for one, worse in better if [one] == self.able},
            "where": self.where,
        }
        verdicts = (prose.said(__file__, "headline", most=most, **told, **facts) for most in (4, 3, 2, 1))
        return _shortest(
            f"{text}{end}."
            for text in verdicts
            for end in ([f"; on {self.compared.removesuffix(' problems')}, {self.lead}", ""] if self.lead else [""])
        )

    @property
    def compared(self) -> str:
        """Name the problems of the lead: those that are tested, or all where the tests leave some out."""
        if self.costs is None or len(self.costs) == self.gate["n_cells"]:
            return "these problems"
        return f"all {display.plural(len(self.costs), self.measure.cell)}, tested or not"

    @property
    def evidence(self) -> str:
        """Say what was tested, on how much, and how many pairs differ."""
        if self.gate["p_adjusted"] is None or not len(self.pairs) or self.spent:
            return ""
        n = int(self.pairs["significant"].sum())
        return prose.said(__file__, "evidence", gate=self.gate, measure=self.measure, n=n, pairs=len(self.pairs))

    @property
    def fragility(self) -> str:
        """Say without which clusters the headline's statement that depends on the fewest would be decided otherwise."""
        about = self.first
        rows = self.pairs[(self.pairs["algorithm_a"] == about) | (self.pairs["algorithm_b"] == about)]
        known = rows[rows["fragility"].notna()].sort_values(["significant", "fragility"], ascending=[False, True], kind="stable")
        if not len(known):
            return ""
        row = frames.records(known.head(1))[0]
        n, carried = int(row["fragility"]), str(row["carried_by"]).split(", ")
        # a name may have a comma itself
        some = display.listed(carried if len(carried) == n else [row["carried_by"]]) if n <= 4 else f"{n} of the {self.clusters}"
        a, b = self.shown[row["algorithm_a"]], self.shown[row["algorithm_b"]]
        better, worse = (a, b) if row["effect"] > 0 else (b, a)
        names = {"a": a, "b": b, "better": better, "worse": worse}
        return prose.said(__file__, "fragility", some=some, exact=row["fragility_exact"], significant=row["significant"], **names)


def _costs(ratios: Any, measure: str, targets: Sequence[float] | None, names: Sequence[str]) -> frames.Frame | None:
    """Return costs of some algorithms (columns) on the problems and targets (rows) that all of them have run on."""
    rows = frames.frame(ratios, measure)
    if not len(rows):
        return None
    keys = [key for key in ("suite", "problem", "dimension", "instance", "target", "at_budget") if rows[key].notna().any()]
    rows = rows[rows["algorithm"].isin(names)]
    if targets:
        rows = rows[rows["target"].isin(targets) | rows["at_budget"].isin(targets)]
    cell = rows.groupby(keys, observed=True, dropna=False, sort=False).ngroup()
    # where a missing run is a failure there is a row for it, also where nobody has a run
    tried = rows.assign(cell=cell, algorithm=rows["algorithm"].astype(str))[rows["n_trials"].groupby(cell).transform("max") > 0]
    wide = tried.pivot(index="cell", columns="algorithm", values="cost").dropna()
    # what a problem with runs of both kinds counts as depends on how their costs became one
    partly = rows.loc[(rows["n_successes"] > 0) & (rows["n_successes"] < rows["n_trials"]), "cost"].map(np.isfinite)
    in_runs = " in all runs" if not partly.any() else " in at least one run" if partly.all() else " in most runs"
    wide.attrs |= {"dimensions": bool(rows["dimension"].notna().any()), "in_runs": in_runs if len(partly) else ""}
    return wide if len(wide) else None


def _percent(share: float, places: int = 0) -> str:
    """Return a share in per cent, 0 and 100 only where it is none or all."""
    return f"{display.share(100 * share, places, 100)} %"


def _stated(stated: frames.Frame, analysis: str) -> str:
    """Say how many pairs an analysis beside the primary one shows."""
    rows = stated[(stated["analysis"] == analysis) & stated["algorithm_a"].notna()]
    if not len(rows):
        return ""
    n = int(rows["significant"].sum())
    return prose.said(__file__, analysis, n=n, total=len(rows), margin=rows["margin"].iloc[0])


def _conventions(table: Any) -> str:
    """Say how widely claims hold: for one, under how many conventions; for several, that of the one that holds least widely."""
    looked_at = [claim for claim in claims.held(table) if claim.counted]
    if not looked_at:
        return ""
    weakest = min(looked_at, key=lambda claim: claim.holding / claim.counted)
    return prose.said(
        __file__,
        "conventions",
        claims=looked_at,
        weakest=weakest,
    )
