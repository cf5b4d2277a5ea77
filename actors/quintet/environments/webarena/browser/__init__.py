"""Chromium, and one session's window of it."""
