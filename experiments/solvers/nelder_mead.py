"""Nelder-Mead simplex method (SciPy) with random restarts."""

import numpy as np
from scipy.optimize import minimize


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    # SciPy's own first simplex is 5 % of each coordinate, which is next to nothing
    # for a start at the origin.
    edge = 0.1 * (problem.upper - problem.lower)
    while True:
        minimize(
            problem,
            start,
            method="Nelder-Mead",
            options={
                "initial_simplex": np.vstack([start, start + np.diag(edge)]),
                "xatol": 1e-9,
                "fatol": 1e-11,
                "maxfev": budget,
            },
        )
        start = rng.uniform(problem.lower, problem.upper)
