"""What came out of a run that learns: its versions, how each came to be and does, and what it all took."""
