"""What a comparison of two versions of a solver says, in sentences, and the rule that it is held against.

All is made from the mapping that `comparison.json` holds, so that the comment, the page and the file cannot differ. `SCHEMA` is
what that mapping is; `ENTRY` is a line of a history.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmill.core.errors import UserError
from benchmill.text.display import number, p_value, plural

Found = Mapping[str, Any]

_NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_COUNT = {"type": "integer", "minimum": 0}
_TEXTS = {"type": "array", "items": TEXT}


def closed(**meanings: tuple[Mapping[str, Any], str]) -> dict[str, Any]:
    """An object with just these keys."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(meanings),
        "properties": {key: {**kind, "description": meaning} for key, (kind, meaning) in meanings.items()},
    }


_SIDE = closed(
    name=(TEXT, "file or folder, without the folders above it"),
    algorithm=(TEXT, "the algorithm as its logs or `algorithms` name it"),
    digest=(TEXT, "SHA-256 of what was read and of the name of the algorithm"),
    runs=(_COUNT, "runs that are compared"),
    solved=(_NUMBER, "instances (at targets: problems and targets) solved, a share of an instance's runs as a share"),
)
_RATIO = closed(
    subset=(TEXT, "which instances: `all`, a bracket such as `[10, limit]`, `affected`, or `reached` by both"),
    unsolved=(TEXT, "what a failure counts: `limit`, or `all_solved` where only instances count that both solve"),
    instances=(_COUNT, "how many there are"),
    clusters=(_COUNT, "clusters of instances, which the interval is over"),
    base=(_NUMBER, "shifted geometric mean of BASE; geometric mean of its ERTs at targets"),
    new=(_NUMBER, "that of NEW"),
    ratio=(_NUMBER, "`new` / `base`: above 1 NEW is worse; null where it is not known"),
    low=(_NUMBER, "lower end of the paired interval"),
    high=(_NUMBER, "upper end"),
)
_CHANGE = closed(
    instance=(TEXT, "suite, problem, dimension, instance and target, as far as there are any"),
    base=(TEXT, "how its runs ended in BASE"),
    new=(TEXT, "how they ended in NEW"),
    base_share=(_NUMBER, "share of the runs of BASE that solve it"),
    new_share=(_NUMBER, "share of the runs of NEW that solve it"),
    p=(_NUMBER, "adjusted p of how its runs end (Holm; docs/developing.md says by which test); null with one run each"),
    base_place=(_TEXT_OR_NULL, "file and line of its first run in BASE"),
    new_place=(_TEXT_OR_NULL, "file and line of the run in NEW"),
)
_INSTANCE = closed(
    instance=(TEXT, "as in `changes`"),
    base=(_NUMBER, "mean cost in BASE, a failure with its limit; ERT at targets"),
    new=(_NUMBER, "that of NEW"),
    ratio=(_NUMBER, "`new` / `base`"),
    p=(_NUMBER, "adjusted p of the rank-sum test of its runs (Holm); null with one run each"),
    beyond_noise=({"type": "boolean"}, "whether `p` is at most 1 - level"),
    base_place=(_TEXT_OR_NULL, "file and line of its first run in BASE"),
    new_place=(_TEXT_OR_NULL, "that of NEW"),
)
_PLACE = closed(
    algorithm=(TEXT, "algorithm"),
    rank=(_NUMBER, "rank, ties share the smallest"),
    value=(_NUMBER, "what it is ranked by"),
)


