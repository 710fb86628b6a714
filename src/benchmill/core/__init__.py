"""Tables and their files, keys, ranks, replicates, step functions, seeds and errors: the ground that every room stands on."""
