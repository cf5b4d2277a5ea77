"""The player of HotpotQA, by job: what it reads, what it holds for known, and how it answers."""
