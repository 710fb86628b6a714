"""`python -m benchmill` is the command `benchmill`."""

from benchmill.cli import command

if __name__ == "__main__":
    command()
