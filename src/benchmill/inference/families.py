"""Families of instances: whether problems of a family depend on each other, so that the family is the unit, not the problem.

Every inference over clusters asks here what its clusters are (`docs/inference.md`).
"""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Generator, Index, UserError, keys, schema, seeds
from benchmill.core.attributes import Attributes
from benchmill.core.attributes import read as read_attributes
from benchmill.core.step_functions import TOLERANCE
from benchmill.inference import clusters
from benchmill.inference.corrections import holm
from benchmill.inference.design import Designs, net_wins

#: The attribute that the logs themselves give a problem.
LOG_FOLDER = "folder of the logs"

#: Level at which a family is found, and how often problems are dealt to families anew.
LEVEL, _DEALT = 0.05, 1999
#: Of more pairs the scores of each algorithm against all others are taken.
_MOST_PAIRS = 300
_NUMBERED, _LAST_WORD, _FIRST_WORD = (
    re.compile(r"(.*?)[\W_]*\d+"),
    re.compile(r"(.+?)[\W_]+[^\W_]+"),
    re.compile(r"([^\W\d_]+).+"),
)
_ENDING = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9]{0,3})+$")


def candidates(problems: Sequence[str], attributes: Attributes | None = None) -> list[keys.Family]:
    """Return the ways in which problems can be dealt to families: by parts of their names, and by attributes.

    Each has two families or more and no more than half as many as there are problems; of those that deal alike the first.
    """
    distinct = list(dict.fromkeys(problems))
    ways = {
        "name up to its last number or separator": {name: _prefix(name) for name in distinct},
        "first word of the name": {name: _first_word(name) for name in distinct},
        "folder": {name: re.split(r"[/\\]", name)[0] for name in distinct},
        **{name if name == LOG_FOLDER else f"attribute {name}": values for name, values in (attributes or {}).items()},
    }
    families: dict[bytes, keys.Family] = {}
    for name, family_of in ways.items():
        # a problem of no family is one of its own, whatever it is called
        dealt, kinds = clusters.numbered(family_of.get(one) or f"\0{one}" for one in distinct)
        if 2 <= len(kinds) <= len(distinct) / 2:
            of = {one: family_of[one] for one in distinct if family_of.get(one)}
            families.setdefault(dealt.tobytes(), keys.Family(name, of))
    return list(families.values())


def log_folders(trials: Iterable[pa.Table]) -> Attributes:
    """Return as an attribute the folder that holds the logs of each problem, if it has one name in all runs."""
    folders_of: dict[str, set[str]] = {}
    for table in trials:
        source = table["source"].cast(pa.string())
        # an expression is slow where a table in memory has no folder at all
        text = b"".join(bytes(chunk.buffers()[2] or b"") for chunk in source.chunks)
        folder_column = (
            pc.replace_substring_regex(source, r"[^/\\]*$", "")
            if b"/" in text or b"\\" in text
            else pa.nulls(len(source), pa.string())
        )
        pairs = keys.cells(
            pa.table({"problem": table["problem"], "folder": folder_column.dictionary_encode()}), ["problem", "folder"]
        )[1]
        for one, path in zip(pairs["problem"].to_pylist(), pairs["folder"].to_pylist(), strict=True):
            folders_of.setdefault(str(one), set()).add("/".join(re.split(r"[/\\]", path or "")[-2:-1]))
    return {LOG_FOLDER: {problem: next(iter(folders)) for problem, folders in folders_of.items() if len(folders) == 1}}


def classes(by: Any, problems: Sequence[schema.Facts], folders: Attributes | None = None) -> keys.Family:
    """Return what deals problems to classes.

    `by` is a key such as `suite` or `dimension`; `family`, by the names of problems; `folder`, of the logs; a mapping (or Series)
    of problems to classes; or the path of a table with the column `problem` and one more. A `UserError` where there is nothing of
    the kind, or a problem has no class or stands twice.
    """
    names = list(dict.fromkeys(str(one["problem"]) for one in problems))
    if isinstance(by, str) and by in (keys.FAMILY, "folder"):
        way = next((way for way in candidates(names, folders) if by == keys.FAMILY or way.name == LOG_FOLDER), None)
        if way is None:
            raise UserError(f"by: {by!r} assigns these problems to no classes; give a table or a mapping of problems to classes.")
        return keys.Family(str(by), {name: way.of.get(name, name) for name in names})
    if isinstance(by, str) and problems and by in problems[0]:
        return keys.Family(by, {str(one["problem"]): str(one[by]) for one in problems})
    name = "class"
    if isinstance(by, str | os.PathLike) and os.path.exists(by):
        tables = read_attributes(Path(by), "problem", "by")
        if len(tables) != 1:
            raise UserError(f"by: {by} has the columns {', '.join(tables)} beside 'problem', expected one; leave the others out.")
        ((name, by),) = tables.items()
    # a Series may have a problem twice
    if not hasattr(by, "items") or hasattr(by, "columns") or not getattr(getattr(by, "index", None), "is_unique", True):
        there = ", ".join(repr(key) for key in (keys.FAMILY, "folder", *(problems[0] if problems else ())) if key != "problem")
        raise UserError(
            f"by: found {f'a {type(by).__name__}' if hasattr(by, 'shape') else repr(by)}, expected {there}, the path of a table, "
            "or a mapping of each problem to one class."
        )
    import pandas as pd

    class_of = {str(problem): str(value) for problem, value in by.items() if not pd.isna(value)}
    if without := [problem for problem in names if problem not in class_of]:
        raise UserError(f"by: the problem {without[0]!r} ({len(without)} in all) has no class; add it.")
    return keys.Family(name, {problem: class_of[problem] for problem in names})


