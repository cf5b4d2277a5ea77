"""A forum: boards, submissions with nested comments, votes, messages."""
