"""Answers to why a study says a sentence or a number, down to the lines of the logs."""
