"""What actions do; tests/conformance compares it with what the official engine said."""

from random import Random

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, GameDialect
from tests.actors.environments.alfworld.homes import NEVER, OPENING, TWO, begin, home, play, seen


def test_the_opening_lists_what_stands_somewhere() -> None:
    assert begin().opening.observation == f"{OPENING}\n\nYour task is to: heat some apple and put it in fridge."
    assert begin().opening.setting == OPENING
    assert begin().opening.goal == "heat some apple and put it in fridge"


def test_what_was_sliced_heated_and_cleaned_is_described_so() -> None:
    state = begin(NEVER)
    play(state, "go to countertop 1", "take knife 1 from countertop 1")
    assert seen(state, "slice apple 2 with knife 1") == "You sliced the apple 2 with the knife 1."
    # The potato lies in the fridge, but is booked here.
    assert seen(state, "slice potato 1 with knife 1") == "You sliced the potato 1 with the knife 1."
    play(state, "move knife 1 to countertop 1", "go to fridge 1", "open fridge 1", "take potato 1 from fridge 1")
    assert seen(state, "examine potato 1") == "This is a cool sliced potato 1."
    play(state, "go to countertop 1", "move potato 1 to countertop 1", "take apple 2 from countertop 1")
    play(state, "go to microwave 1", "heat apple 2 with microwave 1", "go to sinkbasin 1")
    assert seen(state, "clean apple 2 with sinkbasin 1", "examine apple 2") == "This is a hot and clean sliced apple 2."


@pytest.mark.parametrize("dialect", [CLASSIC, NEW], ids=lambda dialect: dialect.name)
def test_each_dialect_puts_in_its_own_words_only(dialect: GameDialect) -> None:
    own, other = ("put knife 1 in/on countertop 1", "move knife 1 to countertop 1")
    said = "You put the knife 1 in/on the countertop 1."
    if dialect is NEW:
        own, other, said = other, own, "You move the knife 1 to the countertop 1."
    state = begin(dialect=dialect)
    play(state, "go to countertop 1", "take knife 1 from countertop 1")
    assert state.step(other).observation == "Nothing happens."
    assert own in state.admissible()
    assert other not in state.admissible()
    assert seen(state, own) == said


def test_either_put_is_taken_where_that_is_wanted() -> None:
    state = begin(either_put=True)
    play(state, "go to countertop 1", "take knife 1 from countertop 1")
    assert seen(state, "put knife 1 in/on countertop 1") == "You move the knife 1 to the countertop 1."


_NONE = """go|go to|go to |go to shelf 1|go to apple 1|goto fridge 1|Go to fridge 1|go  to fridge 1|go to fridge 1.|
look around|help me|inventory 1|take|take apple 2|take from|take  from |use|examine|examine shelf 1|heat|slice with|
move|move to|open|close|fridge 1|go to spoon |examine spoon|go to fridge 1\x00||\ud800"""


@pytest.mark.parametrize("action", [*_NONE.split("|"), "go to " + "fridge 1" * 2000])
def test_whatever_is_not_exactly_an_action_does_nothing(action: str) -> None:
    state = begin()
    before = state.snapshot()
    outcome = state.step(action)
    assert (outcome.observation, outcome.rejected) == ("Nothing happens.", True)
    assert state.snapshot() == before


def test_blanks_around_an_action_do_not_matter() -> None:
    assert not begin().step("\n  look\t ").rejected


@pytest.mark.parametrize(("goal", "dialect"), [(TWO, CLASSIC), (NEVER, NEW)])
def test_what_is_admissible_is_carried_out_and_nothing_else_is(goal: str, dialect: GameDialect) -> None:
    state = begin(goal, dialect=dialect)
    house = home(goal, dialect=dialect)
    chance = Random(goal)
    names = (*house.objects, *house.receptacles)
    everything = {
        *("look", "inventory", "help"),
        *(f"{verb} {name}" for verb in ("go to", "open", "close", "examine", "use") for name in names),
        *(
            f"{verb} {name} {word} {other}"
            for verb, word in (
                *(("take", "from"), ("put", "in/on"), ("move", "to"), ("clean", "with"), ("heat", "with")),
                *(("cool", "with"), ("slice", "with")),
            )
            for name in names
            for other in names
        ),
    }
    for _ in range(40):
        admissible = state.admissible()
        if not admissible:
            break
        assert {action for action in everything if not state.fork().step(action).rejected} == set(admissible)
        assert list(admissible) == sorted(set(admissible))
        state.step(chance.choice([action for action in admissible if not action.startswith("examine")]))
