"""The reproduction of papers: their published numbers, and methods with their known errors."""
