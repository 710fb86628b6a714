"""Answers to why a sentence or a number of a study stands there, down to the lines of the logs."""
