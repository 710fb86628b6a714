"""From raw solver logs to the figures, tables and verdicts of a benchmarking paper."""

__version__ = "1.0.0rc1"
