"""Quintet from Python: `evaluate` runs a whole evaluation, `open_run` streams the results of one in your program."""

from quintet.api.new_run import evaluate, open_run

__all__ = ["evaluate", "open_run"]
