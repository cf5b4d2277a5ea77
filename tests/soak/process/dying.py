"""SQLite connections of a process that dies at one of its commits, and says when it made another."""

import os
import signal
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from tests.soak.process.draw import Blow, Moment


class Commits:
    """Counts the commits of this process to all its files, and does at some of them what was planned.

    Args:
        kill_at: of the commit at which it dies, from 1; 0: at none.
        moment: see `Moment`; at `between` another process kills it.
        on_commit: called with the number of each commit, after it.
    """

    def __init__(self, kill_at: int, moment: Moment, blow: Blow, on_commit: Callable[[int], None]) -> None:
        self.number = 0
        self._kill_at = kill_at
        self._moment = moment
        self._blow = blow
        self._on_commit = on_commit

    def reach(self, moment: Moment) -> None:
        """A moment around the next commit, or with `after` around the last one."""
        number = self.number + (moment != "after")
        if number == self._kill_at and moment == self._moment:
            self._kill_at = 0
            strike(self._blow)

    def done(self) -> None:
        """A commit is on disk."""
        self.number += 1
        self.reach("after")
        self._on_commit(self.number)


def strike(blow: Blow, process: int | None = None) -> None:
    """Send a process, by default this one, its signal."""
    number = signal.Signals[blow.split()[0]]
    for _ in blow.split():
        os.kill(os.getpid() if process is None else process, number)


class DyingConnection(sqlite3.Connection):
    """A connection whose commits are counted."""

    commits: ClassVar[Commits]
    """Of this process."""
    budget: ClassVar[int | None] = None
    """Tokens that no commit may leave charged beyond; None: no limit."""
    accuse: ClassVar[Callable[[str], None]]
    """Called with a promise that does not hold."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        word = sql.lstrip()[:6].upper()
        if word == "BEGIN":
            self.commits.reach("before")
        if word != "COMMIT":
            return super().execute(sql, *values)
        self.commits.reach("inside")
        cursor = super().execute(sql, *values)
        self.commits.done()
        self._check_budget()
        return cursor

    def _check_budget(self) -> None:
        if self.budget is None:
            return
        if not super().execute("SELECT 1 FROM sqlite_master WHERE name = '_charges'").fetchone():
            return
        charged = "SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM _charges"
        (spent,) = super().execute(charged).fetchone()
        if spent > self.budget:
            type(self).accuse(f"budget: expected at most {self.budget} tokens charged at any commit, got {spent}")


def connect_dying(commits: Commits, budget: int | None, broken: Path) -> None:
    """Make every later connection of this process one that counts for `commits`; see `DyingConnection`."""

    def accuse(sentence: str) -> None:
        with broken.open("a") as out:
            out.write(f"{sentence}\n")

    DyingConnection.commits, DyingConnection.budget, DyingConnection.accuse = commits, budget, staticmethod(accuse)
    setattr(sqlite3, "connect", partial(sqlite3.connect, factory=DyingConnection))  # noqa: B010  of a typed module
