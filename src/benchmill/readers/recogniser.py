"""Recognises the format of a source: for the check of a configuration, for reading, for `benchmill inspect` and `add`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.readers.archive import Member, View, plain_name
from benchmill.readers.interface import Found, Report, rules
from benchmill.registry.formats import Format
from benchmill.text.labels import shown

#: Formats without suffixes of their own are looked for in this many files of each suffix, and in this many files in all.
_OF_A_SUFFIX, _IN_ALL = 20, 200

RULES = rules("recogniser")


def recognise(view: View, path: str | Path, formats: Mapping[str, Format]) -> Found | None:
    """Return the format of a source, or None if no format recognises it."""
    plain = {member.name: plain_name(member.name.lower()) for member in view.members}
    for step in range(3):
        several = {name: one for name, one in formats.items() if one.step == step}
        claimed = {
            name: [
                member
                for member in (view.members if one.suffixes else _sample(view))
                if (not one.suffixes or plain[member.name].endswith(one.suffixes)) and _sniffed(one, view.only(member))
            ]
            for name, one in several.items()
            if step < 2
        }
        _refuse_ambiguous(path, claimed)
        for name, one in several.items():
            # beyond the files one by one, a format may recognise the source as a whole
            found: Found | None = one.load().sniff(view)
            if found is None and claimed.get(name):
                found = one.load().sniff(view.only(claimed[name][0]))
            if found:
                return found
    return None


def report_others(view: View, format: str, formats: Mapping[str, Format], report: Report) -> None:
    """Report the files that a format leaves alone and another one recognises; a guess from a look does not count."""
    told = {name: one for name, one in formats.items() if name != format and one.step < 2}
    fruitless: Counter[str] = Counter()
    for member in view.members:
        suffix = _suffix(member.name)
        # what was read is for its reader to report
        if member.name in view.opened or f".{suffix}" in formats[format].beside:
            continue
        by_content, plain = fruitless[suffix] < _OF_A_SUFFIX, plain_name(member.name.lower())
        likely = {key: one for key, one in told.items() if (plain.endswith(one.suffixes) if one.suffixes else by_content)}
        if not likely or _sniffed(formats[format], view.only(member)):
            continue
        other = next((name for name, one in likely.items() if _sniffed(one, view.only(member))), None)
        if other:
            report.add("other_format", member.name, None, f"its format is {other!r}")
        # logs have thousands of further files of a kind that no format knows
        fruitless[suffix] = 0 if other else fruitless[suffix] + 1


def _suffix(name: str) -> str:
    return plain_name(name.rpartition("/")[2].lower()).rpartition(".")[2]


def _sniffed(one: Format, view: View) -> bool:
    try:
        return one.load().sniff(view) is not None
    except UserError:
        return False  # a file that cannot be read is of no format; whoever has to read it says so


def _sample(view: View) -> list[Member]:
    seen: Counter[str] = Counter()
    members: list[Member] = []
    for member in view.members:
        seen[_suffix(member.name)] += 1
        if seen[_suffix(member.name)] <= _OF_A_SUFFIX:
            members.append(member)
    return members[:_IN_ALL]


def _refuse_ambiguous(path: str | Path, claimed: Mapping[str, Sequence[Member]]) -> None:
    claims = Counter(member for members in claimed.values() for member in members)
    alone = {name: member for name, members in claimed.items() for member in reversed(members) if claims[member] == 1}
    if len(alone) < 2:
        return
    what = " and ".join(f"{name} (such as {shown(member.name)!r})" for name, member in alone.items())
    lines = " or ".join(f"`format: {name}`" for name in alone)
    raise UserError(
        f"{path}: it has files of {len(alone)} formats, {what}, and a source is read in one; "
        f"write into its entry which one ({lines}; `--format` of the command benchmill)."
    )
