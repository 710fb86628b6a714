"""L-BFGS-B (SciPy), gradients by forward differences, with random restarts."""

from scipy.optimize import minimize


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    while True:
        # ftol is relative to the value of the function, whose optimum is shifted by
        # up to 1000: the default would end far above a precision of 1e-8.
        minimize(
            problem,
            start,
            method="L-BFGS-B",
            bounds=problem.bounds,
            options={"ftol": 1e-15, "gtol": 1e-10, "maxfun": budget},
        )
        start = rng.uniform(problem.lower, problem.upper)
