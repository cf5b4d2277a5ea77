"""Optimising prompts from Python. The machinery is imported when an optimisation begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from quintet.api.runs import MethodLike, ModelLike, WorldLike
    from quintet.hooks.hook import Hook, HookLike
    from quintet.launch.writable_run import WritableRun
    from quintet.prompt_optimizer.optimized import OptimizedPrompts
    from quintet.quota.quota import LocalLimiters
    from quintet.runs.ends import RunStop

_T = TypeVar("_T")


def optimize_prompts(
    method: MethodLike,
    environment: WorldLike,
    prompts: Sequence[str],
    journal: Path | str,
    *,
    model: ModelLike | None = None,
    tasks: int | Sequence[str] | None = None,
    train_split: str | None = None,
    train_tasks: int | Sequence[str] | None = None,
    held_out: int | None = None,
    batch: int = 3,
    iterations: int = 10,
    settings: Mapping[str, Any] | None = None,
    hooks: Sequence[HookLike] = (),
) -> OptimizedPrompts:
    """Rewrite prompts of a method by what they lead to on training tasks, with GEPA, and measure the best.

    Args:
        method: as in `evaluate`.
        environment: as in `evaluate`.
        prompts: their names, as `quintet prompts list` has them; those of an inner method are `INNER/NAME`.
        journal: the folder, new or empty; `resume_prompts` goes on with it.
        model: as in `evaluate`; a model of its own for the reflections is a setting:
            `{"model": {"prompt_writer": {"name": "..."}}}`.
        tasks: what the start and the best are measured by, at the end, as in `evaluate`.
        train_split: the list of tasks to learn from.
        train_tasks: how many of them, drawn by the seed, or these by name; None: 40, or all.
        held_out: how many of them candidates are compared by; None: a quarter.
        batch: training tasks whose episodes a reflection is shown.
        iterations: how many reflections there are at most.
        settings: more settings of the runs, as in `evaluate`.
        hooks: as in `evaluate`, of every run.

    Returns:
        The candidates and what each came to: `outcome.best.texts`.

    Raises:
        UsageError: a name, a setting or the folder is wrong, or the extra `gepa` is not installed.
        Suspension: it cannot go on: the budget is spent, an endpoint is away, the disk is full. All that was paid for
            is kept.
    """
    from quintet.config.settings import from_argument, from_table
    from quintet.hooks.hook import load_hooks
    from quintet.plugins.catalogue import DEFAULT_MODEL
    from quintet.plugins.extras import require_extra
    from quintet.runs.files import named_path

    require_extra("gepa", "gepa", "optimize_prompts")
    from quintet.prompt_optimizer.optimization import Choices, begin, go_on, plan

    named = {
        "method.name": method,
        "environment.name": environment,
        "model.name": DEFAULT_MODEL if model is None else model,
        "run.tasks": tasks,
    }
    given = from_table({key: value for key, value in named.items() if value is not None}, "optimize_prompts")
    choices = Choices(prompts, train_split, train_tasks, held_out, batch, iterations)
    planned = plan([from_argument(settings, "optimize_prompts"), given], choices)
    loaded = load_hooks(hooks)

    def run() -> OptimizedPrompts:
        with begin(planned, named_path(journal, "--out")) as folder:
            return go_on(folder, _arm_runner(loaded))

    return _outside_any_loop(run)


def resume_prompts(
    folder: Path | str,
    *,
    settings: Mapping[str, Any] | None = None,
    objects: Sequence[object] = (),
    hooks: Sequence[HookLike] = (),
    trust: bool = False,
) -> OptimizedPrompts:
    """Go on with an optimisation of prompts; what its folder has is neither played nor asked of a model again.

    Arguments and errors are those of `resume`, and the result is that of `optimize_prompts`.
    """
    from quintet.config.settings import from_argument
    from quintet.hooks.hook import load_hooks
    from quintet.plugins.extras import require_extra
    from quintet.studies.run import WritableStudy

    require_extra("gepa", "gepa", "resume_prompts")
    from quintet.prompt_optimizer.optimization import go_on

    changes = from_argument(settings, "resume_prompts")
    loaded = load_hooks(hooks)

    def run() -> OptimizedPrompts:
        with WritableStudy.open(Path(folder), changes, objects=objects, trust=trust) as opened:
            return go_on(opened, _arm_runner(loaded))

    return _outside_any_loop(run)


def _arm_runner(hooks: Sequence[Hook]) -> Callable[[WritableRun, str], RunStop]:
    from quintet.quota.quota import LocalLimiters

    return partial(_run_arm, hooks=hooks, limiters=LocalLimiters())


def _run_arm(run: WritableRun, label: str, *, hooks: Sequence[Hook], limiters: LocalLimiters) -> RunStop:
    from quintet.launch.evaluation import run_left
    from quintet.runs.ends import RunStop
    from quintet.runtime.counters import RunCounters

    return RunStop(asyncio.run(run_left(run, RunCounters(), hooks=hooks, limiters=limiters)))


def _outside_any_loop(work: Callable[[], _T]) -> _T:
    """Do work that runs event loops, in a script or in a notebook, whose thread has a loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
