"""Game files: what is in one, and which dialect it speaks."""
