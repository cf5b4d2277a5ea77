"""Our verdicts are the package's own."""

from collections.abc import Sequence
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from quintet.environments.bfcl.conversations import CONVERSATION_SETS, Conversation, conversations
from quintet.environments.bfcl.package import data_lines
from quintet.environments.bfcl.scoring import served_messages
from tests.actors.environments.bfcl.installed import needs_package

pytestmark = needs_package

_NUMBERS = count()
_OTHER_CALLS = {
    "files": ["ls()", "cd('..')", "mkdir('extra')", "pwd()"],
    "trading": ["get_current_time()", "add_to_watchlist('ZETA')", "get_account_info()"],
    "travel": ["list_all_airports()", "get_flight_cost('SFO', 'LAX', '2024-01-01', 'economy')"],
    "vehicle": ["displayCarStatus('fuel')", "lockDoors(unlock=True, door=['driver'])", "get_current_speed()"],
}


def verdict_of_package(split: str, conversation: Conversation, made: Sequence[Sequence[str]]) -> bool:
    """What its own checker says; it keeps what it made under the name of a model, so each call has another."""
    entry = next(
        entry
        for line in data_lines(f"BFCL_v4_multi_turn_{split}.json")
        if (entry := msgspec.json.decode(line))["id"] == conversation.name
    )
    checker: Any = import_module("bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker")
    steps = [[[call] for call in calls] for calls in made]
    answers = [list(answer) for answer in conversation.answers]
    model = f"m{next(_NUMBERS)}"
    verdict: bool = checker.multi_turn_checker(steps, answers, entry, "", model)["valid"]
    return verdict


def changed(conversation: Conversation, random: Random) -> list[list[str]]:
    """The answers with one change: a call left out, another one added, two exchanged, or none."""
    made = [list(answer) for answer in conversation.answers]
    calls = random.choice([each for each in made if each])
    place = random.randrange(len(calls))
    match random.randrange(4):
        case 0:
            del calls[place]
        case 1:
            calls.insert(place, random.choice(_OTHER_CALLS[conversation.kind]))
        case 2:
            calls.reverse()
        case _:
            pass
    return made


@pytest.mark.parametrize("split", CONVERSATION_SETS)
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_changed_answers_pass_where_the_package_lets_them_pass(split: str, every: int) -> None:
    random = Random(7)
    verdicts = list[bool]()
    for conversation in list(conversations(split).values())[::every]:
        made = changed(conversation, random)
        served = served_messages(conversation, made)
        assert len(served) == sum(map(bool, conversation.answers))
        verdicts.append(verdict_of_package(split, conversation, made))
        assert all(served) == verdicts[-1], (conversation.name, made)
    assert {True, False} == set(verdicts)


def test_a_message_without_a_call_is_not_served_though_nothing_had_to_change() -> None:
    conversation = conversations("base")["multi_turn_base_0"]
    made = [*conversation.answers[:2], (), *conversation.answers[3:]]
    assert served_messages(conversation, made) == (True, True, False, True)
