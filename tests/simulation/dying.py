"""A journal whose process dies at a position."""

import asyncio
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import Literal

from quintet.events import Record
from quintet.journal.writer import SqliteJournal, Watcher


class Dying(SqliteJournal):
    """A journal whose process dies once it has committed so many events, or an event of a kind at a path."""

    def __init__(
        self,
        file: Path | Literal[":memory:"],
        lives: int,
        at: tuple[str, str] | None = None,
        *,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(file, watcher)
        self.lives = lives
        self._at = at
        self.died = asyncio.Event()

    def _flush(self) -> None:
        kept = 0
        while kept < len(self._waiting) and self.lives > 0:
            records = self._waiting[kept].records  # a group is committed whole
            last = self._at in {(record.event.path, record.event.kind) for record in records}
            self.lives = 0 if last else self.lives - len(records)
            kept += 1
        del self._waiting[kept:]
        if self.lives <= 0:
            self.died.set()
        super()._flush()

    def append(self, records: Iterable[Record]) -> Awaitable[None]:
        committed = asyncio.ensure_future(super().append(records))
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def tell(committed: "asyncio.Future[None]") -> None:
            if heard.done() or self.died.is_set():
                return  # the process is dead
            if (error := committed.exception()) is None:
                heard.set_result(None)
            else:
                heard.set_exception(error)

        committed.add_done_callback(tell)
        return heard
