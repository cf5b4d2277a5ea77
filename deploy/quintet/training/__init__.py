"""Runs as training data: `quintet export --training` (docs/training.md)."""
