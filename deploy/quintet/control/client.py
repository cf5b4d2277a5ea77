"""The client: sends one command to a run, in any process, and waits for its answer."""

import os
import socket
import stat
from pathlib import Path

from quintet.control.messages import (
    ControlCommand,
    ControlReply,
    GetStatus,
    RunStatus,
    encode_line,
    reply_decoder,
    short_name,
)
from quintet.errors import UsageError
from quintet.reports.episodes import results
from quintet.runs.folder import SOCKET, shell_command
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any

_ANSWER_SECONDS = 60.0
"""Timeout of an answer; a run whose loop is blocked by a world answers late."""
_GLANCE_SECONDS = 2.0
"""Timeout of an answer that a listing can do without."""


def find_running(path: Path) -> RunFolder:
    """The run here that listens, or the running arm of a study; a `UsageError` if none is running."""
    found = find_listening(path)
    if found is not None:
        return found
    folder = open_any(path)
    if isinstance(folder, RunFolder) and folder.record.sharded:
        running = [str(part.path) for part in folder.parts if _listens(part.path)]
        raise UsageError(f"ctl: expected a shard that is running, of {', '.join(running) or 'none'}, got all ({path})")
    if isinstance(folder, StudyFolder):
        raise UsageError(f"ctl: expected a study that is running, got one with no arm running ({path})")
    if results(folder).finished:
        raise UsageError(f"ctl: expected a run that is running, got one that has ended ({path})")
    raise UsageError(
        f"ctl: expected a run that is running, got one that was interrupted, or that cannot be controlled "
        f"(see {folder.logs}); {shell_command('resume', path)}"
    )


def find_listening(path: Path) -> RunFolder | None:
    """The run, or arm of a study, in a folder that listens; None: none does. A `UsageError` if it is neither."""
    found = open_any(path)
    runs = [*found.arms().values()] if isinstance(found, StudyFolder) else [found]
    return next((run for run in runs if _listens(run.path)), None)


def hosts_text(folder: Path) -> str:
    """How many hosts of a run live; empty: it has none, does not run here, or does not answer at once."""
    try:
        status = send_command(folder, GetStatus(), seconds=_GLANCE_SECONDS)
    except (OSError, UsageError):
        return ""
    return status.hosts_text if isinstance(status, RunStatus) else ""


def send_command(folder: Path, command: ControlCommand, *, seconds: float = _ANSWER_SECONDS) -> ControlReply:
    """Send a command to a run; a `UsageError` if it ends or does not answer, an `OSError` if it does not listen."""
    try:
        with _connect(folder, seconds) as connection, connection.makefile("rb") as lines:
            connection.sendall(encode_line(command))
            answer = lines.readline()
    except TimeoutError as error:
        raise UsageError(f"ctl: expected an answer within {seconds:.0f} s, got none ({folder})") from error
    if not answer.endswith(b"\n"):
        raise UsageError(f"ctl: expected an answer, got none: the run has just ended ({folder})")
    return reply_decoder.decode(answer)


def _listens(folder: Path) -> bool:
    try:
        _connect(folder, _ANSWER_SECONDS).close()
    except (FileNotFoundError, ConnectionRefusedError):  # a run that was killed leaves a socket without a listener
        return False
    except OSError as error:
        found = error.strerror or str(error)
        raise UsageError(f"ctl: expected a socket of a run, got {found} ({folder / SOCKET})") from error
    return True


def _connect(folder: Path, seconds: float) -> socket.socket:
    if stat.S_ISLNK(os.lstat(folder / SOCKET).st_mode):
        raise UsageError(f"ctl: expected a socket of a run, got a link ({folder / SOCKET})")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        with short_name(folder / SOCKET) as name:
            connection.connect(name)
    except BaseException:
        connection.close()
        raise
    return connection
