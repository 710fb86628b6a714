"""Show results: figures and tables with their captions, and what a study says in sentences."""
