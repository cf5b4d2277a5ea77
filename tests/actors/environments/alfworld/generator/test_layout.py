"""Games on disk."""

import json
from pathlib import Path

import pytest

from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.splits import spread_evenly
from quintet.environments.alfworld.sources.folder import FolderLibrary
from quintet.errors import UsageError


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, spread_evenly(6), seed=4)
    write(tmp_path / "three", spread_evenly(6), seed=5)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert contents(tmp_path / "one").keys() != contents(tmp_path / "three").keys()


def test_what_is_written_lies_as_the_official_data_and_can_be_played(tmp_path: Path) -> None:
    written = write(tmp_path, spread_evenly(18))
    library = FolderLibrary(tmp_path)
    assert library.splits == ("valid_unseen", "valid_seen", "train")
    assert {task for split in library.splits for task in library.tasks(split)} == set(map(str, written))
    for name in written:
        assert library.game(str(name)).walkthrough
        (file,) = tmp_path.glob(f"json_2.1.1/*/{name.folder}/{name.trial}/traj_data.json")
        trajectory, looking = json.loads(file.read_text()), name.objective.type == "look_at_obj_in_light"
        assert trajectory["task_type"] == name.objective.type
        assert trajectory["pddl_params"] == {
            "object_target": name.objective.thing,
            "parent_target": "" if looking else name.objective.target,
            "toggle_target": name.objective.target if looking else "",
            "mrecep_target": "",
            "object_sliced": False,
        }


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UsageError, match="expected an empty or a new folder"):
        write(tmp_path, spread_evenly(1))
    with pytest.raises(UsageError, match="expected a folder, got a file"):
        write(tmp_path / "mine", spread_evenly(1))
    assert contents(tmp_path) == {"mine": b"x"}
