"""A ledger: what is finished of a soak, a line each, so that a soak that was killed goes on."""

import fcntl
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

import msgspec
from msgspec import Struct

from quintet.launch.versions import git_commit
from tests.soak.scenario import Verdict

T = TypeVar("T")

FOLDER: Final = Path(".soak")
"""Of ledgers and reports, where a soak is started."""


class Line(Struct, frozen=True, kw_only=True):
    """A finished scenario."""

    verdict: Verdict
    seconds: float
    """That it took in its worker."""


def ledger_of(part: str) -> Path:
    """The ledger of a part of the soak at this commit; what other code did is no result of this one."""
    return FOLDER / f"{part}-{(git_commit() or 'none').replace('+', '-')}.jsonl"


def write_result(part: str, result: object) -> None:
    """Keep what a part of the soak came to at this commit, for the report."""
    _result_of(part).write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")


def read_result(part: str, kind: type[T]) -> T | None:
    """What `write_result` kept; None: nothing at this commit."""
    file = _result_of(part)
    return msgspec.json.decode(file.read_bytes(), type=kind) if file.exists() else None


def _result_of(part: str) -> Path:
    return ledger_of(part).with_suffix(".json")


class Ledger(Generic[T]):
    """Open to write; a second soak on the same ledger is refused with a `BlockingIOError`.

    Args:
        line: the type of a line.
    """

    def __init__(self, file: Path, line: type[T]) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("a+b", buffering=0)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BlockingIOError(f"{file}: expected no other soak of this commit, got one that runs") from None
        self._lines = self._read(line)

    def _read(self, line: type[T]) -> list[T]:
        """All whole lines; the file is cut after them, since a kill may leave a part of one."""
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        return [msgspec.json.decode(each, type=line) for each in whole.splitlines()]

    @property
    def lines(self) -> Sequence[T]:
        """What is finished, in the order in which it was."""
        return self._lines

    def add(self, line: T) -> None:
        """Note what is finished; it survives a kill."""
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._lines.append(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
