"""The results of a run that learns: its versions, their changes and scores, and the costs."""
