"""Live control: commands to a run while it is running, through a socket in its folder."""
