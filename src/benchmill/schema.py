"""The tables that the stages exchange: one Arrow schema a table, with unit and meaning of every column.

Every table is long ("tidy"): one row per observation, keys first. A table is checked against its
schema whenever it is written and whenever it is read, so a file with a wrong or missing column never
travels on. Each file carries what it was made from (see `made_from`) in its Parquet metadata.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmill import __version__
from benchmill.errors import UserError

TEXT = pa.dictionary(pa.int32(), pa.string())

#: The four ways a trial can end. `missing` trials have no row in `trials`; they are listed and
#: counted in the ingest report and counted in `indicators`.
STATUSES = ("solved", "failed", "ill_finalised", "missing")

METADATA_KEY = b"benchmill"


def _field(name: str, kind: pa.DataType, meaning: str, unit: str = "", nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable, metadata={"meaning": meaning, "unit": unit})


def _optional(name: str, kind: pa.DataType, meaning: str, unit: str = "") -> pa.Field:
    return _field(name, kind, meaning, unit, nullable=True)


_SUITE = _optional("suite", TEXT, "collection the problem belongs to, as the log names it")
_PROBLEM = _field("problem", TEXT, "function or model that is optimised")
_DIMENSION = _optional("dimension", pa.int32(), "number of variables", "variables")
_INSTANCE = _optional("instance", TEXT, "variant of the problem (shift, rotation, random data)")
_ALGORITHM = _field("algorithm", TEXT, "solver together with its settings")
_RUN = _field("run", pa.int32(), "number of the repetition on the same instance, from 1")
_TRIAL = _field("trial", pa.int32(), "row number of the trial in `trials` of the same source, from 0")
_TARGET = _optional("target", pa.float64(), "value to reach (fixed target)", "objective value")
_AT_BUDGET = _optional(
    "at_budget", pa.float64(), "budget at which the value is read (fixed budget)", "evaluations or evaluations/dimension"
)
_MEASURE = _field("measure", TEXT, "measure of the study, as named in its configuration")
_VARIANT = _field("variant", TEXT, "profile variant, as named in the study's configuration")

_TRIAL_KEYS = [_SUITE, _PROBLEM, _DIMENSION, _INSTANCE, _ALGORITHM, _RUN, _TRIAL]
_PROBLEM_KEYS = [_SUITE, _PROBLEM, _DIMENSION, _INSTANCE]

_QUANTILES = (2, 5, 10, 25, 50, 75, 90, 95, 98)

TABLES: dict[str, pa.Schema] = {
    "trials": pa.schema(
        [
            *_TRIAL_KEYS,
            _optional("budget", pa.int64(), "evaluations spent", "evaluations"),
            _optional("best_value", pa.float64(), "best value at the end, on the scale of `value_kind`", "objective value"),
            _optional("violation", pa.float64(), "constraint violation of the best point", "constraint value"),
            _optional("optimum", pa.float64(), "objective value at the known optimum, where the log states it"),
            _field("value_kind", TEXT, "`difference`: values are distances to the optimum; `absolute`: as measured"),
            _field("maximise", pa.bool_(), "whether larger values are better"),
            _optional("runtime_s", pa.float64(), "wall time of the trial", "s"),
            _optional("cost", pa.float64(), "cost stated by the source (mean cost where `n` > 1); inf = failure"),
            _optional("cost_sd", pa.float64(), "standard deviation of the stated cost over the `n` runs"),
            _field("n", pa.int32(), "runs this row stands for: 1, or more for a published summary"),
            _field("status", TEXT, "`solved`, `failed` (with its budget) or `ill_finalised`"),
            _optional("seed", pa.int64(), "seed of the trial, where the log states it"),
            _field("source", pa.string(), "file and line the trial was read from"),
        ]
    ),
    "traces": pa.schema(
        [
            *_TRIAL_KEYS,
            _field("evaluations", pa.int64(), "evaluations when the improvement was recorded", "evaluations"),
            _field("value", pa.float64(), "best value so far, on the scale of the trial's `value_kind`", "objective value"),
            _field("on_target", pa.bool_(), "recorded because a value was reached; false: because a number of evaluations was"),
            _optional("violation", pa.float64(), "constraint violation of the best point so far"),
        ]
    ),
    "costs": pa.schema(
        [
            *_TRIAL_KEYS,
            _MEASURE,
            _TARGET,
            _AT_BUDGET,
            _field("cost", pa.float64(), "cost of the trial; inf = failure", "evaluations, objective value, or as stated"),
            _optional("budget", pa.float64(), "what the trial spent, on the scale of `cost` for a fixed target", "evaluations"),
            _field("success", pa.bool_(), "whether the cost is finite"),
            _optional("feasible", pa.bool_(), "whether the trial ended at a feasible point; null = unconstrained"),
            _optional("cost_sd", pa.float64(), "standard deviation of the cost over the `n` runs of a summary"),
            _field("n", pa.int32(), "runs this row stands for"),
        ]
    ),
    "ratios": pa.schema(
        [
            _MEASURE,
            *_PROBLEM_KEYS,
            _TARGET,
            _AT_BUDGET,
            _ALGORITHM,
            _field("cost", pa.float64(), "cost of the algorithm on the problem over its trials; inf = failure"),
            _field("ratio", pa.float64(), "`cost` divided by `baseline`; inf = failure"),
            _field("baseline", pa.float64(), "smallest cost of any algorithm on the problem; inf = solved by none"),
            _field("n_trials", pa.int32(), "trials behind `cost`"),
            _field("n_successes", pa.int32(), "successful trials among them"),
            _field("included", pa.bool_(), "false where the problem is left out of the profiles (see the settings)"),
        ]
    ),
    "profiles": pa.schema(
        [
            _MEASURE,
            _VARIANT,
            _DIMENSION,
            _TARGET,
            _ALGORITHM,
            _field("tau", pa.float64(), "performance ratio at which the profile changes"),
            _field("rho", pa.float64(), "weighted share of problems with ratio <= tau (right-continuous)"),
            _optional("rho_low", pa.float64(), "lower end of the band"),
            _optional("rho_high", pa.float64(), "upper end of the band"),
        ]
    ),
    "profile_measures": pa.schema(
        [
            _MEASURE,
            _VARIANT,
            _DIMENSION,
            _TARGET,
            _ALGORITHM,
            _field("auc", pa.float64(), "area under the profile over [1, tau_max], failures add nothing"),
            _field("auc_normalised", pa.float64(), "`auc` divided by the largest `auc`"),
            _field("tau_max", pa.float64(), "right end of the profile: largest finite ratio unless the study sets it"),
            _field("reliability", pa.float64(), "R_s: largest ratio of the algorithm; inf with any failure"),
            _field("tau_star", pa.float64(), "smallest tau with rho = 1; inf if never"),
            _field("tau_min_over_tau_star", pa.float64(), "smallest tau_star of any algorithm / own; 0 if never 1"),
            _field("rho_1", pa.float64(), "rho(1): share of problems on which the algorithm is (tied) best"),
            _field("rho_tau_max", pa.float64(), "rho(tau_max): share of problems solved within tau_max"),
            _field("wins", pa.int32(), "number of problems on which the algorithm is (tied) best"),
            _field("n_problems", pa.int32(), "problems in the profile"),
            _field("n_unsolved", pa.int32(), "problems in the profile that no algorithm solved"),
            _field("rank_auc", pa.int32(), "rank by `auc`; ties share the smallest rank"),
            _field("rank_rho_1", pa.int32(), "rank by `rho_1`"),
            _field("rank_rho_tau_max", pa.int32(), "rank by `rho_tau_max`"),
            _field("rank_tau_star", pa.int32(), "rank by `tau_star`"),
        ]
    ),
    "indicators": pa.schema(
        [
            _MEASURE,
            *_PROBLEM_KEYS,
            _TARGET,
            _AT_BUDGET,
            _ALGORITHM,
            _optional("ert", pa.float64(), "expected running time; inf without success; null for a fixed budget", "evaluations"),
            _field("success_rate", pa.float64(), "share of trials with a finite cost"),
            _optional("success_performance", pa.float64(), "mean of the successes / success rate", "evaluations"),
            _field("mean", pa.float64(), "mean cost; a failure counts with its own budget", "as `cost`"),
            _field("median", pa.float64(), "median cost; a failure counts with its own budget", "as `cost`"),
            _optional("sd", pa.float64(), "standard deviation (n - 1) of the same; null for one trial", "as `cost`"),
            *[_field(f"q{q:02d}", pa.float64(), f"{q} % quantile (type 7) of the same", "as `cost`") for q in _QUANTILES],
            _optional("mean_successful", pa.float64(), "mean cost of the successful trials", "as `cost`"),
            _field("n_trials", pa.int32(), "trials found"),
            _field("n_successes", pa.int32(), "trials with a finite cost"),
            _field("n_instances", pa.int32(), "different instances among the trials"),
            _field("n_missing", pa.int32(), "trials that the source's own design expects and that are absent"),
            _field("n_ill_finalised", pa.int32(), "trials whose log does not state how they ended"),
        ]
    ),
    "ecdf": pa.schema(
        [
            _field("aggregation", TEXT, "what the curve is averaged over"),
            _SUITE,
            _optional("problem", TEXT, "problem of the curve; null where it is averaged over"),
            _DIMENSION,
            _ALGORITHM,
            _field("x", pa.float64(), "running time at which the curve steps up", "evaluations/dimension or evaluations"),
            _field("fraction", pa.float64(), "share of (problem, target) pairs solved at or before x (right-continuous)"),
        ]
    ),
    "ranks": pa.schema(
        [
            _MEASURE,
            _TARGET,
            _AT_BUDGET,
            _ALGORITHM,
            _field("average_rank", pa.float64(), "mean over the blocks of the midrank of the cost; 1 = best"),
            _field("n_blocks", pa.int32(), "blocks (problems) ranked"),
        ]
    ),
    "tests": pa.schema(
        [
            _MEASURE,
            _TARGET,
            _AT_BUDGET,
            _field("method", TEXT, "name of the test"),
            _optional("statistic", pa.float64(), "value of the test statistic; null where it is undefined"),
            _field("df1", pa.float64(), "first degrees of freedom"),
            _optional("df2", pa.float64(), "second degrees of freedom, where the distribution has them"),
            _optional("p", pa.float64(), "p value"),
            _field("alpha", pa.float64(), "level at which `significant` was decided"),
            _field("significant", pa.bool_(), "whether p <= alpha"),
            _field("n_blocks", pa.int32(), "blocks (problems) in the test"),
            _field("n_treatments", pa.int32(), "treatments (algorithms) in the test"),
            _field("n_left_out", pa.int32(), "problems left out because an algorithm has no trial on them"),
            _field("n_all_tied", pa.int32(), "blocks in which every algorithm has the same cost"),
        ]
    ),
    "comparisons": pa.schema(
        [
            _MEASURE,
            _TARGET,
            _AT_BUDGET,
            _field("method", TEXT, "name of the comparison"),
            _field("correction", TEXT, "correction of p for the number of pairs"),
            _field("algorithm_a", TEXT, "first algorithm of the pair"),
            _field("algorithm_b", TEXT, "second algorithm of the pair"),
            _field("difference", pa.float64(), "average rank of a minus average rank of b; negative = a is better"),
            _optional("statistic", pa.float64(), "value of the test statistic"),
            _field("df", pa.float64(), "degrees of freedom"),
            _optional("p", pa.float64(), "p value of this pair alone"),
            _optional("p_adjusted", pa.float64(), "p value after the correction"),
            _optional("msd", pa.float64(), "minimum significant difference of average ranks at family level alpha"),
            _field("alpha", pa.float64(), "family-wise level"),
            _field("significant", pa.bool_(), "whether p_adjusted <= alpha"),
        ]
    ),
}


def table(name: str, columns: Mapping[str, Any]) -> pa.Table:
    """Build a table of the named schema from columns.

    Parameters
    ----------
    name : str
        Key of `TABLES`.
    columns : mapping of str to array-like
        Equal lengths; NumPy arrays, lists or Arrow arrays. Columns of the schema that may be null
        can be left out; unknown columns are an error.

    Returns
    -------
    pyarrow.Table
        Columns in the order and types of the schema. NaN stays NaN; use None for null.
    """
    schema = TABLES[name]
    unknown = set(columns) - set(schema.names)
    if unknown:
        raise ValueError(f"table {name!r} has no columns {sorted(unknown)}; it has {schema.names}")
    length = len(next(iter(columns.values()))) if columns else 0
    arrays = []
    for field in schema:
        if field.name in columns:
            arrays.append(_as_array(columns[field.name], field))
        elif field.nullable:
            arrays.append(pa.nulls(length, field.type))
        else:
            raise ValueError(f"table {name!r} needs a column {field.name!r}")
    return check(pa.Table.from_arrays(arrays, schema=schema), name)


def _as_array(values: Any, field: pa.Field) -> pa.Array | pa.ChunkedArray:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values if values.type == field.type else values.cast(field.type)
    if field.type == TEXT:
        return pa.array(values, pa.string()).dictionary_encode().cast(TEXT)
    return pa.array(values, field.type, from_pandas=False)


def check(data: pa.Table, name: str, where: str = "") -> pa.Table:
    """Return `data` if it has exactly the columns, types and nulls of the named schema, else raise.

    Raises
    ------
    UserError
        Names the file (`where`), the column, what was found and what was expected.
    """
    schema = TABLES[name]
    at = f"{where}: " if where else ""
    if data.column_names != schema.names:
        raise UserError(
            f"{at}the table {name!r} has the columns {data.column_names}, expected {schema.names}; "
            "delete the file and make it again."
        )
    for field in schema:
        column = data.column(field.name)
        if column.type != field.type:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} is of type {column.type}, expected {field.type}; "
                "delete the file and make it again."
            )
        if not field.nullable and column.null_count:
            raise UserError(
                f"{at}column {field.name!r} of the table {name!r} has {column.null_count} empty values; none is allowed."
            )
    return data


def made_from(inputs: Iterable[str | Path], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Describe what a file is made from: the digest of every input, the settings, the version.

    Parameters
    ----------
    inputs : iterable of paths
        Files (a folder counts with all files below it). A path is recorded from below `results/`, any
        other by its last part, so that the record does not depend on where the work is done.
    settings : mapping
        Must survive JSON.
    """
    digests = {}
    for path in inputs:
        parts = Path(path).parts
        below = parts[len(parts) - parts[::-1].index("results") :] if "results" in parts else parts[-1:]
        digests["/".join(below)] = digest(path)
    return {"version": __version__, "inputs": dict(sorted(digests.items())), "settings": dict(settings)}


