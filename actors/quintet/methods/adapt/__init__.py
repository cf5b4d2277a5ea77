"""ADaPT: decompose a task only when the executor fails at it."""
