"""The results of studies as files: what is where below `results/`, read back by path."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from benchmill.core import AnyPath, Given, UserError, Written, delete, schema, storage
from benchmill.text.display import Cell, Column, Section, Table

#: Bytes of a table that is read from many files, and copied into one piece.
_SMALL = 1 << 26


def read_report(path: AnyPath, what: str = "ingest report") -> Written:
    """Return an ingest report, or any mapping in JSON.

    Raises
    ------
    UserError
        The file is damaged.
    """
    reason = ""
    try:
        if isinstance(report := json.loads(Path(path).read_text("utf-8")), dict):
            return report
    except ValueError as error:
        reason = f" ({error})"
    raise UserError(f"{path}: found no {what}{reason}, expected a mapping in JSON; {delete(path)}.")


def read_pens(path: AnyPath) -> dict[str, dict[str, int]]:
    """Return by study the place of each algorithm; empty where there is no file yet.

    Raises
    ------
    UserError
        It is no such record, two algorithms of a study have one place, or a record has its former name.
    """
    try:
        record = yaml.safe_load(Path(path).read_text("utf-8")) or {}
    except FileNotFoundError:
        if (former := Path(path).with_name("looks.yaml")).exists():
            raise UserError(f"{former}: the record of pens is called {Path(path).name} now; rename this file to it.") from None
        return {}
    except (ValueError, yaml.YAMLError):
        record = None
    if not isinstance(record, dict) or not all(
        isinstance(own, dict)
        and all(isinstance(place, int) and place >= 0 for place in own.values())
        and len(set(own.values())) == len(own)
        for own in record.values()
    ):
        raise UserError(
            f"{path}: found no record of pens, expected for each study a different number for each algorithm; correct the "
            "file, or delete it to have pens assigned afresh."
        )
    return {str(study): {str(name): place for name, place in own.items()} for study, own in record.items()}


def pens_text(record: Mapping[str, Mapping[str, int]]) -> str:
    """Return the record of pens as a file, by place."""
    ordered = {study: dict(sorted(own.items(), key=lambda item: item[1])) for study, own in record.items()}
    return (
        "# The place of each algorithm, which makes its colour, line and marker. New ones are added, nothing else changes.\n"
        "# The line of a name that is gone for good, such as a misspelt one, can be deleted.\n"
        "# Keep this file with the configuration: without it pens are assigned afresh, in order of name.\n"
        f"{yaml.safe_dump(ordered, sort_keys=False, allow_unicode=True)}"
    )


def exhibits_text(exhibits: Given) -> str:
    """Return exhibits (`benchmill.workflow.pages.exhibits`) as JSON."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        return [*vars(value).values()] if isinstance(value, Cell) else vars(value)

    return json.dumps(exhibits, default=plain, separators=(",", ":")) + "\n"


def _exhibits(path: Path) -> Written:
    report = read_report(path, "exhibits")
    return {
        **report,
        "tables": [
            Table(
                **{
                    **table,
                    "columns": tuple(Column(**column) for column in table["columns"]),
                    "sections": tuple(
                        Section(one["heading"], tuple(tuple(Cell(*cell) for cell in row) for row in one["rows"]))
                        for one in table["sections"]
                    ),
                }
            )
            for table in report["tables"]
        ],
    }


def _statements(path: Path) -> pa.Table:
    """Return `verdicts` without the sentences about pairs, which no exhibit shows: of millions of pairs they take a gigabyte."""
    pieces = []
    for piece in storage.pieces(path, "verdicts"):
        pieces.append(schema.replaced(piece, text=pc.if_else(pc.is_null(piece["algorithm_a"]), piece["text"], "")))
    return schema.concatenate(pieces) if pieces else storage.read(path, "verdicts")


def load(paths: Iterable[AnyPath], only: Mapping[str, Sequence[str] | None] | None = None) -> dict[str, Written]:
    """Read results back, by study.

    Raises
    ------
    UserError
        A table cannot be read (see `benchmill.core.storage.read`).
    """
    studies: dict[str, Written] = {}
    tables: dict[tuple[str, str, str], list[Any]] = {}
    for path in map(Path, paths):
        parts = storage.below_results(path)
        study = studies.setdefault(parts[0], {})
        match parts[1]:
            case _ if path.suffix == ".parquet":
                name = parts[1].removesuffix(".parquet")
                columns = only.get(name, []) if only is not None else None
                content = _statements(path) if name == "verdicts" and columns is None else storage.read(path, name, columns)
                study.setdefault("origins", {})["/".join(parts[1:])] = storage.origin_of(path)
                if columns != []:
                    measure = parts[2] if len(parts) == 4 and "measure" not in content.column_names else ""
                    tables.setdefault((parts[0], name, measure), []).append(content)
            case "ingest":
                study.setdefault("ingest", []).append(read_report(path))
            case "config.yaml":
                study["config"] = yaml.safe_load(path.read_text("utf-8"))["studies"][parts[0]]
            case "exhibits.json":
                study["exhibits"] = _exhibits(path)
            case "evidence.json":
                study["evidence"] = read_report(path, "evidence")
            case _ if path.suffix in (".txt", ".svg"):
                kind = "captions" if path.suffix == ".txt" else "svg"
                study.setdefault(kind, {})[path.stem] = path.read_text("utf-8").rstrip("\n")
            case _:
                raise ValueError(f"{path} is no result that can be read back")
    for (name, table, measure), pieces in tables.items():
        tables_of_study = studies[name].setdefault(table, {}) if measure else studies[name]
        whole = schema.concatenate(pieces)
        # of hundreds of profiles each table asks for the rows of one
        tables_of_study[measure or table] = whole.combine_chunks() if whole.nbytes < _SMALL else whole
    return studies
