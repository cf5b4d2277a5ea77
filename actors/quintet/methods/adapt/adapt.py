"""ADaPT: an attempt first; if it fails, a plan whose steps are subtasks."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from quintet.messages.message import Request
from quintet.messages.parts import LastAction
from quintet.messages.planning import Decompose, PlanFailed
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.adapt.controller import Controller, session_after
from quintet.methods.adapt.hand_on import attempt_with_hand_on
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method


class Adapt(Method[AdaptConfig]):
    """Lets its inner method attempt the goal; decomposes it only if that fails and the depth allows it.

    Solved if the attempt was, or if the plan's logic over the subtasks is true. A world that is done ends the episode
    with the answer of the current subtask. `reward` is the best earned; `depth` the deepest level reached. `claimed` is
    the same conclusion by the models' claims alone: the attempt's claim if it decides, else the logic over the
    subtasks' claims. Parts joined by AND claim False if one claims failure, else None if one makes no
    claim, else True; parts joined by OR the reverse. Parts that were not reached do not count.

    Source: ADaPT, algorithm 1. Differs: no plan is asked for at the greatest depth, where it had no effect.
    """

    name = "adapt"
    version = "4"
    requests = (Decompose,)
    prompt_folders = (Path(__file__).parent / "prompts",)
    worlds = {
        "textcraft": {"max_depth": 4, "rollback": False, "hand_on": "inventory", "inner": {"max_steps": 20}},
        "alfworld": {"max_depth": 3, "rollback": True, "hand_on": "last_action", "inner": {"max_steps": 20}},
        "hotpotqa": {
            "max_depth": 3,
            "rollback": True,
            "hand_on": "last_action",
            "inner": {"max_steps": 7, "demonstrations": "atomic"},
        },
    }
    environments = {"hotpotqa": {"max_steps": None}}
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        controller = Controller(
            episode, episode.recurse, rollback=self.config.rollback, alternatives=self.config.alternatives
        )
        attempt = await self._attempt(episode, controller)
        if isinstance(attempt, Solved) or attempt.done or episode.depth >= self.config.max_depth:
            return attempt
        decomposed = await episode.ask(Decompose(setting=episode.setting, goal=episode.goal))
        if isinstance(decomposed, PlanFailed):
            return replace(attempt, reason=decomposed.reason)
        handed = LastAction(action=episode.last_action, observation=episode.last_observation)
        combined = await controller.carry_out(decomposed.plan, session_after(attempt), handed)
        turns = (*attempt.turns, *combined.turns)
        return replace(combined, reward=max(attempt.reward, combined.reward), turns=turns)

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        skills = (f"decompose.{self.skills()}",) if request is Decompose else ()
        return (*super().instructions(request), *skills)

    def needs_forks(self) -> bool:
        return self.config.rollback or self.config.alternatives == "parallel"

    def budget(self) -> str:
        return self.budget_of_attempts(self.config.max_depth)

    def most_calls(self) -> int | None:
        # A plan may have any number of steps.
        return self.most_calls_of_attempts(1) if self.config.max_depth == 1 else None

    async def _attempt(self, episode: Episode, controller: Controller) -> Solved | Unsolved:
        """Attempt the goal. The answer names the session to continue in, which is another one after a rollback."""
        last = episode.depth >= self.config.max_depth
        checkpoint = None if last else await controller.checkpoint(episode.session)
        return await controller.after(await attempt_with_hand_on(episode, self.config.hand_on), checkpoint)
