"""What is handed on: the LaTeX paper and the self-contained HTML page, of all studies."""

from benchmill.report import page, paper
from benchmill.report.methods import methods

__all__ = ["methods", "page", "paper"]
