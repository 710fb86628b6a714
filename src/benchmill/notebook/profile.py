"""Performance profiles as objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmill import tables
from benchmill.core.limits import costs_of
from benchmill.core.options import held
from benchmill.notebook.arguments import looked_at
from benchmill.notebook.costs import Costs, as_costs, competing
from benchmill.notebook.objects import Drawn, Result, frame_of, image, in_own_words, names
from benchmill.profiles import fit
from benchmill.profiles.measures import of_competing
from benchmill.registry.variants import DEFAULT, VARIANTS, usual_name


@dataclass(frozen=True, eq=False, repr=False)
class Profile(Result, Drawn):
    """Performance profiles of one measure, as `benchmill.profile` makes them."""

    usual = "profile"

    frame = frame_of("profiles", "The curves: one row per algorithm and break point, with `tau` and `rho`.")

    measures = frame_of("profile_measures", "Values read off the curves: areas, rho(1), rho(tau_max), tau*, and ranks.")

    pairs = frame_of("profile_pairs", "Pairs of curves: one row per ordered pair.")

    intervals = frame_of("profile_intervals", "Bootstrap intervals of areas, rho(1) and ranks; empty without bands.")

    kind_of_table = "profile_measures"

    @property
    def caption(self) -> str:
        """The caption of the curves: their problems and trials, and the conventions in force."""
        return self.caption_of()

    @property
    def sentences(self) -> list[str]:
        """Sentences on who comes first by which criterion."""
        return tables.summary(self.data, self.settings)

    def _repr_html_(self) -> str:
        return image(self.figure(), self.caption) + self.to_html()


@looked_at
def profile(
    costs: Costs | Any, variant: str = DEFAULT, *, seed: int = 1, not_competing: Sequence[str] = (), **options: Any
) -> Profile:
    """Make performance profiles.

    Parameters
    ----------
    costs : Costs
        What `costs` gives; or a DataFrame with the columns `algorithm`, `problem` and `cost`.
    variant : {"dolan_more", "probabilistic", "nested", "log_ratio", "data"}
    seed : int
        For bands, and some probabilistic profiles.
    not_competing : sequence of str
        Algorithms that are shown, but have no rank.
    **options
        As in a configuration: `by`, `weights`, `tau_max`, `unsolved`, `bands` (``{}`` for the usual ones), `model`, `rule`, ...

    Examples
    --------
    >>> import pandas as pd
    >>> import benchmill as bm
    >>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": list("pqpq"), "cost": [1.0, 4.0, 2.0, float("inf")]})
    >>> bm.profile(df).measures[["algorithm", "rho_1", "rho_tau_max"]]
      algorithm  rho_1  rho_tau_max
    0         A    1.0          1.0
    1         B    0.0          0.5
    """
    of = as_costs(costs)
    if "by" in options:
        options["by"] = names(options["by"])
    chosen = {"variant": variant, **options}
    chosen["name"] = options.get("name") or usual_name(chosen)
    aside, reads_costs = competing(of, not_competing), variant in VARIANTS and VARIANTS[variant].reads_costs(chosen)
    with in_own_words():
        fitted = fit(
            of.rating(True, aside) if aside else of.rated,
            costs_of(of.costs_of_trials, of.measure["name"], aside)[0] if reads_costs else None,
            measure=of.measure["name"],
            variant=variant,
            seed=seed,
            **{key: of.measure[key] for key in ("aggregate", "shift") if key in of.measure},
            **{key: value for key, value in chosen.items() if key != "variant"},
        )
        found = fitted.tables()
        found["profile_measures"] = of_competing(found["profile_measures"], aside)
    return Profile({**found, "ingest": of.reports}, {**of.settings, "profile": {"variant": variant, **held(fitted.options)}})
