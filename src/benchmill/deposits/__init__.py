"""Studies handed on: as a folder for an archive, made again from it and compared, or as one file for a paper."""
