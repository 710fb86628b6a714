"""Tables are checked when written and when read, and appear complete or not at all."""

import hashlib
import itertools
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmill.core import UserError, schema, storage

ECDF = {"aggregation": ["target"] * 2, "algorithm": ["a", "b"], "x": [1.0, 2.0], "fraction": [0.5, 1.0]}


def test_a_table_comes_back_as_it_was_written(tmp_path):
    table = schema.table("ecdf", ECDF)
    storage.write(table, "ecdf", tmp_path / "t.parquet", storage.made_from([], {"x": "evaluations"}))
    assert storage.read(tmp_path / "t.parquet", "ecdf").equals(table)
    assert storage.origin_of(tmp_path / "t.parquet")["settings"] == {"x": "evaluations"}


def test_one_value_stands_for_all_rows():
    table = schema.table("ecdf", {**ECDF, "aggregation": "target", "dimension": 2, "group": None})
    assert table.equals(schema.table("ecdf", {**ECDF, "dimension": [2, 2]}))
    assert schema.replaced(table, x=3).column("x").to_pylist() == [3.0, 3.0]
    assert schema.table("ecdf", {**{key: [] for key in ECDF}, "aggregation": "target"}).num_rows == 0


def test_inputs_of_one_name_are_recorded_each(tmp_path):
    paths = [tmp_path / folder / "logs.csv" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text(str(path.parent.name))
    noted = storage.made_from([*paths, str(paths[0])], {})["inputs"]
    assert noted == {"logs.csv": storage.digest(paths[0]), "2/logs.csv": storage.digest(paths[1])}


def test_every_column_says_what_it_means():
    for columns in schema.TABLES.values():
        assert all(field.metadata[b"meaning"] for field in columns)


def test_columns_out_of_the_schema_are_refused():
    with pytest.raises(ValueError, match="no columns"):
        schema.table("ecdf", {**ECDF, "colour": ["red", "red"]})
    with pytest.raises(ValueError, match="needs a column 'fraction'"):
        schema.table("ecdf", {key: value for key, value in ECDF.items() if key != "fraction"})


def test_a_table_of_nothing_says_what_it_needs():
    with pytest.raises(ValueError, match="needs a column 'problem'"):
        schema.table("trials", {})


def test_no_table_has_a_column_twice():
    for name, columns in schema.TABLES.items():
        names = schema.check(columns.empty_table(), name).column_names
        assert len(set(names)) == len(names), name


def test_quantiles_are_those_of_the_definition():
    """2, 5, 10, 25, 50, 75, 90, 95, 98 %: docs/indicators.md."""
    names = schema.check(schema.TABLES["indicators"].empty_table(), "indicators").column_names
    quantiles = [name for name in names if name[0] == "q" and name[1:].isdigit()]
    assert quantiles == ["q02", "q05", "q10", "q25", "q50", "q75", "q90", "q95", "q98"]


def test_an_empty_value_where_none_is_allowed_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"'x' of the table 'ecdf' has 1 empty"):
        schema.table("ecdf", {**ECDF, "x": [1.0, None]})


def test_another_table_is_refused_by_name(tmp_path):
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "t.parquet")
    with pytest.raises(UserError, match=r"t\.parquet: the table 'ecdf' has the columns \['x'\]"):
        storage.read(tmp_path / "t.parquet", "ecdf", columns=["x"])


def other_types(columns):
    """A table of the right names, in which these columns are texts of another kind."""
    table = schema.table("ecdf", ECDF)
    for name in columns:
        values = pa.array(map(str, table.column(name).to_pylist()), pa.large_string())
        table = table.set_column(table.column_names.index(name), name, values)
    return table


@pytest.mark.parametrize("columns", [["x"], schema.TABLES["ecdf"].names])
def test_columns_of_another_type_are_refused_whatever_is_read(tmp_path, columns):
    pq.write_table(other_types(columns), tmp_path / "t.parquet")
    first = re.escape(repr(columns[0]))
    for reading in (
        lambda path: storage.read(path, "ecdf", columns=["algorithm"]),
        lambda path: storage.read(path, "ecdf"),
        lambda path: storage.rows(path, "ecdf"),
        lambda path: next(storage.pieces(path, "ecdf")),
    ):
        with pytest.raises(UserError, match=rf"t\.parquet: column {first} of the table 'ecdf' is of type large_string"):
            reading(tmp_path / "t.parquet")


