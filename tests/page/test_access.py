"""For everybody: every control has a name, the keyboard goes through them in order, and text stands out in both themes."""

import itertools
import re

import pytest

from benchmill.page.page import style

VIEWS = ["profile", "ecdf", "values", "scaling", "tradeoff", "problems", "runs", "tests"]

#: The controls that are in sight: what names them, and whether the keyboard reaches them out of their order.
CONTROLS = """() => [...document.querySelectorAll("#explore :is(button, input, select, summary, a[href], [tabindex])")]
    .filter((one) => one.checkVisibility() && !one.disabled)
    .map((one) => ({
        html: one.outerHTML.slice(0, 120), tabindex: one.tabIndex,
        name: one.getAttribute("aria-label") || one.closest("label")?.innerText || one.labels?.[0]?.innerText
            || (one.getAttribute("aria-labelledby") && document.getElementById(one.getAttribute("aria-labelledby"))?.innerText)
            || one.innerText || one.textContent,
    }))"""


@pytest.mark.parametrize("view", VIEWS)
def test_every_control_has_a_name_and_its_turn(visit, view):
    tab = visit(f"#explore?view={view}")
    tab.wait_for_selector("#explore-downloads button")
    controls = tab.evaluate(CONTROLS)
    assert len(controls) > 20
    assert [one["html"] for one in controls if not (one["name"] or "").strip()] == []
    # the order of the keyboard is that of the page
    assert [one["html"] for one in controls if one["tabindex"] > 0] == []


def test_the_keyboard_reaches_the_controls_before_the_picture_before_the_tables(visit):
    tab = visit("#explore?view=profile")
    tab.locator("#explore-tab-profile").focus()
    reached = ["explore-tab-profile"]
    for _ in range(60):
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.id || document.activeElement.closest('[id]')?.id"))
        if reached[-1] == "explore-measures":
            break
    order = ["explore-tab-profile", "explore-measure", "explore-variant", "explore-picture", "explore-order", "explore-measures"]
    assert [one for one, _ in itertools.groupby(one for one in reached if one in order)] == order


def luminance(colour):
    """Relative luminance of `#rrggbb` (WCAG 2.1)."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_in_both_themes(theme):
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    variables = [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", style(), re.S)[:2]]
    colours = variables[theme]
    assert set(colours) >= {"paper", "ink", "soft", "tint", "link", "best", "warn"}
    for text, ground in itertools.product(("ink", "soft", "link"), ("paper", "tint")):
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["ink"], colours["best"]) >= 4.5
    # tooltips and the chosen study are the other way round; a frame that warns is no text
    assert contrast(colours["paper"], colours["ink"]) >= 4.5
    assert contrast(colours["warn"], colours["paper"]) >= 3
