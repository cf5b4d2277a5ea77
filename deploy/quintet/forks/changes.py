"""What a fork changes, and the place in a recorded episode where an episode goes on with that."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from quintet.config.settings import METHOD_NAME, Settings, quote
from quintet.errors import UsageError
from quintet.events import StepTaken
from quintet.forks.places import ForkPlace, NoSuchPlace, RecordedEpisode
from quintet.forks.recorded_settings import newest
from quintet.journal.codes import STATES
from quintet.journal.reader import EventPlace
from quintet.messages.paths import Path
from quintet.runs.fork_record import RecordedState

_NOT_SHOWN: Final = ("limits.", "runtime.", "run.sampling_seed", "run.keep_going", "model.")
"""Settings that change no prompt, but for those below."""
_SHOWN: Final = ("answers", "examples")
"""Settings of models that change prompts."""
_RECORDED: Final = ("environment.", "run.", "learning.", "runtime.shards")
"""Settings that a fork has from the recorded run, beside the names of its methods; but for those below."""
_OTHER_SETTINGS: Final = ("run.keep_going", "run.sampling_seed")


@dataclass(frozen=True)
class Changes:
    """What is different in a fork, from the place on where its episodes go on."""

    settings: Sequence[Settings] = ()
    """Later layers override earlier ones, and those of the recorded run."""
    say: str | None = None
    """The completion at the place, in place of the recorded one."""
    act: str | None = None
    """The action of the step at the place, in place of the recorded one in the completion that chose it."""
    observe: str | None = None
    """What the step at the place is said to be answered by."""
    note: str = ""
    """Shown to the executor beside the task."""

    def __post_init__(self) -> None:
        given = [name for name in ("say", "act", "observe") if getattr(self, name) is not None]
        if len(given) > 1:
            raise UsageError(f"--{given[1]}: expected one of --say, --act and --observe, got --{given[0]} too")
        for key, setting in ((key, each) for layer in self.settings for key, each in layer.items()):
            recorded = key.startswith(_RECORDED) or METHOD_NAME.fullmatch(key)
            if recorded and key not in _OTHER_SETTINGS:
                expected = "expected the recorded run's, since its episodes are to be repeated up to the place"
                raise UsageError(f"{key}: {expected}, got {quote(key, setting.value)} ({setting.where})")

    @property
    def keys(self) -> list[str]:
        """The settings that it changes."""
        return list(dict.fromkeys(key for layer in self.settings for key in layer))

    @property
    def compares(self) -> bool:
        """Whether prompts before the place stay as they were recorded."""
        shown = [key for key in self.keys if not key.startswith(_NOT_SHOWN) or key.rpartition(".")[2] in _SHOWN]
        return not shown and not self.note

    def words(self) -> tuple[str, ...]:
        """What changes, for people."""
        changed = newest(self.settings)
        said = {"say": self.say, "act": self.act, "observe": self.observe, "note": self.note or None}
        return (
            *(f"{name} {text!r}" for name, text in said.items() if text is not None),
            *(f"{key} = {value}" for key, value in changed.items() if not key.startswith(("limits.", "runtime."))),
        )


class ForkOrigin(NamedTuple):
    """A recorded attempt, and where an episode goes on from it."""

    episode: Path
    recorded: int
    """When it began, in milliseconds since the Unix epoch."""
    place: ForkPlace
    said: str | None = None
    """In place of the last copied completion."""
    observed: str | None = None
    state: RecordedState = "unfinished"
    """Of the attempt, as the reward."""
    reward: float = 0.0


def find_origin(recorded: RecordedEpisode, at: str, changes: Changes) -> ForkOrigin:
    """Where and how an episode goes on from a recorded one.

    Raises:
        NoSuchPlace: the episode has no such place, or nothing there that the changes concern.
        UsageError: no episode could go on from there with these changes.
    """
    place, row = recorded.find(at), recorded.row
    origin = ForkOrigin(
        row.path,
        row.began,
        place,
        observed=changes.observe,
        state="unfinished" if row.state is None else STATES[row.state],
        reward=row.reward or 0.0,
    )
    if changes.say is not None:
        return origin._replace(place=_behind(_said_call(recorded, place)), said=changes.say)
    if (changes.act is not None or changes.observe is not None) and place.kind != StepTaken.kind:
        flag = "--act" if changes.act is not None else "--observe"
        raise UsageError(f"{flag}: expected --at to name a step, such as step:3, got {at!r}")
    if changes.act is None:
        return origin
    action = recorded.action(place)
    for call in recorded.calls_before(place):
        said = with_action(recorded.completion(call.path), action, changes.act)
        if said is not None:
            return origin._replace(place=_behind(call), said=said)
    raise NoSuchPlace(f"--act: expected a call before {place.at} of {row.path} that says {action!r}, got none")


def with_action(completion: str, action: str, act: str) -> str | None:
    """A completion with another action, also where it is a text in JSON; None if it does not have the action."""
    for ascii_only in (False, True):
        quoted = json.dumps(action, ensure_ascii=ascii_only)
        before, found, after = completion.rpartition(quoted)
        if found:
            return f"{before}{json.dumps(act, ensure_ascii=ascii_only)}{after}"
    if not action or action not in completion:
        return None
    before, _, after = completion.rpartition(action)
    return f"{before}{act}{after}"


def _said_call(recorded: RecordedEpisode, place: ForkPlace) -> EventPlace:
    """The call that a completion is said at: the one that decided a step, or the first at or after the place."""
    decided = next(recorded.calls_before(place), None) if place.kind == StepTaken.kind else recorded.first_call(place)
    if decided is None:
        where = f"before {place.at}" if place.kind == StepTaken.kind else f"at or after {place.at or 'the start'}"
        raise NoSuchPlace(f"--say: expected a call {where} of {recorded.row.path}, got none")
    return decided


def _behind(call: EventPlace) -> ForkPlace:
    """The place behind a call, which is copied."""
    return ForkPlace(call.id + 1, call.path, call.kind)
