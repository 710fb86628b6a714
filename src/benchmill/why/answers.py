"""Answers to why: the statements, clusters, costs and log lines behind the sentences and numbers of finished results."""

import difflib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from benchmill.core import UserError, natural_key, schema, storage
from benchmill.exhibits.tables import numbers
from benchmill.indicators import solver_runs, summary
from benchmill.inference import ranking
from benchmill.notebook.comparison import Why, behind
from benchmill.notebook.results import Results
from benchmill.study.sources import existing
from benchmill.text import display, frames, labels, prose

#: Rows of a part of an answer that a screen has room for, runs, and lines of a run.
_MOST_ROWS, _MOST_RUNS, _MOST_LINES = 16, 6, 4
#: Rows of cells that a page has room for.
_MOST_CELLS = 20_000
#: A list of more values than a line has room for.
_MANY = re.compile(r"\[([^\[\],]+),(?:[^\[\],]+,){7,} ([^\[\],]+)\]")
_PLAIN = re.compile(r"\\benchmill\{(.*)\}")
#: A value of a curve: at an abscissa, or a number of numbers.tex.
_AT = re.compile(r"(.*\becdf/.*)/(?:solved|area|at-(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?))")
_BETWEEN = re.compile(r" (?:is )?(?:better than|worse than|as good as|versus|vs\.?|and) ")
#: Dashes beside words, not those of numbers such as 1e-07.
_DASHES = re.compile(r"-(?=[a-z])|(?<=[a-z]{2})-")
#: Ends of the names of numbers of a pair.
_OF_PAIR = ("effect", "effect_low", "effect_high", "p_adjusted")

Answer = schema.Row
#: What is yielded of each name of a kind: the name, its text, the function that answers, and what that is given.
Kind = Iterator[tuple[Any, ...]]


def names(results: Results) -> list[tuple[str, str]]:
    """Return every name with its sentence, or with what the number is."""
    return [(name, text) for name, (text, _) in _known(results).items()]


def answer(results: Results, asked: str, problem: str | None = None, run: int | None = None) -> Answer:
    """Return what is behind a name: `sentence`, `settings`, and what its kind has; with a problem `cells` and `runs`.

    Raises
    ------
    UserError
        There is no such name (the nearest ones are told), or no such problem or run.
    """
    known = _known(results)
    of_curve = _AT.fullmatch(_PLAIN.sub(r"\1", asked.strip()))
    name = _resolved(results, of_curve[1] if of_curve else asked, known)
    result: Answer = {"name": name, "sentence": known[name][0], **known[name][1]()}
    if of_curve and of_curve[2]:
        reached = [0.0, *(step["fraction"] for step in result["steps"] if step["x"] <= float(of_curve[2]))]
        result |= {
            "name": f"{name}/at-{of_curve[2]}",
            "sentence": f"ECDF of {result['algorithms'][0]} at {of_curve[2]}: {display.share(reached[-1])}",
            "value": reached[-1],
        }
    measure, cells = result.pop("measure", None), result.pop("cells", None)
    if problem is not None:
        algorithms = result.get("algorithms", [])
        runs = _runs(results, measure, algorithms, {"problem": problem, "run": run})
        if not runs:
            problems = sorted({str(one) for report in results.reports for one in report["problems"]})
            if problem in problems:
                raise UserError(f"why: there is no such run of {display.listed(algorithms) or 'any algorithm'} on {problem!r}.")
            near = ", ".join(map(repr, difflib.get_close_matches(problem, problems, 3, 0.3) or problems[:5]))
            raise UserError(f"--problem: there is no problem {problem!r}; the nearest are {near}.")
        costs = {} if cells is None else {"costs": cells[cells["problem"].astype(str) == problem].to_dict("records")}
        result |= {"problem": problem, "runs": runs, **costs}
    return result


