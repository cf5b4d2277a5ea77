"""Quintet from Python: `evaluate` runs a whole evaluation, `open_run` streams the results of one in your program."""

from quintet.api.new_run import evaluate, open_run
from quintet.hooks.hook import Hook, RunInfo

__all__ = ["Hook", "RunInfo", "evaluate", "open_run"]
