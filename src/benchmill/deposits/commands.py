"""The commands that pack a study for a paper or an archive, and remake a deposit."""

import sys
from argparse import Namespace
from pathlib import Path

from benchmill.core import UserError
from benchmill.study import yaml_text
from benchmill.text import prose
from benchmill.text.commands import CLEAN, REPAIRED, declared, size_of
from benchmill.workflow.commands import study_of


@declared(__file__, "pack")
def _pack(options: Namespace) -> int:
    from benchmill.deposits import deposit

    if options.archive:
        if options.study or options.to or options.results != "results":
            raise UserError(
                "--archive: it is of a whole configuration, with the results in `results` here; leave STUDY, --to and --results "
                "out."
            )
        pieces = deposit.write(Path(options.config), Path(options.archive), options.cores, data=not options.without_data)
        print(*prose.sentences(__file__, "Archive", to=options.archive, pieces=pieces, size_of=size_of), sep="\n")
        return CLEAN
    if not options.study:
        raise UserError("pack: no STUDY is given; name one of the configuration, or give --archive FOLDER for all.")
    file = Path(options.config)
    study = study_of(yaml_text.text_of(file), file, options.study)
    target = Path(options.to or f"{options.study}.zip")
    packed = deposit.pack(Path(options.results) / options.study, target, study.paper)
    print(prose.said(__file__, "Pack", to=target, files=packed))
    return CLEAN


@declared(__file__, "rerun")
def _rerun(options: Namespace) -> int:
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
