"""Statistical inference on blocks (problems) and treatments (algorithms)."""
