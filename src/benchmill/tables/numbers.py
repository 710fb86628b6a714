r"""`numbers.tex`: the headline numbers of a study by name.

After `\input{numbers.tex}` a paper writes `\benchmill{study/trials/found}`; an unknown name stops LaTeX with a message.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core.natural_order import natural_key
from benchmill.core.whole_file import write_text
from benchmill.registry.inference import EQUIVALENCE, MARGINS
from benchmill.tables import irregularities, profile_measures
from benchmill.text import display, labels
from benchmill.text.frames import POINT, frame, ordered, records

_ACCESSOR = r"""\providecommand{\benchmill}[1]{%
  \ifcsname benchmill@#1\endcsname\csname benchmill@#1\endcsname\else\benchmillmissing{#1}\fi}
\protected\def\benchmillmissing#1{\benchmillfind#1////\relax
  \ifcsname benchmill@#1\endcsname\csname benchmill@#1\endcsname\else
    \PackageError{benchmill}{There is no number called `#1'}{%
      All names are listed at the top of the numbers.tex files; a study, measure or algorithm may have been renamed.
      Numbers of pairs may stand in pairs.tex, which benchmillpairs names.}%
    \textbf{??}%
  \fi}
\providecommand{\benchmillfiles}{}
\providecommand{\benchmillpairs}[1]{\expandafter\gdef\expandafter\benchmillfiles\expandafter{\benchmillfiles\input{#1}}}
\def\benchmillfind#1/#2/#3/#4\relax{\begingroup\endlinechar=-1
  \expandafter\let\csname benchmillwanted@#1/#2/#3\endcsname\relax
  \def\benchmillset##1##2{\expandafter\gdef\csname benchmill@##1\endcsname{##2}}%
  \def\benchmillpair##1##2##3{%
    \ifcsname benchmillwanted@##1\endcsname##3\else\ifcsname benchmillwanted@##2\endcsname##3\fi\fi}%
  \benchmillfiles\endgroup}
"""

#: With more pairs than these their numbers are not in `numbers.tex`: TeX has room for some hundred thousand names. Those of the
#: primary analysis stand in `pairs.tex`, and TeX keeps only those that a paper prints; the others are in the tables alone.
MOST_PAIRS = 300
#: With more than these (of 200 algorithms or so) `pairs.tex` has none: TeX would read hundreds of megabytes for one number.
MOST_IN_FILE = 20_000

#: What is told of a solver where a failure counts its limit -> what it is; of other conventions, the last ones.
_RUNS = {
    "solved": "runs solved",
    "timeout": "runs that reached a time limit",
    "memory": "runs that reached a memory limit",
    "error": "runs that ended with an error",
    "wrong": "runs whose claim contradicts the best-known value",
    "missing": "instances without a run",
    "unique": "instances that no other competing solver solves",
    "median": "median of the runs",
    "par2": "mean, a failure counting twice its limit",
    "par10": "mean, a failure counting ten times its limit",
    "sgm_ratio_low": "lower end of the interval of sgm_ratio",
    "sgm_ratio_high": "upper end of the interval of sgm_ratio",
    "mean": "arithmetic mean",
    "sgm": "shifted geometric mean",
    "sgm_ratio": "shifted geometric mean over the smallest one of a competing solver",
    "rank": "rank by the shifted geometric mean",
}
_COUNTED = ("solved", "timeout", "memory", "error", "wrong", "missing", "unique")
#: By what a failure counts; all others are told the last.
_TOLD = {"limit": tuple(_RUNS), "as_is": tuple(name for name in _RUNS if name not in ("par2", "par10"))}
_OF_EVERY_CONVENTION = ("mean", "sgm", "sgm_ratio", "rank")

#: The names there can be, by topic, and what each prints; `<…>` stands for one part. The page docs/numbers.md is made from this.
NAMES: dict[str, str] = {
    "sources": "sources of raw data",
    "algorithms": "algorithms",
    "problems": "different suites and problems, dimensions not counted",
    "trials/found": "trials found in the logs",
    "trials/expected": "trials that the sources' own designs expect; `unknown` where a source does not say",
    "trials/missing": "trials expected and not found; `unknown` likewise",
    "trials/ill_finalised": "trials whose log does not say how they ended; `unknown` likewise",
    "trials/solved": "trials solved, as the sources state; `unknown` likewise",
    "trials/failed": "trials failed, as the sources state; `unknown` likewise",
    "trials/<algorithm>/found": "trials found of an algorithm",
    "irregularities/repaired": "irregularities of the logs that were repaired",
    "irregularities/noted": "irregularities that were noted and left",
    "irregularities/refused": "irregularities for which something was refused",
    "contradictions": "problems on which runs of different sources claim what cannot all be true",
    "profile/<measure>/<variant>/<group>/<algorithm>/auc": "area under the profile",
    "profile/<measure>/<variant>/<group>/<algorithm>/auc_normalised": "area over the largest",
    "profile/<measure>/<variant>/<group>/<algorithm>/rank_auc": "rank by area",
    "profile/<measure>/<variant>/<group>/<algorithm>/rho_1": "share of problems won: ρ(1)",
    "profile/<measure>/<variant>/<group>/<algorithm>/rho_tau_max": "share solved within τ_max",
    "profile/<measure>/<variant>/<group>/<algorithm>/wins": "problems won, where wins are counted",
    "profile/<measure>/<variant>/<group>/tau_max": "right end of the profile",
    "profile/<measure>/<variant>/<group>/problems": "problems in the profile",
    "profile/<measure>/<variant>/<group>/unsolved": "problems solved by none",
    "summary/<measure>/<unsolved>/instances": "solver runs: instances that are compared; see below",
    "summary/<measure>/<unsolved>/left_out": "solver runs: instances on which some solver has no run, if they are left out",
    **{f"summary/<measure>/<unsolved>/<algorithm>/{name}": meaning for name, meaning in _RUNS.items()},
    "tests/<measure>/<group>/<test>/statistic": "test statistic, where it is defined",
    "tests/<measure>/<group>/<test>/p": "p value, where it is defined",
    "tests/<measure>/<group>/<test>/blocks": "problems in the test",
    "ranks/<measure>/<group>/<algorithm>": "average rank",
    "comparisons/<measure>/<group>/<comparison>/<algorithm>/<algorithm>/p_adjusted": "adjusted p value of a pair",
    "restricted_mean/<measure>/<group>/<algorithm>": "restricted mean running time, runs that were stopped taken as such",
    "<algorithm>/<algorithm>/effect": "primary analysis: net share of wins of the first over the second",
    "<algorithm>/<algorithm>/effect_low": "lower end of its interval",
    "<algorithm>/<algorithm>/effect_high": "upper end of its interval",
    "<algorithm>/<algorithm>/p_adjusted": "its adjusted p value",
    "<algorithm>/<algorithm>/as_good/effect": (
        "equivalence: the costs of the second over those of the first, or the net share of wins of the first"
    ),
    "<algorithm>/<algorithm>/as_good/effect_low": "lower end of its interval, at one minus twice the level",
    "<algorithm>/<algorithm>/as_good/effect_high": "upper end of its interval",
    "<algorithm>/<algorithm>/as_good/p_adjusted": "its adjusted p value",
    "<algorithm>/<algorithm>/as_good/margin": "the margin, in per cent",
    "posteriors/<measure>/<group>/<method>/<algorithm>/<algorithm>/a_better": "probability that the first is practically better",
    "posteriors/<measure>/<group>/<method>/<algorithm>/<algorithm>/equal": "probability that both are practically equal",
    "posteriors/<measure>/<group>/<method>/<algorithm>/<algorithm>/b_better": "probability that the second is practically better",
}


@dataclass(frozen=True)
class Number:
    """A number: its name, text, unrounded value (NaN if unknown), meaning, and of a pair what its names begin with."""

    key: str
    text: str
    value: float
    meaning: str
    pair: tuple[str, ...] = ()


def build(
    study: str,
    data: Mapping[str, pa.Table],
    reports: Sequence[Mapping[str, Any]] = (),
) -> list[Number]:
    """Collect the headline numbers of a study, in a fixed order with unique keys.

    Names are parts safe for TeX and files, joined by `/`. `data` are Arrow tables of the whole study as far as there; `reports`
    its ingest reports.
    """
    found: list[Number] = []

    def named(*parts: str) -> str:
        return "/".join(labels.file_name(part) for part in (study, *parts))

    def add(parts: Sequence[str], text: str, value: float | None, meaning: str, pair: Sequence[str] = ()) -> None:
        if value is not None:
            either = tuple(sorted((named(*pair), named(*pair[::-1])))) if pair else ()
            found.append(Number(named(*parts), text, float(value), meaning, either))

    _data_numbers(add, reports)
    if "contradictions" in data:
        n = len(irregularities.between_sources(data["contradictions"]))
        add(("contradictions",), display.count(n), n, "problems on which runs of different sources claim what cannot all be true")
    _runs_numbers(add, frame(data.get("summary")))
    measures = ordered(frame(data.get("profile_measures")), ["measure", "variant", "dimension", "target", "algorithm"])
    for row in records(profile_measures.with_ends(measures, frame(data.get("profile_intervals")))):
        group = _group(row)
        key = ("profile", row["measure"], row["variant"], group)
        where = f"{row['measure']}, {row['variant']}, {group}"
        ends = profile_measures.ends_of(row)
        if row["rank_auc"] is None or row["rank_auc"] >= 1:
            shown = {
                "auc": (profile_measures.area(row["auc"], *ends["auc"]), "area under the profile"),
                "auc_normalised": (
                    display.measured_share(row["auc_normalised"], *ends["auc_normalised"]),
                    "area over the largest",
                ),
                "rank_auc": (display.count(row["rank_auc"]), "rank by area"),
                "rho_1": (display.measured_share(row["rho_1"], *ends["rho_1"]), "share of problems won"),
                "rho_tau_max": (display.share(row["rho_tau_max"]), "share solved within tau_max"),
                "wins": (display.count(row["wins"]), "problems won"),
            }
            for name, (text, meaning) in shown.items():
                add((*key, row["algorithm"], name), text, row[name], f"{meaning} ({where})")
        add((*key, "tau_max"), display.number(row["tau_max"], 4), row["tau_max"], f"right end of the profile ({where})")
        add((*key, "problems"), display.count(row["n_problems"]), row["n_problems"], f"problems in the profile ({where})")
        add((*key, "unsolved"), display.count(row["n_unsolved"]), row["n_unsolved"], f"problems solved by none ({where})")
    for row in records(ordered(frame(data.get("tests")), ["measure", *POINT, "method"])):
        key = ("tests", row["measure"], _group(row), row["method"])
        where = f"{row['method']}, {row['measure']}, {_group(row)}"
        add((*key, "statistic"), display.number(row["statistic"], 4), row["statistic"], f"test statistic ({where})")
        add((*key, "p"), display.p_value(row["p"]), row["p"], f"p value ({where})")
        add((*key, "blocks"), display.count(row["n_blocks"]), row["n_blocks"], f"problems in the test ({where})")
    for row in records(ordered(frame(data.get("ranks")), ["measure", *POINT, "algorithm"])):
        key, rank = ("ranks", row["measure"], _group(row), row["algorithm"]), row["average_rank"]
        add(key, display.number(rank), rank, f"average rank ({row['measure']}, {_group(row)})")
    most = max(_n_pairs(data.get(name)) for name in ("comparisons", "posteriors", "verdicts"))
    pairs = frame(data.get("comparisons")) if most <= MOST_PAIRS else pd.DataFrame()
    pairs = ordered(pairs, ["measure", "method", "correction", *POINT, "algorithm_a", "algorithm_b"])
    if len(pairs):
        corrections = pairs.groupby(["measure", "method"], observed=True)["correction"].transform("nunique")
        pairs = pairs.assign(several=corrections > 1)
    for row in records(pairs):
        method = f"{row['method']}-{row['correction']}" if row["several"] else row["method"]
        key = ("comparisons", row["measure"], _group(row), method)
        where = f"{row['method']}, {row['measure']}, {_group(row)}"
        pair = (row["algorithm_a"], row["algorithm_b"])
        text = display.p_value(row["p_adjusted"])
        add((*key, *pair, "p_adjusted"), text, row["p_adjusted"], f"adjusted p value of the pair ({where})", pair)
    _primary_numbers(add, data.get("verdicts"))
    posteriors = frame(data.get("posteriors")) if most <= MOST_PAIRS else pd.DataFrame()
    for row in records(ordered(posteriors, ["measure", "method", *POINT, "algorithm_a", "algorithm_b"])):
        pair = (row["algorithm_a"], row["algorithm_b"])
        key = ("posteriors", row["measure"], _group(row), row["method"])
        where = f"{row['method']}, {row['measure']}, {_group(row)}, within {row['rope']:g}"
        for what, meaning in (
            ("a_better", "probability that the first is practically better"),
            ("equal", "probability that both are practically equal"),
            ("b_better", "probability that the second is practically better"),
        ):
            add((*key, *pair, what), display.number(row[what]), row[what], f"{meaning} ({where})", pair)
    for row in records(frame(data.get("restricted_means"))):
        key = ("restricted_mean", row["measure"], _group(row), row["algorithm"])
        where = f"{row['measure']}, {_group(row)}, up to {row['horizon']:g}"
        add(key, display.number(row["mean"]), row["mean"], f"restricted mean running time ({where})")
    unique: dict[str, Number] = {}
    for item in found:
        if unique.setdefault(item.key, item).text != item.text:
            raise ValueError(f"two numbers are called {item.key!r}: {unique[item.key].value} and {item.value}")
    return list(unique.values())


def without_pairs(numbers: Sequence[Number]) -> list[Number]:
    """Return the numbers for `numbers.tex` and the page: none of pairs if there are more than `MOST_PAIRS` pairs."""
    many = len({item.pair for item in numbers if item.pair}) > MOST_PAIRS
    return [item for item in numbers if not (many and item.pair)]


def render(numbers: Sequence[Number]) -> str:
    r"""Return LaTeX: names and meanings as comments, the command `\benchmill`, the definitions."""
    shown = without_pairs(numbers)
    lines = [
        "% Numbers of the study, each under a name: after \\input of this file,",
        "% \\benchmill{name} prints it. The unrounded value stands behind each definition.",
    ]
    if len(shown) < len(numbers):
        lines += [
            "% Those of pairs of algorithms are in pairs.tex: after \\benchmillpairs{pairs.tex}, or wherever that",
            "% file is, \\benchmill{study/algorithm/algorithm/effect} prints them too.",
        ]
    lines += ["%", *(f"%   {item.key}  --  {display.tex(item.meaning)}" for item in shown)]
    lines += ["", _ACCESSOR]
    lines += [
        rf"\expandafter\def\csname benchmill@{item.key}\endcsname{{{display.tex(item.text)}}}% {item.value!r}" for item in shown
    ]
    return "\n".join([*lines, ""])


def render_pairs(numbers: Sequence[Number]) -> str:
    """Return LaTeX with the numbers of pairs that `numbers.tex` has no room for.

    Each pair is the argument of one command, so that TeX reads over the others and names none of their numbers.
    """
    known = {item.key for item in without_pairs(numbers)}
    pairs: dict[tuple[str, ...], list[Number]] = {}
    for item in numbers:
        if item.key not in known:
            pairs.setdefault(item.pair, []).append(item)
    lines = [
        "% Numbers of pairs of algorithms that are not in numbers.tex; its first lines say how they are printed.",
        f"% Of more than {MOST_IN_FILE} pairs none stands here: they are in verdicts.parquet alone.",
    ]
    for (one, other), items in pairs.items():
        lines.append(f"\\benchmillpair{{{one}}}{{{other}}}{{")
        lines += [f"\\benchmillset{{{item.key}}}{{{display.tex(item.text)}}}% {item.value!r}" for item in items]
        lines.append("}")
    return "\n".join([*lines, ""])


def write(numbers: Sequence[Number], path: str | Path, pairs: str | Path) -> None:
    """Write `numbers.tex` and `pairs.tex`; each appears complete or not at all."""
    write_text(path, render(numbers))
    write_text(pairs, render_pairs(numbers))


def _runs_numbers(add: Any, summary: pd.DataFrame) -> None:
    if not len(summary):
        return
    for row in records(summary[summary["subset"] == "all"]):
        key, where = ("summary", row["measure"], row["unsolved"]), f"{row['measure']}, {row['unsolved']}"
        add((*key, "instances"), display.count(row["instances"]), row["instances"], f"instances that are compared ({where})")
        add((*key, "left_out"), display.count(row["left_out"]), row["left_out"], f"instances that are left out ({where})")
        for name in _TOLD.get(row["unsolved"], _OF_EVERY_CONVENTION):
            text = display.count(row[name]) if name in _COUNTED else display.number(row[name], 2 if name == "rank" else 4)
            add((*key, row["algorithm"], name), text, row[name], f"{_RUNS[name]} ({where})")


def _primary_numbers(add: Any, verdicts: pa.Table | None) -> None:
    """Add the statements of the primary analysis and of equivalence about pairs, in either order of the two."""
    if verdicts is None:
        return
    of = pc.is_in(verdicts["analysis"].cast(pa.string()), pa.array(["primary", EQUIVALENCE]))
    pairs = verdicts.filter(pc.and_(of, pc.is_valid(verdicts["algorithm_a"])))
    if _n_pairs(pairs) > MOST_IN_FILE:
        return
    for row in records(frame(pairs)):
        pair = (row["algorithm_a"], row["algorithm_b"])
        good = row["analysis"] == EQUIVALENCE
        where = f"{EQUIVALENCE if good else 'primary analysis'}, {row['measure']}"
        of_costs = good and row["criterion"] == MARGINS["cost_ratio"]
        what = "costs of the second over those of the first, geometric mean" if of_costs else "net share of wins of the first"
        what += "" if good else " over the second"
        for names, sign in ((pair, 1.0), (pair[::-1], -1.0)):
            key = (*names, "as_good") if good else names
            ends = ("effect_low", "effect_high")[:: int(sign)]
            for name, column, meaning in (
                ("effect", "effect", what),
                ("effect_low", ends[0], "lower end of its interval"),
                ("effect_high", ends[1], "upper end of its interval"),
            ):
                value = None if row[column] is None else sign * row[column]
                value = math.exp(value) if of_costs and value is not None else value
                add((*key, name), display.number(value), value, f"{meaning} ({where})", pair)
            text = display.p_value(row["p_adjusted"])
            add((*key, "p_adjusted"), text, row["p_adjusted"], f"its adjusted p value ({where})", pair)
            if good:
                add((*key, "margin"), display.target(row["margin"]), row["margin"], f"the margin in per cent ({where})", pair)


def _n_pairs(table: pa.Table | None) -> int:
    if table is None:
        return 0
    return len(frame(table, columns=["algorithm_a", "algorithm_b"]).dropna().drop_duplicates())


def _data_numbers(add: Any, reports: Sequence[Mapping[str, Any]]) -> None:
    if not reports:
        return
    names = sorted({name for report in reports for name in report["algorithms"]}, key=natural_key)
    problems = {(suite, problem) for report in reports for suite in report["suites"] or [None] for problem in report["problems"]}
    add(("sources",), display.count(len(reports)), len(reports), "sources of raw data")
    add(("algorithms",), display.count(len(names)), len(names), "algorithms")
    add(("problems",), display.count(len(problems)), len(problems), "different suites and problems, dimensions not counted")
    meanings = {
        "found": "trials found in the logs",
        "expected": "trials that the sources' own designs expect",
        "missing": "trials expected and not found",
        "ill_finalised": "trials whose log does not say how they ended",
        "solved": "trials solved, as the sources state",
        "failed": "trials failed, as the sources state",
    }
    for what, meaning in meanings.items():
        counts = [report["trials"].get(what) for report in reports]
        known = [c for c in counts if c is not None]
        if len(known) == len(counts):
            add(("trials", what), display.count(sum(known)), sum(known), meaning)
        else:
            add(("trials", what), "unknown", math.nan, f"{meaning} (not every source says)")
    for outcome in ("repaired", "noted", "refused"):
        n = sum(i["count"] for report in reports for i in report.get("irregularities") or [] if i["outcome"] == outcome)
        add(("irregularities", outcome), display.count(n), n, f"irregularities of the logs that were {outcome}")
    for report in reports:
        if len(report["algorithms"]) == 1:
            own = [r for r in reports if r["algorithms"] == report["algorithms"]]
            n = sum(r["trials"]["found"] for r in own)
            add(("trials", report["algorithms"][0], "found"), display.count(n), n, "trials found of the algorithm")


def _group(row: Mapping[str, Any]) -> str:
    parts = []
    if row.get("stratum") is not None:
        parts.append(str(row["stratum"]).replace(", ", "-").replace(" ", "-"))
    if row.get("dimension") is not None:
        parts.append(f"dimension-{row['dimension']}")
    if row.get("target") is not None:
        parts.append(f"target-{_short(row['target'])}")
    if row.get("at_budget") is not None:
        parts.append(f"budget-{_short(row['at_budget'])}")
    return "-".join(parts) or "all"


def _short(value: float) -> str:
    """Write six digits where they are all there is, else every digit: different values keep different names."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
