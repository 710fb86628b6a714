"""Registries of all that can be extended: light entries that say what there is, in the order people should see it."""
