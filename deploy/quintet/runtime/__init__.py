"""The runtime: hosts with their actors, the driver that runs episodes on them, and journaled model calls. No Ray."""

import logging

LOGGER = logging.getLogger("quintet")
"""Of everything that runs."""

LOGGER.setLevel(logging.INFO)
LOGGER.propagate = False  # a run's lines belong in its folder, not among a program's own
LOGGER.addHandler(logging.NullHandler())
