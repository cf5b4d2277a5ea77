"""The expert method: ask the world for actions that solve the task, and take them."""

from typing import ClassVar

from quintet.messages.environment import AskExpert, Policy, Step, Stepped
from quintet.messages.execution import Turn
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.expert.config import ExpertConfig
from quintet.roles.turn_text import seen_after, turn_of


class Expert(Method[ExpertConfig]):
    """Follows the world's expert, and asks again if its actions did not end the task. It makes no claim."""

    name = "expert"
    version = "1"
    policy: ClassVar[Policy | None] = "expert"
    adviser: ClassVar[str] = "expert"
    """The policy in words, for reasons."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        last: Stepped | None = None
        turns: list[Turn] = []
        left = self.config.max_steps
        while left:
            advised = await episode.ask(AskExpert(session=episode.session, policy=self.policy or "expert"))
            if not advised.actions:
                none = f"the world knows of no {self.adviser}"
                reason = none if advised.actions is None else f"the {self.adviser} knows no way"
                return episode.conclude(last, turns, reason=reason)
            for action in advised.actions[:left]:
                last = await episode.ask(Step(session=episode.session, action=action))
                turns.append(turn_of(action, seen_after(last)))
                left -= 1
                if last.done:
                    return episode.conclude(last, turns, reason="out of actions")
                if last.rejected:
                    break  # the later actions assume that this one works
        return episode.conclude(last, turns, reason="out of actions")
