"""The self-contained HTML page of all studies, in which results are explored."""
