"""The clock of an instance: a fixed moment, and a minute later with each change."""

import sqlite3
from datetime import datetime, timedelta

CLOCK_SCHEMA = "CREATE TABLE web_clock (minutes INTEGER NOT NULL); INSERT INTO web_clock VALUES (0);"
OPENING_MOMENT = "2023-06-15 12:00:00"
"""What the clock shows in the seed. Everything that is seeded lies before it."""


def moment_after(moment: str, minutes: int) -> str:
    """A moment some minutes later, or earlier."""
    return (datetime.fromisoformat(moment) + timedelta(minutes=minutes)).isoformat(sep=" ")


def clock(db: sqlite3.Connection) -> str:
    """What the clock shows: `2023-06-15 12:00:00` and later."""
    return moment_after(OPENING_MOMENT, db.execute("SELECT minutes FROM web_clock").fetchone()[0])


def advance(db: sqlite3.Connection) -> None:
    db.execute("UPDATE web_clock SET minutes = minutes + 1")
