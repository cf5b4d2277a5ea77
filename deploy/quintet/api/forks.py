"""Forks from Python: runs whose episodes go on from recorded ones. The machinery is imported when one begins."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintet.api.runs import MEMORY, ends_of, open_new

if TYPE_CHECKING:
    from quintet.events import EpisodeEnded
    from quintet.hooks.hook import HookLike
    from quintet.launch.evaluation import Evaluation


@asynccontextmanager
async def open_fork(
    run: Path | str,
    at: str,
    *,
    episode: str | None = None,
    where: str = "",
    say: str | None = None,
    act: str | None = None,
    observe: str | None = None,
    note: str = "",
    times: int | None = None,
    journal: Path | str | None = MEMORY,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    max_asks: int | None = None,
    hooks: Sequence[HookLike] = (),
    trust: bool = False,
    collect_rarely: bool = False,
) -> AsyncGenerator[Evaluation, None]:
    """Open a new run on this event loop, whose episodes go on from recorded ones.

    They are replayed up to a place without a model call, and go on live. The settings are those of the recorded run,
    but for `settings`. Without a change and without `times`, an episode ends as it was recorded.

    Args:
        run: the recorded run's folder.
        at: where to go on: `step:N`, `call:N` or `trial:N` by number from 1, `node:N` of a search tree, a path below
            the episode such as `2/1`, or `start`.
        episode: the path of one, or its beginning if no other begins so; None: all that ended and meet `where`.
        where: `solved`, `unsolved`, or an SQL condition over the journal's view `episodes`; empty: all.
        say: what the model said at the call, or before the step, in place of what it said.
        act: the action of the step, in place of the recorded one.
        observe: what the world is said to have answered to the step.
        note: a text that is shown beside the task from there on.
        times: so many continuations of each episode, each with other draws; None: one, with the recorded seeds.
        journal: as in `open_run`.
        settings: what changes, nested as in a TOML file: another model, sampling, option, plan or memory.
        objects: those that the recorded run was given from Python.
        max_asks: as in `open_run`.
        hooks: as in `open_run`.
        trust: approve what a run of somebody else would run, import and contact.
        collect_rarely: as in `open_run`.

    Yields:
        The open run: `run.run(run.left())` runs its episodes.

    Raises:
        UsageError: there is no such run, episode or place, nothing there to change, or a setting that a fork cannot
            change; or the run is somebody else's and not approved.
    """
    from quintet.config.settings import from_argument
    from quintet.forks.changes import Changes
    from quintet.forks.prepare import plan_fork
    from quintet.hooks.hook import load_hooks
    from quintet.runs.run_folder import RunFolder
    from quintet.trust.refusal import refuse_untrusted

    changes = Changes([from_argument(settings, "fork")], say=say, act=act, observe=observe, note=note)
    loaded = load_hooks(hooks)
    recorded = RunFolder.open_to_read(Path(run))
    refuse_untrusted(recorded, trust=trust, command="fork")
    prepared, *_ = plan_fork(recorded, at, changes, episode=episode, where=where, times=times, objects=objects)
    async with open_new(prepared, journal, loaded, max_asks=max_asks, collect_rarely=collect_rarely) as opened:
        yield opened


def fork(
    run: Path | str,
    at: str,
    *,
    episode: str | None = None,
    where: str = "",
    say: str | None = None,
    act: str | None = None,
    observe: str | None = None,
    note: str = "",
    times: int | None = None,
    journal: Path | str | None = MEMORY,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    hooks: Sequence[HookLike] = (),
    trust: bool = False,
    collect_rarely: bool = False,
) -> list[EpisodeEnded]:
    """Go on from recorded episodes and wait for it, in a script or a notebook; an event loop may already be running.

    Its arguments and errors are those of `open_fork`.

    Returns:
        How every continuation ended, in the order they ended: `TASK/N/0`, with N from 0 for each task.

    Raises:
        ActorCrashed: an episode ended by a bug; as in `evaluate`.
    """
    opened = open_fork(
        run,
        at,
        episode=episode,
        where=where,
        say=say,
        act=act,
        observe=observe,
        note=note,
        times=times,
        journal=journal,
        settings=settings,
        objects=objects,
        hooks=hooks,
        trust=trust,
        collect_rarely=collect_rarely,
    )
    return ends_of(opened)
