"""The journal, model, quota and store of a watched run: the real ones, which tell the watch what happens."""

import asyncio
from collections.abc import Awaitable, Iterable
from pathlib import Path as FilePath
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import NoAnswer, Overloaded
from quintet.events import Record
from quintet.memory.actor import MemoryStore
from quintet.memory.ids import ids_of_version
from quintet.memory.store import Store
from quintet.messages.environment import Task
from quintet.messages.paths import LEARNER, attempt_of, episode_of, parent
from quintet.messages.prompts import Prompt
from quintet.messages.quota import QuotaRequest, Reserve
from quintet.messages.store import FindTuples, StoreRequest, StoreTuples
from quintet.ports.model import Asked, Completion, Model, Sampling, TakesQuestions, Usage
from quintet.ports.world import Outcome
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.roles.context import current
from tests.simulation.dying import Dying
from tests.simulation.scenes import Around
from tests.soak.schedules.watch import Watch


class WatchedJournal(Dying):
    """A journal whose process dies once it has committed so many events."""

    def __init__(self, file: FilePath | Literal[":memory:"], lives: int, watch: Watch) -> None:
        super().__init__(file, lives, watcher=watch)
        self._watch = watch

    def append(self, records: Iterable[Record]) -> Awaitable[None]:
        records = tuple(records)
        committed = asyncio.ensure_future(super().append(records))

        def tell(committed: "asyncio.Future[None]") -> None:
            if not committed.cancelled() and committed.exception() is None:
                self._watch.acknowledged(records)

        committed.add_done_callback(tell)
        return committed


class WatchedModel(Around):
    """A model that reports about what a call may use, and fails at first as often as `failures` says, in [0, 1]."""

    def __init__(self, model: Model, watch: Watch, failures: float) -> None:
        super().__init__(model)
        self._watch = watch
        self._failures = failures
        self._attempts: dict[tuple[str, int, int | None], int] = {}

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self._fail(sampling.seed)
        self._watch.asked(sampling.seed)
        model = self._model
        if isinstance(model, TakesQuestions):
            completion = await model.answer(prompt, sampling, asked)
        else:
            completion = await model.complete(prompt, sampling)
        usage = Usage(prompt_tokens=prompt.most_tokens // 2, completion_tokens=sampling.max_tokens // 2)
        self._watch.answered(sampling.seed, usage)
        return replace(completion, usage=usage)

    def _fail(self, seed: int | None) -> None:
        """At most two of a call's attempts in an incarnation, so that its endpoint is never given up."""
        here = current()
        key = here.path, here.incarnation, seed
        number = self._attempts[key] = self._attempts.get(key, 0) + 1
        chance = Random(f"{key}/{number}")
        if number <= 2 and chance.random() < self._failures:
            raise chance.choice([Overloaded, NoAnswer])("not now")


class _WatchedState(TextCraftState):
    """Tells the watch of each step. Undeclared attributes are shared by copies."""

    def step(self, action: str) -> Outcome:
        here = current()
        watch: Watch = vars(self)["watch"]
        watch.goes_on(parent(here.path), here.incarnation)
        return super().step(action)


class WatchedWorld(TextCraft):
    """TextCraft, whose steps are watched."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    def open(self, task: Task) -> TextCraftState:
        state = _WatchedState.__new__(_WatchedState)
        vars(state).update({**vars(super().open(task)), "watch": self._watch})
        return state


class WatchedQuota(Quota):
    """A quota of one life, with at most so many calls in flight and a budget in tokens; None: no limit."""

    def __init__(self, calls: int | None, tokens: int | None, journal: WatchedJournal, watch: Watch) -> None:
        budget = Budget(Allowance(tokens=tokens), Allowance(), _free, journal.charges)
        super().__init__(LocalLimiters(RateLimits(calls=calls)).limiter, budget)
        self._calls = calls
        self._watch = watch
        self._numbers: set[str] = set()

    async def receive(self, request: QuotaRequest) -> Any:
        if not isinstance(request, Reserve):
            return await super().receive(request)
        if request.permit in self._numbers:
            self._watch.breaks(f"quota: expected a number for each attempt, got permit {request.permit} twice")
        self._numbers.add(request.permit)
        granted = await super().receive(request)
        if self._calls is not None and len(self.permits) > self._calls:
            self._watch.breaks(f"quota: expected at most {self._calls} calls in flight, got {len(self.permits)}")
        return granted


class WatchedStore(MemoryStore):
    """A store whose sealed versions take nothing, and are the ones that episodes recall from."""

    def __init__(self, store: Store, watch: Watch) -> None:
        super().__init__(store)
        self._watch = watch

    async def receive(self, request: StoreRequest) -> Any:
        if isinstance(request, FindTuples):
            self._check_version(request)
        if not isinstance(request, StoreTuples):
            return await super().receive(request)
        is_sealed = request.version in self._reader.versions()
        before = self._tuples(request.version)
        stored = await super().receive(request)
        if is_sealed and self._tuples(request.version) != before:
            self._watch.breaks(f"memory: expected nothing new in version {request.version}, which was sealed")
        return stored

    def _tuples(self, version: int) -> int:
        return sum(1 for _ in self._reader.tuples(ids_of_version(version)))

    def _check_version(self, request: FindTuples) -> None:
        episode = episode_of(current().path)
        if episode != LEARNER and request.version != attempt_of(episode).epoch:
            self._watch.breaks(f"{episode}: expected a recall from its version, got one from {request.version}")


def _free(_model: str, _usage: Usage) -> int:
    return 0
