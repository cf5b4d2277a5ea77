"""The memory role, around a store that is small enough to read."""
