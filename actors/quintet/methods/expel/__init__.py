"""ExpeL: insights with votes from trials that failed and succeeded, and similar successes as examples."""
