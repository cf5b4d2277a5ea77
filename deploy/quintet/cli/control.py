"""`ctl`: send a command to a run that is running."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import Switch
from quintet.config.settings import parse_value
from quintet.control.client import find_running, send_command
from quintet.control.messages import (
    CancelEpisode,
    ChangeSettings,
    CommandDone,
    CommandRefused,
    ControlCommand,
    GetStatus,
    Pause,
    RequeueEpisode,
    Resume,
    RunStatus,
    SetPace,
    StopRun,
)
from quintet.errors import UsageError
from quintet.runs.listing import running_folders

_COMMANDS = (
    "status, pause, resume, stop, cancel EPISODE, requeue EPISODE, set concurrency=N or hosts=N, "
    "budget usd=X tokens=N, limits calls=N requests_per_minute=N tokens_per_minute=N "
    "or pace MODEL with the same as limits"
)
_PLAIN: Mapping[str, ControlCommand] = {
    "status": GetStatus(),
    "pause": Pause(),
    "resume": Resume(),
    "stop": StopRun(),
}
_WITH_WORDS = ("cancel", "requeue", "set", "budget", "limits", "pace")
_BUDGETS = ("usd", "tokens")
_RATES = ("calls", "requests_per_minute", "tokens_per_minute")

_SHOWN = 20
"""How many running episodes are listed."""


def ctl_command(*words: str, json: Switch = False, force: Switch = False) -> None:
    """Send a command to a run, or to the arm of a study that runs now, and print the answer.

    Args:
        words: [RUN] COMMAND. RUN is the folder of a run or a study, or a part of the name of one that runs in or below
            this folder; by default the only one that does. COMMAND is status, pause, resume, stop, cancel EPISODE,
            requeue EPISODE, set concurrency=N or hosts=N, budget usd=X tokens=N, limits calls=N requests_per_minute=N
            tokens_per_minute=N, or pace MODEL with the same as limits; none in place of N or X lifts a limit, and of a
            model leaves that of all models.
        json: Print the answer as JSON.
        force: Also requeue an episode that ended solved or unsolved, whose result no longer counts, or one that runs.
    """
    named, command = _split(words)
    parsed = parse_control(command)
    if force:
        if not isinstance(parsed, RequeueEpisode):
            raise UsageError(f"--force: expected with requeue EPISODE only, got {' '.join(command)!r}")
        parsed = msgspec.structs.replace(parsed, force=True)
    run = _find(named)
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


def _split(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    first = next(iter(words), "")
    if first in _PLAIN or first in _WITH_WORDS or (len(words) < 2 and not Path(first).is_dir()):
        return None, words
    return first, words[1:]


def _find(named: str | None) -> Path:
    if named is not None and ("/" in named or Path(named).is_dir()):
        return Path(named)
    here = running_folders(Path())
    fitting = [path for path in here if named is None or named in str(path)]
    found = [path for path in fitting if path.name == named] or fitting
    if not found:
        wanted = "a run that is running here" if named is None else f"the name of a run that is running here, {named!r}"
        raise UsageError(f"ctl: expected {wanted}, found {', '.join(map(str, here)) or 'none'} (quintet ls)")
    return found[0] if len(found) == 1 else _ask(found)


def _ask(found: Sequence[Path]) -> Path:
    if not sys.stdin.isatty():
        raise UsageError(f"ctl: expected the name of one run, since several run: {', '.join(map(str, found))}")
    out = console(stderr=True)
    for number, path in enumerate(found, 1):
        out.print(Text(f"{number}: {path}"))
    out.print(Text("Which run? "), end="")
    answer = sys.stdin.readline().strip()
    if not (answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(found)):
        raise UsageError(f"ctl: expected a number from 1 to {len(found)}, got {answer!r}")
    return found[int(answer) - 1]


def parse_control(words: Sequence[str]) -> ControlCommand:
    """Read a command."""
    match words:
        case [plain] if plain in _PLAIN:
            return _PLAIN[plain]
        case ["cancel", episode]:
            return CancelEpisode(episode=episode)
        case ["requeue", episode]:
            return RequeueEpisode(episode=episode)
        case ["set", assignment]:
            return ChangeSettings(settings=_number(assignment))
        case ["budget", _, *_]:
            given = _assigned("budget", words[1:], _BUDGETS)
            return ChangeSettings(settings={f"limits.budget_{key}": value for key, value in given.items()})
        case ["limits", _, *_]:
            given = _assigned("limits", words[1:], _RATES)
            return ChangeSettings(settings={f"limits.{key}": value for key, value in given.items()})
        case ["pace", model, _, *_]:
            return SetPace(model=model, limits=_assigned("pace", words[2:], _RATES))
        case _:
            raise UsageError(f"ctl: expected {_COMMANDS}, got {' '.join(words)!r}")


def _number(assignment: str) -> dict[str, float | int | None]:
    setting, _, value = assignment.partition("=")
    is_number = value.isascii() and value.isdigit() and len(value) < 10 and int(value)
    if setting not in ("concurrency", "hosts") or not is_number:
        raise UsageError(f"ctl: set: expected concurrency=N or hosts=N with N >= 1, got {assignment!r}")
    return {f"runtime.{setting}": int(value)}


def _assigned(command: str, words: Sequence[str], keys: Sequence[str]) -> dict[str, float | int | None]:
    """The values by key; `none` is None."""
    found: dict[str, float | int | None] = {}
    for word in words:
        key, _, text = word.partition("=")
        value: object = None if text == "none" else parse_value(text, f"ctl {command}")
        if key not in keys or isinstance(value, bool) or not (value is None or isinstance(value, int | float)):
            expected = " or ".join(f"{each}=N" for each in keys)
            raise UsageError(f"ctl: {command}: expected {expected}, or none for N, got {word!r}")
        found[key] = value
    return found


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
    lost = f"; lost: {', '.join(status.lost)}" if status.lost else ""
    live = status.hosts_text or f"{len(status.hosts)} live"
    yield f"hosts: {live}{': ' if status.hosts else ''}{', '.join(status.hosts)}{lost}"
    for begun in status.running[:_SHOWN]:
        yield f"  {begun.episode} on {begun.host} for {begun.seconds:.0f} s"
    if len(status.running) > _SHOWN:
        yield f"  and {len(status.running) - _SHOWN} more"
