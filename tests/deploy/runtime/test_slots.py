"""Slots: no more than there are, first on the host with the most room, only on living hosts."""

from quintet.ports.transport import HostName
from quintet.runtime.slots import Slots

A, B, C = HostName("a"), HostName("b"), HostName("c")


def test_slots_are_taken_on_the_host_with_the_most_free_ones() -> None:
    slots = Slots({A: 1, B: 3}, set())
    assert [slots.take() for _ in range(5)] == [B, B, A, B, None]
    slots.give_back(A)
    assert slots.take() == A
    assert slots.concurrency == 4


def test_the_slots_of_a_dead_host_are_lost() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 2, B: 2}, lost)
    assert {slots.take(), slots.take()} == {A, B}
    lost.add(A)
    assert (slots.concurrency, slots.living) == (2, [B])
    assert [slots.take(), slots.take()] == [B, None]
    lost.add(B)
    assert (slots.concurrency, slots.living, slots.take()) == (0, [], None)


def test_a_host_without_slots_takes_the_last_one() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 1, B: 0, C: 0}, lost)
    assert [slots.take(), slots.take()] == [A, None]
    lost.add(A)
    slots.give_back(A)
    assert slots.concurrency == 1
    assert [slots.take(), slots.take()] == [B, None]


def test_a_set_concurrency_is_spread_evenly_and_outlives_a_host() -> None:
    lost: set[HostName] = set()
    slots = Slots({A: 1, B: 1, C: 1}, lost)
    slots.concurrency = 5
    assert sorted(slots.take() or "" for _ in range(5)) == [A, A, B, B, C]
    assert slots.take() is None
    lost.add(C)
    assert slots.concurrency == 5
    assert slots.take() is not None
    assert slots.take() is None


def test_after_a_smaller_number_nothing_begins_until_enough_have_left() -> None:
    slots = Slots({A: 4, B: 4}, set())
    taken = [slots.take() for _ in range(8)]
    slots.concurrency = 2
    for _ in range(4):
        slots.give_back(A)
    assert taken.count(B) == 4
    assert slots.take() is None, "four still run on the other host"
    for _ in range(3):
        slots.give_back(B)
    assert slots.take() == A
    assert slots.take() is None
