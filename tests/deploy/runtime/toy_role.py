"""Adds a role to the registry before importing `deploy/`, and prints what follows from it as JSON."""

import asyncio
import json
import sys
from pathlib import Path

from pydantic import BaseModel

from quintet.messages.message import Message, Request
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.roles import registry
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel


class Guessed(Message, frozen=True, kw_only=True, tag="guessed"):
    text: str


class Guess(Request[Guessed], frozen=True, kw_only=True, tag="guess"):
    riddle: str


class Guesser:
    def __init__(self, model: RoleModel, instructions: str) -> None:
        self._model = model
        self._instructions = instructions

    async def receive(self, request: Guess) -> Guessed:
        prompt = Prompt(system(self._instructions), user(request.riddle))
        completion = await self._model.complete(prompt, self._model.sampling)
        return Guessed(text=completion.text)


def _start(parts: ActorParts) -> Guesser:
    return Guesser(parts.model(), parts.prompts["guess"])


GUESSER = Role(name="guesser", requests={Guess: ()}, start=_start, completion_tokens=77)


class ToyConfig(BaseModel):
    """No options."""


class Toy(Method[ToyConfig]):
    name = "toy"
    version = "1"
    requests = (Guess,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        guessed = await episode.ask(Guess(riddle=episode.goal))
        return Unsolved(session=episode.session, reward=0.0, done=False, reason=f"guessed {guessed.text}")


def main(folder: str) -> None:
    registry.ROLES = (*registry.ROLES, GUESSER)
    catalogue.METHODS = {"toy": f"{__name__}:Toy"}
    prompts = Path(folder) / "textcraft"
    prompts.mkdir()
    (prompts / "guess.txt").write_text("Guess.", encoding="utf-8")
    Toy.prompt_folders = (Path(folder),)

    from quintet.cluster.placement import HostGroup, PlacementConfig, lay_out
    from quintet.config.settings import from_assignments
    from quintet.journal.writer import SqliteJournal
    from quintet.messages.paths import episode_path
    from quintet.runs.prepare import prepare
    from quintet.runtime.incarnation import Planned
    from quintet.runtime.local import LocalRuntime

    given = (
        "method.name=toy",
        "environment.name=textcraft",
        "model.guesser.name=scripted",
        'model.guesser.completions=["42"]',
        "runtime.roles.guesser.hosts=2",
    )
    prepared = prepare([from_assignments(given)])
    spec = prepared.spec
    names = [role.name for role in spec.roles]
    config = PlacementConfig(groups={"guesser": HostGroup(2)})

    async def play() -> str:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=1) as runtime:
            planned = Planned(episode_path("stick", 0, 0), Solve(task=spec.task("stick", 0)))
            (end,) = [end async for end in runtime.run([planned])]
            return str(end.reason)

    found = {
        "roles": names,
        "model": spec.models["guesser"].name,
        "tokens": spec.methods[0].sampling["guesser"].max_tokens,
        "hosts": [host.name for host in lay_out(config, names, cores=1, concurrency=1).hosts],
        "configured": prepared.config.runtime.roles["guesser"].hosts,
        "reason": asyncio.run(play()),
    }
    json.dump(found, sys.stdout)
