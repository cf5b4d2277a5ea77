from collections import Counter
from collections.abc import Collection, Mapping

import pytest

from quintet.models.sim.textcraft.book import Book, CraftCommand, read_book
from quintet.models.sim.textcraft.crafting import OutOfReachError, Workshop, command_for
from quintet.models.sim.textcraft.task import CraftGoal

BOOK = read_book(
    """craft 4 oak planks using 1 oak logs
craft 4 stick using 2 oak planks
craft 3 oak sign using 6 oak planks, 1 stick
craft 1 beehive using 6 planks, 3 honeycomb
craft 4 birch planks using 1 birch logs"""
)


def have(
    item: str,
    count: int,
    *,
    book: Book = BOOK,
    carried: Mapping[str, int] | None = None,
    not_found: Collection[str] = (),
    refused: Collection[str] = (),
) -> list[str]:
    workshop = Workshop(book, Counter(carried or {}), not_found, refused)
    return [str(job) for job in workshop.have(item, count)]


def test_what_is_carried_needs_no_job() -> None:
    assert have("oak planks", 4, carried={"oak planks": 4}) == []


def test_what_no_command_makes_is_fetched() -> None:
    assert have("honeycomb", 3, carried={"honeycomb": 1}) == ["get 2 honeycomb"]


def test_a_command_is_carried_out_as_often_as_it_takes() -> None:
    assert have("oak planks", 6) == ["get 2 oak logs", *["craft 4 oak planks using 1 oak logs"] * 2]
    assert have("oak planks", 6, carried={"oak planks": 2}) == ["get 1 oak logs", "craft 4 oak planks using 1 oak logs"]


def test_nothing_is_counted_twice() -> None:
    jobs = have("oak sign", 1, carried={"oak planks": 6})
    assert jobs == [
        "get 1 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "craft 4 stick using 2 oak planks",
        "craft 3 oak sign using 6 oak planks, 1 stick",
    ]


def test_left_overs_are_used() -> None:
    assert have("oak sign", 1).count("craft 4 oak planks using 1 oak logs") == 2


def test_a_kind_is_filled_with_what_is_carried() -> None:
    assert have("beehive", 1, carried={"birch planks": 6, "honeycomb": 3}) == [
        "craft 1 beehive using 6 birch planks, 3 honeycomb"
    ]
    assert have("planks", 5, carried={"birch planks": 5}) == []


def test_doing_the_first_job_leaves_the_others() -> None:
    carried: dict[str, int] = {}
    jobs = have("oak sign", 1)
    for done, job in enumerate(jobs):
        assert have("oak sign", 1, carried=carried) == jobs[done:]
        _do(job, carried)
    assert have("oak sign", 1, carried=carried) == []


def _do(job: str, carried: dict[str, int]) -> None:
    made, _, used = job.removeprefix("get ").removeprefix("craft ").partition(" using ")
    for sign, part in ((1, made), *((-1, part) for part in used.split(", ") if part)):
        count, item = part.split(" ", 1)
        carried[item] = carried.get(item, 0) + sign * int(count)


def test_what_is_known_not_to_be_found_is_out_of_reach() -> None:
    with pytest.raises(OutOfReachError, match="honeycomb"):
        have("beehive", 1, not_found={"honeycomb"})


def test_another_member_is_taken_when_a_filling_is_refused() -> None:
    jobs = have("beehive", 1, refused={"craft 1 beehive using 6 oak planks, 3 honeycomb"})
    assert jobs[-1] == "craft 1 beehive using 6 birch planks, 3 honeycomb"


def test_a_command_that_is_refused_in_every_way_is_out_of_reach() -> None:
    with pytest.raises(OutOfReachError, match="oak planks"):
        have("oak planks", 1, refused={"craft 4 oak planks using 1 oak logs"})


def test_a_circle_is_out_of_reach() -> None:
    with pytest.raises(OutOfReachError):
        have("a", 1, book=read_book("craft 1 a using 1 b\ncraft 1 b using 1 a"))


def test_work_without_end_is_given_up() -> None:
    doubling = read_book("\n".join(f"craft 1 i{n} using 1 i{n - 1}, 1 i{n - 1}" for n in range(1, 25)))
    with pytest.raises(OutOfReachError):
        have("i24", 1, book=doubling)
    with pytest.raises(OutOfReachError):
        have("oak planks", 999_999)


WOOL = read_book(
    """craft 1 red wool using 1 red dye, 1 white wool
craft 1 white wool using 4 string
craft 1 blue wool using 1 ink, 1 white wool
craft 1 red dye using 1 poppy
craft 1 poppy using 1 seed
craft 1 painting using 8 stick, 1 wool
craft 4 stick using 2 wood
craft 1 stick using 2 bamboo
craft 1 bed using 3 wool"""
)


def test_a_goal_is_crafted_by_the_shortest_chain() -> None:
    book = read_book("craft 4 torch using 1 coal\ncraft 4 coal using 1 log\ncraft 1 torch using 1 lamp oil")
    assert command_for(book, CraftGoal(craft=True, item="torch", count=1)).needs == (("lamp oil", 1),)


def test_the_prescribed_ingredients_decide_and_the_command_gives_the_count() -> None:
    goal = CraftGoal(craft=True, item="stick", count=1, needs=(("wood", 2),))
    assert command_for(WOOL, goal) == CraftCommand("stick", 4, (("wood", 2),))


def test_a_prescribed_member_is_meant_by_its_kind() -> None:
    goal = CraftGoal(craft=True, item="painting", count=1, needs=(("stick", 8), ("red wool", 1)))
    assert command_for(WOOL, goal) == CraftCommand("painting", 1, goal.needs)


def test_a_refused_command_gives_way_to_the_next() -> None:
    goal = CraftGoal(craft=True, item="stick", count=1)
    first = command_for(WOOL, goal)
    second = command_for(WOOL, goal, refused={str(first)})
    assert {first, second} == set(WOOL.commands["stick"])
    with pytest.raises(OutOfReachError, match="stick"):
        command_for(WOOL, goal, refused={str(first), str(second)})


def test_a_kind_is_crafted_as_its_easiest_member() -> None:
    assert command_for(WOOL, CraftGoal(craft=True, item="wool", count=1)).makes == "white wool"


def test_what_no_command_makes_cannot_be_crafted() -> None:
    with pytest.raises(OutOfReachError, match="seed"):
        command_for(WOOL, CraftGoal(craft=True, item="seed", count=1))
