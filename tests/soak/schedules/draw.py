"""Draws a schedule from a seed."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from msgspec import structs

from quintet.ports.transport import HostName
from tests.simulation.cluster import COLOCATED, PER_ROLE
from tests.soak.schedules.scenes import GOALS, SCENES, Scene
from tests.soak.schedules.schedule import Action, Command, Kill, Schedule, Start

PLACEMENTS = {"colocated": COLOCATED, "per-role": PER_ROLE}
_ACTIONS: Sequence[Action] = ("cancel", "requeue", "pause", "concurrency")


def draw(seed: int) -> Schedule:
    """The schedule of a seed."""
    random = Random(f"schedule {seed}")
    names = [*SCENES]
    (name,) = random.choices(names, [SCENES[name].weight for name in names])
    scene = SCENES[name]
    goals = tuple(random.sample(GOALS, min(scene.most, random.choice([1, 1, 1, 2])))) if scene.most else ()
    placement: Literal["colocated", "per-role"] = random.choice(["colocated", "per-role"])
    lives = random.choices([1, 2, 3], [14, 5, 1])[0]
    starts = [_start(random, scene, len(goals), placement) for _ in range(lives)]
    for at, start in enumerate(starts[:-1]):
        starts[at] = _ended(random, scene, len(goals), start)
    return Schedule(
        seed=seed,
        scene=name,
        goals=goals,
        placement=placement,
        slots=random.randint(1, 2),
        calls=random.choice([None, None, None, 1, 2]),
        failures=random.choice([0.0, 0.0, 0.0, 0.2]),
        starts=tuple(starts),
    )


def _start(random: Random, scene: Scene, goals: int, placement: Literal["colocated", "per-role"]) -> Start:
    delay = random.choice([0.0, 0.1, 0.5, 3.0])
    last = scene.seconds * max(goals, 1) * (1 + 2 * delay)
    replaced = random.random() < 0.5
    victims = _victims(random, placement, replaced=replaced)
    commands = random.randint(1, 5) if not scene.learn and random.random() < 0.25 else 0
    return Start(
        kills=tuple(Kill(at=round(random.uniform(0, last), 3), host=name) for name in victims),
        replacements=len(victims) if replaced else 0,
        delay=delay,
        loss=random.choice([0.0, 0.0, min(0.003, scene.loss), scene.loss]),
        commands=tuple(_command(random, scene, goals, last) for _ in range(commands)),
    )


def _victims(random: Random, placement: Literal["colocated", "per-role"], *, replaced: bool) -> list[HostName]:
    """Any hosts; the last one of a role only if dead hosts are replaced."""
    groups = sorted({tuple(hosts) for hosts in PLACEMENTS[placement].hosts.values()})
    mortal = [name for hosts in groups for name in hosts[0 if replaced else 1 :]]
    if replaced:
        mortal += [HostName(f"{hosts[0]}-{len(hosts) + 1}") for hosts in groups]
    (most,) = random.choices([0, 1, 2, len(mortal)], [3, 4, 3, 1])  # each death costs a replay of its episodes
    return random.sample(mortal, random.randint(0, min(most, len(mortal))))


def _command(random: Random, scene: Scene, goals: int, last: float) -> Command:
    # Of a race, another attempt may be won by another branch.
    action = random.choice([each for each in _ACTIONS if each != "requeue" or not scene.races])
    number = random.randrange(goals) if action in ("cancel", "requeue") else random.randint(1, 6)
    return Command(at=round(random.choice([0.0, random.uniform(0, last)]), 3), action=action, number=number)


def _ended(random: Random, scene: Scene, goals: int, start: Start) -> Start:
    """A start that comes to no end, perhaps: its process dies, or its budget is too small."""
    if random.random() < 0.7:
        return structs.replace(start, commits=random.randint(1, scene.events * max(goals, 1)))
    return structs.replace(start, tokens=random.randint(500, 8_000))
