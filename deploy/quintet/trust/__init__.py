"""Whose folder a resume may go on with: what it would run, import and contact, and what a user approved of that."""
