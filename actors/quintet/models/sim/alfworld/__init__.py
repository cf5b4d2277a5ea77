"""The simulated player of ALFWorld."""
