"""The store of a run's memory: tuples of every version in one SQLite file, and what reads, copies and writes it."""
