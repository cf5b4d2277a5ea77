"""ScienceWorld: experiments in a house, in the package's own simulator."""
