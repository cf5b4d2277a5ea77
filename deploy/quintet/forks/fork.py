"""Prepares a fork: a run whose episodes go on from recorded ones, with something changed."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from quintet.config.objects import bring, take_objects
from quintet.config.settings import METHOD_NAME, Settings, quote
from quintet.errors import UsageError
from quintet.events import StepTaken
from quintet.forks.places import ForkPlace, NoSuchPlace, RecordedEpisode
from quintet.forks.recorded_settings import newest, recorded_beginning, recorded_plan, recorded_settings
from quintet.journal.codes import STATES
from quintet.journal.reader import EventPlace
from quintet.launch.prepare import Prepared, make_learner, prepare_named
from quintet.launch.versions import find_recorded
from quintet.messages.paths import Path, attempt_of
from quintet.methods.base.method import LearnerSpec
from quintet.plugins.brought import bringing
from quintet.runs.folder import read_changes, settings_of
from quintet.runs.fork_record import Continued, ForkRecord, RecordedState
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder

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


class Branching(NamedTuple):
    """A recorded attempt, and where an episode goes on from it."""

    episode: Path
    place: ForkPlace
    said: str | None = None
    """In place of the last copied completion."""
    observed: str | None = None
    state: RecordedState = "unfinished"
    """Of the attempt, as the reward."""
    reward: float = 0.0


def branch(recorded: RecordedEpisode, at: str, changes: Changes) -> Branching:
    """Where and how an episode goes on from a recorded one.

    Raises:
        NoSuchPlace: the episode has no such place, or nothing there that the changes concern.
        UsageError: no episode could go on from there with these changes.
    """
    place, row = recorded.find(at), recorded.row
    begun = Branching(
        row.path,
        place,
        observed=changes.observe,
        state="unfinished" if row.state is None else STATES[row.state],
        reward=row.reward or 0.0,
    )
    if changes.say is not None:
        return begun._replace(place=_behind(_said_call(recorded, place)), said=changes.say)
    if (changes.act is not None or changes.observe is not None) and place.kind != StepTaken.kind:
        flag = "--act" if changes.act is not None else "--observe"
        raise UsageError(f"{flag}: expected --at to name a step, such as step:3, got {at!r}")
    if changes.act is None:
        return begun
    action = recorded.action(place)
    for call in recorded.calls_before(place):
        said = with_action(recorded.completion(call.path), action, changes.act)
        if said is not None:
            return begun._replace(place=_behind(call), said=said)
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


def prepare_fork(
    run: RunFolder,
    at: str,
    branchings: Iterable[Branching],
    changes: Changes,
    draws: Iterable[int] = (0,),
    objects: Sequence[object] = (),
) -> Prepared:
    """Prepare a run whose episodes go on from those of another one.

    Args:
        run: the recorded run.
        at: the place, as a person named it.
        branchings: one for each recorded attempt and place, of one version if the run learnt.
        draws: of the calls; each makes a continuation of each branching. 0: the seeds of the recorded run.
        objects: those that the recorded run was given from Python.

    Raises:
        UsageError: there is nothing to go on from, or the settings do not fit; as `prepare`.
    """
    record, draws, chosen = run.record, tuple(draws), tuple(branchings)
    numbers = Counter(attempt_of(each.episode).task for each in chosen for _ in draws)
    if not numbers:
        raise UsageError(f"fork: expected an episode to go on from, got none ({run.path})")
    version = _version(run, chosen) if record.learns else 0
    taken, brought = take_objects(changes.settings)
    code = list(find_recorded(record.code, objects, run.path))
    bring(brought, code)
    with bringing(code):
        begun = recorded_settings(run, numbers, version, newest(taken))
    settings = [begun, settings_of(read_changes(run.path), run.path), *taken]
    prepared = prepare_named(settings, code, empty_memory=record.learns)
    _refuse_other_rules(record, prepared.record, run)
    learner = make_learner(record.configuration, prepared.resolved.methods[0].method)
    fork = ForkRecord(
        run=run.path.absolute(),
        created=record.created,
        at=at,
        episodes=tuple(_continuations(record, learner, chosen, draws)),
        changes=changes.words(),
        note="\n\n".join(filter(None, ["" if record.fork is None else record.fork.note, changes.note])),
        compares=changes.compares and (record.fork is None or record.fork.compares),
        recalls=record.learns or any(key.startswith("memory.") for key in changes.keys),
    )
    plan = prepared.record.plan if "method.plan" in changes.keys else recorded_plan(run, version)
    return replace(prepared, record=prepared.record.model_copy(update={"fork": fork, "plan": plan}))


def _version(run: RunFolder, branchings: Iterable[Branching]) -> int:
    """The version of what the run learnt that all its episodes were given."""
    versions = {attempt_of(each.episode).epoch for each in branchings}
    if len(versions) > 1:
        expected = "expected episodes of one version of what the run learnt, such as --where 'epoch = 1'"
        got = ", ".join(map(str, sorted(versions)))
        raise UsageError(f"fork: {expected}, got those of versions {got} ({run.path})")
    return versions.pop()


def _continuations(
    record: RunRecord, learner: LearnerSpec[Any] | None, branchings: Iterable[Branching], draws: Sequence[int]
) -> Iterator[Continued]:
    numbers: Counter[str] = Counter()
    for each in branchings:
        task, _, _ = attempt_of(each.episode)
        begun = recorded_beginning(record, learner, each.episode)
        for draw in draws:
            yield Continued(
                task=task,
                epoch=numbers[task],
                of=each.episode,
                at=each.place.at,
                before=each.place.before,
                draw=draw,
                said=each.said,
                begun=begun.continued(draw, {} if each.observed is None else {each.place.at: each.observed}),
                state=each.state,
                reward=each.reward,
            )
            numbers[task] += 1


def _refuse_other_rules(recorded: RunRecord, now: RunRecord, run: RunFolder) -> None:
    """Refuse another version of the world or of a method: what was recorded would not repeat."""
    begun = {recorded.configuration.environment.name: recorded.world_version, **recorded.method_versions}
    for name, version in {now.configuration.environment.name: now.world_version, **now.method_versions}.items():
        if begun.get(name) != version:
            raise UsageError(f"{name}: expected version {begun.get(name)}, as recorded, got {version} ({run.path})")
