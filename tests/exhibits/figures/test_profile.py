"""The curves of a profile figure are the table's steps, and its caption says what was done."""

import itertools

import numpy as np
import pytest

from benchmill.core import UserError, schema
from benchmill.exhibits.figures import curves, draw, scales
from benchmill.exhibits.figures.style import save
from benchmill.text import frames
from benchmill.text.variants import Profile
from tests.page import synthetic

MEASURE = {"name": "ert", "kind": "fixed_target", "targets": [10.0, 1e-3, 1e-7], "aggregate": "ert", "missing": "common"}
WHOLE = {"measure": MEASURE, "profile": {"name": "dolan_more", "variant": "dolan_more", "by": [], "unsolved": "keep"}}
BY_DIMENSION = {"measure": MEASURE, "profile": {"name": "dolan_more_by_dimension", "by": ["dimension"], "unsolved": "drop"}}


@pytest.fixture(scope="module")
def tables():
    return {**synthetic.tables(n_problems=8), "ingest": synthetic.reports()}


def drawn_curves(axes):
    return [line for line in axes.get_lines() if str(line.get_gid()).startswith("curve")]


def rows(tables, **where):
    return [r for r in tables["profiles"].to_pylist() if all(r[k] == v for k, v in where.items())]


def test_curves_are_the_steps_of_the_table(tables):
    figure, _ = draw("profile", tables, WHOLE)
    (axes,) = figure.axes
    drawn = {line.get_label(): line for line in drawn_curves(axes)}
    assert set(drawn) == set(synthetic.ALGORITHMS)
    for name, line in drawn.items():
        mine = rows(tables, variant="dolan_more", algorithm=name)
        np.testing.assert_array_equal(line.get_xdata(), [r["tau"] for r in mine])
        np.testing.assert_array_equal(line.get_ydata(), [r["rho"] for r in mine])
        assert line.get_drawstyle() == "steps-post"


def test_curves_end_at_tau_max_and_the_margin_marks_what_is_solved(tables):
    figure, _ = draw("profile", tables, WHOLE)
    (axes,) = figure.axes
    tau_max = max(r["tau"] for r in rows(tables, variant="dolan_more"))
    assert all(line.get_xdata()[-1] == tau_max for line in drawn_curves(axes))
    assert axes.get_xlim()[1] > tau_max
    marks = [
        line
        for line in axes.get_lines()
        if line.get_marker() != "None" and line.get_linestyle() == "None" and len(line.get_xdata()) == 1
    ]
    in_margin = sorted(
        line.get_ydata()[0] for line in marks if line.get_xdata()[0] > tau_max and line.get_transform() == axes.transData
    )
    ends = sorted(max(r["rho"] for r in rows(tables, variant="dolan_more", algorithm=a)) for a in synthetic.ALGORITHMS)
    np.testing.assert_allclose(in_margin, ends)


def test_markers_lie_on_the_curves_at_places_of_their_own(tables):
    figure, _ = draw("profile", tables, WHOLE)
    (axes,) = figure.axes
    seen = set()
    for line in drawn_curves(axes):
        # the sparse markers of an algorithm are the next line that is drawn
        marks = axes.get_lines()[axes.get_lines().index(line) + 1]
        x, y = line.get_xdata(), line.get_ydata()
        for at, value in zip(marks.get_xdata(), marks.get_ydata(), strict=True):
            assert value == y[np.searchsorted(x, at, side="right") - 1]
            assert at not in seen
            seen.add(at)
        assert len(marks.get_xdata()) <= 4


def test_names_stand_at_the_ends_in_the_order_of_the_curves(tables):
    figure, _ = draw("profile", tables, WHOLE)
    (axes,) = figure.axes
    told = sorted((t for t in axes.texts if t.get_text()[0] in "<>01"), key=lambda t: -t.xy[1])
    shares = [float(t.get_text().strip("<>")) for t in told]
    # what several share is written once
    ends = {line.get_ydata()[-1] for line in drawn_curves(axes)}
    assert shares == pytest.approx(sorted(ends, reverse=True), abs=5e-4)
    texts = sorted((t for t in axes.texts if t.get_text() in synthetic.ALGORITHMS), key=lambda t: -t.xy[1])
    assert len(texts) == len(synthetic.ALGORITHMS)
    heights = [t.xy[1] for t in texts]
    assert min(a - b for a, b in itertools.pairwise(heights)) > 0.02
    assert max(heights) <= 1
    assert min(heights) >= -1e-9


