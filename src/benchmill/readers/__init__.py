"""Reading of raw logs into `trials` and `traces`: what all formats share."""

import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import Array, Given, Index, Mask, UserError, Written, contradictions, natural_key, schema, shown, storage
from benchmill.core.names import normal
from benchmill.core.options import properties
from benchmill.core.whole_file import whole_file
from benchmill.readers import archive, best_known, interface, selection
from benchmill.readers.archive import Member, View, open_parts, open_view, plain_name
from benchmill.readers.interface import (
    NO_TRACES,
    PLACEHOLDER,
    Asked,
    Batch,
    Batches,
    Found,
    Incomplete,
    Proposal,
    Report,
    Rule,
    Texts,
    did_you_mean,
    file_and_line,
    flow,
    place,
    rules,
)
from benchmill.readers.selection import OF_STUDY, OfStudy, Selection
from benchmill.readers.tally import Needs, Places, Tally
from benchmill.readers.text import CUT_LINE, MATLAB, OF_MATLAB
from benchmill.registry import formats
from benchmill.text.display import plural
from benchmill.text.labels import stem

__all__ = [
    "Found",
    "examine",
    "ingest",
    "load",
    "options_schema",
    "sniff",
    "source_digest",
]

#: Where a source is, or the parts of one.
_Paths: TypeAlias = str | Path | Sequence[str | Path]

#: What makes the place of a trial in an experiment (`interface.Place`), and the names in it.
_PLACE = ["algorithm", "suite", "problem", "dimension", "instance"]
_NAMES = ("algorithm", "suite", "problem", "instance")

#: Bytes up to which a source that cannot be read is read again to propose what its entry could say.
_MOST_TO_TRY = 2**25

#: How much better than the optimum a value may be, relative to the optimum or to 1, because digits were cut.
_ROUNDING = 1e-7

#: Trace rows gathered before they are written as one row group.
_ROWS_AT_ONCE = 500_000


#: Formats without suffixes of their own are looked for in this many files of each suffix, and in this many files in all.
_OF_A_SUFFIX, _IN_ALL = 20, 200

#: What no reader of a format tells.
RULES = rules("recogniser")


def options_schema(format: str) -> Written:
    """Return JSON schema of the keys that a source of this format may have beside `path`, `name` and `format`."""
    return {"type": "object", "properties": properties(formats.named(format).load().Options), "additionalProperties": False}


def sniff(path: str | Path, format: str | None = None) -> Found:
    """Tell the format of a source from a first look."""
    with open_view(path) as view:
        return _sniff(view, path, format)


def examine(
    path: _Paths,
    *,
    name: str | None = None,
    format: str | None = None,
    options: Given | None = None,
) -> Written:
    """Read a source as `ingest` does, write nothing, and return the report.

    Its key `study` has what a study of this source needs to say beside `sources`, empty where the defaults fit, and `checks` what
    the source's owner has to check about that. Its key `proposals` has options with which the source may have to be read instead,
    with what to check: where what it holds makes plausible that some of its runs failed that count as solved.
    """
    with _opened(path) as (view, paths):
        source = _Source(view, paths, format, options)
        for _ in source.batches():
            pass
        result = source.result(name, [*map(source_digest, paths)])
        needs = Needs(source.tally.table, source.tally.rows)
        settings, checks = needs.study(source.report.measure)
        stated = source.format.study
        return result | {
            "study": settings if stated is None else dict(stated),
            "checks": checks,
            "apart": needs.apart(),
            "proposals": _asked(view, source.format.name, options or {}, source.report.asked),
        }


