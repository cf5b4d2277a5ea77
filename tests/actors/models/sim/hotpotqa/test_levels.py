"""The levels of skill against the world itself: each is weak in its one way, and none without seeing anything."""

from collections.abc import Callable
from typing import get_args

import pytest

from quintet.environments.hotpotqa.wording import WordingName
from quintet.models.sim.model import Simulated, fallible, strong, weak
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import steps_in
from tests.actors.models.sim.hotpotqa.playing import BARE, INSTRUCTIONS, Game, question_of, tasks, world

LEVELS = pytest.mark.parametrize("level", [weak, strong])
FEW = 12
"""Questions of a fast test."""


def solved(
    level: Callable[[], Simulated], most: int, seen: Callable[[str], str] = str, shown: str = INSTRUCTIONS
) -> int:
    """How many of the first questions of the split that is not evaluated on are answered."""
    games = [Game(task, shown, seen=seen) for task in tasks("train", most)]
    for game in games:
        game.play(level())
    return sum(game.solved for game in games)


def test_strong_answers_most_questions_and_the_others_fewer() -> None:
    best = solved(strong, FEW)
    assert best > FEW // 2
    assert max(solved(weak, FEW), solved(fallible, FEW)) <= best


@pytest.mark.slow
@pytest.mark.parametrize("split", ["dev", "train"])
def test_strong_answers_most_questions_of_a_split_and_not_all(split: str) -> None:
    names = tasks(split)
    answered = {level: sum(_solves(level, name) for name in names) for level in (strong, weak, fallible)}
    assert len(names) / 2 < answered[strong] < len(names)
    assert answered[weak] < answered[strong]
    assert answered[fallible] < answered[strong]


def _solves(level: Callable[[], Simulated], name: str) -> bool:
    game = Game(name)
    game.play(level())
    return game.solved


@pytest.mark.parametrize("level", [weak, strong, fallible])
@pytest.mark.parametrize("blank", ["", "(nothing)", "Could not find it.", "Invalid action."])
def test_blanked_observations_drop_success_to_the_floor(level: Callable[[], Simulated], blank: str) -> None:
    assert solved(level, 6, lambda _: blank) == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", [weak, strong, fallible])
@pytest.mark.parametrize("blank", ["", "(nothing)"])
def test_no_question_is_answered_unseen(level: Callable[[], Simulated], blank: str) -> None:
    for split in world().splits[:2]:
        for name in tasks(split):
            game = Game(name, seen=lambda _: blank)
            game.play(level())
            assert not game.solved, name


def test_weak_answers_in_sentences_until_a_text_says_otherwise() -> None:
    assert solved(weak, FEW, shown=BARE) == 0
    assert solved(weak, FEW, shown=f"{BARE}\n\nAn answer is short, and a page is found by its name.") > 0
    assert solved(weak, FEW, shown=f"{BARE}\n\nThought: ...\nAction: search[Tarn House]\nAction: finish[Orn]") > 0


def test_weak_searches_for_descriptions_until_a_text_says_otherwise() -> None:
    task = next(name for name in tasks("train") if "director of" in question_of(name))
    described = Game(task, BARE).play(weak())[0]
    assert described.startswith("search[the director of")
    assert Game(task).play(weak())[0] != described
    assert Game(task, BARE).play(strong())[0] != described


@LEVELS
def test_a_plan_answers_the_question_when_each_step_is_done(level: Callable[[], Simulated]) -> None:
    done = 0
    for name in tasks("train", FEW):
        game = Game(name)
        *parts, last = steps_in(game.plan(level()))
        assert last.rstrip(".") == game.state.opening.goal
        claims = [game.play(strong(), part, stated=True)[-1] for part in parts]
        assert "finish" not in " ".join(claims)
        game.play(strong(), last, stated=True)
        done += game.solved
    assert done > FEW // 2


def test_the_seed_varies_what_is_read_next_at_a_temperature_above_0() -> None:
    def played(temperature: float, seed: int) -> tuple[str, ...]:
        game = Game(tasks("train", 2)[1], sampling=Sampling(temperature=temperature, seed=seed))
        return tuple(game.play(strong()))

    assert len({played(0.0, seed) for seed in range(6)}) == 1
    assert played(1.0, 3) == played(1.0, 3)


def test_all_wordings_are_read() -> None:
    for wording in get_args(WordingName):
        game = Game(tasks("train", 1)[0], world=world(wording))
        game.play(strong())
        assert game.solved, wording
