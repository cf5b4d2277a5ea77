"""What the simulations run: TextCraft under ADaPT, a contest of branches and a race, and a tree over hosts."""

import asyncio
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path as FilePath
from random import Random
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel

from quintet.config.settings import from_table
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.launch.prepare import prepare
from quintet.messages.environment import Close, Session, Step
from quintet.messages.execution import Act, Decide, Execute, Executed
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Asked, Completion, Model, Sampling, TakesQuestions, Usage
from quintet.ports.world import World
from quintet.quota.quota import Quota
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import MethodSpec, RunSpec
from quintet.testing.replay import with_model

GOALS = ("beehive", "lantern", "lectern", "cyan banner", "comparator", "purple bed")


class Around:
    """A model around another one."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._asked = model if isinstance(model, TakesQuestions) else None

    @property
    def name(self) -> str:
        return self._model.name

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        """What happens first."""

    def after(self, completion: Completion) -> Completion:
        """What it makes of the other's completion."""
        return completion

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await self.before(prompt, sampling)
        return self.after(await self._model.complete(prompt, sampling))

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        if self._asked is None:
            return await self.complete(prompt, sampling)
        await self.before(prompt, sampling)
        return self.after(await self._asked.answer(prompt, sampling, asked))


class Slow(Around):
    """A model whose every answer takes its own time: `least` to `least` + 1 units, fixed by the prompt.

    Args:
        unit: in seconds; virtual ones cost nothing, others do.
        tally: a file that gets a byte for each call, whichever process makes it.
    """

    def __init__(self, model: Model, least: float = 1.0, *, unit: float = 1.0, tally: FilePath | None = None) -> None:
        super().__init__(model)
        self._least = least
        self._unit = unit
        self._tally = tally
        self.calls = 0
        """Those made in this process."""

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        self.calls += 1
        if self._tally is not None:
            with self._tally.open("ab") as tally:
                tally.write(b".")
        await asyncio.sleep((self._least + int(prompt.node.address[:4], 16) / 0x10000) * self._unit)


class Doubtful(Around):
    """A model whose plans have alternatives where another's have steps in a row."""

    def after(self, completion: Completion) -> Completion:
        return replace(completion, text=completion.text.replace(" AND Step", " OR Step"))


