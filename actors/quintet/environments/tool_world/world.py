"""A tool environment as a world: a question, functions to call, and an answer that is scored.

That is what verifiers and inspect call a tool environment; neither package is needed. An action is a call on one line,
`search {"query": "tea"}`, and `submit {"answer": "green"}` ends the task.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.errors import one_line
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.task_names import unknown_task
from quintet.ports.world import Opening, Outcome

ToolSet: TypeAlias = Mapping[str, Callable[..., Any]]
"""Functions, or coroutine functions, by name. Their signatures and docstrings are what the model is told."""

_SUBMIT: Final = "submit"
_GOAL: Final = "answer by submit"


class ToolWorld(AsyncWorld):
    """Questions that are answered by calling tools. Its states are not copied, since tools may act on anything.

    Args:
        name: of the world.
        samples: by the name of a task, whatever `question`, `tools` and `score` take.
        question: the question's text.
        tools: makes the tools of one session, so that what they keep is that session's own.
        score: the reward of an answer, within [0, 1]; may be a coroutine function.
        version: raise it when tools or scores change.
    """

    prompt_folder: ClassVar[Path] = GymnasiumWorld.prompt_folder
    splits = ("all",)

    def __init__(
        self,
        name: str,
        samples: Mapping[str, Any],
        *,
        question: Callable[[Any], str],
        tools: Callable[[Any], ToolSet],
        score: Callable[[Any, str], float | Awaitable[float]],
        version: str = "1",
    ) -> None:
        self.name = name
        self.version = version
        self._samples = dict(samples)
        self._question = question
        self._tools = tools
        self._score = score

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._samples)

    def metadata(self, task: str) -> Mapping[str, str]:
        self._sample(task)
        return {}

    def answer_action(self, answer: str) -> str:
        return f"{_SUBMIT} {msgspec.json.encode({'answer': answer}).decode()}"

    async def open(self, task: Task) -> "ToolState":
        sample = self._sample(task.name)
        return ToolState(self._question(sample), self._tools(sample), lambda answer: self._score(sample, answer))

    def _sample(self, task: str) -> Any:
        if task not in self._samples:
            raise unknown_task(task, self._samples, self.name)
        return self._samples[task]


class ToolState(AsyncState):
    """A question that is being answered."""

    def __init__(self, question: str, tools: ToolSet, score: Callable[[str], float | Awaitable[float]]) -> None:
        self._tools = tools
        self._score = score
        self._done = False
        self._reward = 0.0
        told = "\n".join(f"- {_told(name, tool)}" for name, tool in tools.items())
        setting = f"{question}\n\nCall one of these tools at a time, with its arguments as JSON:\n{told}"
        setting = f'{setting}\n- {_SUBMIT} {{"answer": "..."}}: give your answer, which ends the task'
        self.opening = Opening(observation=f"{setting}\n\nGoal: {_GOAL}.", setting=setting, goal=_GOAL)
        self.observation = self.opening.observation

    async def step(self, action: str) -> Outcome:
        if self._done:
            return self._outcome("The task is over.", rejected=True)
        name, _, text = action.strip().partition(" ")
        try:
            given = msgspec.json.decode(text.encode(errors="replace") or b"{}", type=dict[str, Any])
            call = self._submit if name == _SUBMIT else self._tools[name]
            inspect.signature(call).bind(**given)
        except (KeyError, TypeError, msgspec.DecodeError) as error:
            expected = f"expected one of {', '.join((*self._tools, _SUBMIT))} with its arguments as JSON"
            return self._outcome(f"Not called: {expected}, got: {one_line(error)}", rejected=True)
        if name == _SUBMIT:
            await self._submit(**given)
            return replace(self._outcome("Submitted.", rejected=False), final_answer=True)
        try:
            seen = str(await _awaited(call(**given)))
        except Exception as error:  # noqa: BLE001  the model is told what a tool raises, and may try again
            seen = f"{type(error).__name__}: {one_line(error)}"
        return self._outcome(seen, rejected=False)

    async def _submit(self, answer: str) -> None:
        self._done, self._reward = True, float(await _awaited(self._score(str(answer))))

    def _outcome(self, seen: str, *, rejected: bool) -> Outcome:
        self.observation = self.observation if rejected else seen
        return Outcome(observation=seen, reward=self._reward, done=self._done, rejected=rejected)


async def _awaited(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


def _told(name: str, tool: Callable[..., Any]) -> str:
    """A tool as the model is told of it: `search {"query": str}: its docstring's first line`."""
    taken: Sequence[inspect.Parameter] = tuple(inspect.signature(tool, eval_str=True).parameters.values())
    shown = ", ".join(f'"{each.name}": {getattr(each.annotation, "__name__", each.annotation)}' for each in taken)
    return f"{name} {{{shown}}}: {(inspect.getdoc(tool) or 'no description').partition(chr(10))[0]}"
