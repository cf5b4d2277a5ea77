"""Where it runs: runtimes, journal, configuration, reports and the command line."""

import logging

_logger = logging.getLogger("quintet")
_logger.setLevel(logging.INFO)
_logger.propagate = False  # a run's lines belong into its folder, not between a program's own
_logger.addHandler(logging.NullHandler())
