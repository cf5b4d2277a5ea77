"""One session's sites: a database in memory, copied from the seed."""

import hashlib
import sqlite3
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from quintet.environments.webarena.addresses import SiteName

OWN_SITES: Final[tuple[SiteName, ...]] = ("shopping", "reddit", "gitlab")
_SEED: Final = (Path(__file__).parent / "seed.sql").read_text(encoding="utf-8")
SEED_DIGEST: Final = hashlib.sha256(_SEED.encode()).hexdigest()[:12]


@cache
def _seed() -> bytes:
    """The database in which every instance begins."""
    db = sqlite3.connect(":memory:")
    db.executescript(_SEED)
    return db.serialize()


class Instance:
    """All sites over one database. Every page is a pure function of the database, the address and the cookie.

    Args:
        changes: those of an instance that this one is to be like; empty: none.

    Raises:
        ValueError: they are damaged.
    """

    def __init__(self, changes: bytes = b"") -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self._changed = bool(changes)
        try:
            self.db.deserialize(zlib.decompress(changes) if changes else _seed())
            self.db.execute("SELECT count(*) FROM users").fetchone()
        except (zlib.error, sqlite3.Error) as error:
            raise ValueError(f"a database of our sites: {error}") from error

    def changes(self) -> bytes:
        """What the session changed: the database, compressed; empty: nothing."""
        return zlib.compress(self.db.serialize()) if self._changed else b""

    @contextmanager
    def transaction(self, *, writes: bool) -> Generator[None]:
        """A form's changes are all kept or, if its handler fails, none; a GET cannot make any."""
        self.db.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        if not writes:
            yield
            return
        self._changed = True
        self.db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def close(self) -> None:
        self.db.close()
