"""`python -m benchmill` is the command `benchmill`."""

from __future__ import annotations

import sys

from benchmill.cli import main

if __name__ == "__main__":
    sys.exit(main())
