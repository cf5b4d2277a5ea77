"""The levels of skill against the world itself: each is weak in its one way, and none without seeing anything."""

from collections.abc import Callable

import pytest

from quintet.models.sim.mind import Skill
from quintet.models.sim.model import Simulated, fallible, strong, weak
from quintet.ports.model import Sampling
from tests.actors.models.sim.alfworld.playing import INSTRUCTIONS, SKILLS, Game, tasks, world
from tests.actors.models.sim.answers import steps_in

KINDS = ("pick", "look", "clean", "heat", "cool", "pick two")
LEVELS = pytest.mark.parametrize("level", [weak, strong])


def misled() -> Simulated:
    """Reads everything, and begins with wrong beliefs."""
    return Simulated(Skill("misled", misled=True))


def success(level: Callable[[], Simulated], most: int, seen: Callable[[str], str] = str) -> float:
    """The share of the first tasks of each kind, `most` of them, that are solved."""
    games = [Game(task, seen=seen) for kind in KINDS for task in tasks(kind, most)]
    for game in games:
        game.play(level())
    return sum(game.solved for game in games) / len(games)


@pytest.mark.parametrize("dialect", ["new", "classic"])
@pytest.mark.parametrize("kind", KINDS)
def test_strong_does_every_task_in_both_dialects_and_says_so(kind: str, dialect: str) -> None:
    for task in tasks(kind, 6):
        game = Game(task, world=world(dialect))
        assert game.play(strong())[-1] == "task completed", task
        assert game.solved, task


def test_weak_does_some_tasks() -> None:
    assert 0.3 < success(weak, 8) < 1


@pytest.mark.parametrize("level", [weak, strong, fallible])
@pytest.mark.parametrize(
    "blank", ["", *(pytest.param(each, marks=pytest.mark.slow) for each in ("(nothing)", "Nothing happens."))]
)
def test_blanked_observations_drop_success_to_the_floor(level: Callable[[], Simulated], blank: str) -> None:
    assert success(level, 4, lambda _: blank) == 0


@LEVELS
def test_a_plan_does_the_task_when_each_step_is_done(level: Callable[[], Simulated]) -> None:
    for kind in KINDS:
        game = Game(tasks(kind, 1)[0])
        for step in steps_in(game.plan(level())):
            if game.play(strong() if "find" in step else level(), step, stated=True)[-1] != "task completed":
                break
        assert game.solved, kind


def test_weak_forgets_what_it_holds_before_a_door() -> None:
    game = next(game for game in map(Game, tasks("cool")) if game.state.opening.goal.endswith("microwave"))
    actions = game.play(weak())
    assert not game.solved
    assert actions.count("open microwave 1") == 1
    assert not any(action.startswith("move ") for action in actions)


@LEVELS
def test_given_the_last_action_all_levels_put_the_object_behind_a_door(level: Callable[[], Simulated]) -> None:
    game = next(game for game in map(Game, tasks("cool")) if game.state.opening.goal.endswith("microwave"))
    take, treat, put = steps_in(game.plan(strong()))
    game.play(strong(), take)
    game.play(level(), treat, stated=True)
    assert game.play(level(), put, stated=True)[:2] == ["go to microwave 1", "open microwave 1"]
    assert game.solved


@LEVELS
def test_no_form_of_a_goal_makes_them_look_what_they_hold(level: Callable[[], Simulated]) -> None:
    task = next(task for task in tasks("cool") if Game(task).state.opening.goal.endswith("microwave"))
    put = steps_in(Game(task).plan(strong()))[-1]
    assert put.startswith("put the cool ")
    asked = (put, put.replace("the cool", "a cool", 1), "")
    actions = [Game(task).play(level(), goal) for goal in asked]
    assert actions[0] == actions[1] == actions[2]
    assert "inventory" not in actions[0]


@pytest.mark.parametrize("said", ["put the {} in/on the microwave", "put some {} in microwave"])
def test_a_player_that_finds_nothing_looks_at_its_hands_before_it_gives_up(said: str) -> None:
    game = next(game for game in map(Game, tasks("cool")) if game.state.opening.goal.endswith("microwave"))
    take, _, put = steps_in(game.plan(strong()))
    game.play(strong(), take, stated=True)
    actions = game.play(strong(), said.format(put.split()[3]), calls=80)
    assert actions[actions.index("inventory") + 1] == "go to microwave 1"
    assert actions[-1] == "task completed"


@LEVELS
def test_all_levels_plan_alike_given_instructions(level: Callable[[], Simulated]) -> None:
    for kind in KINDS:
        game = Game(tasks(kind, 1)[0])
        assert game.plan(level()) == game.plan(strong())


def with_a_toaster() -> list[str]:
    """Tasks to heat something, in rooms with something else that looks hot."""
    rooms = [task for task in tasks("heat") if "toaster" in Game(task).state.opening.setting]
    return [task for task in rooms if Game(task).play(misled())[-1] == "task completed"][:6]


def test_without_a_word_about_it_the_misled_heat_with_a_toaster() -> None:
    for task in with_a_toaster():
        plain, shown = (Game(task, text).play(misled()) for text in (INSTRUCTIONS, f"{INSTRUCTIONS}\n\n{SKILLS}"))
        assert next(action for action in plain if "heat " in action).endswith("with toaster 1")
        assert not any("heat " in action and "microwave" not in action for action in shown)


def test_without_a_word_about_it_weak_never_heats_anything() -> None:
    for task in with_a_toaster():
        game = Game(task, INSTRUCTIONS)
        game.play(weak())
        assert not game.solved


def test_a_sentence_of_a_plan_is_enough_to_be_corrected() -> None:
    text = "Take the object and go to a microwave; heat the object with the microwave while you hold it; put it down."
    for task in with_a_toaster():
        actions = Game(task, f"{INSTRUCTIONS}\n\n{text}").play(misled())
        assert not any("heat " in action and "microwave" not in action for action in actions)
        assert not any("move" in action and action.endswith("microwave 1") for action in actions)


def test_the_world_s_own_words_correct_too() -> None:
    def refused(task: str, *, causes: bool) -> int:
        actions = Game(task, INSTRUCTIONS, world=world(causes=causes)).play(misled())
        return sum("heat " in action for action in actions) - 1

    for task in with_a_toaster():
        assert 0 < refused(task, causes=True) <= refused(task, causes=False)


def test_the_seed_varies_where_one_looks_at_a_temperature_above_0() -> None:
    def played(temperature: float, seed: int) -> tuple[str, ...]:
        return tuple(Game(tasks("pick", 3)[2], sampling=Sampling(temperature=temperature, seed=seed)).play(strong()))

    assert len({played(0.0, seed) for seed in range(6)}) == 1
    assert len({played(1.0, seed) for seed in range(6)}) > 1
    assert played(1.0, 3) == played(1.0, 3)
