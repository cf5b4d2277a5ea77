"""The file that keeps a session's pages and pictures: a zip with an index of JSON."""

import zipfile
import zlib
from collections.abc import Mapping
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.whole_file import whole_file
from quintet.errors import UsageError
from quintet.plugins.files import read_regular

_INDEX: Final = "index.json"
_BODY: Final = "pages/{:04}"
_PICTURE: Final = "pictures/{:02}.jpg"
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Of every member: the same session gives the same file."""
MOST_RECORDED: Final = 512 * 2**20
"""Of a recording, packed and unpacked. All of it is held in memory."""


class SavedPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to the first GET of an address."""

    url: str
    """Without its fragment."""
    status: int
    headers: Mapping[str, str]
    """Of its type and of where it redirects to; cookies are not kept."""
    body: bytes = b""
    """A member of the file, not of its index; so is a picture."""


class SavedStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was seen after an action."""

    action: str
    """Empty at the opening."""
    observation: str
    picture: bytes = b""
    """JPEG, if there is one."""


class PageRecording(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="format",
    tag="quintet webarena pages 2",
):
    """A file that was read, or that is to be written."""

    task: str
    seed: int
    addresses: Mapping[SiteName, str]
    """Of the sites when they were recorded, which the pages name."""
    reward: float
    pages: tuple[SavedPage, ...]
    steps: tuple[SavedStep, ...]
    digest: str = ""
    """Of the file's bytes."""


def write_recording(path: Path, recording: PageRecording) -> None:
    """Write or replace a recording; a `UsageError` if it cannot be, or is too large to be read again."""
    contents = {_BODY.format(place): page.body for place, page in enumerate(recording.pages)}
    contents |= {_PICTURE.format(place): step.picture for place, step in enumerate(recording.steps)}
    if sum(map(len, contents.values())) > MOST_RECORDED:
        raise _too_large(MOST_RECORDED, path)
    pages = tuple(replace(page, body=b"") for page in recording.pages)
    index = replace(recording, pages=pages, steps=tuple(replace(step, picture=b"") for step in recording.steps))
    with whole_file(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {_INDEX: msgspec.json.format(msgspec.json.encode(index)), **contents}.items():
            archive.writestr(zipfile.ZipInfo(member, _DATE), content, zipfile.ZIP_DEFLATED)


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
        content = read_regular(path, most)
    except OSError as error:
        raise UsageError(f"pages: expected a file of recorded pages, got {error.strerror} ({path})") from error
    except ValueError as error:
        raise _too_large(most, path) from error
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > most:  # no more than that is unpacked
                raise _too_large(most, path)
            index = msgspec.json.decode(archive.read(_INDEX), type=PageRecording)
            pages = [replace(page, body=archive.read(_BODY.format(place))) for place, page in enumerate(index.pages)]
            steps = [
                replace(step, picture=archive.read(_PICTURE.format(place))) for place, step in enumerate(index.steps)
            ]
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, OSError, RuntimeError, ValueError) as error:
        # zipfile raises a bare RuntimeError where a member says that it is encrypted, and others for damaged places
        got = f"another or a damaged one: {error}"
        raise UsageError(f"pages: expected a file of recorded pages, got {got} ({path})") from error
    digest = blake2b(content, digest_size=8).hexdigest()
    return replace(index, pages=tuple(pages), steps=tuple(steps), digest=digest)
