"""A memory role with its store: a model that answers by what it reads, and tuples in a list."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path as FilePath
from random import Random
from typing import Any, TypeVar

from quintet.events import AnyEvent, Record
from quintet.events.recording import Recording
from quintet.messages.memory import Form, MemoryTuple, ObservedAction, Recall, Remember, StoredTuple, Trajectory
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path
from quintet.messages.prompts import Prompt
from quintet.messages.store import (
    FetchTuples,
    FindTuples,
    ListedType,
    ListTypes,
    StoreTuples,
    TuplesFound,
    TuplesStored,
    TypesListed,
)
from quintet.ports.model import Completion, Sampling
from quintet.roles.context import RequestContext, running
from quintet.roles.memory.memory import MEMORY_ROLE, Memory
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import Answering, Here, contents

T = TypeVar("T")
Answer = Callable[[list[str]], str | Completion]

assert MEMORY_ROLE.prompts is not None
PROMPTS = {file.stem: file.read_text() for file in FilePath(MEMORY_ROLE.prompts).glob("*.txt")}
PATH = Path("~learn/0/0")


def trajectory(goal: str, *steps: tuple[str, str], reward: float = 1.0) -> Trajectory:
    observed = tuple(ObservedAction(observation=seen, action=action) for seen, action in steps)
    return Trajectory(goal=goal, steps=observed, reward=reward, source=f"{goal}/0/0")


class Tuples:
    """A store: every tuple with its id, version and batch, and the names of types."""

    def __init__(self) -> None:
        self.rows: list[tuple[StoredTuple, int, int]] = []
        self.names: dict[tuple[int, int | None, int], str] = {}
        self.asked: list[Request[Any]] = []

    async def receive(
        self, request: StoreTuples | ListTypes | FindTuples | FetchTuples
    ) -> TuplesStored | TypesListed | TuplesFound:
        self.asked.append(request)
        await asyncio.sleep(0)
        match request:
            case StoreTuples():
                return self._store(request)
            case ListTypes():
                return self._types(request)
            case FindTuples():
                found = self.of(request.version, request.batch, request.goal_type, request.observation_type)
                return TuplesFound(tuples=tuple(found))
            case FetchTuples():
                by_id = {row.id: row for row, _, _ in self.rows}
                return TuplesFound(tuples=tuple(by_id[each] for each in request.ids))

    def of(
        self, version: int, batch: int, goal_type: int | None = None, observation_type: int | None = None
    ) -> list[StoredTuple]:
        """The tuples of a version, or of a type of it, in the order of their entry."""
        return [
            row
            for row, came, of in sorted(self.rows, key=lambda each: each[0].id)
            if came <= version
            and of == batch
            and goal_type in (None, row.tuple.goal_type)
            and observation_type in (None, row.tuple.observation_type)
        ]

    def _store(self, request: StoreTuples) -> TuplesStored:
        self.names.update({(request.batch, each.goal_type, each.number): each.name for each in request.types})
        for place, process in enumerate(request.processes, request.place):
            for number, each in enumerate(process):
                row = StoredTuple(id=request.version << 48 | place << 16 | number, tuple=each)
                if (row, request.version, request.batch) not in self.rows:
                    self.rows.append((row, request.version, request.batch))
        return TuplesStored(tuples=sum(map(len, request.processes)))

    def _types(self, request: ListTypes) -> TypesListed:
        def key(each: MemoryTuple) -> tuple[int, str]:
            if request.goal_type is None:
                return each.goal_type, each.goal
            return each.observation_type, each.observation

        texts: dict[int, list[str]] = {}
        for row in self.of(request.version, request.batch, request.goal_type):
            number, text = key(row.tuple)
            texts.setdefault(number, []).append(text)
        return TypesListed(
            types=tuple(
                ListedType(
                    number=number,
                    name=self.names[request.batch, request.goal_type, number],
                    examples=tuple(dict.fromkeys(texts[number]))[: request.examples],
                    tuples=len(texts[number]),
                )
                for number in sorted(texts)
            ),
            known=next((number for number in sorted(texts) if request.text in texts[number]), None),
        )


class Delayed(Answering):
    """A model whose answers take their time."""

    def __init__(self, answer: Answer, delays: Random | None) -> None:
        super().__init__(answer)
        self._delays = delays

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        for _ in range(self._delays.randrange(40) if self._delays else 0):
            await asyncio.sleep(0)
        return await super().complete(prompt, sampling)


class Memories:
    """The memory role and its store, and what was journaled.

    Args:
        answer: of the model, by what it reads.
        structured: whether answers are asked for as JSON.
        delays: how long each answer takes, in turns of the loop; None: one.
    """

    def __init__(self, answer: Answer, *, structured: bool = False, delays: Random | None = None) -> None:
        self.store = Tuples()
        self.model = Delayed(answer, delays)
        self.events: list[AnyEvent] = []
        self.asked: list[Request[Any]] = []
        model = RoleModel(self.model, Sampling(), answers="schema" if structured else "text")
        self._memory = Memory(model, self, PROMPTS)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        actor: Any = self._memory if type(request) in MEMORY_ROLE.requests else self.store
        return await Here("actor", actor, self.asked).ask(request)

    def answer(self, request: Request[ReplyT], *, recorded: Sequence[AnyEvent] = ()) -> ReplyT:
        """Ask the memory, as the first thing of an episode in which these events are recorded."""

        async def commit(*events: AnyEvent) -> None:
            self.events += events

        async def work() -> ReplyT:
            records = [Record(event=event, incarnation=1) for event in recorded]
            recording = Recording(PATH, records)
            with running(RequestContext(PATH, 1, recording, commit, self.events.append)):
                return await self.ask(request)

        return asyncio.run(work())

    @property
    def prompts(self) -> list[list[str]]:
        """What the model was asked, as `role: text`."""
        return [contents(prompt) for prompt in self.model.prompts]


MUG = trajectory("cool a mug", ("a kitchen", "go to shelf"), ("a mug on the shelf", "take mug"))
PAN = trajectory("cool a pan", ("a kitchen", "go to stove"), ("a pan on the stove", "take pan"), reward=0.5)
LAMP = trajectory("find a lamp", ("a bedroom", "look"))
FORM = Form(version=1, batch=1, place=4, trajectories=(MUG, PAN, LAMP))
EVALUATION, SUMMARY = "subgoal 1: find it - incomplete", "Nothing yet."


def kind(said: list[str]) -> str:
    """The form that a prompt prescribes."""
    forms = ("subgoal 1:", "Summary:", "High-level Type1:", "[2]:")
    return next(form for form in forms if re.search(rf"^{re.escape(form)}", said[0], re.MULTILINE))


def answering(*clusters: str, index: str = "[1]: why") -> Answer:
    """Clusters in turn; every evaluation, summary and index alike."""
    left = [*clusters]
    fixed = {"subgoal 1:": EVALUATION, "Summary:": f"Summary: {SUMMARY}", "[2]:": index}

    def answer(said: list[str]) -> str:
        form = kind(said)
        return left.pop(0) if form == "High-level Type1:" else fixed[form]

    return answer


GOALS = "High-level Type1: cooling [1, 2]\nHigh-level Type2: finding [3]"
SEEN = "High-level Type1: rooms [1]\nHigh-level Type2: things [2, 3]"


def formed(index: str = "[1]: why") -> Memories:
    memories = Memories(answering(GOALS, SEEN, index=index))
    memories.answer(FORM)
    memories.model.prompts.clear()
    return memories


PROCESS = trajectory("cool a cup", ("a kitchen", "look"), ("a cup", "take cup"), ("a cup", "cool cup"))
REMEMBER = Remember(version=2, batch=1, place=0, trajectory=PROCESS, first=2)
RECALL = Recall(version=1, batch=1, goal="cool a cup", observation="a cup on the table")
