"""The LaTeX paper of all studies, and the references that it cites."""
