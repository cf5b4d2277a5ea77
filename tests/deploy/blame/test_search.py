"""Which places are measured: by bisection, or all of them."""

from collections.abc import Callable
from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from quintet.blame.chances import Chance
from quintet.blame.search import StepSearch, search_step

TIMES = 8


def _play(
    steps: int, chance: Callable[[int], int], *, every_step: bool = False
) -> tuple[StepSearch, dict[int, Chance]]:
    """A search to its end, where so many of eight continuations from each place succeed."""
    found: dict[int, Chance] = {}
    while (made := search_step(steps, found, every_step=every_step)).wanted:
        assert not found.keys() & set(made.wanted), "no place is measured twice"
        found |= {place: Chance(chance(place), TIMES) for place in made.wanted}
    return made, found


@given(st.integers(1, 200), st.data())
def test_bisection_finds_any_step_by_few_places(steps: int, data: st.DataObject) -> None:
    fatal = data.draw(st.integers(1, steps))
    made, found = _play(steps, lambda place: 7 if place < fatal else 0)
    assert made.pair == (fatal - 1, fatal)
    assert len(found) <= 2 + ceil(log2(steps))


@given(st.integers(1, 30), st.data())
def test_all_places_are_measured_on_request_and_the_greatest_fall_is_taken(steps: int, data: st.DataObject) -> None:
    fatal = data.draw(st.integers(1, steps))
    made, found = _play(steps, lambda place: 8 - (place > 0) if place < fatal else 0, every_step=True)
    assert made.pair == (fatal - 1, fatal)
    assert found.keys() == set(range(steps + 1))


@given(st.lists(st.integers(0, TIMES), min_size=2, max_size=40))
def test_whatever_the_chances_a_search_ends_at_neighbours_of_which_the_first_is_high(chances: list[int]) -> None:
    made, found = _play(len(chances) - 1, chances.__getitem__)
    if made.pair is None:
        assert found.keys() == {0, len(chances) - 1}
    else:
        high, low = made.pair
        assert low == high + 1
        assert 2 * chances[high] >= chances[0] + chances[-1] > 2 * chances[low]


def test_where_the_chance_does_not_fall_from_the_start_to_the_end_nothing_is_searched() -> None:
    assert _play(20, lambda _: 8)[1].keys() == {0, 20}
    assert _play(20, lambda place: 3 if place == 0 else 0)[0] == StepSearch(), "three of eight prove nothing"


def test_an_episode_without_a_step_has_one_place() -> None:
    assert _play(0, lambda _: 4) == (StepSearch(), {0: Chance(4, 8)})
