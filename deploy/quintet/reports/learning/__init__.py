"""Reports of a run that learns: its versions, how each was made, how well each does, and what all of it cost."""
