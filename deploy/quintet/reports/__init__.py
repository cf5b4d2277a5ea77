"""Reports: rows per task, summaries with intervals, differences between arms, what runs learnt, and transcripts."""
