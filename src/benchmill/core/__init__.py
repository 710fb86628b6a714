"""What every room computes with: the tables and their files, keys, ranks, replicates, step functions, seeds, errors."""
