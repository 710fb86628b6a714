r"""LaTeX of your own: what it reads (sections, classes, bibliographies, pictures), and the PDF, of the same bytes everywhere."""

import ctypes
import difflib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from benchmill.core import UserError
from benchmill.core.whole_file import whole_file

#: Files that may name others.
_SOURCES = (".tex", ".ltx", ".cls", ".sty", ".clo", ".cfg", ".def", ".bbx", ".cbx", ".pgf", ".tikz")
_KINDS = (*_SOURCES, ".bib", ".bst", ".ist", ".pdf", ".png", ".jpg", ".jpeg", ".csv", ".dat", ".txt")

_BETWEEN_BRACES = re.compile(r"\{([^{}\n]{1,300})\}")
_WITHOUT_BRACES = re.compile(r"\\(?:@@?)?input\s+([^\s{}\\%]{1,300})")
#: Where a name begins to be the work of a macro.
_MADE = re.compile(r"[\\#]")

_MOST_FILES = 5_000
_LARGEST_SOURCE = 20_000_000

#: A paper of plain LaTeX needs three runs, one with a bibliography four; more only where pages push each other around.
_MOST_RUNS = 12

#: Neither the day nor the place of the run is in the PDF; an error message is one line, however long.
_STABLE = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "TZ": "UTC", "LC_ALL": "C", "max_print_line": "10000"}

#: After classes and languages have defined it; in a LaTeX from before 2020, which has no hooks, the day is the first of 1970.
_UNDATED = r"\ifdefined\AddToHook\AddToHook{begindocument/end}{\def\today{undated}}\fi "

#: What LaTeX and BibTeX say of a file that is not installed, and the Debian packages of what papers name.
_ABSENT = re.compile(r"File `([^'\n]+)' not found|open style file ([^\s]+)|Font [^\n]*=(\w+)[^\n]* not loadable")
_PACKAGES = {
    "texlive-publishers": "IEEEtran acmart llncs elsarticle revtex4-2 svjour3 siamart220329 ACM-Reference-Format splncs04",
    "texlive-latex-recommended": "booktabs caption subcaption xcolor microtype natbib fancyhdr koma-script scrartcl listings",
    "texlive-latex-extra": "multirow threeparttable enumitem cleveref algorithms algorithm algorithmic todonotes placeins",
    "texlive-science": "siunitx algorithm2e algorithmicx algpseudocode",
    "texlive-pictures": "tikz pgfplots pgf",
    "lmodern": "lmodern",
}

#: What ends a program with who started it (PR_SET_PDEATHSIG); loaded here, as between fork and exec nothing may be.
END_WITH_PARENT = partial(ctypes.CDLL(None).prctl, 1, signal.SIGKILL) if sys.platform == "linux" else None
_NO_FOLDER = re.compile(r"^! I can't write on file `([^'\n]+/)[^'/\n]+'", re.MULTILINE)


@cache
def paper_files(paper: Path, results: str = "results") -> tuple[Path, ...]:
    r"""Return the files that a paper may read, beside itself and the results.

    These are the LaTeX and BibTeX files and pictures in its folder, and whatever its source, or a source found like this, names
    between braces or after `\input`, with or without its suffix. Names are relative to the folder of the paper, to that of the
    source, or to a folder that the sources name (`\graphicspath`, `\import`). Where a macro makes the end of a name, all
    files of the folder count that its beginning names.

    Raises
    ------
    UserError
        There are more than 5 000 files, or a source has more than 20 MB: such a paper cannot be watched.
    """
    made, beside = Path(results).resolve(), paper.parent
    paths: dict[Path, Path] = {}
    asked = [paper, *_in_folder(beside)]
    while True:
        # what the author has compiled by hand is no source
        others = (path for path in reversed(asked) if path != paper.with_suffix(".pdf"))
        new = {path.resolve(): path for path in others if not path.resolve().is_relative_to(made)}
        if new.keys() <= paths.keys():
            return tuple(sorted(path for whole, path in paths.items() if whole != paper.resolve()))
        paths = new | paths
        named = {path: _names(path) for path in paths.values() if path.suffix.lower() in _SOURCES or path == paper}
        if len(paths) > _MOST_FILES:
            raise UserError(f"{paper}: names more than {_MOST_FILES} files; give the paper a folder of its own.")
        # a folder that one source names may hold what another one asks for
        ending = sorted(name for name in set().union(*named.values()) if name.endswith("/") and not _MADE.search(name))
        folders = [beside, *(_plain(beside / name) for name in ending if os.path.isdir(beside / name))]
        asked = [path for source, own in named.items() for name in own for path in _files(name, [*folders, source.parent])]


def _names(source: Path) -> set[str]:
    if source.stat().st_size > _LARGEST_SOURCE:
        raise UserError(f"{source}: has more than {_LARGEST_SOURCE // 10**6} MB; expected a source of LaTeX, give a smaller one.")
    text = source.read_text(encoding="utf-8", errors="replace")
    groups = [*_BETWEEN_BRACES.findall(text), *_WITHOUT_BRACES.findall(text)]
    names = {name.strip().strip('"') for group in groups for name in (group, *group.split(","))}
    return {name for name in names if name and "\0" not in name}


