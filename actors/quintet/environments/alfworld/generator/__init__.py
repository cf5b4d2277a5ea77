"""Generated households: rooms, their furniture and contents, and tasks in them, in the official format."""
