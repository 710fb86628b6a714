"""Runs of solvers: how they ended, what each adds to the others, and their means."""

import math
from dataclasses import replace
from functools import partial

from benchmill.core import beside, shown
from benchmill.core.intervals import FEWEST
from benchmill.exhibits.tables.fields import Results, alone, columns, exhibit, kinds, section
from benchmill.exhibits.tables.verdicts import gated
from benchmill.text import display, labels, leaders, prose
from benchmill.text.display import Cell, Column, Section, Table
from benchmill.text.frames import Frame, Row, best, named, numbered, records
from benchmill.text.measures import Measure

#: How headings say what a failure counts, and the same of measures that failed runs have too; how a run can end that does not
#: solve its instance, in a sentence, and its letter and meaning in a table; and what makes an instance, as a row says it.
_UNSOLVED, _AS_IS, _LOST, _LETTERS, _INSTANCE = beside.toml(__file__).values()
#: The roles of solvers that are compared.
_RANKED = ("solver", "single_best")


def _summary(results: Results) -> Frame:
    """Return the summary of a measure, with the intervals of ratios that a study may print, and names as they are shown."""
    rows = gated(results.rows("summary"), results.data.get("verdicts"))
    return rows.assign(shown=rows["algorithm"].map(results.names(rows)))


def means(results: Results) -> Table:
    """Make the table of means by way to count failures and subset, the best first; those without a rank come last."""
    measure, rows = results.measure, _summary(results)
    as_is = bool(rows["unsolved"].isin(list(_AS_IS)).any())
    ways, pars = (_AS_IS, ()) if as_is else (_UNSOLVED, _PARS)
    fields = columns(
        "summary",
        of={"solver": _name, "sgm_low": partial(_ends, "sgm"), "sgm_ratio_low": partial(_ends, "sgm_ratio")},
        without=_PARS if as_is else ("limit_unknown",),
    )
    sections = []
    subsets = [(subset, "limit") for subset in rows["subset"].astype(str).unique() if subset != "all"]
    for subset, unsolved in [*(("all", unsolved) for unsolved in ways), *subsets]:
        part = rows[(rows["subset"] == subset) & (rows["unsolved"] == unsolved)]
        if not len(part) or (unsolved == "all_measured" and not rows["limit_unknown"].any()):
            continue
        marks = {key: best(part.loc[part["rank"].notna(), key]) for key in ("sgm", "mean", "median", *pars)}
        number = display.plural(int(part["instances"].max()), "instance")
        of_part = "instances that the solvers went through differently" if subset == "affected" else f"instances in {subset}"
        where = f"{ways[unsolved]} ({number})" if subset == "all" else f"{of_part} ({number}; {ways[unsolved]})"
        sections.append(section(where, fields, _in_order(part), marks, lambda row: row["rank"] is not None))
    of_all = _of_all(rows)
    return exhibit(
        "summary",
        fields,
        sections,
        measure,
        as_is=as_is,
        limits=limits_told(rows, measure if as_is else None),
        left_out=_left_out(of_all[of_all["role"].isin(_RANKED)]),
        **_of_means(results, rows),
    )


def outcomes(results: Results) -> Table:
    """Make the table of outcomes, most solved runs first."""
    measure, rows = results.measure, _summary(results)
    part = _of_all(rows[rows["unsolved"] == "limit"])
    ranked = part[part["role"].isin(_RANKED)]
    # which is the smallest is known where all are
    marks = {
        "solved": best(ranked["solved"], largest=True),
        **{key: best(ranked[key]) for key in ("sgm", "par2") if ranked[key].notna().all()},
    }
    losses = [name for name in _LOST if part[name].fillna(0).any()]
    # where each has one on every instance, their number stands in the caption
    without = {*_LOST} - {*losses} | (set() if (part["n"] != part["instances"]).any() else {"n"})
    return alone(
        "outcomes",
        columns("outcomes", of={"solver": _name, "sgm_ratio": _times}, without=without),
        _in_order(part, by="solved"),
        marks,
        lambda row: row["role"] in _RANKED,
        measure=measure,
        limits=limits_told(part),
        instances=int(part["instances"].iloc[0]) if len(part) else 0,
        losses=losses,
        single=(part["role"] == "single_best").any(),
        left_out=_left_out(ranked),
        doubtful=list(part.loc[part["contradicted"].fillna(0) > 0, "shown"]),
        **_of_means(results, part),
    )


