"""Cells of a DataFrame that could mean several things are refused with the caller's column and row; all others are costs."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import benchmill as bm

#: What stands in place of a cost, and with which keyword it is none of two things any more.
AMBIGUOUS = {
    "nothing": (None, {"empty": "failure"}),
    "NaN": (math.nan, {"empty": "failure"}),
    "word": ("gave up", {"failed": "gave up"}),
}
#: Of letters that make no name of what is better when larger (acc), or which beside failures has no direction (y).
NAMES = st.text("abXZ _-.7", min_size=1, max_size=6).filter(lambda name: " ".join(name.split()) == name and name != ".")
#: Below 999, which may stand for no number.
COSTS = st.floats(1e-6, 998)


@st.composite
def tables(draw):
    """A long table with columns and row labels of any name."""
    column_names = draw(st.lists(NAMES, min_size=3, max_size=3, unique_by=str.lower))
    cells = [(a, p) for a in ("A", "B") for p in ("p1", "p2", "p3")]
    costs = draw(st.lists(COSTS, min_size=len(cells), max_size=len(cells)))
    labels = draw(st.lists(st.integers(-9, 99) | NAMES, min_size=len(cells), max_size=len(cells), unique=True))
    rows = [(a, p, cost) for (a, p), cost in zip(cells, costs, strict=True)]
    return pd.DataFrame(rows, columns=column_names, index=labels)


def named(frame):
    return dict(zip(("algorithm", "problem", "cost"), frame.columns, strict=True))


def of(frame, **more):
    costs = bm.costs(frame, **named(frame), **more).frame
    return {(str(a), str(p)): c for a, p, c in zip(costs["algorithm"], costs["problem"], costs["cost"], strict=True)}


def given_costs(frame):
    return {(a, p): c for a, p, c in frame.itertuples(index=False, name=None)}


@settings(max_examples=25, deadline=None)
@given(tables())
def test_numbers_are_costs_whatever_columns_and_rows_are_called(frame):
    before = frame.copy()
    assert of(frame) == given_costs(frame)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("kind", AMBIGUOUS)
@settings(max_examples=15, deadline=None)
@given(frame=tables(), place=st.integers(0, 5))
def test_an_ambiguous_cell_is_refused_with_its_column_and_row_until_it_is_said_what_it_is(kind, frame, place):
    cell, said = AMBIGUOUS[kind]
    column = frame.columns[2]
    spoilt = frame.astype({column: object})
    spoilt.iloc[place, 2] = cell
    with pytest.raises(bm.UserError) as told:
        of(spoilt)
    message = str(told.value)
    assert f"row {frame.index[place]!r} of the DataFrame" in message
    assert f"column {column!r}" in message
    assert "line" not in message
    found = of(spoilt, **said)
    expected = given_costs(frame)
    (failed,) = [key for key in found if found[key] != expected[key]]
    assert found[failed] == math.inf
    assert failed == tuple(frame.iloc[place, :2])


@settings(max_examples=15, deadline=None)
@given(frame=tables(), place=st.integers(0, 5), which=st.sampled_from([0, 1]))
def test_a_row_without_a_name_is_refused(frame, place, which):
    spoilt = frame.astype(object)
    spoilt.iloc[place, which] = None
    with pytest.raises(bm.UserError) as told:
        of(spoilt)
    assert f"row {frame.index[place]!r} of the DataFrame" in str(told.value)
    assert f"column {frame.columns[which]!r}" in str(told.value)


def test_an_algorithm_belongs_to_one_source(tmp_path):
    paths = [tmp_path / "one.csv", tmp_path / "other.csv"]
    paths[0].write_text("algorithm,problem,cost\nA,p1,1\nB,p1,2\n")
    paths[1].write_text("algorithm,problem,cost\nA,p1,3\nC,p1,2\n")
    with pytest.raises(bm.UserError, match=r"'one' and 'other' both hold the algorithm 'A', .* read\(\[\[one, other\]\]\)"):
        bm.read(paths)
    with pytest.raises(bm.UserError, match=r"no seed tells such runs apart .* repetitions=True"):
        bm.read([paths])
    pooled = bm.read([paths], repetitions=True)
    assert len(pooled.sources) == 1
    assert pooled.trials["run"].tolist() == [1, 1, 2, 1]
    apart = bm.read(paths[0]) + bm.read(paths[1], algorithm={"A": "A (2)"})
    assert bm.costs(apart).frame["algorithm"].tolist() == ["A", "B", "A (2)", "C"]
    paths[1].write_text("algorithm,problem,cost\n\u0410,p1,3\n")
    with pytest.raises(bm.UserError, match=r"'one' and 'other' hold 'A' and '\\u0410', which look alike, and an"):
        bm.read(paths)
    paths[1].write_text("algorithm,problem,cost\nD,p\u200b1,3\n")
    with pytest.raises(bm.UserError, match=r"the problems 'p1' and 'p\\u200b1' look alike"):
        bm.read(paths)
