"""`eval`, `optimize`, `resume` and `study`: start runs, and go on with them."""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from quintet.cli.console import console, flush_at_end, notify
from quintet.cli.detach import start_detached
from quintet.cli.flags import EvaluationFlags, Flags, LearningFlags, ResumeFlags, Switch, Whole
from quintet.cli.plan import print_run_plan, print_study_plan
from quintet.cli.progress import Progress
from quintet.cli.report import print_as
from quintet.cli.shards import (
    leave_shards,
    run_shards,
    shard_number,
    shard_settings,
    sharded_run,
    start_shards,
    wait_for_another_driver,
    wait_for_shards,
)
from quintet.cli.stoppable import stoppable
from quintet.config.resolve import as_tables
from quintet.config.settings import Settings, from_table
from quintet.errors import ActorCrashed, HookCrashed, JournalDamaged, NoneAnswered, Suspension, UsageError
from quintet.hooks.hook import Hook
from quintet.journal.connection import raise_damage
from quintet.launch.prepare import Prepared, prepare, refuse_changes
from quintet.launch.shards import begin_sharded, open_shard
from quintet.launch.writable_run import WritableRun
from quintet.learned.kinds import CONTENT_KINDS
from quintet.plugins.brought import BroughtObject
from quintet.quota.quota import LocalLimiters
from quintet.reports.episodes import results
from quintet.reports.learning.files import VersionFiles
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.reports.rows import RowState
from quintet.reports.tracebacks import innermost_first
from quintet.runs.ends import EXIT_CODES, RunStop, how_stopped
from quintet.runs.files import named_path
from quintet.runs.folder import read_changes, settings_of, shell_command
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.runtime.counters import RunCounters
from quintet.studies.arms import prepare_arms, take_study_objects, with_seeds
from quintet.studies.definition import Study, find_study, recorded_study
from quintet.studies.pictures import draw_picture, require_matplotlib
from quintet.studies.run import WritableStudy, create, run_study
from quintet.trust.refusal import refuse_untrusted

_RESULTS: Sequence[RowState] = ("solved", "unsolved")
_EVALUATION = EvaluationFlags()
_LEARNING = LearningFlags()
_NO_CHANGES = ResumeFlags()


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
    return _evaluate(method, environment, flags, shard)


def optimize_command(
    method: str | None = None, environment: str | None = None, *, flags: LearningFlags = _LEARNING
) -> int:
    """Run a method that learns, in a new run folder.

    Args:
        method: One that learns: `quintet list methods`.
        environment: `quintet list environments`. A file (--config) or variables may name both instead.
    """
    return _evaluate(method, environment, flags)


def _evaluate(method: str | None, environment: str | None, flags: Flags, shard: str | None = None) -> int:
    prepared = prepare([*flags.layers(method=method, environment=environment), shard_settings(shard)])
    if flags.dry_run:
        return print_run_plan(prepared, json=flags.json)
    hooks = flags.load_hooks()
    if shard is not None and flags.out is None:
        raise UsageError("--shard: expected --out RUN beside it, the folder that all shards share, got none")
    path = _folder(flags.out, _name(prepared.record))
    if prepared.record.sharded:
        return _go_on_sharded(begin_sharded(path, prepared), shard, flags, hooks, further=_out(flags, path))
    if flags.detach:
        return start_detached(path, *_out(flags, path), json=flags.json)
    with WritableRun.create(path, prepared) as folder:
        stop = _run(folder, prepared.record.label, hooks)
    return _finish(path, stop, json=flags.json)


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
    flags: EvaluationFlags,
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
    path = _folder(flags.out, name)
    if flags.detach:
        return start_detached(path, *_out(flags, path), *further, json=flags.json)
    with create(definition, arms, path, objects) as folder:
        try:
            stop = run_study(folder, partial(_run, hooks=hooks, limiters=LocalLimiters()))
        except UsageError:
            if not folder.arms():
                folder.discard()
            raise
    return _finish(path, stop, json=flags.json, drawing=None if no_picture else definition)


def _go_on_sharded(
    run: RunFolder,
    shard: str | None,
    flags: ResumeFlags,
    hooks: Sequence[Hook],
    *,
    settings: Settings | None = None,
    further: Sequence[str] = (),
    faulted: bool = False,
    trust: bool = False,
) -> int:
    """Begin or go on with a shard of a run over several drivers, or with all of them, and return the exit code."""
    if shard is None:
        drivers = start_shards(run, *further, repeats=faulted)
        if flags.detach:
            return leave_shards(run, drivers, json=flags.json)
        return _finish(run.path, wait_for_shards(run, drivers), json=flags.json)
    number = shard_number(run, shard)
    if flags.detach:
        return start_detached(run.shard_path(number), json=flags.json)

    def run_shard(each: int) -> RunStop:
        with open_shard(run, each, settings, trust=trust) as folder:
            return _run(folder, f"shard {each}: {folder.record.label}", hooks, retry_faulted=faulted)

    number, stop = run_shards(run, number, run_shard)
    return _finish(run.shard_path(number), stop, json=flags.json)


