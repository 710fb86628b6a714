"""The interface of log formats; docs/extending.md has an example.

A format is a module with `Options`, `RULES`, `sniff(view)`, `read(view, options, report)` and perhaps `propose(view, entry)`,
which yields a `Proposal` for each entry that may be meant, or an `Asked` where nothing can be proposed.
`read` yields pairs of tables `trials` and `traces`, bounded in size. Trials are numbered without gaps in each pair, from any
number, and rows are in the pair of their trial.
"""

from __future__ import annotations

import difflib
import string
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import pyarrow as pa

from benchmill.core import Given as Given
from benchmill.core import Index, UserError, beside, schema, shown
from benchmill.core import Written as Written
from benchmill.core.options import option

if TYPE_CHECKING:
    from benchmill.readers.selection import Selection

#: A part of a source that is read at once: tables `trials` and `traces`.
Batch: TypeAlias = tuple[pa.Table, pa.Table]
#: Texts by name: the cells of a row by its columns, the attributes of an element.
Texts: TypeAlias = dict[str, str]
#: All parts of a source, one after the other.
Batches: TypeAlias = Iterator[Batch]


class Rule(NamedTuple):
    """A named irregularity: what becomes of it, in one sentence what it is and what is done, and what is said of each case.

    It is doubtful where only the owner of the data can know how they are to be read, and has not said so.
    """

    outcome: Literal["repaired", "noted", "refused"]
    meaning: str
    doubtful: bool = False
    detail: str = ""
    """A template of facts, whose texts are shown plain with `!s` and in quotes with `!r`; empty where cases are told of apart."""


class _Plainly(string.Formatter):
    def convert_field(self, value: Any, conversion: Any) -> Any:
        return super().convert_field(shown(value) if conversion and isinstance(value, str) else value, conversion)


_RULES: dict[str, Written] = beside.toml(__file__)
_SCHEMAS = _RULES.pop("schemas")
#: What an option says that takes one text or several.
NAMES: Written = _SCHEMAS["names"]
#: What an option says that chooses by columns.
CONDITIONS: Written = _SCHEMAS["conditions"]


def rules(module: str) -> dict[str, Rule]:
    """Return the rules of a module of readers, by name."""
    return {name: Rule(**fields) for name, fields in _RULES[module].items()}


#: Rows with file and line that are kept of one rule; the counts beyond it stay exact.
MOST_EXAMPLES = 10_000

#: Characters of proposals that a message has at most.
_LONGEST_PROPOSAL = 2000

#: Algorithms that a source may hold unless its entry says otherwise: what compares them grows with their square.
MOST_ALGORITHMS = 100


@dataclass(frozen=True)
class Options:
    """The keys that the entry of a source in any format may have in `config.yaml`, beside its path, name and format."""

    algorithm: str | Mapping[str, str] | None = option(
        "name of the algorithm, replacing the one in the logs; or a mapping of names in the logs to new names",
        None,
        **_SCHEMAS["renaming"],
    )
    suite: str | None = option("suite of the problems, replacing the one in the logs", None, type="string", minLength=1)
    most_algorithms: int = option(
        "algorithms that the source may hold; more are an error, since pairs of them are compared", MOST_ALGORITHMS, minimum=1
    )
    most_missing: int | None = option(
        "missing trials that the source's own design may expect; by default 10000, or ten for each trial that is there if "
        "that is more. If a design would lack more, only the trials that are there or listed are expected",
        None,
        type="integer",
        minimum=0,
    )
    where: Given = option(
        "which part of the source is read: for each column a value, a list of values, or {not: ...}; columns are those of the "
        "file, if it is a table, or algorithm, suite, problem, dimension, instance, run, seed, version, settings, time_limit_s",
        {},
        **CONDITIONS,
    )
    strict: bool = option("whether every repair and every refusal is an error", False)
    switch_off: Sequence[str] = option("repairs that must not be made, by name", (), uniqueItems=True)


#: Numbers from here on are no measured values: loggers begin with 1e300, or with the largest number, as the best value so far.
PLACEHOLDER = 1e100

#: The irregularities that any source can have, whatever its format.
RULES = rules("interface")


class Proposal(NamedTuple):
    """Options with which a source can be read, and what only its owner can know about them, as questions."""

    options: Written
    questions: tuple[str, ...] = ()


class Asked(NamedTuple):
    """The first rows of a source, options that names in it suggest, and what only its owner can know besides."""

    rows: list[list[str]]
    options: Written
    questions: tuple[str, ...]


class Incomplete(UserError):
    """The entry of a source says too little for it to be read."""

    def __init__(self, found: str, remedy: str, proposals: Sequence[Proposal] = (), asked: Asked | None = None) -> None:
        texts = [f"`{flow(proposal.options)}`" for proposal in proposals]
        if texts and sum(map(len, texts)) <= _LONGEST_PROPOSAL:
            remedy = f"it can be read with {' or with '.join(texts)} in its entry"
        elif texts:
            remedy = "`benchmill inspect` prints an entry that reads it"
        elif asked is not None:
            asks = "" if found in asked.questions[0] else f" and asks: {asked.questions[0]}"
            remedy = f"{remedy} (`benchmill inspect` shows its first rows{asks})"
        super().__init__(f"{found}; {remedy}.")
        self.found, self.remedy, self.proposals, self.asked = found, remedy, tuple(proposals), asked


def flow(options: Given) -> str:
    """Return options in YAML, on one line and without the braces around them."""
    return in_yaml(dict(options), True)[1:-1]