def _prefix(name: str) -> str:
    plain = _ENDING.sub("", name)
    match = _NUMBERED.fullmatch(plain) or _LAST_WORD.fullmatch(plain)
    return (match and match[1]) or name


def _first_word(name: str) -> str:
    match = _FIRST_WORD.fullmatch(_ENDING.sub("", name))
    return match[1] if match else name


def found(
    scores: Array,
    problems: Sequence[schema.Facts],
    attributes: Attributes | None = None,
    seed: int = 1,
) -> pa.Table:
    """Look for families in which problems depend on each other, and make the table `families`.

    The statistic is the variance of the scores, (n_problems, n_pairs), between families, summed over the pairs; its p the share
    of deals of the problems to families of the same sizes that reach it, by Holm over the ways of dealing. The coarsest way that
    is found is chosen.
    """
    d = np.nan_to_num(scores)
    d = d - d.mean(axis=0) if d.size else d
    tested = []
    suites = {one.get("suite") for one in problems}
    for by in candidates([str(one["problem"]) for one in problems if one.get("problem") is not None], attributes):
        dealt, kinds = clusters.numbered((one.get("suite"), keys.value(one, by)) for one in problems)
        # a suite is no family of its own problems: it has no other to be compared with
        if len(kinds) > len(suites):
            tested.append((by, len(kinds), *_between(d, dealt, seeds.stream(seed, "families", by.name))))
    adjusted = holm([p for *_, p in tested])
    shown = [(n, by.name) for (by, n, *_), p in zip(tested, adjusted, strict=True) if p <= LEVEL]
    chosen = min(shown, key=lambda one: one[0], default=(0, ""))[1]
    return schema.of_rows(
        "families",
        [
            {
                "by": by.name,
                "problem": problem,
                "family": family,
                "n_families": n,
                "correlation": correlation,
                "p": p,
                "chosen": by.name == chosen,
            }
            for (by, n, correlation, _), p in zip(tested, adjusted, strict=True)
            for problem, family in by.of.items()
        ],
    )


def _between(d: Array, dealt: Index, rng: Generator) -> tuple[float, float]:
    """Return the intra-class correlation of centred scores, and the p of their variance between families."""
    n, sizes = len(d), np.bincount(dealt)
    order, starts = np.argsort(dealt, kind="stable"), np.cumsum(np.append(0, sizes[:-1]))

    def between(rows: Index) -> Array:
        return np.asarray((np.add.reduceat(d[rows], starts, axis=0) ** 2 / sizes[:, None]).sum(axis=0), float)

    seen, whole = between(order), (d**2).sum(axis=0)
    reached = sum(between(rng.permutation(n)).sum() >= seen.sum() * (1 - TOLERANCE) for _ in range(_DEALT))
    families, typical = sizes.size, (n - (sizes**2).sum() / n) / (sizes.size - 1)
    among, within = seen / (families - 1), (whole - seen) / max(n - families, 1)
    total = among + (typical - 1) * within
    correlation = np.divide(among - within, total, out=np.zeros_like(total), where=total > 0)
    return float(correlation.mean()) if correlation.size else 0.0, float((reached + 1) / (_DEALT + 1))


def of_cells(
    scores: Array, cells: pa.Table, asked: Sequence[str], attributes: Attributes | None = None, seed: int = 1
) -> pa.Table:
    """Look for families by scores of cells, (n_cells, n_pairs), whose mean is that of a problem; see `of_designs`."""
    cluster = keys.of_clusters(cells, keys.CLUSTER_KEYS)
    if keys.FAMILY not in asked or not cluster.size:
        return schema.of_rows("families", [])
    described = cells.take(pa.array(np.unique(cluster, return_index=True)[1])).to_pylist()
    return found(clusters.means(scores, cluster), described, attributes, seed)


def of_designs(designs: Designs, asked: Sequence[str], attributes: Attributes | None = None, seed: int = 1) -> pa.Table:
    """Look for families by the designs of a measure, whose targets are pooled; arguments as of `found`.

    `asked` are the `cluster_keys` of the study: without `family` among them nothing is looked for.
    """
    cluster, _ = clusters.named(designs, keys.CLUSTER_KEYS)
    described = [problem for design in designs for problem in design.problems]
    if keys.FAMILY not in asked or len(described) != cluster.size or not cluster.size:
        return schema.of_rows("families", [])
    return found(
        clusters.means(np.concatenate([_scores(design.values) for design in designs]), cluster),
        [described[i] for i in np.unique(cluster, return_index=True)[1]],
        attributes,
        seed,
    )


def _scores(values: Array) -> Array:
    """Return the scores of all pairs; of many algorithms those of each against all others."""
    k = values.shape[1]
    wins = net_wins(values)
    if wins.shape[1] <= _MOST_PAIRS:
        return wins
    first, second = np.triu_indices(k, 1)
    return np.stack([wins[:, first == i].sum(axis=1) - wins[:, second == i].sum(axis=1) for i in range(k)], axis=1)
