"""Files with the same content, as where a folder was copied into itself: nothing else shows that their runs count twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable

from benchmill.readers.archive import View, plain_name
from benchmill.readers.blocks import BYTES_AT_ONCE
from benchmill.readers.interface import Report, rules

RULES = rules("same_content")


class Contents:
    """The files of a source that were read so far; only those of the same length are compared."""

    def __init__(self, view: View, report: Report) -> None:
        self._view = view
        self._report = report
        self._sizes = {member.name: member.size for member in view.members}
        self._alike = Counter(self._sizes.values())
        self._seen: dict[tuple[Hashable, bytes], str] = {}

    def compare(self, name: str, text: bytes | None, among: Hashable = None) -> None:
        """Report a file with the content of an earlier one.

        Parameters
        ----------
        text : bytes or None
            Its content, where it is at hand.
        """
        size = self._sizes[name]
        if (plain := plain_name(name)) != name and plain in self._sizes:
            self._report.add("same_content", name, None, f"by its name it is {plain}, packed")
        if size and self._alike[size] > 1:
            first = self._seen.setdefault((among, self._digest(name, text)), name)
            if first != name:
                self._report.add("same_content", name, None, f"it is the same as {first}")

    def _digest(self, name: str, text: bytes | None) -> bytes:
        total = hashlib.sha256()
        for chunk in self._view.chunks(name, BYTES_AT_ONCE) if text is None else [text]:
            total.update(chunk)
        return total.digest()
