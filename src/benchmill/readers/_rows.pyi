from benchmill.readers.rows import Columns

SOURCE: str

def scan(texts: list[bytes], marks: bytes, columns: Columns, before: int, most: int, /) -> tuple[object, ...]: ...
