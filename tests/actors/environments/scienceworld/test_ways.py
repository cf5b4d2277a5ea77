from typing import Any

import pytest

from quintet.environments.scienceworld import ways
from quintet.environments.scienceworld.simulator import SimulatorGame, way_finder
from quintet.environments.scienceworld.variations import read_task_name
from quintet.environments.scienceworld.ways import way_left
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.messages.environment import Task
from tests.actors.environments.scienceworld.installed import SHORT, needs_simulator, opened

pytestmark = needs_simulator


def left(*actions: str) -> tuple[str, ...] | None:
    return ScienceWorld().advise(Task(name=SHORT, seed=0), actions, "")


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done in the process that finds ways, game by game, with nothing found before."""
    done = list[str]()
    step = SimulatorGame.step

    def noted(game: SimulatorGame, action: str) -> Any:
        done.append(action)
        return step(game, action)

    monkeypatch.setattr(ways, "_FOUND", {})
    monkeypatch.setattr(SimulatorGame, "step", noted)
    return done


def test_looks_and_harmless_actions_do_not_lead_off_the_packages_way() -> None:
    state = opened()
    way = state.expert()
    assert way is not None
    for action in ("look around", "inventory", "wait1"):
        state.step(action)
        assert state.expert() == way
    state.step(way[0])
    assert state.expert() == way[1:]


def test_the_world_advises_without_a_session_as_its_states_do() -> None:
    way = opened().expert()
    assert way is not None
    assert left() == way
    assert left("dance", "wait1") == way
    assert left("wait1", way[0], "inventory") == way[1:]
    assert left("focus on air") == left(*way) == ()


def test_a_way_is_found_once_and_tried_again_after_something_new_alone(tried: list[str]) -> None:
    way = left()
    assert way is not None
    assert tried == ["look around", *way]
    for actions in ((), ("inventory",), way[:1], (*way[:1], "look around")):
        assert left(*actions) is not None
    assert len(tried) == 1 + len(way)
    for repeated in range(1, 4):
        assert left(*["wait1"] * repeated, way[0]) == way[1:]
    assert tried[1 + len(way) :] == ["look around", "wait1", *way]


def test_nobody_knows_a_way_where_the_packages_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def leads_nowhere(_kind: str, _variation: int) -> tuple[str, ...]:
        return "open door to hallway", "go to hallway"

    monkeypatch.setattr(ways, "_FOUND", {})
    monkeypatch.setattr(way_finder(), "gold_path", leads_nowhere)
    assert left() is None
    assert left("wait1") is None


def test_what_a_try_does_not_understand_is_left_out_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, variation = read_task_name(SHORT) or ("", 0)
    monkeypatch.setattr(ways, "_FOUND", {})
    gold = way_finder().gold_path(kind, variation)

    def dances_first(_kind: str, _variation: int) -> tuple[str, ...]:
        return "dance", *gold

    monkeypatch.setattr(way_finder(), "gold_path", dances_first)
    assert way_left(kind, variation, ()) == gold[: len(way_left(kind, variation, ()) or ())]
