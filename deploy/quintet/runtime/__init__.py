"""The runtime: hosts with their actors, the driver that runs episodes on them, and journaled model calls. No Ray."""

import logging

LOGGER = logging.getLogger("quintet")
"""The logger of everything that runs."""

LOGGER.setLevel(logging.INFO)
LOGGER.propagate = False  # log lines of a run go to its folder, not among those of the program
LOGGER.addHandler(logging.NullHandler())
