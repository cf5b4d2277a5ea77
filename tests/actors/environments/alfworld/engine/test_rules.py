"""What actions do, in the words of the official engine."""

from random import Random

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, GameDialect
from tests.actors.environments.alfworld.homes import HEAT, LOOK, NEVER, OPENING, TWO, begin, home, play, seen


def test_the_opening_lists_what_stands_somewhere() -> None:
    assert begin().opening.observation == f"{OPENING}\n\nYour task is to: heat some apple and put it in fridge."
    assert begin().opening.setting == OPENING
    assert begin().opening.goal == "heat some apple and put it in fridge"


def test_away_from_everything_there_is_nothing_to_see() -> None:
    assert seen(begin(), "look") == ("You are in the middle of a room. Looking quickly around you, you see nothing.")


def test_one_arrives_at_what_was_named_or_at_its_place() -> None:
    assert seen(begin(), "go to microwave 1") == "You arrive at microwave 1. The microwave 1 is closed."
    assert seen(begin(dialect=CLASSIC), "go to microwave 1") == "You arrive at loc 5. The microwave 1 is closed."


def test_receptacles_that_share_a_place_are_faced_together() -> None:
    state = begin()
    assert seen(state, "go to countertop 1", "look") == (
        "You are facing the cabinet 2, and countertop 1. Next to it, you see nothing."
    )
    assert state.step("go to cabinet 2").rejected
    assert seen(state, "examine cabinet 2") == "The cabinet 2 is closed."


def test_what_was_taken_from_one_of_two_receptacles_is_still_in_the_other() -> None:
    state = begin()
    play(state, "go to cabinet 1", "take apple 2 from cabinet 1")
    assert seen(state, "go to countertop 1") == (
        "You arrive at countertop 1. On the countertop 1, you see a apple 2, a bowl 1, a keychain 1, and a knife 1."
    )


def test_what_changed_its_receptacle_at_one_place_lies_beside_it() -> None:
    state = begin()
    play(state, "go to countertop 1", "open cabinet 2", "take bowl 1 from countertop 1")
    assert seen(state, "look") == "You are facing the cabinet 2, and countertop 1. Next to it, you see nothing."
    assert seen(state, "move bowl 1 to cabinet 2", "look") == (
        "You are facing the cabinet 2, and countertop 1. Next to it, you see a bowl 1."
    )
    play(state, "take bowl 1 from cabinet 2", "move bowl 1 to countertop 1")
    assert "a bowl 1" in seen(state, "look")
    play(state, "take bowl 1 from countertop 1", "move bowl 1 to cabinet 2")
    assert state.step("look").observation.count("bowl 1") == 1


def test_doors_open_and_close() -> None:
    state = begin()
    assert seen(state, "go to fridge 1", "open fridge 1") == (
        "You open the fridge 1. The fridge 1 is open. In it, you see a potato 1."
    )
    assert state.step("open fridge 1").rejected
    assert seen(state, "close fridge 1") == "You close the fridge 1."
    assert state.step("take potato 1 from fridge 1").rejected


def test_one_hand_holds_one_thing() -> None:
    state = begin()
    assert seen(state, "inventory") == "You are not carrying anything."
    assert seen(state, "go to countertop 1", "take knife 1 from countertop 1") == (
        "You pick up the knife 1 from the countertop 1."
    )
    assert seen(state, "inventory") == "You are carrying: a knife 1."
    assert state.step("take bowl 1 from countertop 1").rejected


