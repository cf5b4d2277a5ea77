"""Secrets, such as an endpoint's key: known by the environment variable they are in, and kept from every error."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from quintet.errors import UsageError

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
USUAL_KEY = "OPENAI_API_KEY"
_PLACEHOLDER = "none"
"""Sent without a key: servers that need none still require the header."""


class SecretVariable:
    """What an environment variable holds: any text.

    Copying and pickling keep the variable's name; a copy reads the environment of its own process.

    Args:
        variable: in capitals, so that a key passed by mistake is recognised; None: no key.
        optional: whether the variable may be unset.
        known: whether `variable` is certainly a name; a copy passes True, since its original was set.
        where: the setting that names the variable, for errors.

    Raises:
        UsageError: a required one is missing, or it cannot be sent. The text never quotes a value, nor the name of an
            unset variable, which may be a key in capitals.
    """

    __slots__ = ("_optional", "_value", "_written", "variable")
    _form: ClassVar[re.Pattern[str]] = re.compile(r"(?s).+")
    _noun: ClassVar[str] = "text"

    def __init__(self, variable: str | None, optional: bool, known: bool = False, *, where: str = "model.key") -> None:
        if variable is not None and not _VARIABLE.fullmatch(variable):
            raise UsageError(
                f"{where}: expected the name of an environment variable, in capitals, got something else (not shown)"
            )
        value = "" if variable is None else os.environ.get(variable, "").strip()
        if not value and not optional:
            if known or variable == USUAL_KEY or variable in os.environ:
                raise UsageError(f"{variable}: expected a key in this environment variable, got none")
            raise UsageError(
                f"{where}: expected the name of an environment variable that is set, "
                "got another (not shown: it may be a key)"
            )
        if value and not self._form.fullmatch(value):
            raise UsageError(f"{variable}: expected a {self._noun} of visible ASCII characters, got others (not shown)")
        self.variable = variable
        self._optional = optional
        self._value = value
        self._written = re.compile("|".join(map(_pattern, self._parts(value)))) if value else None

    def _parts(self, value: str) -> Sequence[str]:
        """What is kept from texts, the longest first."""
        return [value]

    def reveal(self) -> str:
        """The text itself."""
        return self._value or _PLACEHOLDER

    def redacted(self, text: str) -> str:
        """The text of an error, on one line, as it may be shown, however the key is written in it.

        Also in parts: a server that wraps its lines breaks the key too, and a space is left of that.

        Never a completion: a short dummy key, such as `x`, is part of many words.
        """
        return text if self._written is None else self._written.sub(f"<{self.variable}>", text)

    def __str__(self) -> str:
        if self.variable is None:
            return "no key"
        return f"the key in {self.variable}" if self._value else f"no key ({self.variable} is unset)"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.variable!r}, {self._optional!r})"

    def __reduce__(self) -> tuple[type["SecretVariable"], tuple[str | None, bool, bool]]:
        return type(self), (self.variable, self._optional, True)


class Key(SecretVariable):
    """The key of an endpoint."""

    __slots__ = ()
    _form = re.compile(r"[!-~]+")
    _noun = "key"


class HeaderValue(SecretVariable):
    """The whole value of a header, such as `Bearer TOKEN` or `id=TOKEN; lang=en`; its words are kept from texts too."""

    __slots__ = ()
    _form = re.compile(r"[ -~]+")
    _noun = "header"

    def _parts(self, value: str) -> Sequence[str]:
        words = {each for each in (*value.split(), *re.split(r"[\s;,=\"]+", value)) if len(each) >= _SHORTEST}
        return [value, *sorted(words, key=len, reverse=True)]


def _pattern(secret: str) -> str:
    """A pattern for a secret. White space may be written as one space, and is read in one way: all would take ages."""
    return " ?".join(
        f"(?:{'|'.join(map(_as_written, sorted({' ', *each})))})++" if each.isspace() else _as_written(each)
        for each in re.findall(r"\s+|\S", secret)
    )


def _as_written(char: str) -> str:
    """A pattern for a character of a secret, as it stands in plain text, JSON, a Python literal, an address or HTML."""
    code = ord(char)
    units = char.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    ways = (
        "".join(rf"\\{{1,4}}u(?i:{unit})" for unit in units),
        rf"\\{{1,4}}(?:{'|'.join((f'x(?i:{code:02x})', f'U(?i:{code:08x})', *_LETTERS.get(char, '')))})",
        "".join(f"%(?i:{byte:02x})" for byte in char.encode(errors="surrogateescape")),
        f"&#0?0?{code};|&#x(?i:{code:x});",
        # As it is comes last: a backslash, a percent sign and an ampersand also begin what is longer.
        rf"\\{{0,4}}{re.escape(char)}",
    )
    return f"(?:{'|'.join(ways)})"


_LETTERS = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
"""By which JSON and Python write characters behind a backslash."""
_SECRET = re.compile(r"api.?key|secret|password|authorization|credential|access.?token|bearer", re.IGNORECASE)

_SHORTEST = 8
"""Characters of a key that is looked for in other values; a shorter one is a dummy, and may be part of any word."""


def check_extra(extra: Mapping[str, Any], ours: frozenset[str], keys: Iterable[Key]) -> Mapping[str, Any]:
    """Check further fields of a request's body.

    Args:
        ours: fields that are set by other means.
        keys: of the endpoint, which none may hold.

    Raises:
        UsageError: a field is one of `ours`, is no JSON, or holds a secret.
    """
    if taken := sorted(ours.intersection(extra)):
        raise UsageError(f"model.extra: expected fields that are not set by other means, got {', '.join(taken)}")
    try:
        text = json.dumps(extra, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"model.extra: expected what JSON can say, got something else: {error}") from error
    if secret := next(filter(_SECRET.search, _names(extra)), None):
        raise UsageError(f"model.extra: expected no secret, since it is written down, got {secret!r} (not shown)")
    for key in keys:
        if len(key.reveal()) >= _SHORTEST and key.redacted(text) != text:
            raise UsageError(f"model.extra: expected no secret, since it is written down, got {key} (not shown)")
    return dict(extra)


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[Any]", value):
            yield from _names(inner)
