"""A user's own sites: their addresses, their accounts, and logging in to them."""
