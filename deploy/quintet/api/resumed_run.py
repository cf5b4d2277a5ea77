"""A run that was interrupted, from Python: gone on with, or open in your program."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from quintet.api.wait import wait_for
from quintet.config.settings import from_argument
from quintet.events import EpisodeEnded
from quintet.hooks.load import HookLike, load_hooks
from quintet.runs.evaluation import Evaluation, open_evaluation
from quintet.runs.run_folder import RunFolder


@asynccontextmanager
async def reopen_run(
    folder: Path | str,
    *,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    hooks: Sequence[HookLike] = (),
) -> AsyncGenerator[Evaluation, None]:
    """Open a run that was interrupted or has ended, on this event loop; no model call is made again.

    Args:
        folder: the run folder.
        settings: what changes from now on, nested as in a TOML file; only what cannot change results:
            `{"limits": {"budget_usd": 5}, "runtime": {"concurrency": 64}}`.
        objects: those that the run was given from Python: its classes, functions and instances, in any order. What came
            from a file or a package is found there again. Changed code is refused.
        hooks: receive the run's events from now on, as in `open_run`.

    Yields:
        The open run: `run.run(run.left())` runs the episodes that have not ended.

    Raises:
        UsageError: there is no run, another process writes it, its parts have other versions or other code now, an
            object is missing, or a setting could change results.
    """
    changes = from_argument(settings, "reopen_run")
    loaded = load_hooks(hooks)
    with RunFolder.open_to_write(Path(folder), changes, objects=objects) as run:
        async with open_evaluation(run, hooks=loaded) as evaluation:
            yield evaluation


def resume(
    folder: Path | str,
    *,
    faulted: bool = False,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    hooks: Sequence[HookLike] = (),
) -> list[EpisodeEnded]:
    """Run what is left of a run and wait for it, in a script or a notebook; an event loop may already be running.

    Args:
        folder: see `reopen_run`.
        faulted: also repeat the episodes that faulted.
        settings: see `reopen_run`.
        objects: see `reopen_run`.
        hooks: see `reopen_run`.

    Returns:
        How the episodes ended that ran now, in the order they ended.

    Raises:
        UsageError: see `reopen_run`.
        Suspension: they cannot go on: the budget is spent, an endpoint is away, the disk is full.
    """

    async def run() -> list[EpisodeEnded]:
        async with reopen_run(folder, settings=settings, objects=objects, hooks=hooks) as evaluation:
            return [end async for end in evaluation.run(evaluation.left(retry_faulted=faulted))]

    return wait_for(run)