def _of_means(results: Results, rows: Frame) -> Row:
    """Return what captions say of means and of the intervals of ratios."""
    # a table without rows has settings too
    settings = rows.iloc[0] if len(rows) else {"shift": 0.0, "level": 0.95}
    tested = results.data.get("verdicts") is not None
    return {
        "shift": float(settings["shift"]),
        "level": settings["level"],
        "gate": ", and leave 1 out only where the primary analysis shows that the algorithms differ" if tested else "",
        "too_few": prose.said(__file__, "Too few", some=(rows["sgm"].notna() & rows["sgm_low"].isna()).any(), fewest=FEWEST),
    }


def contributions(results: Results) -> Table:
    """Make the table of what each competing solver adds to the others."""
    measure, rows = results.measure, _summary(results)
    part = _of_all(rows[(rows["unsolved"] == "limit") & rows["role"].isin(_RANKED)])
    marks = {key: best(part[key], largest=True) for key in ("unique", "adds_solved", "adds_mean")}
    fields = columns(
        "contributions",
        of={
            "solver": _name,
            # the word `problem` says nothing where it stands alone
            "where": lambda row: shown((row["lead_problem"] or display.ABSENT).removeprefix("problem ")),
        },
    )
    ordered = part.sort_values(["adds_mean", "algorithm"], ascending=[False, True], kind="stable")
    return alone("contributions", fields, ordered, marks, measure=measure)


def _of_all(rows: Frame) -> Frame:
    return rows[rows["subset"] == "all"]


def sentences(results: Results) -> list[str]:
    """Say which solver solves most, which is fastest, whether that depends on how failures count, and what is lost."""
    measure, rows = results.measure, _of_all(_summary(results))
    own = rows[(rows["unsolved"] == "limit") & rows["role"].isin(_RANKED)]
    if not len(own):
        return [f"Measure {measure.called}: no instance can be compared, because on each some solver has no run."]
    absent = own["missing"].where(own["left_out"] == 0, 0) / own["instances"].clip(lower=1)
    own = own.assign(share=(own["solved"] / own["n"].clip(lower=1) * (1 - absent)).round(12))
    verdict = leaders.shown(results.data.get("verdicts"), measure.name) or "nothing is tested, so nothing is claimed"
    texts = [limits_told(own), _most_solved(own, verdict)]
    if own["solved"].max():
        texts.append((_fastest if own["rank"].notna().any() else _not_known)(rows, own, measure, verdict))
    return list(filter(None, (*texts, _lost(own), _left_out(own))))


def limits_told(rows: Frame, uncut: Measure | None = None) -> str:
    """Say that limits differ, and what was done about it, or what it does to a measure that is not cut; or nothing."""
    own = rows[rows["own_limit"].notna()].drop_duplicates("algorithm").sort_values(["own_limit", "algorithm"], kind="stable")
    if not len(own) or (uncut and uncut.until is not None):
        return ""
    of_limit = own.groupby(own["own_limit"].map(display.target), sort=False)["shown"]
    by_limit = [f"{value} for {display.listed(list(names), limit=4)}" for value, names in of_limit]
    instances, late = int(own["limits_differ"].iloc[0]), int(own["late"].sum())
    return prose.said(__file__, "Limits", by_limit=by_limit, instances=instances, late=late, uncut=uncut)


def _left_out(own: Frame) -> str:
    if not len(own) or not own["left_out"].iloc[0]:
        return ""
    most = own.loc[own["missing"].idxmax()]
    return prose.said(__file__, "Left out", n=int(own["left_out"].iloc[0]), name=most["shown"], most=most["missing"])


