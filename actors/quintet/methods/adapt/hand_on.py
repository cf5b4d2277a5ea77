"""What ADaPT hands on to every attempt and to the planner, by configuration.

Source: ADaPT, appendix A: "We propagate the current inventory of the agent to the executor" (TextCraft), "the last
successful action from a previous execution run", and only "from successful sub-tasks" (ALFWorld), "the current page
visible to the agent along with past unsuccessful executor tasks to the planner", and "the product ID in future executor
calls" (WebShop). The world's answer to the last action, and that a failed attempt leaves no trace, are from the
released code.
"""

import dataclasses
import re
from collections.abc import Iterable
from typing import Final, assert_never

from msgspec.structs import replace

from quintet.messages.environment import Step
from quintet.messages.execution import Turn
from quintet.messages.parts import Inventory, LastAction, OpenPage, PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import HandOn
from quintet.methods.base.episode import Episode
from quintet.roles.turn_text import actions_with_turns, turn_of

_PRODUCT: Final = re.compile(r"click\[\s*(b\d[0-9a-z]{8}|\d{9}[0-9x])\s*\]", re.IGNORECASE)
"""An action that opens a product, by its id."""


async def attempt_with_hand_on(episode: Episode, kind: HandOn) -> Solved | Unsolved:
    """Let the inner method attempt the goal with what is handed on to it, and add what it hands on in turn."""
    handed, looked = await _collect(episode, kind)
    inherited = (part for part in episode.inherited if type(part) not in {type(each) for each in handed})
    attempt = await shown_from_here(episode).attempt(parts=(*inherited, *handed))
    attempt = replace(attempt, turns=(*looked, *attempt.turns))
    return _with_last_action(attempt, episode, kind) if isinstance(attempt, Solved) else attempt


def shown_from_here(episode: Episode) -> Episode:
    """The episode as prompts show it: without the page that the world opened on, where a later one is handed on."""
    return dataclasses.replace(episode, setting=episode.lasting_setting) if episode.last_observation else episode


async def _collect(episode: Episode, kind: HandOn) -> tuple[tuple[PromptPart, ...], tuple[Turn, ...]]:
    """Collect what the attempt sees of the world's state or the last action, and the turns spent on it."""
    match kind:
        case "nothing":
            return (), ()
        case "inventory":
            stepped = await episode.ask(Step(session=episode.session, action="inventory"))
            return (Inventory(text=stepped.observation.strip()),), (turn_of("inventory", stepped.observation),)
        case "last_action":
            last = LastAction(action=episode.last_action, observation=episode.last_observation)
            return ((last,) if last.action else ()), ()
        case "page":
            return open_page(episode), ()
        case _:
            assert_never(kind)


def open_page(episode: Episode) -> tuple[OpenPage, ...]:
    """The page that was handed on to the episode; none before the first subtask that was solved."""
    opened = _PRODUCT.search(episode.last_action)
    product = opened[1].upper() if opened else ""
    return (OpenPage(text=episode.last_observation, product=product),) if episode.last_observation else ()


def _with_last_action(attempt: Solved, episode: Episode, kind: HandOn) -> Solved:
    """Add the action to hand on to an answer: its own last one, else the one that was given."""
    given = LastAction(action=episode.last_action, observation=episode.last_observation)
    match kind:
        case "nothing" | "inventory":
            handed = LastAction(action="")
        case "last_action":
            handed = last_action_of(attempt) if attempt.last_action else given
        case "page":
            handed = _page_after(given, attempt.turns)
        case _:
            assert_never(kind)
    return replace(attempt, last_action=handed.action, last_observation=handed.observation)


def _page_after(given: LastAction, turns: Iterable[Turn]) -> LastAction:
    """The page that is open after some turns, with the action that opened a product last, since the last search.

    Args:
        given: the same before them.
    """
    action, page = given.action, given.observation
    for said, turn in actions_with_turns(turns):
        if _is_page(turn.observation):
            page = turn.observation
            action = said if _PRODUCT.search(said) or said.startswith("search") else action
    return LastAction(action=action, observation=page)


def _is_page(answer: str) -> bool:
    """Whether an answer is a page, and no mere word on the action: it has several parts."""
    return "\n" in answer.strip() or "[SEP]" in answer


def last_action_of(answer: Solved) -> LastAction:
    """The action that a solved subtask hands on, which may be empty."""
    return LastAction(action=answer.last_action, observation=answer.last_observation)
