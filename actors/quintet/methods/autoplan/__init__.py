"""AutoPlan: one plan for all tasks of a kind, rewritten after every batch of episodes with it."""
