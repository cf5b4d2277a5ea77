"""Studies: several runs, called arms, that answer one question on the same tasks."""
