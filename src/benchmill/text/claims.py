"""Claims as people write them, `SLSQP better than Powell`, `A as good as B within 5 %`, and how far they hold."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from benchmill.core import UserError
from benchmill.text.frames import Frame, frame

#: What a claim can say, with an example of each.
KINDS = {
    "better": "A better than B",
    "best": "A best",
    "as_good": "A as good as B within 5 %",
}

#: How each is said: the words that tell it apart are the first ones.
_SAID = {
    "better": re.compile(r"(.+?) (?i:better than)((?: .*)?)"),
    "as_good": re.compile(r"(.+?) (?i:as good as)((?: .*)?)"),
    "best": re.compile(r"(.+?) (?i:best)((?: .*)?)"),
}
#: Where the letters begin that stand for what is in quotes.
_PRIVATE = 0xF0000
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s"'%][^\s"%]*)|(%))""")


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
    # what is in quotes stands as one letter that no name has
    quoted = {_PRIVATE + n: one[1] or one[2] or "" for n, one in enumerate(tokens) if one.lastindex in (1, 2)}
    words = " ".join(chr(_PRIVATE + n) if _PRIVATE + n in quoted else one[0].strip() for n, one in enumerate(tokens))
    found = {kind: said for kind, form in _SAID.items() for said in [form.fullmatch(words)] if said}
    if not found:
        raise _unread(text, where)
    kind, said = next(iter(found.items()))
    rest, measure = _cut(said[2], "on")
    margin = None
    if kind == "as_good":
        rest, within = _cut(rest, "within")
        number = re.fullmatch(r"(\d+(?:\.\d+)?) %", within or "")
        if number is None or not float(number[1]) > 0:
            raise UserError(
                f"{where}: {text!r} needs a margin; write how many per cent do not matter, such as `{KINDS['as_good']}`."
            )
        margin = float(number[1])
    first, second = said[1].translate(quoted), rest.translate(quoted)
    measure = measure and measure.translate(quoted)
    signs = [*(word.translate(quoted) for word in said[1].split()), *rest.split()]
    if not first or bool(second) != (kind != "best") or measure == "" or "%" in signs:
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


def _cut(words: str, at: str) -> tuple[str, str | None]:
    """Return what stands before and behind the last of a word, None where it is not there."""
    before, found, behind = f" {words} ".rpartition(f" {at} ")
    return (before.strip(), behind.strip()) if found else (words.strip(), None)


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
    for claim, own in rows.groupby("claim", sort=False, observed=True) if len(rows) else ():
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
