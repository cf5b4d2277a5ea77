"""Hosts and transports: where actors live and how envelopes travel between them."""

import logging

LOGGER = logging.getLogger("quintet")
"""Of everything that runs."""

LOGGER.setLevel(logging.INFO)
LOGGER.propagate = False  # a run's lines belong in its folder, not among a program's own
LOGGER.addHandler(logging.NullHandler())
