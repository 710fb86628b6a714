"""The results of a study as data frames: filtered, ordered, grouped, and the groups named."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import limits, natural_key
from benchmill.core.names import meant
from benchmill.text import display
from benchmill.text.measures import Measure

if TYPE_CHECKING:
    import pandas as pd

#: The types of pandas, which planning does not import.
Frame: TypeAlias = "pd.DataFrame"
Series: TypeAlias = "pd.Series"
#: A row of a table, or what its rows have in common, by column.
Row = Mapping[str, Any]
#: The results of a study: its tables by name, and `ingest`, `config`, `origins`.
Data = Mapping[str, Any]

#: Keys of what is tested on its own.
POINT = ["target", "at_budget", "stratum"]


def short_names(data: Data, names: Iterable[str], limit: int = 32) -> dict[str, str]:
    """Return names of algorithms as they are shown: cut in the same way in all tables of a study."""
    return display.short_names([*algorithms(data), *names], limit)


def control(asked: str | None, names: Collection[str]) -> str | None:
    """Return the algorithm that all others are compared with, which may be given by a pattern; None without one."""
    return next(iter(meant(asked or "", names)), None)


def algorithms(data: Data) -> list[str]:
    """Return the algorithms of the study, if `data` has its ingest reports."""
    return [name for report in data.get("ingest") or [] for name in report["algorithms"]]


def frame(
    table: pa.Table | None,
    measure: str | None = None,
    variant: str | None = None,
    columns: Sequence[str] | None = None,
    analysis: str | None = None,
) -> Frame:
    """Return rows of one measure, variant and analysis, empty for None; text is categorical, as in the metadata or natural."""
    # planning asks this module for words alone, and has no use for pandas
    import pandas as pd

    if table is None:
        return pd.DataFrame()
    wanted = {"measure": measure, "variant": variant, "analysis": analysis}
    kept = [pc.equal(table.column(name), value) for name, value in wanted.items() if value is not None]
    chosen = table.select(columns or table.column_names)
    data = (
        (chosen.filter(reduce(pc.and_, kept)) if kept else chosen)
        .unify_dictionaries()
        .to_pandas(types_mapper={pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}.get)
    )
    for name, column in data.select_dtypes("category").items():
        stated_order = (
            (table.schema.metadata or {}).get(name.removesuffix("_a").removesuffix("_b").encode(), b"").decode().split("\n")
        )
        natural = dict.fromkeys(sorted(column.cat.remove_unused_categories().cat.categories, key=natural_key))
        data[name] = column.cat.set_categories(
            [word for word in (dict.fromkeys(stated_order) | natural) if word in natural], ordered=True
        )
    return data


def ordered(data: Frame, keys: Sequence[str]) -> Frame:
    """Sort rows: text naturally, dimensions and budgets rising, targets falling, empty first."""
    return (
        data.sort_values(list(keys), ascending=[key != "target" for key in keys], na_position="first", kind="stable")
        if len(data)
        else data
    )


def groups(data: Frame, keys: Sequence[str]) -> list[tuple[dict[str, Any], Frame]]:
    """Return rows that agree in keys, in the order of `ordered`, each with its keys."""
    if not len(data):
        return []
    number, keys_in_order = numbered(data, keys)
    # slices of sorted rows: pandas' own way takes six times as long for few rows
    rows, ends = data.iloc[np.argsort(number, kind="stable")], [0, *np.cumsum(np.bincount(number)).tolist()]
    return [(key, rows.iloc[i:end]) for key, i, end in zip(records(keys_in_order), ends[:-1], ends[1:], strict=True)]


def numbered(data: Frame, keys: Sequence[str]) -> tuple[npt.NDArray[np.int64], Frame]:
    """Return the number of each row's keys among the different ones, and these in order."""
    number = np.zeros(len(data), np.int64)
    for key in keys:
        code, values = data[key].factorize(sort=True)
        place = np.where(code < 0, 0, len(values) - code if key == "target" else code + 1)
        _, number = np.unique(number * (len(values) + 1) + place, return_inverse=True)
    return number, data[list(keys)].iloc[np.unique(number, return_index=True)[1]].reset_index(drop=True)