def many(kind: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a list."""
    return {"type": "array", "items": kind}


#: JSON schema of `comparison.json`.
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A comparison of two versions of a solver by benchmill",
    **closed(
        benchmill=(TEXT, "version of benchmill"),
        base=(_SIDE, "what is compared with"),
        new=(_SIDE, "what is asked about"),
        measure=(
            closed(
                name=(TEXT, "name of the measure"),
                kind=(TEXT, "its kind"),
                unit=(_TEXT_OR_NULL, "unit of its costs"),
                shift=(_NUMBER, "shift of the geometric means"),
                targets=(many({"type": "number"}), "targets, where there are any"),
            ),
            "what is compared",
        ),
        level=({"type": "number"}, "of the intervals"),
        seeds=({"type": "boolean"}, "whether some instance has several runs in both"),
        common=(_COUNT, "instances with runs of both; at targets problems and targets"),
        only_base=(_TEXTS, "instances that NEW has no run of"),
        only_new=(_TEXTS, "instances that BASE has no run of"),
        notes=(_TEXTS, "what one has to know before the numbers, with what reading repaired, noted and refused"),
        wrong=(many(_CHANGE), "instances with a wrong answer in NEW, and none in BASE"),
        contradictions=(_TEXTS, "claims of BASE and NEW that cannot both be true; nobody knows whose is wrong"),
        lost=(many(_CHANGE), "instances that fewer runs of NEW solve"),
        gained=(many(_CHANGE), "instances that more runs of NEW solve"),
        otherwise=(many(_CHANGE), "instances that neither solves, and whose runs end otherwise"),
        solved=(
            closed(
                difference=(_NUMBER, "share solved by NEW minus that of BASE, mean over clusters"),
                low=(_NUMBER, "lower end of its interval"),
                high=(_NUMBER, "upper end"),
                p=(_NUMBER, "of the test that it is 0, by flips of clusters"),
            ),
            "how much less or more is solved",
        ),
        ratio=(_RATIO, "the one number"),
        subsets=(many(_RATIO), "the same of subsets"),
        power=(
            closed(
                wanted=({"type": "number"}, "chance that is wanted"),
                seen=(
                    _NUMBER,
                    "smallest true ratio that would be found with that chance, from the width of the interval",
                ),
                hidden=(_NUMBER, "largest ratio that the interval leaves possible: its upper end"),
            ),
            "what could have been missed",
        ),
        instances=(many(_INSTANCE), "those that changed beyond noise; without seeds the largest changes"),
        tested=(_COUNT, "instances whose runs were tested"),
        p_min=(_NUMBER, "smallest adjusted p that these runs could have given"),
        standing=(
            {
                "anyOf": [
                    {"type": "null"},
                    closed(
                        criterion=(TEXT, "what ranks"),
                        with_base=(many(_PLACE), "the order with BASE"),
                        with_new=(many(_PLACE), "the order with NEW in its place"),
                    ),
                ]
            },
            "the order among others",
        ),
        rule=(_TEXT_OR_NULL, "what the exit status goes by"),
        met=(_TEXTS, "what of the rule is met"),
        undecided=(_TEXTS, "what of the rule these data cannot decide"),
    ),
}

#: JSON schema of a line of a history.
ENTRY: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A line of a history of comparisons",
    **closed(
        label=(TEXT, "commit or date"),
        benchmill=(TEXT, "version of benchmill"),
        measure=(TEXT, "name of the measure"),
        base=(TEXT, "digest of BASE"),
        new=(TEXT, "digest of NEW"),
        ratio=(_NUMBER, "as in comparison.json"),
        low=(_NUMBER, "lower end of its interval"),
        high=(_NUMBER, "upper end"),
        base_solved=(_NUMBER, "solved by BASE"),
        new_solved=(_NUMBER, "solved by NEW"),
        instances=(_COUNT, "instances behind the ratio"),
    ),
}

#: Parts of a rule that need nothing behind them.
_PARTS = ("wrong", "lost", "missing")
_REGRESSION = re.compile(r"regression(?:\s*>\s*(\d+(?:\.\d+)?)\s*%)?")


@dataclass(frozen=True)
class Rule:
    """When a comparison fails.

    Attributes
    ----------
    text : str
        As it was given.
    parts : tuple of str
        Some of `wrong`, `lost`, `missing`.
    regression : float or None
        Per cent that the lower end of the interval of the ratio must be above.
    """

    text: str
    parts: tuple[str, ...]
    regression: float | None


def rule(text: str) -> Rule:
    """Read a rule such as `regression>5%,wrong,lost`.

    Raises
    ------
    UserError
        A part is none of those that there are, or stands twice.
    """
    parts: list[str] = []
    regression = None
    for part in (piece.strip() for piece in text.split(",")):
        match = _REGRESSION.fullmatch(part)
        if part in parts or (match and regression is not None):
            raise UserError(f"--fail-on: {part!r} stands twice; leave one out.")
        if match:
            regression = float(match[1] or 0)
        elif part in _PARTS:
            parts.append(part)
        else:
            raise UserError(
                f"--fail-on: found {part!r}, expected regression>5% (any number), {', '.join(_PARTS)}, with commas between."
            )
    return Rule(text, tuple(parts), regression)


def judged(found: Found, rule: Rule) -> tuple[list[str], list[str]]:
    """What of a rule is met, and what these data cannot decide, a sentence each."""
    met, undecided = [], []
    wrong = len(found["wrong"]) + len(found["contradictions"])
    if "wrong" in rule.parts and wrong:
        verbs = ("is", "contradicts") if wrong == 1 else ("are", "contradict")
        met.append(f"wrong: {plural(wrong, 'answer')} of NEW {verbs[0]} wrong or {verbs[1]} BASE.")
    if "missing" in rule.parts and found["only_base"]:
        met.append(f"missing: NEW has no run of {plural(len(found['only_base']), 'instance')} of BASE.")
    if "lost" in rule.parts:
        lost = beyond_noise(found)
        if lost:
            met.append(f"lost: {lost}")
    if rule.regression is not None:
        low, limit = found["ratio"]["low"], 1 + rule.regression / 100
        if low is None:
            undecided.append(f"{_asked(rule.regression)}: there is no interval of the ratio ({_why(found)}).")
        elif low > limit:
            met.append(f"{_asked(rule.regression)}: the interval of the ratio begins at {number(low)}, above {limit:g}.")
    return met, undecided


def _asked(per_cent: float) -> str:
    return f"regression>{per_cent:g}%"


def _why(found: Found) -> str:
    if not found["ratio"]["instances"]:
        return "no instance is solved by either" if found["ratio"]["subset"] != "reached" else "no target is reached by both"
    if found["ratio"]["clusters"] < 2:
        return "it needs two clusters of instances at least, and there is one"
    return "the limits of failed runs are not known"


def beyond_noise(found: Found) -> str:
    """What is lost by more than chance, in a sentence; empty where nothing is.

    With one run an instance any lost solve; with seeds an instance whose loss is tested, or a share solved whose interval is
    below 0.
    """
    alone = [change for change in found["lost"] if change["p"] is None and change["new_share"] == 0]
    clear = [change for change in found["lost"] if change["p"] is not None and change["p"] <= 1 - found["level"]]
    high = found["solved"]["high"]
    if found["seeds"] and high is not None and high < 0:
        return f"NEW solves {per_cent(-found['solved']['difference'])} less of the runs ({_shares(found)})."
    lost = alone + clear
    if not lost:
        return ""
    return (
        f"NEW does not solve {plural(len(lost), 'instance')} that BASE solves{', beyond noise' if clear and not alone else ''}."
    )


def per_cent(share: float) -> str:
    """A share as per cent."""
    return f"{number(100 * share)} %"


def _shares(found: Found) -> str:
    solved = found["solved"]
    return f"{100 * found['level']:g} % interval of the difference {per_cent(solved['low'])} to {per_cent(solved['high'])}"


def slowdown(ratio: float) -> str:
    """A ratio above 1 as people say it: `12 %`, or from 2 on `a factor of 3`."""
    return f"a factor of {number(ratio)}" if ratio >= 2 else per_cent(ratio - 1)


def headline(found: Found) -> str:
    """The comparison in a few words."""
    ratio = found["ratio"]
    what = "ERT" if found["measure"]["targets"] else found["measure"]["name"]
    parts = []
    wrong = len(found["wrong"]) + len(found["contradictions"])
    if wrong:
        parts.append(f"{plural(wrong, 'answer')} wrong or in doubt")
    if found["lost"] or found["gained"]:
        parts.append(f"{len(found['lost'])} lost, {len(found['gained'])} gained")
    if ratio["ratio"] is None:
        parts.append(f"{what}: not known")
    elif ratio["low"] is None:
        parts.append(f"{what} × {number(ratio['ratio'])}, without an interval")
    else:
        verdict = "worse" if ratio["low"] > 1 else "better" if ratio["high"] < 1 else "no difference shown"
        parts.append(f"{what} × {number(ratio['ratio'])} ({number(ratio['low'])} to {number(ratio['high'])}), {verdict}")
    return "; ".join(parts)


def rule_sentence(found: Found) -> str:
    """Whether the rule is met."""
    if found["rule"] is None:
        return "No rule was given, so nothing fails."
    if found["met"]:
        return f"The rule {found['rule']} is met. {' '.join(found['met'])}"
    if found["undecided"]:
        return f"These data cannot decide the rule {found['rule']}. {' '.join(found['undecided'])}"
    return f"The rule {found['rule']} is not met."


def sentences(found: Found) -> dict[str, list[str]]:
    """The sentences by part: `answers`, `solved`, `ratio`, `instances`, `standing`."""
    return {
        "answers": _answers(found),
        "solved": _solved(found),
        "ratio": _ratio(found),
        "instances": _instances(found),
        "standing": _standing(found),
    }


def _what(found: Found) -> str:
    return "targets on problems" if found["measure"]["targets"] else "instances"


def _answers(found: Found) -> list[str]:
    said = []
    if found["wrong"]:
        n = len(found["wrong"])
        said.append(f"NEW gives a wrong answer on {plural(n, 'instance')} on which BASE gives none.")
    said += [f"{text}; nobody knows whose claim is wrong." for text in found["contradictions"]]
    return said


def _solved(found: Found) -> list[str]:
    # of an instance seeds may solve a share
    base, new = (f"{found[side]['solved']:.1f}".removesuffix(".0") for side in ("base", "new"))
    lost, gained = len(found["lost"]), len(found["gained"])
    head = f"BASE solves {base} of {found['common']} {_what(found)}, NEW {new}"
    if found["seeds"]:
        said = f"{head}, runs counted as shares. NEW solves {lost} in fewer of its runs, and {gained} in more."
        clear = beyond_noise(found)
        if not clear and lost:
            clear = "No loss is shown to be larger than the noise of the runs."
        return [said, *([clear] if clear else [])]
    said = f"{head}: {lost} lost, {gained} gained."
    if lost:
        said += " With one run of each, chance cannot be told from a change: a run just below its limit is easily lost."
    return [said]


def _ratio(found: Found) -> list[str]:
    ratio, level = found["ratio"], f"{100 * found['level']:g} %"
    if ratio["ratio"] is None:
        return [f"There is no ratio: {_why(found)}."]
    n = ratio["instances"]
    if ratio["subset"] == "reached":
        over = f"{plural(n, 'target')} on problems that both reach (geometric mean of ratios of ERTs)"
    else:
        limited = ratio["unsolved"] == "limit"
        which = "that at least one of them solves" if limited else "that both solve"
        means = f"shifted geometric means, shift {found['measure']['shift']:g}"
        over = f"{plural(n, 'instance')} {which} ({means}{'; a failure counts its limit' if limited else ''})"
    what = "expected running time" if found["measure"]["targets"] else found["measure"]["name"]
    head = f"NEW needs {number(ratio['ratio'])} times the {what} of BASE"
    if ratio["low"] is None:
        return [f"{head}, over {over}. There is no interval: {_why(found)}. Nothing can be claimed."]
    said = [f"{head} ({level} interval {number(ratio['low'])} to {number(ratio['high'])}), over {over}."]
    if ratio["low"] == ratio["high"] == 1:
        return [*said, "No cost differs at all."]
    power = found["power"]
    seen = f"A slowdown of {slowdown(power['seen'])} would be seen in {100 * power['wanted']:g} % of such comparisons."
    if ratio["low"] <= 1 < ratio["high"]:
        seen += f" A slowdown larger than {slowdown(power['hidden'])} is ruled out at the level of the interval."
    clusters = plural(ratio["clusters"], "cluster")
    return [*said, f"{seen} All this is about instances like these {clusters}, and includes the noise of the runs."]


def _instances(found: Found) -> list[str]:
    if not found["seeds"]:
        note = "The largest changes. With one run of each nobody knows how much of them is noise, and none is claimed."
        return [note] if found["instances"] else []
    clear = [one for one in found["instances"] if one["beyond_noise"]]
    worse = sum(one["ratio"] is None or one["ratio"] > 1 for one in clear)
    alpha = 1 - found["level"]
    if found["p_min"] is not None and found["p_min"] > alpha:
        return [
            f"With so few runs tests of the costs of single instances can show nothing: the smallest adjusted p of any is "
            f"{p_value(found['p_min'])}."
        ]
    return [
        f"Of {found['tested']} {_what(found)} that were tested, {worse} became worse and {len(clear) - worse} better beyond the "
        f"noise of the runs (rank-sum tests, Holm, p ≤ {alpha:.2g})."
    ]


def _standing(found: Found) -> list[str]:
    if found["standing"] is None:
        return []
    before, after = (
        {row["algorithm"]: row["rank"] for row in found["standing"][side]}[name]
        for side, name in (("with_base", "BASE"), ("with_new", "NEW"))
    )
    n = len(found["standing"]["with_base"])
    moved = "stays" if before == after else "moves"
    return [
        f"Among {n} algorithms the solver {moved} {'at rank' if before == after else 'from rank'} {before:g}"
        + ("" if before == after else f" to rank {after:g}")
        + f" ({found['standing']['criterion']}). The order has no interval."
    ]


def listed_places(change: Mapping[str, Any]) -> str:
    """Where the runs of a change stand in the logs."""
    places = [place for place in (change["base_place"], change["new_place"]) if place]
    return ", ".join(map(str, places))
