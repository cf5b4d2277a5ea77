"""BFCL multi-turn: a user's messages, served by calls of tools."""
