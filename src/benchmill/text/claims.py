"""Claims as people write them, `SLSQP better than Powell`, `A as good as B within 5 %`, and how far they hold."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from benchmill.core.errors import UserError
from benchmill.text.frames import Frame, frame

#: What a claim can say, with an example of each.
KINDS = {
    "better": "A better than B",
    "best": "A best",
    "as_good": "A as good as B within 5 %",
}

#: The words that tell them apart.
_WORDS = {"better": ("better", "than"), "as_good": ("as", "good", "as"), "best": ("best",)}
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s"'%][^\s"%]*)|(%))""")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Claim:
    """A claim about one algorithm, against another or all others; `margin` is in per cent."""

    text: str
    kind: str
    algorithm: str
    other: str | None = None
    measure: str | None = None
    margin: float | None = None


def parsed(text: str, where: str) -> Claim:
    """Read a claim; names with words of claims or `%` are in quotes. Raises UserError if it is not one."""
    tokens = list(_TOKEN.finditer(text.strip()))
    if "".join(one[0] for one in tokens) != text.strip():
        raise UserError(f"{where}: {text!r} has an unmatched quotation mark; close it, or use the other kind.")
    words = [next(part for part in one.groups() if part is not None) for one in tokens]
    free = [word if one[1] is None and one[2] is None else "" for word, one in zip(words, tokens, strict=True)]
    places = {kind: _place(free, numbers) for kind, numbers in _WORDS.items()}
    kind, at = next(((kind, place) for kind, place in places.items() if place is not None), ("", 0))
    if not kind:
        raise _unread(text, where)
    behind = at + len(_WORDS[kind])
    rest, free, named = _cut(words[behind:], free[behind:], "on")
    measure = None if named is None else " ".join(named)
    margin = None
    if kind == "as_good":
        rest, free, numbers = _cut(rest, free, "within")
        if (
            numbers is None
            or len(numbers) != 2
            or numbers[1] != "%"
            or not _NUMBER.fullmatch(numbers[0])
            or not float(numbers[0]) > 0
        ):
            raise UserError(
                f"{where}: {text!r} needs a margin; write how many per cent do not matter, such as `{KINDS['as_good']}`."
            )
        margin = float(numbers[0])
    first, second = " ".join(words[:at]), " ".join(rest)
    if not first or bool(second) != (kind != "best") or measure == "" or "%" in free or "%" in words[:at]:
        raise _unread(text, where)
    if first == second:
        raise UserError(f"{where}: {text!r} compares an algorithm with itself; name two.")
    return Claim(text.strip(), kind, first, second or None, measure, margin)


def written(kind: str, algorithm: str, other: str | None = None) -> Claim:
    """Return a claim with the text that a person could have written."""
    return Claim(" ".join([_name(algorithm), kind, *([] if other is None else ["than", _name(other)])]), kind, algorithm, other)


def known(name: str, names: Sequence[str], what: str, where: str) -> str:
    """Return the name if it is there, else raise UserError with the nearest one."""
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(names)}."
    raise UserError(f"{where}: there is no {what} {name!r}; {hint}")


def _place(free: Sequence[str], words: Sequence[str]) -> int | None:
    places = range(1, len(free) - len(words) + 1)
    return next((at for at in places if [word.lower() for word in free[at : at + len(words)]] == [*words]), None)


def _cut(words: list[str], free: list[str], at: str) -> tuple[list[str], list[str], list[str] | None]:
    if at not in free:
        return words, free, None
    place = len(free) - 1 - free[::-1].index(at)
    return words[:place], free[:place], words[place + 1 :]


def _name(name: str) -> str:
    words = set(name.split())
    plain = " ".join(name.split()) == name and not words & {"better", "best", "as", "than", "on", "within", "good"}
    if plain and not set(name) & set("\"'%"):
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


def _unread(text: str, where: str) -> UserError:
    examples = " or ".join(f"`{example}`" for example in KINDS.values())
    return UserError(
        f"{where}: {text!r} is no claim that can be read; write {examples}, each followed by ` on <measure>` if you like, and "
        """put names that have these words or `%` in quotes, in YAML '"a%" better than B'."""
    )


# --- how far they hold ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """A claim, its sentence, whether it holds by the primary analysis, and its rows.

    `holding`, `failing` and `undecidable` count the other conventions that differ on the data.
    """

    claim: str
    measure: str
    text: str
    holds: bool
    holding: int
    failing: int
    undecidable: int
    rows: Frame

    @property
    def everywhere(self) -> bool:
        """Return True if it holds in every convention that can decide."""
        return self.holds and not self.failing

    @property
    def counted(self) -> int:
        """Return how many other conventions differ on the data."""
        return self.holding + self.failing + self.undecidable


def held(table: pa.Table | None, measure: str | None = None) -> Iterator[Held]:
    """Yield the claims of a study in their order, or those about a measure."""
    yield from held_in(frame(table, measure))


def held_in(rows: Frame) -> Iterator[Held]:
    """Yield the same of rows of the table as a data frame."""
    if not len(rows):
        return
    for claim in rows["claim"].unique():
        own = rows[rows["claim"] == claim]
        first, others = own.iloc[0], own.iloc[1:]
        differing = others[others["same_as"].isna()]
        counts = [int(mask.sum()) for mask in (differing["outcome"] == "holds", differing["holds"].isna())]
        yield Held(
            str(claim),
            str(first["measure"]),
            str(first["text"]),
            bool(first["outcome"] == "holds"),
            counts[0],
            len(differing) - sum(counts),
            counts[1],
            own,
        )
