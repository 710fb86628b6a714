"""The tests that `make test` leaves out."""

import re
from pathlib import Path

from .conftest import THOROUGH


def test_every_thorough_test_exists():
    root = Path(__file__).parent.parent
    for test in THOROUGH:
        path, _, name = test.partition("::")
        function = name or r"test_\w+"
        assert re.search(rf"^def {function}\(", (root / path).read_text("utf-8"), re.M), test
