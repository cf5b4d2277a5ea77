"""The client: says one command to a run that may be in another process, and waits for its answer."""

import socket
from pathlib import Path

from quintet.control.messages import Command, Reply, line, replies
from quintet.control.socket_path import SOCKET, short_name
from quintet.errors import UsageError
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any

_PATIENCE = 60.0
"""Seconds to wait for an answer; a run whose loop is held up by a world answers late."""


def is_running(path: Path) -> RunFolder:
    """The run that listens: the one in this folder, or the arm of a study that runs now.

    Raises:
        UsageError: none does.
    """
    found = open_any(path)
    if isinstance(found, StudyFolder):
        for arm in found.arms().values():
            if _listens(arm.path):
                return arm
        raise UsageError(f"ctl: expected a study that is running, got one of which no arm runs ({path})")
    if _listens(path):
        return found
    if results(found).finished:
        raise UsageError(f"ctl: expected a run that is running, got one that has ended ({path})")
    raise UsageError(
        f"ctl: expected a run that is running, got one that was interrupted, or that says in {found.logs} "
        f"why it cannot be controlled; quintet resume {path}"
    )


def say(folder: Path, command: Command) -> Reply:
    """Say a command to the run that listens in a folder.

    Raises:
        UsageError: it ended meanwhile, or does not answer.
        OSError: it does not listen.
    """
    try:
        with _connected(folder) as connection, connection.makefile("rb") as said:
            connection.sendall(line(command))
            answer = said.readline()
    except TimeoutError as error:
        raise UsageError(f"ctl: expected an answer within {_PATIENCE:.0f} s, got none ({folder})") from error
    if not answer:
        raise UsageError(f"ctl: expected an answer, got none: the run has just ended ({folder})")
    return replies.decode(answer)


def _listens(folder: Path) -> bool:
    try:
        _connected(folder).close()
    except (FileNotFoundError, ConnectionRefusedError):  # of a run that was killed there is a socket, but no listener
        return False
    except OSError as error:
        found = error.strerror or str(error)
        raise UsageError(f"ctl: expected a socket of a run, got {found} ({folder / SOCKET})") from error
    return True


def _connected(folder: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_PATIENCE)
        with short_name(folder / SOCKET) as name:
            connection.connect(name)
    except BaseException:
        connection.close()
        raise
    return connection
