"""What a change of a site says on the next page: a row, so that every page stays a pure function of the database."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Literal, NamedTuple

from quintet.environments.webarena.sites.visitor_input import whole_number

NOTICES_SCHEMA = (
    "CREATE TABLE web_notices (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, form TEXT NOT NULL);"
)
NoticeKind = Literal["success", "error"]


class Notice(NamedTuple):
    """A message in the head of a page."""

    kind: NoticeKind
    text: str
    form: Mapping[str, str]
    """What was typed into a form that was refused."""


def add_notice(db: sqlite3.Connection, kind: NoticeKind, text: str, form: str) -> int:
    """Keep a notice. Returns its number."""
    return db.execute("INSERT INTO web_notices (kind, text, form) VALUES (?, ?, ?)", (kind, text, form)).lastrowid or 0


def find_notice(db: sqlite3.Connection, number: str) -> Notice | None:
    """The notice of a number in an address; None if it is none."""
    row = db.execute("SELECT kind, text, form FROM web_notices WHERE id = ?", (whole_number(number),)).fetchone()
    return Notice(row["kind"], row["text"], json.loads(row["form"])) if row else None
