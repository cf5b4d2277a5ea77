"""Where the sites of a session come from: ours, a user's, or a recording."""
