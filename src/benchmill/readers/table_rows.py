"""The rows of all files of a source, by benchmill's names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from benchmill.core import UserError, shown
from benchmill.core.names import normal
from benchmill.readers import table_files, table_options
from benchmill.readers.archive import Contents, View
from benchmill.readers.interface import Given, Incomplete, Report, Texts, Written, did_you_mean, listed, place, renamed
from benchmill.readers.selection import COLUMNS
from benchmill.readers.solver_runs import OUTCOMES
from benchmill.readers.table_cells import (
    FILE,
    KEYS,
    LONGEST,
    NAMES,
    NUMBER,
    OF_MEANS,
    OF_SOLVERS,
    VIRTUAL,
    Cells,
    are_called,
    as_typed,
    first_true,
    is_none,
    matches,
)
from benchmill.readers.table_checks import (
    ask_about_budgets,
    ask_about_course,
    ask_about_direction,
    ask_about_keys,
    ask_about_means,
    ask_about_outcomes,
    ask_about_quantities,
    ask_about_spread,
    ask_about_units,
    doubt,
)
from benchmill.readers.table_files import LINE, TITLE, File
from benchmill.readers.table_options import Options
from benchmill.text.display import plural
from benchmill.text.labels import named, stem

#: The column that several make together, and those of a wide table and of what it spreads.
_JOINED, _COST, _SPREAD_KEY = "\0joined ", "\0cost", "\0key"
_KINDS = {"cost": ("cost",), "trace": ("evaluations", "value"), "summary": ("mean",)}
#: What else belongs to one kind alone.
_ALONE = {"cost": OF_SOLVERS, "trace": (), "summary": OF_MEANS}
SUFFIX = re.compile(r"\.(csv|tsv|tab|txt|jsonl|ndjson|parquet|pq|arrow|feather|xlsx|xlsm)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
#: What else holds the results of programs, and tables where no file has another suffix.
_OF_PROGRAMS = re.compile(r"\.(csv|tsv|txt|json|bench|out|log|res)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
#: A number with a decimal comma, also in front of a unit or behind a sign.
WITH_COMMA = r"^([^0-9]*[0-9]+),([0-9]+)"
#: A mean with its standard deviation, which may be missing, or a number in parentheses, and a mark that says how it compares.
_MEAN_AND_SD = (
    rf"^\s*(?:(?P<mean>{NUMBER[1:-1]})|[nN]a[nN])?\s*(?:(?:±|\+/?-|\\pm)\s*(?:(?P<sd>{NUMBER[1:-1]})|[-–—]*|[nN]a[nN])"
    rf"|\(\s*(?P<beside>{NUMBER[1:-1]})\s*\))\s*(?:\(?[-+=≈~−†*]\)?)?\s*$"
)
#: Columns of numbers of which a row may have none, whatever stands there instead.
_MAY_LACK = ("dimension", "seed", "budget", "runtime_s", "violation", "optimum", *OF_MEANS, *OF_SOLVERS[1:])
#: A cell below what was measured.
_AT_MOST = r"^<\s*=?\s*[0-9.]"
_BOLD = r"[$*`{}]|\\(?:text|math)bf"
#: Names of columns that a message lists.
_MOST_NAMES = 30


def load(view: View, options: Options, report: Report) -> Cells:
    """Return all rows of a source with the options for the columns that these have; ask what they leave open."""
    table, given, files = rows_of(view, options, report)
    file = files[0].name
    options = table_options.with_columns(options, table)
    mapping, wide = dict(options.columns), table_options.spread(options.wide)
    constants = {**options.constants, **({} if options.time_limit is None else {"time_limit": options.time_limit})}
    if again := sorted({*given} & {*mapping, *constants}):
        what = f"both {again[0]!r} in `columns` or `constants` and the file's name or titles give it"
        raise UserError(f"{view.name}: {what}; leave one out.")
    table = table if options.lookup is None else _looked_up(files, table, mapping, options.lookup, report)
    table = _chosen(file, table, options.where, report)
    table, mapping = _with_joined(file, table, mapping)
    spread = wide.get("key")
    if spread:
        table = _melted(file, table, mapping, {*given, *constants}, wide)
        (mapping if spread == "evaluations" else given)[spread] = _SPREAD_KEY
        mapping["value" if "evaluations" in (*mapping, *columns_of(table)) else "cost"] = _COST
    kind, called = _assign(file, list(table), mapping, constants, given, options.program)
    if options.suite:
        for columns in (called, given):
            columns.pop("suite", None)
        constants["suite"] = options.suite
    unread = table[[column for column in columns_of(table) if column not in called.values()]]
    frame = table[[FILE, LINE]].assign(
        **{name: table[column] for name, column in (called | given).items()},
        # a whole number without decimals, as a name
        **{
            name: f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)
            for name, value in constants.items()
        },
    )
    shown_as = {name: column.removeprefix(_JOINED).lstrip("\0") for name, column in called.items()}
    shown_as |= {name: name for name in (*given, *constants)}
    cells = Cells(kind, files, frame, shown_as, spread, options, report)
    for column in unread:
        cells.tell("column_not_used", f"the column {named(column)}")
    _put_numbers(cells, [name for name in called if name not in KEYS])
    kind = cells.kind
    if idle := sorted(({*options.columns, *constants} - {"cost"}) & _of_others(kind)):
        raise UserError(
            f"{file}: a table of {' and '.join(_KINDS[kind])} has no {idle[0]!r}; leave it out of the source's entry, or "
            "say in `columns` that something else is compared (`cost`, `mean`, or `evaluations` and `value`)."
        )
    ask_about_direction(cells, [*unread])
    if spread:
        ask_about_spread(cells, wide.get("columns", ()))
    if kind == "cost" and "budget" in cells:
        ask_about_budgets(cells)
    if kind == "summary":
        ask_about_means(cells, unread, "n" in {**options.columns, **constants})
    is_course = kind != "trace" and ask_about_course(cells, unread)
    # what violates constraints counts as solved in a table of costs, though it is read
    if asked := [*unread, *[called[name] for name in ("violation",) if kind == "cost" and name in called]]:
        problem = options.columns.get("problem", "problem" if "problem" in table else ())
        _ask(cells, table[asked], None if is_course else listed(problem))
    if "algorithm" not in cells:
        if not isinstance(options.algorithm, str):
            raise _lacking(file, "algorithm", columns_of(table))
        frame["algorithm"] = shown_as["algorithm"] = options.algorithm
    elif options.algorithm is not None:
        frame["algorithm"] = frame["algorithm"].map(renamed(frame["algorithm"].unique().tolist(), options.algorithm, file))
    if frame.empty:
        raise UserError(f"{file}: the table has a header line and no rows; expected at least one row.")
    report.rows_read += len(frame)
    cells = _without_open(cells, [*unread])
    virtual = are_called(cells["algorithm"], VIRTUAL)
    if virtual.any() and not (virtual.all() or "algorithm" in options.where or "columns" in wide):
        cells = cells.without(virtual, "virtual_best", "{algorithm}")
    if options.empty == "missing" and kind != "trace":
        name = "mean" if kind == "summary" else "cost"
        cells = cells.without(cells.blank(name), "empty_is_missing", f"no {name} of {{algorithm}}")
    return cells


def _put_numbers(cells: Cells, names: Sequence[str]) -> None:
    """Write numbers as they are read, whatever surrounds them or replaces a missing one."""
    frame, options = cells.frame, cells.options
    for name in names if options.decimal == "," else ():
        column = frame[name]
        row = first_true((column.str.fullmatch(NUMBER) & column.str.contains(".", regex=False)).to_numpy(bool))
        if row is not None:
            raise UserError(
                f"{place(*cells.at(row))}: {column.iat[row]!r} has a point, and `decimal` says that a comma stands before "
                "decimals; leave `decimal` out, and commas between thousands out of the file."
            )
        frame[name] = column.str.replace(WITH_COMMA, r"\1.\2", regex=True)
    # an outcome says why there is no cost
    lacking = ("cost", "mean") if options.empty != "error" or "outcome" in cells else ()
    for name in cells.those(*_MAY_LACK, *lacking):
        none = set(filter(is_none, frame[name].unique())) - set(options.outcomes)
        frame[name] = frame[name].replace([*none], "")
    for name in cells.those("cost", "mean"):
        # numbers such as `<1` are 1
        below, column = matches(cells[name], _AT_MOST), cells[name]
        cells.note(below, "at_most", "column {column!r} is {cell!r}", name)
        frame[name] = column.mask(below, column.str.lstrip("<= "))
        _take_means_apart(cells)


def _ask(cells: Cells, unread: pd.DataFrame, problem: Sequence[str] | None) -> None:
    """Ask about columns that are not read; about those that tell problems apart where it is known what names these."""
    if problem is not None:
        ask_about_keys(cells, unread, problem)
    if cells.kind == "cost":
        numbers = pc.replace_substring_regex(cells.text("cost"), r"([0-9.])\s*[a-zµ%]+$", r"\1").to_pandas()
        limit = pd.to_numeric(cells["time_limit"], errors="coerce") if "time_limit" in cells else np.inf
        ask_about_outcomes(cells, unread, pd.to_numeric(numbers, errors="coerce") < limit)
        if cells.spread is None and "outcome" in cells:
            meaning = cells.options.meaning
            doubt(cells, cells["outcome"].map(lambda word: OUTCOMES.get(meaning(word) or "") is True).astype(bool), unread)
    if cells.kind != "trace":
        ask_about_quantities(cells, unread)
        ask_about_units(cells, unread)


def _take_means_apart(cells: Cells) -> None:
    """Split cells such as `1.5 ± 0.2`; the table is then one of means."""
    frame, name = cells.frame, {"cost": "cost", "summary": "mean"}.get(cells.kind, "")
    if name not in cells or "sd" in cells or not matches(cells[name], r"[±(]|\+/?-|\\pm").any():
        return
    plain = pc.replace_substring_regex(cells.text(name), _BOLD, "").to_pandas().set_axis(frame.index)
    brief = plain.where(plain.str.len() <= LONGEST, "")
    parts = brief.str.extract(_MEAN_AND_SD).fillna("")
    beside = parts["beside"]
    apart = brief.str.fullmatch(_MEAN_AND_SD) & ((parts["mean"] != "") | (beside == ""))
    if not apart.any():
        return
    # whole numbers alone, and one behind a number with decimals, are ranks or counts as well
    ranks = beside.str.fullmatch("[0-9]+")
    if not ranks.equals(beside != ""):
        ranks &= parts["mean"].str.contains(".", regex=False)
    cells.note(apart.to_numpy(bool), "mean_and_sd", "the cell is {cell!r}", name)
    frame["mean"] = parts["mean"].where(apart, plain.str.replace(r"\s*\([-+=≈~−]\)$", "", regex=True))
    frame["sd"] = parts["sd"] + beside.mask(ranks, "")
    cells.called["mean"] = cells.called["sd"] = cells.called.pop(name)
    if cells.kind == "cost":
        del frame["cost"]
    cells.kind = "summary"


def columns_of(columns: Iterable[str]) -> list[str]:
    """Return the columns that a person knows."""
    return [column for column in columns if not column.startswith("\0")]


def rows_of(view: View, options: Options, report: Report) -> tuple[pd.DataFrame, Texts, list[File]]:
    """Return the rows of all files, the columns that their names give, and the files."""
    files: list[File] = []
    frames = []
    parts: Texts = {}
    cells = 0
    contents = Contents(view, report)
    for name, parts in _names(view, options, report):
        data = view.unpacked(name)
        if view.kind != "file" and options.program and not table_options.fits(str(options.preset), data, name):
            report.add("file_not_used", name, None, f"it is not as `preset: {options.preset}` has them")
            continue
        cells += table_files.cells(data)
        if cells > options.most_cells:
            raise UserError(
                f"{name}: the tables of the source have more than {options.most_cells} cells and are held as a whole; "
                "give them without what is not needed, or say in the source's entry how many there may be (`most_cells: ...`)."
            )
        contents.compare(name)
        file = _file(view, name, data, options, report)
        if files and not options.program and set(file.frame) != set(files[0].frame):
            raise UserError(
                f"{name}: its columns are {columns_of(file.frame)}, those of {files[0].name!r} are "
                f"{columns_of(files[0].frame)}; give tables of different columns as sources of their own."
            )
        frames.append(file.frame.assign(**{FILE: len(files)}, **{f"\0{name}": part for name, part in parts.items()}))
        files.append(replace(file, frame=file.frame[-1:]))
    if not files:
        pattern = options.file_pattern
        which = "is a table (.csv, .tsv, .txt, .json, .jsonl, .parquet or .arrow)"
        which = which if pattern is None else f"fits `file_pattern` {named(pattern)}"
        raise UserError(f"{view.name}: no file in it {which}; correct the path or the pattern.")
    table = pd.concat(frames, ignore_index=True).fillna("")
    for column in options.fill:
        if column not in table:
            raise _no_column(files[0].name, "fill", column, [*table])
        table[column] = table[column].mask(table[column] == "").groupby(table[FILE]).ffill().fillna("")
    return table, {name: f"\0{name}" for name in parts} | ({options.titles: TITLE} if options.titles else {}), files


def _refuse_names_again(file: File) -> None:
    """Refuse a row that has the names of the columns, as where one table was appended to another."""
    first = columns_of(file.frame)[:2]
    again = (file.frame[first] == first).all(axis=1).to_numpy(bool)
    if len(first) > 1 and (row := first_true(again)) is not None:
        raise UserError(
            f"{place(file.name, int(file.frame[LINE].iat[row]))}: the line has the names of the columns again; leave it out, or "
            "say which lines to read (`lines: first-last`), or name the columns if the first line has no names (`header: [...]`)."
        )


def _names(view: View, options: Options, report: Report) -> Iterator[tuple[str, Texts]]:
    """Yield the files to read, and what their names say."""
    pattern, program = options.file_pattern, options.program
    parts = None if pattern is None else _pattern(pattern)
    suffixes = SUFFIX if not program and any(SUFFIX.search(m.name) for m in view.members) else _OF_PROGRAMS
    by_file = program.get("versions") and "algorithm" not in (*options.columns, *options.constants)
    files: Texts = {}
    for name in [member.name for member in view.members]:
        if parts:
            if match := parts.search(name):
                yield name, match.groupdict()
            else:
                report.add("file_not_used", name, None, f"`file_pattern` is {named(str(pattern))}")
        elif view.kind == "file" or (suffixes.search(name) and not re.fullmatch(program.get("beside", "-"), name)):
            below, _, file = name.rpartition("/")
            alike = re.fullmatch(program.get("nameless", "-"), file)
            of_one = alike and isinstance(options.algorithm, str)
            if by_file and not of_one and (other := files.setdefault(stem(file), name)) != name:
                raise Incomplete(
                    f"{other} and {name}: the files have the same name, and nothing else says to which algorithm each belongs",
                    f"say which folder tells it (`file_pattern`, as in `{'{algorithm}/' + '{}/' * below.count('/') + file}`)"
                    + (", or its name if all are of one (`algorithm: ...`)" if alike else ""),
                )
            yield name, {"algorithm": stem(file)} if by_file and not alike else {}


def _file(view: View, name: str, data: bytes, options: Options, report: Report) -> File:
    titles: dict[int, str] = {}
    data, separator = table_files.without_workbook(name, data, options.sheet, options.separator)
    if options.lines:
        data = table_files.in_lines(name, data, options.lines)
    if options.titles:
        data, titles = table_files.titled(name, data, separator, bool(options.header))
    if (rows := table_options.rows_by_preset(options, view, name, data, report)) is not None:
        file = File(name, pd.DataFrame([row for _, row in rows], dtype=str).assign(**{LINE: [number for number, _ in rows]}))
    else:
        file = table_files.read(name, data, report, options.header, separator, options.records, options.wanted)
    if options.program:
        file = table_options.reduced(file, options, report)
    _refuse_names_again(file)
    frame = file.frame.apply(_plain).rename(columns=normal)
    return replace(file, frame=frame.assign(**{TITLE: frame[LINE].map(titles)}) if options.titles else frame)


def _plain(cells: pd.Series) -> pd.Series:
    """Return cells without blanks around them, their letters composed and their numbers in signs of a keyboard."""
    if cells.name == LINE:
        return cells
    cells = cells.str.strip()
    if pc.all(pc.string_is_ascii(pa.array(cells, pa.string()))).as_py():
        return cells
    return cells.map({word: normal(as_typed(word)) for word in cells.unique()})


def _pattern(text: str) -> re.Pattern[str]:
    """Return `file_pattern` as an expression for the end of a name."""
    names, pattern = re.findall(r"\{([^{}]*)\}", text), re.escape(text)
    for i, name in enumerate(names):
        if name and (name not in KEYS or name in names[:i]):
            why = "occurs twice" if name in names[:i] else f"is none of {', '.join(KEYS)}"
            raise UserError(f"`file_pattern` {named(text)}: the part {named(name)} {why}; correct it.")
        # a part matches no `/`, and as little as it can
        pattern = pattern.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>[^/]+?)" if name else "[^/]*?", 1)
    return re.compile(f"(?:^|/){pattern}$")


def _looked_up(files: Sequence[File], table: pd.DataFrame, mapping: Given, path: str, report: Report) -> pd.DataFrame:
    """Add the columns of the table at `path` that `mapping` names."""
    other = table_files.read_beside(path, "table", "lookup", report)
    name, looked_up = other.name, other.frame
    if other.open_column is not None:
        line = int(looked_up[LINE].iat[-1])
        raise UserError(f"{place(name, line)}: the end of the line may be cut; end it with a line break if it is whole.")
    common = [column for column in columns_of(looked_up) if column in table]
    if len(common) != 1:
        raise UserError(
            f"{name}: it has {common or 'none'} of the columns {columns_of(table)} of {files[0].name!r}; a lookup needs exactly "
            "one column in common: rename the others."
        )
    key = common[0]
    for column in columns_of(looked_up):
        looked_up[column] = looked_up[column].str.strip()
    again = looked_up[key].duplicated()
    if again.any():
        line, cell = looked_up.loc[again, [LINE, key]].iloc[0]
        first = int(looked_up[LINE][looked_up[key] == cell].iat[0])
        raise UserError(
            f"{place(name, line)}: {named(cell)} is in {key!r} as in {place(name, first)}; keep one, a lookup has each once."
        )
    unknown = ~table[key].isin(looked_up[key])
    if unknown.any():
        first = table[unknown].iloc[0]
        where = place(files[first[FILE]].name, int(first[LINE]))
        raise UserError(
            f"{where}: {named(first[key])} is not in the column {key!r} of the lookup {name!r}; add it there, or take the right "
            "table."
        )
    wanted = {c for columns in mapping.values() for c in listed(columns)}
    beside = [column for column in columns_of(looked_up) if column in wanted and column != key]
    joined = table.merge(looked_up[[key, *beside]], on=key, how="left", validate="many_to_one")
    return joined if key in wanted else joined.drop(columns=key)


def _chosen(file: str, table: pd.DataFrame, where: Given, report: Report) -> pd.DataFrame:
    if report.selection is None:
        return table
    kept = np.ones(len(table), bool)
    for column in where:
        if column in table:
            kept &= report.selection.mask(column, table[column])
            report.selection.done.add(column)
        elif column not in COLUMNS:
            raise _no_column(file, "where", column, columns_of(table))
    report.selection.check(file, report.selection.done)
    if not kept.all():
        report.add("not_chosen", file, None, f"{(~kept).sum()} rows", int((~kept).sum()))
    return table[kept].reset_index(drop=True)


def _with_joined(file: str, table: pd.DataFrame, mapping: Written) -> tuple[pd.DataFrame, Texts]:
    """Add columns for names that several columns make together."""
    result = {}
    made_of = set()
    for ours, theirs in mapping.items():
        if lacking := [column for column in listed(theirs) if column not in table]:
            raise _no_column(file, ours, lacking[0], columns_of(table))
        if isinstance(theirs, str):
            result[ours] = theirs
            continue
        result[ours] = _JOINED + " ".join(theirs)
        first, *more = (table[column] for column in theirs)
        table = table.assign(**{result[ours]: first.str.cat(more, sep=" ").str.strip() if more else first})
        made_of |= set(theirs)
    # what a joined column is made of is used, and is none of benchmill's own names any more, unless it has one as well
    return table.rename(columns={column: f"\0{column}" for column in made_of - {*result.values()}}), result


def _melted(file: str, table: pd.DataFrame, mapping: Texts, taken: set[str], wide: Given) -> pd.DataFrame:
    """Return a wide table as a long one."""
    named, deviations, outcomes = (wide.get(what, ()) for what in ("columns", "sd", "outcome"))
    aside = [*deviations, *outcomes]
    for column in [*named, *wide.get("except", ()), *aside]:
        # what makes a name with another column is in the table under that name
        if not {column, f"\0{column}"} & {*table}:
            raise _no_column(file, "wide", column, columns_of(table))
    for what, theirs in (("sd", deviations), ("outcome", outcomes)):
        if theirs and len(theirs) != len(named):
            raise UserError(
                f"{file}: `wide` has {plural(len(theirs), 'column')} in `{what}` for {len(named)} in `columns`; name one for "
                "each."
            )
    table = table.assign(
        **{c: table[c].str.cat(table[sd], sep=" ± ").str.strip() for c, sd in zip(named, deviations, strict=False)}
    )
    other = {*mapping.values(), *wide.get("except", ()), *aside, *({*NAMES} - {"cost", "value", "mean"})}
    spread = named or [c for c in columns_of(table) if c not in other]
    if not spread or {"cost", "value", wide["key"]} & {*mapping} or wide["key"] in taken:
        why = "no column is left to spread" if not spread else f"{wide['key']!r} or the cost is given elsewhere"
        raise UserError(f"{file}: the table is `wide`, but {why}; name its columns in `wide`.")
    long = table.melt([*table.columns.drop([*spread, *aside])], spread, _SPREAD_KEY, _COST, ignore_index=False)
    if outcomes:
        long["outcome"] = table[outcomes].melt()["value"].to_numpy()
    return long.sort_index(kind="stable").reset_index(drop=True)


def _without_open(cells: Cells, unused: list[str]) -> Cells:
    """Leave out last cells that may be cut."""
    keep = np.ones(cells.rows, bool)
    for number, file in enumerate(cells.files):
        if file.open_column is not None and file.open_column not in unused:
            line = int(file.frame[LINE].iat[-1])
            cells.report.add("cut_line", file.name, line, f"the cell in column {named(file.open_column)} is the end of the file")
            cut = (cells[FILE] == number) & (cells[LINE] == line)
            if file.open_column in cells.spread_columns():
                cut &= cells[str(cells.spread)] == file.open_column
            keep &= ~cut.to_numpy()
    if not keep.any():
        raise UserError(f"{place(*cells.at(cells.rows - 1))}: its only row may be cut; end it with a line break if it is whole.")
    return cells.kept(keep)


def _no_column(file: str, ours: str, theirs: str, present: list[str]) -> UserError:
    names = columns_of(present)
    hint = did_you_mean(theirs, names, f"it has {', '.join(map(shown, names))}.")
    option = f"`{ours}` names" if ours in ("wide", "where", "fill") else f"`columns` takes {ours!r} from"
    return UserError(f"{file}: {option} {theirs!r}, which is no column of the table; {hint}")


def _assign(file: str, present: list[str], mapping: Texts, constants: Given, given: Given, preset: Given) -> tuple[str, Texts]:
    """Return the kind of the table, and the file's column for each name; with a preset it has no other names than it says."""
    for ours, theirs in sorted(mapping.items()):
        if theirs not in present:
            raise _no_column(file, ours, theirs, present)
        if ours in constants:
            raise UserError(f"{file}: both `columns` and `constants` give {ours!r}; leave one out.")
    elsewhere = {*mapping, *mapping.values(), *constants, *given}
    called = mapping | {name: name for name in present if name in NAMES and name not in elsewhere and not preset}
    stated = [kind for kind, needed in _KINDS.items() if all(n in mapping for n in needed)]
    possible = stated or [kind for kind, needed in _KINDS.items() if all(n in called for n in needed)]
    if len(possible) > 1:
        choices = " or ".join("+".join(_KINDS[kind]) for kind in possible)
        raise UserError(f"{file}: the table gives {choices}; name the one to read in `columns`.")
    if not possible:
        raise Incomplete(
            f"{file}: no column gives values (`cost`, or `evaluations` and `value`, or `mean`); it has "
            f"{', '.join(map(shown, columns_of(present)))}",
            "say in `columns` which one holds them, or `wide: algorithm` if each holds the costs of an algorithm",
        )
    kind = possible[0]
    # cells may still tell that costs are means; what an entry says of another kind is refused then
    called = {ours: theirs for ours, theirs in called.items() if ours in mapping or ours not in _of_others(kind)}
    if "problem" not in {*called, *constants, *given}:
        raise _lacking(file, "problem", present)
    return kind, called


def _of_others(kind: str) -> set[str]:
    """Return the names that rows of another kind have alone."""
    return {name for other in _KINDS if other != kind for name in (*_KINDS[other], *_ALONE[other])}


def _lacking(file: str, name: str, present: list[str]) -> UserError:
    return Incomplete(
        f"{file}: no column gives {name!r}; it has {', '.join(map(shown, columns_of(present)))}",
        f"say which in `columns` ({{{name}: ...}}), or give it once in `constants`",
    )
