"""Tasks in the official schema, their library, and the walks of our own."""
