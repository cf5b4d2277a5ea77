"""Hosts and transports: where actors live and how envelopes travel between them."""
