"""Mutants that survive because they change no number, each with the reason: `explained.txt`."""

from functools import cache
from pathlib import Path


@cache
def reasons():
    """By module, statement before and after. The file holds blocks as the report prints them, below a line with the reason."""
    found, why, module, before = {}, None, None, None
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        mark, _, text = line.strip().partition(" ")
        if mark == "#":
            why = text
        elif mark == "-":
            before = text
        elif mark == "+":
            found[module, before, text] = why
        elif line.strip():
            # "survived  benchmill.core.keys:21": lines move, statements stay
            module = line.split()[-1].partition(":")[0]
    return found


def reason(module, mutant):
    """Why a mutant survives; None where nobody has said."""
    return reasons().get((module, mutant.before, mutant.after))