def load(
    source: _Paths | View,
    *,
    name: str | None = None,
    format: str | None = None,
    options: Given | None = None,
) -> tuple[pa.Table, pa.Table, Written]:
    """Read a source as `ingest` does, and keep it in memory.

    Parameters
    ----------
    source : path-like, sequence of path-like, or View
        As for `ingest`, or what is looked at already (`benchmill.readers.archive.view_of_bytes`).
    name, format, options
        As for `ingest`; without a name, that of the file or folder.

    Returns
    -------
    trials, traces : pyarrow.Table
    report : dict
        As `ingest` writes it.

    Raises
    ------
    UserError
        As `ingest`.
    """
    with _opened(source) as (view, paths):
        read = _Source(view, paths, format, options)
        trials, traces = map(
            schema.concatenate, zip((schema.TABLES["trials"].empty_table(), NO_TRACES), *read.batches(), strict=True)
        )
        digests = [hashlib.sha256(view.read(view.members[0].name)).hexdigest()] if isinstance(source, View) else None
        return trials, traces, read.result(name, digests or [*map(source_digest, paths)])


def ingest(
    path: _Paths,
    files: Sequence[str | Path],
    *,
    name: str,
    format: str | None = None,
    options: Given | None = None,
    origin: Given | None = None,
    digests: Mapping[str, str] | None = None,
) -> Written:
    """Read a source into the tables `trials`, `traces` and `excerpts`, and a report in JSON; all files appear, or none.

    Parameters
    ----------
    path : path-like or sequence of path-like
        A folder, an archive or a file with raw logs; or the parts of one campaign, which are read as one (see
        `benchmill.readers.archive.open_parts`). The report of several has each by itself under `parts`.
    files : sequence of path-like
        The files to write: trials, traces and report; and excerpts, where they are wanted.
    name : str
        Name of the source in the study.
    format : str, optional
        One of `benchmill.registry.formats.FORMATS`; by default it is told from the content.
    options : mapping, optional
        The source's entry in the study without `path`, `name` and `format`; see `options_schema`. And under
        `selection.OF_STUDY` what the study takes of all its sources, after which nothing may be left.
    origin : mapping, optional
        What the files are made from (`benchmill.core.storage.made_from`).
    digests : mapping of str to str, optional
        By path, the `source_digest` of the source (of each of its parts), for whoever has taken it anyway.

    Returns
    -------
    dict
        The report as written. Totals are exact. An irregularity has one entry a rule, with up to
        `benchmill.readers.interface.MOST_EXAMPLES` rows of file, line and detail.

    Raises
    ------
    UserError
        The source cannot be read, an option is wrong, or (`strict`) a repair would be needed.
    """
    trials_path, traces_path, report_path, *excerpts_path = files
    # the report appears last, so that where there is a report, there are the tables; if it fails, neither table appears
    with whole_file(report_path) as part, _opened(path) as (view, paths), ExitStack() as stack:
        source = _Source(view, paths, format, options)
        writers = [
            stack.enter_context(storage.writer(table, file, origin))
            for table, file in zip(("trials", "traces", "excerpts"), (trials_path, traces_path, *excerpts_path), strict=False)
        ]
        places = Places()
        for trials, traces in source.batches():
            writers[0](trials)
            writers[1](traces)
            if excerpts_path:
                places.add(trials)
        result = source.result(name, [(digests or {}).get(str(each)) or source_digest(each) for each in paths])
        for rows in places.excerpts(view):
            writers[2](rows)
        part.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return result


@contextmanager
def _opened(source: _Paths | View) -> Iterator[tuple[View, list[Path]]]:
    if isinstance(source, View):
        yield source, [Path(source.name)]
        return
    paths = [Path(each) for each in ([source] if isinstance(source, str | Path) else source)]
    with open_parts(paths) as view:
        yield view, paths


