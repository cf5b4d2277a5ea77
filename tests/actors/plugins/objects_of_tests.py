"""Objects that tests give in place of names."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.models.completion import complete_with
from quintet.ports.model import Completion, Sampling
from tests.actors.fakes import Kitchen


class WaitingConfig(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    tries: int = 2


class Waiting(Method[WaitingConfig]):
    """Attempts by its inner method."""

    name, version = "waiting", "1"
    nests, default_inner = True, "react"
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.attempt()


class Echo:
    """Answers with the last message."""

    name = "echo"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return complete_with(prompt.messages()[-1].content, prompt, sampling)


def make_kitchen() -> Kitchen:
    return Kitchen()


def echo_of(times: int) -> Echo:
    return Echo()


configured = Waiting(WaitingConfig(tries=5))


def make_env(**options: Any) -> Any:
    """Never called: what is looked at is its source."""
    return options
