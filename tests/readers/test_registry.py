import ast
import importlib
import json
import sys
import types
from pathlib import Path

import jsonschema
import pytest

from benchmill import readers
from benchmill.core import UserError, storage
from benchmill.readers.interface import MOST_EXAMPLES, Found, Options, Report, Rule
from benchmill.registry import formats
from tests.readers.making import SMALL, Result, block, folder, info, tar

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTED = (DOCS / "formats.md").read_text("utf-8")


def test_every_format_has_the_interface():
    for name, format in formats.FORMATS.items():
        module = format.load()
        assert callable(module.sniff)
        assert callable(module.read)
        assert issubclass(module.Options, Options)
        module.Options()  # an entry needs to say nothing
        assert all(isinstance(rule, Rule) for rule in module.RULES.values())
        assert readers.options_schema(name)["additionalProperties"] is False


def test_the_page_lists_the_formats_as_the_registry_has_them():
    rows = [line for line in DOCUMENTED.splitlines() if line.startswith("| `")]
    listed = [f"| `{name}` | {format.words} |" for name, format in formats.FORMATS.items()]
    assert [row for row in rows if row in listed] == sorted(listed, key=rows.index)


def test_every_rule_and_option_of_every_format_is_documented():
    rules = (DOCS / "rules.md").read_text("utf-8")
    for name in formats.FORMATS:
        assert f"\n## `{name}`\n" in DOCUMENTED
        for word in (*readers.rules_of(name), *readers.options_schema(name)["properties"]):
            assert f"| `{word}` |" in rules, word