def test_a_panel_for_each_dimension(tables):
    figure, caption = draw("profile", tables, BY_DIMENSION)
    panels = [axes for axes in figure.axes if drawn_curves(axes)]
    assert [axes.get_title(loc="left") for axes in panels] == ["2-D", "3-D", "5-D", "10-D"]
    for axes, dimension in zip(panels, (2, 3, 5, 10), strict=True):
        for line in drawn_curves(axes):
            mine = rows(tables, variant="dolan_more_by_dimension", dimension=dimension, algorithm=line.get_label())
            np.testing.assert_array_equal(line.get_ydata(), [r["rho"] for r in mine])
    assert "per panel" in caption
    assert [t.get_text() for t in figure.legends[0].get_texts()]


@pytest.mark.parametrize(
    ("tau_max", "scale", "words"), [(8.0, "linear", "τ"), (64.0, "log", "log scale"), (4096.0, "log", "log scale")]
)
def test_the_axis_says_what_it_is(tau_max, scale, words):
    figure, _ = draw("profile", one_profile([1.0, tau_max / 2, tau_max]), WHOLE)
    axes = figure.axes[0]
    assert axes.get_xscale() == scale
    assert words in axes.get_xlabel()


def test_an_axis_can_end_before_tau_max_and_no_number_changes(tables):
    """0.6 of the largest ratio, as in Figures 1 to 3 of Hekmati and Mirhajianmoghadam 2018."""
    figure, caption = draw("profile", tables, {**WHOLE, "axis_end": 0.6})
    (axes,) = figure.axes
    tau_max = max(r["tau"] for r in rows(tables, variant="dolan_more"))
    for line in drawn_curves(axes):
        mine = [r for r in rows(tables, variant="dolan_more", algorithm=line.get_label()) if r["tau"] <= 0.6 * tau_max]
        np.testing.assert_array_equal(line.get_xdata(), [*(r["tau"] for r in mine), 0.6 * tau_max])
        np.testing.assert_array_equal(line.get_ydata(), [*(r["rho"] for r in mine), mine[-1]["rho"]])
    assert "The axis ends at 0.6 τ_max, where markers show ρ" in caption
    assert "numbers are those up to τ_max" in caption
    assert "Curves end at" not in caption
    # the share of a panel whose curves would end before they begin
    short, _ = draw("profile", one_profile([1.0, 1.2, 1.5]), {**WHOLE, "axis_end": 0.6})
    assert drawn_curves(short.axes[0])[0].get_xdata()[-1] == 1.5


def test_curves_from_0_have_a_linear_axis(tmp_path):
    for axis in ("auto", "log", "broken"):
        figure, caption = draw("profile", one_profile([0.0, 1.0, 64.0]), {**WHOLE, "axis": axis})
        assert figure.axes[0].get_xscale() == "linear"
        assert figure.axes[0].get_xlim()[0] < 0
        assert "logarithmic" not in caption
        save(figure, tmp_path / f"{axis}.pdf")


def one_profile(tau, rho=None, n_unsolved=0, n_stopped=0):
    rho = rho or [(i + 1) / (len(tau) + 1) for i in range(len(tau))]
    n = len(tau)
    profiles = schema.table(
        "profiles", {"measure": ["ert"] * n, "variant": ["dolan_more"] * n, "algorithm": ["a"] * n, "tau": tau, "rho": rho}
    )
    zero = {field.name: [str(field.type) != "bool" and 0] for field in schema.TABLES["profile_measures"] if not field.nullable}
    facts = {
        "measure": ["ert"],
        "variant": ["dolan_more"],
        "algorithm": ["a"],
        "tau_max": [tau[-1]],
        "n_problems": [3],
        "n_unsolved": [n_unsolved],
        "n_stopped": [n_stopped],
    }
    return {"profiles": profiles, "profile_measures": schema.table("profile_measures", {**zero, **facts})}