class Noting(Around):
    """Notes another model's calls, each by its prompt and its seed, which follows from the path."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.asked: list[tuple[str, int | None]] = []

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        self.asked.append((prompt.node.address, sampling.seed))


class Joint(Noting):
    """Draws up to three completions by one request, and notes the request."""

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return min(n, 3)

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        assert isinstance(self._model, TakesQuestions)
        await self.before(prompt, replace(sampling, seed=None))
        seeded = (replace(sampling, seed=number) for number in range(min(n, 3)))
        first, *others = [await self._model.answer(prompt, each, asked) for each in seeded]
        return [first, *(replace(each, usage=Usage()) for each in others)]


class Refusing(Around):
    """A model that fails at the prompts that say something."""

    def __init__(self, model: Model, said: str, error: Exception) -> None:
        super().__init__(model)
        self._said = said
        self._error = error

    async def before(self, prompt: Prompt, sampling: Sampling) -> None:
        if any(self._said in message.content for message in prompt.messages()):
            raise self._error


class Fetcher:
    """Fetches differing numbers of diamonds for three turns, and then says that it is done."""

    name = "fetcher"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = sum(message.role == "assistant" for message in prompt.messages())
        digest = blake2b(f"{prompt.node.address}{sampling.seed}".encode(), digest_size=4)
        number = int.from_bytes(digest.digest(), "big")
        text = "Action: task completed" if said >= 3 else f"Thought: Diamonds.\nAction: get {number} diamond"
        return Completion(text=text, usage=Usage(prompt_tokens=10, completion_tokens=len(text) // 4))


class Explorer:
    """Fetches and crafts honeycombs, does what the world rejects, or claims success; marks and reflects at random."""

    name = "explorer"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise NotImplementedError("it is asked typed questions")

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        chance = Random(f"{prompt.node.address}{sampling.seed}")
        match asked.question:
            case "value":
                text = chance.choice(["Hm.", *(f"Mark: {mark}" for mark in range(1, 11))])
            case "choice":
                text = f"Choice: {chance.randint(1, 3)}"
            case "look_back":
                text = f"Reflection: Take {chance.randint(1, 9)} fewer."
            case _:
                block = "craft 1 honeycomb block using 4 honeycomb"
                fetch = [f"get {number} honeycomb" for number in (1, 2, 3)]
                text = f"Thought: Why not?\nAction: {chance.choice([*fetch, block, 'get 1 moon', 'task completed'])}"
        return Completion(text=text, usage=Usage(prompt_tokens=10, completion_tokens=len(text) // 4))


class Script:
    """Says one text after the other, as many turns as it is asked, and the last one again and again."""

    name = "script"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = sum(message.role == "assistant" for message in prompt.messages())
        return Completion(text=self.texts[min(said, len(self.texts) - 1)])


class ContestConfig(BaseModel):
    """How many branches it has each time, and where they run."""

    spread: bool = False
    runners: int = 3


async def _attempt(episode: Episode, runner: int) -> tuple[Executed, Session]:
    """Runner 0 makes one call, so it leads by more than a call at every moment: a crash leaves it ahead."""
    async with episode.forked(episode.session) as copy:
        for _ in range(runner):
            await episode.ask(Step(session=copy.session, action=f"get {runner} diamond"))
        execute = Execute(
            session=copy.session, setting=f"Runner {runner}.", goal=episode.goal, max_calls=1 + runner * 2, patience=3
        )
        executed = await episode.ask(execute)
        copy.keep()
    return executed, copy.session


class Contest(Method[ContestConfig]):
    """Branches at once, then as many in a race, then the winner goes on."""

    name = "contest"
    version = "1"
    requests = (Execute,)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        async with episode.branches(spread=self.config.spread) as gathering:
            without_faults = [gathering.start(_attempt, episode, runner) for runner in range(self.config.runners)]
        async with episode.branches(spread=self.config.spread) as race:
            runners = [race.start(_attempt, episode, runner) for runner in range(self.config.runners)]
            winner = await race.first()
        session = runners[winner - 1].result()[1]
        luck = episode.random().randrange(5) + await episode.decide(
            "mood", sum(run.result()[0].calls for run in without_faults)
        )
        stepped = await episode.ask(Step(session=session, action=f"get {winner * 10 + luck} diamond"))
        last = await episode.ask(Step(session=session, action="inventory"))
        return Solved(session=session, reward=stepped.reward, done=last.done, claimed=True)


class TreeConfig(BaseModel):
    """Of what shape it is."""

    spread: bool = True
    levels: int = 2
    width: int = 4
    """Copies of the session at each level; the best goes on."""
    turns: int = 2
    """Of each attempt."""


class Tree(Method[TreeConfig]):
    """Copies of a session at once, on hosts of their own; in each a decision, a subtask and two copies of it."""

    name = "tree"
    version = "1"
    requests = (Decide, Execute)
    worlds = {"textcraft": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        if episode.depth > 1:
            return await episode.execute(max_calls=self.config.turns, patience=3)
        session = episode.session
        for _ in range(self.config.levels):
            async with episode.branches(spread=self.config.spread) as group:
                grown = [group.start(self._grow, episode, session, n) for n in range(self.config.width)]
            reached = sorted((branch.result() for branch in grown), key=lambda found: found[0])
            for _, left in (*reached[:-1], ("", session)):
                await episode.ask(Close(session=left))
            session = reached[-1][1]
        last = await episode.ask(Step(session=session, action="inventory"))
        return Solved(session=session, reward=last.reward, done=last.done, last_observation=last.observation)

    async def _grow(self, episode: Episode, session: Session, number: int) -> tuple[str, Session]:
        async with episode.forked(session) as copy:
            decided = await episode.ask(Decide(setting=f"Branch {number}.", goal=episode.goal))
            for candidate in decided.candidates:
                assert isinstance(candidate.decision, Act)
                await episode.ask(Step(session=copy.session, action=candidate.decision.action))
            await episode.recurse(f"{episode.goal} {number}", copy.session)
            async with episode.branches() as inner:
                looks = [inner.start(self._look, episode, copy.session, n) for n in range(2)]
            copy.keep()
        return max(look.result() for look in looks), copy.session

    async def _look(self, episode: Episode, session: Session, number: int) -> str:
        async with episode.forked(session) as copy:
            await episode.ask(Step(session=copy.session, action=f"get {number} diamond"))
            return (await episode.ask(Step(session=copy.session, action="inventory"))).observation


def spec_of(
    method: Method[Any],
    prompts: Mapping[str, str],
    model: Model | None = None,
    *,
    world: World | None = None,
    roles: Iterable[str] = ("executor",),
    seed: int = 0,
    **further: Any,
) -> RunSpec:
    """A run of one method, by default on TextCraft.

    Args:
        model: behind each of the roles; None: they have none.
        further: fields of `RunSpec`.
    """
    behind = {} if model is None else dict.fromkeys(roles, model)
    only = MethodSpec(
        name=method.name, method=method, models=behind, sampling=dict.fromkeys(behind, Sampling()), prompts=prompts
    )
    return RunSpec(methods=(only,), world=world or catalogue.world("textcraft"), seed=seed, **further)


def tree(model: Model | None = None, seed: int = 0, **config: Any) -> RunSpec:
    """Copies of a session at once, on hosts of their own."""
    prompts = {"execute": "Act.", "decide": "Act once."}
    return spec_of(Tree(TreeConfig(**config)), prompts, model or Slow(Fetcher()), seed=seed)


def contest(seed: int = 0, model: Model | None = None, **config: Any) -> RunSpec:
    """Branches at once, then as many in a race, then the winner goes on."""
    return spec_of(Contest(ContestConfig(**config)), {"execute": "Act."}, model or Slow(Fetcher()), seed=seed)


def adapt(model: Model, seed: int = 0, *, max_steps: int = 20, **config: Any) -> RunSpec:
    """ADaPT on TextCraft as published, but for the steps of its inner method and the values in `config`."""
    given = {"method": {"name": "adapt", "inner": {"max_steps": max_steps}, **config}}
    named = {"environment": {"name": "textcraft"}, "run": {"seed": seed}}
    return with_model(prepare([from_table({**given, **named}, "scene")]).spec, model)


def search(name: str, model: Model, seed: int = 0, **config: Any) -> RunSpec:
    """A tree search on TextCraft, with few candidates."""
    chosen = catalogue.method(name)
    prompts = find_prompts(chosen, "textcraft")
    for prompt in prompts.names:
        prompts.text(prompt)
    few = {"candidates": 4, "depth": 4}
    method = chosen(chosen.options.model_validate({**chosen.worlds["textcraft"], **few, **config}))
    return spec_of(method, prompts.texts, model, roles=("executor", "reflector"), seed=seed)


def alternatives(model: Model | None = None) -> RunSpec:
    """ADaPT on TextCraft with plans of alternatives, which run at once."""
    doubtful = Slow(Doubtful(model or catalogue.model("sim-weak")))
    at_once: dict[str, Any] = {"or": "parallel"}
    return adapt(doubtful, max_depth=2, max_steps=4, **at_once)


def planned(spec: RunSpec, goals: tuple[str, ...] = GOALS) -> list[Planned]:
    """One episode a goal."""
    return [Planned(episode_path(goal, 0, 0), Solve(task=spec.task(goal, 0))) for goal in goals]


def left_of(episodes: Iterable[Planned], journal: SqliteJournal) -> list[Planned]:
    """The episodes that have not ended."""
    ended = {row.path for row in journal.reader.episodes() if row.state is not None}
    return [each for each in episodes if each.path not in ended]


async def ends_of(
    spec: RunSpec,
    journal: SqliteJournal,
    episodes: Iterable[Planned],
    *,
    concurrency: int = 2,
    quota: Quota | None = None,
) -> list[EpisodeEnded]:
    """Run episodes in this process; how they ended, those that had ended before among them."""
    async with LocalRuntime(spec, journal, concurrency=concurrency, quota=quota) as runtime:
        return [end async for end in runtime.run(episodes)]


async def played(
    spec: RunSpec, journal: SqliteJournal, episodes: Iterable[Planned], **limits: Any
) -> list[EpisodeEnded]:
    """Run what is left of episodes in this process; how they ended."""
    return await ends_of(spec, journal, left_of(episodes, journal), **limits)
