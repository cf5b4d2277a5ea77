"""What ADaPT's controller hands on to every executor run, world by world.

Source: ADaPT, appendix A: "We propagate the current inventory of the agent to the executor" (TextCraft), "the last
successful action from a previous execution run", and only "from successful sub-tasks" (ALFWorld). The world's answer to
that action is from the released code.
"""

from typing import assert_never

from msgspec.structs import replace

from quintet.messages.environment import Step
from quintet.messages.execution import Executed, Turn
from quintet.messages.parts import Inventory, LastAction, PromptPart
from quintet.messages.solving import Solved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.base.episode import Episode
from quintet.roles.telling import turn_of


async def handed_on(episode: Episode[AdaptConfig]) -> tuple[tuple[PromptPart, ...], tuple[Turn, ...]]:
    """What the next executor run is shown of the world's state or the last action, and what was done to find out."""
    kind = episode.config.hand_on
    match kind:
        case "nothing":
            return (), ()
        case "inventory":
            stepped = await episode.environment().ask(Step(session=episode.session, action="inventory"))
            return (Inventory(text=stepped.observation.strip()),), (turn_of("inventory", stepped.observation),)
        case "last_action":
            last = LastAction(action=episode.last_action, observation=episode.last_observation)
            return ((last,) if last.action else ()), ()
        case _:
            assert_never(kind)


def with_last_action(attempt: Solved, executed: Executed, episode: Episode[AdaptConfig]) -> Solved:
    """The answer of an executor's run with what it hands on: its own last action, else the one handed on to it."""
    if episode.config.hand_on != "last_action":
        return attempt
    last = executed if executed.last_action else episode
    return replace(attempt, last_action=last.last_action, last_observation=last.last_observation)


def last_action_of(answer: Solved) -> LastAction:
    """What a solved subtask hands on; without an action where it hands on nothing."""
    return LastAction(action=answer.last_action, observation=answer.last_observation)
