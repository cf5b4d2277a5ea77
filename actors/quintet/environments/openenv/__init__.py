"""Environments behind OpenEnv's protocol as worlds: see `world`."""
