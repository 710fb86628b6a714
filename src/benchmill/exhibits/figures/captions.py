"""Words of captions about measures, profiles and trials."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from benchmill.exhibits.figures.sheet import Sheet
from benchmill.registry.variants import RESAMPLES
from benchmill.text import display, frames
from benchmill.text.measures import UNKNOWN, Measure
from benchmill.text.variants import Profile


def data_words(sheet: Sheet) -> str:
    """Return `8 algorithms in 4 panels of 24 (evenly chosen)`."""
    algorithms = display.plural(sheet.rows["algorithm"].nunique(), "algorithm")
    return (
        f"{algorithms} in {display.plural(len(sheet.parts), 'panel')}{sheet.sample_words}"
        if len(sheet.parts) > 1 or sheet.sample_words
        else algorithms
    )


_RESAMPLED = {
    "runs": "the runs of each problem",
    "problems": "clusters of problems",
    "both": "clusters of problems and their runs",
}


def resampled(banded: Profile) -> str:
    """Return what a band is, of a profile that has some."""
    return (
        f"{display.target(100 * banded.level)} % at each τ ({display.count(RESAMPLES)} "
        f"bootstrap resamples of {_RESAMPLED[str(banded.bands)]})."
    )


def span(values: Sequence[Any], form: Any = display.count) -> str:
    """Return `3`, or `3 to 7`, of sorted values."""
    if not values:
        return "no"
    return form(values[0]) if len(values) == 1 else f"{form(values[0])} to {form(values[-1])}"


def counted(values: Sequence[Any], word: str) -> str:
    """Return `1 problem`, or `3 to 7 problems`, of sorted counts."""
    return f"{span(values)} {word if list(values) == [1] else word + 's'}"


def per_row(data: pd.DataFrame, column: str, word: str) -> str:
    """Return the same of a column of counts."""
    return counted(frames.only(data, column), word)


def cut_words(ends: list[float], share: float) -> str:
    """Say that the axis ends before τ_max; empty where it does not."""
    if share == 1:
        return ""
    return (
        f"The axis ends at {share:g} τ_max, where markers show ρ; all numbers are those up to τ_max = "
        f"{span(ends, display.number)}."
    )


def trial_words(tables: frames.Data, measure: Measure = UNKNOWN) -> str:
    """Say which trials are missing or left out; empty without any, or without ingest reports."""
    reports = tables.get("ingest") or []
    missing = sum(report["trials"].get("missing") or 0 for report in reports)
    verbs = ("is left out", "are left out")
    if measure.missing == "failure":
        verbs = ("counts as a failure if its problem has no other", "count as failures where a problem has no other")
    gap = f"{display.plural(missing, 'missing trial')} {verbs[missing != 1]}." if missing else ""
    about, out = measure.dimensions, measure.exclude
    if not (reports and (about or out)):
        return gap
    left = [
        *([f"dimension{'s' * (len(about) > 1)} {display.listed([str(d) for d in about])}"] if about else []),
        *([f"problems other than {display.listed([str(name) for name in out])}"] if out else []),
    ]
    # the reports count whole sources
    return f"Only {' and '.join(left)}.{f' Of all sources, {gap}' if gap else ''}"


def trials_of(data: pd.DataFrame) -> str:
    """Return how many trials and instances are behind rows, and the most that are missing behind one."""
    most = int(data["n_missing"].max())
    behind = f"{per_row(data, 'n_trials', 'trial')} of {per_row(data, 'n_instances', 'instance')}"
    return f"{behind}, {f'with up to {display.count(most)} missing' if most else 'none missing'}"
