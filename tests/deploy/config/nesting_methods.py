"""Methods of tests that take inner ones in ways that no method of ours does."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method


class NoOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Endless(Method[NoOptions]):
    """Its inner method is itself, unless another one is named."""

    name = "endless"
    version = "1"
    worlds = {"textcraft": {}}
    nests = True
    default_inner = "endless"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.attempt()


class Homebody(Method[NoOptions]):
    """It has no prompt in any world."""

    name = "homebody"
    version = "1"
    requests = (Execute,)
    prompt_folders = (Path(__file__).parent,)
    worlds = {"alfworld": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(max_calls=1, patience=1)
