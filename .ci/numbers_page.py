"""Write docs/numbers.md: its names come from benchmill.exhibits.tables.numbers, so the page cannot disagree with numbers.tex."""

from __future__ import annotations

from pathlib import Path

from benchmill.exhibits.tables.numbers import NAMES

HERE = Path(__file__).parents[1]

HEAD = r"""# Numbers for the text of a paper

Made by `make lock` from `src/benchmill/exhibits/tables/numbers.py`; a test compares the two.

`results/<study>/numbers.tex` gives every headline number a name. After `\\input{numbers.tex}` a paper writes

```latex
Of \\benchmill{bbob/trials/found} trials, \\benchmill{bbob/trials/missing} are missing.
```

and is never stale: the numbers change with the data, and a name that no longer exists stops LaTeX with a message. The first
lines of the file list all names of the study but those of single values, `indicators/` and `ecdf/`, which have names up to
10 000 of each; behind each definition stands the unrounded value. `benchmill why results/<study>` lists all. The `<problem>`
of a single value is suite, problem and instance, a `<curve>` suite, group, problem, dimension and target, as far as it has
them, joined by `-`.

With more than 300 pairs of algorithms (25 algorithms have 300) the numbers of pairs are in `verdicts.parquet` and
`comparisons/<measure>.parquet` alone: TeX has no room for the names of some hundred algorithms. A study with a `control` has
those of its primary analysis all the same.

Names begin with the study. Parts in `<…>` are names of the configuration and of the logs, with everything but letters, digits,
`.`, `_`, `+` and `-` replaced (then a short digest keeps different names apart). `<group>` is `all`, or what the profile or test
is made once for: `dimension-5`, `target-1e-08`, `budget-100`, joined by `-`. `<unsolved>` is what a
failed run of a solver counts: `limit`, `x2` and `x10` times its limit, or `all_solved`, the instances alone that all
solve; of gaps and integrals `as_is`, or `all_measured`, the instances alone on which every run has one
([solver runs](solver_runs.md)). `<comparison>` is followed by its correction where
a study has several.

| name, after `<study>/` | number |
| --- | --- |
"""


def page() -> str:
    """The text of docs/numbers.md."""
    return HEAD.replace("\\\\", "\\") + "".join(f"| `{name}` | {meaning} |\n" for name, meaning in NAMES.items())


if __name__ == "__main__":
    (HERE / "docs/numbers.md").write_text(page(), "utf-8")
