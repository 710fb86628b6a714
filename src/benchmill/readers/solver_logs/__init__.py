"""How solvers write their logs: one module a dialect, with its `DIALECT` (those of OR-Tools in one)."""

from __future__ import annotations

from benchmill.readers.solver_logs import cbc, copt, cplex, gurobi, highs, mipcl, mosek, or_tools, patterns, scip, xpress
from benchmill.readers.solver_logs.dialect import Dialect

_ALL = (
    scip.DIALECT,
    gurobi.DIALECT,
    cplex.DIALECT,
    cbc.DIALECT,
    xpress.DIALECT,
    mipcl.DIALECT,
    highs.DIALECT,
    or_tools.CP_SAT,
    or_tools.GLOP,
    copt.DIALECT,
    mosek.DIALECT,
    *patterns.DIALECTS,
)


def dialect_of(text: str) -> Dialect | None:
    """Return the dialect whose line comes first."""
    found = [(m.start(), i) for i, dialect in enumerate(_ALL) if (m := dialect.known.search(text))]
    return _ALL[min(found)[1]] if found else None
