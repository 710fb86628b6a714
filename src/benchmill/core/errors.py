"""The one exception that stands for a mistake in what the user gave, not in benchmill."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave cannot be used.

    The message is one sentence a user can act on: where (file and line, or config key), what was
    found, what was expected, what to do. It is shown as it stands, without a traceback.
    """
