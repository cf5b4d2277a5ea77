"""ReAct: one executor, one budget."""
