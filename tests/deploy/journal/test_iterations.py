"""A learner's iterations, read from its records."""

from collections.abc import Iterator

import msgspec
import pytest

from quintet.events import AnyEvent, Decided, Exchanged, Published, Record
from quintet.journal.iterations import IterationRecord, JobReflection, iteration_records
from quintet.messages.message import Message
from quintet.messages.paths import LEARNER, child
from quintet.messages.planning import PlanFailed
from quintet.messages.reflection import Reflected, ReflectionFailed


def _records(*events: AnyEvent) -> Iterator[Record]:
    # In another order than that of the conversation.
    return (Record(event=event, incarnation=1) for event in reversed(events))


def _published(place: int, version: int) -> Published:
    return Published(path=child(LEARNER, place), version=version, content="")


def _attempt(place: int, number: int, answer: str = "0") -> Decided:
    return Decided(path=child(child(LEARNER, place), number), question="attempt", answer=answer)


def _answered(place: int, request: str, reply: Message, subject: str = "") -> Exchanged:
    said = msgspec.json.encode(reply).decode()
    return Exchanged(path=child(LEARNER, place), request=request, subject=subject, reply=said)


def test_an_iteration_is_what_happened_between_two_versions() -> None:
    found = iteration_records(
        _records(
            _attempt(1, 1, "7"),
            _published(2, 0),
            _attempt(3, 1),
            _attempt(3, 2, "1"),
            _answered(4, "reflect", Reflected(summary="It dug."), "stick"),
            _answered(5, "reflect", ReflectionFailed(reason="mute"), "torch"),
            _answered(6, "revise_plan", PlanFailed(reason="no text")),
            _published(10, 1),
            _attempt(11, 1, '"mine"'),
        )
    )
    reflections = JobReflection("stick", "It dug."), JobReflection("torch", failed="mute")
    assert found == {
        1: IterationRecord(reflections, revised=True, failed="no text", collected=True, attempts=frozenset({0, 1})),
        2: IterationRecord(),
    }


@pytest.mark.parametrize(
    ("said", "newest", "counted"),
    [
        (IterationRecord(collected=True, attempts=frozenset({0})), 2, 0),
        (IterationRecord(collected=True, attempts=frozenset({0, 1})), 0, 0),
        (IterationRecord(collected=True, attempts=frozenset({0, 1})), 2, 1),
        (IterationRecord(attempts=frozenset({0})), 1, 1),
        (IterationRecord(collected=True), 1, 1),
    ],
)
def test_the_attempt_that_counted_is_the_newest_that_the_learner_used(
    said: IterationRecord, newest: int, counted: int
) -> None:
    assert said.attempt(newest) == counted
