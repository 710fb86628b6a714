"""What the reproduction of sources alone needs: their published numbers, and methods with what is known to be wrong with them."""
