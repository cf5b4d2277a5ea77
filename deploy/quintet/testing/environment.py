"""What every environment holds to."""

from collections.abc import Sequence

from msgspec import Struct

from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.messages.paths import episode_path
from quintet.ports.world import Opening, Outcome, WorldState
from quintet.testing.clauses import Broken, Clause, Skipped, refused, require, same, shown, typed
from quintet.testing.environment_cases import EnvironmentCase
from quintet.testing.malformed_actions import LONE_SURROGATE, ODD
from quintet.testing.named import Named
from quintet.testing.subprocesses import in_subprocess

_DAMAGED_PLACES = 300
"""Bytes of a snapshot that are damaged, one at a time; of a longer one these many, spread over it."""


def it_has_its_name_a_version_and_splits(visit: EnvironmentCase) -> None:
    world = visit.world()
    same("name", visit.named.name, world.name)
    typed("a version", str, world.version)
    require(world.version.strip(), "a version", shown(world.version))
    typed("splits", tuple[str, ...], world.splits)
    require(world.splits, "at least one split", "none")
    require(len(set(world.splits)) == len(world.splits), "every split once", world.splits)


def tasks_are_distinct_and_every_split_can_be_opened(visit: EnvironmentCase) -> None:
    world = visit.world()
    require(world.tasks(world.splits[0]), f"tasks in the first split, {world.splits[0]!r}", "none")
    for split in world.splits:
        tasks = world.tasks(split)
        require(len(set(tasks)) == len(tasks), f"every task of split {split!r} once", tasks)
        for name in (*tasks[:1], *tasks[-1:]):
            opening = world.open(Task(name=name, seed=0)).opening
            require(opening.observation, f"an observation as task {name!r} opens", opening)


def tasks_have_names_that_can_stand_in_a_path(visit: EnvironmentCase) -> None:
    world = visit.world()
    for name in (name for split in world.splits for name in world.tasks(split)):
        try:
            episode_path(name, 0, 0)
        except ValueError as error:
            raise Broken("task names that can stand in a path", str(error)) from error


def metadata_has_the_same_keys_for_every_task(visit: EnvironmentCase) -> None:
    world = visit.world()
    expected = tuple(world.metadata(world.tasks(world.splits[0])[0]))
    for name in (name for split in world.splits for name in world.tasks(split)):
        metadata = world.metadata(name)
        typed(f"metadata of task {name!r}", dict[str, str], dict(metadata))
        same(f"the keys of the metadata of task {name!r}", expected, tuple(metadata))


def an_unknown_split_is_a_usage_error_naming_those_there_are(visit: EnvironmentCase) -> None:
    world = visit.world()
    refused(UsageError, lambda: world.tasks("no such split"), naming=world.splits[0])


def an_unknown_task_is_a_usage_error_naming_the_nearest(visit: EnvironmentCase) -> None:
    world = visit.world()
    mistyped = Task(name=f"{visit.task.name}#", seed=visit.task.seed)
    refused(UsageError, lambda: world.open(mistyped), naming=visit.task.name)
    refused(UsageError, lambda: world.metadata(mistyped.name), naming=visit.task.name)
    refused(UsageError, lambda: world.restore(mistyped, b""), naming=visit.task.name)


def the_opening_is_its_setting_and_its_goal_and_never_changes(visit: EnvironmentCase) -> None:
    state = visit.open()
    first = state.opening
    typed("an opening", Opening, first)
    require(first.observation.startswith(first.setting), "an observation that begins with the setting", first)
    require(first.goal.strip(), "a goal", first)
    require(first.goal in first.observation, "an observation that states the goal", first)
    require(first.goal not in first.setting, "a setting that does not state the goal", first)
    require(not first.goal.endswith((".", "!", "?")), "a goal without final punctuation", shown(first.goal))
    for action in visit.walk:
        _stepped(state, action)
        same(f"the opening after {action!r}", first, state.opening)
    same("the opening of a fork", first, state.fork().opening)


