"""What the shards of a run spend, in a file that all of them have open: one budget for processes that share nothing."""

import fcntl
import os
import struct
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from quintet.errors import UsageError
from quintet.plugins.files import open_regular
from quintet.quota.budget import Allowance
from quintet.quota.cost import Cost

SPENDING: Final = "spending"
"""The file's name, in the folder of the whole run."""

_ROW: Final = struct.Struct("<qqq")
"""Of a shard: nanodollars, tokens, and how many of its reservations are open."""


class SharedSpending:
    """A row for each shard: what it spent and has reserved. A shard writes its own row alone, under the file's lock.

    A reservation is written before its call, and a journal has every charge. So the file never has less than was
    spent, and the row of a shard that died is what its journal says.

    Args:
        file: made if it is missing.
        shard: whose row is written here, from 0.
        is_running: whether another shard has a driver now.
        ended: by shard, what those without a driver have spent, by their journals.

    Raises:
        UsageError: the file cannot be used.
    """

    def __init__(
        self, file: Path, shard: int, *, is_running: Callable[[int], bool], ended: Callable[[], Mapping[int, Cost]]
    ) -> None:
        self._shard = shard
        self._is_running = is_running
        try:
            self._file = open_regular(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
            with self._locked():
                for other, cost in ended().items():
                    self._write(other, cost, 0)
        except OSError as error:
            got = error.strerror or str(error)
            raise UsageError(f"budget: expected a file that shards can share, got {got} ({file})") from error

    @property
    def whose(self) -> str:
        return "the run"

    def claim(self, own: Cost, reservations: int, limit: Allowance) -> bool:
        """Reserve: have a total here, if it fits beside those of all other shards. If it does not, nothing changes."""
        with self._locked():
            fits = limit.holds(self.spent + own)
            if fits:
                self._write(self._shard, own, reservations)
        return fits

    def tell(self, own: Cost, reservations: int) -> None:
        """Have a total here that others may count on from now on."""
        with self._locked():
            self._write(self._shard, own, reservations)

    @property
    def spent(self) -> Cost:
        """By the other shards, reservations included."""
        rows = [row for shard, row in self._rows().items() if shard != self._shard]
        return Cost(prompt_tokens=sum(row[1] for row in rows), nanodollars=sum(row[0] for row in rows))

    @property
    def may_shrink(self) -> bool:
        """Whether another shard may give something back. One that died gives back only once it is resumed."""
        rows = self._rows()
        return any(rows[shard][2] and self._is_running(shard) for shard in rows if shard != self._shard)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _rows(self) -> Mapping[int, tuple[int, int, int]]:
        content = os.pread(self._file, os.fstat(self._file).st_size, 0)
        whole = len(content) // _ROW.size * _ROW.size
        return dict(enumerate(_ROW.iter_unpack(content[:whole])))

    def _write(self, shard: int, cost: Cost, reservations: int) -> None:
        row = _ROW.pack(cost.nanodollars or 0, cost.tokens, reservations)
        os.pwrite(self._file, row, shard * _ROW.size)

    @contextmanager
    def _locked(self) -> Generator[None, None, None]:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)
