"""Addresses of the forum's pages."""

import re
import sqlite3

_NOT_IN_SLUGS = re.compile(r"[^a-z0-9]+")


def post_slug(title: str) -> str:
    """A title as an address has it: `what-it-costs`."""
    return _NOT_IN_SLUGS.sub("-", title.lower()).strip("-")[:60].rstrip("-") or "untitled"


def submission_path(row: sqlite3.Row) -> str:
    """The page of a submission; the row has `forum`, `id` and `title`."""
    return f"/f/{row['forum']}/{row['id']}/{post_slug(row['title'])}"
