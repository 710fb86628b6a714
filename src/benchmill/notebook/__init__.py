"""The objects that a notebook works with: runs, costs, profiles, comparisons, and how they are made and shown.

A person meets these functions as those of the package itself (`benchmill.costs`, `benchmill.profile`, ...). They call what the
scripts of the workflow call: the same functions of the rooms, with the same settings, so the numbers are the same.
"""
