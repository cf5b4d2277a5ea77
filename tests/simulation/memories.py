"""Memories in simulations: LDM2 learns on a few goals of TextCraft, with a model that answers by the prompt's hash."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

from quintet.journal.writer import SqliteJournal
from quintet.memory.actor import MemoryStore
from quintet.memory.reader import MemoryReader, TupleRow, TypeRow
from quintet.memory.store import Store
from quintet.messages.learning import Learn
from quintet.messages.memory import Classify, Recall
from quintet.messages.parts import Recollection
from quintet.messages.paths import LEARNER, episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.store import Sealed
from quintet.methods.base.prompts import Prompts
from quintet.methods.ldm2.config import Ldm2Learning
from quintet.methods.ldm2.learning import Ldm2Learner
from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import vectors_as_text
from quintet.plugins.catalogue import method
from quintet.ports.embedder import Embedder
from quintet.ports.model import Completion, Model, Sampling, Usage
from quintet.roles.registry import default_prompts, prompts_of, roles_of, with_models
from quintet.roles.role import Actor
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.roles import STORE
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.simulation.scenes import Slow, spec_of

MemoryContent: TypeAlias = tuple[Mapping[int, Sealed], Sequence[TypeRow], Sequence[TupleRow]]
"""Versions with digests; types; and tuples with ids and sources."""

FORMATION = ("stick", "bowl", "compass", "shears")
"""Goals that the expert solves."""
ROUND = ("honeycomb block", "bucket")
"""Goals that are explored."""
LEARN = Learn(training=(*FORMATION, *ROUND), held_out=(), test=("bread",))


class Diarist:
    """Fetches and crafts what it needs, or what it does not; sorts, summarizes and compares at random.

    Of several candidates one is right, so a tree finds what a process misses. It knows a request by the prompt's name,
    which stands in the instructions of `memory_spec`.
    """

    name = "diarist"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = [message.content for message in prompt.messages()]
        text = self._answer(messages, self.chance(prompt, sampling))
        return Completion(text=text, usage=Usage(prompt_tokens=10, completion_tokens=len(text) // 4))

    def chance(self, prompt: Prompt, sampling: Sampling) -> Random:
        """Decides the answer."""
        return Random(f"{prompt.node.address}{sampling.seed}")

    def _answer(self, messages: Sequence[str], chance: Random) -> str:
        asked = re.search(r"Mind the ([\w.]+)\.", messages[0])
        match asked[1] if asked else "hello":
            case "hello":
                return "Hello."
            case "summarize":
                return f"Summary: {chance.randint(1, 9)} things were done."
            case "summarize.evaluation":
                return f"subgoal 1: the goal - {chance.choice(['complete', 'incomplete'])}"
            case "form" | "form.observations":
                return self._types(messages, chance)
            case "classify" | "recall":
                types = len(re.findall(r"^\[\d+\] ", messages[1], re.MULTILINE))
                return chance.choice(["Hm.", *(f"[{number}]: it is alike." for number in range(1, types + 1))])
            case "compare":
                return f"{chance.randint(1, 3)}: it goes another way."
            case "choose":
                return f"Choice: {chance.randint(1, 2)}"
            case _:
                return self._actions(messages, chance)

    def _types(self, messages: Sequence[str], chance: Random) -> str:
        """Two types; the last number is forgotten at times, unless it is asked for again."""
        numbers = re.findall(r"^(\d+)\. ", messages[1], re.MULTILINE)
        if len(messages) == 2 and chance.random() < 0.3:
            numbers.pop()
        lines = [", ".join(numbers[start::2]) for start in range(2)]
        return "\n".join(f"High-level Type{at}: things of kind {at} [{line}]" for at, line in enumerate(lines, 1))

    def _actions(self, messages: Sequence[str], chance: Random) -> str:
        (goal,) = set(re.findall(r"Goal: craft (.*?)\.", messages[1]))
        recipe = re.search(rf"(craft \d+ {goal} using (\d+ [\w ]+).*)", messages[1])
        assert recipe is not None, messages[1]
        fetch, craft = f"get {recipe[2]}", recipe[1]
        if "Mind the decide.candidates." in messages[-1]:
            shares = {fetch: 0.5, craft: 0.3, "inventory": 0.2}
            return "\n".join(f"Action: {action} (confidence {share})" for action, share in shares.items())
        return f"Action: {chance.choice([fetch, craft, 'inventory', 'get 1 moon'])}"


class Axes:
    """An endpoint's embedder of few dimensions."""

    name = "axes"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        vectors = await HashedWords(8).embed([message.content for message in prompt.messages()])
        return Completion(text=vectors_as_text(vectors), usage=Usage(prompt_tokens=10))


