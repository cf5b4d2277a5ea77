"""A tool environment as a world: a question, functions to call, and an answer that is scored.

That is what verifiers and inspect call a tool environment; neither package is needed. An action is a call on one line,
`search {"query": "tea"}`, and `submit {"answer": "green"}` ends the task.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any, Final, Literal

import msgspec

from quintet.environments.tool_world.held_context import HeldContext
from quintet.environments.tool_world.rubric import Rubric, Scorer, maybe_await
from quintet.environments.tool_world.state import SUBMIT, ToolState
from quintet.environments.tool_world.tool import ToolSet
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncWorld
from quintet.ports.task_names import unknown_task

_GOAL: Final = "answer by submit"


class ToolWorld(AsyncWorld):
    """Questions that are answered by calling tools.

    What a tool raises is told to the model; a `WorldFault` ends the episode instead. A session is closed in every case:
    when its episode ends, is cancelled or runs out of time, and when it cannot be opened whole.

    Args:
        name: of the world.
        samples: by the name of a task, whatever `question` and `session` take.
        question: the text of a sample's question.
        tools: makes the tools of one session, of what `session` gives; may be a coroutine function.
        rubric: what an answer is worth, by name: functions, or coroutine functions, of what `session` gives and the
            answer. Each returns a number within [0, 1], or an `AnswerToGrade` for the run's judge.
        goal: the instruction of a sample, where the question is not all of it; None: to answer by submit.
        weights: of the rubric's scores in the reward, 1 unless stated; 0: only reported.
        judged: whether the rubric leaves something to the judge; a run without `[model.judge]` is then refused.
        session: opens what one session has for itself, such as an MCP server or a database: what `async with` takes, of
            a sample. None: nothing, and tools and rubric are given the sample.
        forks: `none`, since tools may act on anything; `replay` if sessions share nothing and the same calls are
            answered alike: then a session is copied by opening another and repeating its calls.
        version: raise it when tools or scores change.

    Raises:
        UsageError: the rubric or its weights are wrong.
    """

    splits = ("all",)

    def __init__(
        self,
        name: str,
        samples: Mapping[str, Any],
        *,
        question: Callable[[Any], str],
        tools: Callable[[Any], ToolSet | Awaitable[ToolSet]],
        rubric: Mapping[str, Scorer],
        goal: Callable[[Any], str] | None = None,
        weights: Mapping[str, float] | None = None,
        judged: bool = False,
        session: Callable[[Any], AbstractAsyncContextManager[Any]] | None = None,
        forks: Literal["none", "replay"] = "none",
        version: str = "1",
    ) -> None:
        self.name = name
        self.version = version
        self.forks = forks
        self.needs_judge = judged or None
        self._samples = dict(samples)
        self._question = question
        self._goal: Callable[[Any], str] = goal or (lambda _: _GOAL)
        self._tools = tools
        self._rubric = Rubric(rubric, weights, judged=judged, world=name)
        self._session: Callable[[Any], AbstractAsyncContextManager[Any]] = session or nullcontext
        self._held: set[asyncio.Task[None]] = set()
        """One for each session that is open, or still closes."""

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._samples)

    def metadata(self, task: str) -> Mapping[str, str]:
        self._sample(task)
        return {}

    def answer_action(self, answer: str) -> str:
        return f"{SUBMIT} {msgspec.json.encode({'answer': answer}).decode()}"

    async def open(self, task: Task) -> ToolState:
        sample = self._sample(task.name)
        context = HeldContext(self._session(sample), f"{self.name}: {task.name}")
        self._held.add(context.task)
        context.task.add_done_callback(self._held.discard)
        session = await context.enter()
        async with context.exited_on_error():
            tools = await maybe_await(self._tools(session))
            question, goal, reopen = self._question(sample), self._goal(sample), partial(self.open, task)
            return ToolState(question, goal, tools, self._rubric, context, session, reopen)

    async def restore(self, task: Task, snapshot: bytes) -> ToolState:
        state = await self.open(task)
        await state.load(snapshot)
        return state

    async def aclose(self) -> None:
        if self._held:
            await asyncio.wait(self._held)

    def _sample(self, task: str) -> Any:
        if task not in self._samples:
            raise unknown_task(task, self._samples, self.name)
        return self._samples[task]