def test_a_closed_appliance_heats_and_what_it_heated_stays_in_the_hand() -> None:
    state = begin()
    play(state, "go to countertop 1", "take apple 2 from countertop 1", "go to microwave 1")
    assert seen(state, "heat apple 2 with microwave 1") == "You heat the apple 2 using the microwave 1."
    assert seen(state, "examine apple 2") == "This is a hot apple 2."
    assert seen(state, "go to fridge 1", "cool apple 2 with fridge 1") == "You cool the apple 2 using the fridge 1."
    assert seen(state, "examine apple 2") == "This is a cold apple 2."
    assert seen(state, "go to sinkbasin 1", "clean apple 2 with sinkbasin 1") == (
        "You clean the apple 2 using the sinkbasin 1."
    )
    assert seen(state, "examine apple 2") == "This is a cool and clean apple 2."
    assert seen(state, "go to microwave 1", "heat apple 2 with microwave 1", "examine apple 2") == (
        "This is a hot and clean apple 2."
    )


def test_only_what_is_in_the_hand_can_be_examined_though_the_domain_means_more() -> None:
    state = begin()
    play(state, "go to countertop 1")
    assert state.step("examine bowl 1").rejected
    assert seen(state, "take bowl 1 from countertop 1", "examine bowl 1") == (
        "This is a normal bowl 1. In it, you see a keychain 1."
    )


def test_a_lamp_in_a_closed_drawer_is_turned_on_and_never_off() -> None:
    state = begin()
    play(state, "go to drawer 1")
    for _ in range(2):
        assert seen(state, "use desklamp 1") == "You turn on the desklamp 1."


def test_slicing_takes_a_knife_and_what_is_booked_at_the_place() -> None:
    state = begin(NEVER)
    play(state, "go to countertop 1", "take knife 1 from countertop 1")
    assert seen(state, "slice apple 2 with knife 1") == "You sliced the apple 2 with the knife 1."
    # The potato lies in the fridge, but is booked here.
    assert seen(state, "slice potato 1 with knife 1") == "You sliced the potato 1 with the knife 1."
    play(state, "move knife 1 to countertop 1", "go to fridge 1", "open fridge 1", "take potato 1 from fridge 1")
    assert seen(state, "examine potato 1") == "This is a cool sliced potato 1."
    play(state, "go to countertop 1", "move potato 1 to countertop 1", "take apple 2 from countertop 1")
    assert seen(state, "examine apple 2") == "This is a sliced apple 2."
    play(state, "go to microwave 1", "heat apple 2 with microwave 1")
    assert seen(state, "examine apple 2") == "This is a hot sliced apple 2."
    play(state, "go to sinkbasin 1", "clean apple 2 with sinkbasin 1")
    assert seen(state, "examine apple 2") == "This is a hot and clean sliced apple 2."


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


def test_only_the_new_dialect_helps() -> None:
    assert seen(begin(), "help").startswith("Available commands:\n  look: ")
    assert begin(dialect=CLASSIC).step("help").rejected


@pytest.mark.parametrize(
    "action",
    [
        *("", " ", "go", "go to", "go to ", "go to shelf 1", "go to apple 1", "goto fridge 1", "Go to fridge 1"),
        *("go  to fridge 1", "go to fridge 1.", "go to fridge 1\x00", "look around", "help me", "inventory 1", "take"),
        *(
            "take apple 2",
            "take from",
            "take  from ",
            "use",
            "examine",
            "examine shelf 1",
            "heat",
            "slice with",
            "move",
        ),
        *(
            "move to",
            "open",
            "close",
            "fridge 1",
            "go to " + "fridge 1" * 2000,
            "go to spoon ",
            "examine spoon",
            "\ud800",
        ),
    ],
)
def test_whatever_is_not_exactly_an_action_does_nothing(action: str) -> None:
    state = begin()
    before = state.snapshot()
    outcome = state.step(action)
    assert (outcome.observation, outcome.rejected) == ("Nothing happens.", True)
    assert state.snapshot() == before


def test_blanks_around_an_action_do_not_matter() -> None:
    assert not begin().step("\n  look\t ").rejected


@pytest.mark.parametrize("goal", [HEAT, LOOK, TWO, NEVER])
@pytest.mark.parametrize("dialect", [CLASSIC, NEW], ids=lambda dialect: dialect.name)
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
