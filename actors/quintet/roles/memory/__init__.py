"""The memory role: forms memories of state-action tuples, adds to them, and recalls from them."""
