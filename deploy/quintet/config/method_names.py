"""Names of methods as a person writes them: `NAME`, `OUTER(INNER)`, `NAME:key=1,other=x`.

    METHOD  = NAMES [ ":" KEY "=" VALUE { "," KEY "=" VALUE } ]
    NAMES   = NAME [ "(" NAMES ")" ]

A name in parentheses is the inner method of the one before; one may be that of an object, `mine.py:Mine` or
`package.module:Mine`. Keys are below `[method]`: `inner.max_depth=2`. A value with a comma is quoted, as in TOML.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from quintet.config.settings import METHOD_NAME, Setting, Settings, parse_value, quote
from quintet.errors import UsageError
from quintet.plugins.objects import OBJECT_IN_FILE, OBJECT_IN_MODULE

MOST_METHODS: Final = 16
"""Methods within each other."""

_NAME = re.compile(rf"{OBJECT_IN_FILE}|{OBJECT_IN_MODULE}|[^\s():,=]+")
_KEY = re.compile(r"\w+(\.\w+)*")
_VALUE = re.compile(r"""(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^,"'\[\]])+""")


class MethodName(NamedTuple):
    """A method with its inner ones, and options of it and of them."""

    names: tuple[str, ...]
    """Outermost first; at least one."""
    options: Mapping[str, str] = {}
    """By key below `[method]`, as written."""

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return nested_name(self.names) + (f":{options}" if options else "")


def nested_name(names: Sequence[str]) -> str:
    """The name of methods within each other, outermost first: `OUTER(INNER)`."""
    return "(".join(names) + ")" * (len(names) - 1)


def parse_method(text: str) -> MethodName:
    """Read a method's name; the error of a malformed one says at which character, from 1."""
    names, options = _Reader(text).read()
    return MethodName(names, options)


def with_method_names(settings: Settings) -> Settings:
    """The same settings, with `method.name` split into the names of the methods and their options."""
    return dict(_split(settings))


def _split(settings: Settings) -> Iterator[tuple[str, Setting]]:
    for key, setting in settings.items():
        if not METHOD_NAME.fullmatch(key) or not isinstance(setting.value, str):
            yield key, setting
            continue
        try:
            found = parse_method(setting.value)
        except UsageError as error:
            raise UsageError(f"{error} ({setting.where})") from error
        section = key.removesuffix(".name")
        for depth, name in enumerate(found.names):
            yield f"{section}{'.inner' * depth}.name", Setting(name, setting.where)
        for option, value in found.options.items():
            yield f"{section}.{option}", Setting(parse_value(value, setting.where), setting.where)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> tuple[tuple[str, ...], dict[str, str]]:
        names = [self._match(_NAME, "a method's name")]
        while self._take("("):
            if len(names) == MOST_METHODS:
                self._refuse(f"at most {MOST_METHODS} methods within each other", "more")
            names.append(self._match(_NAME, "a method's name"))
        for _ in names[1:]:
            if not self._take(")"):
                self._refuse("')'" if self._text[self._at - 1] == ")" else "'(' or ')'")
        options = self._options() if self._take(":") else {}
        if self._at < len(self._text):
            self._refuse("',' or the end" if options else "':' or the end" if names[1:] else "'(', ':' or the end")
        return tuple(names), options

    def _options(self) -> dict[str, str]:
        options: dict[str, str] = {}
        while not options or self._take(","):
            key = self._match(_KEY, "an option's name")
            if key in options or key.rpartition(".")[2] == "name":
                self._at -= len(key)
                self._refuse("each option once" if key in options else "methods named in parentheses", repr(key))
            if not self._take("="):
                self._refuse("'='")
            options[key] = self._match(_VALUE, "a value").strip()
        return options

    def _match(self, pattern: re.Pattern[str], expected: str) -> str:
        self._skip_spaces()
        found = pattern.match(self._text, self._at)
        if found is None:
            self._refuse(expected)
        self._at = found.end()
        return found[0]

    def _take(self, mark: str) -> bool:
        self._skip_spaces()
        taken = self._text.startswith(mark, self._at)
        self._at += len(mark) * taken
        return taken

    def _skip_spaces(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _refuse(self, expected: str, got: str | None = None) -> NoReturn:
        got = got or (repr(self._text[self._at]) if self._at < len(self._text) else "the end")
        place = f"at character {self._at + 1} of {quote('method', self._text)}"
        yours = "; FILE.py:OBJECT names one of yours" if ":" in self._text and "=" not in self._text else ""
        raise UsageError(f"method: expected {expected} {place}, got {got}{yours}")
