r"""The LaTeX paper of all studies, and its compilation to the same bytes everywhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from benchmill import __version__, display, labels
from benchmill.display import Table
from benchmill.errors import UserError
from benchmill.report.methods import REFERENCES, methods

_CITATION = re.compile(r"\s*\[([a-z]+[0-9]{4})\]")


def render(
    studies: Sequence[Mapping[str, Any]],
    template: str | Path,
    title: str = "Benchmark report",
    reproduction: Table | None = None,
) -> str:
    r"""The paper as LaTeX source, to be stored beside the folders of the studies (`results/paper/paper.tex`).

    It `\input`s `../<study>/tables/<name>.tex` and `../<study>/numbers.tex` and includes
    `../<study>/<file>` of each figure; nothing of a table is copied into it.

    Parameters
    ----------
    studies : sequence of mapping
        For each study: `name`, `title`, `config` (every default filled in), `tables` (of
        `benchmill.display.Table`, as written to the tables folder), `figures` (mappings with `name`, `kind`,
        `caption` and `file`, the path of the PDF relative to the study's folder), `verdicts` (measure to list of paragraphs),
        `long` (names of the tables that are set as `longtable`).
    template : path
        Jinja2 template with the delimiters `<< >>`, `<% %>` and `<# #>`.
    title : str
        Title of the paper.
    reproduction : Table, optional
        Published numbers beside the recomputed ones, as written to `results/reproduction.tex`: a chapter of its own.

    Raises
    ------
    UserError
        The template cannot be read or is wrong; names file and line.
    """
    template = Path(template)
    environment = jinja2.Environment(
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    environment.filters["tex"] = lambda text: display.tex(str(text))
    environment.filters["heading"] = lambda text: (
        rf"\texorpdfstring{{\raggedright {display.breakable_tex(text)}}}{{{display.tex(text)}}}"
    )
    environment.filters["prose"] = _prose
    environment.filters["key"] = labels.file_name
    try:
        source = template.read_text(encoding="utf-8")
        return environment.from_string(source).render(
            title=title,
            studies=[_study(study) for study in studies],
            references={
                key: display.tex(text) for key, text in REFERENCES.items() if any(_cites(study, key) for study in studies)
            },
            version=__version__,
            reproduction=reproduction,
        )
    except OSError as error:
        raise UserError(f"{template}: cannot be read ({error.strerror}); give the template of the paper.") from None
    except jinja2.TemplateSyntaxError as error:
        raise UserError(f"{template.name}, line {error.lineno}: {error.message}; correct the template.") from None
    except jinja2.UndefinedError as error:
        raise UserError(f"{template.name}: {error.message}; correct the template.") from None


def _study(study: Mapping[str, Any]) -> dict[str, Any]:
    tables: Sequence[Table] = study["tables"]
    long = set(study.get("long") or [])
    shown = [
        {"name": t.name, "title": t.title, "caption": t.caption, "place": t.place, "long": t.name in long, "empty": not t.n_rows}
        for t in tables
    ]
    return {
        "name": study["name"],
        "title": study.get("title") or study["name"],
        "methods": methods(study["config"]),
        "figures": list(study.get("figures") or []),
        "tables": {place: [t for t in shown if t["place"] == place] for place in ("data", "results", "statistics", "appendix")},
        "verdicts": dict(study.get("verdicts") or {}),
    }


def _cites(study: Mapping[str, Any], key: str) -> bool:
    return any(f"[{key}]" in text for _, text in methods(study["config"]))


def _prose(text: str) -> str:
    """Plain Unicode as LaTeX, with `[key]` of the known references as citations."""
    pieces = _CITATION.split(text)
    return "".join(
        rf"~\cite{{{piece}}}" if i % 2 and piece in REFERENCES else display.tex(piece) for i, piece in enumerate(pieces)
    )


def tex_engine_available() -> bool:
    """Whether `latexmk` and `pdflatex` are installed."""
    return shutil.which("latexmk") is not None and shutil.which("pdflatex") is not None


def compile_pdf(tex: str | Path, pdf: str | Path, timeout: float = 600) -> None:
    """Compile a LaTeX file; the PDF appears complete or not at all.

    Works in a scratch folder and leaves nothing beside `tex`. The bytes depend on the sources only: neither
    on the day nor on the folder. Commands in the sources cannot start programs.

    Parameters
    ----------
    tex, pdf : path
        Paths within the sources are relative to the folder of `tex`.
    timeout : float
        Seconds after which LaTeX is given up.

    Raises
    ------
    UserError
        There is no LaTeX, or it fails: the message has the error lines and the name of the log, which is
        kept beside `pdf`.
    """
    tex, pdf = Path(tex).resolve(), Path(pdf).resolve()
    if not tex_engine_available():
        raise UserError(
            "paper: found no latexmk or pdflatex, expected both; install TeX Live (latex-base, latex-recommended, pictures, "
            "lmodern, latexmk)."
        )
    pdf.parent.mkdir(parents=True, exist_ok=True)
    log = pdf.with_suffix(".log")
    # max_print_line: an error message is one line, however long
    stable = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "TZ": "UTC", "LC_ALL": "C", "max_print_line": "10000"}
    with tempfile.TemporaryDirectory(prefix="benchmill-") as scratch:
        command = ["latexmk", "-norc", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
        command += [f"-outdir={scratch}", "-jobname=paper", tex.name]
        try:
            done = subprocess.run(
                command, cwd=tex.parent, env={**os.environ, **stable}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, timeout=timeout, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise UserError(f"{tex.name}: LaTeX did not end within {timeout:g} s; look for a loop in the template.") from None
        written = Path(scratch) / "paper.log"
        text = (
            written.read_text(encoding="utf-8", errors="replace") if written.exists() else done.stdout.decode("utf-8", "replace")
        )
        made = Path(scratch) / "paper.pdf"
        if done.returncode or not made.exists():
            log.write_text(text, encoding="utf-8")
            raise UserError(f"{tex.name}: LaTeX failed: {_errors(text)} See {log.name}.")
        part = pdf.with_name(pdf.name + ".part")
        shutil.copyfile(made, part)
        os.replace(part, pdf)
        log.unlink(missing_ok=True)


def _errors(log: str) -> str:
    lines = log.splitlines()
    found = []
    for i, line in enumerate(lines):
        if line.startswith("!"):
            place = next((later for later in lines[i + 1 : i + 12] if later.startswith("l.")), "")
            found.append(f"{line} {place}".strip())
    return " ".join(found[:5]) or "no error line in its log."
