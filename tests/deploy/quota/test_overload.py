"""Refusals: which follow the number of calls in flight, and which come at any number."""

import pytest

from quintet.quota.overload import OverloadDetector


def made(detector: OverloadDetector, load: int, calls: int, refused: int) -> None:
    for number in range(calls):
        detector.started(load).ended(refused=number % calls < refused)


@pytest.mark.parametrize(
    ("fewer", "here", "follow"),
    [
        pytest.param((0, 0), (16, 2), False, id="a few, and nothing is known of fewer calls"),
        pytest.param((0, 0), (7, 7), False, id="too few calls to tell"),
        pytest.param((0, 0), (8, 8), True, id="all of the latest"),
        pytest.param((200, 20), (200, 24), False, id="as many as with fewer calls"),
        pytest.param((200, 0), (200, 24), True, id="clearly more than with fewer calls"),
        pytest.param((200, 0), (200, 4), False, id="more by chance"),
        pytest.param((200, 200), (200, 200), True, id="all of them, with any number"),
    ],
)
def test_refusals_follow_the_load(fewer: tuple[int, int], here: tuple[int, int], follow: bool) -> None:
    detector = OverloadDetector()
    made(detector, 10, *fewer)
    made(detector, 20, *here)
    assert detector.is_overload(20) == follow


def test_calls_in_flight_count_as_answered() -> None:
    detector = OverloadDetector()
    for number in range(100):
        counted = detector.started(100)
        if number < 10:
            counted.ended(refused=True)
    assert not detector.is_overload(100), "ten of a hundred, though all that have ended"


def test_calls_that_were_not_made_count_for_nothing() -> None:
    detector = OverloadDetector()
    for number in range(1000):
        counted = detector.started(100)
        if number < 10:
            counted.ended(refused=True)
        else:
            counted.dropped()
    assert detector.is_overload(100)


def test_what_happened_before_a_cut_is_not_held_against_the_calls_after_it() -> None:
    detector = OverloadDetector()
    made(detector, 20, 16, 16)
    before = [detector.started(20) for _ in range(8)]
    detector.cut()
    for counted in before:
        counted.ended(refused=True)
    made(detector, 10, 8, 0)
    assert not detector.is_overload(10)


def test_an_endpoint_that_changed_is_noticed() -> None:
    detector = OverloadDetector()
    made(detector, 20, 10_000, 0)
    made(detector, 20, 64, 64)
    assert detector.is_overload(20)
