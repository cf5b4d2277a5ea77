"""The back office: the shop's database as its clerks see it."""
