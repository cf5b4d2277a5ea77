"""A password, which shows itself nowhere."""

import os
from pathlib import Path

from quintet.errors import UsageError

_LONGEST = 4096


class Secret:
    """Where a password is found. It is read when it is needed, and neither shown, pickled nor kept.

    Args:
        variable: an environment variable that holds it; or
        file: a file whose first line it is.
    """

    __slots__ = ("_file", "_variable")

    def __init__(self, *, variable: str = "", file: Path | None = None) -> None:
        self._variable = variable
        self._file = file

    def __repr__(self) -> str:
        return f"Secret({self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not pickled")

    @property
    def source(self) -> str:
        """Where it is, for errors: `$SHOP_PASSWORD`."""
        return f"${self._variable}" if self._file is None else str(self._file)

    def reveal(self) -> str:
        """The password itself.

        Raises:
            UsageError: it is not there, or empty.
        """
        found, expected, got = "", "a file whose first line is the password", "an empty one"
        if self._file is None:
            found, expected, got = (
                os.environ.get(self._variable, ""),
                "an environment variable with the password",
                "none",
            )
        else:
            try:
                with self._file.open(encoding="utf-8") as lines:
                    found = lines.readline(_LONGEST).strip("\r\n")
            except (OSError, UnicodeDecodeError) as error:  # whose own text may have some of it
                got = str(error.strerror) if isinstance(error, OSError) else "bytes that are not UTF-8"
        if not found:
            raise UsageError(f"password: expected {expected}, got {got} ({self.source})")
        return found