def test_one_point_and_nothing_solved_can_be_drawn(tmp_path):
    for tables in (one_profile([1.0], [1.0]), one_profile([1.0], [0.0], 3)):
        figure, caption = draw("profile", tables, WHOLE)
        save(figure, tmp_path / "x", ["png"])
        assert "τ_max = 1.00" in caption


@pytest.mark.parametrize(
    ("start", "end", "axis"),
    [
        (1.0, 4.7e296, "auto"),
        (1.0, 4.7e296, "broken"),
        (1.0, 1.7976931348623157e308, "linear"),
        (5e-324, 0.5, "auto"),
        (1e-300, 1e300, "log"),
    ],
)
def test_ratios_of_placeholder_values_can_be_drawn(tmp_path, axis, start, end):
    figure, _ = draw("profile", one_profile([start, 0.25, end]), {**WHOLE, "axis": axis})
    save(figure, tmp_path / "x", ["png"])
    (curve,) = drawn_curves(figure.axes[0])
    assert curve.get_xdata()[-1] == end
    left, right = figure.axes[0].get_xlim()
    assert np.isfinite([left, right]).all()
    assert left <= max(start, 1e-307)
    assert right > min(end, 9e306)


def test_caption_states_the_conventions(tables):
    _, caption = draw("profile", tables, WHOLE)
    n_pairs = 8 * 4 * 3
    assert f"on {n_pairs} (problem, target) pairs" in caption
    assert "Curves end at τ_max = " in caption
    assert "3 missing trials are left out." in caption
    _, counted = draw("profile", tables, {**WHOLE, "measure": {**MEASURE, "missing": "failure"}})
    assert "3 missing trials count as failures where a problem has no other." in counted
    _, dropped = draw(
        "profile", one_profile([1.0, 2.0], n_unsolved=2), {**WHOLE, "profile": {**WHOLE["profile"], "unsolved": "drop"}}
    )
    assert "2 (left out)" in dropped


def test_an_algorithm_that_was_stopped_sooner_is_said_first_in_the_caption():
    _, caption = draw("profile", one_profile([1.0, 2.0], n_stopped=2), WHOLE)
    assert caption.startswith("Budgets differ: on 2 of ")
    assert " runs of a were stopped before another algorithm succeeded, and count as worse there, perhaps wrongly. " in caption


def test_caption_of_a_measure_of_some_dimensions_does_not_count_all_trials_for_its_own(tables):
    def told(**more):
        _, caption = draw("profile", tables, {**WHOLE, "measure": {**MEASURE, **more}})
        return caption

    assert told().endswith(" 3 missing trials are left out.")
    some = told(dimensions=[5, 20], exclude=["f1"])
    assert "Only dimensions 5 and 20 and problems other than f1. Of all sources, 3 missing trials are left out." in some


def test_looks_do_not_depend_on_which_algorithms_a_figure_shows(tables):
    import pyarrow.compute as pc

    few = {**tables, "profiles": tables["profiles"].filter(pc.field("algorithm") != "CMA-ES")}
    whole, _ = draw("profile", tables, WHOLE)
    part, _ = draw("profile", few, WHOLE)
    colours = {line.get_label(): line.get_color() for line in drawn_curves(whole.axes[0])}
    assert {line.get_label(): line.get_color() for line in drawn_curves(part.axes[0])}.items() <= colours.items()


def test_no_rows_is_a_clear_error(tables):
    with pytest.raises(UserError, match="profile: found no rows for any variant of other"):
        draw("profile", tables, {**WHOLE, "measure": {"name": "other"}})


def test_bands_are_drawn_where_the_table_has_them():
    tables = one_profile([1.0, 2.0, 4.0])
    data = tables["profiles"].to_pydict()
    band = {"rho_low": [r - 0.1 for r in data["rho"]], "rho_high": [r + 0.1 for r in data["rho"]]}
    tables["profiles"] = schema.table("profiles", {**{k: v for k, v in data.items() if k not in band}, **band})
    figure, _ = draw("profile", tables, WHOLE)
    assert len(figure.axes[0].collections) == 1


def test_a_variant_without_words_is_not_explained_as_another_one():
    profile = Profile.parsed({"variant": "among_best", "name": "among_best"})
    assert profile.definition("problems") == "ρ(τ) is the share of problems that the variant 'among best' counts at τ."
    assert profile.entry.tau == "τ"


