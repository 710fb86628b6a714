"""The objects that a notebook works with, made by the functions of the workflow, so that the numbers are the same."""
