"""The results of runs: rows per task, summaries with intervals, differences between arms, and transcripts."""
