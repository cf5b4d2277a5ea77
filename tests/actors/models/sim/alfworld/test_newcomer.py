"""The level without common sense of places: the order in which it searches, and what tells it better."""

import pytest

from quintet.messages.execution import Turn
from quintet.messages.parts import Demonstrations, PromptPart, Reflections, TaskPlan
from quintet.messages.prompts import Prompt, system, user
from quintet.models.sim.model import Simulated, newcomer, strong
from quintet.roles.conversations import Conversations
from tests.actors.models.sim.alfworld.playing import INSTRUCTIONS, Game, tasks
from tests.actors.models.sim.answers import action_in, said, steps_in

ROOM = (
    "You are in the middle of a room. Looking quickly around you, you see a bed 1, a drawer 2, a drawer 1, a shelf 1."
)
GOAL = "put a mug in shelf"


def first(model: Simulated, *parts: PromptPart, turns: tuple[Turn, ...] = ()) -> str:
    conversations = Conversations()
    opening = conversations.opening(INSTRUCTIONS, ROOM, GOAL, parts)
    return action_in(said(model, conversations.after(opening, turns)))


def test_it_searches_in_the_order_in_which_the_room_lists_its_places() -> None:
    actions, observed = list[str](), list[Turn]()
    for _ in range(4):
        actions.append(first(newcomer(), turns=tuple(observed)))
        place = actions[-1].removeprefix("go to ")
        observed.append(Turn(completion=f"Action: {actions[-1]}", observation=f"On the {place}, you see nothing."))
    assert actions == ["go to bed 1", "go to drawer 2", "go to drawer 1", "go to shelf 1"]
    assert first(strong()) == "go to shelf 1"


@pytest.mark.parametrize(
    "part",
    [
        TaskPlan(text="1. A mug is usually in a drawer. Take it."),
        Reflections(texts=("I found the mug 1 in the drawer 3.",)),
        Demonstrations(text="Action: go to drawer 4\nOn the drawer 4, you see a mug 1."),
    ],
)
def test_a_text_that_shows_such_a_thing_in_a_place_tells_it_where_to_look(part: PromptPart) -> None:
    assert first(newcomer(), part) == "go to drawer 2"
    assert first(strong(), part) == "go to shelf 1"


def test_recalled_examples_tell_it_as_other_texts_do_and_those_about_other_things_do_not() -> None:
    def shown(thing: str) -> str:
        example = f"1. Observation: In the drawer 1, you see a {thing} 1.\nAction: take {thing} 1 from drawer 1"
        text = f"{ROOM}\n\nGoal: {GOAL}.\n\nExamples:\n\n{example}"
        return action_in(said(newcomer(), Prompt(system(INSTRUCTIONS), user(text))))

    assert shown("mug") == "go to drawer 2"
    assert shown("pen") == "go to bed 1"


def test_its_plans_name_the_kinds_of_places_in_the_same_order() -> None:
    goal = "find and take a mug"
    form = system("Step 1: what to do\nExecution Order: (Step 1 OR Step 2)")
    plan = said(newcomer(), Prompt(form, user(f"{ROOM}\n\nGoal: {goal}.")))
    assert steps_in(plan) == [f"find and take the mug from the {kind}" for kind in ("bed", "drawer", "shelf")] or (
        steps_in(plan) == [f"{goal} from the {kind}" for kind in ("bed", "drawer", "shelf")]
    )


@pytest.mark.parametrize("kind", ["heat", "pick", "look"])
def test_it_does_what_the_strong_level_does_only_later(kind: str) -> None:
    for task in tasks(kind, 3):
        game, other = Game(task, shown=INSTRUCTIONS), Game(task, shown=INSTRUCTIONS)
        game.play(newcomer(), calls=150)
        assert game.solved
        other.play(strong())
        assert other.solved
