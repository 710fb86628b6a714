"""The page of all sentences: it is up to date, nothing that can be written is left out, and the sentences are in order."""

import ast
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from tests.sentences import examples

HERE = Path(__file__).parents[1]
SRC = HERE / "src/benchmill"

#: Where sentences are written: modules, or functions of them.
WRITTEN = {
    "text/leaders.py": None,
    "exhibits/tables/solver_runs.py": None,
    "exhibits/tables/verdicts.py": None,
    "inference/verdicts.py": None,
    "inference/equivalence.py": ("statements",),
    "exhibits/sentences/statements.py": None,
    "exhibits/sentences/methods.py": None,
    **{
        f"exhibits/figures/{path.name}": (
            "caption",
            "words",
            "sentence",
            "trial_words",
            "cut_words",
            "late_words",
            "limit_words",
            "best_words",
            "seed_words",
            "highlight_words",
            "shown_words",
            "left_out",
            "_further",
            "_choice_words",
            "band_words",
        )
        for path in (SRC / "exhibits/figures").glob("*.py")
    },
}


#: What takes words that are no sentences of papers: messages about mistakes, headers of columns, options.
UNWRITTEN = {"Kind", "UserError", "ValueError", "Column", "option", "some", "nothing_to_draw", "KeyError"}


def pieces(path, functions):
    """The pieces of sentences in a module: three words or more that a person would read, without blanks at the ends."""
    tree = ast.parse((SRC / path).read_text("utf-8"))
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            skipped.add(node.body[0].value)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ENTRIES":
            # what a configuration and its page say of a kind
            skipped |= {part for part in ast.walk(node) if isinstance(part, ast.Constant)}
        of = node.func if isinstance(node, ast.Call) else None
        if isinstance(of, ast.Name) and of.id in UNWRITTEN:
            skipped |= {part for part in ast.walk(node) if isinstance(part, ast.Constant)}
    parts = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and (functions is None or n.name in functions)]
    if functions is None:
        parts.append(tree)
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
                yield from worded(node.value)


def worded(text):
    """The pieces between what is filled in."""
    for piece in re.split(r"\{[^}]*\}|\n", text):
        if len(re.findall(r"[A-Za-zé’']{2,}", piece)) >= 3 and " " in piece.strip():
            yield piece.strip()


#: Tables that say something of results, whose words are data.
TABLES = ("profile", "leaders", "rank_sets", "verdicts", "equivalence", "tests", "ranks", "comparisons", "posteriors")
TABLES += ("summary", "outcomes", "contributions")


#: Prose with gaps.
TEMPLATES = [
    str(path.relative_to(SRC)) for path in (SRC / "exhibits").rglob("*.j2") if path.stem not in ("badge", "forms", "numbers")
]
TEMPLATES += [str(path.relative_to(SRC)) for path in (SRC / "inference").glob("*.j2")]


def pieces_of_template(text):
    """The pieces of text between gaps, and those in quotes within them; a line end within a paragraph is a blank."""
    text = re.sub(r"\{#.*?#\}|^## [^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)
    gap = r"\{\{.*?\}\}|\{%.*?%\}"
    for inside in re.findall(gap, text, re.DOTALL):
        for quoted in re.findall(r'"(.*?)"', inside, re.DOTALL):
            yield from worded(" ".join(quoted.split()))
    for paragraph in re.split(r"\n\s*\n", re.sub(gap, "{}", text, flags=re.DOTALL)):
        yield from worded(" ".join(paragraph.split()))


def pieces_of_tables():
    entries = tomllib.loads((SRC / "exhibits/tables/fields.toml").read_text("utf-8"))
    for entry in (entries[name] for name in TABLES):
        meanings = [column.get("meaning", "") for column in entry["columns"]]
        for text in (entry["title"], entry["caption"], *meanings):
            yield from pieces_of_template(text)


@pytest.fixture(scope="module")
def written():
    return "\n".join(text for texts in examples().values() for text in texts)


def test_the_page_has_every_example(written):
    made = runpy.run_path(str(HERE / ".ci/sentences_page.py"))["page"]()
    assert made.count("\n- ") == sum(len(texts) for texts in examples().values()) > 300


#: Pieces without an example: what only a study of some hundred algorithms or a rare failure of a method says.
WITHOUT = HERE / "tests/sentences_without_example.txt"


def test_every_piece_of_a_sentence_has_an_example(written):
    plain = " ".join(written.split())
    every = [(path, one) for path, functions in WRITTEN.items() for one in pieces(path, functions)]
    every += [("exhibits/tables/fields.toml", one) for one in pieces_of_tables()]
    every += [(path, one) for path in TEMPLATES for one in pieces_of_template((SRC / path).read_text("utf-8"))]
    missing = {f"{path}: {one}" for path, one in every if " ".join(one.split()) not in plain}
    assert missing == set(WITHOUT.read_text("utf-8").splitlines())


def test_sentences_are_whole(written):
    for text in written.splitlines():
        assert "  " not in text
        assert not re.search(r" [,.;:)]|\( |\.\.|,,|\{|\}|None(?! of them)|nan\b", text), text
        assert not re.search(
            r"(?<![\d.,×]) 1 (problems|trials|runs|instances|algorithms|solvers|clusters|pairs|targets|panels|cells)\b",
            f" {text}",
        ), text
        assert text[0].isupper() or text[0].isdigit() or text.split()[0] in _NAMES, text
        assert text[-1] in ".”", text


_NAMES = {f"a{n}" for n in range(9)}


def test_captions_are_short():
    captions = examples()["Captions of figures"]
    assert sum(len(text) for text in captions) / len(captions) <= 265
    assert max(len(text) for text in captions) <= 470
