"""Iterations of a learner of plans, read from its records."""

from collections.abc import Iterator

import msgspec

from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.learned.plan.changes import JobReflection
from quintet.learned.plan.iterations import PlanIteration, plan_iterations
from quintet.messages.message import Message, Unanswered
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.reflection import Reflected


def _records(*events: AnyEvent) -> Iterator[Record]:
    # In another order than that of the conversation.
    return (Record(event=event, incarnation=1) for event in reversed(events))


def _publish(place: int, version: int) -> Published:
    return Published(path=child(LEARNER, place), version=version, content="")


def _report(place: int, number: int, task: str, version: int, attempt: int = 0) -> EpisodeReported:
    return EpisodeReported(path=child(child(LEARNER, place), number), attempt=episode_path(task, version, attempt))


def _answer(place: int, request: str, reply: Message, subject: str = "") -> Exchanged:
    said = msgspec.json.encode(reply).decode()
    return Exchanged(path=child(LEARNER, place), request=request, subject=subject, reply=said)


def test_an_iteration_is_what_happened_between_two_versions() -> None:
    found = plan_iterations(
        _records(
            _report(1, 1, "cake", 0, 7),
            _publish(2, 0),
            _report(3, 1, "stick", 0),
            _report(3, 2, "torch", 0, 1),
            _answer(4, "reflect", Reflected(summary="It dug."), "stick"),
            _answer(5, "reflect", Unanswered(reason="mute"), "torch"),
            _answer(6, "revise_plan", Unanswered(reason="no text")),
            _publish(10, 1),
            _report(11, 1, "stick", 1, 2),
            Refused(path=child(LEARNER, 12), reason="too long"),
        )
    )
    reflections = JobReflection("stick", "It dug."), JobReflection("torch", failed="mute")
    assert found == {
        0: PlanIteration(attempts={("cake", 0): 7}),
        1: PlanIteration(reflections, revised=True, failed="no text", attempts={("stick", 0): 0, ("torch", 0): 1}),
        2: PlanIteration(refused=("too long",), attempts={("stick", 1): 2}),
    }


def test_the_reflections_of_an_iteration_are_a_text() -> None:
    iteration = PlanIteration(
        (
            JobReflection("heat egg", "I looked for an egg.", "I never opened the fridge.", "Open things."),
            JobReflection("heat cup", "It went well."),
            JobReflection("heat pan", failed="there is no summary"),
        )
    )
    assert iteration.document({"heat cup": True}).split("\n\n") == [
        "## heat egg: failed",
        "Summary: I looked for an egg.",
        "Flaws: I never opened the fridge.",
        "Suggested revision: Open things.",
        "## heat cup: succeeded",
        "Summary: It went well.",
        "## heat pan: failed",
        "No reflection: there is no summary",
    ]
