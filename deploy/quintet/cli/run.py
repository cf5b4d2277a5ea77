"""`eval`, `optimize` and `study`: start runs."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from quintet.cli.console import console, notify
from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import EvaluationFlags, Flags, LearningFlags, NewRunFlags, Switch, Whole
from quintet.cli.plan import print_run_plan, print_study_plan
from quintet.cli.progress import Progress
from quintet.cli.shards import go_on_sharded, shard_settings
from quintet.cli.stoppable import stoppable
from quintet.errors import ActorCrashed, HookCrashed, JournalDamaged, NoneAnswered, Suspension, UsageError
from quintet.hooks.hook import Hook
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.shards import begin_sharded
from quintet.launch.writable_run import WritableRun
from quintet.plugins.brought import BroughtObject
from quintet.quota.quota import LocalLimiters
from quintet.reports.episodes import results
from quintet.reports.load import NO_EPISODES
from quintet.reports.tracebacks import innermost_first
from quintet.runs.ends import RunStop, how_stopped
from quintet.runs.files import named_path
from quintet.runs.folder import shell_command
from quintet.runs.record import RunRecord
from quintet.runtime.counters import RunCounters
from quintet.studies.arms import prepare_arms, take_study_objects, with_seeds
from quintet.studies.definition import Study, find_study
from quintet.studies.pictures import require_matplotlib
from quintet.studies.run import RunArm, create, run_study

_EVALUATION = EvaluationFlags()
_LEARNING = LearningFlags()


def eval_command(
    method: str | None = None,
    environment: str | None = None,
    *,
    flags: EvaluationFlags = _EVALUATION,
    shard: str | None = None,
) -> int:
    """Run a method in an environment, in a new run folder.

    Args:
        method: `quintet list methods`; also with an inner method and options: `OUTER(INNER):key=value,inner.key=value`.
        environment: `quintet list environments`. A file (--config) or variables may name both instead.
        shard: Run only this part of the tasks, I/N with I from 0, in a folder that the N drivers of the run share: the
            same command with another I starts each of them.
    """
    return start_run(method, environment, flags, shard)


def optimize_command(
    method: str | None = None, environment: str | None = None, *, flags: LearningFlags = _LEARNING
) -> int:
    """Run a method that learns, in a new run folder.

    Args:
        method: One that learns: `quintet list methods`.
        environment: `quintet list environments`. A file (--config) or variables may name both instead.
    """
    return start_run(method, environment, flags)


def start_run(method: str | None, environment: str | None, flags: Flags, shard: str | None = None) -> int:
    """Run a method in a new run folder and print its report, or with `--dry-run` print what would run."""
    prepared = prepare([*flags.layers(method=method, environment=environment), shard_settings(shard)])
    if flags.dry_run:
        return print_run_plan(prepared, json=flags.json)
    hooks = flags.load_hooks()
    if shard is not None and flags.out is None:
        raise UsageError("--shard: expected --out RUN beside it, the folder that all shards share, got none")
    path = new_folder(flags.out, folder_name(prepared.record))
    if prepared.record.sharded:
        carry_out = partial(run_to_end, hooks=hooks)
        return go_on_sharded(begin_sharded(path, prepared), shard, flags, carry_out, further=out_words(flags, path))
    return start_prepared(prepared, path, flags, hooks)


def start_prepared(prepared: Prepared, path: Path, flags: NewRunFlags, hooks: Sequence[Hook]) -> int:
    """Run a prepared run with one driver in a new folder and print its report."""
    if flags.detach:
        return start_detached(path, *out_words(flags, path), json=flags.json)
    with WritableRun.create(path, prepared) as folder:
        stop = run_to_end(folder, prepared.record.label, hooks)
    return finish(path, stop, json=flags.json)


def study_command(
    name: str, *, flags: EvaluationFlags = _EVALUATION, seeds: Whole | None = None, no_picture: Switch = False
) -> int:
    """Run a study's arms, in a new study folder.

    Args:
        name: `quintet list studies`, or a TOML file with arms of your own: FILE.toml.
        seeds: How many seeds every arm runs with: --seed and those after it. The runs of an arm are reported as one.
        no_picture: Draw no picture.
    """
    definition, layers, objects = take_study_objects(with_seeds(find_study(name), seeds), flags.layers())
    refused: dict[str, str] | None = {} if flags.dry_run else None
    arms = prepare_arms(definition, layers, objects=objects, refused=refused)
    return start_study(definition, arms, flags, objects, name=definition.name, no_picture=no_picture, refused=refused)


def start_study(
    definition: Study,
    arms: dict[str, Prepared],
    flags: Flags,
    objects: Sequence[BroughtObject] = (),
    *further: str,
    name: str,
    no_picture: bool,
    refused: Mapping[str, str] | None = None,
) -> int:
    """Run a new study and print its report, or with `--dry-run` print what would run.

    Args:
        arms: prepared, by name; see `create`.
        further: words that the command needs to run detached.
        name: the end of the folder's name, by default.
        no_picture: draw none.
        refused: why further arms cannot be prepared; only with `--dry-run`.

    Returns:
        The exit code.
    """
    if flags.dry_run:
        return print_study_plan(definition, arms, refused or {}, json=flags.json)
    if not no_picture and definition.has_picture:
        require_matplotlib()
    hooks = flags.load_hooks()
    path = new_folder(flags.out, name)
    if flags.detach:
        return start_detached(path, *out_words(flags, path), *further, json=flags.json)
    with create(definition, arms, path, objects) as folder:
        try:
            stop = run_study(folder, arm_runner(hooks))
        except UsageError:
            if not folder.arms():
                folder.discard()
            raise
    return finish(path, stop, json=flags.json, drawing=None if no_picture else definition)


def out_words(flags: NewRunFlags, path: Path) -> list[str]:
    """What the command lacks that runs it again in a process of its own: the folder that was named by the time."""
    return [] if flags.out is not None else ["--out", str(path)]


def arm_runner(hooks: Sequence[Hook], *, retry_faulted: bool = False) -> RunArm:
    """What runs the arms of a study, each at the pace of those before it."""
    return partial(run_to_end, hooks=hooks, retry_faulted=retry_faulted, limiters=LocalLimiters())


def run_to_end(
    folder: WritableRun,
    label: str,
    hooks: Sequence[Hook] = (),
    *,
    retry_faulted: bool = False,
    limiters: LocalLimiters | None = None,
) -> RunStop:
    """Run what is left of a run, with its progress; a `UsageError` before its first event discards its folder."""
    from quintet.launch.evaluation import run_left

    counters = RunCounters()
    shown = f"{label} on {folder.config.environment.name}, {folder.record.model}"
    with Progress(counters, shown, console(stderr=True), learns=folder.record.learns):
        try:
            left = run_left(folder, counters, notify, retry_faulted=retry_faulted, hooks=hooks, limiters=limiters)
            return RunStop(asyncio.run(stoppable(left)))
        except KeyboardInterrupt:
            return RunStop("interrupted")
        except UsageError:
            if not results(folder, NO_EPISODES).begun:
                folder.discard()
            raise
        except JournalDamaged as fault:  # a resume cannot mend it
            where = str(folder.journal)
            raise UsageError(str(fault) if where in str(fault) else f"{fault} ({where})") from fault
        except (ActorCrashed, Suspension) as fault:
            return RunStop(how_stopped(fault), str(fault), _advice(fault, folder.path))


def _advice(fault: ActorCrashed | Suspension, run: Path) -> str | None:
    """What to do after a fault that stopped a run, as `RunStop` has it."""
    match fault:
        case NoneAnswered():
            return ""
        case ActorCrashed():
            past = shell_command("resume", run, "--keep-going")
            return f"its traceback: {shell_command('show', run, fault.episode)}; to go on all the same: {past}"
        case HookCrashed():  # its traceback was printed when it was raised
            return f"to go on all the same: {shell_command('resume', run, '--keep-going')}"
        case _ if how_stopped(fault) == "stopped":
            return f"its traceback, innermost call first:\n{innermost_first(fault.detail)}"
        case _:
            return None


def new_folder(out: Path | None, name: str) -> Path:
    """The folder that a person names, or one named by the time and what runs."""
    return named_path(out or Path("runs") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{name}", "--out")


def folder_name(record: RunRecord) -> str:
    """What a run's folder is named by."""
    config = record.configuration
    parts = (record.label, config.environment.name, config.run.task_type)
    return "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts if part is not None)
