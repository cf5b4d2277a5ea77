"""What may be said: requests, replies and what they carry, one module a role."""
