"""Who may call a model, when, and for how much: permits, ceilings and budgets."""
