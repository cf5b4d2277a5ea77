"""What an operator may say to a run, and what it answers: each one line of JSON."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.messages.paths import Path


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that is said through the socket."""


class TellStatus(Line, frozen=True, kw_only=True, tag="status"):
    """Say how the run stands."""


class Pause(Line, frozen=True, kw_only=True, tag="pause"):
    """Begin no episode and no model call until `Resume`."""


class Resume(Line, frozen=True, kw_only=True, tag="resume"):
    """Go on."""


class CancelEpisode(Line, frozen=True, kw_only=True, tag="cancel"):
    """End an episode that runs or is queued."""

    episode: str
    """A path, or as much of its beginning as no other episode has."""


class RequeueEpisode(Line, frozen=True, kw_only=True, tag="requeue"):
    """Run an episode once more, as a further attempt; one that still runs is cancelled."""

    episode: str
    """As in `CancelEpisode`."""
    force: bool = False
    """Also where it ended with a result, which the further attempt takes the place of."""


class SetConcurrency(Line, frozen=True, kw_only=True, tag="set_concurrency"):
    """Run so many episodes at a time."""

    episodes: Annotated[int, Meta(ge=1)]


Command: TypeAlias = TellStatus | Pause | Resume | CancelEpisode | RequeueEpisode | SetConcurrency


class UnderWay(Line, frozen=True, kw_only=True):
    """An episode that runs."""

    episode: Path
    host: str
    seconds: float
    """Since it was begun, or begun anew."""


class Charged(msgspec.Struct, frozen=True, kw_only=True):
    """What model calls cost, reservations included."""

    usd: float
    """0 for models without a price."""
    tokens: int


class Status(Line, frozen=True, kw_only=True, tag="status"):
    """How the run stands."""

    episodes: int
    """Of the whole run."""
    done: int
    """Of those, how many ended, in earlier starts of the run too."""
    paused: bool
    concurrency: int
    running: tuple[UnderWay, ...]
    """The longest first."""
    queued: tuple[Path, ...]
    """In order."""
    hosts: tuple[str, ...]
    """That live."""
    lost: tuple[str, ...]
    """Hosts that died."""
    calls: int = 0
    """Model calls in flight."""
    charged: Charged | None = None
    """What all starts of the run were charged so far; None where no books are kept."""


class Done(Line, frozen=True, kw_only=True, tag="done"):
    """It was carried out."""

    text: str
    """For a person."""


class Refused(Line, frozen=True, kw_only=True, tag="refused"):
    """It was not, and nothing changed."""

    reason: str


Reply: TypeAlias = Status | Done | Refused

commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
replies: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


def line(said: Command | Reply) -> bytes:
    """As it goes through the socket."""
    return msgspec.json.encode(said) + b"\n"


SOCKET = "control.sock"

_LONGEST = 107
"""Bytes of a socket's name on Linux, whose `sun_path` has 108 with the null at its end."""


@contextmanager
def short_name(socket: FilePath) -> Generator[str, None, None]:
    """A name under which to bind or connect; good only inside.

    Raises:
        OSError: its folder cannot be opened.
    """
    if len(os.fsencode(socket)) <= _LONGEST:
        yield str(socket)
        return
    folder = os.open(socket.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{socket.name}"
    finally:
        os.close(folder)
