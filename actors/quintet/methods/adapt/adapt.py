"""ADaPT: an attempt first; if it fails, a plan whose steps are subtasks."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from quintet.messages.environment import Session
from quintet.messages.message import Request, Unanswered
from quintet.messages.parts import LastAction
from quintet.messages.planning import Decompose
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.adapt.controller import Controller, HandedOn, session_after
from quintet.methods.adapt.hand_on import attempt_with_hand_on, open_page, shown_from_here
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method, skills_of


class Adapt(Method[AdaptConfig]):
    """Lets its inner method attempt the goal; decomposes it only if that fails and the depth allows it.

    Solved if the attempt was, or if the plan's logic over the subtasks is true. A world that is done ends the episode
    with the answer of the current subtask. `reward` is what was earned in the answer's session: what was rolled back
    counts for nothing. `depth` is the deepest level reached. `claimed` is the same conclusion by the models' claims
    alone: the attempt's claim if it decides, else the logic over the subtasks' claims. Parts joined by AND claim False
    if one claims failure, else None if one makes no claim, else True; parts joined by OR the reverse. Parts that were
    not reached do not count.

    Source: ADaPT, algorithm 1. Differs: no plan is asked for at the greatest depth, where it had no effect.
    """

    name = "adapt"
    version = "7"
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
        "webshop": {
            "max_depth": 3,
            "rollback": True,
            "hand_on": "page",
            "inner": {"max_steps": 15, "demonstrations": "atomic"},
        },
        "webarena": {"max_depth": 3, "rollback": True, "hand_on": "last_action", "inner": {"max_steps": 10}},
    }
    environments = {"hotpotqa": {"max_steps": None}}
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        config = self.config

        async def step(goal: str, session: Session, handed: HandedOn) -> Solved | Unsolved:
            return await episode.recurse(goal, session, handed.last, failed=handed.failed if self._tells_page else ())

        controller = Controller(episode, step, rollback=config.rollback, alternatives=config.alternatives)
        if config.plan_first and episode.depth == 1 < config.max_depth:
            attempt = episode.conclude(None, reason="planned without an attempt")
            failed = episode.failed
        else:
            attempt = await self._attempt(episode, controller)
            failed = (*episode.failed, episode.goal)
        if isinstance(attempt, Solved) or attempt.done or episode.depth >= config.max_depth:
            return attempt
        decomposed = await episode.ask(self._question(episode, failed))
        if isinstance(decomposed, Unanswered):
            return replace(attempt, reason=decomposed.reason)
        last = LastAction(action=episode.last_action, observation=episode.last_observation)
        handed = HandedOn(last=last, failed=failed)
        combined = await controller.carry_out(decomposed.plan, session_after(attempt), handed)
        turns = (*attempt.turns, *combined.turns)
        return replace(combined, reward=max(attempt.reward, combined.reward), turns=turns)

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        skills = (f"decompose.{skills_of(self)}",) if request is Decompose else ()
        return (*super().instructions(request), *skills)

    def needs_forks(self) -> bool:
        return self.config.rollback or self.config.alternatives == "parallel"

    def describe(self) -> Description:
        return Description(budget=self.budget_of_attempts(self.config.max_depth))

    def most_calls(self) -> int | None:
        # A plan may have any number of steps.
        return self.most_calls_of_attempts(1) if self.config.max_depth == 1 else None

    @property
    def _tells_page(self) -> bool:
        return self.config.hand_on == "page"

    def _question(self, episode: Episode, failed: tuple[str, ...]) -> Decompose:
        setting = shown_from_here(episode).setting
        if not self._tells_page:
            return Decompose(setting=setting or episode.last_observation, goal=episode.goal)
        return Decompose(setting=setting, goal=episode.goal, parts=open_page(episode), failed=failed)

    async def _attempt(self, episode: Episode, controller: Controller) -> Solved | Unsolved:
        """Attempt the goal. The answer names the session to continue in, which is another one after a rollback."""
        last = episode.depth >= self.config.max_depth
        checkpoint = None if last else await controller.checkpoint(episode.session)
        return await controller.after(await attempt_with_hand_on(episode, self.config.hand_on), checkpoint)
