"""AutoPlan: one plan for all tasks of a kind, rewritten in the light of what episodes with it came to."""
