"""Whole runs from Python: new ones, resumed ones, and what they recorded. The machinery is imported when one begins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from quintet.events import EpisodeEnded
    from quintet.export.frames import RunFrames
    from quintet.hooks.hook import Hook, HookLike
    from quintet.launch.evaluation import Evaluation
    from quintet.launch.prepare import Prepared
    from quintet.launch.writable_run import WritableRun
    from quintet.methods.base.method import Method
    from quintet.ports.async_world import AsyncWorld
    from quintet.ports.model import Model
    from quintet.ports.world import World

MethodLike: TypeAlias = "str | type[Method[Any]] | Method[Any]"
"""A method: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, a class, or a configured instance."""
WorldLike: TypeAlias = "str | World | AsyncWorld | Callable[..., World | AsyncWorld]"
"""A world: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class or function that makes it."""
ModelLike: TypeAlias = "str | Model | Callable[..., Model]"
"""A model: its name, `FILE.py:OBJECT` or `package.module:OBJECT`, an instance, or a class or function that makes it."""

_T = TypeVar("_T")
MEMORY: Final = "memory"
"""In place of a folder: the journal is kept in memory."""


@asynccontextmanager
async def open_run(
    method: MethodLike,
    environment: WorldLike,
    *,
    model: ModelLike | None = None,
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    stream: MethodLike | bool = False,
    journal: Path | str | None = MEMORY,
    settings: Mapping[str, Any] | None = None,
    max_asks: int | None = None,
    hooks: Sequence[HookLike] = (),
    collect_rarely: bool = False,
) -> AsyncGenerator[Evaluation, None]:
    """Open a new run on this event loop.

    Args:
        method: see `quintet list methods`; also with an inner method and options, as on the command line:
            `"OUTER(INNER):key=value,inner.key=value"`. Or a subclass of `Method`, or an instance: configured, with its
            inner method.
        environment: see `quintet list environments`; or a `World`, or a class or function that makes one.
        model: see `quintet list models`; or a `Model`, or a class or function that makes one. None: the default one,
            which needs no key and no network.
        tasks: the first so many of the split, or these by name, or None for the whole split.
        memory: a memory to recall from before every turn: `"RUN"`, `"RUN@VERSION"`, or a memory's file.
        stream: play the tasks in order, each with what was learnt from those before, by this method around `method`;
            True: `method` learns itself; `"none"`: nothing learns. Further settings are `run.order`,
            `learning.feedback` and `learning.window`.
        journal: the run folder, new or empty, which a kill leaves as it is and `quintet.api.resume` goes on from;
            `"memory"` keeps the journal in memory until the run is closed; None does too, but keeps nothing of what
            refs and visits ask, so that a service needs no more memory however long it runs.
        settings: more settings, nested as in a TOML file: `{"run": {"seed": 3}, "method": {"max_depth": 2}}`. To learn:
            `{"run": {"learn": True}}`. An object may stand in place of every name.
        max_asks: how many asks of refs may be under way at once, at least 1; a further one raises `RunBusy` at once.
            None: any number, which wait for the run's limits.
        hooks: receive the run's events, beside those that are installed: instances or classes of `Hook`, or
            `FILE.py:OBJECT`.
        collect_rarely: let Python look for cycles of garbage rarely, and never among what lives when the run opens,
            until it is closed: a call among thousands costs half the CPU. It concerns the whole process; commands and
            Ray hosts always do so.

    Yields:
        The open run: `run.run(run.left())` runs its episodes, `run.visit()` asks single roles.

    Raises:
        UsageError: a name, a setting or the folder is wrong.
    """
    from quintet.config.settings import from_argument, from_table
    from quintet.config.stream import stream_settings
    from quintet.hooks.hook import load_hooks
    from quintet.launch.prepare import prepare
    from quintet.plugins.catalogue import DEFAULT_MODEL

    played = {"method.name": method} if stream is False else stream_settings(method, None if stream is True else stream)
    named = {
        **played,
        "environment.name": environment,
        "model.name": DEFAULT_MODEL if model is None else model,
        "run.tasks": tasks,
        "memory.source": None if memory is None else str(memory),
    }
    further = from_argument(settings, "open_run")
    given = {key: value for key, value in named.items() if value is not None}
    loaded = load_hooks(hooks)
    prepared = prepare([further, from_table(given, "open_run")])
    async with open_new(prepared, journal, loaded, max_asks=max_asks, collect_rarely=collect_rarely) as opened:
        yield opened


@asynccontextmanager
async def open_new(
    prepared: Prepared,
    journal: Path | str | None,
    hooks: Sequence[Hook],
    *,
    max_asks: int | None = None,
    collect_rarely: bool = False,
) -> AsyncGenerator[Evaluation, None]:
    """A new run with its journal, as `open_run` has it."""
    from quintet.launch.evaluation import open_evaluation
    from quintet.launch.writable_run import WritableRun
    from quintet.runs.files import named_path

    async with AsyncExitStack() as stack:
        run: WritableRun | Prepared = prepared
        if journal is not None and journal != MEMORY:
            run = stack.enter_context(WritableRun.create(named_path(journal, "--out"), prepared))
        opened = open_evaluation(
            run, keep_visits=journal is not None, max_asks=max_asks, hooks=hooks, collect_rarely=collect_rarely
        )
        yield await stack.enter_async_context(opened)


def evaluate(
    method: MethodLike,
    environment: WorldLike,
    *,
    model: ModelLike | None = None,
    tasks: int | Sequence[str] | None = None,
    memory: Path | str | None = None,
    stream: MethodLike | bool = False,
    journal: Path | str | None = MEMORY,
    settings: Mapping[str, Any] | None = None,
    hooks: Sequence[HookLike] = (),
    collect_rarely: bool = False,
) -> list[EpisodeEnded]:
    """Run a whole evaluation and wait for it, in a script or a notebook; an event loop may already be running.

    Its arguments and errors are those of `open_run`.

    Returns:
        How every episode ended, in the order they ended.

    Raises:
        ActorCrashed: an episode ended by a bug, with its place and its traceback; not under
            `settings={"run": {"keep_going": True}}`.
    """
    opened = open_run(
        method,
        environment,
        model=model,
        tasks=tasks,
        memory=memory,
        stream=stream,
        journal=journal,
        settings=settings,
        hooks=hooks,
        collect_rarely=collect_rarely,
    )
    return ends_of(opened)


@asynccontextmanager
async def reopen_run(
    folder: Path | str,
    *,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    max_asks: int | None = None,
    hooks: Sequence[HookLike] = (),
    trust: bool = False,
    collect_rarely: bool = False,
) -> AsyncGenerator[Evaluation, None]:
    """Open a run that was interrupted or has ended, on this event loop; no model call is made again.

    Args:
        settings: what changes from now on, nested as in a TOML file; only what cannot change results:
            `{"limits": {"budget_usd": 5}, "runtime": {"concurrency": 64}}`.
        objects: those that the run was given from Python: its classes, functions and instances, in any order. What came
            from a file or a package is found there again. Changed code is refused.
        max_asks: as in `open_run`.
        hooks: receive the run's events from now on, as in `open_run`.
        trust: approve what a run of somebody else would run, import and contact.
        collect_rarely: as in `open_run`.

    Yields:
        The open run: `run.run(run.left())` runs the episodes that have not ended.

    Raises:
        UsageError: there is no run, another process writes it, its parts have other versions or other code now, an
            object is missing, or a setting could change results; or the run is somebody else's and not approved: the
            text lists what it would do.
    """
    from quintet.config.settings import from_argument
    from quintet.hooks.hook import load_hooks
    from quintet.launch.evaluation import open_evaluation
    from quintet.launch.writable_run import WritableRun

    changes = from_argument(settings, "reopen_run")
    loaded = load_hooks(hooks)
    with WritableRun.open(Path(folder), changes, objects=objects, trust=trust) as run:
        opened = open_evaluation(run, max_asks=max_asks, hooks=loaded, collect_rarely=collect_rarely)
        async with opened as evaluation:
            yield evaluation


def resume(
    folder: Path | str,
    *,
    faulted: bool = False,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    hooks: Sequence[HookLike] = (),
    trust: bool = False,
    collect_rarely: bool = False,
) -> list[EpisodeEnded]:
    """Run what is left of a run and wait for it, in a script or a notebook; an event loop may already be running.

    Arguments and errors are those of `reopen_run`; `faulted`: also repeat the episodes that faulted.

    Returns:
        How the episodes ended that ran now, in the order they ended.

    Raises:
        ActorCrashed: an episode ended by a bug, with its place and its traceback; not under
            `settings={"run": {"keep_going": True}}`.
        Suspension: they cannot go on: the budget is spent, an endpoint is away, the disk is full.
    """
    reopened = reopen_run(
        folder, settings=settings, objects=objects, hooks=hooks, trust=trust, collect_rarely=collect_rarely
    )
    return ends_of(reopened, retry_faulted=faulted)


def rescore(
    run: Path | str,
    journal: Path | str,
    *,
    judge: ModelLike | None = None,
    scorer: str | None = None,
    where: str = "",
    settings: Mapping[str, Any] | None = None,
    hooks: Sequence[HookLike] = (),
) -> list[EpisodeEnded]:
    """Score the stored episodes of a run anew, without playing them, and wait for it.

    Args:
        run: the run folder that has them.
        journal: the run folder of the scores, new or empty; `resume` goes on with it.
        judge: the model that says of each whether it succeeded, as `model` of `open_run`.
        scorer: in its place, `FILE.py:F`: a function of a `quintet.rescoring.stored.StoredEpisode` that returns a
            number from 0 to 1.
        where: only the episodes that meet this SQL condition over the view `episodes`; or `solved`, `unsolved`.
        settings: of models, limits and runtime, as in `open_run`.
        hooks: as in `open_run`.

    Returns:
        How every scoring ended, its reward the score, in the order they ended.

    Raises:
        UsageError: the run, the condition, a name or a setting is wrong, or nothing meets the condition.
        ActorCrashed: the scorer raised, or returned something else; the text says on which episode.
    """
    from quintet.config.settings import from_argument
    from quintet.hooks.hook import load_hooks
    from quintet.rescoring.rescore import prepare_rescoring

    layers = [from_argument(settings, "rescore")]
    prepared = prepare_rescoring(layers, Path(run), judge=judge, scorer=scorer, where=where)
    return ends_of(open_new(prepared, journal, load_hooks(hooks)))


def read_run(folder: Path | str) -> RunFrames:
    """The tables of a run or a study as data frames: `read_run("runs/mine").polars("episodes")`.

    Args:
        folder: the run folder or the study folder, also while it is written.

    Raises:
        UsageError: there is no run, or none that this version reads.
    """
    from quintet.export.frames import RunFrames

    return RunFrames(Path(folder))


def ends_of(opened: AbstractAsyncContextManager[Evaluation], *, retry_faulted: bool = False) -> list[EpisodeEnded]:
    """Open a run, run what is left of it, and close it; how its episodes ended, in the order they ended."""

    async def ends() -> list[EpisodeEnded]:
        async with opened as evaluation:
            left = evaluation.left(retry_faulted=retry_faulted)
            return [end async for end in evaluation.run(left, last=True)]

    return _wait_for(ends)


def _wait_for(work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """Run `work` to its end in a script, or in a notebook, whose thread has a loop already."""
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
