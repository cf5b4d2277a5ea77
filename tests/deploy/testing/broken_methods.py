"""A method that keeps its contract, and others that break it in one place each, all on TextCraft."""

import time
from itertools import count
from pathlib import Path
from random import random
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from quintet.errors import EpisodeBudgetSpent
from quintet.messages.completion import Complete
from quintet.messages.environment import Session, Step, Stepped
from quintet.messages.execution import Execute
from quintet.messages.learning import Learn
from quintet.messages.message import Request
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.react.react import React
from quintet.questions.planning import PLANNING
from quintet.roles.asking import Asker, Asking
from quintet.roles.role import ActorParts, Role


class Config(BaseModel):
    """The options."""

    calls: int = Field(default=4, ge=1)


class Good(Method[Config]):
    """An executor's run, then an action of the method's own choice, twice."""

    name = "Good"
    version = "1"
    requests: ClassVar[tuple[type[Request[Any]], ...]] = (Execute,)
    prompt_folders = React.prompt_folders
    worlds = {"textcraft": {"calls": 2}}

    async def choose(self, episode: Episode) -> str:
        return f"get {episode.random().randrange(1_000_000)} diamond"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        stepped: Stepped | None = None
        for _ in range(2):
            await episode.execute(max_calls=3, patience=3)
            stepped = await episode.ask(Step(session=episode.session, action=await self.choose(episode)))
        return episode.conclude(stepped, reason="tried twice")

    def describe(self) -> Description:
        return Description(budget=str(self.config.calls))


class Unseeded(Good):
    async def choose(self, episode: Episode) -> str:
        return f"get {random()} diamond"


class Persistent(Good):
    """Goes on after its calls are used up."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        try:
            return await super().solve(episode)
        except EpisodeBudgetSpent:
            return episode.conclude(None, reason="no calls left")


class Hashed(Good):
    async def choose(self, episode: Episode) -> str:
        return f"get {hash(episode.goal)} diamond"


_episodes = count()


class Counted(Good):
    async def choose(self, episode: Episode) -> str:
        return f"get {next(_episodes)} diamond"


class Timed(Good):
    async def choose(self, episode: Episode) -> str:
        return f"get {await episode.decide('now', time.perf_counter_ns())} diamond"


class UnseededAndTimed(Good):
    """Decides by time, which is allowed, after it did what depends on nothing that is journaled."""

    async def choose(self, episode: Episode) -> str:
        await episode.ask(Step(session=episode.session, action=f"get {random()} diamond"))
        return f"get {await episode.decide('now', time.perf_counter_ns())} diamond"


class Searching(Good):
    """An asynchronous tree search: three expansions at a time, each of the node that was grown last."""

    name = "Searching"
    workers = 3
    nodes = 8

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        frontier, best = [episode.session] * self.workers, 0.0
        async with episode.branches() as group:
            expanding = [group.start(self.expand, episode, frontier.pop()) for _ in range(self.workers)]
            for _ in range(self.nodes):
                session, reward = expanding[await group.next() - 1].result()
                frontier.append(session)
                best = max(best, reward)
                expanding.append(group.start(self.expand, episode, frontier.pop()))
            await group.stop()
        return Unsolved(session=episode.session, reward=best, done=False, reason="searched")

    async def expand(self, episode: Episode, session: Session) -> tuple[Session, float]:
        async with episode.forked(session) as copy:
            answer = await episode.execute(max_calls=2, patience=2, session=copy.session)
            copy.keep()
        return copy.session, answer.reward


class Copying(Good):
    name = "Copying"

    def needs_forks(self) -> bool:
        return True


class Crashing(Good):
    async def choose(self, episode: Episode) -> str:
        raise ValueError("no idea")


class Versionless(Good):
    name = "Versionless"
    version = ""


class Unanswered(Good):
    requests = (Learn,)


def _start_planner(parts: ActorParts) -> Asking:
    return Asking(Asker(parts.model(), parts.prompts), PLANNING)


class Deaf(Good):
    roles = (Role(name="critic", requests={Complete: ()}, start=_start_planner, completion_tokens=9),)


class Misspelt(Good):
    worlds = {"textcraft": {"cals": 2}}


class Invalid(Good):
    worlds = {"textcraft": {"calls": 0}}


class Promptless(Good):
    prompt_folders = (Path(__file__).parent,)


class Talkative(Good):
    def describe(self) -> Description:
        return Description(budget=f"{self.config.calls}\nor more")
