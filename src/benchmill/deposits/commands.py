"""The commands that pack a study for a paper or an archive, and remake a deposit."""

import argparse
import sys
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.study import yaml_text
from benchmill.text.commands import CLEAN, CONFIG, REPAIRED, RESULTS, argument, declared, size_of
from benchmill.text.labels import shown
from benchmill.workflow import source_commands


@declared(
    "pack",
    argument("study STUDY", "name of the study in the configuration; omitted with --archive", nargs="?"),
    argument("--to FILE", "the file to write (by default: STUDY.zip)"),
    CONFIG,
    RESULTS,
    argument(
        "--archive FOLDER",
        "write data, configuration, versions, all results and a manifest (RO-Crate) into a new folder, ready for Zenodo; "
        "anything not made yet is made first",
    ),
    argument("--without-data", "with --archive: list the logs with their digests, but copy none"),
    argument("--cores N", "with --archive: for Snakemake (by default: all)", default="all"),
    help="pack what a study contributes to a paper into one file",
    description="Write the sources of a study's paper, with every figure, table and number that it reads, as a ZIP archive "
    "that compiles wherever it is unpacked (on Overleaf, say). With --archive: write everything that belongs to a "
    "configuration into a folder for an archive.",
    epilog="exit codes: 0 written; 2 there are no such results, or LaTeX or the workflow failed",
)
def _pack(options: argparse.Namespace) -> int:
    from benchmill.deposits import deposit

    if options.archive:
        if options.study or options.to or options.results != "results":
            raise UserError(
                "--archive: it is of a whole configuration, with the results in `results` here; leave STUDY, --to and --results "
                "out."
            )
        pieces = deposit.write(Path(options.config), Path(options.archive), options.cores, data=not options.without_data)
        held = [piece for piece in pieces if piece.here]
        print(f"{shown(options.archive)} is written: {len(held)} files, {size_of(sum(piece.bytes for piece in held))}.")
        if len(held) < len(pieces):
            print(f"{len(pieces) - len(held)} files are named with their digests, and not copied.")
        print(f"See whether it gives the same results: benchmill rerun {shown(options.archive)}")
        return CLEAN
    if not options.study:
        raise UserError("pack: no STUDY is given; name one of the configuration, or give --archive FOLDER for all.")
    file = Path(options.config)
    study = source_commands.study_of(yaml_text.text_of(file), file, options.study)
    target = Path(options.to or f"{options.study}.zip")
    packed = deposit.pack(Path(options.results) / options.study, target, study.paper)
    print(f"{shown(str(target))} is written with {len(packed)} files.")
    return CLEAN


@declared(
    "rerun",
    argument("folder FOLDER", "the deposit; nothing in it is changed"),
    argument("--data FOLDER", "where to find the logs that the deposit names but does not hold"),
    argument("--into FOLDER", "a new folder to run in, which is kept (by default: a temporary one)"),
    argument("--cores N", "for Snakemake (by default: all)", default="all"),
    help="remake the results of a deposit, and compare them",
    description="Check every file of a folder written by `pack --archive`, run the workflow in a fresh folder, and compare "
    "every result byte by byte.",
    epilog="exit codes: 0 all results are the same; 1 some differ, and are named along with versions that differ here; 2 the "
    "deposit is not what its manifest says, or cannot be run",
)
def _rerun(options: argparse.Namespace) -> int:
    import tempfile

    from benchmill.deposits.rerun import rerun, said

    into = Path(options.into) if options.into else None
    if into is not None and into.exists():
        raise UserError(f"--into: {into} is there already, expected a new folder; give another name.")
    with tempfile.TemporaryDirectory(prefix="benchmill-rerun-") as temporary:
        work = into or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        compared = rerun(
            Path(options.folder),
            work,
            options.cores,
            data=Path(options.data) if options.data else None,
            progress=lambda text: print(text, file=sys.stderr),
        )
        for line in said(compared):
            print(line)
    return REPAIRED if compared.differing else CLEAN
