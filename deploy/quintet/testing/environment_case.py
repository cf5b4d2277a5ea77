"""What the contract of environments is tried on: a world, one of its tasks, and actions to take in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec import Struct

from quintet.environments.adapters.plain import run_now
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome, World, WorldState
from quintet.testing.actions import LONE_SURROGATE, MALFORMED_TEXTS, actions_in_prompts, candidate_actions
from quintet.testing.expectations import expect_type, short_repr
from quintet.testing.open_states import OpenStates
from quintet.testing.subprocesses import NamedPlugIn, name_plug_in

_TRIES = 20
_STEPS = 25
_SEED = 0

ASKED_AGAIN: Final = 100
"""How often an expert is asked, which may tell the next action only."""


@dataclass(frozen=True)
class EnvironmentCase:
    """A world, one of its tasks, and actions to take in it."""

    plug_in: NamedPlugIn
    task: Task
    actions: tuple[str, ...]
    """The world carries them out one after the other; empty if none are known."""
    solves: bool
    """The last of the actions is expected to solve the task."""
    own_malformed_actions: tuple[str, ...] = ()
    """Further ones for this world, besides those that every world gets."""
    states: OpenStates = field(default_factory=OpenStates, compare=False, repr=False)
    """Those that the running clause has opened."""

    @property
    def malformed_actions(self) -> tuple[str, ...]:
        return (*MALFORMED_TEXTS, LONE_SURROGATE, *self.own_malformed_actions)

    def world(self) -> World:
        """A new instance of the world."""
        return self.states.of(self.plug_in.world())

    def open(self) -> WorldState:
        """The task's first state, in a world of its own; one that does not repeat is reset before."""
        world = self.world()
        reset_if_needed(world)
        return world.open(self.task)

    def end_clause(self) -> None:
        """Close what the clause has opened."""
        self.states.close()

    def __str__(self) -> str:
        return f"task {self.task.name!r}, seed {self.task.seed}"


def environment_cases(
    name: str | Callable[..., World],
    options: Mapping[str, Any] | None = None,
    *,
    task: str | None = None,
    actions: Sequence[str] | None = None,
) -> list[EnvironmentCase]:
    """The first and the last task of every split, with actions.

    Args:
        name: the environment's in the catalogue; or a class or function that makes it, or `FILE.py:OBJECT`.
        options: the environment's, as JSON can say them.
        actions: how to solve `task`, or else the first task; for the others, actions are searched for.

    Raises:
        UsageError: the world cannot be made, or there is no such task.
    """
    plug_in = name_plug_in("environment", name, options)
    world = OpenStates().of(plug_in.world())
    if task is None:
        played = [
            [name for name in world.tasks(split) if not world.refusal(name, judged=False)] for split in world.splits
        ]
        names = [name for tasks in played for name in (*tasks[:1], *tasks[-1:])]
    else:
        world.metadata(task)
        names = [task]
    tasks = [Task(name=name, seed=_SEED) for name in dict.fromkeys(names or [""])]
    found = [_find_case(plug_in, world, each) for each in (tasks if actions is None else tasks[1:])]
    return found if actions is None else [EnvironmentCase(plug_in, tasks[0], tuple(actions), solves=True), *found]


def reset_if_needed(world: World) -> None:
    """Reset a world that may answer the same actions otherwise."""
    if not world.repeats:
        run_now(world.reset())


def step(state: WorldState, action: str) -> Outcome:
    """Take an action; fail unless the outcome has its types."""
    outcome = state.step(action)
    expect_type(f"what {short_repr(action)} brings", Outcome, outcome)
    return outcome


def step_through(state: WorldState, actions: Sequence[str]) -> list[Outcome]:
    """Take actions one after the other."""
    return [step(state, action) for action in actions]


class StepsRequest(Struct, frozen=True, kw_only=True):
    """Actions to take, perhaps in another process."""

    plug_in: NamedPlugIn
    task: Task
    actions: tuple[str, ...]
    snapshot: bytes | None = None
    """Where to begin; None: as the task opens."""


class WorldTrace(Struct, frozen=True, kw_only=True):
    """Everything observable of a world while actions are taken."""

    version: str
    tasks: dict[str, tuple[str, ...]]
    opening: Opening
    outcomes: list[Outcome]
    snapshots: list[bytes]
    """Before the first action and after each; none if the world writes none."""


def trace(request: StepsRequest) -> WorldTrace:
    """Take the actions, looking at everything."""
    world = OpenStates().of(request.plug_in.world())
    state = world.open(request.task)
    copies = world.takes_snapshots
    outcomes: list[Outcome] = []
    snapshots = [state.snapshot()] if copies else []
    for action in request.actions:
        outcomes.append(step(state, action))
        snapshots += [state.snapshot()] if copies else []
    return WorldTrace(
        version=world.version,
        tasks={split: tuple(world.tasks(split)) for split in world.splits},
        opening=state.opening,
        outcomes=outcomes,
        snapshots=snapshots,
    )


def step_on(request: StepsRequest) -> list[Outcome]:
    """Take the actions from a snapshot on."""
    world = OpenStates().of(request.plug_in.world())
    return step_through(world.restore(request.task, request.snapshot or b""), request.actions)


def _find_case(plug_in: NamedPlugIn, world: World, task: Task) -> EnvironmentCase:
    """The expert's actions if the world has any, or else the best of some seeded random tries.

    The best is one that solves the task, or else one that ends it, and of several the longest.
    """
    advice = _expert_actions(world, task)
    if advice:
        return EnvironmentCase(plug_in, task, advice, solves=True)
    chance = Random(_SEED)
    with plug_in.brought("environment"):
        prompted = actions_in_prompts(plug_in.name)
    best: tuple[bool, tuple[str, ...]] = False, ()
    for _ in range(_TRIES):
        actions, end = _random_actions(world, task, prompted, chance)
        if end is not None and end.reward == 1:
            return EnvironmentCase(plug_in, task, actions, solves=True)
        best = max(best, (end is not None, actions), key=lambda tried: (tried[0], len(tried[1])))
    return EnvironmentCase(plug_in, task, best[1], solves=False)


def _expert_actions(world: World, task: Task) -> tuple[str, ...]:
    taken: list[str] = []
    try:
        reset_if_needed(world)
        state = world.open(task)
        for _ in range(ASKED_AGAIN):
            for action in (advice := state.expert() or ()):
                taken.append(action)
                outcome = state.step(action)
                if outcome.done and outcome.reward == 1:
                    return tuple(taken)
            if not advice:
                break
    except Exception:  # noqa: BLE001  the clauses ask the same, and report what is raised
        pass
    return ()


def _random_actions(
    world: World, task: Task, prompted: Sequence[str], chance: Random
) -> tuple[tuple[str, ...], Outcome | None]:
    """Actions that were carried out, and the outcome that ended the task; None if none did."""
    taken: list[str] = []
    try:
        reset_if_needed(world)
        state = world.open(task)
        pool = [*prompted, *candidate_actions(state.opening.observation)]
        for _ in range(_STEPS):
            choices = [*pool, *(state.admissible() or ())]
            if not choices:
                break
            taken.append(chance.choice(choices))
            outcome = state.step(taken[-1])
            if outcome.rejected:
                taken.pop()
                continue
            if outcome.done:
                return tuple(taken), outcome
            pool += (taken[-1], *candidate_actions(outcome.observation))
    except Exception:  # noqa: BLE001  the clauses take the same actions, and report what is raised
        pass
    return tuple(taken), None
