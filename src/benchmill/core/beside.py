"""Find what lies beside the code: the workflow, and the data that a module keeps in a file of the same name."""

import tomllib
from pathlib import Path

from benchmill.core import Written

_CARRIED = Path(__file__).parents[1] / "_workflow"

#: The folder of `Snakefile`, `workflow/`, `scripts/`, `profiles/` and `studies/new/`: carried by a wheel, or the clone itself.
ROOT = _CARRIED if _CARRIED.is_dir() else Path(__file__).parents[3]


def toml(module: str) -> Written:
    """Return what the TOML file beside a module says."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))


def fixed(facts: Written) -> Written:
    """Return facts of such a file with its lists as tuples."""
    return {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in facts.items()}
