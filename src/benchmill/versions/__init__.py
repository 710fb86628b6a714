"""Two versions of a solver compared on the command line."""
