"""Groups of attempts at one task in one world, as they end."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quintet.api.runs import MEMORY, MethodLike, WorldLike, open_run, reopen_run
from quintet.config.methods import whole_name
from quintet.config.objects import take_objects
from quintet.config.resolve import as_tables, resolve
from quintet.config.settings import flatten, from_argument, from_table
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.messages.paths import attempt_of
from quintet.plugins.brought import bringing
from quintet.rollouts.policy import TrainedPolicy
from quintet.runs.ends import is_result
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.training.calls import AnsweredCall, answered_calls
from quintet.training.groups import Group

if TYPE_CHECKING:
    from quintet.launch.evaluation import Evaluation
    from quintet.runtime.incarnation import Planned

_log = logging.getLogger("quintet.rollouts")


@dataclass(frozen=True)
class Rollout:
    """An attempt that ended by its method."""

    end: EpisodeEnded
    calls: tuple[AnsweredCall, ...]
    """Those that were answered by text, each with its whole prompt; `event.completion.tokens` are its tokens."""

    @property
    def reward(self) -> float:
        """In [0, 1]."""
        return self.end.reward


@dataclass(frozen=True)
class RolloutGroup:
    """The attempts at one task in one world."""

    name: str
    """`TASK/NUMBER`: the same after a restart."""
    task: str
    rollouts: tuple[Rollout, ...]
    """At least one; without those that ended by a fault."""
    staleness: int
    """How many versions of the weights its oldest call is behind those that answered when the group was handed out."""

    @property
    def rewards(self) -> tuple[float, ...]:
        """Of its rollouts, in their order."""
        return tuple(each.reward for each in self.rollouts)

    @property
    def advantages(self) -> tuple[float, ...]:
        """Of each over the group, as the column `advantage` of an export."""
        group = Group.of(self.rewards)
        return tuple(map(group.advantage, self.rewards))


async def rollouts(
    method: MethodLike,
    environment: WorldLike,
    *,
    model: TrainedPolicy,
    tasks: int | Sequence[str] | None = None,
    group: int = 8,
    rounds: int = 1,
    in_flight: int = 4,
    max_staleness: int | None = None,
    journal: Path | str = MEMORY,
    done: Collection[str] = (),
    settings: Mapping[str, Any] | None = None,
) -> AsyncGenerator[RolloutGroup, None]:
    """Play tasks in groups of attempts, and hand out each group when its last attempt has ended.

    No group begins while `in_flight` of them are under way or not taken yet, so a slow trainer slows the play. Leaving
    early ends what runs; wrap it in `contextlib.aclosing` so that it is ended at once. Do not block the event loop
    while you train: `await asyncio.to_thread(step)`.

    Args:
        method: as in `quintet.api.open_run`, and `environment` and `tasks` likewise.
        model: the policy. Change its weights in `async with model.update()`.
        group: attempts at a task in one world, at least 1.
        rounds: how often all tasks are played, each time in other worlds.
        in_flight: groups, at least 1.
        max_staleness: versions of the weights, at least 0. A group with a call that is more of them behind is dropped,
            and said so in the log. None: none is; `RolloutGroup.staleness` says how far it is behind.
        journal: the run folder; one that a killed trainer left is resumed, and no call that it has is made again. One
            of another method, environment, tasks or numbers is refused.
        done: names of groups, `TASK/NUMBER`, that the trainer's checkpoint was trained on: they are not handed out
            again.
        settings: more settings, as in `open_run`; a resumed run has its own. It runs in this process, as the policy.

    Raises:
        UsageError: a name, a number, a setting or the folder is wrong.
        ActorCrashed: an attempt ended by a bug.
        Suspension: the run cannot go on: its endpoint is away, its budget is spent. It can be resumed.
    """
    for name, number in (("group", group), ("rounds", rounds), ("in_flight", in_flight)):
        if number < 1:
            raise UsageError(f"rollouts: {name}: expected >= 1, got {number}")
    if max_staleness is not None and max_staleness < 0:
        raise UsageError(f"rollouts: max_staleness: expected >= 0 or None, got {max_staleness}")
    numbers = {"run.epochs": rounds * group, "run.group": group}
    at_once = {"runtime.concurrency": in_flight * group}
    ours = {**numbers, **at_once, "runtime.kind": "local"}
    for key, setting in from_argument(settings, "rollouts").items():
        if setting.value != ours.get(key, setting.value):
            raise UsageError(f"rollouts: settings: {key}: expected {ours[key]}, got {setting.value}")
    given = {**(settings or {}), **ours}
    async with AsyncExitStack() as stack:
        if journal != MEMORY and (Path(journal) / RUN_RECORD).is_file():
            brought = [each for each in (model, method, environment) if not isinstance(each, str)]
            run = await stack.enter_async_context(reopen_run(journal, settings=at_once, objects=brought))
            named = {"method.name": method, "environment.name": environment, "run.tasks": tasks}
            _refuse_other_run(run.record, journal, {**named, **numbers})
        else:
            opened = open_run(method, environment, model=model, tasks=tasks, journal=journal, settings=given)
            run = await stack.enter_async_context(opened)
        await stack.enter_async_context(model.asked_by(run))
        groups = list(_groups(run, group))
        if unknown := sorted(frozenset(done).difference(each.name for each in groups)):
            raise UsageError(f"rollouts: done: expected names of groups, such as {groups[0].name}, got {unknown[0]}")
        waiting = iter([each for each in groups if each.name not in done])
        playing = list[asyncio.Task[tuple[_Waiting, tuple[Rollout, ...]]]]()
        stack.push_async_callback(_end, playing)
        while True:
            while len(playing) < in_flight and (each := next(waiting, None)) is not None:
                playing.append(asyncio.create_task(_play(run, each)))
            if not playing:
                return
            await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            played = next(each for each in playing if each.done())
            playing.remove(played)
            begun, found = played.result()
            staleness = _staleness(begun.name, found, model.weights_version)
            if not found:
                _log.warning("%s: dropped: every attempt ended by a fault", begun.name)
            elif max_staleness is not None and staleness > max_staleness:
                _log.warning("%s: dropped: %d versions of the weights behind", begun.name, staleness)
            else:
                yield RolloutGroup(begun.name, begun.task, found, staleness)


def _refuse_other_run(record: RunRecord, folder: Path | str, given: Mapping[str, Any]) -> None:
    """Refuse to resume a run that was begun with other settings than these."""
    layers, objects = take_objects([from_table(given, "rollouts")])
    with bringing(objects):
        asked = resolve(layers)
    wanted, recorded = (dict(flatten(as_tables(each))) for each in (asked.config, record.configuration))
    wanted["method.name"], recorded["method.name"] = whole_name([each.method for each in asked.methods]), record.method
    for key in layers[0]:
        if (expected := recorded.get(key)) != wanted[key]:
            resumed = f"expected {expected}, as the run to resume has it, got {wanted[key]}"
            raise UsageError(f"rollouts: {key}: {resumed} ({Path(folder) / RUN_RECORD})")


class _Waiting(NamedTuple):
    """A group before it is handed out."""

    name: str
    task: str
    epochs: Sequence[int]
    left: Sequence["Planned"]
    """The attempts that have not ended."""


def _groups(run: "Evaluation", size: int) -> Iterator[_Waiting]:
    """The groups in the order of the rounds."""
    left = {attempt_of(planned.path)[:2]: planned for planned in run.left()}
    record = run.record
    for number in range(record.configuration.run.epochs // size):
        epochs = range(number * size, (number + 1) * size)
        for task in record.tasks:
            mine = [left[key] for epoch in epochs if (key := (task.name, epoch)) in left]
            yield _Waiting(f"{task.name}/{number}", task.name, epochs, mine)


async def _play(run: "Evaluation", group: _Waiting) -> tuple[_Waiting, tuple[Rollout, ...]]:
    """Play what is left of a group, and read all of it."""
    if group.left:
        async with aclosing(run.run(group.left)) as ends:
            async for _ in ends:
                pass
    return group, tuple(_read(run, group))


def _read(run: "Evaluation", group: _Waiting) -> Iterator[Rollout]:
    for epoch in group.epochs:
        records = run.recorded(group.task, epoch)
        for record in records:
            if isinstance(record.event, EpisodeEnded) and is_result(record.event):
                yield Rollout(record.event, tuple(answered_calls(records)))


def _staleness(name: str, found: Sequence[Rollout], now: int) -> int:
    """How many versions of the weights a group's oldest call is behind; a `UsageError` if one is ahead."""
    weights = (call.event.completion.weights_version for rollout in found for call in rollout.calls)
    versions = [each for each in weights if each is not None] or [now]
    if max(versions) > now:
        raise UsageError(
            f"rollouts: model.weights_version: expected >= {max(versions)}, as answered in {name}, got {now}"
        )
    return now - min(versions)


async def _end(playing: Collection["asyncio.Task[Any]"]) -> None:
    for each in playing:
        each.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
