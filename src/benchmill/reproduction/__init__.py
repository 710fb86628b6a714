"""Methods that only the reproduction of a source needs, each with what is known to be wrong with it."""