def digest(path: str | Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files below a folder, as hex."""
    path = Path(path)
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    total = hashlib.sha256()
    root = str(path)
    for parts in sorted(_below(root, ())):
        with open(os.path.join(root, *parts), "rb", buffering=0) as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{'/'.join(parts)}\0{content}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _below(folder: str, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The files below a folder, as the parts of their paths; links to folders are not followed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, (*above, entry.name))
            elif entry.is_file():
                yield (*above, entry.name)


def write(data: pa.Table, name: str, path: str | Path, origin: Mapping[str, Any] | None = None) -> None:
    """Check a table and write it as Parquet; the file appears complete or not at all.

    Parameters
    ----------
    data : pyarrow.Table
        Of the schema `TABLES[name]`.
    origin : mapping, optional
        From `made_from`; stored as JSON under the metadata key `benchmill`.
    """
    with Writer(name, path, origin) as writer:
        writer.write(data)


class Writer:
    """Write one table piece by piece; the file appears at the end, complete or not at all.

    A context manager. When the block ends with an exception nothing is left behind.
    """

    def __init__(self, name: str, path: str | Path, origin: Mapping[str, Any] | None = None) -> None:
        self._name = name
        self._path = Path(path)
        self._part = self._path.with_name(self._path.name + ".part")
        note = json.dumps({"table": name, **(origin or {})}, sort_keys=True, ensure_ascii=False)
        self._schema = TABLES[name].with_metadata({METADATA_KEY: note.encode()})
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = pq.ParquetWriter(self._part, self._schema, compression="zstd")

    def write(self, data: pa.Table) -> None:
        """Append rows; an empty table adds nothing but is checked."""
        check(data, self._name)
        if data.num_rows:
            self._writer.write_table(data.replace_schema_metadata(self._schema.metadata).unify_dictionaries())

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._writer.close()
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink(missing_ok=True)


def read(path: str | Path, name: str, columns: list[str] | None = None) -> pa.Table:
    """Read a table and check it.

    Parameters
    ----------
    columns : list of str, optional
        Only these columns, in this order.

    Raises
    ------
    UserError
        The file is not Parquet, is cut short, or is not a table of this schema.
    """
    schema = TABLES[name]
    try:
        file = pq.ParquetFile(path)
        stored = file.schema_arrow
        if stored.names != schema.names or any(stored.field(f.name).type != f.type for f in schema):
            check(file.read(), name, str(path))
        data = file.read(columns=columns)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise UserError(f"{path}: there is no such file; make it with Snakemake.") from None
        raise UserError(f"{path}: cannot be read as a Parquet table ({error}); delete the file and make it again.") from None
    return check(data, name, str(path)) if columns is None else data.select(columns)


def pieces(path: str | Path, name: str) -> Iterator[pa.Table]:
    """Read a table piece by piece, in order, so that memory does not grow with the file.

    Raises
    ------
    UserError
        As `read`.
    """
    read(path, name, columns=[])
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        yield check(file.read_row_group(group), name, str(path))


def origin_of(path: str | Path) -> dict[str, Any]:
    """What a file was made from, as stored by `write`; empty if it has no such note."""
    note = (pq.read_schema(path).metadata or {}).get(METADATA_KEY)
    return json.loads(note) if note else {}


def concatenate(tables: Iterable[pa.Table]) -> pa.Table:
    """Put tables of one schema one below the other, with one dictionary a text column."""
    return pa.concat_tables(list(tables)).unify_dictionaries()