class _Source:
    """A source while it is read: batches of its trials and traces, and what is to be reported about them."""

    def __init__(self, view: View, paths: Sequence[Path], format: str | None, options: Given | None) -> None:
        self.view, self.paths, self.where = view, paths, ", ".join(map(str, paths))
        self.entry = dict(options or {})
        self.of_study = OfStudy(**self.entry.pop(OF_STUDY, {}))
        parts = zip(view.parts.values(), paths, strict=True) if view.parts else [(view, self.where)]
        recognised, *others = (_sniff(part, path, format).format for part, path in parts)
        for path, other in zip(paths[1:], others, strict=True):
            if other != recognised:
                raise UserError(
                    f"{path}: its format is {other!r}, that of {paths[0]} is {recognised!r}, and the parts of a source have one "
                    "format; give them as sources of their own."
                )
        view.opened.clear()
        self.format = formats.named(recognised)
        self.module = self.format.load()
        if "best_known" not in properties(self.module.Options) and "best_known" in self.entry:
            self.of_study = replace(self.of_study, best_known=self.entry.pop("best_known"))
        self.options = _options(recognised, self.entry, self.where)
        self.report = Report(rules_of(recognised), self.options.strict, frozenset(self.options.switch_off))
        for item in view.skipped:
            self.report.add(item.rule, item.name, None, item.detail)
        self.tally = Tally(self.where, self.options.most_algorithms)
        self.in_logs: set[str] = set()

    def batches(self) -> Batches:
        """Yield the trials and traces that the study takes, numbered and checked."""
        numbered = _evaluated(_taken(self), self.report)
        try:
            for trials, traces in _gathered(_measured(*batch, self.report) for batch in numbered):
                _compare(trials, self.report)
                self.tally.add(trials, traces)
                yield trials, traces
        except Incomplete as error:
            proposals, asked = _proposals(self.view, {self.format.name: self.entry})
            raise Incomplete(
                error.found, error.remedy, proposals or [one for one in error.proposals if one.questions], asked
            ) from None
        _report_others(self.view, self.format, self.report)
        if not self.tally.trials and not (self.of_study and self.report.counts["not_in_study"]):
            what = f"{self.where}: no trial can be read from it as {self.format.name!r}{_why(self.report)}"
            proposals, _ = _proposals(self.view, {self.format.name: self.entry})
            from_zero = Proposal({"counted_from": 0}, ("Does the log give the number 0 to the first evaluation?",))
            lost = self.report.counts["no_evaluation"] and "counted_from" not in self.entry
            if not proposals and lost and _trials_with(self.view, self.format.name, {**self.entry, **from_zero.options}):
                proposals = [from_zero]
            raise Incomplete(what, "correct the files or its entry", proposals)

    def result(self, name: str | None, digests: Sequence[str]) -> Written:
        """Return the report of all that was read."""
        report, view = self.report, self.view
        full_grid = self.format.full_grid if report.full_grid is None else report.full_grid
        # a packed file or an archive is as large as it lies there
        sizes = [
            path.stat().st_size if path.is_file() else sum(member.size for member in each.members)
            for path, each in zip(self.paths, view.parts.values() or [view], strict=True)
        ]
        sha256, parts = digests[0], {}
        if view.parts:
            called = list(zip(view.parts, digests, sizes, strict=True))
            lines = "".join(f"{part}\0{digest}\n" for part, digest, _ in called)
            sha256 = hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()
            parts["parts"] = [{"path": part, "sha256": digest, "bytes": size} for part, digest, size in called]
        result = {
            "source": name if name is not None else stem(view.name),
            "format": self.format.name,
            "path": view.name,
            "sha256": sha256,
            "bytes": sum(sizes),
            **parts,
            **self.tally.summary(report, full_grid, self.options.most_missing),
        }
        result["algorithms_in_logs"] = self.of_study.called_of(sorted(self.in_logs, key=natural_key))
        self.of_study.tell_missing(result, self.where, report)
        result["irregularities"] = report.irregularities()  # last: what goes before adds to them
        return result | {key: value for key, value in (("made_of", report.made_of), ("measure", report.measure)) if value}


def source_digest(path: str | Path) -> str:
    """Return SHA-256 of a source as its report states it (`benchmill.core.storage.digest`)."""
    try:
        return storage.digest(path)
    except OSError as error:
        raise UserError(f"{path}: a file in it cannot be read ({error.strerror}); give a source that you may read.") from None


def _why(report: Report) -> str:
    # What is told first is the cause: that a trial has no data is found last.
    for rule in sorted(report.counts, key=lambda r: report.rules[r].outcome != "refused"):
        first = report.examples[rule][0]
        return f"; for example {place(first['file'], first['line'])}: {first['detail']} (rule {rule!r})"
    return ", it is empty"


