"""Marks, choices and reflections of the simulated levels, by the roles and prompts that a run uses."""
