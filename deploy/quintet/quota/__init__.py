"""Permits for model calls: rate limits and budgets."""
