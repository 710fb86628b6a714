"""The plain and the probabilistic profile at τ = 1 side by side: Table 2 of Barreto, Bernardino, Barbosa 2010."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchmill.tables.fields import heads, named, numbers, section
from benchmill.text import display, labels
from benchmill.text.display import Table
from benchmill.text.frames import frame, short_names
from benchmill.text.measures import called


def build(data: Mapping[str, Any], settings: Mapping[str, Any]) -> Table:
    """Make the table by rho(1), ties broken by the probabilistic profile; of each kind the first variant of all problems."""
    measure = settings["measure"]["name"]
    rows = frame(data["profile_measures"], measure)
    rows = rows[rows["dimension"].isna() & rows["target"].isna()]
    plain, smooth = (_first(rows[rows[counted].notna()]) for counted in ("wins", "win_probability"))
    both = plain[["algorithm", "rho_1", "n_problems"]].merge(
        smooth[["algorithm", "rho_1", "win_probability"]], on="algorithm", how="left", suffixes=("", "_expected")
    )
    both = both.assign(algorithm=both["algorithm"].astype(plain["algorithm"].dtype), order=both["rho_1_expected"].fillna(0.0))
    both = both.sort_values(["rho_1", "order", "algorithm"], ascending=[False, False, True])
    shown = short_names(data, both["algorithm"])
    # ties share the smallest rank
    first = ~both.duplicated(["rho_1", "order"])
    both["rank"] = pd.Series(range(1, len(both) + 1), both.index).where(first).ffill().astype(int)
    fields = (
        named("algorithm", shown),
        numbers("ρ(1)", "rho_1", "share of problems on which the algorithm is (tied) best", display.share),
        numbers(
            "expected ρ(1)",
            "rho_1_expected",
            "expected share of problems on which one run costs at most the best mean",
            display.share,
        ),
        numbers("#", "rank", "rank by ρ(1), ties broken by the expected one", display.count),
        numbers("P(win)", "win_probability", "expected share of problems on which one run of each makes it best", display.share),
    )
    n = int(both["n_problems"].iloc[0]) if len(both) else 0
    return Table(
        name=f"values_at_one_{labels.file_name(measure)}",
        title=f"Profiles at τ = 1, {called(settings['measure'])}",
        caption=(
            "The profile and the probabilistic profile at τ = 1 "
            f"for the measure {called(settings['measure'])}. ρ(1): share of problems on which the "
            "algorithm is (tied) best; expected ρ(1): that of the probabilistic profile, the expected share on which one run "
            "costs at most the best mean; #: rank by ρ(1), ties "
            "broken by the expected one; P(win): expected share of problems on which one run of each algorithm makes it best."
        ),
        columns=heads(fields),
        sections=(section(display.plural(n, "problem"), fields, both),),
        place="appendix",
    )


def _first(data: pd.DataFrame) -> pd.DataFrame:
    return data[data["variant"] == data["variant"].iloc[0]] if len(data) else data