def rules_of(format: str) -> dict[str, Rule]:
    """Return the irregularities that a report on a source in a format can name."""
    shared = (interface.RULES, archive.RULES, RULES, selection.RULES, best_known.RULES, {"cut_line": CUT_LINE})
    return {rule: meaning for rules in (*shared, formats.named(format).load().RULES) for rule, meaning in rules.items()}


def doubts(report: Given) -> list[Given]:
    """Return the irregularities in a report of reading that may well be read wrong, which only the owner of the data can know."""
    rules = rules_of(report["format"])
    return [one for one in report["irregularities"] if rules[one["rule"]].doubtful]


def _sniff(view: View, path: str | Path, format: str | None) -> Found:
    recognised: Found | None = formats.named(format).load().sniff(view) if format else _recognised(view, path)
    if recognised:
        return recognised
    if view.members and all(view.head(member.name, len(MATLAB)) == MATLAB for member in view.members):
        where = path if view.kind == "file" else f"{path}: {shown(view.members[0].name)}"
        raise UserError(f"{where}: {OF_MATLAB}.")
    if format and view.members and not formats.named(format).suffixes:
        # Such a format is told from its look alone; where the user names it, its reader says what is wrong.
        return Found(format)
    if not view.members:
        inside = f"; it was left out: {view.skipped[0].name} ({view.skipped[0].detail})" if view.skipped else ""
        raise UserError(f"{path}: there is no file in it to read{inside}; give a folder, an archive or a table with logs.")
    if format:
        raise UserError(f"{path}: it does not look like the format {format!r}; correct `format` or leave it out.")
    if view.kind == "file" and re.match(rb"\s*<(!doctype\s+html|html|head|body|table)\b", view.head(view.members[0].name), re.I):
        raise UserError(f"{path}: it is a web page; save its table as CSV, a header line and then one row per line.")
    if view.kind == "file" and view.head(view.members[0].name, 4) in (b"7z\xbc\xaf", b"Rar!"):
        raise UserError(f"{path}: archives of 7z and RAR are not read; unpack it and give the folder, or pack it as zip or tar.")
    if view.members and all(plain_name(member.name.lower()).endswith(".solu") for member in view.members):
        raise UserError(f"{path}: it lists best-known values and no runs; name it in `best_known` of a study or of its sources.")
    raise Incomplete(
        f"{path}: no format recognises it",
        f"known are {', '.join(formats.FORMATS)}: check the path, or name the format (`format: ...`)",
        *_proposals(view, {name: {} for name in formats.FORMATS}),
    )


def _recognised(view: View, path: str | Path) -> Found | None:
    """Return the format of a source, or None if no format recognises it."""
    plain = {member.name: plain_name(member.name.lower()) for member in view.members}
    for step in sorted({one.step for one in formats.FORMATS.values()}):
        several = {name: one for name, one in formats.FORMATS.items() if one.step == step}
        recognised: dict[str, tuple[Found, str]] = {}
        for name, one in several.items():
            likely = [] if one.guesses else view.members if one.suffixes else _looked_at(view)
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


def _report_others(view: View, format: formats.Format, report: Report) -> None:
    """Report the files that a format leaves alone and another one recognises; a guess from a look does not count."""
    sure = {name: one for name, one in formats.FORMATS.items() if name != format.name and not one.guesses}
    fruitless: Counter[str] = Counter()
    for member in view.members:
        suffix = _suffix(member.name)
        # what was read is for its reader to report
        if member.name in view.opened or f".{suffix}" in format.beside:
            continue
        by_content, plain = fruitless[suffix] < _OF_A_SUFFIX, plain_name(member.name.lower())
        likely = {key: one for key, one in sure.items() if (plain.endswith(one.suffixes) if one.suffixes else by_content)}
        if not likely or _sniffed(format, view.only(member)):
            continue
        others = sorted(name for name, one in likely.items() if _sniffed(one, view.only(member)))
        if others:
            report.add("other_format", member.name, None, formats=" or ".join(map(repr, others)))
        # logs have thousands of further files of a kind that no format knows
        fruitless[suffix] = 0 if others else fruitless[suffix] + 1


