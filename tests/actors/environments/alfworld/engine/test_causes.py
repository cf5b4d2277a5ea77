"""Why actions are rejected: AutoPlan's Table 6 and what its code tells apart beside it."""

import pytest

from actors.environments.alfworld.games.dialect import CLASSIC
from tests.actors.environments.alfworld.homes import NEVER, begin, home, walk

NO_INDEX = "You miss the index of apple, e.g., apple 1."
NO_BOWL = "You are not carrying bowl 1."
HAND_FULL = ("go to countertop 1", "take knife 1 from countertop 1")


@pytest.mark.parametrize(
    ("before", "action", "causes"),
    [
        (("go to fridge 1",), "take apple from fridge 1", f"{NO_INDEX} fridge 1 is closed."),
        ((), "go to fridge", "You miss the index of fridge, e.g., fridge 1."),
        ((), "take apple 2 from countertop 1", "You are not at countertop 1."),
        ((), "take apple 2 from table 3", "There is no table 3 in this household."),
        (("go to fridge 1",), "take potato 1 from fridge 1", "fridge 1 is closed."),
        (HAND_FULL, "take bowl 1 from countertop 1", "You cannot hold more than one object."),
        (("go to countertop 1",), "move knife 1 to countertop 1", "You are not carrying knife 1."),
        (HAND_FULL, "move knife 1 to cabinet 2", "cabinet 2 is closed. knife 1 does not fit in/on cabinet 2."),
        (HAND_FULL, "heat knife 1 with cabinet 2", "cabinet cannot be used for heating. knife 1 cannot be heated."),
        ((), "go to shelf 1", "shelf 1 cannot be reached."),
        ((), "go to apple 1", "apple 1 is no receptacle."),
        (("go to countertop 1",), "go to cabinet 2", "You are already at cabinet 2."),
        (("go to countertop 1",), "take potato 1 from countertop 1", "potato 1 is not in/on countertop 1."),
        (("go to drawer 1", "open drawer 1"), "take desklamp 1 from drawer 1", "desklamp 1 cannot be taken."),
        (("go to countertop 1",), "open countertop 1", "countertop 1 cannot be opened."),
        (("go to countertop 1",), "close countertop 1", "countertop 1 cannot be closed."),
        (("go to cabinet 1",), "open cabinet 1", "cabinet 1 is already open."),
        (("go to fridge 1",), "close fridge 1", "fridge 1 is already closed."),
        (HAND_FULL, "put knife 1 in/on countertop 1", "Here an object is put down by: move OBJECT to RECEPTACLE."),
        (HAND_FULL, "move knife 1 onto countertop 1", "The form of this action is: move OBJECT to RECEPTACLE."),
        ((), "go fridge 1", "The form of this action is: go to RECEPTACLE."),
        ((), "slice apple 2", "The form of this action is: slice OBJECT with OBJECT."),
        ((), "dance", "dance is no action here."),
        ((), "", "No action was given."),
        (HAND_FULL, "cool bowl 1 with fridge 1", f"You are not at fridge 1. {NO_BOWL} bowl 1 cannot be cooled."),
        (HAND_FULL, "slice bowl 1 with knife 1", "bowl 1 cannot be sliced."),
        ((*HAND_FULL, "go to fridge 1"), "slice apple 2 with knife 1", "apple 2 is not here."),
        ((), "slice apple 2 with bowl 1", f"bowl 1 cannot be used for slicing. {NO_BOWL} apple 2 is not here."),
        ((), "use knife 1", "knife 1 cannot be used."),
        ((), "use fridge 1", "fridge 1 cannot be used."),
        ((), "use desklamp 1", "desklamp 1 is not here."),
        ((), "examine knife 1", "You are not carrying knife 1."),
        ((), "examine fridge 1", "You are not at fridge 1."),
        ((), "examine", "There is no such thing in this household."),
    ],
)  # fmt: skip
def test_the_causes_of_a_rejected_action_are_named(before: tuple[str, ...], action: str, causes: str) -> None:
    state = begin(NEVER, causes=True)
    if before:
        walk(state, *before)
    outcome = state.step(action)
    assert outcome.rejected
    assert outcome.observation == f"Nothing happens. {causes}"


def test_the_classic_dialect_is_told_its_own_form() -> None:
    state = begin(NEVER, dialect=CLASSIC, causes=True)
    assert state.step("move a 1 to b 1").observation == (
        "Nothing happens. Here an object is put down by: put OBJECT in/on RECEPTACLE."
    )


def test_no_rejected_action_is_without_a_cause_and_nothing_is_added_where_none_is_wanted() -> None:
    house = home(NEVER)
    names = (*house.objects, *house.receptacles, "apple", "nothing 9", "")
    verbs = ("go to", "open", "close", "examine", "use", "look", "help", "inventory", "sing")
    pairs = (("take", "from"), ("move", "to"), ("put", "in/on"), ("clean", "with"), ("heat", "with"), ("slice", "with"))
    single = [f"{verb} {name}" for verb in verbs for name in names]
    double = [f"{verb} {name} {word} {other}" for verb, word in pairs for name in names for other in names]
    for before in ((), HAND_FULL, (*HAND_FULL, "go to cabinet 1"), (*HAND_FULL, "go to microwave 1")):
        state, silent = begin(NEVER, causes=True), begin(NEVER)
        if before:
            walk(state, *before)
            walk(silent, *before)
        for action in (*single, *double):
            outcome = state.fork().step(action)
            assert outcome.rejected == (silent.fork().step(action).observation == "Nothing happens.")
            assert not outcome.rejected or outcome.observation.removeprefix("Nothing happens. ").endswith("."), action
            assert outcome.observation != "Nothing happens. "
