"""The roles: actors that answer requests, the registry that lists them, and the context they run in."""