def resume_command(
    run: Path,
    *,
    flags: ResumeFlags = _NO_CHANGES,
    shard: str | None = None,
    faulted: Switch = False,
    anew: Switch = False,
    trust: Switch = False,
) -> int:
    """Continue a run or a study.

    Args:
        run: Its folder.
        shard: Of a run over several drivers, begin or continue this shard alone, I/N with I from 0.
        faulted: Also repeat the episodes that faulted.
        anew: Begin again if the run's journal is lost; every model call is made, and paid for, again.
        trust: Approve all that a run of somebody else would run, import and contact, which is listed without this.
    """
    settings, hooks = flags.settings(), flags.load_hooks()
    found = open_any(run)
    refuse_untrusted(found, trust=trust)
    if shard is not None or (isinstance(found, RunFolder) and found.record.sharded):
        run_of_shards = sharded_run(found)
        if anew:
            raise UsageError(f"--anew: expected the folder of one shard, got a run over several drivers ({run})")
        refuse_changes(run_of_shards.record, settings, run)
        return _go_on_sharded(run_of_shards, shard, flags, hooks, settings=settings, faulted=faulted, trust=trust)
    if flags.detach:
        return start_detached(run, json=flags.json)
    if isinstance(found, StudyFolder):
        if anew:
            raise UsageError(f"--anew: expected a run folder, such as that of an arm, got a study ({run})")
        with WritableStudy.open(run, settings, trust=trust) as arms:
            run_arm = partial(_run, hooks=hooks, retry_faulted=faulted, limiters=LocalLimiters())
            stop = run_study(arms, run_arm, retry_faulted=faulted)
        return _finish(run, stop, json=flags.json, drawing=recorded_study(found))
    refuse_changes(found.record, settings, run)
    if found.record.shard is not None:
        wait_for_another_driver(run)
    for damage in found.damage:
        notify(damage)
    before = None if anew else results(found, NO_EPISODES)
    if before is not None and before.finished and not (faulted and before.count("faulted")):
        notify(f"nothing to resume: all {before.count('solved', 'unsolved', 'faulted')} episodes ended")
        if found.record.learns:  # a kill may have come between the end and the copies
            VersionFiles(CONTENT_KINDS[found.record.learnt], found.path, notify).complete()
        return _finish(run, RunStop(before.ended), json=flags.json)
    with WritableRun.open(run, settings, anew=anew, trust=trust) as folder:
        stop = _run(folder, folder.record.label, hooks, retry_faulted=faulted)
    return _finish(run, stop, json=flags.json)


def _out(flags: Flags, path: Path) -> list[str]:
    return [] if flags.out is not None else ["--out", str(path)]


def _run(
    folder: WritableRun,
    label: str,
    hooks: Sequence[Hook] = (),
    *,
    retry_faulted: bool = False,
    limiters: LocalLimiters | None = None,
) -> RunStop:
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


def _finish(path: Path, stop: RunStop, *, json: bool = False, drawing: Study | None = None) -> int:
    """Print the report if there is anything to report, and say how the run ended, why, and where it is."""
    ended, because = stop.ended, f": {stop.why}" if stop.why else ""
    try:
        found = load_report([path], None if json else NO_EPISODES)
    except UsageError as error:  # an unreadable journal may be why the run was suspended
        notify(f"{ended}{because}; {error}")
        return EXIT_CODES[ended]
    try:
        with flush_at_end(sys.stdout):
            if json or ended in ("done", "faulted") or any(run.results.count(*_RESULTS) for run in found.runs):
                print_as(found, console(), json=json)
    except OSError as error:  # the results are on disk even if the table cannot be printed
        if not isinstance(error, BrokenPipeError):
            notify(f"report: {error}")
    if drawing is not None and drawing.has_picture and ended in ("done", "faulted"):
        draw(drawing, found, path / f"{drawing.name}.png")
    for kind in CONTENT_KINDS.values():
        if (path / kind.file).is_file():
            notify(f"{kind.name}: {path / kind.file}")
    match ended:
        case "interrupted":
            advice = f"to go on: {shell_command('resume', path)}" if stop.advice is None else stop.advice
            notify("; ".join(filter(None, [f"interrupted{because}", advice])))
        case "spent":
            larger = [word for flag in _budgets(found) for word in (flag, "N")]
            notify(f"budget spent{because}; to go on with a larger one: {shell_command('resume', path, *larger)}")
        case "stopped":
            notify(f"stopped at a bug{because}; {stop.advice}")
        case "faulted":
            [(most, _)] = _faults(found).most_common(1)
            repeat = shell_command("resume", path, "--faulted")
            notify(f"some episodes faulted; to repeat them: {repeat}; most often: {most}")
        case "done":
            notify(f"run folder: {path}")
    raise_damage(found.damage)
    return EXIT_CODES[ended]


def _budgets(found: Report) -> list[str]:
    """The flags of the budgets that some of the runs have."""
    folders = [run.results.folder for run in found.runs]
    settings = [
        {**from_table(as_tables(folder.config), "the record"), **settings_of(read_changes(folder.path), folder.path)}
        for folder in folders
    ]
    budgets = {"--budget-usd": "limits.budget_usd", "--budget-tokens": "limits.budget_tokens"}
    return [flag for flag, key in budgets.items() if any(each[key].value is not None for each in settings)]


def _faults(found: Report) -> Counter[str]:
    return sum((run.results.faults for run in found.runs), Counter[str]())


def draw(study: Study, found: Report, file: Path) -> None:
    """Draw a study's picture and say where it is, or why there is none."""
    try:
        draw_picture(study, found, file)
    except (UsageError, OSError) as error:  # the runs are done, with or without a picture
        notify(str(error) if isinstance(error, UsageError) else f"picture: {error}")
    else:
        notify(f"picture: {file}")


def _folder(out: Path | None, name: str) -> Path:
    return named_path(out or Path("runs") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{name}", "--out")


def _name(record: RunRecord) -> str:
    config = record.configuration
    parts = (record.label, config.environment.name, config.run.task_type)
    return "-".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts if part is not None)
