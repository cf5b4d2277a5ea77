"""The memory role: forms memories of tuples, adds to them, and recalls from them and from notebooks."""
