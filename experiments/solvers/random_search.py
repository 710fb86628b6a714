"""Uniform random search in the domain: the floor that a solver has to leave."""

# The shortest solver, and the one to copy for your own: a file with a function
# `solve`. The first line of the docstring above is written into the logs.


def solve(problem, budget, rng):
    """Minimise `problem` until it ends the trial.

    Parameters
    ----------
    problem : callable
        ``problem(x)`` evaluates a solution and logs the evaluation. It ends the
        trial by raising ``harness.Stop`` out of the evaluation which hits the final
        target or spends the budget; a solver lets it pass. Attributes:
        ``dimension``; the arrays ``lower``, ``upper`` and ``initial_solution``;
        ``bounds``, a list of pairs (lower, upper).
    budget : int
        Number of evaluations after which the problem ends the trial. Only for
        settings which depend on it; a solver need not count.
    rng : numpy.random.Generator
        The only source of randomness, seeded for this trial.
    """
    while True:
        problem(rng.uniform(problem.lower, problem.upper))
