"""An endpoint's key: known by the environment variable it is in, and kept from every error."""

import os
import re

from protocols.errors import UsageError

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_SENDABLE = re.compile(r"[!-~]+")
_PLACEHOLDER = "none"
"""Sent where there is no key: servers that need none want a header all the same."""


class Key:
    """The key that an environment variable holds.

    What is copied or pickled is the variable's name: a copy reads the environment of the process it is made in.

    Args:
        variable: in capitals, so that a key given in its place is told apart.
        optional: whether the variable may be unset.

    Raises:
        UsageError: there is no key where one is needed, or it cannot be sent. No value is quoted.
    """

    __slots__ = ("_optional", "_value", "variable")

    def __init__(self, variable: str, optional: bool) -> None:
        if not _VARIABLE.fullmatch(variable):
            raise UsageError(
                "model.key: expected the name of an environment variable, in capitals, got something else (not shown)"
            )
        value = os.environ.get(variable, "").strip()
        if not value and not optional:
            raise UsageError(f"{variable}: expected a key in this environment variable, got none")
        if value and not _SENDABLE.fullmatch(value):
            raise UsageError(f"{variable}: expected a key of visible ASCII characters, got others (not shown)")
        self.variable = variable
        self._optional = optional
        self._value = value

    def reveal(self) -> str:
        """What is sent."""
        return self._value or _PLACEHOLDER

    def redacted(self, text: str) -> str:
        """The text of an error as it may be shown.

        Never a completion: a short dummy key, such as `x`, is part of many words.
        """
        return text.replace(self._value, f"<{self.variable}>") if self._value else text

    def __str__(self) -> str:
        return f"the key in {self.variable}" if self._value else f"no key ({self.variable} is unset)"

    def __repr__(self) -> str:
        return f"Key({self.variable!r}, {self._optional!r})"

    def __reduce__(self) -> tuple[type["Key"], tuple[str, bool]]:
        return Key, (self.variable, self._optional)
