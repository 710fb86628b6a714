"""The LaTeX paper and the self-contained HTML page of all studies."""

from benchmill.report import page, paper

__all__ = ["page", "paper"]
