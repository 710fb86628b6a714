"""Write build/sentences.md: every sentence of papers and pages, made by its function from the examples of tests/sentences.py."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE))

HEAD = """# Every sentence

Made by `make sentences` from `tests/sentences.py`; a test looks whether each piece of a sentence in the code has an example here.

These are the sentences that benchmill writes into papers, pages and captions, with made-up numbers and algorithms, as they read
for one algorithm and several, for ties, and where all fail. `results/<study>/texts.tex` has those of your study under names
(docs/figures.md). A `[key]` becomes a citation.
"""


def page() -> str:
    """Return the text of the page."""
    from benchmill.text import labels
    from tests.sentences import examples

    parts = [HEAD]
    for heading, texts in examples().items():
        parts.append(f"## {heading}\n")
        parts += [f"- {labels.markdown(text)}" for text in texts]
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    made = HERE / "build/sentences.md"
    made.parent.mkdir(exist_ok=True)
    made.write_text(page(), "utf-8")
