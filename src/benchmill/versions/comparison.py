"""Two versions of a solver side by side."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd

from benchmill import readers
from benchmill.core import Given, UserError, Written, keys, schema
from benchmill.core.whole_file import write_text
from benchmill.exhibits.tables import forms
from benchmill.notebook.arguments import in_own_words, looked_at
from benchmill.notebook.costs import Costs, costs
from benchmill.notebook.objects import Shown, names
from benchmill.notebook.results import load
from benchmill.notebook.runs import Runs, Source, read
from benchmill.page import page as paged
from benchmill.readers.interface import Incomplete, flow
from benchmill.readers.tally import Needs
from benchmill.registry import formats
from benchmill.registry.measures import RUNNING_TIMES
from benchmill.text.claims import known
from benchmill.text.display import Table
from benchmill.versions import sentences as told
from benchmill.versions.measured import BASE, NEW, Side, compared_sides

#: The kind of measure that a solver run states.
_STATED = "given"
#: The format whose logs say of every answer whether it is right.
_JUDGING = "benchexec"


class Versions(Shown):
    """A comparison of two versions of a solver; `found` is what `comparison.json` holds."""

    found: Given

    @property
    def table(self) -> Table:
        """The ratio of each subset of the instances."""
        return told.ratios(self.found)

    @property
    def changes(self) -> pd.DataFrame:
        """The instances whose runs end otherwise: `wrong`, `lost`, `gained` or `otherwise`."""
        return pd.DataFrame(
            [{"change": kind, **row} for kind in ("wrong", "lost", "gained", "otherwise") for row in self.found[kind]],
            columns=["change", *told.SCHEMA["properties"]["lost"]["items"]["required"]],
        )

    @property
    def text(self) -> str:
        """All that is found as Markdown, short enough for a comment."""
        return forms.comment(*told.shown_of(self.found))

    def to_page(self) -> str:
        """Return all that is found as a page of HTML that needs nothing else."""
        return paged.small(*told.shown_of(self.found))

    @looked_at
    def judged(self, rule: str) -> Versions:
        """Return it held against a rule such as ``regression>5%,wrong,lost``: each part is `met`, `undecided` or `not_met`."""
        return Versions({**self.found, "rule": rule, **told.judged(self.found, told.rule(rule))})

    def _repr_html_(self) -> str:
        return told.as_html(self.found)

    @looked_at
    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write `comparison.md`, `comparison.json` and `comparison.html` into a folder, which is made where it is not there."""
        jsonschema.validate(dict(self.found), told.SCHEMA)
        content = json.dumps(self.found, indent=1, ensure_ascii=False, allow_nan=False)
        into = Path(folder)
        try:
            into.mkdir(parents=True, exist_ok=True)
            for suffix, text in (("md", self.text), ("html", self.to_page()), ("json", f"{content}\n")):
                write_text(into / f"comparison.{suffix}", text)
        except OSError as error:
            raise UserError(f"{into}: it cannot be written ({error.strerror}); name another folder.") from None


@looked_at
def compare_versions(
    base: Any,
    new: Any,
    *,
    algorithm: str | None = None,
    base_algorithm: str | None = None,
    by: Any = None,
    measure: str | Given | None = None,
    best_known: str | os.PathLike[str] | None = None,
    objective: str | None = None,
    cluster_keys: Sequence[str] = keys.DEFAULT_CLUSTER_KEYS,
    level: float = 0.95,
    format: str | None = None,
    base_options: Given | None = None,
    new_options: Given | None = None,
) -> Versions:
    """Compare two versions or settings of a solver, instance by instance.

    Parameters
    ----------
    base, new : path, DataFrame, Runs or Costs
        Logs or tables that `read` takes, what `read` or `costs` give, or the folder of a finished study.
    algorithm, base_algorithm : str, optional
        Which algorithm of NEW and of BASE; by default that of NEW for both.
    by : str, path or mapping, optional
        What deals instances to classes, as in `summary`: which of them changed is said as one family of statements.
    measure : str or mapping, optional
        Name of a measure (proposed by `inspect`, or of a study), or its settings.
    best_known, objective : path, str, optional
        What answers are checked by: a list of values, and a column of tables.
    cluster_keys, level
        As in `summary`.
    format : str, optional
        Name of the format of both; by default it is told from the contents.
    base_options, new_options : mapping, optional
        What the entry of the source can say in a configuration; of a DataFrame, what `read` takes.

    Raises
    ------
    UserError
        One of the two cannot be read, has several algorithms and none is named, or has another measure or no instance in common.

    Examples
    --------
    >>> import benchmill as bm
    >>> runs = "data/solver-runs/runs.csv"
    >>> words = {"time limit": "time_limit", "out of memory": "memory_limit", "error": "error", "wrong answer": "wrong"}
    >>> columns = {"algorithm": "solver", "cost": "seconds", "outcome": "status", "run": "seed"}
    >>> options = {"columns": columns, "outcomes": {"solved": "solved", **words}, "time_limit": 600}
    >>> two = {"base_algorithm": "barrier", "algorithm": "hybrid"}
    >>> v = bm.compare_versions(runs, runs, base_options=options, new_options=options, **two)
    >>> v.judged("regression>5%").found["met"]
    ['regression>5%: the interval of the ratio begins at 1.29, above 1.05.']
    """
    notes: list[str] = []
    checks = {"best_known": best_known and os.path.expanduser(os.fspath(best_known)), "objective": objective}
    read_by: Given = {
        "format": format,
        "measure": measure,
        "checks": {name: one for name, one in checks.items() if one is not None},
    }
    with in_own_words():
        return Versions(
            compared_sides(
                _side(BASE, base, base_options or {}, base_algorithm or algorithm, notes, **read_by),
                _side(NEW, new, new_options or {}, algorithm, notes, **read_by),
                notes,
                cluster_keys=names(cluster_keys),
                level=level,
                by=by,
            )
        )


