"""The paper of a study in one file: its LaTeX sources as a ZIP archive."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from benchmill.core.errors import UserError
from benchmill.core.whole_file import whole_file
from benchmill.workflow import typesetting

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
