"""Reports: rows per task, summaries with intervals, differences between arms, published figures, and transcripts."""
