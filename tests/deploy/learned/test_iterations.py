"""Iterations of a learner, read from its records."""

from pathlib import Path

import msgspec

from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.learned.iterations import JobReflection, LearntIteration, PlanIteration, read_iterations
from quintet.messages.message import Message, Unanswered
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.reflection import Reflected


def _read(*events: AnyEvent) -> dict[int, LearntIteration]:
    # In another order than that of the conversation.
    records = (Record(event=event, incarnation=1) for event in reversed(events))
    return dict(read_iterations("plan", records, Path("run")))


def _publish(place: int, version: int) -> Published:
    return Published(path=child(LEARNER, place), version=version, content="")


def _report(place: int, number: int, task: str, version: int, attempt: int = 0) -> EpisodeReported:
    return EpisodeReported(path=child(child(LEARNER, place), number), attempt=episode_path(task, version, attempt))


def _answer(place: int, request: str, reply: Message, subject: str = "") -> Exchanged:
    said = msgspec.json.encode(reply).decode()
    return Exchanged(path=child(LEARNER, place), request=request, subject=subject, reply=said)


def _refusal(place: int) -> Refused:
    return Refused(path=child(LEARNER, place), reason="too long")


def test_an_iteration_is_what_happened_between_two_versions() -> None:
    found = _read(
        _report(1, 1, "cake", 0, 7),
        _publish(2, 0),
        _report(3, 1, "stick", 0),
        _report(3, 2, "torch", 0, 1),
        _answer(4, "reflect", Reflected(summary="It dug."), "stick"),
        _answer(5, "reflect", Unanswered(reason="mute"), "torch"),
        _answer(6, "revise_plan", Unanswered(reason="no text")),
        _publish(10, 1),
        _report(11, 1, "stick", 1, 2),
        _refusal(12),
    )
    reflections = JobReflection("stick", "It dug."), JobReflection("torch", failed="mute")
    attempts = {("stick", 0): 0, ("torch", 0): 1}
    assert found == {
        0: PlanIteration(attempts={("cake", 0): 7}),
        1: PlanIteration(attempts=attempts, reflections=reflections, revised=True, failed="no text"),
        2: PlanIteration(attempts={("stick", 1): 2}, refused=("too long",)),
    }


def test_a_refused_plan_is_why_there_is_no_new_one() -> None:
    assert _read(_publish(1, 0), _refusal(2), _publish(3, 1))[1].failed == "the model refused: too long"


def test_a_learner_that_has_not_begun_has_one_empty_iteration() -> None:
    assert _read() == {0: PlanIteration()}


def test_a_version_that_cannot_be_read_leaves_the_others_with_their_numbers() -> None:
    found = _read(_publish(1, 0), _report(2, 1, "a", 0), _report(3, 1, "b", 0), _publish(4, 2), _report(5, 1, "c", 2))
    assert {number: [task for task, _ in each.attempts] for number, each in found.items()} == {
        0: [],
        1: ["a", "b"],
        2: [],
        3: ["c"],
    }
