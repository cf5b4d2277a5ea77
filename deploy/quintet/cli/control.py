"""`ctl`: send a command to a run that is running."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from quintet.cli.flags import Switch
from quintet.control.client import find_running, send_command
from quintet.control.messages import (
    CancelEpisode,
    CommandDone,
    CommandRefused,
    ControlCommand,
    GetStatus,
    Pause,
    RequeueEpisode,
    Resume,
    RunStatus,
    SetConcurrency,
)
from quintet.errors import UsageError

_COMMANDS = "status, pause, resume, cancel EPISODE, requeue EPISODE or set concurrency=N"

_SHOWN = 20
"""How many running episodes are listed."""


def ctl_command(run: Path, /, *command: str, json: Switch = False, force: Switch = False) -> None:
    """Send a command to a run, or to the arm of a study that runs now, and print the answer.

    Args:
        run: A run folder, or a study folder for the arm that is running.
        command: status, pause, resume, cancel EPISODE, requeue EPISODE, or set concurrency=N.
        json: Print the answer as JSON.
        force: Also requeue an episode that ended solved or unsolved; its result no longer counts.
    """
    parsed = parse_control(command)
    if force:
        if not isinstance(parsed, RequeueEpisode):
            raise UsageError(f"--force: expected with requeue EPISODE only, got {' '.join(command)!r}")
        parsed = msgspec.structs.replace(parsed, force=True)
    folder = find_running(run)
    reply = send_command(folder.path, parsed)
    if isinstance(reply, CommandRefused):
        raise UsageError(f"ctl: {reply.reason}")
    if json:
        print(msgspec.json.format(msgspec.json.encode(reply)).decode())
        return
    if folder.path != run:
        print(f"arm {folder.path.name}")
    print("\n".join([reply.text] if isinstance(reply, CommandDone) else describe_status(reply)))


def parse_control(words: Sequence[str]) -> ControlCommand:
    """Read a command.

    Raises:
        UsageError: there is no such command.
    """
    match words:
        case ["status"]:
            return GetStatus()
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


def describe_status(status: RunStatus) -> Iterator[str]:
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
