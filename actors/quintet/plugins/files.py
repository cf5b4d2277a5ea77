"""Reads user-named files up to a limit, since such a file may be a device that never ends."""

from pathlib import Path


def read_limited(file: Path, most: int) -> bytes:
    """The content of a file, also of a pipe.

    Args:
        file: as it was named.
        most: bytes.

    Raises:
        OSError: it cannot be read.
        ValueError: it is longer; the text says what was expected and got.
    """
    with file.open("rb") as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise ValueError(f"expected at most {most:,} bytes, got more")
    return content
