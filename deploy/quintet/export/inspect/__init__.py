"""Logs that inspect_ai reads."""
