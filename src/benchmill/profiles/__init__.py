"""Performance profiles: ratios, one module per variant, and the numbers read off a profile."""

from collections.abc import Collection, Sequence
from typing import Any

import pyarrow as pa

from benchmill.core import UserError
from benchmill.core.keys import CLUSTER_KEYS, Key
from benchmill.core.limits import costs_of
from benchmill.profiles.measures import of_competing
from benchmill.profiles.ratios import shifted
from benchmill.registry.variants import DEFAULT, VARIANTS


def fit(
    ratios: pa.Table,
    costs: pa.Table | None = None,
    *,
    measure: str,
    variant: str = DEFAULT,
    seed: int = 1,
    aggregate: str = "ert",
    shift: float = 0.0,
    cluster_keys: Sequence[Key] = CLUSTER_KEYS,
    **settings: Any,
) -> Any:
    """Fit the profiles of one measure, by the name of their variant; `settings` are the fields of its `Options`.

    Returns a `benchmill.profiles.variant.Profile`, whose attributes are the tables that can be read off it.
    """
    if variant not in VARIANTS:
        raise UserError(f"profiles: there is no variant {variant!r}; choose one of {', '.join(VARIANTS)}.")
    # by the registry: what all variants have in common is no part of the code that makes ratios, which this module is
    entry = VARIANTS[variant]
    return entry.profile(
        ratios,
        None if costs is None else shifted(costs, shift),
        measure=measure,
        options=entry.options.of(settings, variant),
        seed=seed,
        aggregate=aggregate,
        cluster_keys=cluster_keys,
    )


def all_tables(
    ratios: pa.Table, costs: pa.Table | None = None, *, not_competing: Collection[str] = (), **arguments: Any
) -> dict[str, pa.Table]:
    """Return every table that a variant makes of a measure, by name; arguments as `fit`. Who does not compete has no rank."""
    common = None if costs is None else costs_of(costs, arguments["measure"], not_competing)[0]
    tables: dict[str, pa.Table] = fit(ratios, common, **arguments).tables()
    return tables | {"profile_measures": of_competing(tables["profile_measures"], not_competing)}
