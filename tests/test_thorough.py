"""The tests that `make test` leaves out."""

import re
from pathlib import Path

from .conftest import THOROUGH


def test_every_thorough_test_exists():
    root = Path(__file__).parent.parent
    for test in THOROUGH:
        path, name = test.split("::")
        assert re.search(rf"^def {name}\(", (root / path).read_text("utf-8"), re.M), test