def test_the_registry_imports_no_format():
    """A change of one format must not make the sources of all others be read again."""
    tree = ast.parse(Path(readers.__file__).read_text("utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            imported |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    assert not imported & {format.module for format in formats.FORMATS.values()}


def test_unknown_sources_and_formats(tmp_path):
    source = folder(tmp_path / "f", {"a.txt": "nothing known"})
    with pytest.raises(UserError, match=r"known are coco, .*table.*format: "):
        readers.sniff(source)
    with pytest.raises(UserError, match="does not look like the format 'coco'"):
        readers.sniff(source, "coco")
    with pytest.raises(UserError, match="did you mean 'coco'"):
        readers.sniff(source, "cocoa")
    (tmp_path / "page.html").write_text("<!DOCTYPE html>\n<table><tr><td>solver</td></tr></table>")
    with pytest.raises(UserError, match=r"page\.html: it is a web page; save its table as CSV"):
        readers.sniff(tmp_path / "page.html")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="no file in it"):
        readers.sniff(tmp_path / "empty")


def test_options_are_checked(tmp_path):
    source = tar(tmp_path / "a.tgz", SMALL)
    for options, message in (
        ({"algoritm": "x"}, "did you mean 'algorithm'"),
        ({"strict": "yes"}, "option 'strict' is 'yes'"),
        ({"switch_off": ["nonsense"]}, "is no repair"),
        ({"switch_off": ["unfinished_trial"]}, "is no repair"),
        ({"columns": {"cost": "x"}}, "has no option 'columns'"),
    ):
        with pytest.raises(UserError, match=message):
            readers.examine(source, options=options)


def test_files_appear_together_or_not_at_all(tmp_path):
    out = tmp_path / "out"
    bad = folder(tmp_path / "bad", {"t.csv": "algorithm,problem,cost\nA,p,1\nA,q,x\n"}) / "t.csv"
    with pytest.raises(UserError):
        Result(bad, out)
    assert list(out.iterdir()) == []


def test_nothing_is_left_when_a_late_batch_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "_ROWS_AT_ONCE", 1)
    source = tar(tmp_path / "a.tgz", SMALL)
    coco = importlib.import_module("benchmill.readers.coco")
    monkeypatch.setattr(coco, "BYTES_AT_ONCE", 1)
    whole = Result(source, tmp_path / "out")
    assert whole.column("trial") == [0, 1, 2, 3]
    matched, parsed = coco._Reader.matched, []

    def fails(self, part):
        if parsed:
            raise UserError("here: it failed.")
        parsed.append(part)
        return matched(self, part)

    monkeypatch.setattr(coco._Reader, "matched", fails)
    with pytest.raises(UserError, match="it failed"):
        Result(source, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


def test_the_size_of_batches_does_not_change_the_rows(tmp_path, monkeypatch):
    source = tar(tmp_path / "a.tgz", SMALL)
    whole = Result(source, tmp_path / "whole")
    coco = importlib.import_module("benchmill.readers.coco")
    monkeypatch.setattr(readers, "_ROWS_AT_ONCE", 1)
    monkeypatch.setattr(coco, "BYTES_AT_ONCE", 1)
    pieces = Result(source, tmp_path / "pieces")
    assert pieces.trials == whole.trials
    assert pieces.traces.to_pylist() == whole.traces.to_pylist()
    assert pieces.report == whole.report


def test_the_report_is_what_was_returned_and_names_no_place(tmp_path):
    source = tar(tmp_path / "a.tgz", SMALL)
    result = Result(source, tmp_path / "out", name="walker")
    text = result.files[2].read_text("utf-8")
    assert json.loads(text) == result.report
    assert str(tmp_path) not in text
    assert (result.report["source"], result.report["path"], result.report["format"]) == ("walker", "a.tgz", "coco")
    assert result.report["sha256"] == storage.digest(source)
    assert result.report["bytes"] == source.stat().st_size
    assert readers.examine(source, name="walker") == {**result.report, "study": {}, "checks": [], "apart": {}, "proposals": []}


def test_the_origin_is_stored(tmp_path):
    source = tar(tmp_path / "a.tgz", SMALL)
    files = [tmp_path / n for n in ("t", "c", "r")]
    readers.ingest(source, files, name="w", origin={"version": "x"})
    assert all(storage.origin_of(f)["version"] == "x" for f in files[:2])


def test_rows_of_a_rule_are_bounded_and_the_count_is_exact():
    report = Report({"odd": Rule("noted", "It is odd.")})
    for line in range(MOST_EXAMPLES + 5):
        report.add("odd", "f", line, "x")
    entry = report.irregularities()[0]
    assert (entry["count"], len(entry["examples"]), entry["cut"]) == (MOST_EXAMPLES + 5, MOST_EXAMPLES, True)
    assert (entry["file"], entry["line"], entry["outcome"]) == ("f", 0, "noted")


def test_other_packages_can_add_formats(tmp_path, monkeypatch):
    module = types.ModuleType("my_logs")
    module.Options, module.RULES = Options, {}
    module.sniff = lambda view: Found("mine", ("A",)) if "mine.txt" in view else None
    monkeypatch.setitem(sys.modules, "my_logs", module)

    monkeypatch.setitem(formats.FORMATS.entries, "mine", formats.Format("mine", "logs of my own", "my_logs"))
    assert readers.sniff(folder(tmp_path / "f", {"mine.txt": "x"})) == Found("mine", ("A",))


def test_several_algorithms_and_compact_instances(tmp_path):
    files = {}
    for algorithm in ("b", "a"):
        for instance in (1, 2, 3, 5):
            stem = f"{algorithm}{instance}"
            files[f"{stem}.info"] = info(1, 2, [f"{instance}:5|1.0e+00"], algorithm=algorithm, data=f"{stem}.dat")
            files[f"{stem}.dat"] = files[f"{stem}.tdat"] = block(instance, [(5, 1.0)])
    report = readers.examine(folder(tmp_path / "f", files))
    assert report["algorithms"] == ["a", "b"]
    assert report["instances"] == "1-3, 5"
    assert report["trials"]["expected"] == 8


#: Options that take what no other does: a yes or no, an empty list, a mapping with any names; counts that may be 0.
YES_OR_NO = {"strict", "any_version", "evaluations_row", "repetitions"}
MAY_BE_EMPTY = {"switch_off"}
NAMES_OF_ALL_KINDS = {"where", "budget", "dimension"}
MAY_BE_0 = {"most_missing", "counted_from", "precision", "header", "labels"}


@pytest.mark.parametrize("name", formats.FORMATS)
def test_options_that_mean_nothing_are_refused(name):
    """Of every format, so that a new option has to say what it takes: no option takes a list in a list, a number below 0, ..."""
    schema = readers.options_schema(name)
    validator = jsonschema.Draft202012Validator(schema)

    def taking(value):
        return {option for option in schema["properties"] if validator.is_valid({option: value})}

    assert taking([[1.5]]) == taking("") == taking(-1) == taking(None) == set()
    assert taking(True) <= YES_OR_NO
    assert taking([]) <= MAY_BE_EMPTY
    assert taking({"": 1}) <= NAMES_OF_ALL_KINDS
    assert taking(0) <= MAY_BE_0
    assert taking("ab") <= taking("a")
    for values in ("x", 2, True, ["x"], {"not": ["x"]}):
        assert "where" in taking({"column": values})
    for values in ([], [["x"]], {"not": []}, {"no": "x"}, {}, None):
        assert "where" not in taking({"column": values})
    assert taking(0) & {"counted_from"} <= taking(1)
    assert taking(0.5) <= taking(1) | {"tolerance"}
    assert taking({"word": "no outcome"}) <= NAMES_OF_ALL_KINDS | {"algorithm"}