def test_every_variant_has_words():
    from benchmill.profiles import VARIANTS

    assert all(entry.definition and entry.heading for entry in VARIANTS.values())
    for variant in VARIANTS:
        sentence = Profile.parsed({"variant": variant, "name": variant}).definition("(problem, target) pairs")
        assert "(problem, target) pairs" in sentence
        assert "{" not in sentence


def test_a_short_panel_beside_a_long_one_has_ticks_of_its_own():
    for end in (1.0026, 1.32, 1.9):
        figure, _ = draw("profile", one_profile([1.0, end]), {**WHOLE, "axis": "log"})
        axes = figure.axes[0]
        scales.set_ticks(axes, 1.0, end, "log2")
        ticks = [t for t in axes.get_xticks() if 1 <= t <= end]
        assert len(ticks) >= 2
        written = [axes.xaxis.get_major_formatter()(t, 0) for t in ticks]
        assert [float(text) for text in written] == pytest.approx(ticks, abs=5e-3 * (end - 1))
        assert len(set(written)) == len(written)


def test_what_a_band_is_stands_in_the_caption():
    bands = {"level": 0.9, "bands": "problems"}
    tables = one_profile([1.0, 2.0])
    low = tables["profiles"]["rho"]
    tables["profiles"] = schema.table("profiles", {**tables["profiles"].to_pydict(), "rho_low": low, "rho_high": low})
    _, caption = draw("profile", tables, {**WHOLE, "profile": {**WHOLE["profile"], **bands}})
    assert "Bands: 90 % at each τ (2\u202f000 bootstrap resamples of clusters of problems)." in caption


def test_curves_with_one_end_are_ordered_by_their_height_before():
    # a reaches 1 late, b early, c never
    rows = [("a", 1.0, 0.2), ("a", 8.0, 1.0), ("b", 1.0, 0.1), ("b", 2.0, 1.0), ("b", 8.0, 1.0), ("c", 1.0, 0.7), ("c", 8.0, 0.7)]
    names, tau, rho = map(list, zip(*rows, strict=True))
    n = len(rows)
    columns = {"measure": ["ert"] * n, "variant": ["dolan_more"] * n, "algorithm": names, "tau": tau, "rho": rho}
    data = schema.table("profiles", columns)
    assert curves.order([frames.frame(data)]) == ["b", "a", "c"]


def test_of_many_curves_those_stand_out_that_are_highest_over_log_tau():
    # the later one rises the more it solves in the end
    rows = [(f"a{i:02}", *step) for i in range(20) for step in ((1.0, 0.0), (2.0 + i, 0.5 + i / 100), (100.0, 0.5 + i / 100))]
    names, tau, rho = map(list, zip(*rows, strict=True))
    columns = {"measure": ["ert"] * 60, "variant": ["dolan_more"] * 60, "algorithm": names, "tau": tau, "rho": rho}
    data = frames.frame(schema.table("profiles", columns))
    assert curves.order([data]) == sorted(set(names))
    assert curves.order([data[data["algorithm"].isin(names[:30])]]) == sorted(set(names[:30]), reverse=True)


def test_names_of_curves_that_end_alike_stand_in_the_order_of_the_curves_before():
    tables = one_profile([1.0, 2.0, 8.0])
    facts = tables["profile_measures"].to_pylist()[0]
    curves = {"z": [0.1, 1.0, 1.0], "b": [0.1, 0.2, 1.0]}
    n = 3
    tables = {
        "profiles": schema.table(
            "profiles",
            {
                "measure": ["ert"] * 2 * n,
                "variant": ["dolan_more"] * 2 * n,
                "algorithm": [name for name in curves for _ in range(n)],
                "tau": [1.0, 2.0, 8.0] * 2,
                "rho": [value for rho in curves.values() for value in rho],
            },
        ),
        "profile_measures": schema.table(
            "profile_measures", {k: [name if k == "algorithm" else v for name in curves] for k, v in facts.items()}
        ),
    }
    figure, _ = draw("profile", tables, WHOLE)
    texts = sorted(figure.axes[0].texts, key=lambda text: -text.xy[1])
    assert [text.get_text() for text in texts if "τ" not in text.get_text() and "ρ" not in text.get_text()] == ["1.000", "z", "b"]
