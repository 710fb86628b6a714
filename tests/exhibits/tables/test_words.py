"""What tables say in few words, and how they stand in a terminal."""

import pyarrow as pa

from benchmill.competition import exhibits
from benchmill.exhibits.tables import forms, indicators, sources, statistics
from benchmill.exhibits.tables.fields import Results
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.settings import Settings


def _inventory(*algorithms):
    known = {
        "source": "data",
        "format": "table",
        "dimensions": [2],
        "sha256": "0" * 64,
        "problems": ["p"],
        "trials": {"found": 1},
    }
    return sources.inventory(Results({"ingest": [{**known, "algorithms": list(algorithms)}]}, Settings()))


def test_of_three_algorithms_the_inventory_names_one():
    found = [_inventory(*names).sections[0].rows[0][0].text for names in ("A", "AB", "ABC")]
    assert found == ["A", "A and B", "A and 2 more"]


def test_names_that_are_cut_stand_in_full_below_the_inventory():
    long = [f"CMA-ES_pop={pop}_sigma=0.3_restarts=2" for pop in (10, 20)]
    said = "; ".join(f"CMA-ES_pop={pop}_sigma=0.3… is {name}" for pop, name in zip((10, 20), long, strict=True))
    assert _inventory("BFGS", *long).caption.endswith(f"digest of the raw data. Names in full: {said}.")
    assert _inventory("BFGS").caption.endswith("digest of the raw data.")


def test_of_more_than_three_that_share_a_place_one_is_counted():
    rows = [{"algorithm": name} for name in "ABCD"]
    assert statistics._named(rows, {name: name.lower() for name in "ABCD"}) == "a, b, c and 1 more"
    assert statistics._named(rows[:3], {name: name for name in "ABC"}) == "A, B and C"


def test_settings_of_a_list_are_counted_from_1():
    assert list(sources._flat({"k": [{"a": True}, [1, None]]}, "")) == [("k[1].a", "yes"), ("k[2]", "1, –")]


def test_of_a_panel_the_largest_shares_are_marked_and_the_largest_area_is_first():
    curves = {"A": (0.5, 0.25, 0.75), "B": (0.25, 0.5, 0.75)}
    fixed = {"suite": "s", "group": None, "problem": None, "target": None, "aggregation": "dimension", "n_trials": 15}
    fixed |= {"n_missing": 0, "x_from": 1.0, "x_to": 100.0, "x_unit": "evaluations"}
    rows = [
        fixed | {"dimension": dimension, "algorithm": name} | dict(zip(("solved", "area_log", "area"), values, strict=True))
        for dimension in (2, 5)
        for name, values in curves.items()
    ]
    table = indicators.areas(Results({"ecdf_curves": pa.Table.from_pylist(rows)}, Settings()))
    assert [section.heading for section in table.sections] == ["s, dimension 2", "s, dimension 5"]
    for section in table.sections:
        assert [row[0].text for row in section.rows] == ["B", "A"]
        assert [[cell.best for cell in row[1:4]] for row in section.rows] == [[False, True, True], [True, False, True]]


def test_a_terminal_shows_sections_with_their_headings_and_counts_what_it_leaves_out():
    rows = (Cell("a"), Cell("1", 1, best=True)), (Cell("bb"), Cell("10", 10))
    table = Table("t", "Title", "", (Column("name", "l"), Column("n")), (Section("One", rows), Section("", rows)))
    assert forms.terminal(table, 3).splitlines() == [
        *("Title", "", "One", "name   n", "a     1*", "bb    10", "", "name   n", "a     1*", "", "... and 1 more row")
    ]


def test_the_last_event_of_a_ledger_is_first_and_the_first_place_of_a_standing_is_marked():
    events = [{"state": number, "date": f"2026-01-0{number}"} for number in (1, 2)]
    (section,) = exhibits.ledger(events, ["first", "second"]).sections
    assert [[cell.text for cell in row] for row in section.rows] == [["2", "2026-01-02", "second"], ["1", "2026-01-01", "first"]]
    places = [{"name": name, "place": place, "values": {"auc": 0.5}} for name, place in (("A", 1), ("B", 2))]
    (section,) = exhibits.standing(places, {"A": "a.html", "B": "b.html"}).sections
    assert [(row[0].text, row[0].best, row[1].text) for row in section.rows] == [("A", True, "1"), ("B", False, "2")]
