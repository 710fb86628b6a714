"""Performance profiles: ratios, one module a variant, and the numbers read off a profile.

A variant is found by name in `VARIANTS`; its module has `profile(ratios, *, measure, name, ...)` that makes the table
`profiles` and `profile_measures(...)` with the same keywords that makes the table of that name.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pyarrow as pa

from benchmill.core import schema
from benchmill.core.errors import UserError
from benchmill.profiles import pairs
from benchmill.profiles.ratios import shifted

#: Variant -> the module that computes it, imported when it is asked for.
VARIANTS = {
    "accuracy": "benchmill.profiles.accuracy",
    "data": "benchmill.profiles.data",
    "dolan_more": "benchmill.profiles.dolan_more",
    "log_ratio": "benchmill.profiles.log_ratio",
    "nested": "benchmill.profiles.nested",
    "probabilistic": "benchmill.profiles.probabilistic",
}


def profile(ratios: pa.Table, *, measure: str, variant: str = "dolan_more", **settings: Any) -> pa.Table:
    """Profile of one measure, by variant; see `profile` of the variant's module for the settings.

    Raises
    ------
    UserError
        The variant or a setting is unknown.
    """
    module = _module(variant)
    _check(variant, module.profile, settings)
    return module.profile(ratios, measure=measure, **settings)


def profile_measures(ratios: pa.Table, *, measure: str, variant: str = "dolan_more", **settings: Any) -> pa.Table:
    """Measures of the profile that `profile` makes with the same arguments.

    Raises
    ------
    UserError
        The variant or a setting is unknown.
    """
    module = _module(variant)
    _check(variant, module.profile_measures, settings)
    return module.profile_measures(ratios, measure=measure, **settings)


def all_tables(
    ratios: pa.Table,
    costs: pa.Table | None = None,
    *,
    measure: str,
    variant: str = "dolan_more",
    seed: int = 1,
    bands: Mapping[str, Any] | None = None,
    aggregate: str = "ert",
    shift: float = 0.0,
    **settings: Any,
) -> dict[str, pa.Table]:
    """Everything that a variant has to say about a measure.

    Parameters
    ----------
    ratios : pyarrow.Table
    costs : pyarrow.Table, optional
        Table `costs` of all sources, for variants that look at single trials.
    measure, variant, **settings
        As `profile`.
    seed : int
        The study's, for what draws random numbers.
    bands : mapping, optional
        `resample`, `kind`, `level`, `replicates` of `benchmill.profiles.bands.banded`; no bands by default.
    aggregate : str
        How the runs of a cell become one cost, for bands.
    shift : float
        What was added to every cost before the ratios; it is added to the costs of single trials here.

    Returns
    -------
    dict of str to pyarrow.Table
        `profiles`, `profile_measures`, `profile_pairs`, `profile_intervals` (empty without bands), `profile_warnings`.

    Raises
    ------
    UserError
        As `profile`.
    """
    module = _module(variant)
    settings.pop("measures", None)
    takes = inspect.signature(module.profile).parameters
    costs = None if costs is None else shifted(costs, shift)
    if "costs" in takes:
        settings["costs"] = costs
    if "seed" in takes:
        settings["seed"] = seed
    profiles = profile(ratios, measure=measure, variant=variant, **settings)
    compared, limits = pairs.profile_pairs(profiles), schema.TABLES["profile_intervals"].empty_table()
    if bands:
        # by name: a change of bands, or of a variant that they know, re-makes no profile without them
        profiles, compared, limits = importlib.import_module("benchmill.profiles.bands").banded(
            profiles,
            compared,
            ratios,
            costs,
            measure=measure,
            variant=variant,
            settings=settings,
            aggregate=aggregate,
            seed=seed,
            **bands,
        )
    return {
        "profiles": profiles,
        "profile_measures": profile_measures(ratios, measure=measure, variant=variant, **settings),
        "profile_pairs": compared,
        "profile_intervals": limits,
        "profile_warnings": (
            module.warnings(ratios, measure=measure, **settings)
            if hasattr(module, "warnings")
            else schema.TABLES["profile_warnings"].empty_table()
        ),
    }


def _module(variant: str) -> ModuleType:
    if variant not in VARIANTS:
        raise UserError(f"profiles: there is no variant {variant!r}; choose one of {', '.join(VARIANTS)}.")
    return importlib.import_module(VARIANTS[variant])


def _check(variant: str, function: Any, settings: dict[str, Any]) -> None:
    known = [name for name in inspect.signature(function).parameters if name not in ("ratios", "measure", "costs")]
    unknown = [name for name in settings if name not in (*known, "costs")]
    if unknown:
        raise UserError(f"profiles: the variant {variant!r} has no setting {unknown[0]!r}; it has {', '.join(known)}.")
