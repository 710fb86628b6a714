"""Powell's conjugate direction method (SciPy) with random restarts."""

from scipy.optimize import minimize


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    while True:
        minimize(
            problem,
            start,
            method="Powell",
            bounds=problem.bounds,
            options={"xtol": 1e-9, "ftol": 1e-13, "maxfev": budget},
        )
        start = rng.uniform(problem.lower, problem.upper)
