"""Live control: what an operator says to a run while it runs, through a socket in its folder."""
