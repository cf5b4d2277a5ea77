"""The random method's conversation: ask which actions are possible, take one of them, again and again."""

from quintet.messages.environment import ListActions, Step, Stepped
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import without_claim
from quintet.methods.random.config import RandomConfig
from quintet.roles.telling import turn_of


async def solve(episode: Episode[RandomConfig]) -> Solved | Unsolved:
    """Take actions that are possible, each as likely as any other.

    Returns:
        `Solved` where the world is done with the full reward. Nobody claims anything.
    """
    environment = episode.environment()
    chance = episode.random()
    last: Stepped | None = None
    turns: list[Turn] = []
    for _ in range(episode.config.max_steps):
        listed = await environment.ask(ListActions(session=episode.session))
        if not listed.actions:
            reason = "the world cannot list its actions" if listed.actions is None else "no action is possible"
            return without_claim(last, turns, session=episode.session, depth=episode.depth, reason=reason)
        action = chance.choice(listed.actions)
        last = await environment.ask(Step(session=episode.session, action=action))
        turns.append(turn_of(action, last.observation))
        if last.done:
            break
    return without_claim(last, turns, session=episode.session, depth=episode.depth, reason="out of actions")


RANDOM = Method(
    name="random",
    version="1",
    config=RandomConfig,
    solve=solve,
    roles=(),
    prompt_folders=(),
    worlds={},
)
