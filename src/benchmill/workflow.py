"""Where the workflow is: its Snakefile, rules, scripts and profiles, and the folder that a new study starts as.

There is one copy of them, at the root of the repository. A wheel carries it inside the package (`force-include` in
pyproject.toml); an editable installation uses the clone itself.
"""

from __future__ import annotations

from pathlib import Path

_CARRIED = Path(__file__).parent / "_workflow"

#: The folder of `Snakefile`, `workflow/`, `scripts/`, `profiles/` and `studies/new/`.
ROOT = _CARRIED if _CARRIED.is_dir() else Path(__file__).parents[2]

#: The workflow, for `include:`, for a `module`, and for `snakemake -s`.
SNAKEFILE = str(ROOT / "Snakefile")