def _not_known(rows: Frame, own: Frame, measure: Measure, verdict: str) -> str:
    part = rows[(rows["unsolved"] == "all_solved") & rows["rank"].notna()]
    return prose.said(
        __file__,
        "Not known",
        measure=measure,
        first=_first(part),
        where=_where("all_solved", part),
        verdict=verdict,
    )


def _first(rows: Frame) -> list[str]:
    return list(rows[rows["rank"] == rows["rank"].min()].sort_values("algorithm")["shown"])


def _most_solved(own: Frame, verdict: str) -> str:
    return prose.said(
        __file__,
        "Most solved",
        top=records(_ablest(own)),
        following=records(_ablest(own[own["share"] < own["share"].max()])),
        even=own["n"].nunique() == 1,
        verdict=verdict,
    )


def _ablest(own: Frame) -> Frame:
    return own[own["share"] == own["share"].max()].sort_values("algorithm")


def _fastest(rows: Frame, own: Frame, measure: Measure, verdict: str) -> str:
    first = _first(own)
    after = own[(own["rank"] > own["rank"].min()) & own["sgm_ratio"].notna()].sort_values(["sgm", "algorithm"], kind="stable")
    leading: dict[tuple[str, ...], list[str]] = {}
    for unsolved in ("x2", "x10", "all_solved"):
        part = rows[(rows["unsolved"] == unsolved) & rows["rank"].notna()]
        if len(part) and _first(part) != first:
            leading.setdefault(tuple(_first(part)), []).append(_where(unsolved, part))
    return prose.said(
        __file__,
        "Fastest",
        alone=len(own) == 1,
        measure=measure,
        first=first,
        ranked=own["rank"].count(),
        least=own["sgm"].min(),
        # of who solves most it is said just before
        verdict="" if first == list(_ablest(own)["shown"]) else verdict,
        level=own["level"].iloc[0],
        after=[
            (row["shown"], display.apart(row["sgm_ratio"])[0], _ends("sgm_ratio", row).removesuffix(display.ABSENT))
            for row in records(after.head(2))
        ],
        more=len(after) - 2,
        leading=leading,
    )


def _where(unsolved: str, part: Frame) -> str:
    if unsolved != "all_solved":
        return f"where {_UNSOLVED[unsolved]}"
    return f"on the {display.plural(int(part['instances'].max()), 'instance')} that all solve" if len(part) else ""


def _times(row: Row) -> str:
    ratio = display.number(row["sgm_ratio"])
    between = _ends("sgm_ratio", row)
    return ratio if between == display.ABSENT else f"{ratio} ({between})"


def _lost(own: Frame) -> str:
    # what is left out is lost to nobody
    ways = [name for name in _LOST if name != "missing" or not own["left_out"].any()]
    total = own[ways].fillna(0).sum().astype(int).sort_values(ascending=False, kind="stable")
    losses = [(name, n, own.loc[own[name].idxmax()]) for name, n in total[total > 0].items()]
    return prose.said(__file__, "Lost", losses=losses, words=_LOST, several=len(own) > 1)


_PARS = ("par2", "par10")


def _ends(name: str, row: Row) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return display.ABSENT if low is None or high is None or math.isclose(low, high) else "–".join(display.apart(low, high))


def _name(row: Row) -> str:
    return labels.with_role(row["shown"], row["role"])


def _in_order(part: Frame, by: str = "sgm") -> Frame:
    """Sort ranked solvers first, by means or solved runs; the virtual best one last."""
    last = part["role"].map({"not_competing": 1, "virtual_best": 2}).fillna(0).astype(float)
    key = -part["solved"].astype(float) if by == "solved" else part[by]
    return part.assign(last=last, key=key).sort_values(["last", "key", "sgm", "algorithm"], kind="stable")


