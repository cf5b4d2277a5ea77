"""Games written to disk in the layout of `alfworld-download`, so that the official package plays them too."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from quintet.environments.alfworld.games.dialect import NEW, GameDialect
from quintet.environments.alfworld.games.game import to_bytes
from quintet.environments.alfworld.generator.objectives import TaskName, TaskType
from quintet.environments.alfworld.generator.problem import generate_game
from quintet.environments.alfworld.generator.splits import task_names
from quintet.errors import UsageError

RELEASE = "json_2.1.1"
"""The folder in which `alfworld-download` keeps the games."""
FILE = "game.tw-pddl"
TRAJECTORY = "traj_data.json"
"""The recorded trajectory beside a game."""


def write(
    folder: Path, counts: Mapping[str, Mapping[TaskType, int]], seed: int = 0, dialect: GameDialect = NEW
) -> tuple[TaskName, ...]:
    """Fill a folder with games.

    Args:
        folder: created if it does not exist.
        counts: by split and task type.
        seed: the same seed gives the same bytes.
        dialect: of the games; each can be played in either.

    Returns:
        What was written.

    Raises:
        UsageError: the folder is not empty, or cannot be written.
    """
    _refuse_filled(folder)
    every: list[TaskName] = []
    try:
        for split, numbers in counts.items():
            for name in task_names(split, numbers, seed):
                _write(folder / RELEASE / split / name.folder / name.trial, name, dialect)
                every.append(name)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"out: expected a folder that can be written, got {reason} ({folder})") from error
    return tuple(every)


def _write(trial: Path, name: TaskName, dialect: GameDialect) -> None:
    trial.mkdir(parents=True)
    (trial / FILE).write_bytes(to_bytes(generate_game(name, dialect)))
    asked = name.objective
    looking = asked.type == "look_at_obj_in_light"
    read_by_the_official_package: dict[str, object] = {
        "task_id": name.trial,
        "task_type": asked.type,
        "pddl_params": {
            "object_target": asked.thing,
            "parent_target": "" if looking else asked.target,
            "toggle_target": asked.target if looking else "",
            "mrecep_target": "",
            "object_sliced": False,
        },
        "scene": {"floor_plan": f"FloorPlan{name.scene}", "scene_num": name.scene},
        "turk_annotations": {"anns": []},
    }
    beside = msgspec.json.format(msgspec.json.encode(read_by_the_official_package), indent=1)
    (trial / TRAJECTORY).write_bytes(beside)


def _refuse_filled(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"out: expected a folder, got a file ({folder})")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"out: expected an empty or a new folder, got one with something in it ({folder})")
