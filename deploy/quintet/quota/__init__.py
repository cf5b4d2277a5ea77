"""Permits for model calls: rate limits, budgets and prices."""
