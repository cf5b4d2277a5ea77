"""Households made up by us: rooms, what stands and lies in them, and the tasks they set, in the official format."""
