"""Mutants that no test can kill, each with the reason."""

#: Module, the statement before and after; why both give the same numbers.
EXPLAINED = {}


def reason(module, mutant):
    """Why a mutant survives; None where nobody has said."""
    return EXPLAINED.get((module.removeprefix("benchmill."), mutant.before, mutant.after))
