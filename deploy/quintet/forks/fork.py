"""Prepares a fork: a run whose episodes go on from recorded ones, with something changed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from quintet.config.resolve import as_tables
from quintet.config.settings import Settings, from_table
from quintet.errors import UsageError
from quintet.events import CallMade, StepTaken
from quintet.forks.places import ForkPlace, RecordedEpisode
from quintet.launch.prepare import Prepared, prepare_named
from quintet.launch.versions import find_recorded
from quintet.messages.paths import Path, attempt_of
from quintet.runs.fork_record import Continued, ForkRecord
from quintet.runs.run_folder import RunFolder

_NOT_SHOWN: Final = ("limits.", "runtime.", "run.sampling_seed", "model.")
"""Settings that change no prompt, but for those below."""
_SHOWN: Final = ("answers", "examples")
"""Settings of models that change prompts."""


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
        said = {"say": self.say, "act": self.act, "observe": self.observe, "note": self.note or None}
        newest = {key: each.value for layer in self.settings for key, each in layer.items()}
        return (
            *(f"{name} {text!r}" for name, text in said.items() if text is not None),
            *(f"{key} = {value}" for key, value in newest.items() if not key.startswith(("limits.", "runtime."))),
        )


class Branching(NamedTuple):
    """A recorded attempt, and where an episode goes on from it."""

    episode: Path
    place: ForkPlace
    said: str | None = None
    """In place of the last copied completion."""
    observed: str | None = None


def branch(recorded: RecordedEpisode, at: str, changes: Changes) -> Branching:
    """Where and how an episode goes on from a recorded one.

    Raises:
        UsageError: there is no such place, or nothing there that the changes concern.
    """
    place, episode = recorded.find(at), recorded.row.path
    if changes.say is not None:
        call = place if place.kind == CallMade.kind else _as_place(recorded, place)
        return Branching(episode, call._replace(before=call.before + 1), said=changes.say)
    if (changes.act is not None or changes.observe is not None) and place.kind != StepTaken.kind:
        flag = "--act" if changes.act is not None else "--observe"
        raise UsageError(f"{flag}: expected --at to name a step, such as step:3, got {at!r}")
    if changes.act is not None:
        action = recorded.action(place)
        call_event = recorded.deciding_call(place, action)
        before, _, after = recorded.completion(call_event.path).rpartition(action)
        text = f"{before}{changes.act}{after}"
        return Branching(episode, ForkPlace(call_event.id + 1, call_event.path, CallMade.kind), said=text)
    return Branching(episode, place, observed=changes.observe)


def _as_place(recorded: RecordedEpisode, place: ForkPlace) -> ForkPlace:
    """The call that a completion is said at: the one that decided a step, or the first at or after the place."""
    if place.kind == StepTaken.kind:
        event = recorded.deciding_call(place, None)
    else:
        later = (each for each in recorded.events if each.id >= place.before and each.kind == CallMade.kind)
        found = next(later, None)
        if found is None:
            raise UsageError(f"--say: expected a call at or after {place.at} of {recorded.row.path}, got none")
        event = found
    return ForkPlace(event.id, event.path, event.kind)


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
    record, draws = run.record, tuple(draws)
    numbers: Counter[str] = Counter()
    episodes: list[Continued] = []
    versions: set[int] = set()
    for each in branchings:
        task, epoch, _ = attempt_of(each.episode)
        versions.add(epoch)
        for draw in draws:
            episodes.append(
                Continued(
                    task=task,
                    epoch=numbers[task],
                    of=each.episode,
                    at=each.place.at,
                    before=each.place.before,
                    draw=draw,
                    said=each.said,
                    observed=each.observed,
                )
            )
            numbers[task] += 1
    if not episodes:
        raise UsageError(f"fork: expected an episode to go on from, got none ({run.path})")
    version = 0
    if record.learns:
        if len(versions) > 1:
            got = ", ".join(map(str, sorted(versions)))
            raise UsageError(f"fork: expected episodes of one version of what the run learnt, got those of {got}")
        (version,) = versions
    layers = [from_table(_tables(run, numbers, version), str(run.path)), *changes.settings]
    prepared = prepare_named(layers, find_recorded(record.code, objects, run.path))
    memory = any(key.startswith("memory.") for key in changes.keys)
    fork = ForkRecord(
        run=run.path.absolute(),
        at=at,
        episodes=tuple(episodes),
        changes=changes.words(),
        note=changes.note,
        compares=changes.compares,
        recalls=memory or record.learns,
    )
    plan = prepared.record.plan if "method.plan" in changes.keys else _plan(run, version)
    return replace(prepared, record=prepared.record.model_copy(update={"fork": fork, "plan": plan}))


def _tables(run: RunFolder, numbers: Mapping[str, int], version: int) -> dict[str, object]:
    """The recorded configuration, for the continuations of so many of each task."""
    tables = as_tables(run.record.configuration)
    tables.pop("learning", None)
    tables["method"].pop("plan", None)
    kept = {name: tables["run"][name] for name in ("split", "seed", "sampling_seed", "keep_going")}
    tables["run"] = {**kept, "tasks": list(numbers), "epochs": max(numbers.values())}
    tables["runtime"]["shards"] = 1
    if run.record.memory is not None or (run.record.learns and run.record.learnt != "plan"):
        tables.setdefault("memory", {})["source"] = f"{run.memory.parent.absolute()}@{version}"
    return tables


def _plan(run: RunFolder, version: int) -> str:
    """The plan that the recorded episodes followed."""
    if not run.record.learns or run.record.learnt != "plan":
        return run.record.plan
    with run.read_journals() as found:
        contents = (each.reader.version(version) for each in found.journals)
        return next((content for content in contents if content is not None), "")
