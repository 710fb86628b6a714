"""Two versions of a solver side by side, and their history: a room that only the command and the front door need."""
