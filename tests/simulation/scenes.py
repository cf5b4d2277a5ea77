"""What the simulations run: TextCraft under ADaPT, and a contest of three concurrent branches and a race."""

import asyncio
from hashlib import blake2b
from pathlib import Path as FilePath
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel

from quintet.messages.environment import Fork, Session, Step
from quintet.messages.execution import Execute, Executed
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import Prompts
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Model, Sampling, Usage
from quintet.roles.branches import branches
from quintet.runtime.incarnation import Planned
from quintet.runtime.spec import RunSpec

GOALS = ("beehive", "lantern", "lectern", "cyan banner", "comparator", "purple bed")


class Slow:
    """A model whose every answer takes its own time: `least` to `least` + 1 units, fixed by the prompt.

    Args:
        unit: in seconds; virtual ones cost nothing, others do.
        tally: a file that gets a byte for each call, whichever process makes it.
    """

    def __init__(self, model: Model, least: float = 1.0, *, unit: float = 1.0, tally: FilePath | None = None) -> None:
        self._model = model
        self._least = least
        self._unit = unit
        self._tally = tally
        self.calls = 0
        """Those made in this process."""

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.calls += 1
        if self._tally is not None:
            with self._tally.open("ab") as tally:
                tally.write(b".")
        await asyncio.sleep((self._least + int(prompt.node.address[:4], 16) / 0x10000) * self._unit)
        return await self._model.complete(prompt, sampling)


class Fetcher:
    """Fetches differing numbers of diamonds for three turns, and then says that it is done."""

    name = "fetcher"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = sum(message.role == "assistant" for message in prompt.messages())
        digest = blake2b(f"{prompt.node.address}{sampling.seed}".encode(), digest_size=4)
        number = int.from_bytes(digest.digest(), "big")
        text = "Action: task completed" if said >= 3 else f"Thought: Diamonds.\nAction: get {number} diamond"
        return Completion(text=text, usage=Usage(prompt_tokens=10, completion_tokens=len(text) // 4))


class Doubtful:
    """A model whose plans have alternatives where another's have steps in a row."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        completion = await self._model.complete(prompt, sampling)
        return replace(completion, text=completion.text.replace(" AND Step", " OR Step"))


class Script:
    """Says one text after the other, as many turns as it is asked, and the last one again and again."""

    name = "script"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = sum(message.role == "assistant" for message in prompt.messages())
        return Completion(text=self.texts[min(said, len(self.texts) - 1)])


class ContestConfig(BaseModel):
    """Nothing to set."""


async def _attempt(episode: Episode, runner: int) -> tuple[Executed, Session]:
    """Runner 0 makes one call, so it leads by more than a call at every moment: a crash leaves it ahead."""
    session = (await episode.ask(Fork(session=episode.session))).session
    for _ in range(runner):
        await episode.ask(Step(session=session, action=f"get {runner} diamond"))
    execute = Execute(
        session=session, setting=f"Runner {runner}.", goal=episode.goal, max_calls=1 + runner * 2, patience=3
    )
    return await episode.ask(execute), session


class Contest(Method[ContestConfig]):
    """Three branches at once, then three in a race, then the winner goes on."""

    name = "contest"
    version = "1"
    requests = (Execute,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        async with episode.branches() as gathering:
            without_faults = [gathering.start(_attempt, episode, runner) for runner in range(3)]
        async with branches() as race:
            runners = [race.start(_attempt, episode, runner) for runner in range(3)]
            winner = await race.first()
        session = runners[winner - 1].result()[1]
        luck = episode.random().randrange(5) + await episode.decide(
            "mood", sum(run.result()[0].calls for run in without_faults)
        )
        stepped = await episode.ask(Step(session=session, action=f"get {winner * 10 + luck} diamond"))
        last = await episode.ask(Step(session=session, action="inventory"))
        return Solved(session=session, reward=stepped.reward, done=last.done, claimed=True)


def contest(seed: int = 0, model: Model | None = None) -> RunSpec:
    """Three branches at once, then three in a race, then the winner goes on."""
    return RunSpec(
        method=Contest(ContestConfig()),
        world=catalogue.world("textcraft"),
        models={"executor": model or Slow(Fetcher())},
        sampling={"executor": Sampling()},
        prompts={"execute": "Act."},
        seed=seed,
    )


def adapt(model: Model, seed: int = 0, **config: Any) -> RunSpec:
    """ADaPT on TextCraft as published, but for the values in `config`."""
    chosen = catalogue.method("adapt")
    prompts = Prompts(chosen.prompt_folders, "textcraft")
    return RunSpec(
        method=chosen(chosen.options.model_validate({**chosen.worlds["textcraft"], **config})),
        world=catalogue.world("textcraft"),
        models=dict.fromkeys(("executor", "planner"), model),
        sampling=dict.fromkeys(("executor", "planner"), Sampling()),
        prompts={name: prompts.text(name) for name in ("execute", "decompose", "demonstrations")},
        seed=seed,
    )


def alternatives(model: Model | None = None) -> RunSpec:
    """ADaPT on TextCraft with plans of alternatives, which run at once."""
    doubtful = Slow(Doubtful(model or catalogue.model("sim-weak")))
    return adapt(doubtful, max_depth=3, executor_calls=4, **{"or": "parallel"})


def planned(spec: RunSpec, goals: tuple[str, ...] = GOALS) -> list[Planned]:
    """One episode a goal."""
    return [Planned(episode_path(goal, 0, 0), Solve(task=spec.task(goal, 0))) for goal in goals]
