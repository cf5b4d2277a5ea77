"""Hosts and transports: where actors live and how envelopes travel between them."""

import logging

LOGGER = logging.getLogger("quintet")
"""The logger of everything that runs."""

LOGGER.setLevel(logging.INFO)
LOGGER.propagate = False  # log lines of a run go to its folder, not among those of the program
LOGGER.addHandler(logging.NullHandler())
