"""Studies to hand on: as a folder for an archive, remade from it and compared, or as one file for a paper."""
