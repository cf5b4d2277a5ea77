"""What ADaPT's controller hands on to every executor run, world by world.

Source: ADaPT, appendix A: "We propagate the current inventory of the agent to the executor" (TextCraft).
"""

from typing import assert_never

from actors.episode import Episode
from actors.methods.adapt.config import AdaptConfig
from protocols.environment import Step
from protocols.ingredients import Ingredient, Inventory


async def handed_on(episode: Episode[AdaptConfig]) -> tuple[Ingredient, ...]:
    """The world's state as the next executor run is told of it."""
    kind = episode.config.hand_on
    match kind:
        case "nothing":
            return ()
        case "inventory":
            stepped = await episode.environment().ask(Step(session=episode.session, action="inventory"))
            return (Inventory(text=stepped.observation.strip()),)
        case _:
            assert_never(kind)
