"""The kinds of figure, and what each needs of a study: the one place that configuration, rules and drawing read it from.

Adding a kind is one line here, one module of the same name in `benchmill.figures`, and its name in the schema of the
configuration where studies ask for it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """What a kind of figure shows, and which tables it is drawn from.

    Attributes
    ----------
    shows : str
        `profiles` of measures; `measures` without their profiles; `indicators` of a measure; `curves`, which are of no measure.
    tables : tuple of str
        Below the study's folder, with `{measure}`, `{variant}`, `{source}` or `{aggregation}` for what a figure is asked for.
    measures : int or None
        How many measures a figure shows; None: any number.
    variant : str or None
        The only variant of profiles that it can show.
    all_variants : bool
        Whether all variants are shown unless the study names some; else the first.
    running_times : bool
        Whether it shows measures of fixed targets only.
    asked : bool
        Whether studies ask for it by its kind; else it is drawn for every study that has what it shows.
    """

    shows: str
    tables: tuple[str, ...]
    measures: int | None = 1
    variant: str | None = None
    all_variants: bool = False
    running_times: bool = False
    asked: bool = True


_PROFILE = ("profiles/{measure}/{variant}", "profile_measures/{measure}/{variant}")
_MEASURES = "profile_measures/{measure}/{variant}"

#: In the order of the gallery.
KINDS = {
    "profile": Kind("profiles", _PROFILE),
    "profiles": Kind("profiles", _PROFILE, None, all_variants=True),
    "auc_bars": Kind("profiles", (_MEASURES, "profile_intervals/{measure}/{variant}"), None),
    "parallel_coordinates": Kind("profiles", (_MEASURES,), None),
    "pareto_fronts": Kind("profiles", (_MEASURES,), None),
    "waves": Kind(
        "profiles",
        ("waves/{measure}/{variant}", "wave_profiles/{measure}/{variant}", "profiles/{measure}/{variant}"),
        variant="nested",
    ),
    "stability": Kind("profiles", ("waves/{measure}/{variant}", "stability/{measure}/{variant}"), variant="nested"),
    "rank_map": Kind("measures", ("ratios/{measure}",)),
    "log_ratio": Kind("profiles", ("log_ratios/{measure}/{variant}",), variant="log_ratio"),
    "scatter": Kind("measures", ("ratios/{measure}",)),
    "ecdf": Kind("curves", ("ecdf/{aggregation}",), 0, asked=False),
    "scaling": Kind("indicators", ("indicators/{source}",), running_times=True),
    "running_time": Kind("indicators", ("indicators/{source}",), running_times=True),
    "convergence": Kind("curves", ("attainment/{source}",), 0),
    "attainment": Kind("curves", ("attainment/{source}",), 0),
    "density": Kind("indicators", ("densities/{source}",)),
    "areas": Kind("curves", ("ecdf_curves/{aggregation}",), 0),
    "aocc": Kind("curves", ("convergence/{source}",), 0),
    "target_sets": Kind("curves", ("target_sensitivity/ecdf",), 0),
    "ranks": Kind("measures", ("ranks/{measure}", "comparisons/{measure}"), asked=False),
    "intervals": Kind("measures", ("intervals/{measure}", "designs/{measure}"), asked=False),
    "critical_differences": Kind("measures", ("ranks/{measure}", "comparisons/{measure}", "tests/{measure}")),
    "pair_matrix": Kind("measures", ("ranks/{measure}", "comparisons/{measure}")),
    "posteriors": Kind("measures", ("posteriors/{measure}", "ranks/{measure}")),
}