def memory_spec(
    model: Model | None = None,
    *,
    turns: int = 3,
    spread: bool = False,
    embedder: Embedder | None = None,
    **options: object,
) -> RunSpec:
    """LDM2 on TextCraft, few turns an episode: two batches of two trajectories, then a round of two goals.

    Args:
        model: of all roles.
        turns: of a process.
        spread: whether batch memories are played on several hosts.
        embedder: tuples are recalled by it; None: by type.
        options: of the learner.
    """
    chosen = method("ldm2")
    requests = chosen.asks(learning="reward", recalling=["memory"])
    roles = with_models(roles_of(requests))
    names = ("decide.candidates", *prompts_of(requests))
    config = {"max_steps": turns, "width": 2, "candidates": 3, "spread": spread}
    learning = {"batch": 2, "rounds": 1, "goals": len(ROUND), "eval_every": 2, **options}
    return spec_of(
        chosen(chosen.options.model_validate(config)),
        {name: f"Mind the {name}. {'{n}' if name == 'decide.candidates' else ''}".strip() for name in names},
        model or Slow(Diarist()),
        roles=roles,
        learner=Ldm2Learner(Ldm2Learning.model_validate(learning)),
        recollection=Recollection(version=0, batches=0, retrieval="embedding" if embedder else "type"),
        embedder=embedder,
    )


def with_memory(spec: RunSpec, runtime: Runtime, journal: SqliteJournal, store: Actor | Store) -> list[Planned]:
    """Spawn the learner and the store, and return the learner's episode."""
    assert spec.learner is not None
    runtime.host.spawn(STORE, MemoryStore(store) if isinstance(store, Store) else store)
    solve_request = EpisodeRequests(spec, learn=LEARN, version=journal.reader.version)
    spawn_learner(spec.learner, runtime, journal.reader, solve_request, seed=spec.seed)
    return [Planned(LEARNER, LEARN)]


def recalling(spec: RunSpec) -> RunSpec:
    """The same run, whose executor recalls from a memory before every turn."""
    (model,) = {*spec.models.values()}
    prompts = Prompts((), spec.world.name, defaults=default_prompts())
    outermost, *inner = spec.methods
    recalls = dataclasses.replace(
        outermost,
        models={**outermost.models, "memory": model},
        sampling={**outermost.sampling, "memory": Sampling()},
        prompts={**outermost.prompts, **{name: prompts.text(name) for name in prompts_of((Classify, Recall))}},
    )
    return dataclasses.replace(spec, recollection=Recollection(version=0, batches=2), methods=(recalls, *inner))


def given_memory(spec: RunSpec, goals: Sequence[str]) -> list[Planned]:
    """One episode a goal, each with the memory."""
    assert spec.recollection is not None
    requests = EpisodeRequests(spec, given=(spec.recollection,))
    return [Planned(episode_path(goal, 0, 0), requests(goal, 0)) for goal in goals]


def memory_of(reader: MemoryReader) -> MemoryContent:
    """All versions, types and tuples."""
    versions = range(1 << 15)
    return reader.versions(), list(reader.types(versions)), list(reader.tuples(range(1 << 63)))
