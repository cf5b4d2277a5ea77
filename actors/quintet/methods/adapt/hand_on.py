"""What ADaPT hands on to every attempt, by configuration.

Source: ADaPT, appendix A: "We propagate the current inventory of the agent to the executor" (TextCraft), "the last
successful action from a previous execution run", and only "from successful sub-tasks" (ALFWorld). The world's answer to
that action is from the released code.
"""

from typing import assert_never

from msgspec.structs import replace

from quintet.messages.environment import Step
from quintet.messages.execution import Turn
from quintet.messages.parts import Inventory, LastAction, PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import HandOn
from quintet.methods.base.episode import Episode
from quintet.roles.turn_text import turn_of


async def attempt_with_hand_on(episode: Episode, kind: HandOn) -> Solved | Unsolved:
    """Let the inner method attempt the goal with what is handed on to it, and add what it hands on in turn."""
    handed, looked = await _collect(episode, kind)
    inherited = (part for part in episode.inherited if type(part) not in {type(each) for each in handed})
    attempt = await episode.attempt(parts=(*inherited, *handed))
    attempt = replace(attempt, turns=(*looked, *attempt.turns))
    return _with_last_action(attempt, episode, kind) if isinstance(attempt, Solved) else attempt


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
        case _:
            assert_never(kind)


def _with_last_action(attempt: Solved, episode: Episode, kind: HandOn) -> Solved:
    """Add the action to hand on to an answer: its own last one, else the one that was given."""
    if kind != "last_action":
        return replace(attempt, last_action="", last_observation="")
    if attempt.last_action:
        return attempt
    return replace(attempt, last_action=episode.last_action, last_observation=episode.last_observation)


def last_action_of(answer: Solved) -> LastAction:
    """The action that a solved subtask hands on, which may be empty."""
    return LastAction(action=answer.last_action, observation=answer.last_observation)
