"""What all solvers share: the problem they see, its end, their seeds, their loading.

A solver sees a :class:`Problem` and nothing of the logger behind it, so the same
file runs with each of the loggers.
"""

import contextlib
import hashlib
import importlib.util
from pathlib import Path

import numpy as np

FINAL_TARGET = 1e-8


class Stop(Exception):
    """End of a trial: the final target was hit or the budget is spent."""


class Problem:
    """A problem instance which ends its own trial.

    The problem, not the solver, watches the budget: most libraries check theirs
    once per iteration only, and many leave finite differences out of the count.

    Parameters
    ----------
    function : callable
        Evaluates a solution and logs the evaluation.
    evaluations : callable
        Returns the logger's number of evaluations so far.
    target_hit : callable
        Returns True once the logger has seen the final target.
    lower, upper : array_like
        Bounds of the domain, one per variable.
    initial_solution : array_like
        The starting point which the suite proposes.
    budget : int
        Largest number of evaluations.

    Attributes
    ----------
    dimension : int
        Number of variables.
    lower, upper, initial_solution : ndarray
        As above.
    bounds : list of tuple
        Pairs of lower and upper bound, as SciPy wants them.
    """

    def __init__(
        self,
        function,
        *,
        evaluations,
        target_hit,
        lower,
        upper,
        initial_solution,
        budget,
    ):
        self._function = function
        self._evaluations = evaluations
        self._target_hit = target_hit
        self._budget = budget
        self.lower = np.array(lower, dtype=float)
        self.upper = np.array(upper, dtype=float)
        self.initial_solution = np.array(initial_solution, dtype=float)
        self.dimension = len(self.lower)
        self.bounds = list(zip(self.lower, self.upper, strict=True))

    def __call__(self, x):
        """Evaluate `x`.

        Parameters
        ----------
        x : array_like
            A solution; it may lie outside of the bounds.

        Returns
        -------
        float
            The value of the objective function.

        Raises
        ------
        Stop
            When this evaluation hit the final target or was the last one of the
            budget. The evaluation itself is logged.
        """
        # Asked before as well: a solver which swallows the exception below must
        # not be able to continue.
        self._check()
        value = self._function(np.asarray(x, dtype=float))
        self._check()
        return float(value)

    def _check(self):
        if self._target_hit() or self._evaluations() >= self._budget:
            raise Stop


def run_trial(solve, problem, budget, rng):
    """Run `solve` on `problem` until the problem stops it or it gives up.

    Parameters
    ----------
    solve : callable
        The solver, called as ``solve(problem, budget, rng)``.
    problem : Problem
        The problem instance.
    budget : int
        Largest number of evaluations.
    rng : numpy.random.Generator
        The solver's only source of randomness.
    """
    with contextlib.suppress(Stop):
        solve(problem, budget, rng)


def trial_seed(seed, solver, function, dimension, instance):
    """Derive the seed of one trial.

    The logger is no part of it: the same trial run through two loggers draws the
    same random numbers.

    Parameters
    ----------
    seed : int
        The seed of the whole experiment.
    solver : str
        Name of the solver as written to the logs.
    function, dimension, instance : int
        The problem instance.

    Returns
    -------
    int
        A seed of 64 bits.
    """
    # A digest rather than hash(), which Python salts anew in each process.
    key = f"{seed}/{solver}/f{function}/d{dimension}/i{instance}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")


def load_solver(path):
    """Import a solver's file.

    Parameters
    ----------
    path : path-like
        A Python file which defines ``solve(problem, budget, rng)``.

    Returns
    -------
    module
        The imported file.
    """
    path = Path(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
