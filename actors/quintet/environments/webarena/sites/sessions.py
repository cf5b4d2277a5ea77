"""Who is signed in at which site: sessions by a cookie, with tokens that follow from the database alone."""

import hashlib
import sqlite3

from quintet.environments.webarena.addresses import SiteName

SESSIONS_SCHEMA = (
    "CREATE TABLE web_sessions "
    "(number INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, site TEXT NOT NULL, user TEXT NOT NULL);"
)


def start_login(db: sqlite3.Connection, site: SiteName, user: str) -> str:
    """Sign a user in. Returns the cookie's value.

    The token can be guessed, and may be: an instance is one session's, on loopback, and everything in it is made up.
    """
    number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM web_sessions").fetchone()[0]
    token = hashlib.sha256(f"{site} {user} {number}".encode()).hexdigest()[:32]
    db.execute("INSERT INTO web_sessions VALUES (?, ?, ?, ?)", (number, token, site, user))
    return token


def end_login(db: sqlite3.Connection, token: str) -> None:
    # The row stays, so that its number, and with it the token, is not given a second time.
    db.execute("UPDATE web_sessions SET user = '' WHERE token = ?", (token,))


def signed_in(db: sqlite3.Connection, site: SiteName, token: str) -> str | None:
    """Who is signed in at the site with a cookie; None: nobody."""
    row = db.execute("SELECT user FROM web_sessions WHERE token = ? AND site = ?", (token, site)).fetchone()
    return (row["user"] or None) if row else None
