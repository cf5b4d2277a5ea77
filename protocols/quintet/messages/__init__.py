"""Messages: requests, replies and what they carry, one module for each role."""
