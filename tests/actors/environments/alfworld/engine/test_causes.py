"""Why actions are rejected: AutoPlan's Table 6 and what its code tells apart beside it."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.alfworld.engine.causes import cause
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.observations import in_sight
from quintet.environments.alfworld.engine.rules import carry_out
from quintet.environments.alfworld.games.dialect import CLASSIC
from tests.actors.environments.alfworld.homes import FACTS, NEVER, begin, home, play

NO_INDEX = "You miss the index of apple, e.g., apple 1."
HANDLED = "fridge 1 is a receptacle, which cannot be handled like that."
NO_BOWL = "You are not carrying bowl 1."
NO_KNIFE = "You are not carrying knife 1."
HAND_FULL = ("go to countertop 1", "take knife 1 from countertop 1")
AT_POTATO = (*HAND_FULL, "go to fridge 1", "open fridge 1")
APPLE = ("go to countertop 1", "take apple 2 from countertop 1")
LAMP = ("go to drawer 1", "open drawer 1", "take desklamp 1 from drawer 1", "go to countertop 1")
LIFTED = f"{FACTS} (pickupable DeskLamp_bar_1)"
"""A lamp that can be carried about."""


@pytest.mark.parametrize(
    ("before", "action", "causes"),
    [
        (("go to fridge 1",), "take apple from fridge 1", f"{NO_INDEX} fridge 1 is closed."),
        ((), "go to fridge", "You miss the index of fridge, e.g., fridge 1."),
        ((), "take apple 2 from countertop 1", "You are not at countertop 1."),
        ((), "take apple 2 from table 3", "There is no receptacle table 3 in this household."),
        (("go to fridge 1",), "take potato 1 from fridge 1", "fridge 1 is closed."),
        (HAND_FULL, "take bowl 1 from countertop 1", "You cannot hold more than one object."),
        (("go to countertop 1",), "move knife 1 to countertop 1", NO_KNIFE),
        (HAND_FULL, "move knife 1 to cabinet 2", "cabinet 2 is closed. knife 1 does not fit in/on cabinet 2."),
        (HAND_FULL, "heat knife 1 with cabinet 2", "cabinet cannot be used for heating. knife 1 cannot be heated."),
        ((), "go to shelf 1", "There is no receptacle shelf 1 in this household."),
        ((), "go to apple 1", "There is no receptacle apple 1 in this household."),
        (("go to countertop 1",), "go to cabinet 2", "You are already at cabinet 2."),
        (("go to countertop 1",), "take potato 1 from countertop 1", "potato 1 is not in/on countertop 1."),
        (("go to countertop 1",), "open countertop 1", "countertop 1 cannot be opened."),
        (("go to countertop 1",), "close countertop 1", "countertop 1 cannot be closed."),
        (("go to cabinet 1",), "open cabinet 1", "cabinet 1 is already open."),
        (("go to fridge 1",), "close fridge 1", "fridge 1 is already closed."),
        (HAND_FULL, "put knife 1 in/on countertop 1", "Here an object is put down by: move OBJECT to RECEPTACLE."),
        (HAND_FULL, "move knife 1 onto countertop 1", "The form of this action is: move OBJECT to RECEPTACLE."),
        ((), "go fridge 1", "The form of this action is: go to RECEPTACLE."),
        ((), "slice apple 2", "The form of this action is: slice OBJECT with OBJECT."),
        ((), "look around", "The form of this action is: look."),
        ((), "inventory please", "The form of this action is: inventory."),
        ((), "help me", "The form of this action is: help."),
        ((), "dance", "dance is no action here."),
        ((), "", "No action was given."),
        ((), "take bowl 1 from cabinet 1", "You are not at cabinet 1."),
        ((), "open cabinet 1", "You are not at cabinet 1."),
        ((), "close fridge 1", "You are not at fridge 1."),
        (("go to countertop 1",), "take apple 1 from cabinet 2", "cabinet 2 is closed."),
        (HAND_FULL, "move knife 1 to fridge 1", "You are not at fridge 1. knife 1 does not fit in/on fridge 1."),
        ((), "move bowl 1 to cabinet 1", f"{NO_BOWL} You are not at cabinet 1."),
        (HAND_FULL, "cool bowl 1 with fridge 1", f"You are not at fridge 1. {NO_BOWL}"),
        (HAND_FULL, "slice bowl 1 with knife 1", "bowl 1 cannot be sliced."),
        (HAND_FULL, "slice cup 1 with knife 1", "cup 1 cannot be seen here."),
        (HAND_FULL, "slice knife 1 with knife 1", "knife 1 cannot be sliced."),
        ((*HAND_FULL, "go to fridge 1"), "slice apple 2 with knife 1", "apple 2 cannot be seen here."),
        ((), "slice apple 2 with bowl 1", f"{NO_BOWL} apple 2 cannot be seen here."),
        (AT_POTATO, "slice potato 1 with knife 1", "potato 1 cannot be sliced here."),
        (APPLE, "slice apple 2 with knife 1", f"{NO_KNIFE} apple 2 is in your hand, and must be put down to slice it."),
        ((), "use knife 1", "knife 1 cannot be seen here."),
        (("go to countertop 1",), "use knife 1", "knife 1 cannot be used."),
        ((), "use fridge 1", "fridge 1 cannot be used."),
        ((), "use desklamp 1", "desklamp 1 cannot be seen here."),
        (LAMP, "use desklamp 1", "desklamp 1 is in your hand, and must be put down to use it."),
        ((), "examine knife 1", NO_KNIFE),
        ((), "examine fridge 1", "You are not at fridge 1."),
        ((), "examine cup 1", "You are not carrying cup 1."),
        ((), "examine fridge 2", "There is no receptacle fridge 2 in this household."),
        (("go to countertop 1",), "take cup 1 from countertop 1", "cup 1 is not in/on countertop 1."),
        ((), "examine apple", NO_INDEX),
        ((), "examine", "The form of this action is: examine OBJECT or RECEPTACLE."),
        ((), "examine the fridge 1", "The form of this action is: examine OBJECT or RECEPTACLE."),
        ((), "use", "The form of this action is: use OBJECT."),
        ((), "open ", "The form of this action is: open RECEPTACLE."),
        ((), "go to the fridge 1", "The form of this action is: go to RECEPTACLE."),
        ((), "take the apple 1 from fridge 1", "The form of this action is: take OBJECT from RECEPTACLE."),
        ((), "take apple 1 from the fridge", "The form of this action is: take OBJECT from RECEPTACLE."),
        ((), "take fridge 1 from apple 1", f"{HANDLED} There is no receptacle apple 1 in this household."),
    ],
)  # fmt: skip
def test_the_causes_of_a_rejected_action_are_named(before: tuple[str, ...], action: str, causes: str) -> None:
    state = begin(NEVER, causes=True, facts=LIFTED)
    if before:
        play(state, *before)
    outcome = state.step(action)
    assert outcome.rejected
    assert outcome.observation == f"Nothing happens. {causes}"


def test_causes_in_the_classic_dialect_state_its_own_forms() -> None:
    house = home(NEVER, dialect=CLASSIC)
    assert cause(house, house.begin, "move a 1 to b 1") == (
        "Here an object is put down by: put OBJECT in/on RECEPTACLE."
    )
    assert cause(house, house.begin, "help me") == "help is no action here."


HOME = home(NEVER, facts=LIFTED)
NAMES = (*HOME.objects, *HOME.receptacles, "apple", "nothing 9", "the apple 1", "fridge 7", "")
VERBS = ("go to", "go", "open", "close", "examine", "use", "look", "help", "inventory", "sing")
PAIRS = (
    *(("take", "from"), ("take", "of"), ("move", "to"), ("put", "in/on"), ("clean", "with"), ("heat", "with")),
    *(("cool", "with"), ("slice", "with")),
)
ACTIONS = (
    *("", *(f"{verb} {name}".strip() for verb, name in product(VERBS, NAMES))),
    *(f"{verb} {one} {word} {other}".strip() for (verb, word), one, other in product(PAIRS, NAMES, NAMES)),
)
PLACES = (
    *((), ("go to countertop 1",), HAND_FULL, APPLE, LAMP, ("go to cabinet 1",), ("go to fridge 1",)),
    *(AT_POTATO, (*HAND_FULL, "go to microwave 1")),
    (*APPLE, "open cabinet 2", "move apple 2 to cabinet 2", "close cabinet 2"),
)


def after(*actions: str) -> HouseholdState:
    now = HOME.begin
    for action in actions:
        done = carry_out(HOME, now, action)
        assert done is not None, action
        now = done.now
    return now


@cache
def causes(now: HouseholdState) -> dict[str, str]:
    """By rejected action, why."""
    return {action: cause(HOME, now, action) for action in ACTIONS if carry_out(HOME, now, action) is None}


@st.composite
def rearranged(draw: st.DrawFn, now: HouseholdState) -> HouseholdState:
    """The same situation, with other things in receptacles that cannot be looked into from here, and other doors."""
    seen = in_sight(HOME, now) | {thing for thing, _ in now.taken}
    hidden = st.frozensets(st.sampled_from(sorted(set(range(len(HOME.objects))) - seen)))
    contents, beside, opened = list(now.contents), list(now.beside), set(now.opened)
    for receptacle in range(len(HOME.receptacles)):
        if not HOME.is_here(now, receptacle):
            contents[receptacle] = tuple(sorted(draw(st.frozensets(st.sampled_from(range(len(HOME.objects)))))))
            opened ^= {receptacle} if receptacle in HOME.openable and draw(st.booleans()) else set()
        elif not HOME.stands_open(now, receptacle):
            contents[receptacle] = tuple(sorted(draw(hidden)))
    for place in range(len(HOME.places)):
        beside[place] = tuple(sorted(draw(hidden) | (set(beside[place]) & seen)))
    return replace(now, contents=tuple(contents), beside=tuple(beside), opened=frozenset(opened))


@pytest.mark.parametrize("before", PLACES, ids=lambda before: before[-1] if before else "at the beginning")
@given(data=st.data())
@settings(max_examples=settings().max_examples // 5)
def test_causes_tell_nothing_of_what_is_far_away_or_behind_a_door(before: tuple[str, ...], data: st.DataObject) -> None:
    now = after(*before)
    assert all(causes(now).values())  # every rejected action has some
    other = data.draw(rearranged(now))
    for action, text in causes(now).items():
        if carry_out(HOME, other, action) is None:
            assert cause(HOME, other, action) == text, action


@pytest.mark.parametrize("form", ["{}", "go to {}", "use {}", "take {} from {}", "take apple 1 from {}", "look {}"])
@given(text=st.text(max_size=80) | st.text(alphabet="\x00\x1b\u202e\U000e0001\ud800", min_size=200, max_size=400))
def test_what_is_echoed_is_short_and_printable(form: str, text: str) -> None:
    explanation = cause(HOME, HOME.begin, form.format(text, text))
    assert len(explanation) < 300
    assert explanation.isprintable()


def test_a_long_or_coloured_action_is_clipped_and_escaped() -> None:
    assert cause(HOME, HOME.begin, "x" * 9000) == f"{'x' * 57}... is no action here."
    assert cause(HOME, HOME.begin, f"go to {'x' * 41}") == "The form of this action is: go to RECEPTACLE."
    assert cause(HOME, HOME.begin, "\x1b[31mred\n") == "\\x1b[31mred\\n is no action here."
