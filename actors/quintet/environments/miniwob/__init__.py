"""MiniWoB++: small tasks, each on one page in a real browser."""
