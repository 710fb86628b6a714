"""The commands that print what a finished study leaves open and claims."""

import argparse
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.text.commands import CLEAN, REPAIRED, RESULTS, Progress, argument, declared
from benchmill.text.labels import shown


@declared(
    "plan",
    argument("study STUDY", "a study below results/, or the folder of its results"),
    argument("--power P", "the desired chance of deciding a pair (by default: 0.8)", type=float),
    argument("--most X", "consider up to this many times the clusters (by default: 4)", type=float),
    argument("--studies N", "number of simulated studies of each size (by default: 200)", type=int),
    argument("--csv FILE", "write the curve, with a row for each open pair and size"),
    help="say how many problems and runs it would take to decide what a study leaves open",
    description="Simulate larger studies from the clusters of problems that a study has, and say how often the comparisons "
    "that its primary analysis leaves open would be decided, and at what cost in evaluations.",
    epilog="exit codes: 0 printed; 2 there are no such results",
)
def _plan(options: argparse.Namespace) -> int:
    from benchmill.core.whole_file import write_text
    from benchmill.notebook.enlarging import outlook
    from benchmill.notebook.results import load

    for name, low, high in (("power", 0, 1), ("most", 1, 16), ("studies", 0, 100_000)):
        value = getattr(options, name)
        if value is not None and not low < value <= high:
            raise UserError(f"--{name}: found {value:g}, expected more than {low} and at most {high:g}.")
    folder = Path("" if (Path(options.study) / "config.yaml").is_file() else "results", options.study)
    with Progress(f"{folder.name}, simulated studies", str) as progress:
        given = {"wanted": options.power, "most": options.most, "studies": options.studies, "progress": progress}
        text, curve = outlook(load(folder), **{name: value for name, value in given.items() if value is not None})
    if options.csv:
        write_text(options.csv, curve.to_csv(index=False))
    print(text, end="")
    return CLEAN


@declared(
    "claims",
    argument("studies STUDY", "name of a study (by default: all that have claims)", nargs="*"),
    RESULTS,
    argument("--check", "exit with status 1 if a claim does not hold"),
    argument("--all", "with --check: a claim must also hold in every convention"),
    help="say how well the claims of a study hold",
    description="Print the claims of studies: whether each holds by the primary analysis, and in how many of the conventions "
    "that its author could have chosen. They are read from results/<study>/claims.parquet, which the workflow makes.",
    epilog="exit codes: 0 printed; with --check: 0 every claim holds by the primary analysis (with --all: also in every "
    "convention that can decide), 1 one does not; 2 there are no such results",
)
def _claims(options: argparse.Namespace) -> int:
    from benchmill.core import storage
    from benchmill.text.claims import held

    folder = Path(options.results)
    known = sorted(path.parent.name for path in folder.glob("*/claims.parquet"))
    if not known:
        raise UserError(
            f"{folder}: there is no study with claims; make them with `snakemake --cores all` in the folder of the configuration."
        )
    code = CLEAN
    for name in options.studies or known:
        if name not in known:
            raise UserError(f"{folder}: there is no study {name!r} with claims; there is {', '.join(known)}.")
        claims = list(held(storage.read(folder / name / "claims.parquet", "claims")))
        for one in claims:
            fails = not (one.everywhere if options.all else one.holds)
            print(f"{shown(name)}: {shown(one.text)}")
            code = REPAIRED if options.check and fails else code
        if not claims:
            print(f"{shown(name)}: nothing is claimed.")
    return code
