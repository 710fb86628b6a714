"""The reproduction of sources: their published numbers, and methods with what is known to be wrong with them."""
