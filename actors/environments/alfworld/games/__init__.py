"""Game files: what is in one, where they come from, and which dialect they speak."""
