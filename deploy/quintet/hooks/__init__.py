"""Hooks: code of others that is told what a run does, and can do the run no harm."""
