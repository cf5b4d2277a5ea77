"""`quintet ctl`: a command in words, said to the run that it is for."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from quintet.control.client import is_running, say
from quintet.control.messages import (
    CancelEpisode,
    Command,
    Done,
    Pause,
    Refused,
    RequeueEpisode,
    Resume,
    SetConcurrency,
    Status,
    TellStatus,
)
from quintet.errors import UsageError

_COMMANDS = "status, pause, resume, cancel EPISODE, requeue EPISODE or set concurrency=N"

_SHOWN = 20
"""How many of the running episodes are named to a person."""


def ctl(path: Path, words: Sequence[str], *, json: bool, force: bool = False) -> None:
    """Say a command to a run, or to the arm of a study that runs now, and print the answer.

    Raises:
        UsageError: it is no command, nothing runs there, or the run refused.
    """
    command = parse(words)
    if force:
        if not isinstance(command, RequeueEpisode):
            raise UsageError(f"--force: expected with requeue EPISODE only, got {' '.join(words)!r}")
        command = msgspec.structs.replace(command, force=True)
    run = is_running(path)
    reply = say(run.path, command)
    if isinstance(reply, Refused):
        raise UsageError(f"ctl: {reply.reason}")
    if json:
        print(msgspec.json.format(msgspec.json.encode(reply)).decode())
        return
    if run.path != path:
        print(f"arm {run.path.name}")
    print("\n".join([reply.text] if isinstance(reply, Done) else described(reply)))


def parse(words: Sequence[str]) -> Command:
    """What the words mean.

    Raises:
        UsageError: nothing.
    """
    match words:
        case ["status"]:
            return TellStatus()
        case ["pause"]:
            return Pause()
        case ["resume"]:
            return Resume()
        case ["cancel", episode]:
            return CancelEpisode(episode=episode)
        case ["requeue", episode]:
            return RequeueEpisode(episode=episode)
        case ["set", assignment]:
            return SetConcurrency(episodes=_concurrency(assignment))
        case _:
            raise UsageError(f"ctl: expected {_COMMANDS}, got {' '.join(words)!r}")


def _concurrency(assignment: str) -> int:
    setting, _, value = assignment.partition("=")
    if setting != "concurrency" or not (value.isascii() and value.isdigit() and len(value) < 10 and int(value)):
        raise UsageError(f"ctl: set: expected concurrency=N with N >= 1, got {assignment!r}")
    return int(value)


def described(status: Status) -> Iterator[str]:
    """Lines for a person."""
    paused = "paused: " if status.paused else ""
    yield (
        f"{paused}{status.done} of {status.episodes} episodes done, {len(status.running)} running, "
        f"{len(status.queued)} queued, concurrency {status.concurrency}"
    )
    charged = (
        "" if status.charged is None else f"; charged {status.charged.usd:.4f} USD, {status.charged.tokens:,} tokens"
    )
    yield f"model calls in flight: {status.calls}{charged}"
    yield f"hosts: {', '.join(status.hosts) or 'none'}" + (f"; lost: {', '.join(status.lost)}" if status.lost else "")
    for begun in status.running[:_SHOWN]:
        yield f"  {begun.episode} on {begun.host} for {begun.seconds:.0f} s"
    if len(status.running) > _SHOWN:
        yield f"  and {len(status.running) - _SHOWN} more"
