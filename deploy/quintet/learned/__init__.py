"""What a run learns, or was given: its kinds, where each comes from, and the iterations that led to its versions."""
