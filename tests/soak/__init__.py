"""The soak: many scenarios with faults, each held to what an undisturbed run gives. `make soak` runs it."""
