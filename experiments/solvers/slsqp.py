"""SLSQP (SciPy), gradients by forward differences, with random restarts."""

from scipy.optimize import minimize


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    while True:
        minimize(
            problem,
            start,
            method="SLSQP",
            bounds=problem.bounds,
            options={"ftol": 1e-11, "maxiter": budget},
        )
        start = rng.uniform(problem.lower, problem.upper)
