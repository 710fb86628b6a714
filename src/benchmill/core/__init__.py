"""Tables and their files, keys, ranks, replicates, step functions, seeds and errors: what every room builds on."""
