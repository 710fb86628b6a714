"""CMA-ES (pycma), restarted with twice the population each time (IPOP)."""

import cma


def solve(problem, budget, rng):
    """Run until the problem ends the trial; arguments as in ``random_search.py``."""
    start = problem.initial_solution
    sigma = 0.2 * float(problem.upper[0] - problem.lower[0])
    factor = 1
    while True:
        options = {
            # pycma takes 0 for "seed by the clock".
            "seed": int(rng.integers(1, 2**31)),
            "popsize_factor": factor,
            "verbose": -9,
        }
        strategy = cma.CMAEvolutionStrategy(start, sigma, options)
        while not strategy.stop():
            solutions = strategy.ask()
            strategy.tell(solutions, [problem(x) for x in solutions])
        start = rng.uniform(problem.lower, problem.upper)
        factor *= 2
