"""The order in which people expect names: f2 before f10."""

import re
from functools import lru_cache

_DIGITS = re.compile(r"([0-9]+)")


def natural_key(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which `f2` comes before `f10`, ignoring case; None first."""
    return () if text is None else (*map(_key_of_part, filter(None, _DIGITS.split(text))), (-1, 0, text))


@lru_cache(2**16)
def _key_of_part(part: str) -> tuple[int, int, str]:
    # A number of thousands of digits is not for `int`.
    return (0, int(part), "") if _DIGITS.match(part) and len(part) < 1000 else (1, 0, part.casefold())
