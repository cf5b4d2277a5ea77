"""WebArena-Verified: the package's tasks, and its evaluators of answers and network traces."""
