"""A deposit: a folder with everything a study was made from and everything made from it."""

import datetime
import hashlib
import os
import platform
import secrets
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmill import __version__, archives, readers
from benchmill.archives import listings, transfer
from benchmill.core import Given, UserError, Written
from benchmill.core.beside import ROOT
from benchmill.core.storage import digest, files_below
from benchmill.core.whole_file import cannot_write, whole_file
from benchmill.deposits import ro_crate
from benchmill.deposits.ro_crate import MADE_OF, RESULT, Piece, Versions
from benchmill.study import catalogue, validation, views, yaml_text
from benchmill.study.sources import Source, existing, is_sheet
from benchmill.study.study import Study, read_studies
from benchmill.text import prose
from benchmill.text.display import listed
from benchmill.workflow import fingerprint, jobs, make, typesetting

#: Name of the configuration in a deposit, and of the list of libraries.
CONFIGURATION, LIBRARIES, EXPLANATION = "config.yaml", "requirements.txt", "README.md"

#: Studies by name.
Studies = Mapping[str, Study]

#: Where what stands is the workflow's own.
_OWN = (ROOT / "workflow", Path(readers.__file__).resolve().parents[1])


def write(config: Path, target: Path, cores: str, *, data: bool = True) -> list[Piece]:
    """Write the deposit of a configuration, complete or not at all; what is not made yet is made first.

    Raises
    ------
    UserError
        Licence or authors are missing, a file is not below the folder, or something cannot be made or written.
    """
    content = content_of(config)
    folders = [config.parent, Path()]
    versions = versions_here()
    words = words_of(content, config, versions)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UserError(f"{target}: it is there already, expected a new folder; give another name.")
    try:
        make(config, Path(), cores)
    except UserError as error:
        competes = any(study.get("competition") for study in content["studies"].values())
        more = " Entries that cannot be read stop it, though not the site: move their folders elsewhere while you pack."
        raise UserError(f"{error}{more if competes else ''}") from None
    studies = read_studies(content, folders, figures_of=views.figures_of, where=config.name)
    logs = {path for study in studies.values() for source in study.sources if not source.url for path in source.paths}
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        pieces = [piece for study in studies.values() for source in study.sources if source.url for piece in _fetched(source)]
        for file, path in files_read(studies, content, folders).items():
            kept, meaning = data or path not in logs, "raw logs" if path in logs else "what the study names beside its logs"
            pieces.append(_copied(file, part, _place(file, folders), MADE_OF, meaning, kept))
        pieces.append(_copied(config, part, CONFIGURATION, MADE_OF, "what is compared, and how"))
        made = results_of(studies)
        notes, records = notes_of(studies, made), records_of(studies, Path())
        pieces += [
            *(_copied(Path(path), part, path, RESULT, meaning) for path, meaning in made.items()),
            *(_copied(Path(path), part, path, None, "what the files of a job were made from") for path in notes),
            *(_copied(path, part, path.as_posix(), MADE_OF, "a record that runs add to") for path in records),
        ]
        explain(part, words, versions)
        pieces += [
            Piece(name, *copied(part / name, None), meaning="how to make the results again") for name in (LIBRARIES, EXPLANATION)
        ]
        pieces = _each_once(pieces)
        (part / ro_crate.NAME).write_text(ro_crate.written(words, pieces, versions), "utf-8")
        if data:
            check_within(content, part)
        if target.is_dir():
            target.rmdir()
        os.replace(part, target)
    except OSError as error:
        raise cannot_write(target, error) or UserError(f"{target}: cannot be written ({error}).") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return pieces


# --- what a configuration reads and makes ----------------------------------------------------------


def content_of(config: Path) -> Written:
    """Return a configuration as its file gives it.

    Raises
    ------
    UserError
        It cannot be read, or is no mapping.
    """
    content = yaml_text.read(yaml_text.text_of(config), str(config))
    if not isinstance(content, dict):
        raise UserError(f"{config}: found no mapping, expected `studies:`; see config/README.md.")
    return content


def read_by(studies: Studies, content: Given, folders: Sequence[Path]) -> list[Path]:
    """Return the files and folders that studies are made of and no job makes: logs, papers, tables, sheets of sources."""
    paths: dict[Path, None] = {}
    for study in studies.values():
        paths |= dict.fromkeys(jobs.brought(study, ROOT))
        named = [path for path in study.settings["attributes"].values() if path]
        listed = content["studies"][study.name].get("sources", [])
        for entry in listed if isinstance(listed, list) else [listed]:
            path = entry.get("path") if isinstance(entry, dict) else entry
            named += [path] if isinstance(path, str) and is_sheet(path) else []
        paths |= dict.fromkeys(file for path in named for file in existing(path, folders)[:1])
        # what a competition is made of beside the logs of its entries
        if rules := study.settings.get("competition"):
            hidden = existing(rules["hidden"]["file"], folders) if rules["hidden"] else []
            paths |= dict.fromkeys([*existing(f"{rules['entries']}/*/entry.yaml", folders), *hidden])
    return [path for path in paths if not any(path.resolve().is_relative_to(own) for own in _OWN)]


