"""Hooks: code of others that receives a run's events and cannot harm the run."""
