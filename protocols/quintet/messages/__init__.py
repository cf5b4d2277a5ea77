"""Messages: requests, replies and their parts, one module per role."""
