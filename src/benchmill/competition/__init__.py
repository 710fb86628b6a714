"""A competition: what its rules ask of an entry, who comes first, who is awarded what, and the record of its states."""
