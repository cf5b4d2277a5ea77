"""Devil's Advocate: a plan, remedies thought of before each action, alignment after it, and plan revision."""
