"""Calls that providers answer in batches: collected here, submitted once, and waited for across restarts."""
