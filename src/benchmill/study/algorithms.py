"""Which source of a study holds which algorithm: exactly one."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import pyarrow as pa
import yaml

from benchmill.core import Given, UserError, Written, frozen, schema, shown
from benchmill.core.names import fits, held_twice, lookalikes
from benchmill.study import elsewhere, validation

#: So many algorithms that two sources share are named; the number of the others is told.
_NAMED = 5


@frozen
class Holding:
    """The algorithms that one source holds, as the tables name them; `entry` is what `sources:` says of it."""

    source: str
    entry: Given
    format: str
    algorithms: Sequence[str]


def table(holdings: Iterable[Holding], where: str) -> pa.Table:
    """Return the table `algorithms` of a study.

    Raises
    ------
    UserError
        Two sources hold the same algorithm.
    """
    listed = list(holdings)
    if wrong := clashes(listed):
        raise UserError(" ".join(f"{where}: {message}" for message in wrong))
    return schema.of_rows(
        "algorithms",
        ({"algorithm": name, "source": each.source, "format": each.format} for each in listed for name in each.algorithms),
    )


def check_named(
    chosen: Given, not_competing: Sequence[str], in_logs: Sequence[str], holdings: Sequence[Holding], where: str
) -> None:
    """Check that the algorithms that a study chooses, renames and lets not compete are there, and that some are left.

    Raises
    ------
    UserError
        A name is that of no algorithm, or none is left.
    """
    names = list(dict.fromkeys(name for holding in holdings for name in holding.algorithms))
    named = [(f"algorithms.{key}", name, in_logs) for key, listed in chosen.items() for name in listed or ()]
    for key, name, there in [*named, *(("not_competing", name, names) for name in not_competing)]:
        if name not in there and (there is names or not any(fits(one, [name]) for one in there)):
            known = list(dict.fromkeys(there))
            raise UserError(f"{where}.{key}: no source has an algorithm {shown(name)!r}{validation.did_you_mean(name, known)}")
    if in_logs and not names:
        raise UserError(f"{where}: `algorithms` and `where` leave no run of any source; choose less narrowly.")
    if not_competing and len(not_competing) == len(names):
        raise UserError(f"{where}.not_competing: names all algorithms of the study, so none is left to rank; name fewer.")


def clashes(holdings: Iterable[Holding]) -> list[str]:
    """Return a sentence for sources that hold the same algorithms, and for names that look the same."""
    listed = list(holdings)
    first = {name: number for number in reversed(range(len(listed))) for name in listed[number].algorithms}
    twice = held_twice([holding.algorithms for holding in listed])
    if not twice:
        return []
    # planning fills in no template
    from benchmill.text import prose

    # of each source, what one before it holds, and the first of the sources that it hangs together with
    again: dict[int, list[str]] = {}
    hangs = list(range(len(listed)))
    for other, number, called, name in twice:
        if called == name:
            again.setdefault(number, []).append(name)
            ends = sorted((hangs[other], hangs[number]))
            hangs = [ends[0] if one == ends[1] else one for one in hangs]
    groups = [[number for number, one in enumerate(hangs) if one == head] for head in dict.fromkeys(hangs)]
    shared = [_shared(listed, group, again, first) for group in groups if len(group) > 1]
    alike = [
        {
            "first": _path(listed[other]),
            "second": _path(listed[number]),
            "called": ascii(called),
            "name": ascii(name),
            "renamed": _line({**listed[number].entry, "algorithm": _new_names(listed[number], [name], {called, name})}),
        }
        for other, number, called, name in twice
        if called != name
    ]
    return prose.sentences(__file__, shared=shared, alike=alike, most=_NAMED)


def check_problems(problems: Mapping[str, Iterable[str]], where: str) -> None:
    """Check that no two problems of a study, by source, have names that look the same.

    Raises
    ------
    UserError
        Two do, so that what is one problem for a reader would be two.
    """
    source_of = {name: source for source, listed in problems.items() for name in listed}
    for one, other in lookalikes(source_of):
        raise UserError(
            f"{where}: the problem {shown(one)!r} of {source_of[one]!r} is {one!a} and that of {source_of[other]!r} "
            f"{other!a}, which looks the same; write it the same way in the files of both."
        )


def _shared(
    listed: Sequence[Holding], group: Sequence[int], again: Mapping[int, Sequence[str]], first: Mapping[str, int]
) -> Written:
    """Return what is told of sources that hold the same algorithms."""
    later = [number for number in group if number in again]
    at = first[again[later[0]][0]]
    paths = [path for number in group for path in _paths(listed[number])]
    distinct = len(set(paths)) == len(paths) and not any(map(elsewhere.is_far, paths))
    # what must be equal for sources to be read as one
    alike = {repr(sorted({**_options(listed[number]), "name": "", "format": listed[number].format}.items())) for number in group}
    names = [holding.source for holding in listed]
    return {
        "first": _path(listed[at]),
        "second": _path(listed[later[0]]),
        "names": [repr(shown(name)) for name in again[later[0]] if first[name] == at],
        "sources": len(group),
        "whole": _line({"parts": paths, **_options(listed[group[0]])}) if distinct and len(alike) == 1 else "",
        "renamed": [
            _line(
                {**listed[number].entry, "algorithm": _new_names(listed[number], again[number], set(first))}
                | ({} if names.index(names[number]) == number else {"name": f"{names[number]}_{number + 1}"})
            )
            for number in later
        ],
    }


def _new_names(holding: Holding, names: Sequence[str], taken: set[str]) -> str | dict[str, str]:
    option = holding.entry.get("algorithm")
    new = {
        name: next(one for n in count(1) if (one := f"{name} ({holding.source}{f', {n}' if n > 1 else ''})") not in taken)
        for name in names
    }
    if isinstance(option, str):
        return new[names[0]]
    known: dict[str, str] = dict(option or {})
    return {log: new.get(name, name) for log, name in known.items()} | {
        name: new[name] for name in names if name not in known.values()
    }


def _paths(holding: Holding) -> list[str]:
    return holding.entry.get("parts") or [holding.entry["path"]]


def _path(holding: Holding) -> str:
    return repr(", ".join(_paths(holding)))


def _options(holding: Holding) -> Written:
    return {key: value for key, value in holding.entry.items() if key not in ("path", "parts", "sha256", "size_mb")}


def _line(entry: Given) -> str:
    text = yaml.safe_dump(dict(entry), sort_keys=False, allow_unicode=False, width=1_000_000, default_flow_style=True)
    return f"`- {text.strip()}`"
