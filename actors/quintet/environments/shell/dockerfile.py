"""Reads a Dockerfile that only places files: FROM, WORKDIR and COPY."""

import posixpath
import shlex
from typing import Final

from msgspec import Struct

_NAMES: Final = "FROM, WORKDIR or COPY"


class CopiedFiles(Struct, frozen=True):
    """One COPY: what is copied, and where to."""

    sources: tuple[str, ...]
    """Relative to the folder of the Dockerfile; `.` is all of it."""
    target: str
    """Relative to the working directory; with a slash at its end if it is a folder."""


class FilePlacement(Struct, frozen=True):
    """Where a task's files are."""

    home: str
    """The working directory."""
    copies: tuple[CopiedFiles, ...]


def read_dockerfile(text: str, name: str) -> FilePlacement:
    """Read a Dockerfile.

    Args:
        name: the file's, for errors.

    Raises:
        ValueError: it does more than place files within one working directory; the text names the line.
    """
    home, copies = "", list[tuple[int, list[str], str]]()
    for number, line in _instructions(text):
        where = f"{name}, line {number}"
        word, _, rest = line.partition(" ")
        match word.upper():
            case "FROM":
                continue
            case "WORKDIR":
                home = posixpath.normpath(posixpath.join(home or "/", rest.strip()))
            case "COPY":
                *sources, target = [each for each in shlex.split(rest) if not each.startswith("--chmod=")]
                if not sources or any(each.startswith(("--", "[")) or "*" in each for each in sources):
                    raise ValueError(f"{where}: expected COPY SOURCE... TARGET, got {line!r:.80}")
                copies.append((number, sources, posixpath.join(home or "/", target)))
            case _:
                raise ValueError(f"{where}: expected {_NAMES}, got {word[:20]}")
    if home in ("", "/"):
        raise ValueError(f"{name}: expected a WORKDIR below /, got none")
    return FilePlacement(home, tuple(_within(home, *copy, name) for copy in copies))


def _within(home: str, number: int, sources: list[str], target: str, name: str) -> CopiedFiles:
    """A copy with its target relative to the working directory."""
    inside = posixpath.relpath(target, home)
    if inside.startswith(".."):
        raise ValueError(f"{name}, line {number}: expected a target within {home}, got {target}")
    folder = target.endswith(("/", "/.")) or inside == "." or len(sources) > 1
    return CopiedFiles(tuple(sources), f"{inside}/" if folder else inside)


def _instructions(text: str) -> list[tuple[int, str]]:
    """The instructions with the numbers of their lines; those that go on over lines as one."""
    found: list[tuple[int, str]] = []
    open_line = False
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        goes_on, bare = bare.endswith("\\"), bare.removesuffix("\\").strip()
        if open_line:
            found[-1] = (found[-1][0], f"{found[-1][1]} {bare}")
        else:
            found.append((number, bare))
        open_line = goes_on
    return found
