"""The official engine behind the same interface."""
