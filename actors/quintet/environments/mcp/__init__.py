"""The tools of a server of the Model Context Protocol as a world: see `world`."""
