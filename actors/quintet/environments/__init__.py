"""The worlds behind the environment role, a folder each, and the way to them from gymnasium."""
