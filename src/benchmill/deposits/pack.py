"""The paper of a study in one file: LaTeX sources as a ZIP archive, or a document that pandoc makes."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.core.whole_file import whole_file
from benchmill.workflow import typesetting

#: Documents that pandoc makes, by suffix, and the first version that can.
DOCUMENTS = {".docx": (2, 0), ".odt": (2, 0), ".typ": (3, 1)}

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
        The results are not made, LaTeX or pandoc fails or is not there, or the name says no known kind of file.
    """
    if not (results / "section.md").is_file():
        raise UserError(f"{results}: found no section.md, expected results of a study; make them with `snakemake --cores all`.")
    if target.suffix == ".zip":
        return _archive(results, target, paper)
    if target.suffix not in DOCUMENTS:
        raise UserError(f"{target}: found no known suffix, expected .zip, {', '.join(DOCUMENTS)}; choose one of these.")
    return _document(results, target)


def _archive(results: Path, target: Path, paper: Path | None) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="benchmill-") as folder:
        source = paper
        if source is None:
            source = Path(folder) / "article.tex"
            source.write_text(_ARTICLE, "utf-8")
        # what is read is known when it has compiled, and so is that it does
        read = typesetting.compile_pdf(source, Path(folder) / "made" / "paper.pdf", reads=results)
        outside = [name for name in read if name.startswith("..")]
        if outside:
            raise UserError(
                f"{source}: reads {outside[0]}, which is not below its folder; put it there, so that it can be packed."
            )
        with whole_file(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in sorted(read.items()):
                # the time of a file is no part of what is packed: the same files make the same archive
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return sorted(read)


def _document(results: Path, target: Path) -> list[str]:
    found = shutil.which("pandoc")
    needed = DOCUMENTS[target.suffix]
    if found is None or _version(found) < needed:
        what = "no pandoc" if found is None else f"pandoc {'.'.join(map(str, _version(found)))}"
        raise UserError(f"{target}: found {what}, expected {'.'.join(map(str, needed))} or later; install it (pandoc.org).")
    whole = target.resolve()
    command = [found, "section.md", "--from=markdown", "--citeproc", "--bibliography=references.bib", "--standalone"]
    with whole_file(whole) as part:
        made = part.with_name(f"{part.name}{target.suffix}")
        done = subprocess.run([*command, f"--output={made}"], cwd=results, capture_output=True, text=True, check=False)
        if done.returncode:
            made.unlink(missing_ok=True)
            raise UserError(f"{target}: pandoc failed: {' '.join(done.stderr.split())[-400:]}")
        made.replace(part)
    return [target.name]


def _version(pandoc: str) -> tuple[int, ...]:
    said = subprocess.run([pandoc, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return tuple(int(number) for number in said.split(".")[:2])
