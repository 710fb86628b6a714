"""Describe a study in sentences: its methods, what can be claimed, and what is wrong with its data."""
