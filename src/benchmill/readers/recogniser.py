"""Recognises the format of a source: for the check of a configuration, for reading, for `benchmill inspect` and `add`."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
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
    for step in sorted({one.step for one in formats.values()}):
        several = {name: one for name, one in formats.items() if one.step == step}
        recognised: dict[str, tuple[Found, str]] = {}
        for name, one in several.items():
            likely = [] if one.guesses else view.members if one.suffixes else _sample(view)
            fitting = [
                member
                for member in likely
                if (not one.suffixes or plain[member.name].endswith(one.suffixes)) and _sniffed(one, view.only(member))
            ]
            # beyond the files one by one, a format may recognise the source as a whole
            if seen := _sniffed(one, view) or (_sniffed(one, view.only(fitting[0])) if fitting else None):
                recognised[name] = seen, f"{name} (such as {shown(fitting[0].name)!r})" if fitting else name
        if len(recognised) > 1:
            lines = " or ".join(f"`format: {name}`" for name in recognised)
            raise UserError(
                f"{path}: {len(recognised)} formats recognise it, {' and '.join(what for _, what in recognised.values())}, and a "
                f"source is read in one; write into its entry which one ({lines}; `--format` of the command benchmill)."
            )
        if recognised:
            return recognised.popitem()[1][0]
        # what is damaged its format says
        for name in sorted(several):
            several[name].load().sniff(view)
    return None


def report_others(view: View, format: str, formats: Mapping[str, Format], report: Report) -> None:
    """Report the files that a format leaves alone and another one recognises; a guess from a look does not count."""
    sure = {name: one for name, one in formats.items() if name != format and not one.guesses}
    fruitless: Counter[str] = Counter()
    for member in view.members:
        suffix = _suffix(member.name)
        # what was read is for its reader to report
        if member.name in view.opened or f".{suffix}" in formats[format].beside:
            continue
        by_content, plain = fruitless[suffix] < _OF_A_SUFFIX, plain_name(member.name.lower())
        likely = {key: one for key, one in sure.items() if (plain.endswith(one.suffixes) if one.suffixes else by_content)}
        if not likely or _sniffed(formats[format], view.only(member)):
            continue
        others = sorted(name for name, one in likely.items() if _sniffed(one, view.only(member)))
        if others:
            report.add("other_format", member.name, None, f"its format is {' or '.join(map(repr, others))}")
        # logs have thousands of further files of a kind that no format knows
        fruitless[suffix] = 0 if others else fruitless[suffix] + 1


def _suffix(name: str) -> str:
    return plain_name(name.rpartition("/")[2].lower()).rpartition(".")[2]


def _sniffed(one: Format, view: View) -> Found | None:
    with suppress(UserError):  # a file that cannot be read is of no format; whoever has to read it says so
        recognised: Found | None = one.load().sniff(view)
        return recognised
    return None


def _sample(view: View) -> list[Member]:
    seen: Counter[str] = Counter()
    members: list[Member] = []
    for member in view.members:
        seen[_suffix(member.name)] += 1
        if seen[_suffix(member.name)] <= _OF_A_SUFFIX:
            members.append(member)
    return members[:_IN_ALL]
