"""Lists of task names for any number of games, spread over splits and task types. No game is generated for it."""

from collections.abc import Iterator, Mapping
from itertools import count, islice
from random import Random

from quintet.environments.alfworld.generator.objectives import ASKED, TASK_TYPES, TaskName, TaskType, possible, trial
from quintet.environments.alfworld.generator.rooms import scenes
from quintet.environments.alfworld.generator.tables import random_for

SPLITS = ("valid_unseen", "valid_seen", "train")
"""Those of the official data."""
BUILT_IN: Mapping[str, Mapping[TaskType, int]] = {
    "valid_unseen": dict(zip(TASK_TYPES, (24, 18, 31, 23, 21, 17), strict=True)),
    "valid_seen": dict.fromkeys(TASK_TYPES, 10),
    "train": dict.fromkeys(TASK_TYPES, 24),
}
"""How many games of each type a split has. The first has the counts of the papers' 134 unseen games."""

_TRIES = 20


def task_names(split: str, counts: Mapping[TaskType, int], seed: int = 0) -> tuple[TaskName, ...]:
    """The games of a split.

    Args:
        split: the unseen one has rooms of its own.
        counts: how many of each task type. A larger count adds games to those of a smaller one.
        seed: for objectives and contents.

    Returns:
        Sorted by trial, which mixes types and rooms, so that the first few are a fair sample.
    """
    chosen = (name for task_type, number in counts.items() for name in islice(_names(split, task_type, seed), number))
    return tuple(sorted(chosen, key=lambda name: (name.trial, str(name))))


def spread_evenly(games: int) -> Mapping[str, Mapping[TaskType, int]]:
    """Divide `games` over splits and types as evenly as possible."""
    counts = {split: dict.fromkeys(TASK_TYPES, 0) for split in SPLITS}
    for number in range(games):
        counts[SPLITS[number % len(SPLITS)]][TASK_TYPES[number // len(SPLITS) % len(TASK_TYPES)]] += 1
    return counts


def _names(split: str, task_type: TaskType, seed: int) -> Iterator[TaskName]:
    """An endless series; it repeats an objective in a room only if others are hard to find."""
    random = random_for(f"{split} {task_type} {seed}")
    used: set[str] = set()
    for number in count():
        stamp = trial(f"{split} {task_type} {seed} {number}")
        tries = [_name(split, task_type, random, stamp)]
        while tries[-1].folder in used and len(tries) < _TRIES:
            tries.append(_name(split, task_type, random, stamp))
        used.add(tries[-1].folder)
        yield tries[-1]


def _name(split: str, task_type: TaskType, random: Random, stamp: str) -> TaskName:
    while True:
        kind = random.choice(sorted(ASKED[task_type].kinds))
        scene = random.choice(scenes(kind, unseen=split == "valid_unseen"))
        if objectives := possible(task_type, scene):
            return TaskName(random.choice(objectives), scene, stamp)
