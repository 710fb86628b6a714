"""The formats of raw logs: the one place that reading, recognising, plan and pages read them from."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmill.core.errors import UserError
from benchmill.registry.entry import Entry, Registry


@dataclass(frozen=True, kw_only=True)
class Format(Entry):
    """A format of raw logs.

    Attributes
    ----------
    suffixes : tuple of str
        Suffixes of the files that tell the format, such as `(".info",)`; empty if content alone tells it.
    beside : tuple of str
        Suffixes of further files that its logger writes, which say nothing of the runs.
    guesses : int
        Above 0, nothing in its files says what they are; every format that guesses less goes before it.
    full_grid : bool
        Whether an experiment in this format is meant to be a full grid of problems and dimensions (`benchmill.readers.tally`).
    answers : bool
        Whether its runs state outcomes that runs of other sources can contradict (`benchmill.core.contradictions`).
    seconds : bool
        Whether its stated costs are times in seconds.
    study : mapping, optional
        What a study of sources in this format says beside `sources`; by default it is told from what a source holds.
    """

    room = "benchmill.readers"

    suffixes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    guesses: int = 0
    full_grid: bool = False
    answers: bool = False
    seconds: bool = False
    study: Mapping[str, Any] | None = None

    @property
    def step(self) -> int:
        """Return when it is looked for: 0 by suffix and content, 1 by content, later by a guess."""
        return 0 if self.suffixes else 1 + self.guesses


#: Here and not in the modules of the formats: a change of one must not make the sources of all others be read again.
ENTRIES = (
    Format(
        "coco",
        "logs of COCO, old and new, with the indicator logs of its bi-objective suites",
        references=("hansen2021",),
        suffixes=(".info",),
        beside=(".rdat", ".mdat"),
        full_grid=True,
    ),
    Format(
        "background",
        "backgrounds, which `benchmill background make` makes of logs: their trials, and the evaluations to some targets",
        suffixes=("background.json",),
        full_grid=True,
    ),
    Format(
        "ioh",
        "logs of IOHprofiler: `.info` or `.json` with `.dat`",
        references=("doerr2018", "denobel2024"),
        suffixes=(".info", ".json"),
        full_grid=True,
    ),
    Format(
        "cec",
        "result matrices of the CEC competitions: checkpoints by runs, one file per problem",
        guesses=1,
        full_grid=True,
    ),
    Format(
        "cec2006",
        "tables of evaluations to success, feasible rate and success rate, as in the CEC 2006 competition",
        references=("liang2006",),
        study={"measures": {"success_performance": {"kind": "success_performance"}}},
    ),
    Format(
        "gams_solvetrace",
        "solvetrace files of GAMS, one for each run",
        suffixes=(".solvetrace", ".miptrace"),
        answers=True,
        seconds=True,
    ),
    Format(
        "gams_trace",
        "trace files of GAMS, in every layout, with or without header",
        suffixes=(".trc", ".pav"),
        answers=True,
        seconds=True,
    ),
    Format(
        "mip_log",
        "logs of SCIP, Gurobi, CPLEX, CBC, XPRESS, MIPCL, HiGHS, CP-SAT, CP Optimizer, GLOP, COPT, cuOpt, MOSEK, GLPK, CLP, "
        "SoPlex, lp_solve, Ipopt, Knitro, BARON, Couenne, Bonmin, MiniZinc (`--json-stream` or `--statistics`) and of SAT, PB, "
        "MaxSAT and XCSP competitions",
        answers=True,
        seconds=True,
    ),
    Format(
        "cec2013_niching",
        "peak ratios and success rates of the CEC 2013 niching competition",
        references=("li2013",),
        # accuracies are instances, and peak ratios are better when larger
        study={
            "problem_keys": ["suite", "problem", "dimension", "instance"],
            "measures": {"peak_ratio": {"kind": "given", "quantity": "rate"}},
        },
    ),
    Format(
        "eps_de",
        "logs of εDEa, the winner of the CEC 2010 constrained competition",
        references=("takahama2010",),
        full_grid=True,
    ),
    Format(
        "aslib",
        "algorithm runs of the Algorithm Selection Library (ARFF)",
        references=("bischl2016",),
        suffixes=(".arff",),
        answers=True,
    ),
    Format(
        "benchexec",
        "results of BenchExec in XML or in the CSV of its table-generator, plain or packed",
        references=("beyer2019",),
        suffixes=(".xml", ".csv"),
        answers=True,
    ),
    Format(
        "perprof",
        "tables of perprof: problem, status, time, with a head in YAML",
        references=("siqueira2016",),
        answers=True,
        seconds=True,
    ),
    Format(
        "table",
        "tables in CSV, TSV, JSON, Parquet, Arrow (Feather), Excel (`.xlsx`), Markdown or LaTeX, long or wide: costs, "
        "improvements, published means, or the results of benchmark programs",
        "benchmill.readers.table",
        guesses=2,
    ),
)

#: With those of installed packages, whose modules have such a tuple.
FORMATS = Registry(Format, "benchmill.formats", __name__)


def named(name: str) -> Format:
    """Return the format of a name."""
    if name in FORMATS:
        return FORMATS[name]
    near = difflib.get_close_matches(name, FORMATS, 1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise UserError(f"format: {name!r} is not known; expected one of {', '.join(FORMATS)}{hint}")
