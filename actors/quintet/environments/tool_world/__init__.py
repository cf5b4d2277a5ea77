"""Tool environments as worlds: see `world`."""
