"""Text of logs as it comes: any encoding, any line ends, every spelling of a value that is not there."""

from __future__ import annotations

import re

_MISSING = re.compile(r"[-\u2010-\u2015\u2212*?.\s]*|n\.?\s*/?\s*a\.?|nan|none|null|missing", re.IGNORECASE)


def decoded(data: bytes) -> str:
    """Text in UTF-8, in UTF-16 with a byte order mark, or (what is neither) in Windows-1252; never fails."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value: blank, dashes of any length, `*`, `?`, `NA`, `n/a`, `NaN`, `none`."""
    return _MISSING.fullmatch(cell.strip()) is not None
