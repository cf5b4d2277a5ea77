"""Naive: the policy that the world calls naive, as a floor."""
