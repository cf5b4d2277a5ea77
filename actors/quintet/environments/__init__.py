"""The worlds behind the environment role, one folder each, and their gymnasium adapter."""