def _suffix(name: str) -> str:
    return plain_name(name.rpartition("/")[2].lower()).rpartition(".")[2]


def _sniffed(one: formats.Format, view: View) -> Found | None:
    with suppress(UserError):  # a file that cannot be read is of no format; whoever has to read it says so
        recognised: Found | None = one.load().sniff(view)
        return recognised
    return None


def _looked_at(view: View) -> list[Member]:
    seen: Counter[str] = Counter()
    members: list[Member] = []
    for member in view.members:
        seen[_suffix(member.name)] += 1
        if seen[_suffix(member.name)] <= _OF_A_SUFFIX:
            members.append(member)
    return members[:_IN_ALL]


def _proposals(view: View, entries: Mapping[str, Written]) -> tuple[list[Proposal], Asked | None]:
    """Return what the entry could say for the source to be read; where nothing could, what its owner is asked."""
    if sum(member.size for member in view.members) > _MOST_TO_TRY:
        return [], None
    best: dict[str, tuple[int, Proposal]] = {}
    asked = None
    for format, given in entries.items():
        named = {"format": format} if len(entries) > 1 else {}
        for one in getattr(formats.named(format).load(), "propose", lambda *_: ())(view, given):
            if isinstance(one, Asked):
                asked = asked or one._replace(options={**named, **one.options})
            elif (text := flow(one.options)) not in best:
                best[text] = (_trials_with(view, format, {**given, **one.options}), one)
        if most := max((count for count, _ in best.values()), default=0):
            return [p._replace(options={**named, **p.options}) for count, p in best.values() if count == most], None
    return [], asked


def _asked(view: View, format: str, entry: Given, asked: Sequence[Proposal]) -> list[Written]:
    options: Written = {}
    for proposal in asked:
        for key, value in proposal.options.items():
            before: Any = options.get(key, entry.get(key))
            options[key] = {**before, **value} if isinstance(value, Mapping) and isinstance(before, Mapping) else value
    if not asked:
        return []
    if not _trials_with(view, format, {**entry, **options}):
        options = {}  # some of it only the owner can say
    return [{"options": options, "questions": [question for proposal in asked for question in proposal.questions]}]


def _trials_with(view: View, format: str, options: Written) -> int:
    try:
        chosen, report = _options(format, options, view.name), Report(rules_of(format))
        batches = _read(formats.named(format).load(), view, chosen, report)
        return sum(trials.num_rows for trials, _ in _evaluated(batches, report))
    except UserError:
        return 0


#: What holds in place of options that there were.
_GONE = {
    "constraint_weight": "an evaluation of the constraints counts as one of the objective",
    "point": "the violation is that of Examiner's point SOLUP",
    "unconfirmed": "a right answer whose witness was not confirmed has failed",
}


def _options(format: str, options: Given, where: str) -> Any:
    module = formats.named(format).load()
    allowed = properties(module.Options)
    for key in sorted(options):
        if key not in allowed:
            near = did_you_mean(key, allowed, f"it has {', '.join(sorted(allowed))}.")
            hint = f"leave it out, {_GONE[key]}." if key in _GONE else near
            raise UserError(f"{where}: the format {format!r} has no option {key!r}; {hint}")
    if options:
        import jsonschema

        for error in jsonschema.Draft202012Validator(options_schema(format)).iter_errors(options):
            key = ".".join(str(p) for p in error.absolute_path)
            least = {"minimum": "at least", "minItems": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}
            wanted = error.validator_value if error.validator != "minItems" else plural(error.validator_value, "entry", "entries")
            expected = f", expected {least[error.validator]} {wanted}" if error.validator in least else ""
            raise UserError(
                f"{where}: option {key!r} is {error.instance!r}{expected}: {error.schema.get('description', error.message)}."
            )
    rules = rules_of(format)
    for rule in options.get("switch_off", ()):
        if rule not in rules or rules[rule].outcome == "noted":
            known = [r for r, what in rules.items() if what.outcome != "noted"]
            hint = did_you_mean(rule, known, f"expected one of {', '.join(sorted(known))}.")
            raise UserError(f"{where}: `switch_off` names {rule!r}, which is no repair of the format {format!r}; {hint}")
    return module.Options(**options)


