"""A new run from Python: evaluated to its end, or open in your program."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from quintet.api.wait import wait_for
from quintet.config.settings import from_argument, from_table
from quintet.events import EpisodeEnded
from quintet.hooks.load import HookLike, load_hooks
from quintet.methods.base.method import Method
from quintet.ports.async_world import AsyncWorld
from quintet.ports.model import Model
from quintet.ports.world import World
from quintet.runs.evaluation import Evaluation, open_evaluation
from quintet.runs.files import out_folder
from quintet.runs.prepare import Prepared, prepare
from quintet.runs.run_folder import RunFolder

MethodLike: TypeAlias = str | type[Method[Any]] | Method[Any]
"""A method: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, a class, or a configured instance."""
WorldLike: TypeAlias = str | World | AsyncWorld | Callable[..., World | AsyncWorld]
"""A world: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class or function that makes it."""
ModelLike: TypeAlias = str | Model | Callable[..., Model]
"""A model: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class or function that makes it."""

_MEMORY: Final = "memory"


@asynccontextmanager
async def open_run(
    method: MethodLike,
    environment: WorldLike,
    *,
    model: ModelLike = "sim-weak",
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    journal: Path | str | None = _MEMORY,
    settings: Mapping[str, Any] | None = None,
    hooks: Sequence[HookLike] = (),
) -> AsyncGenerator[Evaluation, None]:
    """Open a new run on this event loop.

    Args:
        method: see `quintet list methods`; also with an inner method and options, as on the command line:
            `"OUTER(INNER):key=value,inner.key=value"`. Or a subclass of `Method`, or an instance: configured, with its
            inner method.
        environment: see `quintet list environments`; or a `World`, or a class or function that makes one.
        model: see `quintet list models`; or a `Model`, or a class or function that makes one.
        tasks: the first so many of the split, or these by name, or None for the whole split.
        memory: a memory to recall from before every turn: `"RUN"`, `"RUN@VERSION"`, or a memory's file.
        journal: the run folder, new or empty, which a kill leaves as it is and `quintet.api.resume` goes on from;
            `"memory"` keeps the journal in memory until the run is closed; None does too, but keeps nothing of what
            refs and visits ask, so that a service needs no more memory however long it runs.
        settings: more settings, nested as in a TOML file: `{"run": {"seed": 3}, "method": {"max_depth": 2}}`. To learn:
            `{"run": {"learn": True}}`. An object may stand in place of every name.
        hooks: receive the run's events, beside those that are installed: instances or classes of `Hook`, or
            `FILE.py:OBJECT`.

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
    further = from_argument(settings, "open_run")
    given = {key: value for key, value in named.items() if value is not None}
    loaded = load_hooks(hooks)
    prepared = prepare([further, from_table(given, "open_run")])
    async with AsyncExitStack() as stack:
        run: RunFolder | Prepared = prepared
        if journal is not None and journal != _MEMORY:
            run = stack.enter_context(RunFolder.create(out_folder(journal), prepared))
        yield await stack.enter_async_context(open_evaluation(run, keep_visits=journal is not None, hooks=loaded))


def evaluate(
    method: MethodLike,
    environment: WorldLike,
    *,
    model: ModelLike = "sim-weak",
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    journal: Path | str | None = _MEMORY,
    settings: Mapping[str, Any] | None = None,
    hooks: Sequence[HookLike] = (),
) -> list[EpisodeEnded]:
    """Run a whole evaluation and wait for it, in a script or a notebook; an event loop may already be running.

    Args:
        method: see `open_run`.
        environment: see `open_run`.
        model: see `open_run`.
        tasks: see `open_run`.
        memory: see `open_run`.
        journal: see `open_run`.
        settings: see `open_run`.
        hooks: see `open_run`.

    Returns:
        How every episode ended, in the order they ended.

    Raises:
        UsageError: see `open_run`.
    """

    async def run() -> list[EpisodeEnded]:
        opened = open_run(
            method,
            environment,
            model=model,
            tasks=tasks,
            memory=memory,
            journal=journal,
            settings=settings,
            hooks=hooks,
        )
        async with opened as evaluation:
            return [end async for end in evaluation.run(evaluation.left())]

    return wait_for(run)
