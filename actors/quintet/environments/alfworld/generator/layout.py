"""Games written to disk as `alfworld-download` would lay them out, so that the official package plays them too."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from quintet.environments.alfworld.games.dialect import NEW, GameDialect
from quintet.environments.alfworld.games.game import written
from quintet.environments.alfworld.generator.games import generated
from quintet.environments.alfworld.generator.names import TaskName
from quintet.environments.alfworld.generator.objectives import TaskType
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
        folder: is made where it is not there yet.
        counts: by split and task type.
        seed: the same gives the same bytes.
        dialect: what the games speak; any is played in either.

    Returns:
        What was written.

    Raises:
        UsageError: something is in the folder already, or it cannot be written.
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


def about(name: TaskName) -> Mapping[str, object]:
    """What the official package reads of the recorded trajectory beside a game."""
    asked = name.objective
    looking = asked.type == "look_at_obj_in_light"
    return {
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


def _write(trial: Path, name: TaskName, dialect: GameDialect) -> None:
    trial.mkdir(parents=True)
    (trial / FILE).write_bytes(written(generated(name, dialect)))
    (trial / TRAJECTORY).write_bytes(msgspec.json.format(msgspec.json.encode(about(name)), indent=1))


def _refuse_filled(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"out: expected a folder, got a file ({folder})")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"out: expected an empty or a new folder, got one with something in it ({folder})")