def the_walk_is_carried_out_and_solves_the_task(visit: EnvironmentCase) -> None:
    if not visit.solves:
        raise Skipped("no walk that solves a task was found; give one with --walk FILE, a JSON list of actions")
    state = visit.open()
    outcomes = [_stepped(state, action) for action in visit.walk]
    for action, outcome in zip(visit.walk, outcomes, strict=True):
        require(not outcome.rejected, f"{action!r} to be carried out", outcome)
    require(outcomes, "at least one action", "none")
    same("done, step by step,", [False] * (len(outcomes) - 1) + [True], [outcome.done for outcome in outcomes])
    same("the reward at the end", 1.0, outcomes[-1].reward)


def a_reward_never_falls_and_stays_when_the_task_is_done(visit: EnvironmentCase) -> None:
    state = visit.open()
    earned, done = 0.0, False
    for action in (*visit.walk, *_odd(visit), *visit.walk):
        outcome = _stepped(state, action)
        most = earned if done else 1.0
        require(earned <= outcome.reward <= most, f"a reward within [{earned}, {most}] for {shown(action)}", outcome)
        earned, done = outcome.reward, outcome.done


def a_done_state_accepts_no_action(visit: EnvironmentCase) -> None:
    state = visit.open()
    if not [_stepped(state, action).done for action in visit.walk][-1:] == [True]:
        raise Skipped("no walk that ends a task was found; give one with --walk FILE, a JSON list of actions")
    before = state.snapshot()
    for action in (*visit.walk, *_odd(visit)):
        outcome = _stepped(state, action)
        require(outcome.rejected and outcome.done, f"{shown(action)} to be rejected, since the task is done", outcome)
    same("the snapshot of a done state", before, state.snapshot())


def odd_actions_do_not_raise_and_the_walk_can_still_be_taken(visit: EnvironmentCase) -> None:
    state = visit.open()
    for action in _odd(visit):
        if _stepped(state.fork(), action).rejected:
            _stepped(state, action)
    same("the walk after odd actions", _walked(visit.open(), visit.walk), _walked(state, visit.walk))


def a_rejected_action_leaves_no_trace(visit: EnvironmentCase) -> None:
    state = visit.open()
    before, done = state.snapshot(), False
    for action in _odd(visit):
        outcome = _stepped(state, action)
        if outcome.rejected:
            same(f"the snapshot after {shown(action)} was rejected", before, state.snapshot())
            same(f"done after {shown(action)} was rejected", done, outcome.done)
        before, done = state.snapshot(), outcome.done


def admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done(visit: EnvironmentCase) -> None:
    state = visit.open()
    listed = _require_listed(state, "at the opening")
    for place, action in enumerate(visit.walk, start=1):
        outcomes = [_stepped(state.fork(), each) for each in listed]
        for each, outcome in zip(listed, outcomes, strict=True):
            require(not outcome.rejected, f"the admissible action {each!r} to be carried out", outcome)
        outcome = _stepped(state, action)
        # It need not be listed itself: a world may read one action in several forms.
        among = outcome.rejected or outcome in outcomes
        require(among, f"an admissible action that does what {action!r} does at step {place}", listed)
        listed = _require_listed(state, f"after {action!r}")
        require(not (outcome.done and listed), f"no admissible action after {action!r}, since the task is done", listed)


def an_experts_actions_solve_the_task(visit: EnvironmentCase) -> None:
    state = visit.open()
    _require_advice(state, "at the opening")
    if visit.walk:
        _stepped(state, visit.walk[0])
        _require_advice(state, f"after {visit.walk[0]!r}")


