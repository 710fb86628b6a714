"""The commands that print what a finished study leaves open and claims."""

import argparse
from pathlib import Path

from benchmill.core import UserError, shown
from benchmill.text.commands import CLEAN, REPAIRED, Progress, declared


@declared(__file__, "plan")
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


@declared(__file__, "claims")
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