def _read(module: Any, view: View, options: Any, report: Report) -> Batches:
    batches = _composed(module.read(view, options, report), view.name, report)
    if not options.where:
        yield from batches
        return
    report.selection = chosen = Selection(options.where)

    def mask(trials: pa.Table, _: pa.Table) -> Mask:
        kept = np.ones(trials.num_rows, bool)
        for column in [column for column in chosen.where if trials.num_rows and column not in chosen.done]:
            if column not in selection.COLUMNS:
                raise UserError(
                    f"{view.name}: `where` names {column!r}, by which no trial can be chosen; the columns are "
                    f"{', '.join(selection.COLUMNS)}, and in a table those of its files."
                )
            kept &= chosen.mask(column, trials[column].to_pylist())
        return kept

    yield from _kept(batches, mask, report, "not_chosen", view.name)
    chosen.check(view.name)
    report.absent = Counter({where: count for where, count in report.absent.items() if chosen.holds(_PLACE, where)})


def _kept(
    batches: Batches, mask: Callable[[pa.Table, pa.Table], Mask], report: Report, rule: str = "", where: str = ""
) -> Batches:
    """Yield the trials that a mask keeps, numbered from 0, and report (by a rule, if one is named) how many it leaves out."""
    number = left_out = 0
    for trials, traces in batches:
        kept = mask(trials, traces)
        left_out += int((~kept).sum())
        if trials.num_rows and (not kept.all() or trials["trial"][0].as_py() != number):
            of_row = traces["trial"].to_numpy() - trials["trial"][0].as_py()
            renumbered = np.cumsum(kept) - 1 + number
            of_kept = kept[of_row]
            trials = schema.replaced(trials.filter(pa.array(kept)), trial=renumbered[kept])
            traces = schema.replaced(traces.filter(pa.array(of_kept)), trial=renumbered[of_row][of_kept])
        number += trials.num_rows
        yield trials, traces
    if left_out and rule:
        report.add(rule, where, None, f"{left_out} trials", left_out)


def _composed(batches: Batches, where: str, report: Report) -> Batches:
    forms: Texts = {}
    for trials, traces in batches:
        written = {w for name in _NAMES for chunk in trials[name].chunks for w in chunk.dictionary.to_pylist() if not w.isascii()}
        for word in sorted(written - {*forms.values()}):
            if (form := forms.setdefault(normal(word), word)) != word:
                what = f"the name {shown(word)!r} is in it in two forms of Unicode, {form!a} and {word!a}"
                raise UserError(f"{where}: {what}; write it the same way everywhere.")
            if word != normal(word):
                report.add("composed", where, None, word=word, composed=normal(word))
        new = {word: composed for composed, word in forms.items() if word != composed}
        for name in _NAMES if new else ():
            trials, traces = schema.renamed(trials, name, new), schema.renamed(traces, name, new)
        yield trials, traces


def _taken(source: _Source) -> Batches:
    of_study, report, options = source.of_study, source.report, source.options

    def mask(trials: pa.Table, _: pa.Table) -> Mask:
        source.in_logs.update(trials["algorithm"].unique().to_pylist())
        return of_study.mask(trials) if of_study else np.ones(trials.num_rows, bool)

    known = best_known.read(of_study.best_known, report) if of_study.best_known else None
    tolerance = getattr(options, "tolerance", contradictions.TOLERANCE)
    batches = _read(source.module, source.view, options, report)
    for trials, traces in _kept(batches, mask, report, "not_in_study", source.view.name):
        trials, traces = of_study.renamed(trials), of_study.renamed(traces)
        trials = trials if known is None else best_known.compared(trials, known, report, tolerance)
        for row in contradictions.of_sources({"": trials}, tolerance).to_pylist():
            one, other = (f"{row[f'{which}claim']} by {shown(row[f'{which}algorithm'])}" for which in ("", "other_"))
            report.add("solvers_disagree", *file_and_line(row["other_place"]), f"{shown(row['problem'])}: {one}, {other}")
        yield trials, traces
    source.in_logs.update(where[0] for where in report.absent)
    first: Texts = {}
    for name in sorted(filter(of_study.takes, source.in_logs)):
        if (other := first.setdefault(called := of_study.called(name), name)) != name:
            raise UserError(
                f"{source.view.name}: it holds {shown(other)!r} and {shown(name)!r}, and `algorithms` of the study calls both "
                f"{shown(called)!r}; choose another name for one of them."
            )
    report.absent = Counter(
        {
            (of_study.called(where[0]), *where[1:]): count
            for where, count in report.absent.items()
            if of_study.kept(where[0], where[2])
        }
    )