def the_same_task_gives_the_same_walk(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    same("a second visit", _journey(visit), _journey(visit))


def another_process_with_another_hash_seed_gives_the_same_walk(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    for hash_seed in (1, 2):
        there = in_subprocess(journey, _asked(visit), hash_seed=hash_seed)
        same(f"a visit in a process with hash seed {hash_seed}", _journey(visit), there)


def a_fork_goes_its_own_way(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    state = visit.open()
    outcomes = _walked(visit.open(), visit.walk)
    for place, action in enumerate(visit.walk):
        before = state.snapshot()
        fork = state.fork()
        same("the snapshot of a fork", before, fork.snapshot())
        same(f"a fork's walk from step {place + 1} on", outcomes[place:], _walked(fork, visit.walk[place:]))
        same(f"the snapshot before step {place + 1}, after its fork went on,", before, state.snapshot())
        other = state.fork()
        _stepped(state, action)
        same(f"a fork's snapshot, after {action!r} in its origin,", before, other.snapshot())


def a_snapshot_changes_nothing_and_goes_on_where_it_was_taken(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    world, state = visit.world(), visit.open()
    typed("a snapshot", bytes, state.snapshot())
    for place in range(len(visit.walk) + 1):
        restored = world.restore(visit.task, state.snapshot())
        same("the snapshot of what was restored", state.snapshot(), restored.snapshot())
        same("the opening of what was restored", state.opening, restored.opening)
        rest = visit.walk[place:]
        same(f"the walk from step {place + 1} on", _walked(state.fork(), rest), _walked(restored, rest))
        if rest:
            _stepped(state, rest[0])


def a_snapshot_is_restored_in_another_process(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    state = visit.open()
    half = len(visit.walk) // 2
    _walked(state, visit.walk[:half])
    asked = _asked(visit, visit.walk[half:], snapshot=state.snapshot())
    same("the walk after a restore in another process", go_on(asked), in_subprocess(go_on, asked))


def a_snapshot_is_what_a_replay_arrives_at(visit: EnvironmentCase) -> None:
    _require_walk(visit)
    world, state = visit.world(), visit.open()
    for place, action in enumerate(visit.walk, start=1):
        _stepped(state, action)
        again = world.open(visit.task)
        _walked(again, visit.walk[:place])
        same(f"the snapshot of a replay of {place} steps", state.snapshot(), again.snapshot())


def a_damaged_snapshot_is_a_fault_or_a_state_and_nothing_worse(visit: EnvironmentCase) -> None:
    world, state = visit.world(), visit.open()
    own = state.snapshot()
    for position in range(0, len(own), -(-len(own) // _DAMAGED_PLACES) or 1):
        for bits in (0x01, 0x80, 0xFF):
            damaged = bytearray(own)
            damaged[position] ^= bits
            try:
                world.restore(visit.task, bytes(damaged)).step("inventory")
            except WorldFault:
                continue
            except Exception as error:
                got = f"{type(error).__name__}: {error}"
                raise Broken(f"a WorldFault or a state, with byte {position} damaged by {bits:#x}", got) from error


def bytes_that_are_no_snapshot_are_a_fault(visit: EnvironmentCase) -> None:
    world, own = visit.world(), visit.open().snapshot()
    for other in (b"", b"\x00", b"snapshot", b"\xc1" * 100, own[:-1], own[: len(own) // 2], own + b"\x00"):
        _require_fault(visit, other, f"a restore of {shown(other)}")
    require(world.restore(visit.task, own).snapshot() == own, "the whole snapshot to be restored", "another state")


def a_snapshot_of_another_task_is_a_fault(visit: EnvironmentCase) -> None:
    world = visit.world()
    others = (task for split in world.splits for task in world.tasks(split) if task != visit.task.name)
    other = next(others, None)
    if other is None:
        raise Skipped("the environment has one task only")
    _require_fault(visit, world.open(Task(name=other, seed=visit.task.seed)).snapshot(), f"one of task {other!r}")


def a_snapshot_of_another_seed_is_a_fault(visit: EnvironmentCase) -> None:
    seed = visit.task.seed + 1
    _require_fault(visit, visit.world().open(Task(name=visit.task.name, seed=seed)).snapshot(), f"one of seed {seed}")


ENVIRONMENT: Sequence[Clause[EnvironmentCase]] = (
    it_has_its_name_a_version_and_splits,
    tasks_are_distinct_and_every_split_can_be_opened,
    tasks_have_names_that_can_stand_in_a_path,
    metadata_has_the_same_keys_for_every_task,
    an_unknown_split_is_a_usage_error_naming_those_there_are,
    an_unknown_task_is_a_usage_error_naming_the_nearest,
    the_opening_is_its_setting_and_its_goal_and_never_changes,
    the_walk_is_carried_out_and_solves_the_task,
    a_reward_never_falls_and_stays_when_the_task_is_done,
    a_done_state_accepts_no_action,
    odd_actions_do_not_raise_and_the_walk_can_still_be_taken,
    a_rejected_action_leaves_no_trace,
    admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done,
    an_experts_actions_solve_the_task,
    the_same_task_gives_the_same_walk,
    another_process_with_another_hash_seed_gives_the_same_walk,
    a_fork_goes_its_own_way,
    a_snapshot_changes_nothing_and_goes_on_where_it_was_taken,
    a_snapshot_is_restored_in_another_process,
    a_snapshot_is_what_a_replay_arrives_at,
    a_damaged_snapshot_is_a_fault_or_a_state_and_nothing_worse,
    bytes_that_are_no_snapshot_are_a_fault,
    a_snapshot_of_another_task_is_a_fault,
    a_snapshot_of_another_seed_is_a_fault,
)
"""In this order: what comes later takes for granted what came before."""


class Asked(Struct, frozen=True, kw_only=True):
    """What another process is asked to do."""

    named: Named
    task: Task
    actions: tuple[str, ...]
    snapshot: bytes | None = None
    """Where to begin; None: as the task opens."""


class Journey(Struct, frozen=True, kw_only=True):
    """Everything there is to see of a world on a walk."""

    version: str
    tasks: dict[str, tuple[str, ...]]
    opening: Opening
    outcomes: list[Outcome]
    snapshots: list[bytes]
    """Before the first action and after each."""


def journey(asked: Asked) -> Journey:
    """Go a walk, looking at everything."""
    world = asked.named.world()
    state = world.open(asked.task)
    outcomes: list[Outcome] = []
    snapshots = [state.snapshot()]
    for action in asked.actions:
        outcomes.append(_stepped(state, action))
        snapshots.append(state.snapshot())
    return Journey(
        version=world.version,
        tasks={split: tuple(world.tasks(split)) for split in world.splits},
        opening=state.opening,
        outcomes=outcomes,
        snapshots=snapshots,
    )


def go_on(asked: Asked) -> list[Outcome]:
    """Go on from a snapshot."""
    return _walked(asked.named.world().restore(asked.task, asked.snapshot or b""), asked.actions)


def _asked(visit: EnvironmentCase, actions: tuple[str, ...] | None = None, *, snapshot: bytes | None = None) -> Asked:
    walk = visit.walk if actions is None else actions
    return Asked(named=visit.named, task=visit.task, actions=walk, snapshot=snapshot)


def _journey(visit: EnvironmentCase) -> Journey:
    return journey(_asked(visit))


def _walked(state: WorldState, actions: Sequence[str]) -> list[Outcome]:
    return [_stepped(state, action) for action in actions]


def _stepped(state: WorldState, action: str) -> Outcome:
    outcome = state.step(action)
    typed(f"what {shown(action)} brings", Outcome, outcome)
    return outcome


def _odd(visit: EnvironmentCase) -> tuple[str, ...]:
    return (*ODD, LONE_SURROGATE, *visit.odd)


def _require_listed(state: WorldState, when: str) -> tuple[str, ...]:
    before, listed = state.snapshot(), state.admissible()
    if listed is None:
        raise Skipped("its actions cannot be listed")
    typed(f"the admissible actions {when}", tuple[str, ...], listed)
    same(f"the admissible actions {when}, each once and sorted,", tuple(sorted(set(listed))), listed)
    same(f"the snapshot after its actions were listed {when}", before, state.snapshot())
    return listed


def _require_advice(state: WorldState, when: str) -> None:
    before, advice = state.snapshot(), state.expert()
    if advice is None:
        raise Skipped("it knows of no expert")
    typed(f"the expert's actions {when}", tuple[str, ...], advice)
    same(f"the snapshot after the expert was asked {when}", before, state.snapshot())
    fork = state.fork()
    outcomes = _walked(fork, advice)
    for action, outcome in zip(advice, outcomes, strict=True):
        require(not outcome.rejected, f"the expert's {action!r} {when} to be carried out", outcome)
    if advice:
        last = outcomes[-1]
        require(last.done and last.reward == 1, f"the task to be solved by the expert's actions {when}", last)
    same(f"the expert's actions once the task is solved by those {when}", (), fork.expert())


def _require_walk(visit: EnvironmentCase) -> None:
    if not visit.walk:
        raise Skipped("no action was found that it carries out; give a walk with --walk FILE, a JSON list of actions")


def _require_fault(visit: EnvironmentCase, snapshot: bytes, what: str) -> None:
    try:
        refused(WorldFault, lambda: visit.world().restore(visit.task, snapshot))
    except Broken as broken:
        raise Broken(f"a WorldFault from {what}", str(broken).partition(", got ")[2]) from broken
