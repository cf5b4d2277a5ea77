"""The commands to a run and its answers, each one line of JSON, and the socket that carries them."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import TypeAlias

import msgspec
from msgspec import Struct

from quintet.messages.paths import Path


class ControlMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that goes through the socket."""


class GetStatus(ControlMessage, frozen=True, kw_only=True, tag="status"):
    """Request the state of the run."""


class Pause(ControlMessage, frozen=True, kw_only=True, tag="pause"):
    """Start no episode and no model call until `Resume`."""


class Resume(ControlMessage, frozen=True, kw_only=True, tag="resume"):
    """Continue after `Pause`."""


class StopRun(ControlMessage, frozen=True, kw_only=True, tag="stop"):
    """Stop the run as Ctrl-C does; it can be resumed."""


class CancelEpisode(ControlMessage, frozen=True, kw_only=True, tag="cancel"):
    """End an episode that is running or queued."""

    episode: str
    """A path, or a prefix that no other episode shares."""


class RequeueEpisode(ControlMessage, frozen=True, kw_only=True, tag="requeue"):
    """Run an episode again, as its next attempt; it faulted or was cancelled."""

    episode: str
    """As in `CancelEpisode`."""
    force: bool = False
    """Even if it ended with a result, which the next attempt replaces, or is running: then it is cancelled."""


class ChangeSettings(ControlMessage, frozen=True, kw_only=True, tag="change_settings"):
    """Change settings now, and for resumes."""

    settings: dict[str, float | int | None]
    """By dotted key; None: no limit."""


class SetPace(ControlMessage, frozen=True, kw_only=True, tag="set_pace"):
    """Set rate limits of one model; what is left out stays."""

    model: str
    limits: dict[str, float | int | None]
    """`calls`, `requests_per_minute` and `tokens_per_minute`; None: as for all models."""


ControlCommand: TypeAlias = (
    GetStatus | Pause | Resume | StopRun | CancelEpisode | RequeueEpisode | ChangeSettings | SetPace
)


class RunningEpisode(ControlMessage, frozen=True, kw_only=True):
    """An episode that is running."""

    episode: Path
    host: str
    seconds: float
    """Since its newest start."""


class StatusCharge(msgspec.Struct, frozen=True, kw_only=True):
    """The charges so far, reservations included."""

    usd: float
    """0 for models without a price."""
    tokens: int


class RunStatus(ControlMessage, frozen=True, kw_only=True, tag="status"):
    """The state of the run."""

    episodes: int
    """In the whole run."""
    done: int
    """How many of them ended, including earlier starts of the run."""
    paused: bool
    concurrency: int
    running: tuple[RunningEpisode, ...]
    """The longest-running first."""
    queued: tuple[Path, ...]
    """In the order in which they will start."""
    hosts: tuple[str, ...]
    """Those that are alive."""
    lost: tuple[str, ...]
    """Hosts that died."""
    hosts_text: str = ""
    """How many hosts live, of how many, and why others did not start; empty: nothing replaces them."""
    calls: int = 0
    """Model calls in flight."""
    charged: StatusCharge | None = None
    """All starts of the run; None without a budget or prices."""


class CommandDone(ControlMessage, frozen=True, kw_only=True, tag="done"):
    """The command was carried out."""

    text: str
    """What happened, for display."""


class CommandRefused(ControlMessage, frozen=True, kw_only=True, tag="refused"):
    """The command was refused, and nothing changed."""

    reason: str


ControlReply: TypeAlias = RunStatus | CommandDone | CommandRefused

command_decoder: msgspec.json.Decoder[ControlCommand] = msgspec.json.Decoder(ControlCommand)
reply_decoder: msgspec.json.Decoder[ControlReply] = msgspec.json.Decoder(ControlReply)


def encode_line(message: ControlCommand | ControlReply) -> bytes:
    """Encode a message as one line."""
    return msgspec.json.encode(message) + b"\n"


_LONGEST = 107
"""Bytes of a socket's name on Linux: `sun_path` has 108, with a null at the end."""


@contextmanager
def short_name(socket: FilePath) -> Generator[str, None, None]:
    """A name to bind or connect to inside the context, however deep its folder is; an `OSError` if there is none."""
    if len(os.fsencode(socket)) <= _LONGEST:
        yield str(socket)
        return
    folder = os.open(socket.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{socket.name}"
    finally:
        os.close(folder)
