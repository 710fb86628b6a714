import pytest
import yaml

from benchmill.core import UserError
from benchmill.workflow.commands import with_setting, with_sources, without_source

NEW = [{"path": "new.tgz"}, {"path": "logs/ä, b.csv", "format": "table", "columns": {"cost": "time: s"}}]

SCALAR = """\
# the head
studies:
  a:   # first
    sources: "logs/*.tgz"   # all of them
    problem_keys: [problem]

  b:
    sources: other
"""
BLOCK = """\
studies:
  a:
    title: "x"   # kept
    sources:
    # before
    - logs/*.tgz     # the glob

    # about the table
    - path: t.csv
      format: table    # needed
      # said after the table

    # about the measures
    measures: {ert: {kind: fixed_target}}
"""
INDENTED = """\
studies:
  a:
    sources:
      - {path: x, name: y}   # why
      - z
"""
FLOW = "studies: {a: {sources: [x, {path: y}, 'z,1'], title: t}}  # end\n"
MAPPING = """\
studies:
  a:
    sources:
      # about it
      path: t.csv
      columns:
        cost: time
    seed: 3
"""
FLOW_MAPPING = "studies:\n  a:\n    sources: {path: t.csv}  # one\n    seed: 3\n"
NO_NEWLINE = "studies:\n  a:\n    sources:\n    - x"
TEXTS = {
    "scalar": SCALAR,
    "block": BLOCK,
    "indented": INDENTED,
    "flow": FLOW,
    "mapping": MAPPING,
    "flow mapping": FLOW_MAPPING,
    "no newline": NO_NEWLINE,
    "windows": SCALAR.replace("\n", "\r\n"),
}


def sources(text):
    found = yaml.safe_load(text)["studies"]["a"]["sources"]
    return found if isinstance(found, list) else [found]


def comments(text):
    return [line[line.index("#") :].strip() for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize("name", TEXTS)
def test_entries_are_added_at_the_end_and_nothing_else_changes(name):
    text = TEXTS[name]
    changed = with_sources(text, "a", NEW, "c.yaml")
    assert sources(changed) == [*sources(text), "new.tgz", NEW[1]]
    before, after = yaml.safe_load(text), yaml.safe_load(changed)
    del before["studies"]["a"]["sources"], after["studies"]["a"]["sources"]
    assert after == before
    assert comments(changed) == comments(text)
    assert ("\r\n" in changed) == ("\r\n" in text)
    assert "\n" not in changed.replace("\r\n", "") or "\r\n" not in text


def test_lines_of_a_block_list_are_kept_to_the_letter():
    changed = with_sources(BLOCK, "a", NEW[:1], "c.yaml")
    lines = changed.splitlines()
    assert lines[lines.index("      format: table    # needed") + 1] == "    - new.tgz"
    lines.remove("    - new.tgz")
    assert "\n".join(lines) + "\n" == BLOCK


def test_two_documents_or_a_shared_list_are_refused():
    shared = "studies:\n  a: {sources: &s [x, y]}\n  b: {sources: *s}\n"
    for study in "ab":
        with pytest.raises(UserError, match="change its `sources:` yourself"):
            with_sources(shared, study, NEW, "c.yaml")
    with pytest.raises(UserError, match="not YAML"):
        with_sources("a: 1\n---\nb: 2\n", "a", NEW, "c.yaml")


@pytest.mark.parametrize("sources", ["[x, # why\n      y]", "\n      path: x   # why\n      name: y"])
def test_a_comment_that_would_be_lost_is_kept(sources):
    with pytest.raises(UserError, match="cannot be changed without harm"):
        with_sources(f"studies:\n  a:\n    sources: {sources}\n", "a", NEW, "c.yaml")


@pytest.mark.parametrize("name", TEXTS)
def test_removing_what_was_added_gives_the_old_sources(name):
    changed = with_sources(TEXTS[name], "a", NEW, "c.yaml")
    for _ in NEW:
        changed = without_source(changed, "a", len(sources(changed)) - 1, "c.yaml")
    assert sources(changed) == sources(TEXTS[name])
    assert comments(changed) == comments(TEXTS[name])


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "flow"])
def test_a_setting_is_added_and_changed_on_a_line(name):
    text = TEXTS[name]
    for value in ({"except": ["a, b", "c: d"]}, {"except": ["x"]}):
        text = with_setting(text, "a", "algorithms", value, "c.yaml")
        found = yaml.safe_load(text)["studies"]
        assert found["a"].pop("algorithms") == value
        assert found == yaml.safe_load(TEXTS[name])["studies"]
    with pytest.raises(
        UserError, match="written in a way that cannot be changed without harm; change its `seed:` yourself, to 3"
    ):
        with_setting(FLOW, "a", "seed", 3, "c.yaml")
