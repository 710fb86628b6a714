"""Groups of problems that the field has names for."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmill.core import Given, UserError, natural_key

#: The classes of the noiseless BBOB functions, first and last number: Hansen, Finck, Ros, Auger, INRIA report RR-6829, 2009.
_BBOB = (
    ("separable", 1, 5),
    ("low or moderate conditioning", 6, 9),
    ("high conditioning, unimodal", 10, 14),
    ("multi-modal, adequate structure", 15, 19),
    ("multi-modal, weak structure", 20, 24),
)
_FUNCTION, _SUITES = re.compile(r"f0*([0-9]+)(?:[^0-9].*)?"), re.compile(r"bbob(-largescale|-mixint)?", re.IGNORECASE)
#: Names under which a study can ask for groups.
KNOWN = ("bbob",)


def is_attribute(groups: Any) -> bool:
    """Return True for groups of an attribute, `{class: {large: [...], small: [...]}}`, which may name more than there is."""
    return isinstance(groups, Mapping) and len(groups) == 1 and all(isinstance(problems, Mapping) for problems in groups.values())


def check_listed(listed: Iterable[str], reports: Sequence[Given], at: str) -> None:
    """Raise if a problem that something lists is in none of the sources, by their reports: its name is then mistaken."""
    known = {str(name) for report in reports for name in report["problems"]} | {
        str(entry["problem"]) for report in reports for entry in report["missing"]
    }
    if unknown := [name for name in map(str, listed) if name not in known]:
        near = difflib.get_close_matches(unknown[0], sorted(known, key=natural_key), 3, 0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {len(known)} others."
        raise UserError(f"{at} names {unknown[0]!r}, a problem that no source has; {hint}")


def check(groups: Any, reports: Sequence[Given], at: str) -> None:
    """Raise if groups list a problem that is in none of the sources; those of attributes and of the field may."""
    for name, problems in {} if isinstance(groups, str) or is_attribute(groups) else dict(groups or {}).items():
        check_listed(problems, reports, f"{at}: the group {name!r}")


def members(name: str, problems: Iterable[str]) -> dict[str, list[str]]:
    """Return the problems of each group of that name, one of `KNOWN`, by labels in the order of the field (`f1–f5, separable`).

    Problems are named as in logs, `f7`, `f07`, `f7_SomeName`; others are in no group.
    """
    if name not in KNOWN:
        raise KeyError(name)
    functions = [(match.string, int(match[1])) for match in map(_FUNCTION.fullmatch, problems) if match]
    return {
        f"f{first}–f{last}, {label}": [problem for problem, number in functions if first <= number <= last]
        for label, first, last in _BBOB
    }


def problems_of(groups: Given | str | None, problems: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the problems of each group, where groups may be given by the name under which the field knows them."""
    if isinstance(groups, Mapping) and is_attribute(groups):
        there = {
            f"{value}": [problem for problem in own if problem in set(problems)]
            for value, own in next(iter(groups.values())).items()
        }
        return {value: own for value, own in there.items() if own}
    if not isinstance(groups, str):
        return groups or {}
    if groups not in KNOWN:
        raise UserError(f"ecdf: there are no groups {groups!r}, expected {', '.join(KNOWN)} or the problems of each group.")
    return members(groups, problems)


def labels(groups: Any) -> list[str]:
    """Return the labels of the groups that `indicators.ecdf.groups` names, or lists by group or by attribute."""
    if isinstance(groups, str):
        return list(members(groups, []))
    if is_attribute(groups):
        (groups,) = groups.values()
    return [str(label) for label in groups or {}]


def label_of(word: str, known: Iterable[str]) -> str | None:
    """Return the label that a word means: itself, or what one says behind its functions (`separable`)."""
    fitting = [label for label in known if word in (label, label.partition(", ")[2])]
    return fitting[0] if len(fitting) == 1 else None


def of_suites(suites: Sequence[str]) -> str | None:
    """Return the name of the groups that belong to these suites; None where one of them has none."""
    return "bbob" if suites and all(map(_SUITES.fullmatch, suites)) else None
