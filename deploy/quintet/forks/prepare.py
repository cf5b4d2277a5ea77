"""Prepares a fork: a run whose episodes go on from recorded ones, with something changed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from quintet.config.objects import bring, take_objects
from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import UsageError
from quintet.forks.changes import Changes, ForkOrigin, find_origin
from quintet.forks.places import NoSuchPlace, recorded_episodes
from quintet.forks.recorded_settings import newest, recorded_plan, recorded_settings, recorded_start
from quintet.launch.prepare import Prepared, make_learner, prepare_named
from quintet.launch.versions import find_recorded
from quintet.messages.paths import attempt_of
from quintet.methods.base.method import LearnerSpec
from quintet.plugins.brought import bringing
from quintet.ports.world import World
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.chosen_episodes import choose_episode, choose_episodes, refuse_both
from quintet.runs.folder import read_changes, settings_of
from quintet.runs.fork_record import MOST_DRAWS, ContinuedEpisode, ForkRecord
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder


class ForkPlan(NamedTuple):
    """A fork that can start."""

    run: Prepared
    left_out: int
    """How many recorded episodes have no such place."""
    times: int
    """How many continuations each recorded episode has."""

    @property
    def notes(self) -> list[str]:
        """What a person should know before it starts."""
        found: list[str] = []
        if self.left_out:
            found.append(f"left out, since they have no such place: {self.left_out} of the recorded episodes")
        sampling = (method.sampling.get(EXECUTOR_ROLE.name) for method in self.run.spec.methods)
        if self.times > 1 and any(each is not None and each.temperature == 0 for each in sampling):
            found.append("the executor's temperature is 0, so the continuations of an episode may be the same")
        return found


def plan_fork(
    run: RunFolder,
    at: str,
    changes: Changes,
    *,
    episode: str | None = None,
    where: str = "",
    times: int | None = None,
    objects: Sequence[object] = (),
) -> ForkPlan:
    """Prepare a fork of one recorded episode, or of all that meet a condition.

    Args:
        run: the recorded run.
        at: the place; see `RecordedEpisode.find`.
        episode: the path of one, or a prefix that no other shares; None: all with a result that meet `where`.
        where: see `choose_episodes`.
        times: continuations of each recorded episode, with other draws; None: one, with the recorded seeds.
        objects: those that the recorded run was given from Python.

    Raises:
        UsageError: there is nothing to go on from, the world cannot be brought there, or as `prepare_fork`.
    """
    refuse_both(episode, where)
    if times is not None and not 1 <= times <= MOST_DRAWS:
        raise UsageError(f"--times: expected 1 to {MOST_DRAWS:,}, got {times}")
    chosen = choose_episodes(run, where) if episode is None else [choose_episode(run, episode)]
    origins: list[ForkOrigin] = []
    lacking: NoSuchPlace | None = None
    left_out = 0
    with recorded_episodes(run, (row.path for row in chosen)) as found:
        for recorded in found:
            try:
                origins.append(find_origin(recorded, at, changes))
            except NoSuchPlace as error:
                left_out, lacking = left_out + 1, lacking or error
    if not origins and lacking is not None:
        others = f"; nor has any of {left_out - 1} others such a place" if left_out > 1 else ""
        raise UsageError(f"{lacking}{others} ({run.path})")
    draws = (0,) if times is None else range(1, times + 1)
    prepared = prepare_fork(run, at, origins, changes, draws, objects)
    return ForkPlan(prepared, left_out, len(draws))


def prepare_fork(
    run: RunFolder,
    at: str,
    origins: Iterable[ForkOrigin],
    changes: Changes,
    draws: Iterable[int] = (0,),
    objects: Sequence[object] = (),
) -> Prepared:
    """Prepare a run whose episodes go on from those of another one.

    Args:
        run: the recorded run.
        at: the place, as a person named it.
        origins: one for each recorded attempt and place, of one version if the run learnt.
        draws: of the calls; each makes a continuation of each origin. 0: the seeds of the recorded run.
        objects: those that the recorded run was given from Python.

    Raises:
        UsageError: there is nothing to go on from, the settings do not fit, or the world cannot be brought there; as
            `prepare`.
    """
    record, draws, chosen = run.record, tuple(draws), tuple(origins)
    if record.imported is not None and record.imported.foreign:
        raise UsageError(f"fork: expected a run of a method of ours, got one that other tools wrote ({run.path})")
    numbers = Counter(attempt_of(each.episode).task for each in chosen for _ in draws)
    if not numbers:
        raise UsageError(f"fork: expected an episode to go on from, got none ({run.path})")
    version = _version(run, chosen) if record.learns else 0
    taken, brought = take_objects(changes.settings)
    code = list(find_recorded(record.code, objects, run.path))
    bring(brought, code)
    with bringing(code):
        settings = recorded_settings(run, numbers, version, newest(taken))
    layers = [settings, settings_of(read_changes(run.path), run.path), *taken]
    prepared = prepare_named(layers, code, empty_memory=record.learns)
    _refuse_other_rules(record, prepared.record, run)
    _refuse_without_way_there(prepared)
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


def _version(run: RunFolder, origins: Iterable[ForkOrigin]) -> int:
    """The version of what the run learnt that all its episodes were given."""
    versions = {attempt_of(each.episode).epoch for each in origins}
    if len(versions) > 1:
        expected = "expected episodes of one version of what the run learnt, such as --where 'epoch = 1'"
        got = ", ".join(map(str, sorted(versions)))
        raise UsageError(f"fork: {expected}, got those of versions {got} ({run.path})")
    return versions.pop()


def _continuations(
    record: RunRecord, learner: LearnerSpec[Any] | None, origins: Iterable[ForkOrigin], draws: Sequence[int]
) -> Iterator[ContinuedEpisode]:
    numbers: Counter[str] = Counter()
    for each in origins:
        task, _, _ = attempt_of(each.episode)
        start = recorded_start(record, learner, each.episode)
        for draw in draws:
            yield ContinuedEpisode(
                task=task,
                epoch=numbers[task],
                of=each.episode,
                recorded=each.recorded,
                at=each.place.at,
                before=each.place.before,
                draw=draw,
                said=each.said,
                start=start.continued(draw, {} if each.observed is None else {each.place.at: each.observed}),
                state=each.state,
                reward=each.reward,
            )
            numbers[task] += 1


def _refuse_other_rules(recorded: RunRecord, now: RunRecord, run: RunFolder) -> None:
    """Refuse another version of the world or of a method: what was recorded would not repeat."""
    before = {recorded.configuration.environment.name: recorded.world_version, **recorded.method_versions}
    for name, version in {now.configuration.environment.name: now.world_version, **now.method_versions}.items():
        if before.get(name) != version:
            raise UsageError(f"{name}: expected version {before.get(name)}, as recorded, got {version} ({run.path})")


def _refuse_without_way_there(prepared: Prepared) -> None:
    """Refuse a world that neither repeats nor can be reset: the recorded steps would lead elsewhere."""
    world = prepared.spec.world
    if not world.repeats and not overrides(beneath(world), World, "reset"):
        expected = "expected a world that answers the same actions alike, or can be reset to its beginning"
        raise UsageError(f"fork: {expected}, got {world.name}, which keeps what is done to it")
