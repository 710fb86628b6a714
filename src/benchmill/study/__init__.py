"""Studies: a configuration read into objects, their sources, and which results, figures and tables each has."""
