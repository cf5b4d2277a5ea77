"""HotpotQA: questions that are answered by reading two pages of an encyclopedia."""
