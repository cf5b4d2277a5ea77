"""The ledger of a soak: what each finished scenario found, a line each, so that a soak that was killed goes on."""

import fcntl
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct

from tests.soak.scenario import Verdict


class Line(Struct, frozen=True, kw_only=True):
    """A finished scenario."""

    verdict: Verdict
    seconds: float
    """That it took in its worker."""


class Ledger:
    """Open to write; a second soak on the same ledger is refused with a `BlockingIOError`."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("a+b", buffering=0)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise
        self._lines = self._read()
        self._done = {(line.verdict.kind, line.verdict.seed) for line in self._lines}

    def _read(self) -> list[Line]:
        """All whole lines; the file is cut after them, since a kill may leave a part of one."""
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        return [msgspec.json.decode(line, type=Line) for line in whole.splitlines()]

    @property
    def lines(self) -> Sequence[Line]:
        """What is finished, in the order in which it was."""
        return self._lines

    def has(self, kind: str, seed: int) -> bool:
        """Whether a scenario is finished."""
        return (kind, seed) in self._done

    def add(self, line: Line) -> None:
        """Note a finished scenario; it survives a kill."""
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._lines.append(line)
        self._done.add((line.verdict.kind, line.verdict.seed))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
