"""Numbers, names and LaTeX as people read them."""

import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill.text import display
from benchmill.text.measures import Measure, floored


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"),
        (1.0, 3, "1.00"),
        (9.996, 3, "10.0"),
        (99.96, 3, "100"),
        (999.4, 3, "999"),
        (999.6, 3, "1.00×10³"),
        (12345.0, 3, "1.23×10⁴"),
        (474.1314, 4, "474.1"),
        (0.00123, 3, "0.00123"),
        (0.000999, 3, "9.99×10⁻⁴"),
        (-3.5, 3, "−3.50"),
        (1e300, 2, "1.0×10³⁰⁰"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "−∞"),
        (math.nan, 3, "–"),
        (None, 3, "–"),
    ],
)
def test_number(value, digits, text):
    assert display.number(value, digits) == text


def test_the_symbols_of_captions_have_their_tex():
    assert display.tex("σ = 0.1, τ_min/τ*, log₁₀, ε") == (r"$\sigma$~=~0.1, $\tau_{\min}$/$\tau^{*}$, log$_{10}$, $\varepsilon$")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("dolan_more", "Dolan–Moré"),
        ("dolan_more_by_dimension", "Dolan–Moré by dimension"),
        ("rank_auc", "rank AUC"),
        ("expert", "expert"),
        ("nested", "nested"),
    ],
)
def test_names_of_the_configuration_are_written_as_readers_expect(name, shown):
    assert display.words(name) == shown


@given(st.floats(min_value=1e-12, max_value=1e12), st.integers(2, 6))
def test_number_is_right_to_its_digits(value, digits):
    text = display.number(value, digits).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    mantissa, _, power = text.partition("×10")
    assert float(mantissa) * 10.0 ** int(power or 0) == pytest.approx(value, rel=0.500001 * 10 ** (1 - digits))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (1e-9, "<0.001"), (0.5, "0.500"), (0.99999, ">0.999"), (0.9994, "0.999"), (1.0, "1.000"), (None, "–")],
)
def test_share_never_claims_all_or_nothing(value, text):
    assert display.share(value) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "<0.001"),
        (0.00099, "<0.001"),
        (0.0499, "0.0499"),
        (0.0501, "0.0501"),
        (0.25, "0.250"),
        (0.9999, ">0.999"),
        (1.0, "1.000"),
    ],
)
def test_p_value(p, text):
    assert display.p_value(p) == text
    assert display.p_value(None) == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-8, "10⁻⁸"),
        (1e-3, "10⁻³"),
        (0.01, "0.01"),
        (1.0, "1"),
        (100.0, "100"),
        (1e4, "10⁴"),
        (10**1.8, "63.0957"),
        (2.5e-7, "2.5×10⁻⁷"),
    ],
)
def test_target(value, text):
    assert display.target(value) == text


def test_counts():
    assert display.count(1234567) == "1\u202f234\u202f567"
    assert display.plural(1, "problem") == "1 problem"
    assert display.listed(["a", "b", "c"]) == "a, b and c"
    assert display.listed(["a"]) == "a"
    assert display.listed([]) == "none"
    assert display.listed([str(i) for i in range(5)], limit=2) == "0, 1 and 3 more"
    assert display.listed(["f1, target 1", "f2", "f3"], limit=2) == "f1, target 1; f2; and 1 more"
    assert display.listed([str(i) for i in range(1020)], limit=1) == "0 and 1\u202f019 more"


def test_tex_turns_symbols_into_mathematics_and_leaves_nothing_to_run():
    assert display.tex("ρ(τ) ≤ 1.2×10⁻⁸") == r"$\rho$($\tau$) $\le$ 1.2$\times$10$^{-8}$"
    assert display.tex(r"\input{x} $y$ 50%") == r"\textbackslash{}input\{x\} \$y\$ 50\%"
    assert display.tex("τ_max and τ*") == r"$\tau_{\max}$ and $\tau^{*}$"
    assert display.tex("a < b") == "a $<$ b"


@given(st.text(max_size=60))
def test_tex_has_balanced_groups_and_only_ascii_or_latin_letters(text):
    printed = display.tex(text)
    bare = printed.replace(r"\{", "").replace(r"\}", "").replace(r"\textbackslash{}", "")
    assert bare.count("{") == bare.count("}")
    assert all(c.isascii() or 0xC0 <= ord(c) <= 0xFF or c in "ªµº" for c in printed)
    assert printed.replace(r"\$", "").count("$") % 2 == 0


@given(st.lists(st.text(max_size=50), unique=True, max_size=30), st.integers(12, 40))
def test_short_names_never_make_two_into_one(names, limit):
    short = display.short_names(names, limit)
    assert set(short) == set(names)
    assert len(set(short.values())) == len(names)
    assert all(0 < len(s) <= limit for s in short.values())


LONG = "CMA-ES_pop={}_sigma={}_restarts=2_budget=100000"


