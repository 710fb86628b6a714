"""What is shown of results: figures and tables, their captions, and what a study says in sentences."""
