"""Logs: one file per host in the run folder, and the older ones; every line has the path of its episode.

They say what the journal does not: what was lost, repeated, refused or waited for. An episode that just ends writes no
line.
"""

import logging
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from quintet.plugins.files import open_regular
from quintet.ports.transport import HostName
from quintet.roles.context import current
from quintet.runtime import LOGGER

_MOST_BYTES, _OLDER = 8 * 2**20, 3
"""Of one log file, and how many older ones are kept beside it, as `driver.log.1` and so on."""

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s %(path)s: %(message)s"


class _PathFilter(logging.Filter):
    """Adds the path: the one that the line was logged with, else the running request's."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "path"):
            try:
                record.path = current().path
            except LookupError:
                record.path = "-"
        return True


class _Log(RotatingFileHandler):
    """A line that cannot be written is lost; a run goes on without it."""

    def _open(self) -> TextIOWrapper:
        # A pipe of that name would wait for a reader, and a link would lead to another file.
        descriptor = open_regular(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW)
        return os.fdopen(descriptor, "a", encoding=self.encoding, errors=self.errors)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the standard library's name
        pass

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@contextmanager
def logging_to(folder: Path, host: HostName) -> Generator[None, None, None]:
    """Write this process's `quintet` log lines to `<folder>/<host>.log`, after those of earlier starts.

    A file that is full is renamed to `<host>.log.1`, and the oldest is removed: follow it by name, as `tail -F` does.

    If a program has several runs open at once, each log has the lines of all of them.
    """
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    file = folder / f"{host}.log"
    handler = _Log(
        file, maxBytes=_MOST_BYTES, backupCount=_OLDER, encoding="utf-8", errors="backslashreplace", delay=True
    )
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.addFilter(_PathFilter())
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        handler.close()