def records(data: Frame) -> list[dict[str, Any]]:
    """Return rows as dictionaries of Python's own values, None where they are empty."""
    # pandas' own way takes ten times as long for the few rows of a group
    empty = data.isna().to_numpy()
    columns = [
        [None if is_empty else value for value, is_empty in zip(column.tolist(), empty[:, place], strict=True)]
        for place, (_, column) in enumerate(data.items())
    ]
    return [dict(zip(data.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def head(data: Frame) -> Row | None:
    """Return the first row as one of `records`, None without any."""
    return next(iter(records(data.head(1))), None)


def rows_of(data: Frame, where: Row) -> Frame:
    """Return the rows whose columns have the given values; None matches empty."""
    mask = np.ones(len(data), bool)
    for column, value in where.items():
        equal = data[column].isna() if value is None else data[column].eq(value).fillna(False)
        mask &= equal.to_numpy(bool)
    return data[mask]


def chosen(data: Frame, wanted: Mapping[str, Sequence[Any]]) -> Frame:
    """Return the rows of some values of the keys; columns that the table lacks are passed over, the virtual best solver stays.

    Raises KeyError with the column and the value that no row has.
    """
    for name, values in wanted.items():
        for column in [c for c in (name, f"{name}_a", f"{name}_b") if c in data.columns]:
            values_there = data[column].dropna().unique().tolist()
            absent = [value for value in values if not among(value, values_there)]
            if absent and column == name and len(data):
                raise KeyError(name, absent[0])
            kept = data[column].isin([other for other in values_there if among(other, values)])
            if column == "algorithm" and "role" in data:
                kept |= data["role"] == "virtual_best"
            data = data[kept]
    return data


def among(value: Any, others: Iterable[Any]) -> bool:
    """Return True if a value of a key is one of others: numbers but for the last bits, in which a configuration may differ."""
    return any(value == one if str in (type(value), type(one)) else math.isclose(value, one, rel_tol=1e-9) for one in others)


def keys_of(data: Frame, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the different values of some columns: text in natural order, dimensions rising, targets falling, None first."""
    return records(ordered(data[list(columns)].drop_duplicates(), columns)) if len(data) else []


def steps(data: Frame, x: str, y: Sequence[str], by: str = "algorithm") -> dict[Any, tuple[np.ndarray, ...]]:
    """Return break points, rising, and values of the step function of each algorithm (or value of `by`)."""
    data = data.iloc[np.argsort(data[x].to_numpy(), kind="stable")]
    return {key[by]: tuple(rows[column].to_numpy() for column in (x, *y)) for key, rows in groups(data, [by])}


def names(data: Frame) -> list[str]:
    """Return the different algorithms, as they first appear."""
    return [str(name) for name in data["algorithm"].unique()]


def only(data: Frame, column: str) -> list[Any]:
    """Return the different values of a column that are there, rising."""
    return sorted(data[column].dropna().unique().tolist())


def by_point(data: Frame) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the rows of a measure by target, budget and stratum."""
    return {tuple(point.values()): records(rows) for point, rows in groups(data, POINT)}


def best(values: Series, largest: bool = False) -> float:
    """Return the best finite value, or NaN; of shares, counts and areas (`largest`) 0 is none."""
    finite = values[values.abs() < float("inf")].astype(float)
    return float(finite[finite > 0].max() if largest else finite.min())


def target_title(group: Row, measures: Iterable[Measure]) -> str:
    """Return the title that a measure gives the target of a group, or `target 10⁻⁸`."""
    own = (measure.titles for measure in measures if group.get("measure", measure.name) == measure.name)
    titled = (titles[group["target"]] for titles in own if group["target"] in titles)
    return next(titled, f"target {display.target(group['target'])}")


def at(group: Row, *measures: Measure) -> str:
    """Name a group of rows in a sentence: `dimension 5, target 10⁻⁸`, or `all problems`."""
    return named(group, measures, {"stratum": "{}", "dimension": "dimension {}"}) or "all problems"


def heading(group: Row, *measures: Measure) -> str:
    """Name the rows of a panel: `f3, 5-D, target 10⁻⁸`; empty for all."""
    forms = {"group": "{}", "problem": "{}", "instance": "instance {}", "stratum": "{}", "dimension": "{}-D"}
    return named(group, measures, forms)


def named(group: Row, measures: Sequence[Measure], forms: Mapping[str, str]) -> str:
    """Name a group of rows by the keys that it has, in the order of their forms; target and budget are last."""
    parts = [form.format(group[key]) for key, form in forms.items() if group.get(key) is not None]
    if group.get("target") is not None:
        parts.append(target_title(group, measures))
    if group.get("at_budget") is not None:
        parts.append(f"budget {display.target(group['at_budget'])}")
    return ", ".join(parts)


#: By the key of a choice the column that it is in.
CHOSEN = {
    "dimensions": "dimension",
    "targets": "target",
    "budgets": "at_budget",
    "groups": "group",
    "problems": "problem",
    "algorithms": "algorithm",
}


def said(key: str, value: Any) -> str:
    """Write a value that is chosen."""
    return display.target(value) if key in ("targets", "budgets") else str(value)


def chosen_words(chosen: Mapping[str, Sequence[Any] | None]) -> str:
    """Return what was chosen of what there is, by its key: `targets 10⁻⁷ and 0.1; dimension 5`; empty where nothing was."""
    return "; ".join(
        f"{key if len(values) > 1 else key.removesuffix('s')} {display.listed([said(key, value) for value in values])}"
        for key, values in chosen.items()
        if values
    )


def n_missing(rows: Frame) -> int:
    """Count the trials that are missing behind rows, at all targets once."""
    return int(rows.drop_duplicates([*limits.INSTANCE, "algorithm"])["n_missing"].sum())
