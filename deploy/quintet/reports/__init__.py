"""What came out of a run: rows per task, summaries with intervals, differences between arms, and transcripts."""
