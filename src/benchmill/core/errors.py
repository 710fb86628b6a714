"""The one exception for a mistake in what benchmill was given, not in benchmill itself."""

from pathlib import Path

AnyPath = str | Path


class UserError(Exception):
    """Something the user gave cannot be used.

    The message is one sentence a user can act on: where (file and line, or config key), what was
    found, what was expected, what to do. It is shown as it stands, without a traceback.

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": ["A", "B"], "problem": ["p", "p"], "cost": [1.0, None]})
    >>> try:
    ...     bm.costs(df)
    ... except bm.UserError as mistake:
    ...     print(mistake)
    row 1 of the DataFrame: column 'cost' is empty; expected a number or inf (or declare empty='failure' or empty='missing').
    """


def delete(path: AnyPath) -> str:
    """Return what to do with a damaged result; a link into a shared store is damaged there."""
    file = Path(path)
    if file.is_symlink():
        return f"delete it and {file.resolve()}, which it is a link to, and make it again"
    return "delete the file and make it again"