def _tell(report: Report, rule: str, trials: pa.Table, counts: Index | Mask, by: Array | None = None) -> None:
    """Report the trials of which something counts, as often as it does, and perhaps by how much."""
    for row in np.flatnonzero(counts).tolist():
        trial = trials.slice(row, 1).to_pylist()[0]
        report.add(rule, *file_and_line(trial["source"]), count=int(counts[row]), trial=trial, by=None if by is None else by[row])


def _evaluated(batches: Batches, report: Report) -> Batches:
    def mask(trials: pa.Table, traces: pa.Table) -> Mask:
        # what a trial has before its first evaluation is among its first rows
        early = np.unique(traces["trial"].to_numpy()[traces["evaluations"].to_numpy() < 1])
        kept = ~np.isin(trials["trial"].to_numpy(), early)
        _tell(report, "no_evaluation", trials, ~kept)
        for trial in trials.filter(pa.array(~kept)).select(_PLACE).to_pylist():
            report.expect(tuple(trial.values()))
        return kept

    return _kept(batches, mask, report)


def _measured(trials: pa.Table, traces: pa.Table, report: Report) -> Batch:
    raised = schema.flags(trials, "maximise") & schema.says(trials, "value_kind", "absolute")
    best, row = trials["best_value"].to_numpy(), traces["trial"].to_numpy()
    row = row - (trials["trial"][0].as_py() if trials.num_rows else 0)
    unknown, none = _stands_for_none(best, raised), _stands_for_none(traces["value"].to_numpy(), raised[row])
    _tell(report, "placeholder", trials, np.maximum(np.bincount(row[none], minlength=trials.num_rows), unknown))
    if unknown.any():
        trials = schema.replaced(trials, best_value=pa.array(best, mask=unknown | np.isnan(best)))
    return trials, traces.filter(pa.array(~none)) if none.any() else traces


def _compare(trials: pa.Table, report: Report) -> None:
    best, optimum, violation = (trials[name].to_numpy() for name in ("best_value", "optimum", "violation"))
    absolute = schema.says(trials, "value_kind", "absolute")
    # values of solvers are compared with best-known ones, to their tolerances; reference values of hypervolumes are no optima
    biobjective = pc.fill_null(pc.match_substring(trials["suite"].cast(pa.string()), "biobj"), False)
    other = np.asarray(pc.or_(trials["outcome"].is_valid(), biobjective), bool)
    beyond = np.where(absolute, optimum - best, -best) * np.where(absolute & schema.flags(trials, "maximise"), -1.0, 1.0)
    slack = _ROUNDING * np.maximum(1.0, np.abs(np.where(np.isnan(optimum), 0.0, optimum)))
    _tell(report, "beyond_optimum", trials, (beyond > slack) & ~other & ~(violation > 0), beyond)


def _stands_for_none(value: Array, larger_is_better: Mask) -> Mask:
    return np.asarray(np.isfinite(value) & (np.where(larger_is_better, -value, value) >= PLACEHOLDER))


def _gathered(batches: Batches) -> Batches:
    held: list[Batch] = []
    rows = 0
    for batch in itertools.chain(batches, [None]):
        if held and (batch is None or rows >= _ROWS_AT_ONCE):
            trials, traces = map(schema.concatenate, zip(*held, strict=True))
            yield trials, traces
            held, rows = [], 0
        if batch is not None:
            held.append(batch)
            rows += batch[0].num_rows + batch[1].num_rows
