"""Any Gymnasium environment of texts as a world."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.gymnasium_world.state import GymnasiumState
from quintet.environments.gymnasium_world.world import GymnasiumWorld, RegisteredWorld
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.methods.react.react import React
from quintet.methods.standard.standard import Standard
from quintet.plugins import catalogue
from quintet.plugins.brought import bringing
from quintet.plugins.objects import find_object
from quintet.plugins.prompts import find_prompts
from quintet.ports.world import Opening
from tests.actors.environments.gymnasium_world.envs import VAULT, Entangled, Fickle, Lift, Uncopyable, Vault

TASK = Task(name="seed-0", seed=5)


def is_shut(seen: str, info: Mapping[str, Any]) -> bool:
    return "shut" in seen


def ride(total: float, info: Mapping[str, Any]) -> float:
    return 1 + total / 10


def floor(number: int, info: Mapping[str, Any]) -> str:
    return f"You are on floor {number}."


SCORES: list[tuple[dict[str, Any], list[float]]] = [
    ({}, [0.0, 1.0]),
    ({"returns": (-1, 1)}, [0.5, 1.0]),
    ({"returns": (0, 4)}, [0.0, 0.25]),
    ({"success": "opened"}, [0.0, 1.0]),
    ({"score": ride}, [1.0, 1.0]),
]


def opened(make: Callable[[], Any] = Vault, **options: Any) -> GymnasiumState:
    return GymnasiumWorld(make, **options).open(TASK)


def test_a_seed_is_a_task_and_test_comes_before_train() -> None:
    world = GymnasiumWorld(Vault, tasks=2)
    assert (world.name, world.splits) == ("Vault", ("test", "train"))
    assert (world.tasks("test"), world.tasks("train")) == (("seed-0", "seed-1"), ("seed-2", "seed-3"))
    assert world.metadata("seed-3") == {}
    with pytest.raises(UsageError, match="split: expected test or train, got 'dev'"):
        world.tasks("dev")
    with pytest.raises(UsageError, match=r"task: expected one such as seed-.* got 'seed-9'"):
        world.open(Task(name="seed-9", seed=0))


def test_the_environment_is_reset_with_the_seed_of_the_name_not_of_the_run() -> None:
    world = GymnasiumWorld(Vault)
    for name in world.tasks("test")[:6]:
        solutions = [
            [guess for guess in "1234" if world.open(Task(name=name, seed=seed)).step(guess).done] for seed in (0, 1)
        ]
        assert solutions[0] == solutions[1]


def test_options_of_reset_are_tasks_by_name_in_splits_of_ones_own() -> None:
    tasks = {"low": {"number": 1}, "high": {"number": 4}}
    world = GymnasiumWorld(Vault, tasks=tasks, splits={"dev": ["high"], "test": ["low"]})
    assert (world.splits, world.tasks("dev")) == (("dev", "test"), ("high",))
    assert world.open(Task(name="high", seed=2**63)).step("4").done
    assert GymnasiumWorld(Vault, tasks=tasks).splits == ("all",)
    with pytest.raises(UsageError, match="splits: expected names of tasks, got middle"):
        GymnasiumWorld(Vault, tasks=tasks, splits={"dev": ["middle"]})


def test_tasks_have_metadata_by_their_name() -> None:
    world = GymnasiumWorld(Vault, tasks={"low": {"number": 1}}, metadata=lambda task: {"height": task})
    assert world.metadata("low") == {"height": "low"}
    with pytest.raises(UsageError, match="got 'high'"):
        world.metadata("high")


def guess(vault: Vault, taken: tuple[str, ...]) -> list[str] | None:
    return None if len(taken) > 1 else [str(vault.number)]


def test_an_expert_is_a_key_of_info_or_a_function_of_the_environment_and_what_was_done() -> None:
    assert opened().expert() is None
    listed = opened(expert="admissible_commands")
    assert listed.expert() == ("1", "2", "3", "4")
    asked = opened(expert=guess, tasks={"seed-0": {"number": 2}})
    assert asked.expert() == ("2",)
    asked.step("nonsense")
    asked.step("1")
    assert asked.expert() is None
    assert asked.step("2").done
    assert asked.expert() == ()
    solved = opened(expert=guess, tasks={"seed-0": {"number": 2}})
    assert solved.step("2").done
    assert solved.expert() == ()


def test_a_world_brings_prompts_that_are_found_where_the_world_itself_is_given(tmp_path: Path) -> None:
    (tmp_path / "react").mkdir()
    (tmp_path / "react" / "execute.txt").write_text("Guess.\n\n{rules}")
    (tmp_path / "rules.txt").write_text("A guess is a number.")
    world = GymnasiumWorld(Vault, prompt_folder=tmp_path)
    found = find_object("environment", world)
    assert found is not None
    assert found.brought is not None
    with bringing([found.brought]):
        assert find_prompts(React, "Vault").text("execute") == "Guess.\n\nA guess is a number."
        assert "A guess is a number." in find_prompts(Standard, "Vault").text("execute")


def test_prompts_of_a_world_that_a_function_makes_are_refused_where_nobody_would_find_them(
    tmp_path: Path,
) -> None:
    def vault() -> GymnasiumWorld:
        return GymnasiumWorld(Vault, name="vault", prompt_folder=tmp_path)

    found = find_object("environment", vault)
    assert found is not None
    assert found.brought is not None
    with bringing([found.brought]), pytest.raises(UsageError, match="prompt_folder: expected the folder as an attr"):
        catalogue.world("vault")


def test_an_episode_is_played_in_words() -> None:
    state = opened(tasks={"seed-0": {"number": 2}})
    setting = "A vault. Guess its number, from 1 to 4."
    observation = f"{setting}\n\nGoal: complete the task."
    assert state.opening == Opening(observation=observation, setting=setting, goal="complete the task")
    assert state.admissible() == ("1", "2", "3", "4")
    shut = state.step("1")
    assert (shut.observation, shut.reward, shut.done, shut.rejected) == (
        "It stays shut, 4 tries left.",
        0.0,
        False,
        False,
    )
    assert opened(rejected=is_shut, tasks={"seed-0": {"number": 2}}).step("1").rejected  # as a predicate says
    rejected = state.step("open sesame")
    assert (rejected.observation, rejected.rejected, state.observation) == ("It clicks.", True, shut.observation)
    done = state.step("2")
    assert (done.reward, done.done, state.admissible()) == (1.0, True, ())
    over = state.step("1")
    assert (over.observation, over.reward, over.done, over.rejected) == ("The episode is over.", 1.0, True, True)


def test_what_is_raised_by_an_action_outside_the_declared_space_is_a_rejection() -> None:
    state = opened()
    outcome = state.step("9" * 2_000)
    assert (outcome.rejected, outcome.observation) == (True, "OverflowError: too long a guess")

    class Broken(Vault):
        def step(self, action: str) -> Any:
            raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        opened(Broken).step("1")


def test_an_environment_is_handed_texts_that_utf_8_can_encode() -> None:
    taken: list[str] = []

    def note(text: str) -> str:
        taken.append(text)
        return text

    opened(to_action=note).step("knock \ud800")
    assert taken == ["knock ?"]


def test_numbers_become_texts_by_functions_of_ones_own() -> None:
    world = GymnasiumWorld(
        Lift,
        actions={"down": 0, "up": 1},
        to_text=floor,
        score=ride,
    )
    state = world.open(TASK)
    assert state.opening.goal == "reach floor 3"
    assert state.opening.observation == "You are on floor 0.\n\nGoal: reach floor 3."
    assert state.admissible() == ("down", "up")
    jumped = state.step("jump")
    assert (jumped.rejected, jumped.observation) == (True, "Nothing happens: expected one of down, up, got 'jump'")
    assert [state.step(" up\n").reward for _ in range(3)] == [0.9, 0.9, 0.9]  # what is earned never falls
    assert state.step("up").observation == "The episode is over."


def _score_of(score: float, *_: object) -> float:
    return score


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_the_worlds_fault(score: float) -> None:
    with pytest.raises(WorldFault, match=f"score: expected a finite number, got {score}"):
        opened(score=partial(_score_of, score)).step("1")


@pytest.mark.parametrize("reward", [math.nan, math.inf, "1", None])
def test_a_reward_that_is_no_number_is_the_worlds_fault(reward: Any) -> None:
    class Broken(Vault):
        def step(self, action: str) -> Any:
            observation, _, *rest = super().step(action)
            return observation, reward, *rest

    with pytest.raises(WorldFault, match=f"reward: expected a finite number, got {reward!r}"):
        opened(Broken).step("1")


@pytest.mark.parametrize(("options", "rewards"), SCORES)
def test_rewards_lie_between_0_and_1_and_a_truncated_episode_is_done(
    options: dict[str, Any], rewards: list[float]
) -> None:
    state = opened(tasks={"seed-0": {"number": 2}}, **options)
    assert [state.step("1").done for _ in range(5)] == [False] * 4 + [True]
    state = opened(tasks={"seed-0": {"number": 2}}, **options)
    assert [state.step(guess).reward for guess in "12"] == rewards


@pytest.mark.parametrize(
    ("env", "options", "copied"),
    [
        (Vault, {}, True),
        (Vault, {"forks": "replay"}, False),
        (Uncopyable, {}, False),
        (Uncopyable, {"copy": Uncopyable.twin}, True),
        (Entangled, {}, False),
    ],
)
def test_states_are_copied_only_where_copies_prove_right(
    env: type[Vault], options: dict[str, Any], copied: bool
) -> None:
    state = opened(env, **options)
    fork = state.fork()  # of the opening, where nothing can be compared yet
    state.step("x")
    again = state.fork()
    assert state.game.copies is copied
    assert fork.step("x") == opened(env).step("x")
    before = state.snapshot()
    seen = [again.step("x").observation for _ in range(2)]
    assert state.snapshot() == before
    assert [state.step("x").observation for _ in range(2)] == seen


def test_a_snapshot_goes_on_elsewhere_with_its_rejected_actions() -> None:
    world = GymnasiumWorld(Vault, tasks={"seed-0": {"number": 4}})
    state = world.open(TASK)
    for guess in ("1", "\udcff", "2"):
        state.step(guess)
    restored = world.restore(TASK, state.snapshot())
    assert (restored.observation, restored.snapshot()) == ("It stays shut, 2 tries left.", state.snapshot())
    assert restored.step("3").observation == "It stays shut, 1 tries left."


@pytest.mark.parametrize("forks", ["copy", "replay"])
def test_an_environment_that_answers_otherwise_is_found_out(forks: Any) -> None:
    world = GymnasiumWorld(Fickle, forks=forks)
    state = world.open(TASK)
    state.step("x")
    with pytest.raises(WorldFault, match="expected the answer that it had before at action 1, 'x', got another"):
        state.fork()
    with pytest.raises(WorldFault, match="'x': expected the answer that it had before, got another"):
        world.restore(TASK, state.snapshot())


def test_another_behaviour_is_another_version() -> None:
    worlds = [
        GymnasiumWorld(Vault),
        GymnasiumWorld(Vault, version="2"),
        GymnasiumWorld(Vault, success="opened"),
        RegisteredWorld(VAULT),
        RegisteredWorld(VAULT, make={"highest": 3}),
    ]
    assert len({world.version for world in worlds}) == len(worlds)
    assert RegisteredWorld(VAULT).version == RegisteredWorld(VAULT).version
    assert [worlds[-1].name, GymnasiumWorld(VAULT).name] == ["gym", "Vault-v0"]
    assert worlds[-1].open(TASK).admissible() == ("1", "2", "3")


@pytest.mark.parametrize(
    ("id", "options", "said"),
    [
        ("tests/Vaul-v0", {}, r"environment gym:tests/Vaul-v0: expected one that can be made, got: .*Vault"),
        ("no.such.module:x", {}, "expected one that can be made, got: .*no.such.module"),
        (VAULT, {"make": {"colour": 1}}, "unexpected keyword argument 'colour'"),
        (VAULT, {"make": {"speaks": False}}, "expected observations that are texts, got int; write a GymnasiumWorld"),
        ("tests/Lift-v0", {}, "expected observations that are texts, got int"),
        (VAULT, {"tasks": 0}, "tasks: expected >= 1, got 0"),
        (VAULT, {"returns": (1, 1)}, "returns: expected a lower and a higher sum of rewards, got 1 and 1"),
    ],
)
def test_what_cannot_be_played_is_refused_when_it_is_made(id: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        RegisteredWorld(id, **options)
    with pytest.raises(WorldFault, match="Lift: expected an observation that is a text, got int; give to_text"):
        opened(Lift)


class Closing(Vault):
    """Says that it was closed."""

    closed = 0

    def close(self) -> None:
        Closing.closed += 1


def test_an_environment_that_cannot_be_begun_or_replayed_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def opening(seen: str, info: Mapping[str, Any]) -> Opening:
        raise KeyError(seen)

    def reset(self: Closing, **options: Any) -> Any:
        raise OSError("no vault")

    monkeypatch.setattr(Closing, "closed", 0)
    with pytest.raises(KeyError):
        opened(Closing, opening=opening)
    assert Closing.closed == 1
    with pytest.raises(WorldFault):
        opened(Closing).game.replay(("1",), (b"another",))
    assert Closing.closed == 2
    monkeypatch.setattr(Closing, "reset", reset)
    with pytest.raises(OSError, match="no vault"):
        opened(Closing)
    assert Closing.closed == 3