def files_read(studies: Studies, content: Given, folders: Sequence[Path]) -> dict[Path, Path]:
    """Return every file that studies are made of, and the path, its own or that of a folder, by which it is read."""
    return {
        Path(file): path
        for path in read_by(studies, content, folders)
        for file in (sorted(files_below(path)) if path.is_dir() else [path])
    }


def records_of(studies: Studies, folder: Path | None = None) -> list[Path]:
    """Return the records that runs add to, of a folder those that it has."""
    every = [catalogue.PENS, *map(catalogue.tested, studies.values())]
    return every if folder is None else [path for path in every if (folder / path).exists()]


def results_of(studies: Studies) -> dict[str, str]:
    """Return the results of a configuration and what each is, without the comparison with published papers."""
    typeset = typesetting.tex_engine_available()
    meanings = {
        path: result.meaning
        for study in studies.values()
        for name, result in catalogue.RESULTS.items()
        for path in catalogue.files(study, name)
    }
    published = catalogue.reproduced(studies, ROOT)
    wanted = [path for study in studies.values() for path in catalogue.results_of(study, typeset)]
    wanted += [catalogue.RESULTS["pens"].path] if published else catalogue.all_results(studies, ROOT, typeset)
    return {path: meanings[path] for path in wanted}


def notes_of(studies: Studies, results: Iterable[str]) -> list[str]:
    """Return the notes of what results of a configuration were made from."""
    makers = catalogue.makers(studies)
    made_by = (makers[path] for path in results)
    return list(dict.fromkeys(catalogue.origin(rule).format(**wildcards) for rule, wildcards in made_by))


def check_within(content: Given, folder: Path) -> dict[str, Study]:
    """Return the studies of a configuration in a folder that holds all that it names.

    Raises
    ------
    UserError
        Something is missing, or stands elsewhere.
    """
    whole = folder.resolve()
    studies = read_studies(content, [folder], figures_of=views.figures_of, where=CONFIGURATION)
    far = {path for study in studies.values() for source in study.sources if source.url for path in source.paths}
    for path in read_by(studies, content, [folder]):
        if path not in far and not path.resolve().is_relative_to(whole):
            raise UserError(
                f"{CONFIGURATION}: it names {path}, which is not below its folder; put it (or a link to it) there, and name it "
                "from there."
            )
    return studies


def _place(path: Path, folders: Sequence[Path]) -> str:
    full = os.path.abspath(path)
    for folder in map(os.path.abspath, folders):
        if os.path.commonpath([full, folder]) == folder:
            try:
                return listings.safe_path(Path(os.path.relpath(full, folder)).as_posix())
            except ValueError as error:
                raise UserError(f"{path}: {error}, so it cannot be part of a deposit; rename it.") from None
    raise UserError(
        f"{path}: is not below the folder of the configuration, which a deposit is made of; put it (or a link to it) there, and "
        "name it from there."
    )


# --- what stands in a deposit ----------------------------------------------------------------------


def copied(path: Path, to: Path | None) -> tuple[str, int]:
    """Copy a file, and take the SHA-256 and the size of what was copied; without a place it is only read.

    Raises
    ------
    OSError
        It cannot be read or written.
    """
    if to is not None:
        to.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as source, to.open("xb") as copy:
            shutil.copyfileobj(source, copy)
    there = path if to is None else to
    return digest(there), there.stat().st_size


def _copied(path: Path, folder: Path, place: str, role: str | None, meaning: str, kept: bool = True) -> Piece:
    to = folder / place
    # several studies may name the same file
    sha256, size = copied(path, to if kept and not to.exists() else None)
    return Piece(place, sha256, size, role, meaning, here=kept)