def _resolved(results: Results, asked: str, known: Mapping[str, tuple[str, Any]]) -> str:
    plain = _PLAIN.sub(r"\1", asked.strip()).removeprefix(f"{labels.file_name(results.study)}/")
    texts = {name: text.rstrip(".") for name, (text, _) in known.items()}
    same = [name for name, text in texts.items() if text == plain.rstrip(".")]
    if len(same) > 1:
        shown = display.listed(same, limit=_MOST_ROWS)
        raise UserError(f"why: {results.folder} has {len(same)} numbers of which {asked!r} is said: {shown}; name one of them.")
    # a number of a pair is what its statement says, in either order
    pair = _BETWEEN.split(plain) if _BETWEEN.search(plain) else plain.split("/")[: -1 if _of_pair(plain) else None]
    meant = [plain, *same]
    if plain.isdecimal() and "verdicts" in results.tables:
        meant += results.frame("verdicts")["name"].iloc[int(plain) - 1 : int(plain)].tolist()
    if len(pair) == 2:
        meant += [labels.statement(one.strip(), other.strip()) for one, other in (pair, pair[::-1])]
    if (name := next((name for name in meant if name in known), None)) is not None:
        return name
    near = difflib.get_close_matches(plain, [*dict.fromkeys([*texts, *texts.values()])], 3, 0.4)
    hint = f"the nearest are {', '.join(map(repr, near))}" if near else "none is like it"
    raise UserError(f"why: {results.folder} has no {asked!r}; {hint}. `benchmill why {results.folder}` lists all.")


def _known(results: Results) -> dict[str, tuple[str, Callable[[], Answer]]]:
    """Return every name with its text and the function that answers."""
    known: dict[str, tuple[str, Callable[[], Answer]]] = {}
    tables = results.tables
    kinds = [kind for table, kind in (("verdicts", _statements), ("leaders", _leaders), ("claims", _claims)) if table in tables]
    for kind in (*kinds, _sentences_and_numbers, _indicators, _ecdf):
        for name, text, answered, *given in kind(results):
            if not _of_pair(name):
                known.setdefault(name, (text, partial(answered, results, *given)))
    return known


def _of_pair(name: str) -> bool:
    """Return True for a number of a statement, `A/B/effect`, which is answered by that."""
    parts = name.split("/")
    return parts[-1] in _OF_PAIR and (len(parts) == 3 or parts[2:-1] == ["as_good"])


def _settings(results: Results, *keys: str) -> list[schema.Row]:
    """Return settings with the keys that set them."""
    settings, config = [], results.settings
    for key in keys:
        value: Any = config
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, dict):
            value = {name: one for name, one in value.items() if one not in (None, [])}
        settings.append({"key": f"studies.{results.study}.{key}", "value": value})
    return settings


# --- statements about pairs --------------------------------------------------------------------


def _statements(results: Results) -> Kind:
    rows = results.frame("verdicts") if "verdicts" in results.tables else pd.DataFrame({"name": []})
    for row in rows[rows["name"].notna()].to_dict("records"):
        yield row["name"], row["text"], _statement, row


