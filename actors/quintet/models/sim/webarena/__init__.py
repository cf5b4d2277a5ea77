"""The simulated player of WebArena."""
