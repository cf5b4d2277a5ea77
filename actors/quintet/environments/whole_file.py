"""A new file that has its name only once it is whole."""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from quintet.errors import UsageError


@contextmanager
def whole_file(path: Path) -> Generator[Path, None, None]:
    """A place beside `path` to write to, which gets its name when the block ends, and is deleted if it fails.

    Args:
        path: that a user named with `--out`; a file there is replaced.

    Raises:
        UsageError: a file cannot be written there.
    """
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        yield partial
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"--out: expected a file that can be written, got {error.strerror} ({path})") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