def times(results: Results) -> Table:
    """Make the table: one row per instance, one column per solver; below, means as multiples of the best, and runs solved."""
    runs, summary = results.rows("solver_runs"), results.rows("summary")
    runs = runs[runs["role"] != "virtual_best"]
    solvers = _of_all(summary[(summary["unsolved"] == "limit") & (summary["role"] != "virtual_best")])
    solvers = solvers.assign(
        guest=solvers["role"] == "not_competing", shown=solvers["algorithm"].map(results.names(solvers, 20))
    ).sort_values(["guest", "rank", "algorithm"])
    names, competes = list(solvers["algorithm"]), list(~solvers["guest"])
    several = {key: form for key, form in _INSTANCE.items() if key == "problem" or runs[key].nunique(dropna=False) > 1}
    number, instances = numbered(runs, [*_INSTANCE])
    cells = _cells(runs.assign(row=number))
    lines = [
        (
            Cell(shown(named(instance, (), several))),
            *_marked([cells.get((row, name), Cell(display.ABSENT)) for name in names], competes),
        )
        for row, instance in enumerate(records(instances))
    ]
    rows = records(solvers)
    ratios = [Cell(display.number(row["sgm_ratio"]), row["sgm_ratio"]) for row in rows]
    solved = [Cell(display.count(row["solved"]), row["solved"], True) for row in rows]
    last = (
        (Cell("SGM, multiple of the best"), *ratios),
        (Cell("solved"), *_marked(solved, competes, largest=True)),
    )
    table = exhibit(
        "times",
        columns("times"),
        (Section("", tuple(lines)), Section("all instances", last)) if lines else (),
        results.measure,
        limits=limits_told(solvers),
        letters=_letters(runs),
        guests=list(solvers.loc[solvers["guest"], "shown"]),
    )
    heads = (Column(shown, "r", name) for name, shown in zip(names, solvers["shown"], strict=True))
    return replace(table, columns=(*table.columns, *heads))


def _marked(cells: list[Cell], competes: list[bool], largest: bool = False) -> list[Cell]:
    """Return the cells, of those that may be best the best one of a competing solver marked; to solve nothing is not best."""
    own = [cell.value or 0.0 for cell, may in zip(cells, competes, strict=True) if cell.best and may]
    top = max(filter(None, own), default=None) if largest else min(own, default=None)
    return [replace(cell, best=cell.best and cell.value == top and may) for cell, may in zip(cells, competes, strict=True)]


def _cells(runs: Frame) -> dict[tuple[int, str], Cell]:
    """Return the means of the runs by row and algorithm; `best` where all are solved."""
    solved, keys = runs["outcome"] == "solved", ["row", "algorithm"]
    n_runs = runs.groupby(keys, observed=True).size()
    failures: dict[tuple[int, str], dict[str, None]] = {}
    for run in records(runs[~solved]):
        failures.setdefault((run["row"], run["algorithm"]), {})[_failure(run)] = None
    cells = {key: Cell("/".join(words)) for key, words in failures.items()}
    summed = runs.assign(n=1, cost=runs["cost"] * runs["weight"])[solved].groupby(keys, observed=True)[["n", "cost", "weight"]]
    for key, n, cost, weight in summed.sum().itertuples(name=None):
        some = f" ({display.count(n)}/{display.count(n_runs[key])})" if key in failures else ""
        cells[key] = Cell(f"{_written(cost / weight)}{some}", cost / weight, not some)
    return cells


def _failure(row: Row) -> str:
    if row["outcome"] == "timeout" and row["limit"] is not None:
        return f">{_written(row['limit'])}"
    return str(_LETTERS[row["outcome"]][0])


def _written(value: float) -> str:
    # without zeros that the source need not have stated
    return display.target(float(f"{value:.4g}"))


def _letters(runs: Frame) -> str:
    """Say what the letters that occur stand for."""
    failed = records(runs.loc[runs["outcome"] != "solved", ["outcome", "limit"]].drop_duplicates())
    return prose.said(__file__, "Letters", there={_failure(row) for row in failed}, letters=_LETTERS)


ENTRIES = kinds(outcomes=outcomes, summary=means, contributions=contributions, times=times)
