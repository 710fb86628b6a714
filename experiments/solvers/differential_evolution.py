"""Differential evolution (SciPy), best/1/bin with dithering, with restarts."""

from scipy.optimize import differential_evolution


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    while True:
        differential_evolution(
            problem,
            problem.bounds,
            # 15 per variable, SciPy's default, leaves 13 generations of a budget of
            # 200 evaluations per variable.
            popsize=5,
            maxiter=budget,
            tol=0.0,
            atol=1e-11,
            polish=False,
            rng=rng,
        )
