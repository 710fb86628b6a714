"""From raw solver logs to the figures, tables and verdicts of a benchmarking paper."""

__version__ = "0.1.0"
