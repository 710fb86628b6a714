"""Write environment.yml, for conda, from pyproject.toml; `make lock` runs this and a test compares.

Conda users get the packages and ranges of `pip install benchmill[test]`. The solve itself is conda's.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parents[1]
#: Packages that conda channels carry under another name, or in parts.
NAMES = {"isal": ["python-isal"], "matplotlib": ["matplotlib-base"], "snakemake": ["snakemake-minimal", "pygments"]}


def environment() -> str:
    """The text of environment.yml."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [
        "# Made from pyproject.toml by `make lock`; change it there.",
        "name: benchmill",
        "channels: [conda-forge, bioconda, nodefaults]",
        "dependencies:",
        f'  - "python {project["requires-python"]}"',
    ]
    for text in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
        requirement = Requirement(text)
        first, *others = NAMES.get(requirement.name, [requirement.name])
        version = ",".join(sorted(str(requirement.specifier).split(","), reverse=True))
        lines += [f'  - "{f"{first} {version}".strip()}"', *(f'  - "{name}"' for name in others)]
    return "\n".join([*lines, '  - "pip"', "  - pip:", '      - "--editable ."', ""])


if __name__ == "__main__":
    (HERE / "environment.yml").write_text(environment(), "utf-8")
