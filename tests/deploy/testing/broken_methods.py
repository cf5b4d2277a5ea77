"""A method that keeps its contract, and others that break it in one place each, all on TextCraft."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import random
from typing import Any

from pydantic import BaseModel, Field

from quintet.messages.environment import Step
from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.react.react import REACT


class Config(BaseModel):
    """What can be set."""

    calls: int = Field(default=4, ge=1)


def _acting(choose: Callable[[Episode[Any]], Awaitable[str]]) -> Callable[[Episode[Any]], Awaitable[Solved | Unsolved]]:
    """A conversation of an executor's run, then an action of the method's own choice, twice."""

    async def solve(episode: Episode[Any]) -> Solved | Unsolved:
        execute = Execute(session=episode.session, setting=episode.setting, goal=episode.goal, max_calls=3, patience=3)
        await episode.executor.ask(execute)
        await episode.environment().ask(Step(session=episode.session, action=await choose(episode)))
        await episode.executor.ask(execute)
        stepped = await episode.environment().ask(Step(session=episode.session, action=await choose(episode)))
        return Solved(session=episode.session, reward=stepped.reward, done=stepped.done)

    return solve


async def _seeded(episode: Episode[Any]) -> str:
    return f"get {episode.random().randrange(1_000_000)} diamond"


async def _unseeded(episode: Episode[Any]) -> str:
    return f"get {random()} diamond"


async def _hashed(episode: Episode[Any]) -> str:
    return f"get {hash(episode.goal)} diamond"


_episodes = count()


async def _counted(episode: Episode[Any]) -> str:
    return f"get {next(_episodes)} diamond"


async def _timed(episode: Episode[Any]) -> str:
    return f"get {await episode.decide('now', time.perf_counter_ns())} diamond"


async def _crashing(episode: Episode[Any]) -> str:
    raise ValueError("no idea")


def _budget(config: Config) -> str:
    return str(config.calls)


def _two_lines(config: Config) -> str:
    return f"{config.calls}\nor more"


GOOD = Method(
    name="routine",
    version="1",
    config=Config,
    solve=_acting(_seeded),
    roles=("executor",),
    prompt_folders=REACT.prompt_folders,
    worlds={"textcraft": {"calls": 2}},
    budget=_budget,
)

MISNAMED = replace(GOOD, name="other")
VERSIONLESS = replace(GOOD, version="")
SINGING = replace(GOOD, roles=("singer",))
WORLDLESS = replace(GOOD, worlds={})
ELSEWHERE = replace(GOOD, worlds={"nowhere": {}})
MISSPELT = replace(GOOD, worlds={"textcraft": {"cals": 2}})
INVALID = replace(GOOD, worlds={"textcraft": {"calls": 0}})
PROMPTLESS = replace(GOOD, prompt_folders=(Path(__file__).parent,))
TALKATIVE = replace(GOOD, budget=_two_lines)
CRASHING = replace(GOOD, solve=_acting(_crashing))
UNSEEDED = replace(GOOD, solve=_acting(_unseeded))
HASHED = replace(GOOD, solve=_acting(_hashed))
COUNTED = replace(GOOD, solve=_acting(_counted))
TIMED = replace(GOOD, solve=_acting(_timed))
