import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.gym import ALFWORLD, HOTPOTQA, TEXTCRAFT, WEBSHOP, WorldEnv, register_environments
from quintet.environments.webshop.world import WebShop
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.deploy.testing.broken_environments import Stairs

_ROOT = Path(__file__).parents[3]

TO_THE_STICK = ["get 2 bamboo", "craft 1 stick using 2 bamboo"]


def make(name: str = TEXTCRAFT, **options: Any) -> WorldEnv:
    made = gymnasium.make(name, **options).unwrapped
    assert isinstance(made, WorldEnv)
    return made


def test_gymnasiums_own_checker_is_content() -> None:
    check_env(make(goal="beehive", seed=1))
    check_env(make(ALFWORLD))
    check_env(make(HOTPOTQA))


def test_gymnasium_makes_it_without_an_import_of_ours() -> None:
    made = f"gymnasium.make('quintet.environments.gym:{TEXTCRAFT}', goal='stick', seed=1)"
    code = f"import gymnasium; print({made}.reset()[0])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=_ROOT)
    assert done.stdout.endswith("Goal: craft stick.\n")


def test_registering_again_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_environments()
    assert {TEXTCRAFT, ALFWORLD, HOTPOTQA} <= set(gymnasium.registry)


def test_an_episode_returns_1_when_the_goal_is_crafted() -> None:
    env = gymnasium.make(TEXTCRAFT, goal="stick", seed=1)
    _, begun = env.reset()
    assert begun["goal"] == "craft stick"
    steps = [env.step(action) for action in TO_THE_STICK]
    assert [(reward, terminated, truncated) for _, reward, terminated, truncated, _ in steps] == [
        (0.0, False, False),
        (1.0, True, False),
    ]


def test_info_says_whether_an_action_was_rejected() -> None:
    env = make(goal="stick")
    env.reset()
    assert env.step("get 2 bamboo")[4] == {"rejected": False}
    assert env.step("dance")[4] == {"rejected": True}


def test_where_the_world_lists_its_actions_info_holds_those_of_now() -> None:
    env = WorldEnv(Stairs(), goal="low stairs", seed=0)
    _, begun = env.reset()
    assert begun["admissible_commands"] == ["up"]
    infos = [env.step("up")[4] for _ in range(2)]
    assert infos == [
        {"rejected": False, "admissible_commands": ["up"]},
        {"rejected": False, "admissible_commands": []},
    ]


def test_where_it_lists_none_info_says_nothing_of_them() -> None:
    assert set(make(goal="stick").reset()[1]) == {"goal", "setting"}


def test_a_reset_starts_over() -> None:
    env = make(goal="stick")
    env.reset()
    assert [env.step(action)[1] for action in TO_THE_STICK] == [0.0, 1.0]
    env.reset()
    assert env.step("inventory")[0] == "Inventory: You are not carrying anything."
    assert [env.step(action)[1] for action in TO_THE_STICK] == [0.0, 1.0]


def test_the_world_has_the_seed_of_the_reset_or_else_that_of_make() -> None:
    env = make(goal="beehive", seed=1)
    first, _ = env.reset()
    other, _ = env.reset(seed=2)
    assert other != first
    assert env.reset()[0] == first
    assert make(goal="beehive", seed=2).reset()[0] == other


def test_an_option_exchanges_the_goal_for_an_episode() -> None:
    env = make(goal="beehive")
    assert env.reset(options={"goal": "stick"})[1]["goal"] == "craft stick"
    assert env.reset()[1]["goal"] == "craft beehive"


def test_an_unknown_goal_or_option_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="expected one such as stick"):
        gymnasium.make(TEXTCRAFT, goal="stik")
    with pytest.raises(UsageError, match=r"expected no option but 'goal', got \['depth'\]"):
        make().reset(options={"depth": 2})


def test_without_a_goal_it_is_the_first_of_the_test_split() -> None:
    assert make().reset()[1]["goal"] == "craft polished granite stairs"


def test_without_a_goal_a_split_without_tasks_is_named(tmp_path: Path) -> None:
    recipe = {"type": "crafting_shapeless", "ingredients": [{"item": "log"}], "result": {"item": "plank"}}
    (tmp_path / "plank.json").write_text(json.dumps(recipe), encoding="utf-8")
    assert make(recipes=tmp_path, goal="plank").reset()[1]["goal"] == "craft plank"
    with pytest.raises(
        UsageError, match=r"goal: expected a name, since split 'test' has no tasks, got none \(textcraft"
    ):
        make(recipes=tmp_path)


def test_every_opening_and_every_quoted_action_are_in_the_observation_space() -> None:
    env = make(goal="painting")
    assert env.reset()[0] in env.observation_space
    env.action_space.seed(3)
    for _ in range(20):
        assert env.step(env.action_space.sample())[0] in env.observation_space


def test_rendering_gives_the_last_observation() -> None:
    env = make(goal="stick", render_mode="ansi")
    opening, _ = env.reset()
    assert env.render() == opening
    env.step("get 2 bamboo")
    assert env.render() == "Got 2 bamboo"


def test_alfworld_lists_what_can_be_done_and_carries_it_out() -> None:
    env = make(ALFWORLD, dialect="classic")
    observation, begun = env.reset()
    assert observation.endswith(f"Your task is to: {begun['goal']}.")
    for action in begun["admissible_commands"]:
        env.reset()
        assert not env.step(action)[4]["rejected"], action
    assert env.step("fly")[4]["rejected"]


def test_alfworld_takes_its_options() -> None:
    env = make(ALFWORLD, causes=True)
    env.reset()
    bare = make(ALFWORLD)
    bare.reset()
    assert bare.step("take the moon from sky 1")[0] == "Nothing happens."
    assert env.step("take the moon from sky 1")[0] != "Nothing happens."


def test_alfworld_returns_1_when_its_experts_actions_are_taken() -> None:
    world = AlfWorld()
    task = world.tasks(world.splits[0])[-1]
    advice = world.open(Task(name=task, seed=0)).expert()
    assert advice
    env = make(ALFWORLD, goal=task)
    env.reset()
    steps = [env.step(action) for action in advice]
    assert [(reward, terminated) for _, reward, terminated, _, _ in steps[-2:]] == [(0.0, False), (1.0, True)]
    assert steps[-1][4]["admissible_commands"] == []


def test_webshop_returns_the_score_and_has_its_terms() -> None:
    env = make(WEBSHOP, goal="shop-0", page_len=3)
    check_env(env)
    env.reset()
    steps = [env.step(action) for action in WebShop().open(Task(name="shop-0", seed=0)).expert() or ()]
    assert [(reward, terminated) for _, reward, terminated, _, _ in steps[-2:]] == [(0.0, False), (1.0, True)]
    assert steps[-1][4]["figures"] == {"type": 1.0, "attributes": 1.0, "options": 1.0, "price": 1.0}


def test_a_task_of_alfworld_that_is_unknown_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        gymnasium.make(ALFWORLD, goal="make_tea")


@pytest.mark.parametrize("name", [ALFWORLD, HOTPOTQA, WEBSHOP])
def test_data_that_an_environment_variable_names_are_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = {ALFWORLD: "ALFWORLD_DATA", HOTPOTQA: "HOTPOTQA_DATA", WEBSHOP: "WEBSHOP_DATA"}[name]
    monkeypatch.setenv(variable, "/nowhere/at-all")
    with pytest.raises(UsageError, match="/nowhere/at-all"):
        gymnasium.make(name)
