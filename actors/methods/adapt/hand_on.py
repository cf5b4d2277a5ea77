"""What ADaPT's controller hands on to every executor run, world by world.

Source: ADaPT, appendix A: "We propagate the current inventory of the agent to the executor" (TextCraft), "the last
successful action from a previous execution run", and only "from successful sub-tasks" (ALFWorld).
"""

from typing import assert_never

from actors.episode import Episode
from actors.methods.adapt.config import AdaptConfig
from protocols.environment import Step
from protocols.ingredients import Ingredient, Inventory, LastAction


async def handed_on(episode: Episode[AdaptConfig]) -> tuple[Ingredient, ...]:
    """What the next executor run is told of the world's state, or of what was done last."""
    kind = episode.config.hand_on
    match kind:
        case "nothing":
            return ()
        case "inventory":
            stepped = await episode.environment().ask(Step(session=episode.session, action="inventory"))
            return (Inventory(text=stepped.observation.strip()),)
        case "last_action":
            return (LastAction(action=episode.last_action),) if episode.last_action else ()
        case _:
            assert_never(kind)