def in_yaml(content: Any, in_flow: bool | None = None) -> str:
    """Return content in YAML, its letters as they are unless one cannot be seen or has another form that looks the same."""
    import yaml

    texts = [
        str(yaml.safe_dump(content, sort_keys=False, allow_unicode=letters, width=10**9, default_flow_style=in_flow)).strip()
        for letters in (True, False)
    ]
    return texts[0 if texts[0].replace("\n", "").isprintable() and unicodedata.is_normalized("NFC", texts[0]) else 1]


class Found(NamedTuple):
    """A first look at a source; `algorithms` are those of the first recognised header, not necessarily all."""

    format: str
    algorithms: tuple[str, ...] = ()


#: The place of a trial in an experiment: algorithm, suite, problem, dimension, instance.
Place = tuple[str, str | None, str, int | None, str | None]


@dataclass
class Report:
    """Collects the irregularities of one source while it is read."""

    rules: Mapping[str, Rule]
    strict: bool = False
    switched_off: frozenset[str] = frozenset()
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Written]] = field(default_factory=dict)
    absent: Counter[Place] = field(default_factory=Counter)
    rows_read: int = 0
    selection: Selection | None = None
    """The choices of the source's entry by `where`."""

    asked: list[Proposal] = field(default_factory=list)
    """Options with which the source may have to be read, though it can be read without."""
    full_grid: bool | None = None
    """True where this source is meant to be a full grid, where that is not the same for all sources of its format."""
    measure: Written = field(default_factory=dict)
    """Settings that a measure of this source's costs needs."""
    made_of: list[Written] = field(default_factory=list)
    """Sources to be cited that this one was made of: `name`, `algorithms`, `sha256`, and `citation`, `url` or both."""

    def is_off(self, rule: str) -> bool:
        """Tell whether the rule was switched off by the user."""
        return rule in self.switched_off

    def add(self, rule: str, file: str, line: int | None, /, detail: str = "", count: int = 1, **facts: Any) -> None:
        """Report one irregularity (or `count` equal ones, at the place of the first): its detail, or the facts of its rule's."""
        detail = detail or _Plainly().format(self.rules[rule].detail, **facts)
        if self.rules[rule].outcome != "noted" and (self.strict or self.is_off(rule)):
            why = f"`switch_off` names {rule!r}" if self.is_off(rule) else "`strict` is set"
            raise UserError(f"{place(file, line)}: {detail} (rule {rule!r}), and {why}; correct the file or allow the rule.")
        self.counts[rule] += count
        kept = self.examples.setdefault(rule, [])
        if len(kept) < MOST_EXAMPLES:
            kept.append({"file": file, "line": line, "detail": detail})

    def ask(
        self, options: Written, question: str, rule: str, where: tuple[str, int | None], detail: str = "", n: int = 1, **said: Any
    ) -> None:
        """Report what may be read otherwise, with the options for that and what its owner has to answer."""
        self.add(rule, *where, detail, n, **said)
        self.asked.append(Proposal(options, (question,)))

    def expect(self, where: Place) -> None:
        """Count a trial that the source itself lists and that cannot be read: it is missing."""
        self.absent[where] += 1

    def irregularities(self) -> list[Written]:
        """Return one entry a rule that occurred, sorted by name."""
        return [
            {
                "rule": rule,
                "outcome": self.rules[rule].outcome,
                "meaning": self.rules[rule].meaning,
                "count": self.counts[rule],
                **self.examples[rule][0],
                "examples": self.examples[rule],
                "cut": len(self.examples[rule]) >= MOST_EXAMPLES and self.counts[rule] > MOST_EXAMPLES,
            }
            for rule in sorted(self.counts)
        ]


#: What sources without traces have.
NO_TRACES = pa.Table.from_batches([], schema.TABLES["traces"])


def trace_rows(trials: pa.Table, rows: Index, columns: Given) -> pa.Table:
    """Return the table `traces` with these columns, whose rows are of the trials in the given rows of `trials`."""
    keys = trials.select(["suite", "problem", "dimension", "instance", "algorithm", "run", "trial"]).take(pa.array(rows))
    return schema.table("traces", {**dict(zip(keys.column_names, keys.columns, strict=True)), **columns})


def grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    """Return the values of each key, in their order."""
    groups: dict[Any, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def did_you_mean(word: str, known: Collection[str], otherwise: str) -> str:
    """Return the end of a message about an unknown word: the nearest known one, or something else."""
    near = difflib.get_close_matches(word, known, 1)
    return f"did you mean {shown(near[0])!r}?" if near else otherwise


def listed(texts: str | Sequence[str]) -> list[str]:
    """Return what an option says that takes one text or several."""
    return [texts] if isinstance(texts, str) else list(texts)


def place(file: str, line: int | None) -> str:
    """Return `file:line`, or the file alone."""
    return file if line is None else f"{file}:{line}"


def file_and_line(source: str) -> tuple[str, int | None]:
    """Return the place of a trial as its column `source` states it."""
    file, colon, line = source.rpartition(":")
    return (file, int(line)) if colon and line.isdigit() else (source, None)


def renamed(names: Iterable[str], option: str | Mapping[str, str] | None, where: str) -> Texts:
    """Return the name to show for each algorithm name in the logs, by the option `algorithm`."""
    logged = sorted({*names})
    new = dict.fromkeys(logged, option) if isinstance(option, str) else option or {}
    if unknown := sorted(set(new) - {*logged}):
        raise UserError(f"{where}: `algorithm` renames {unknown[0]!r}, but the logs name {logged}; correct the name.")
    return {name: new.get(name, name) for name in logged}