def _files(name: str, folders: list[Path]) -> Iterator[Path]:
    if made := _MADE.search(name):
        start, slash, _ = name[: made.start()].rpartition("/")
        for folder in folders if slash else ():
            yield from _in_folder(_plain(folder / start))
        return
    for folder in folders:
        for suffix in ("", *_KINDS):
            if os.path.isfile(path := folder / f"{name}{suffix}"):
                yield _plain(path)


def _in_folder(folder: Path) -> Iterator[Path]:
    if os.path.isdir(folder):
        yield from sorted(path for path in folder.iterdir() if path.suffix.lower() in _KINDS and path.is_file())


def _plain(path: Path) -> Path:
    return Path(os.path.normpath(path))


def tex_engine_available() -> bool:
    """Return True if `pdflatex` is installed."""
    return shutil.which("pdflatex") is not None


def tex_version() -> str | None:
    """Return what `pdflatex` says it is; None if there is none."""
    if not tex_engine_available():
        return None
    printed = subprocess.run(["pdflatex", "--version"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return printed.stdout.partition("\n")[0]


def compile_pdf(tex: str | Path, pdf: str | Path, timeout: float = 600, reads: str | Path | None = None) -> dict[str, Path]:
    """Compile a LaTeX file, with BibTeX, Biber and MakeIndex as it asks, until a run reads what it writes.

    The source starts no programs. The PDF appears complete or not at all, and its bytes depend on the sources alone.

    Raises
    ------
    UserError
        There is no LaTeX, it fails, takes too long, or its pages never settle: the message has the error lines and the log.
    """
    tex, pdf = Path(tex).resolve(), Path(pdf).resolve()
    if not tex_engine_available():
        raise UserError(
            "paper: found no pdflatex; install TeX Live (latex-base, latex-recommended, pictures, lmodern), "
            "then give the same command again."
        )
    pdf.parent.mkdir(parents=True, exist_ok=True)
    log = pdf.with_suffix(".log")
    results = [] if reads is None else [Path(reads).resolve()]
    # where programs look for files; the empty place stands for the folders of TeX
    places = {"TEXINPUTS": ".", "BIBINPUTS": str(tex.parent), "BSTINPUTS": str(tex.parent)}
    variables = {name: os.pathsep.join([first, *map(str, results), os.environ.get(name, "")]) for name, first in places.items()}
    with tempfile.TemporaryDirectory(prefix="benchmill-") as folder:
        scratch = Path(folder)
        try:
            _settle(tex, scratch, variables, time.monotonic() + timeout)
        except subprocess.TimeoutExpired:
            raise UserError(f"{tex.name}: LaTeX did not end within {timeout:g} s; look for a loop in it.") from None
        except _FailedError as failed:
            reason, output = failed.args
            log.write_text(output, encoding="utf-8")
            hints = _nearest(output, reads) + _installed_by(output)
            raise UserError(f"{tex.name}: {reason} {hints}See {log.name}.") from None
        with whole_file(pdf) as part:
            shutil.copyfile(scratch / "paper.pdf", part)
        log.unlink(missing_ok=True)
        return _sources(tex, scratch, [tex.parent, *results])


def _sources(tex: Path, scratch: Path, folders: list[Path]) -> dict[str, Path]:
    read, aux = re.findall("^INPUT (.*)$", _content("paper.fls")(scratch), re.MULTILINE), _content("paper.aux")(scratch)
    for command, suffix in (("bibdata", ".bib"), ("bibstyle", ".bst")):
        for names in re.findall(rf"^\\{command}{{(.*)}}$", aux, re.MULTILINE):
            read += [f"{name.removesuffix(suffix)}{suffix}" for name in names.split(",")]
    sources = {tex.name: tex}
    for name in map(os.path.normpath, read):
        place = next((place for place in (folder / name for folder in folders) if place.is_file()), None)
        # what is found in the results is written with their whole path
        folder = next((folder for folder in reversed(folders) if Path(name).is_relative_to(folder)), None)
        if place is not None and (folder or not os.path.isabs(name)):
            sources[str(Path(name).relative_to(folder)) if folder else name] = place
    return sources


def _nearest(log: str, reads: str | Path | None) -> str:
    missing = re.search(r"There is no number called `([^']*)'", log)
    if missing is None or reads is None:
        return ""
    sources = "\n".join(path.read_text("utf-8", "replace") for path in sorted(Path(reads).glob("*.tex")))
    near = difflib.get_close_matches(missing[1], re.findall(r"benchmill@([^\\#]+)\\endcsname", sources), n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


def _installed_by(log: str) -> str:
    absent = _ABSENT.search(log)
    if absent is None:
        return ""
    stem = Path(next(name for name in absent.groups() if name)).stem
    by_stem = {stem: package for package, stems in _PACKAGES.items() for stem in stems.split()}
    if package := "texlive-fonts-recommended" if absent[3] else by_stem.get(stem):
        return f"On Debian and Ubuntu: apt-get install {package}. "
    return "" if Path(absent[0]).suffix == ".tex" else f"`apt-file search {stem}` says which package of your system has it. "


class _FailedError(Exception):
    """The words of a program that failed, and its log."""


def _settle(tex: Path, scratch: Path, variables: Mapping[str, str], deadline: float) -> None:
    # what LaTeX would else read of a compilation by hand beside the source
    (scratch / "paper.aux").write_text("\\relax \n", encoding="ascii")
    # whatever the source says of it, the file does not know where and when it was made
    source = rf"\pdftrailerid{{}}\pdfsuppressptexinfo=-1 {_UNDATED}\input{{{tex.name}}}"
    command = [
        *("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "-jobname=paper"),
        *("-recorder", f"-output-directory={scratch}", source),
    ]
    done: dict[str, str] = {}
    read, changed = _written(scratch), [""]
    for i in range(_MOST_RUNS):
        # nobody reads what the first run makes, and without its PDF it takes a fifth less
        now = [command[0], "-draftmode", *command[1:]] if i == 0 else command
        while (status := _run(now, tex.parent, variables, deadline)) and _made_folder(scratch):
            pass
        if status or not (i == 0 or (scratch / "paper.pdf").exists()):
            raise _FailedError(f"LaTeX failed: {_errors(_log(scratch))}", _log(scratch))
        for program, asks in _HELPERS.items():
            asked = asks(scratch)
            if asked and done.get(program) != asked:
                _help(program, scratch, variables, deadline)
                done[program] = asked
        written = _written(scratch)
        changed = sorted(name for name in {*read, *written} if read.get(name) != written.get(name))
        if i > 0 and not changed:
            return
        read = written
    raise _FailedError(
        f"its pages do not settle: {', '.join(changed[:5])} differ after each of {_MOST_RUNS} runs of LaTeX; look for a label "
        "or a page number that moves what it refers to.",
        _log(scratch),
    )


def _written(scratch: Path) -> dict[str, str]:
    return {
        str(path.relative_to(scratch)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(scratch.rglob("*"))
        if path.is_file() and path.name not in ("paper.pdf", "paper.log", "paper.fls", "paper.blg", "paper.ilg")
    }


def _made_folder(scratch: Path) -> bool:
    missing = _NO_FOLDER.search(_log(scratch))
    folder = (scratch / missing[1]).resolve() if missing else scratch
    if made := not folder.exists() and folder.is_relative_to(scratch.resolve()):
        folder.mkdir(parents=True)
    return made


def _cited(scratch: Path) -> str:
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(scratch.rglob("*.aux")))
    lines = re.findall(r"^\\(?:citation|bibdata|bibstyle).*$", text, re.MULTILINE)
    asked = {line.partition("{")[0] for line in lines}
    return "\n".join(lines) if {"\\citation", "\\bibdata"} <= asked and not (scratch / "paper.bcf").exists() else ""


def _content(name: str) -> Callable[[Path], str]:
    return lambda scratch: (scratch / name).read_text("utf-8", "replace") if (scratch / name).exists() else ""


_log = _content("paper.log")

#: Programs that make something for LaTeX of what LaTeX has written, and what they read of it; nothing where they are not needed.
_HELPERS: dict[str, Callable[[Path], str]] = {
    "bibtex": _cited,
    "biber": _content("paper.bcf"),
    "makeindex": _content("paper.idx"),
}


def _help(program: str, scratch: Path, variables: Mapping[str, str], deadline: float) -> None:
    if shutil.which(program) is None:
        raise _FailedError(
            f"it needs {program}, which is not installed; install it and give the same command again.", _log(scratch)
        )
    log = scratch / f"{program}.log"
    status = _run([program, "paper"], scratch, variables, deadline, log)
    text = log.read_text(encoding="utf-8", errors="replace")
    log.unlink()
    if status:
        raise _FailedError(f"{program} failed: {' '.join(text.split())[-600:]}", text)


def _run(command: list[str], folder: Path, variables: Mapping[str, str], deadline: float, log: Path = Path(os.devnull)) -> int:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **_STABLE, **variables},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=END_WITH_PARENT,
        )
        try:
            return process.wait(max(deadline - time.monotonic(), 0))
        finally:
            if process.poll() is None:
                getattr(os, "killpg", os.kill)(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
                process.wait()


def _errors(log: str) -> str:
    lines = log.splitlines()
    begun = [i for i, line in enumerate(lines) if line.startswith("!")][:5]
    places = (next((later for later in lines[i + 1 : i + 12] if later.startswith("l.")), "") for i in begun)
    return " ".join(f"{lines[i]} {place}".strip() for i, place in zip(begun, places, strict=True)) or "no error line in its log."
