"""The expert method's conversation: ask the world for actions that solve the task, and take them."""

from quintet.messages.environment import AskExpert, Step, Stepped
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import without_claim
from quintet.methods.expert.config import ExpertConfig
from quintet.roles.telling import turn_of


async def solve(episode: Episode[ExpertConfig]) -> Solved | Unsolved:
    """Follow the world's expert, which is asked again where its actions did not end the task.

    Returns:
        `Solved` where the world is done with the full reward. Nobody claims anything.
    """
    environment = episode.environment()
    last: Stepped | None = None
    turns: list[Turn] = []
    left = episode.config.max_steps
    while left:
        advised = await environment.ask(AskExpert(session=episode.session))
        if not advised.actions:
            reason = "the world knows of no expert" if advised.actions is None else "the expert knows no way"
            return without_claim(last, turns, session=episode.session, depth=episode.depth, reason=reason)
        for action in advised.actions[:left]:
            last = await environment.ask(Step(session=episode.session, action=action))
            turns.append(turn_of(action, last.observation))
            left -= 1
            if last.done:
                return without_claim(last, turns, session=episode.session, depth=episode.depth, reason="out of actions")
            if last.rejected:
                break  # what was to follow stands on nothing now
    return without_claim(last, turns, session=episode.session, depth=episode.depth, reason="out of actions")


EXPERT = Method(
    name="expert",
    version="1",
    config=ExpertConfig,
    solve=solve,
    roles=(),
    prompt_folders=(),
    worlds={},
)
