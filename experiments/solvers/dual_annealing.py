"""Generalised simulated annealing with local search (SciPy's dual annealing)."""

from scipy.optimize import dual_annealing


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    while True:
        dual_annealing(problem, problem.bounds, x0=start, maxfun=budget, rng=rng)
        start = rng.uniform(problem.lower, problem.upper)
