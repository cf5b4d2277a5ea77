"""Quintet from Python."""
