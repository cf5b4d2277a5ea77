"""Where games come from."""

import pytest

from quintet.environments.alfworld.sources.library import GeneratedLibrary
from quintet.environments.alfworld.world import AlfWorld

TYPES = {"pick": 24, "look": 18, "clean": 31, "heat": 23, "cool": 21, "pick two": 17}


def test_without_any_data_households_are_made_up_whatever_the_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFWORLD_DATA", "/nowhere/at/all")
    assert "generated" in AlfWorld().version


def test_the_built_in_games_are_listed_by_split_and_type() -> None:
    made = GeneratedLibrary()
    assert made.splits == ("valid_unseen", "valid_seen", "train")
    assert [len(made.tasks(split)) for split in made.splits] == [134, 60, 144]
    types = [made.task_type(task) for task in made.tasks("valid_unseen")]
    assert {kind: types.count(kind) for kind in TYPES} == TYPES
    assert all("/" not in task for split in made.splits for task in made.tasks(split))


def test_listing_makes_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr("quintet.environments.alfworld.sources.library._generated", made.append)
    library = GeneratedLibrary()
    tasks = [task for split in library.splits for task in library.tasks(split)]
    assert {library.task_type(task) for task in tasks} == {"pick", "look", "clean", "heat", "cool", "pick two"}
    assert made == []
    library.game(tasks[0])
    assert len(made) == 1
