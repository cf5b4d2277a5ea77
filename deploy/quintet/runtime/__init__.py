"""Hosts and transports: where actors live and how envelopes travel between them."""

import logging

_logger = logging.getLogger("quintet")
_logger.setLevel(logging.INFO)
_logger.propagate = False  # a run's lines belong in its folder, not among a program's own
_logger.addHandler(logging.NullHandler())
