"""Drawings of one panel into one set of axes, by default the current ones, in the style that is in force, as in seaborn.

They are those that the workflow draws its figures with, and work in `seaborn.FacetGrid(...).map_dataframe(...)`. `palette` is the
name of a palette, a list of colours, or colours by algorithm; by default algorithms differ in colour, line and marker.

Examples
--------
>>> import pandas as pd
>>> import benchmill as bm
>>> df = pd.DataFrame({"algorithm": list("AABB"), "problem": list("pqpq"), "cost": [1.0, 3.0, 2.0, 2.5]})
>>> ax = bm.plot.profile(bm.profile(bm.costs(df)).frame, palette={"A": "black", "B": "tab:red"})
>>> ax.get_xlabel()
'τ'
"""

from benchmill.figures.aocc import plot as aocc
from benchmill.figures.areas import plot as areas
from benchmill.figures.attainment import plot as attainment
from benchmill.figures.auc_bars import plot as auc_bars
from benchmill.figures.cactus import plot as cactus
from benchmill.figures.convergence import plot as convergence
from benchmill.figures.critical_differences import plot as critical_differences
from benchmill.figures.density import plot as density
from benchmill.figures.ecdf import plot as ecdf
from benchmill.figures.effects import plot as effects
from benchmill.figures.intervals import plot as intervals
from benchmill.figures.kaplan_meier import plot as kaplan_meier
from benchmill.figures.log_ratio import plot as log_ratio
from benchmill.figures.outcomes import plot as outcomes
from benchmill.figures.parallel_coordinates import plot as parallel_coordinates
from benchmill.figures.pareto_fronts import plot as pareto_fronts
from benchmill.figures.posteriors import plot as posteriors
from benchmill.figures.profile import plot as profile
from benchmill.figures.rank_changes import plot as rank_changes
from benchmill.figures.ranks import plot as ranks
from benchmill.figures.running_time import plot as running_time
from benchmill.figures.scaling import plot as scaling
from benchmill.figures.scatter import plot as scatter
from benchmill.figures.target_sets import plot as target_sets

__all__ = [
    "aocc",
    "areas",
    "attainment",
    "auc_bars",
    "cactus",
    "convergence",
    "critical_differences",
    "density",
    "ecdf",
    "effects",
    "intervals",
    "kaplan_meier",
    "log_ratio",
    "outcomes",
    "parallel_coordinates",
    "pareto_fronts",
    "posteriors",
    "profile",
    "rank_changes",
    "ranks",
    "running_time",
    "scaling",
    "scatter",
    "target_sets",
]
