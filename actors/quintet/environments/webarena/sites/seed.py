"""The state in which every instance begins: one SQLite database of all sites, always the same."""

import hashlib
import sqlite3
from functools import cache
from typing import NamedTuple

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.all_sites import SITES
from quintet.environments.webarena.sites.clock import CLOCK_SCHEMA
from quintet.environments.webarena.sites.notices import NOTICES_SCHEMA
from quintet.environments.webarena.sites.sessions import SESSIONS_SCHEMA, start_login


class Seed(NamedTuple):
    """A new instance's database."""

    data: bytes
    """As SQLite serializes it."""
    digest: str
    """Of what is in it: equal on every machine, whatever SQLite it has."""
    tokens: dict[SiteName, str]
    """The cookie of each site's user who is signed in when a session opens."""


@cache
def the_seed() -> Seed:
    """Make the seed, or take the one that this process has made."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    db.executescript(CLOCK_SCHEMA + NOTICES_SCHEMA + SESSIONS_SCHEMA)
    db.execute("BEGIN")
    for site in SITES.values():
        for statement in site.schema.split(";"):
            db.execute(statement)
        if site.seed:
            site.seed(db)
    tokens: dict[SiteName, str] = {
        site.name: start_login(db, site.name, site.user) for site in SITES.values() if site.user
    }
    db.execute("COMMIT")
    db.execute("VACUUM")
    return Seed(db.serialize(), _digest(db), tokens)


def _digest(db: sqlite3.Connection) -> str:
    digest = hashlib.sha256()
    for table in db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        digest.update(f"{table['name']}\n{table['sql']}\n".encode())
        for row in db.execute(f'SELECT * FROM "{table["name"]}" ORDER BY rowid'):
            digest.update(repr(tuple(row)).encode() + b"\n")
    return digest.hexdigest()
