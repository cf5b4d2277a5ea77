from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.environment import Close, Fork, Open, Snapshot, Step
from quintet.messages.message import Request
from quintet.messages.paths import Path
from quintet.messages.reflection import Align
from quintet.messages.solving import Solved, Unsolved
from tests.actors.methods.devils_advocate.play import Play

LATENCY = 0.2
REMEDIES = {"burn": ["taste", "wait"], "wait": ["burn"], "juggle": ["burn", "taste"]}


def useful(align: Align) -> bool:
    return align.action not in ("burn", "juggle")


def same(_: Request[Any]) -> float:
    return LATENCY


def final(align: Align) -> bool:
    return align.action == "serve"


OPTIONS: list[dict[str, Any]] = [
    {},
    {"actions": ["juggle", "serve"]},
    {"actions": ["serve"]},
    {"actions": ["wait", "burn", "?", "?", "?", "?", "?", "?", "?", "?", "serve"]},
    {"aligned": final, "actions": ["wait", "burn", "serve"]},
]


def played(speculate: bool, **options: Any) -> tuple[Play, Solved | Unsolved]:
    usual: dict[str, Any] = {
        "actions": ["wait", "burn", "serve", "serve"],
        "remedies": REMEDIES,
        "aligned": useful,
        "latency": same,
    }
    play = Play(**{**usual, **options})
    return play, play.solved(remedies=2, speculate=speculate)


@pytest.mark.parametrize("options", OPTIONS)
def test_remedies_that_are_tried_ahead_of_need_lead_to_the_same_answer(options: dict[str, Any]) -> None:
    before, expected = played(False, **options)
    ahead, answer = played(True, **options)
    assert isinstance(answer, Solved)
    assert replace(answer, session=expected.session) == expected
    ended, expected_ends = ([replace(trial, path=Path("")) for trial in play.trials] for play in (ahead, before))
    assert ended == expected_ends
    assert ahead.actor.sessions == before.actor.sessions == 1


def test_each_remedy_is_tried_on_a_copy_that_was_made_before_the_action() -> None:
    play, _ = played(True, actions=["burn", "serve"])
    asked = [request for request in play.asked if isinstance(request, Fork | Step | Snapshot)]
    assert [type(request) for request in asked][:3] == [Fork, Fork, Step]
    steps = play.requests(Step)
    assert {step.action for step in steps[:3]} == {"burn", "taste", "wait"}
    assert len({step.session.id for step in steps[:3]}) == 3
    assert len(play.requests(Open)) == 1
    assert play.requests(Snapshot) == []


def test_a_remedy_that_is_needed_costs_no_further_time_and_one_that_is_not_costs_calls() -> None:
    before, _ = played(False, actions=["burn", "serve"])
    ahead, _ = played(True, actions=["burn", "serve"])
    assert before.seconds - ahead.seconds == pytest.approx(LATENCY)
    before, _ = played(False, actions=["wait", "serve"], remedies={"wait": ["burn", "taste"], "serve": ["?"]})
    ahead, _ = played(True, actions=["wait", "serve"], remedies={"wait": ["burn", "taste"], "serve": ["?"]})
    assert before.seconds == pytest.approx(ahead.seconds)
    assert (len(before.requests(Align)), len(ahead.requests(Align))) == (2, 4)


def test_what_is_never_needed_is_stopped_and_closed() -> None:
    def latency(request: Request[Any]) -> float:
        return 0.0 if not isinstance(request, Align) or request.action == "serve" else 60.0

    play, _ = played(True, actions=["serve"], remedies={"serve": ["wait", "taste"]}, latency=latency)
    copies = {step.session.id for step in play.requests(Step) if step.action != "serve"}
    assert {close.session.id for close in play.requests(Close)} == copies
    assert (play.most_sessions, play.actor.sessions) == (3, 1)
    assert play.seconds == 0.0


def test_actions_that_were_tried_and_never_needed_count_in_no_trial() -> None:
    play, _ = played(True, actions=["wait", "serve"])
    assert [trial.actions for trial in play.trials] == [2]
    assert len(play.actions) > 2
