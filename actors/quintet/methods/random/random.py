"""The random method: ask which actions are possible, take one, and repeat."""

from quintet.messages.environment import ListActions, Step, Stepped
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.random.config import RandomConfig
from quintet.roles.turn_text import seen_after, turn_of


class Random(Method[RandomConfig]):
    """Takes possible actions with equal probability. It makes no claim."""

    name = "random"
    version = "1"
    takes_listed_actions = True

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        chance = episode.random()
        last: Stepped | None = None
        turns: list[Turn] = []
        for _ in range(self.config.max_steps):
            listed = await episode.ask(ListActions(session=episode.session))
            if not listed.actions:
                reason = "the world cannot list its actions" if listed.actions is None else "no action is possible"
                return episode.conclude(last, turns, reason=reason)
            action = chance.choice(listed.actions)
            last = await episode.ask(Step(session=episode.session, action=action))
            turns.append(turn_of(action, seen_after(last)))
            if last.done:
                break
        return episode.conclude(last, turns, reason="out of actions")
