"""Quintet from Python: `evaluate` runs a whole evaluation, `open_run` streams the results of one in your program."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.runs.evaluation import Evaluation, open_evaluation
from quintet.runs.files import out_folder
from quintet.runs.prepare import prepare
from quintet.runs.run_folder import RunFolder

_T = TypeVar("_T")


@asynccontextmanager
async def open_run(
    method: str,
    environment: str,
    *,
    model: str = "sim-weak",
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    out: Path | str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> AsyncGenerator[Evaluation, None]:
    """Open a new run on this event loop.

    Args:
        method: see `quintet list methods`; also with an inner method and options, as on the command line:
            `"OUTER(INNER):key=value,inner.key=value"`.
        environment: see `quintet list environments`.
        model: see `quintet list models`.
        tasks: the first so many of the split, or these by name, or None for the whole split.
        memory: a memory to recall from before every turn: `"RUN"`, `"RUN@VERSION"`, or a memory's file.
        out: the run folder, new or empty; None keeps the run in memory.
        settings: more settings, nested as in a TOML file: `{"run": {"seed": 3}, "method": {"max_depth": 2}}`. To learn:
            `{"run": {"learn": True}}`.

    Yields:
        The open run: `run.run(run.left())` runs its episodes, `run.visit()` asks single roles.

    Raises:
        UsageError: a name, a setting or the folder is wrong.
    """
    named = {
        "method.name": method,
        "environment.name": environment,
        "model.name": model,
        "run.tasks": tasks,
        "memory.source": None if memory is None else str(memory),
    }
    if not isinstance(cast("object", settings or {}), Mapping):
        raise UsageError(f"settings: expected a mapping by section, got {settings!r} (open_run)")
    given = {key: value for key, value in named.items() if value is not None}
    prepared = prepare([from_table(settings or {}, "settings"), from_table(given, "open_run")])
    async with AsyncExitStack() as stack:
        run = prepared if out is None else stack.enter_context(RunFolder.create(out_folder(out), prepared))
        yield await stack.enter_async_context(open_evaluation(run))


def evaluate(
    method: str,
    environment: str,
    *,
    model: str = "sim-weak",
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    out: Path | str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[EpisodeEnded]:
    """Run a whole evaluation and wait for it, in a script or a notebook; an event loop may already be running.

    Args:
        method: see `open_run`.
        environment: see `open_run`.
        model: see `open_run`.
        tasks: see `open_run`.
        memory: see `open_run`.
        out: see `open_run`.
        settings: see `open_run`.

    Returns:
        How every episode ended, in the order they ended.

    Raises:
        UsageError: see `open_run`.
    """

    async def run() -> list[EpisodeEnded]:
        opened = open_run(method, environment, model=model, tasks=tasks, memory=memory, out=out, settings=settings)
        async with opened as evaluation:
            return [end async for end in evaluation.run(evaluation.left())]

    return _wait_for(run)


def _wait_for(work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    # A notebook's loop is busy running the cell that called us.
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[_T]]] = Future()

    async def announce() -> _T:
        task = asyncio.create_task(work())
        begun.set_result((asyncio.get_running_loop(), task))
        return await task

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(lambda: asyncio.run(announce()))
        try:
            return done.result()
        except KeyboardInterrupt:
            if begun.done():
                loop, task = begun.result()
                with suppress(RuntimeError):  # the loop has just closed
                    loop.call_soon_threadsafe(task.cancel)
            raise
