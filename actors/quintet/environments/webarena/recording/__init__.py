"""Pages that a session saw, kept in a file, and sessions that are served from it."""
