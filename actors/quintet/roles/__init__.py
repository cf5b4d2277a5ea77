"""The roles: the actors that requests are sent to, and the context they run in."""
