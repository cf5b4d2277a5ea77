"""Files and folders that a run writes: where they may be, how they are opened, and how many may be open."""

import os
import re
import resource
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from quintet.config.values import expand_path
from quintet.errors import UsageError

MOUNTS = Path("/proc/self/mounts")

_NETWORK = re.compile(
    r"9p|afs|beegfs|ceph|cifs|davfs|glusterfs|gpfs|lustre|nfs4?|orangefs|panfs|smb3|smbfs|wekafs"
    r"|fuse\.(ceph|gcsfuse|glusterfs|juicefs|rclone|s3fs|sshfs)"
)
"""9p too: a host's folder inside a virtual machine, without the shared memory that SQLite's WAL needs."""


def out_folder(out: Path | str) -> Path:
    """The folder that a person names for output.

    Raises:
        UsageError: the text is no path.
    """
    try:
        return expand_path(Path(out))
    except ValueError as error:
        raise UsageError(f"--out: {error}, got {str(out)!r}") from error


@contextmanager
def usable_folder(folder: Path, what: str = "run folder", verb: str = "written") -> Generator[None, None, None]:
    """Turn an `OSError` from inside into a usage error about a folder.

    Raises:
        UsageError: it cannot.
    """
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{what}: expected a folder that can be {verb}, got {error.strerror or error} ({folder})"
        ) from error


def refuse_network_file_system(folder: Path, mounts: Path = MOUNTS) -> None:
    """Refuse a folder that is, or would be, on a network file system.

    Args:
        folder: need not exist.
        mounts: in the format of fstab; without such a file (macOS), nothing is refused.

    Raises:
        UsageError: with what to do instead.
    """
    try:
        table = mounts.read_text(encoding="utf-8", errors="surrogateescape")
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
    """Write a file whole or not at all; returns when it would survive a kill.

    Raises:
        OSError: it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)  # of any kind, such as a link or a pipe
    try:
        with part.open("xb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


_CONNECTIONS = 65_536


def allow_connections() -> None:
    """Raise this process's limit of open files as far as the system allows, up to 65,536."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