@pytest.mark.parametrize(
    ("names", "limit", "expected"),
    [
        # what all have goes, from the right and no more than it takes
        ([LONG.format(10, 0.3), LONG.format(20, 0.3)], 32, ["CMA-ES_pop=10_sigma=0.3…", "CMA-ES_pop=20_sigma=0.3…"]),
        ([LONG.format(10, 0.3), LONG.format(20, 0.3)], 16, ["CMA-ES_pop=10…", "CMA-ES_pop=20…"]),
        # names of keys go where nothing else does
        ([LONG.format(10, 0.3), LONG.format(20, 0.5)], 16, ["CMA-ES…10…0.3…", "CMA-ES…20…0.5…"]),
        # those that begin alike are compared with each other, the others with all
        (
            [LONG.format(10, 0.3), LONG.format(20, 0.3), "DE_F=0.9_restarts=2_budget=100000", "PSO"],
            24,
            ["CMA-ES_pop=10_sigma=0.3…", "CMA-ES_pop=20_sigma=0.3…", "DE_F=0.9_restarts=2…", "PSO"],
        ),
        # a sign is no separator
        (
            [f"solver_lr=1e-{k}_x=-{k}_with_a_long_name" for k in (3, 5)],
            20,
            ["solver_lr=1e-3_x=-3…", "solver_lr=1e-5_x=-5…"],
        ),
        # the same parts in another order
        (["a_1_b_2_with_a_tail_like_it", "a_2_b_1_with_a_tail_like_it"], 12, ["a_1_b_2…", "a_2_b_1…"]),
        (["scip 9 --heur=off --threads 8", "scip 9 --heur=on --threads 8 -x"], 20, ["scip 9 --heur=off…", "scip 9 --heur=on…-x"]),
        # nothing is shared, or all of it
        (["a" * 30, "b" * 30], 12, ["aaaaaaa…aaaa", "bbbbbbb…bbbb"]),
        (["one_long_name_alone"], 12, ["one_lon…lone"]),
    ],
)
def test_long_names_are_cut_to_what_tells_them_apart(names, limit, expected):
    assert [display.short_names(names, limit)[name] for name in names] == expected
    assert display.short_names(names[::-1], limit) == display.short_names(names, limit)


def test_long_words_may_break():
    assert display.breakable_tex("a" * 12 + "_b c") == "a" * 12 + r"\_\allowbreak{}b c"
    assert display.breakable_tex("a" * 31 + " b") == r"\allowbreak{}".join(["a" * 12, "a" * 12, "a" * 7]) + " b"


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (217.0, 180.0, 950.0, "220"),  # half the width 385: tens
        (217.4, 214.0, 221.0, "217.4"),
        (0.123456, 0.12, 0.13, "0.1235"),  # half the width 0.005: four places
        (5940.0, 2000.0, 30000.0, "5900"),
        (123456.0, 110000.0, 130000.0, "1.23×10⁵"),
        (99.96, 98.0, 102.0, "100.0"),
        (9.97, 5.0, 15.0, "10.0"),
        (217.0, 217.0, 217.0, "217"),  # no width: three digits
        (217.04, None, None, "217"),
        (math.inf, None, None, "∞"),
        (None, None, None, "–"),
        (1.0, 0.5, math.inf, "1.00"),
    ],
)
def test_a_number_has_the_digits_that_its_interval_leaves(value, low, high, expected):
    assert display.measured(value, low, high) == expected


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (0.68750, 0.60, 0.78, "0.688"),
        (0.68750, 0.30, 0.95, "0.69"),
        (0.68750, None, None, "0.688"),
        (0.68750, 0.7, 0.7, "0.688"),
        (1.0, 0.2, 1.0, "1.00"),
        (0.998, 0.2, 1.0, ">0.99"),
        (0.003, 0.0, 0.7, "<0.01"),
        (0.0, 0.0, 0.7, "0.00"),
        (None, 0.0, 0.7, "–"),
    ],
)
def test_a_measured_share_has_the_digits_of_its_interval(value, low, high, text):
    assert display.measured_share(value, low, high) == text


def test_words_of_letters_are_left_to_tex_to_hyphenate():
    assert display.breakable_tex("Mirhajianmoghadam approximation, (of)") == "Mirhajianmoghadam approximation, (of)"
    assert r"\allowbreak" in display.breakable_tex("a_path/of_many/pieces")
    assert r"\allowbreak" in display.breakable_tex("x" * 40)
    # behind hyphens and letters, never within them or a number
    assert display.breakable_tex("Iman–Davenport") == r"Iman--\allowbreak{}Davenport"
    assert display.breakable_tex("LHD-10xDefault 2.00×10⁵").startswith(r"LHD{-}\allowbreak{}10x\allowbreak{}Default 2.00$")


def test_values_below_a_floor_are_counted_in_words():
    rows = {"measure": ["q", "q", "r", "q"], "n_trials": [10, 5, 9, 1000], "n_floored": [3, None, 9, 0]}
    keys = {"suite": ["s"] * 4, "problem": list("abcd"), "algorithm": ["A"] * 4}
    table = pa.table({**rows, **keys})
    measure = Measure(name="q", floor=1e-8)
    assert floored(table, [measure]) == f"Of {display.count(1015)} values of q, 3 were below the floor 10⁻⁸ and count as it."
    assert floored(table, [Measure(name="q")]) == floored(None, [measure]) == ""
    assert floored(table, [Measure(name="none", floor=1e-8)]) == ""


def test_greek_letters_of_names_have_their_tex():
    assert display.tex("(μ/μ_w, λ)-ES") == r"($\mu$/$\mu$\_w, $\lambda$){-}ES"
