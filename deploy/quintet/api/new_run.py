"""A new run from Python: evaluated to its end, or open in your program."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from quintet.api.wait import wait_for
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.runs.evaluation import Evaluation, open_evaluation
from quintet.runs.files import out_folder
from quintet.runs.prepare import prepare
from quintet.runs.run_folder import RunFolder


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

    return wait_for(run)
