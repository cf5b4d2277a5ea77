"""The file that keeps a session's pages and pictures: a zip with an index of JSON."""

import zipfile
import zlib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.whole_file import whole_file
from quintet.errors import UsageError

_FORMAT: Final = "quintet webarena pages 1"
_INDEX: Final = "index.json"
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Of every member: the same session gives the same file."""
MOST_RECORDED: Final = 512 * 2**20
"""Of a recording, packed and unpacked. All of it is held in memory."""


_ContentT = TypeVar("_ContentT")


class KeptPage(Struct, Generic[_ContentT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to the first GET of an address."""

    url: str
    """Without its fragment."""
    status: int
    headers: Mapping[str, str]
    """Of its type and of where it redirects to; cookies are not kept."""
    body: _ContentT


class KeptStep(Struct, Generic[_ContentT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was seen after an action."""

    action: str
    """Empty at the opening."""
    observation: str
    picture: _ContentT
    """JPEG, if there is one."""


SavedPage: TypeAlias = KeptPage[bytes]
SavedStep: TypeAlias = KeptStep[bytes]


class _Recording(Struct, Generic[_ContentT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    task: str
    seed: int
    addresses: Mapping[SiteName, str]
    """Of the sites when they were recorded, which the pages name."""
    reward: float
    pages: tuple[KeptPage[_ContentT], ...]
    steps: tuple[KeptStep[_ContentT], ...]


class _Index(_Recording[str], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the file says of itself, with the names of members instead of their contents; empty: there is none."""

    format: str


class PageRecording(_Recording[bytes], frozen=True, kw_only=True):
    """A file that was read, or that is to be written."""

    digest: str = ""
    """Of the file's bytes."""


def _with_body(page: KeptPage[Any], body: _ContentT) -> KeptPage[_ContentT]:
    return KeptPage(url=page.url, status=page.status, headers=page.headers, body=body)


def _with_picture(step: KeptStep[Any], picture: _ContentT) -> KeptStep[_ContentT]:
    return KeptStep(action=step.action, observation=step.observation, picture=picture)


def write_recording(path: Path, recording: PageRecording) -> None:
    """Write a recording; a file there is replaced.

    Raises:
        UsageError: it cannot be written there, or is too large to be read again.
    """
    bodies: dict[str, bytes] = {}

    def keep(name: str, content: bytes) -> str:
        bodies.update({name: content} if content else {})
        return name if content else ""

    pages = [_with_body(page, keep(f"pages/{place:04}", page.body)) for place, page in enumerate(recording.pages)]
    steps = [
        _with_picture(step, keep(f"pictures/{place:02}.jpg", step.picture))
        for place, step in enumerate(recording.steps)
    ]
    told = {name: getattr(recording, name) for name in ("task", "seed", "addresses", "reward")}
    index = _Index(format=_FORMAT, **told, pages=tuple(pages), steps=tuple(steps))
    if sum(map(len, bodies.values())) > MOST_RECORDED:
        raise _too_large(MOST_RECORDED, path)
    with whole_file(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {_INDEX: msgspec.json.format(msgspec.json.encode(index)), **bodies}.items():
            archive.writestr(zipfile.ZipInfo(member, _DATE), content, zipfile.ZIP_DEFLATED)


class _Members:
    """Reads the members of an archive, which claims to hold little and may unpack to anything."""

    def __init__(self, archive: zipfile.ZipFile, path: Path, most: int) -> None:
        self._archive = archive
        self._path = path
        self._most = self._left = most

    def read(self, member: str) -> bytes:
        """The content of a member; none has an empty name."""
        if not member:
            return b""
        self._left -= self._archive.getinfo(member).file_size  # no more than that is unpacked
        if self._left < 0:
            raise _too_large(self._most, self._path)
        return self._archive.read(member)


def _too_large(most: int, path: Path) -> UsageError:
    return UsageError(f"pages: expected a recording of at most {most // 2**20:,} MiB, got a larger one ({path})")


def read_recording(path: Path, *, most: int = MOST_RECORDED) -> PageRecording:
    """Read a recording.

    Args:
        most: bytes that are read.

    Raises:
        UsageError: there is no such file, or it is something else, damaged or too large.
    """
    try:
        if path.stat().st_size > most:
            raise _too_large(most, path)
        with zipfile.ZipFile(path) as archive:
            members = _Members(archive, path, most)
            index = msgspec.json.decode(members.read(_INDEX), type=_Index)
            if index.format != _FORMAT:
                raise UsageError(f"pages: expected a file of {_FORMAT!r}, got {index.format!r} ({path})")
            pages = tuple(_with_body(page, members.read(page.body)) for page in index.pages)
            steps = tuple(_with_picture(step, members.read(step.picture)) for step in index.steps)
    except OSError as error:
        raise UsageError(f"pages: expected a file of recorded pages, got {error.strerror} ({path})") from error
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, msgspec.DecodeError, RuntimeError) as error:
        # zipfile raises a bare RuntimeError where a member says that it is encrypted
        raise UsageError(f"pages: expected a file of recorded pages, got another or a damaged one ({path})") from error
    digest = blake2b(path.read_bytes(), digest_size=8).hexdigest()
    told = {name: getattr(index, name) for name in ("task", "seed", "addresses", "reward")}
    return PageRecording(**told, pages=pages, steps=steps, digest=digest)
