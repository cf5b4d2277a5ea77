"""`prompts optimize`: rewrites prompts of a method by what they lead to, and measures the best."""

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from quintet.cli.console import console
from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import Flags, Whole
from quintet.cli.plan import print_run_plan
from quintet.cli.run import arm_runner, folder_name, new_folder, out_words
from quintet.config.settings import Settings, parse_value
from quintet.errors import UsageError
from quintet.hooks.hook import Hook
from quintet.plugins.extras import require_extra
from quintet.reports.text_tables import plural, print_notes, print_tables
from quintet.studies.run import WritableStudy

if TYPE_CHECKING:
    from quintet.prompt_optimizer.optimized import OptimizedPrompts


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OptimizationFlags(Flags):
    """The flags of runs, and what an optimisation of prompts has besides."""

    train_split: str | None = None
    """List of tasks to learn from."""
    train_tasks: str | None = None
    """How many of them, drawn at random by the seed, or names separated by commas; by default 40, or all."""
    held_out: Whole | None = None
    """How many of them candidates are compared by; by default a quarter."""
    batch: Whole = 3
    """Training tasks whose episodes a reflection is shown."""
    iterations: Whole = 10
    """How many reflections there are at most."""


_FLAGS = OptimizationFlags()


def optimize_prompts_command(
    method: str, environment: str, prompts: str, /, *, flags: OptimizationFlags = _FLAGS
) -> int:
    """Optimise prompts, in a new folder.

    Args:
        method: `quintet list methods`, or FILE.py:OBJECT.
        environment: `quintet list environments`, or FILE.py:OBJECT.
        prompts: Their names, separated by commas: `quintet prompts list`; those of an inner method are INNER/NAME.
    """
    require_extra("gepa", "gepa", "quintet prompts optimize")
    from quintet.prompt_optimizer.optimization import Choices, begin, plan

    named = flags.train_tasks
    choices = Choices(
        prompts=[name.strip() for name in prompts.split(",") if name.strip()],
        train_split=flags.train_split,
        train_tasks=None if named is None else parse_value(named, "--train-tasks"),
        held_out=flags.held_out,
        batch=flags.batch,
        iterations=flags.iterations,
    )
    planned = plan(flags.layers(method=method, environment=environment), choices)
    about = planned.optimization
    if flags.dry_run:
        counts = f"{len(about.training)} training, {len(about.held_out)} held-out and {len(about.test)} test tasks"
        most = f"at most {plural(about.iterations, 'reflection')} and {planned.most_episodes:,} episodes"
        code = print_run_plan(planned.prepared, json=flags.json)
        print_notes([f"# {counts}: {most}"], console(stderr=flags.json))
        return code
    hooks = flags.load_hooks()
    path = new_folder(flags.out, f"prompts-{folder_name(planned.prepared.record)}")
    if flags.detach:
        return start_detached(path, *out_words(flags, path), json=flags.json)
    with begin(planned, path) as folder:
        outcome = _carry_out(folder, hooks)
    return _finish(outcome, json=flags.json)


def resume_optimization(path: Path, settings: Settings, hooks: Sequence[Hook], *, trust: bool, json: bool) -> int:
    """Go on with an optimisation; what its folder has is neither played nor asked of a model again."""
    require_extra("gepa", "gepa", "quintet resume")
    with WritableStudy.open(path, settings, trust=trust) as folder:
        outcome = _carry_out(folder, hooks)
    return _finish(outcome, json=json)


def _carry_out(folder: WritableStudy, hooks: Sequence[Hook]) -> "OptimizedPrompts":
    from quintet.prompt_optimizer.optimization import go_on

    try:
        return go_on(folder, arm_runner(hooks))
    except UsageError:
        if not folder.arms():
            folder.discard()
        raise


def _finish(outcome: "OptimizedPrompts", *, json: bool) -> int:
    return finish(outcome.folder.path, outcome.stop, json=json, show=partial(_show, outcome, json=json))


def _show(outcome: "OptimizedPrompts", *, json: bool) -> None:
    if json:
        print(json_text.dumps(outcome.content, indent=2))
    else:
        print_tables(outcome.tables, console())
        print_notes([*outcome.notes], console())
