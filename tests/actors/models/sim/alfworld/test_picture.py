import pytest

from quintet.models.sim.alfworld.picture import Picture, picture_after
from quintet.models.sim.transcript import Exchange


def after(*steps: tuple[str, str], last: str = "") -> Picture:
    return picture_after(last, [Exchange(action, observation) for action, observation in steps])


@pytest.mark.parametrize("arrival", ["You arrive at desk 1.", "You arrive at loc 24."])
def test_what_is_on_a_place_is_seen_on_arrival(arrival: str) -> None:
    seen = after(("go to desk 1", f"{arrival} On the desk 1, you see a pen 2, and a cd 1."))
    assert (seen.here, seen.contents) == ("desk 1", {"desk 1": ("pen 2", "cd 1")})


def test_a_closed_place_shows_nothing_until_it_is_opened() -> None:
    closed = ("go to safe 1", "You arrive at safe 1. The safe 1 is closed.")
    opened = ("open safe 1", "You open the safe 1. The safe 1 is open. In it, you see nothing.")
    assert (after(closed).closed, after(closed).contents) == ({"safe 1"}, {})
    assert (after(closed, opened).closed, after(closed, opened).contents) == (set(), {"safe 1": ()})


@pytest.mark.parametrize("put", ["You move the pen 2 to the safe 1.", "You put the pen 2 in/on the safe 1."])
def test_what_is_taken_is_held_until_it_is_laid_down(put: str) -> None:
    taken = ("take pen 2 from desk 1", "You pick up the pen 2 from the desk 1.")
    assert after(taken).held == "pen 2"
    laid = after(taken, ("", put))
    assert (laid.held, laid.laid, laid.here) == (None, {("pen 2", "safe 1")}, "safe 1")


def test_heating_undoes_cooling_and_leaves_cleaning() -> None:
    done = [("", f"You {how} the egg 1 using the {place} 1.") for how, place in
            (("clean", "sinkbasin"), ("cool", "fridge"), ("heat", "microwave"))]  # fmt: skip
    assert after(*done).treated == {("clean", "egg 1"), ("heat", "egg 1")}


def test_a_refused_action_may_work_once_the_object_has_moved() -> None:
    refused = ("heat egg 1 with microwave 1", "Nothing happens.")
    assert after(refused).refused == {refused[0]}
    assert after(refused, ("", "You pick up the egg 1 from the microwave 1.")).refused == set()


def test_an_appliance_fails_inside_only_where_the_object_was_in_it() -> None:
    refused = ("heat egg 1 with microwave 1", "Nothing happens. You are not carrying egg 1.")
    assert after(refused).failed_inside == set()
    assert after(("", "You move the egg 1 to the microwave 1."), refused).failed_inside == {"microwave 1"}


def test_the_action_done_last_tells_what_is_held_and_done() -> None:
    seen = after(last="heat egg 1 with microwave 1")
    assert (seen.held, seen.treated, seen.here, seen.arrived) == ("egg 1", {("heat", "egg 1")}, "microwave 1", None)
    assert after(last="look").held is None


@pytest.mark.parametrize(
    "last",
    [
        "Take pen 2 from desk 1.",
        "take pen 2 from desk 1\nIt was answered: You pick up the pen 2 from the desk 1.",
        "take pen 2 from desk 1 (You pick up the pen 2 from the desk 1.)",
    ],
)
def test_its_answer_may_stand_beside_the_action_done_last(last: str) -> None:
    seen = after(last=last)
    assert (seen.held, seen.here, seen.arrived) == ("pen 2", "desk 1", None)


def test_the_answer_to_the_action_done_last_is_read_like_any_other() -> None:
    seen = after(last="inventory\nIt was answered: You are carrying: a pen 2.")
    assert (seen.held, seen.sure) == ("pen 2", True)


@pytest.mark.parametrize(
    ("said", "held"), [("You are carrying: a pen 2.", "pen 2"), ("You are not carrying anything.", None)]
)
def test_the_inventory_makes_sure(said: str, held: str | None) -> None:
    seen = after(("inventory", said))
    assert (seen.held, seen.sure) == (held, True)


def test_actions_alone_tell_nothing() -> None:
    assert after(("take pen 2 from desk 1", ""), ("go to desk 1", "(nothing)")) == Picture()