@pytest.mark.parametrize("reading", [storage.read, storage.rows, lambda path, name: next(storage.pieces(path, name))])
def test_a_file_that_is_not_there_is_named(tmp_path, reading):
    with pytest.raises(UserError, match=r"none\.parquet: there is no such file; `snakemake --cores all` makes it"):
        reading(tmp_path / "none.parquet", "ecdf")


def test_pieces_are_checked_when_they_are_written(tmp_path):
    table = schema.table("ecdf", ECDF)
    empty = table.set_column(table.column_names.index("x"), schema.TABLES["ecdf"].field("x"), [pa.array([1.0, None])])

    def written(piece):
        with storage.writer("ecdf", tmp_path / "t.parquet") as append:
            append(piece)

    for piece, told in ((empty, "has 1 empty"), (other_types(["x"]).slice(0, 0), "is of type large_string")):
        with pytest.raises(UserError, match=told):
            written(piece)
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_short_is_refused_at_every_length(tmp_path):
    path = tmp_path / "t.parquet"
    storage.write(schema.table("ecdf", ECDF), "ecdf", path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(UserError, match="cannot be read as a Parquet table"):
            storage.read(path, "ecdf")


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    def interrupted():
        with storage.writer("ecdf", tmp_path / "t.parquet") as append:
            append(schema.table("ecdf", ECDF))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_pieces_with_different_names_are_one_table(tmp_path):
    with storage.writer("ecdf", tmp_path / "t.parquet") as append:
        append(schema.table("ecdf", ECDF))
        append(schema.table("ecdf", {**ECDF, "algorithm": ["c", "a"]}))
    assert storage.read(tmp_path / "t.parquet", "ecdf").column("algorithm").to_pylist() == ["a", "b", "c", "a"]
    assert sum(piece.num_rows for piece in storage.pieces(tmp_path / "t.parquet", "ecdf")) == 4


def test_tables_one_below_the_other_are_one_file(tmp_path, monkeypatch):
    pieces = [schema.table("ecdf", {**ECDF, "algorithm": [name, name]}) for name in "abc"]
    whole = schema.concatenate(pieces)
    storage.write(whole.combine_chunks(), "ecdf", tmp_path / "whole.parquet")
    storage.write(iter(pieces), "ecdf", tmp_path / "pieces.parquet")
    assert (tmp_path / "pieces.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    # more than a group of rows
    monkeypatch.setattr(storage, "_GROUP", 5)
    storage.write(iter(pieces), "ecdf", tmp_path / "groups.parquet")
    assert pq.ParquetFile(tmp_path / "groups.parquet").num_row_groups == 2
    assert storage.read(tmp_path / "groups.parquet", "ecdf").to_pylist() == whole.to_pylist()


def test_the_digest_of_a_folder_sees_names_and_contents(tmp_path):
    (tmp_path / "a").write_text("1")
    first = storage.digest(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    second = storage.digest(tmp_path)
    (tmp_path / "b").write_text("2")
    assert len({first, second, storage.digest(tmp_path)}) == 3


def test_the_digest_of_a_folder_does_not_depend_on_the_order_in_which_it_is_listed(tmp_path, monkeypatch):
    for name in ("b/x", "a/y", "c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    expected = storage.digest(tmp_path)
    listed = list(storage._below(str(tmp_path)))
    for order in itertools.permutations(listed):
        monkeypatch.setattr(storage, "_below", lambda _, order=order: iter(order))
        assert storage.digest(tmp_path) == expected


def test_links_to_folders_are_not_followed(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x").write_text("1")
    before = storage.digest(tmp_path)
    (tmp_path / "a/around").symlink_to(tmp_path)
    assert list(storage.files_below(tmp_path)) == [str(tmp_path / "a/x")]
    assert storage.digest(tmp_path) == before


def test_a_large_file_has_the_digest_of_its_bytes(tmp_path):
    content = bytes(range(256)) * (2**14 + 1)
    (tmp_path / "large").write_bytes(content)
    expected = hashlib.sha256(f"large\0{hashlib.sha256(content).hexdigest()}\n".encode()).hexdigest()
    assert storage.digest(tmp_path) == expected


def test_tables_are_packed(tmp_path):
    storage.write(schema.table("ecdf", ECDF), "ecdf", tmp_path / "t.parquet")
    group = pq.ParquetFile(tmp_path / "t.parquet").metadata.row_group(0)
    assert {group.column(i).compression for i in range(group.num_columns)} == {"ZSTD"}
