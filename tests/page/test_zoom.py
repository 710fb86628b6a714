"""A part of a picture: reached in every way, in every view with axes, in the address, and never a change of a number."""

import re

import pytest

from tests.page.explored import rows_of, until

RANGE = "state.zoom"
# the range of the picture on both axes, as it is drawn
DRAWN = "[drawn.spec.x.from(0), drawn.spec.x.from(1), drawn.spec.y.from(0), drawn.spec.y.from(1)]"


def drag(tab, start, end):
    """From one place to another, in shares of the plot from the lower left."""
    tab.locator("#explore-picture").evaluate("picture => picture.scrollIntoView({ block: 'center' })")
    box = tab.locator("#explore-picture svg").bounding_box()
    frame = tab.evaluate("({left: drawn.left, top: drawn.top, w: drawn.w, h: drawn.h, width: drawn.width})")
    ratio = box["width"] / frame["width"]
    place = [
        (
            box["x"] + (frame["left"] + u * frame["w"]) * ratio,
            box["y"] + (frame["top"] + (1 - v) * frame["h"]) * ratio,
        )
        for u, v in (start, end)
    ]
    tab.mouse.move(*place[0])
    tab.mouse.down()
    tab.mouse.move(*place[1], steps=4)
    tab.mouse.up()


@pytest.mark.parametrize("view", ["profile", "ecdf", "values", "scaling", "runs"])
def test_a_drag_shows_that_part_in_every_view_with_axes(visit, view):
    tab = visit(f"#explore?study=plain&view={view}")
    tab.wait_for_selector("#explore-picture svg")
    wanted = tab.evaluate("[drawn.spec.x.from(.25), drawn.spec.x.from(.75), drawn.spec.y.from(.2), drawn.spec.y.from(.6)]")
    drag(tab, (0.25, 0.2), (0.75, 0.6))
    found = tab.evaluate(DRAWN)
    span = [abs(wanted[1] - wanted[0]), abs(wanted[3] - wanted[2])]
    for got, want, width in zip(found, wanted, [span[0], span[0], span[1], span[1]], strict=True):
        assert abs(got - want) < 0.02 * width + 0.02 * abs(want)
    assert "zoom=" in tab.evaluate("location.hash")
    assert "Zoomed in" in tab.locator("#explore-status").inner_text()
    # a drag reads nothing
    assert tab.evaluate("state.at") is None
    tab.locator("#explore-picture").dblclick()
    assert tab.evaluate(RANGE) is None


def test_nothing_but_the_picture_changes(visit, tmp_path):
    tab = visit("#explore?study=plain&view=profile")
    before = rows_of(tab, "Curves", tmp_path), tab.locator("#explore-tables").inner_text()
    tab.keyboard.press("Tab")
    drag(tab, (0.1, 0.1), (0.4, 0.97))
    assert (rows_of(tab, "Curves", tmp_path), tab.locator("#explore-tables").inner_text()) == before
    assert "Markers at the right" not in tab.locator("#explore-caption").inner_text()
    # names at the edge have the values that curves have there
    x = tab.evaluate("drawn.spec.x.from(1)")
    shown = tab.evaluate("x => shown.curves.map(c => shown.format(shown.value(c.id, x)))", x)
    texts = tab.locator("#explore-picture svg text").all_text_contents()
    labels = [re.match(r"[<>]?[0-9.]+(?=  )", text) for text in texts]
    told = [found.group() for found in labels if found]
    assert told
    assert set(told) <= set(shown)


def test_keys_and_buttons_zoom_and_move(visit):
    tab = visit("#explore?study=plain&view=ecdf")
    whole = tab.evaluate(DRAWN)
    tab.locator("#explore-picture").focus()
    tab.keyboard.press("+")
    first = tab.evaluate(DRAWN)
    assert whole[0] < first[0] < first[1] < whole[1]
    assert first[2:] == whole[2:]
    tab.keyboard.press("Shift+ArrowRight")
    moved = tab.evaluate(DRAWN)
    assert moved[0] > first[0]
    assert moved[1] > first[1]
    tab.keyboard.press("-")
    tab.keyboard.press("0")
    assert tab.evaluate(RANGE) is None
    tab.keyboard.press("+")
    # Escape shows all, and only then forgets the place
    tab.keyboard.press("ArrowRight")
    at = tab.evaluate("state.at")
    tab.keyboard.press("Escape")
    assert (tab.evaluate(RANGE), tab.evaluate("state.at")) == (None, at)
    tab.locator("#explore-closer").click()
    assert tab.evaluate(RANGE) is not None
    tab.locator("#explore-whole").click()
    assert tab.evaluate(RANGE) is None
    assert tab.locator("#explore-whole").is_disabled()


def test_a_wheel_scrolls_the_page_unless_the_picture_is_meant(visit):
    tab = visit("#explore?study=plain&view=profile")
    tab.locator("#explore-picture svg").scroll_into_view_if_needed()
    tab.locator("#explore-picture").hover()
    tab.mouse.wheel(0, -100)
    tab.wait_for_timeout(60)
    assert tab.evaluate(RANGE) is None
    tab.locator("#explore-picture").focus()
    tab.mouse.wheel(0, -300)
    until(tab, "state.zoom !== null")
    inner = tab.evaluate(DRAWN)
    tab.mouse.wheel(0, 900)
    until(tab, "state.zoom === null")
    assert tab.evaluate(DRAWN)[1] > inner[1]


def test_reading_along_a_curve_keeps_it_in_sight(visit):
    tab = visit("#explore?study=plain&view=profile")
    tab.locator("#explore-picture").focus()
    tab.keyboard.press("Home")
    for _ in range(3):
        tab.keyboard.press("+")
    tab.keyboard.press("End")
    low, high = tab.evaluate(DRAWN)[:2]
    assert low <= tab.evaluate("state.at") <= high * (1 + 1e-9)
    assert tab.evaluate("drawn.cursor.getAttribute('visibility')") == "visible"


def test_a_range_can_be_sent_and_one_beside_the_picture_is_told(visit):
    tab = visit("#explore?study=plain&view=profile&zoom=1,1.5,0.2,0.9")
    assert tab.evaluate(DRAWN) == pytest.approx([1, 1.5, 0.2, 0.9])
    assert "from 1 to 1.5" in tab.locator("#explore-range").inner_text()
    tab = visit("#explore?study=plain&view=profile&zoom=1e30,1e31,0,1")
    assert tab.evaluate(RANGE) is None
    assert "not in this picture" in tab.locator("#explore-notice").inner_text()
    for word in ("1,2,3", "2,1,0,1", "a,b,c,d"):
        tab = visit(f"#explore?study=plain&view=profile&zoom={word}")
        assert "range" in tab.locator("#explore-notice").inner_text()


def test_back_shows_the_range_before(visit):
    tab = visit("#explore?study=plain&view=profile")
    drag(tab, (0.1, 0.1), (0.5, 0.5))
    zoom = tab.evaluate(RANGE)
    drag(tab, (0.1, 0.1), (0.5, 0.5))
    tab.go_back()
    until(tab, "zoom => JSON.stringify(state.zoom) === JSON.stringify(zoom)", zoom)
    # another view has another picture
    tab.locator("#explore-tab-ecdf").click()
    assert tab.evaluate(RANGE) is None
