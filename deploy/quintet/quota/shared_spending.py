"""What the shards of a run spend, in a file that all of them have open: one budget for processes that share nothing."""

import fcntl
import os
import struct
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from quintet.errors import JournalFault, UsageError
from quintet.plugins.files import open_regular
from quintet.quota.allowance import Allowance
from quintet.quota.cost import Cost

SPENDING: Final = "spending"
"""The file's name, in the folder of the whole run."""

_ROW: Final = struct.Struct("<qqq")
"""Of a shard: nanodollars, tokens, and how many of its reservations are open."""

_Row: TypeAlias = tuple[int, int, int]

_NO_ROW: Final = (0, 0, 0)
"""What a gap in the file reads as."""


class SharedSpending:
    """A row for each shard: what it spent and has reserved. A shard writes its own row alone, under the file's lock.

    A reservation is written before its call, and a journal has every charge. So the file never has less than was
    spent. The row of a shard that died, or has not written one yet, is what its journal says.

    Args:
        file: made if it is missing.
        shard: whose row is written here, from 0.
        shards: how many there are.
        is_running: whether another shard has a driver now.
        journaled: what another shard has spent by its journal, reservations included; nothing before it begins.

    Raises:
        UsageError: the file cannot be used.
        JournalFault: of every method and property, likewise.
    """

    def __init__(
        self,
        file: Path,
        shard: int,
        shards: int,
        *,
        is_running: Callable[[int], bool],
        journaled: Callable[[int], Cost],
    ) -> None:
        self._path = file
        self._shard = shard
        self._shards = shards
        self._is_running = is_running
        try:
            self._file = open_regular(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
        except OSError as error:
            raise UsageError(self._expected(error)) from error
        with ExitStack() as opened:
            opened.callback(self.close)
            try:
                self._write_journaled(journaled)
            except JournalFault as fault:
                raise UsageError(str(fault)) from fault
            opened.pop_all()

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

    def _write_journaled(self, journaled: Callable[[int], Cost]) -> None:
        """Write the rows of other shards without a driver or without a row, unless they change meanwhile.

        Their journals are read first, since every driver waits for the lock.
        """
        before = self._rows()
        others = [shard for shard in range(self._shards) if shard != self._shard]
        stale = [shard for shard in others if before[shard] == _NO_ROW or not self._is_running(shard)]
        costs = {shard: journaled(shard) for shard in stale}
        with self._locked():
            now = self._rows()
            for shard, cost in costs.items():
                if now[shard] == before[shard]:
                    self._write(shard, cost, 0)

    def _rows(self) -> Mapping[int, _Row]:
        with self._as_fault():
            content = os.pread(self._file, os.fstat(self._file).st_size, 0)
        whole = len(content) // _ROW.size * _ROW.size
        rows: dict[int, _Row] = dict.fromkeys(range(self._shards), _NO_ROW)
        for shard, row in enumerate(_ROW.iter_unpack(content[:whole])):
            if shard >= self._shards or min(row) < 0:
                raise JournalFault(self._expected(f"{row} of shard {shard} of {self._shards}"))
            rows[shard] = row
        return rows

    def _write(self, shard: int, cost: Cost, reservations: int) -> None:
        row = _ROW.pack(cost.nanodollars or 0, cost.tokens, reservations)
        os.pwrite(self._file, row, shard * _ROW.size)

    @contextmanager
    def _locked(self) -> Generator[None, None, None]:
        with self._as_fault():
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    @contextmanager
    def _as_fault(self) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            raise JournalFault(self._expected(error)) from error

    def _expected(self, got: OSError | str) -> str:
        why = got if isinstance(got, str) else got.strerror or str(got)
        return f"budget: expected a file that shards can share, got {why} ({self._path})"
