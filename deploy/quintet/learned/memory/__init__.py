"""Memories: a version is a sealed set of tuples in the store of the run."""