def _side(
    role: str,
    given: Any,
    options: Given,
    algorithm: str | None,
    notes: list[str],
    *,
    format: str | None,
    measure: str | Given | None,
    checks: Given,
) -> Side:
    of_path = isinstance(given, str | os.PathLike)
    where = os.path.expanduser(os.fspath(given)) if of_path else os.path.join(role, type(given).__name__)
    judges = False
    if not of_path:
        if isinstance(given, Costs | Runs) and (options or checks):
            raise UserError(f"{role}: these runs are read already; give options, best_known and objective to read(...).")
        if isinstance(given, Costs) and measure is not None:
            raise UserError(f"{role}: these costs have a measure; leave measure out.")
        if not isinstance(given, Costs | Runs):
            given = read(given, **checks, **options)
        side_costs = given if isinstance(given, Costs) else _measured(given, measure)
    elif all(os.path.isfile(os.path.join(where, name)) for name in ("config.yaml", "algorithms.parquet")):
        if options or checks or format:
            raise UserError(
                f"{role}: {where} is a finished study, whose sources are read already; leave out its options, best_known and "
                "objective."
            )
        if isinstance(measure, Mapping):
            raise UserError("measure: settings are given, and a finished study has its own; give one of its names.")
        side_costs = load(where).costs(measure)
    else:
        chosen = {**options, **checks}
        if "objective" in checks:
            chosen["columns"] = {**options.get("columns", {}), "best_value": chosen.pop("objective")}
        runs, chosen = _read(role, where, format, chosen, notes)
        side_costs, judges = _measured(runs, measure), "wrong" in chosen.get("outcomes", {}).values()
    if (kind := side_costs.measure["kind"]) not in (_STATED, RUNNING_TIMES):
        raise UserError(
            f"{role}: the measure {side_costs.measure['name']!r} is of the kind {kind}, and versions are compared by kind: "
            f"{_STATED} or kind: {RUNNING_TIMES}; choose another measure."
        )
    there = sorted(keys.algorithms(side_costs.costs_of_trials)[1])
    option = "--algorithm" if role == NEW else "--base-algorithm"
    if algorithm is None and len(there) != 1:
        raise UserError(
            f"{role}: {where} holds {len(there)} algorithms ({', '.join(there[:12])}); name one with {option} "
            f"({option[2:].replace('-', '_')}=... in Python)."
        )
    name = there[0] if algorithm is None else known(algorithm, there, "algorithm", option)
    read_from = "\n".join(sorted(str(report["sha256"]) for report in side_costs.reports))
    judges |= any(report["format"] == _JUDGING for report in side_costs.reports)
    judges |= any(schema.says(part.trials, "outcome", "wrong").any() for part in side_costs.parts)
    return Side(role, where, side_costs, name, hashlib.sha256(f"{read_from}\n{name}".encode()).hexdigest(), judges)


def _read(role: str, path: str, format: str | None, options: Given, notes: list[str]) -> tuple[Runs, Written]:
    """Return the runs and their options; where these say too little, by the one proposal there is."""
    chosen = dict(options)
    try:
        loaded = readers.load(path, format=format, options=chosen)
    except Incomplete as error:
        if len(error.proposals) != 1:
            raise
        (proposal,) = error.proposals
        chosen |= proposal.options
        questions = "".join(f" Check: {question}" for question in proposal.questions)
        notes.append(f"{role} is read with `{flow(proposal.options)}`, as `benchmill inspect` proposes.{questions}")
        loaded = readers.load(path, format=chosen.pop("format", format), options=chosen)
    trials, traces, report = loaded
    return Runs((Source(report["source"], trials, traces, report),)), chosen


def _measured(runs: Runs, measure: str | Given | None) -> Costs:
    if isinstance(measure, Mapping):
        settings = {"name": measure.get("kind"), **measure}
    else:
        proposed: Written = {}
        for source in runs.sources:
            own = formats.named(source.report["format"]).study
            if own is None:
                own = Needs(source.trials, source.traces.num_rows).study(source.report.get("measure", {}))[0]
            proposed |= own.get("measures", {})
        proposed = proposed or {"ert": {"kind": RUNNING_TIMES}}
        name = next(iter(proposed)) if measure is None else known(measure, list(proposed), "measure", "--measure")
        settings = {"name": name, **proposed[name]}
    # shifts are for ratios of single costs
    settings.pop("shift", None)
    return costs(runs, **settings)
