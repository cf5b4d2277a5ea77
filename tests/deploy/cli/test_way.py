"""The way of `quintet eval` to its first environment step."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import currentframe
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.world import TextCraft
from quintet.methods.base import prompts
from tests.command import printed

LONGEST = 10
"""Modules of `deploy/` on the way, the runtime's among them; docs/decisions/command-line-and-files.md."""


class Way:
    """Counts worlds and reads of prompts, and follows callers through tasks and callbacks."""

    def __init__(self) -> None:
        self.worlds = 0
        self.reads: Counter[str] = Counter()
        self.modules: list[str] = []
        """Of `deploy/`, from the command to the first step, each once."""
        self._of_task: dict[object, list[str]] = {}
        self._of_callback: list[str] = []

    def to(self, frame: FrameType | None) -> list[str]:
        """The modules whose functions lead to a frame."""
        try:
            task = asyncio.current_task()
        except RuntimeError:
            task = None
        before = self._of_callback if task is None else self._of_task[task]
        return list(dict.fromkeys([*before, *reversed(list(_modules(frame)))]))

    def make_world(self, make: Callable[..., None], *arguments: Any, **options: Any) -> None:
        self.worlds += 1
        make(*arguments, **options)

    def read_prompt(self, read: Callable[[Path, int], bytes], file: Path, most: int) -> bytes:
        self.reads[file.name] += 1
        return read(file, most)

    def step(self, step: Callable[..., object], *arguments: Any) -> object:
        self.modules = self.modules or self.to(currentframe())
        return step(*arguments)

    def create_task(self, create: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        way = self.to(currentframe())
        task = create(*arguments, **options)
        self._of_task[task] = way
        return task

    def call_soon(self, soon: Callable[..., Any], loop: Any, callback: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(getattr(callback, "__self__", None), asyncio.Future) or "Task" in type(callback).__name__:
            return soon(loop, callback, *arguments, **options)  # a step of a task, which has a way of its own
        way = self.to(currentframe())

        def call(*given: Any) -> None:
            self._of_callback = way
            callback(*given)

        return soon(loop, call, *arguments, **options)


def _modules(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        _, found, module = frame.f_code.co_filename.rpartition("/deploy/quintet/")
        if found:
            yield module
        frame = frame.f_back


def _wrap(function: Callable[..., Any], watch: Callable[..., Any]) -> Callable[..., Any]:
    def watched(*arguments: Any, **options: Any) -> Any:
        return watch(function, *arguments, **options)

    watched.__wrapped__ = function  # type: ignore[attr-defined]  # whose signature has a plug-in's options
    watched.__annotations__ = getattr(function, "__annotations__", {})
    return watched


def test_the_first_step_is_few_modules_away_the_world_is_made_once_and_every_prompt_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way()
    watched: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (TextCraft, "__init__", way.make_world),
        (prompts, "read_limited", way.read_prompt),
        (TextCraftState, "step", way.step),
        (asyncio.BaseEventLoop, "create_task", way.create_task),
        (asyncio.BaseEventLoop, "call_soon", way.call_soon),
    )
    for owner, name, watch in watched:
        monkeypatch.setattr(owner, name, _wrap(getattr(owner, name), watch))
    printed("eval", "react", "textcraft", "--tasks", "stick", "--out", tmp_path / "run")
    assert way.worlds == 1
    assert way.reads == {"demonstrations.txt": 1, "execute.txt": 1}
    assert way.modules[:2] == ["cli/__init__.py", "cli/run.py"]
    assert len(way.modules) <= LONGEST, way.modules
