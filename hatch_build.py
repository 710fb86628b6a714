"""Compile `_rows.c` into the package where that can be done; without a compiler the package is the same, and slower.

BENCHMILL_PURE=yes in the environment leaves the compiled part out, as for a package that every system can use.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path(__file__).parent / "src/benchmill/readers/_rows.c"
#: One file for every Python from 3.11 on.
BUILT = SOURCE.with_name("_rows.abi3.so")


def compiled() -> bool:
    """Whether `BUILT` could be made."""
    linker = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    if not linker or os.environ.get("BENCHMILL_PURE"):
        return False
    linker[0] = os.environ.get("CC", linker[0])
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    part = BUILT.with_suffix(f".{os.getpid()}")
    command = [*linker, "-O3", "-fPIC", f'-DSOURCE="{digest}"', f"-I{sysconfig.get_path('include')}", str(SOURCE)]
    try:
        done = subprocess.run([*command, "-o", str(part)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            part.replace(BUILT)
            return True
        why = done.stderr.strip().splitlines()[-1:] or ["the compiler says nothing"]
    except OSError as error:
        why = [str(error)]
    part.unlink(missing_ok=True)
    print(f"rows of logs are read by Python alone, since _rows.c cannot be compiled: {why[0]}", file=sys.stderr)
    return False


class Hook(BuildHookInterface):
    """Put the compiled file into the wheel, or beside its source for an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before files are gathered."""
        if not compiled():
            return
        if version == "standard":
            build_data["pure_python"] = False
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"cp311-abi3-{platform}"
            build_data["force_include"][str(BUILT)] = "benchmill/readers/" + BUILT.name


if __name__ == "__main__":
    print("compiled" if compiled() else "not compiled")
