import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from quintet.environments.gym import ALFWORLD, HOTPOTQA, TEXTCRAFT, WEBSHOP, WorldEnv
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


def test_an_episode_returns_1_when_the_goal_is_crafted_and_a_reset_starts_over() -> None:
    env = make(goal="stick", seed=1)
    for _ in range(2):
        assert env.reset()[1].keys() == {"goal", "setting"}
        assert env.step("dance")[4] == {"rejected": True}
        assert [env.step(action)[1:] for action in TO_THE_STICK] == [
            (0.0, False, False, {"rejected": False}),
            (1.0, True, False, {"rejected": False}),
        ]


def test_where_the_world_lists_its_actions_info_holds_those_of_now() -> None:
    env = WorldEnv(Stairs(), goal="low stairs", seed=0)
    _, begun = env.reset()
    assert begun["admissible_commands"] == ["up"]
    infos = [env.step("up")[4] for _ in range(2)]
    assert infos == [
        {"rejected": False, "admissible_commands": ["up"]},
        {"rejected": False, "admissible_commands": []},
    ]


def test_the_world_has_the_seed_of_the_reset_or_else_that_of_make() -> None:
    env = make(goal="beehive", seed=1)
    first, _ = env.reset()
    other, _ = env.reset(seed=2)
    assert other != first
    assert env.reset()[0] == first
    assert make(goal="beehive", seed=2).reset()[0] == other


def test_an_option_exchanges_the_goal_for_an_episode() -> None:
    env = make()
    assert env.reset(options={"goal": "stick"})[1]["goal"] == "craft stick"
    assert env.reset()[1]["goal"] == "craft polished granite stairs"  # the first of the test split


def test_an_unknown_goal_or_option_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="expected one such as stick"):
        gymnasium.make(TEXTCRAFT, goal="stik")
    with pytest.raises(UsageError, match=r"expected no option but 'goal', got \['depth'\]"):
        make().reset(options={"depth": 2})


def test_without_a_goal_a_split_without_tasks_is_named(tmp_path: Path) -> None:
    recipe = {"type": "crafting_shapeless", "ingredients": [{"item": "log"}], "result": {"item": "plank"}}
    (tmp_path / "plank.json").write_text(json.dumps(recipe), encoding="utf-8")
    assert make(recipes=tmp_path, goal="plank").reset()[1]["goal"] == "craft plank"
    with pytest.raises(
        UsageError, match=r"goal: expected a name, since split 'test' has no tasks, got none \(textcraft"
    ):
        make(recipes=tmp_path)


def test_rendering_gives_the_last_observation() -> None:
    env = make(goal="stick", render_mode="ansi")
    opening, _ = env.reset()
    assert env.render() == opening
    env.step("get 2 bamboo")
    assert env.render() == "Got 2 bamboo"


def test_alfworld_lists_what_can_be_done_and_takes_its_options() -> None:
    env = make(ALFWORLD, dialect="classic", causes=True)
    observation, begun = env.reset()
    assert observation.endswith(f"Your task is to: {begun['goal']}.")
    for action in begun["admissible_commands"]:
        env.reset()
        assert not env.step(action)[4]["rejected"], action
    observation, _, _, _, info = env.step("fly")
    assert (observation, info["rejected"]) == ("Nothing happens. fly is no action here.", True)


def test_webshop_returns_the_score_and_has_its_terms() -> None:
    env = make(WEBSHOP, goal="shop-0", page_len=3)
    check_env(env)
    env.reset()
    steps = [env.step(action) for action in WebShop().open(Task(name="shop-0", seed=0)).expert() or ()]
    assert [(reward, terminated) for _, reward, terminated, _, _ in steps[-2:]] == [(0.0, False), (1.0, True)]
    assert steps[-1][4]["figures"] == {"type": 1.0, "attributes": 1.0, "options": 1.0, "price": 1.0}


@pytest.mark.parametrize("name", [ALFWORLD, HOTPOTQA, WEBSHOP])
def test_data_that_an_environment_variable_names_are_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = {ALFWORLD: "ALFWORLD_DATA", HOTPOTQA: "HOTPOTQA_DATA", WEBSHOP: "WEBSHOP_DATA"}[name]
    monkeypatch.setenv(variable, "/nowhere/at-all")
    with pytest.raises(UsageError, match="/nowhere/at-all"):
        gymnasium.make(name)