def _each_once(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces in the order of their paths.

    Raises
    ------
    UserError
        Two different files would stand at one place.
    """
    by_path: dict[str, Piece] = {}
    for piece in sorted(pieces, key=lambda piece: piece.path):
        if by_path.setdefault(piece.path, piece).sha256 != piece.sha256:
            raise UserError(
                f"{piece.path}: the folder of the configuration and that of the results both have one, and they differ; "
                "rename one."
            )
    return list(by_path.values())


def _fetched(source: Source) -> Iterator[Piece]:
    by_name = listings.is_name(name := source.entry["path"])
    entries = archives.find(name, archives.store(), ask=False) if by_name else ()
    for path in source.paths:
        sha256, size = copied(path, None)
        # the words of an address that an author has given are for who may read them alone
        yield Piece(
            path.as_posix(),
            sha256,
            size,
            MADE_OF,
            "raw logs, fetched",
            here=False,
            url=transfer.shown(str(source.url)),
            licence=entries[0].licence if entries else None,
            citation=source.citation,
            name=name if by_name else None,
        )


def versions_here() -> dict[str, str]:
    """Return the versions of what makes results: benchmill, Python, TeX, and all libraries that benchmill needs, by name."""
    tex = typesetting.tex_version()
    return {
        "benchmill": f"{__version__} ({_code()})",
        "Python": platform.python_version(),
        **({"TeX": tex} if tex else {}),
        **{name: version for name, version in fingerprint.versions("benchmill") if name != "benchmill"},
    }


def _code() -> str:
    """Return a digest of all that results depend on: modules, templates and data of the package, rules and scripts."""
    total = hashlib.sha256()
    for root, below in ((_OWN[1], "."), (ROOT, "workflow"), (ROOT, "scripts")):
        for path in sorted((root / below).rglob("*")):
            place = path.relative_to(root)
            if path.is_file() and place.parts[0] != "_workflow" and "__pycache__" not in place.parts:
                total.update(f"{place.as_posix()}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()[:12]


def words_of(content: Given, config: Path, versions: Versions) -> Written:
    """Return what a deposit that versions of programs have made says of itself, with defaults filled in.

    Raises
    ------
    UserError
        Licence or authors are missing.
    """
    whole = validation.filled(content, validation.schema())
    words: Written = dict(whole["deposit"]) if isinstance(whole.get("deposit"), dict) else {}
    such = {"licence": "CC-BY-4.0", "authors": "[{name: Your name}]"}
    if lacking := {key: example for key, example in such.items() if not words.get(key)}:
        written = ", ".join(f"{key}: {example}" for key, example in lacking.items())
        raise UserError(
            f"{config}: found no {listed([f'deposit.{key}' for key in lacking], 'or')}, and a deposit needs that; write "
            f"`deposit: {{{written}}}`."
        )
    studies = {name: study.get("title") or name for name, study in whole["studies"].items()}
    words["title"] = words["title"] or "; ".join(studies.values())
    words["description"] = (
        f"Data, configuration and results of {listed([f'`{name}`' for name in studies])}, made by benchmill {_release(versions)}."
    )
    # as other tools take it, for packages that are the same whenever they are made
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    today = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC) if epoch else datetime.datetime.now(datetime.UTC)
    return words | {"date": today.date().isoformat()}


def explain(folder: Path, words: Given, versions: Versions) -> None:
    """Write the texts of a deposit that say what it is, and which versions made it.

    Raises
    ------
    UserError
        The study reads a file that has the name of one.
    """
    facts = {"configuration": CONFIGURATION, "libraries": LIBRARIES, "manifest": ro_crate.NAME, "release": _release(versions)}
    for name in (LIBRARIES, EXPLANATION):
        if (folder / name).exists():
            raise UserError(f"{name}: the study reads a file of this name, which a deposit has for itself; rename it.")
        text = prose.whole(__file__, name, words=words, versions=versions, **facts)
        (folder / name).write_text(text, "utf-8", newline="\n")


def _release(versions: Versions) -> str:
    return versions.get("benchmill", "").partition(" ")[0]


# --- the paper of a study in one file --------------------------------------------------------------

#: A document around the section of a study that brings no paper.
_ARTICLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{graphicx,booktabs,longtable,amsmath,textcomp,lmodern}
\begin{document}
\input{section.tex}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""


def pack(results: Path, target: Path, paper: Path | None = None) -> list[str]:
    """Write what a study gives to a paper into one file.

    Raises
    ------
    UserError
        The results are not made, LaTeX fails or is not there, or the name says another kind of file.
    """
    if not (results / "section.md").is_file():
        raise UserError(f"{results}: found no section.md, expected results of a study; make them with `snakemake --cores all`.")
    if target.suffix != ".zip":
        raise UserError(
            f"{target}: found no known suffix, expected .zip; for Word, LibreOffice or Typst call pandoc with section.md "
            "(docs/figures.md)."
        )
    with tempfile.TemporaryDirectory(prefix="benchmill-") as folder:
        source = paper
        if source is None:
            source = Path(folder) / "article.tex"
            source.write_text(_ARTICLE, "utf-8")
        # what is read is known when it has compiled, and so is that it does
        read = typesetting.compile_pdf(source, Path(folder) / "made" / "paper.pdf", reads=results)
        if outside := [name for name in read if name.startswith("..")]:
            raise UserError(
                f"{source}: reads {outside[0]}, which is not below its folder; put it there, so that it can be packed."
            )
        with whole_file(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in sorted(read.items()):
                # the time of a file is no part of what is packed: the same files make the same archive
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return sorted(read)
