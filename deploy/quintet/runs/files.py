"""Files and folders that a run writes: where they may be, how they are opened, and who may write."""

import errno
import fcntl
import os
import re
import resource
import socket
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.plugins.files import open_regular

LARGEST_RECORD = 2**28
"""Bytes of a file of text in a run's or study's folder."""

_MOUNTS = Path("/proc/self/mounts")

_NETWORK = re.compile(
    r"9p|afs|beegfs|ceph|cifs|davfs|glusterfs|gpfs|lustre|nfs4?|orangefs|panfs|smb3|smbfs|wekafs"
    r"|fuse\.(ceph|gcsfuse|glusterfs|juicefs|rclone|s3fs|sshfs)"
)
"""9p too: a host's folder inside a virtual machine, without the shared memory that SQLite's WAL needs."""


def named_path(path: Path | str, flag: str) -> Path:
    """A path that a person names, with `~` in full."""
    try:
        return expand_path(Path(path))
    except ValueError as error:
        raise UsageError(f"{flag}: {error}, got {str(path)!r}") from error


@contextmanager
def usable_folder(folder: Path, what: str = "run folder", verb: str = "written") -> Generator[None, None, None]:
    """Turn an `OSError` from inside into a usage error about a folder."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{what}: expected a folder that can be {verb}, got {error.strerror or error} ({folder})"
        ) from error


def refuse_network_file_system(folder: Path, mounts: Path | None = None) -> None:
    """Refuse a folder that is, or would be, on a network file system. Without mounts (macOS), none is refused."""
    try:
        table = (mounts or _MOUNTS).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    try:
        kind = _file_system(folder.resolve(), table)
    except (OSError, RuntimeError) as error:  # pathlib raises the second at a circle of links
        raise UsageError(f"run folder: expected one that can be reached, got {error} ({folder})") from error
    if _NETWORK.fullmatch(kind):
        raise UsageError(
            f"run folder: expected a local disk, got a network file system of type {kind} ({folder}); "
            "choose a folder with --out on this machine's own disk, and copy it when the run is done"
        )


def check_locks(folder: Path) -> None:
    """Raise a `UsageError` unless a second holder of a file's lock is refused in a folder. Nothing is left there."""
    with (
        usable_folder(folder, "file locks"),
        NamedTemporaryFile(dir=folder) as file,
        Path(file.name).open("rb") as other,
    ):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            got = error.strerror or str(error)
            raise UsageError(f"file locks: expected a file system that has them, got {got} ({folder})") from error
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    raise UsageError(f"file locks: expected one holder at a time, got two, so two drivers could write ({folder})")


def refuse_links(folder: Path) -> None:
    """Refuse a folder whose files are links: what is written there would be written elsewhere."""
    with usable_folder(folder, verb="read"):
        below = (entry for name in ("logs", "arms", "shards") for entry in folder.glob(f"{name}/*"))
        for entry in (*folder.iterdir(), *below):
            if entry.is_symlink():
                raise UsageError(f"run folder: expected files of its own, got a link ({entry})")


def _file_system(folder: Path, table: str) -> str:
    longest, found = -1, ""
    for line in table.splitlines():
        _device, point, kind, *_options = line.split()
        mount = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), point))
        # Of two mounts on one point, the later hides the earlier.
        if folder.is_relative_to(mount) and len(mount.parts) >= longest:
            longest, found = len(mount.parts), kind
    return found


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; returns when it would survive a loss of power."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)  # of any kind, such as a link or a pipe
    try:
        with part.open("xb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
        sync_folder(file.parent)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder would survive a loss of power, where its file system can say so."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


_CONNECTIONS = 65_536


def allow_connections() -> None:
    """Raise this process's limit of open files as far as the system allows, up to 65,536."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


LOCK = "lock"

_PREFIX = b"process "
"""How a lock file begins. A file with other content belongs to the user and is not changed."""

_MAX_BYTES = 1_000

_TRIES = 10

_BETWEEN_TRIES = 0.01
"""Seconds between two tries to take a lock."""


class LockHolder(NamedTuple):
    """The process that writes in a folder."""

    process: int
    host: str
    since: float
    """When it took the lock, in seconds since the Unix epoch."""


def lock_holder(folder: Path) -> LockHolder | None:
    """Who writes in a folder, which need not exist; None: nobody, or nobody who can be seen. Nothing is written."""
    try:
        with FileIO(open_regular(folder / LOCK, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            named = re.fullmatch(rb"process (\d{1,9}) on (.{1,900})\n", file.read(_MAX_BYTES))
            if named is None or not _is_held(file, int(named[1]), named[2].decode(errors="replace")):
                return None
            return LockHolder(int(named[1]), named[2].decode(errors="replace"), os.fstat(file.fileno()).st_mtime)
    except OSError:
        return None


def _is_held(file: FileIO, process: int, host: str) -> bool:
    if host == socket.gethostname() and not _is_alive(process):
        return False  # without a lock of our own, which a run that starts now would meet
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # released when the file is closed
    except BlockingIOError:
        return True
    return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return True


class FolderLock:
    """The lock of a folder that exists, held from construction until `release`.

    Refused while another holds it, and if the folder has links.
    """

    def __init__(self, folder: Path) -> None:
        self._file: FileIO | None = None
        with usable_folder(folder), ExitStack() as opened:
            file = opened.enter_context(_open(folder / LOCK))
            before = file.read(_MAX_BYTES)
            if not _take(file):
                holder = before.decode(errors="replace").strip() or "another process"
                raise UsageError(f"run folder: expected no other writer, got {holder} ({folder})")
            if before and not before.startswith(_PREFIX):
                raise UsageError(f"run folder: expected a lock, got a file with other content ({folder / LOCK})")
            refuse_links(folder)
            file.truncate(0)
            file.seek(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            opened.pop_all()
        self._file = file

    def release(self) -> None:
        """Release the lock. Calling it again does nothing."""
        if self._file is not None:
            with suppress(OSError), self._file:
                self._file.truncate(0)
            self._file = None


def _take(file: FileIO) -> bool:
    """Take the lock; False if another holds it, and not only for the moment in which `_is_held` looks."""
    for _ in range(_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_BETWEEN_TRIES)
        else:
            return True
    return False


def _open(file: Path) -> FileIO:
    try:
        return FileIO(open_regular(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW), "r+b")
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UsageError(f"run folder: expected a lock of its own, got a link ({file})") from error
        raise