def on_page(results: Results) -> Answer:
    """Return the answers about pairs that a page has room for, first those about who wins most, and how many there are (`of`)."""
    # of thousands of algorithms there are millions of statements, whose sentences take gigabytes
    pieces = storage.pieces(Path(results.folder, "verdicts.parquet"), "verdicts") if "verdicts" in results.tables else ()
    of_pair = (pc.field("analysis") == "primary") & pc.field("name").is_valid() & pc.field("algorithm_a").is_valid()
    pairs = schema.concatenate([schema.TABLES["verdicts"].empty_table(), *(piece.filter(of_pair) for piece in pieces)])
    if not pairs.num_rows:
        return {}
    first, second = (pairs[f"algorithm_{side}"].to_pylist() for side in "ab")
    (most_wins,) = ranking.most_wins(first, second, pairs["effect"].to_pylist())
    shown = sorted(range(pairs.num_rows), key=lambda i: most_wins not in (first[i], second[i]))[
        : max(1, _MOST_CELLS // max(1, pairs["n_cells"][0].as_py()))
    ]
    cells = results.cells(str(pairs["measure"][0]))
    statements = ({"name": row["name"], **_statement(results, row, behind(row, *cells))} for row in pairs.take(shown).to_pylist())
    return {"of": pairs.num_rows, "statements": [plain({**one, "cells": one["cells"].to_dict("records")}) for one in statements]}


def _statement(results: Results, row: schema.Row, why: Why | None = None) -> Answer:
    measure, algorithms = str(row["measure"]), [str(row["algorithm_a"]), str(row["algorithm_b"])]
    statement: Answer = {
        "sentence": row["text"],
        "rule": prose.said(__file__, "Rule", row=row, method=display.comparison_name(row["method"])),
        "settings": _settings(
            results,
            *("inference.alpha", "inference.permutations", "cluster_keys", "inference.design", "primary.measure"),
            *("primary.targets", "control", f"measures.{measure}", "seed"),
        ),
        "measure": measure,
    }
    if pd.isna(row["algorithm_a"]):
        return statement
    if row["analysis"] == "primary":
        why = why or results.compare(measure).why(*algorithms)
        return statement | {
            "algorithms": [why.first, why.second],
            "fragility": why.fragility,
            "clusters": why.frame.to_dict("records"),
            "cells": why.cells,
        }
    statement["algorithms"] = algorithms
    if row["analysis"] == "secondary" and pd.isna(row["stratum"]):
        designs, clustered = results.cells(measure)
        at = [None if pd.isna(row[key]) else row[key] for key in ("target", "at_budget")]
        if own := [one for one in designs if [one.target, one.at_budget] == at]:
            statement |= {
                "clusters": ranking.of_pair(own, clustered, *algorithms).to_dict("records"),
                "cells": ranking.of_cells(own, clustered, *algorithms),
            }
    return statement


def _leaders(results: Results) -> Kind:
    for (measure, criterion), some in results.frame("leaders").groupby(["measure", "criterion"], observed=True, sort=False):
        first = some[some["rank"] == 1]["algorithm"].astype(str).tolist()
        # where all tie nobody is first
        tied = "None of them comes" if len(first) == len(some) else f"{display.listed(first)} come"
        text = f"{f'{first[0]} comes' if len(first) == 1 else tied} first by {criterion} of {measure}."
        yield labels.statement("leader", str(measure), str(criterion)), text, _leader, some


def _leader(results: Results, rows: pd.DataFrame) -> Answer:
    ordered = rows.sort_values("rank", kind="stable")
    first, measure = str(ordered["algorithm"].iloc[0]), str(rows["measure"].iloc[0])
    return {
        "settings": _settings(results, "primary.criterion", "profiles", f"measures.{measure}"),
        "ranking": ordered[["algorithm", "value", "rank"]].to_dict("records"),
        "statements": [
            f"{name}: {sentence}"
            for name, sentence, _, row in _statements(results)
            if row["analysis"] == "primary" and first in (row["algorithm_a"], row["algorithm_b"])
        ],
        "measure": measure,
        "algorithms": [first],
    }


def _claims(results: Results) -> Kind:
    for claim, some in results.claims().groupby("claim", observed=True, sort=False):
        yield labels.statement("claim", str(claim)), f"Claim: {claim}.", _claim, some


def _claim(results: Results, rows: pd.DataFrame) -> Answer:
    first, counted = rows.iloc[0], rows[rows["same_as"].isna()]
    return {
        "sentence": str(first["text"]),
        "rule": "; ".join(f"{outcome}: {n}" for outcome, n in counted["outcome"].value_counts().items() if n),
        "settings": _settings(results, "claims", "cluster_keys", "inference.alpha"),
        "conventions": counted.sort_values("effect", kind="stable")[["convention", "outcome", "effect", "p_adjusted"]].to_dict(
            "records"
        ),
        "measure": str(first["measure"]),
        "algorithms": [str(name) for name in first[["algorithm", "other"]] if pd.notna(name)],
    }


# --- numbers -----------------------------------------------------------------------------------


def _sentences_and_numbers(results: Results) -> Kind:
    file = Path(results.folder, "exhibits.json")
    for one in json.loads(file.read_text("utf-8"))["numbers"] if file.exists() else []:
        name, text, meaning = one["key"].partition("/")[2], one["text"], one["meaning"]
        sentence = text if meaning.startswith("sentence") else f"{meaning}: {text}"
        yield name, sentence, _number, name, float(one["value"])


def _number(results: Results, name: str, value: float) -> Answer:
    parts = name.split("/")
    by_part = {labels.file_name(one): one for one in results.frame("algorithms")["algorithm"].astype(str)}
    measures = [one for one in results.measures if labels.file_name(one) in parts]
    number: Answer = {
        "settings": _settings(results, *(f"measures.{one}" for one in measures), "problem_keys", "not_competing"),
        "measure": next(iter(measures), None),
        "algorithms": [by_part[part] for part in parts if part in by_part],
        **({} if math.isnan(value) else {"value": value}),
    }
    if parts[0] == "summary" and len(parts) > 4:
        number["settings"] += _settings(results, "indicators.summary")
        rows = results.frame("solver_runs", measures[0])
        if parts[2] in (summary.ALL_SOLVED, summary.ALL_MEASURED):
            # where one that competes fails, no run of the instance counts
            cost = rows["cost"].where(~rows["role"].isin(["not_competing", "virtual_best"]), 0.0)
            of_instance = cost.groupby([rows[key] for key in solver_runs.INSTANCE], observed=True, dropna=False)
            rows = rows[of_instance.transform("max") < math.inf]
        # PAR says itself what a failure counts
        factor = solver_runs.FACTORS.get(parts[-1].replace("par", "x"), solver_runs.FACTORS.get(parts[2], 1.0))
        solver = next(iter(number["algorithms"]), solver_runs.VIRTUAL_BEST)
        rows = (
            rows[(rows["algorithm"] == solver) & rows["included"]]
            .assign(counts=lambda own: own["cost"].where(own["cost"] < math.inf, factor * own["limit"]))
            .sort_values("counts", ascending=False, kind="stable")
        )
        number["instances"] = rows[["problem", "instance", "run", "outcome", "cost", "limit", "counts", "weight"]].to_dict(
            "records"
        )
    return number


def _indicators(results: Results) -> Kind:
    for path in (path for path in results.tables if path.startswith("indicators/")):
        for row in frames.records(results.frame(path)):
            problem = numbers.place(row[key] for key in ("suite", "problem", "instance"))
            at = labels.point(row)
            for number in ("ert", "success_rate", "mean", "median"):
                if row[number] is not None:
                    name = labels.statement("indicators", str(row["measure"]), problem, at, str(row["algorithm"]), number)
                    text = f"{number} of {row['algorithm']} on {problem}, {_DASHES.sub(' ', at)}: {row[number]:.6g}"
                    yield name, text, _indicator, row, number


def _indicator(results: Results, row: schema.Row, number: str) -> Answer:
    measure, algorithms = str(row["measure"]), [str(row["algorithm"])]
    return {
        "value": row[number],
        "rule": prose.said(__file__, "Charged", row=row),
        "settings": _settings(results, f"measures.{measure}", "indicators.budget_rule"),
        "runs": _runs(results, measure, algorithms, row),
        "measure": measure,
        "algorithms": algorithms,
    }


def _ecdf(results: Results) -> Kind:
    for path in (path for path in results.tables if path.startswith("ecdf/")):
        for (*group, algorithm), some in results.frame(path).groupby(
            ["suite", "group", "problem", "dimension", "target", "algorithm"], observed=True, dropna=False, sort=False
        ):
            curve = numbers.place(None if pd.isna(value) else value for value in group)
            text = f"ECDF of {algorithm} ({curve}): {some['fraction'].iloc[-1]:.4g} in the end."
            yield labels.statement(*path.split("/"), curve, str(algorithm)), text, _curve, some, str(algorithm)


def _curve(results: Results, rows: pd.DataFrame, algorithm: str) -> Answer:
    return {
        "settings": _settings(results, "indicators.ecdf"),
        "steps": rows[["x", "fraction"]].to_dict("records"),
        "algorithms": [algorithm],
    }


# --- runs --------------------------------------------------------------------------------------

_KEYS = ("suite", "problem", "dimension", "instance", "run")


def _runs(results: Results, measure: str | None, algorithms: Sequence[str], at: schema.Row) -> list[schema.Row]:
    """Return the trials at some keys, with status, budget, costs, file and line, and the first lines that the log has there."""
    runs, tables = list[schema.Row](), set(results.tables)
    for report in results.reports:
        source = report["source"]
        trials = results.frame("trials", source)
        for key in _KEYS:
            if not pd.isna(at.get(key)):
                trials = trials[trials[key].astype(str) == str(at[key])]
        if algorithms:
            trials = trials[trials["algorithm"].astype(str).isin(algorithms)]
        if not len(trials):
            continue
        costs: dict[Any, list[str]] = {}
        if measure is not None and f"costs/{measure}/{source}" in tables:
            every = results.frame("costs", measure, source).merge(trials[["algorithm", "trial"]], on=["algorithm", "trial"])
            asked = next((at[key] for key in ("target", "at_budget") if not pd.isna(at.get(key))), None)
            for row, level in zip(every.to_dict("records"), every["target"].fillna(every["at_budget"]), strict=True):
                if asked is None or level == asked:
                    cost_words = display.number(row["cost"]) if math.isfinite(row["cost"]) else "not reached"
                    costs.setdefault((row["algorithm"], row["trial"]), []).append(
                        cost_words if pd.isna(level) else f"{display.target(level)}: {cost_words}"
                    )
        lines = {
            f"{row['file']}:{row['line']}": _kept(row)
            for row in (results.frame("excerpts", source).to_dict("records") if f"excerpts/{source}" in tables else ())
        }
        here, where = _log(results, report)
        runs += [
            {
                **{key: row[key] for key in ("algorithm", *_KEYS, "status", "budget")},
                "costs": costs.get((row["algorithm"], row["trial"]), []),
                "log": where,
                "log_is_here": here,
                "source": row["source"],
                "lines": lines.get(row["source"], []),
            }
            for row in trials.to_dict("records")
        ]
    # runs of two algorithms on the same instance stand together
    return sorted(runs, key=lambda one: tuple(natural_key(str(one[key])) for key in ("suite", "dimension", "instance", "run")))


def _kept(row: schema.Row) -> list[str]:
    """Return the lines of a run that are kept; a gap is marked."""
    first, last = (str(row[key]).split("\n") if row[key] else [] for key in ("first", "last"))
    left_out = row["last_line"] - row["line"] + 1 - len(first) - len(last)
    return [*first, *(["…"] if left_out > 0 and last else []), *last]


def _log(results: Results, report: schema.Facts) -> tuple[bool, str]:
    """Say whether the logs of a source are there, and where."""
    # paths of a configuration are seen from the folder that holds `results`
    home, source = Path(results.folder).resolve().parents[1], report["source"]
    for one in results.settings["sources"]:
        patterns = one.get("parts") or [one["path"]]
        here = [path for pattern in patterns for path in existing(pattern, [home])]
        paths = here or [Path(pattern) for pattern in patterns]
        # a source without a name is called after its file, one of several parts after the first
        names = [one.get("name") or labels.stem((paths[0] if "parts" in one else path).name) for path in paths]
        if own := [str(path) for path, name in zip(paths, names, strict=True) if labels.file_name(name) == source]:
            return bool(here), ", ".join(own)
    return False, str(report["path"])


# --- on one screen, and for programs -----------------------------------------------------------


def plain(value: Any) -> Any:
    """Return an answer as JSON has it: null for what is unknown, and infinite numbers as text."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    value = value.item() if isinstance(value, np.generic) else value
    if pd.isna(value):
        return None
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def listed(entries: Sequence[tuple[str, str]]) -> str:
    """Write names with their sentences; of a kind with very many, such as single ERT values, the first ones."""
    rows = pd.DataFrame(entries, columns=["name", "text"])
    kind = rows["name"].str.extract("^(indicators|ecdf|secondary)/", expand=False)
    shown = rows[kind.isna() | (rows.groupby(kind, dropna=False).cumcount() < _MOST_ROWS)]
    lines = [f"{name}\n    {text}" for name, text in shown.itertuples(index=False)]
    more = [f"{n - _MOST_ROWS} more begin with {one}/" for one, n in kind.value_counts(sort=False).items() if n > _MOST_ROWS]
    return "\n".join([*lines, *(["", f"{'; '.join(more)} (--json lists all)."] if more else [])])


def written(result: Answer) -> str:
    """Write an answer for a terminal."""
    facts = {"answer": result, "table": _table, "known": pd.notna, "short": _short, "repr": repr}
    most = {"rows": _MOST_ROWS, "runs": _MOST_RUNS, "lines": _MOST_LINES}
    return prose.whole(__file__, "Answer", most=most, **facts).removesuffix("\n")


def _short(value: Any) -> str:
    """Write a setting, of a list that is too long for a line its ends."""
    return _MANY.sub(lambda many: f"[{many[1]}, …, {many[2]}] ({len(many[0].split(','))} in all)", str(value))


def _table(rows: list[schema.Row]) -> str:
    half = _MOST_ROWS // 2
    shown = rows if len(rows) <= _MOST_ROWS else rows[:half] + rows[-half:]
    as_text = pd.DataFrame(shown).dropna(axis=1, how="all").to_string(index=False, float_format="{:.4g}".format)
    lines = [f"  {line}" for line in as_text.split("\n")]
    if len(rows) > len(shown):
        lines.insert(half + 1, f"  … {len(rows) - len(shown)} more (--json has all)")
    return "\n".join(lines)
