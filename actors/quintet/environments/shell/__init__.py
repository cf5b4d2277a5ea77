"""A command line in a sandbox as a world: tasks are folders, and a session's state is a folder that forks share."""
