"""Write files that appear complete or not at all, even when several processes write them or a write is interrupted.

A file stands first beside its place as `<name>.<random>.part`. Who begins to write one removes what others have begun of it: of
two jobs that make the same file the one that began first fails instead of mixing its bytes with the other's.
"""

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmill.core import AnyPath, UserError

#: What the system says when a disk cannot be written, and what to do about it.
_REMEDIES = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EROFS: "make the folder writable",
    errno.EACCES: "make the folder writable",
    errno.EPERM: "make the folder writable",
}


#: How the name of a file that is being written goes on behind the file's own.
_BEGUN = re.compile(r"\.[0-9a-f]{8}\.part\Z")


def cannot_write(path: AnyPath, error: OSError) -> UserError | None:
    """Return the error for a disk that is full or must not be written; None if the error is another one."""
    if error.errno not in _REMEDIES:
        return None
    return UserError(
        f"{path}: cannot be written ({os.strerror(error.errno)}); {_REMEDIES[error.errno]} and give the same command again, what "
        "is finished is kept."
    )


@contextmanager
def whole_file(path: AnyPath) -> Iterator[Path]:
    """Write a file under another name, which takes its place when the block ends well; else nothing is left.

    Raises
    ------
    UserError
        The disk is full or must not be written, or somebody else has begun to write the same file since.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for begun in [
            name for name in os.listdir(path.parent) if name.startswith(path.name) and _BEGUN.match(name, len(path.name))
        ]:
            path.with_name(begun).unlink(missing_ok=True)
        yield part
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, FileNotFoundError) and error.filename == str(part):
            raise UserError(
                f"{path}: another run makes the same file; let one run go on at a time, and give the same command again."
            ) from None
        if isinstance(error, OSError) and (refusal := cannot_write(path, error)):
            raise refusal from None
        raise


def remove_begun(folder: AnyPath) -> None:
    """Remove all partly written files below a folder; no process may still be writing there."""
    for begun in [path for path in Path(folder).rglob("*.part") if _BEGUN.search(path.name)]:
        with suppress(OSError):
            begun.unlink()


def write_text(path: AnyPath, text: str) -> None:
    """Write a text as UTF-8 (see `whole_file`)."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
