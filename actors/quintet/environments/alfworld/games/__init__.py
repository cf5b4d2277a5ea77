"""Game files: reads one, recognizes its rules and dialect, and writes our own wording of them."""
