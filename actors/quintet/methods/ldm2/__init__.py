"""LDM2: a memory of what was done in which state, formed from trajectories and refined by trees."""
