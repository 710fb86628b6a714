"""Settings that every profile variant has; the module of a variant adds its own."""

from typing import ClassVar, Self

import numpy as np

from benchmill.core import Given, UserError, record
from benchmill.core.options import Checked, made
from benchmill.registry.variants import Described

#: What `tau_min` is, of the variants whose curves can be below 1.
TAU_MIN = "Left end of the curves, from 0 to 1. Areas, and the share solved at 1, do not depend on it."


@record
class Options(Checked, Described):
    """Settings of every variant."""

    #: Whether tau is a ratio to the best, which is never below 1.
    of_ratios: ClassVar[bool] = True

    @classmethod
    def of(cls, settings: Given, variant: str) -> Self:
        """Return the options from the settings of a study, or from keywords."""
        return made(cls, settings, f"profiles: the variant {variant!r}")

    section = "profiles: "

    def __post_init__(self) -> None:
        if not set(self.by) <= {"dimension", "target"}:
            raise UserError(f"profiles: by is {list(self.by)}, expected some of 'dimension', 'target'.")
        end = self.tau_max
        if end is not None and not (1 <= end < np.inf if self.of_ratios else 0 < end < np.inf):
            least = "of at least 1" if self.of_ratios else "above 0"
            raise UserError(f"profiles: tau_max is {end}, expected a finite number {least}.")
        super().__post_init__()
