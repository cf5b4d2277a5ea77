"""`eval`, `optimize`, `resume` and `study`: start runs, and go on with them."""

import asyncio
import json as json_text
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from quintet.cli.console import console, flushed, say
from quintet.cli.flags import Changes, Flags
from quintet.cli.show import print_as
from quintet.cli.signals import stoppable
from quintet.config.resolve import changed, resolve, stated
from quintet.config.sections import RunConfig
from quintet.config.settings import flatten
from quintet.config.tasks import TaskEntry
from quintet.errors import ActorCrashed, BudgetSpent, JournalDamaged, Suspension, UsageError
from quintet.journal.reader import raise_damage
from quintet.reports.episodes import results
from quintet.reports.load import Report, gather
from quintet.reports.text_tables import model_label, plural
from quintet.runs.ending import EXIT_CODES, HowEnded
from quintet.runs.place import chosen
from quintet.runs.plan_copies import PlanCopies
from quintet.runs.plans import PLAN
from quintet.runs.progress import Counters, Progress
from quintet.runs.record import RunRecord, begin
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.arms import configurations
from quintet.studies.definition import Study, find_study, known_studies
from quintet.studies.pictures import draw_picture, require_matplotlib
from quintet.studies.run import RunArm, create, run_study


def evaluate(method: str, environment: str, flags: Flags) -> int:
    """Run a method in an environment, in a new run folder; whether it learns there, the flags say.

    Raises:
        UsageError: a setting or the folder is not as it should be.
    """
    config = resolve(flags.layers(method=method, environment=environment))
    record = begin(config)
    if flags.dry_run:
        _print_plan({"": record}, json=flags.json)
        return 0
    path = _folder(flags.out, _name(config))
    with RunFolder.create(path, record) as folder:
        ended = _run(folder, config.method.name)
    return _finish(path, ended, json=flags.json)


def study(name: str, flags: Flags, *, picture: bool, seeds: int | None = None) -> int:
    """Run a study's arms, in a new study folder.

    Raises:
        UsageError: a setting or the folder is not as it should be, or the picture cannot be drawn.
    """
    definition = find_study(name)
    arms = configurations(definition, flags.layers(), seeds=seeds)
    if flags.dry_run:
        _print_plan({arm: begin(config) for arm, config in arms.items()}, json=flags.json)
        return 0
    if picture and definition.picture:
        require_matplotlib()
    path = _folder(flags.out, name)
    with create(definition, arms, path) as folder:
        try:
            ended = run_study(folder, _run)
        except UsageError:
            if not folder.arms():
                folder.discard()
            raise
    return _finish(path, ended, json=flags.json, drawing=definition if picture else None)


def resume(path: Path, flags: Changes, *, faulted: bool, anew: bool = False) -> int:
    """Go on with a run or a study.

    Raises:
        UsageError: it is none, has another writer, its journal is lost or damaged, or a setting could change its
            results.
    """
    settings = flags.settings()
    found = open_any(path)
    if isinstance(found, StudyFolder):
        if anew:
            raise UsageError(f"--anew: expected a run folder, such as that of an arm, got a study ({path})")
        with StudyFolder.open_to_write(path, settings) as folder:
            ended = run_study(folder, _retrying(faulted=faulted), retry_faulted=faulted)
        return _finish(path, ended, drawing=known_studies().get(folder.record.name))
    changed(found.config, settings, path)
    for damage in found.damage:
        say(damage)
    if anew:
        RunFolder.open_to_write(path, anew=True).close()
    before = results(found)
    if before.finished and not (faulted and before.count("faulted")):
        say(f"nothing to resume: all {before.count('solved', 'unsolved', 'faulted')} episodes ended")
        if found.record.learns:  # a kill between the end and the copies left none
            PlanCopies(found, say).complete()
        return _finish(path, before.ended)
    with RunFolder.open_to_write(path, settings) as run:
        ended = _run(run, run.config.method.name, retry_faulted=faulted)
    return _finish(path, ended)


def _retrying(*, faulted: bool) -> RunArm:
    return lambda folder, label: _run(folder, label, retry_faulted=faulted)


def _run(folder: RunFolder, label: str, *, retry_faulted: bool = False) -> HowEnded:
    from quintet.runs.evaluation import run_left

    counters = Counters()
    shown = f"{label} on {folder.config.environment.name}, {folder.record.model}"
    with Progress(counters, shown, console(stderr=True)):
        try:
            return asyncio.run(stoppable(run_left(folder, counters, say, retry_faulted=retry_faulted)))
        except KeyboardInterrupt:
            return "interrupted"
        except UsageError:
            if not results(folder).begun:
                folder.discard()
            raise
        except JournalDamaged as fault:  # which no resume mends
            where = str(folder.journal)
            raise UsageError(str(fault) if where in str(fault) else f"{fault} ({where})") from fault
        except BudgetSpent as spent:
            say(str(spent))
            return "spent"
        except Suspension as fault:
            say(f"suspended: {fault}")
            return "interrupted"


def _finish(path: Path, ended: HowEnded, *, json: bool = False, drawing: Study | None = None) -> int:
    """Say how it ended and where it lies."""
    try:
        found = gather([path])
    except UsageError as error:  # the journal cannot be read, which is perhaps why the run was suspended
        say(str(error))
        return EXIT_CODES[ended]
    try:
        with flushed(sys.stdout):
            print_as(found, console(), json=json)
    except OSError as error:  # what was run is on disk, whatever becomes of its table
        if not isinstance(error, BrokenPipeError):
            say(f"report: {error}")
    if drawing is not None and drawing.picture and ended in ("done", "faulted"):
        _draw(drawing, found, path / f"{drawing.name}.png")
    match ended:
        case "interrupted":
            say(f"interrupted; to go on: quintet resume {path}")
        case "spent":
            say(
                f"budget spent; to go on with a larger one: quintet resume {path} --budget-usd N (or --budget-tokens N)"
            )
        case "stopped":
            bug = next((reason for reason in _faults(found) if ActorCrashed.__name__ in reason), "")
            say(f"stopped at a bug ({bug}); to go on: quintet resume {path}")
        case "faulted":
            most = Counter(_faults(found)).most_common(1)[0][0]
            say(f"some episodes faulted; to repeat them: quintet resume {path} --faulted; most often: {most}")
        case "done":
            say(f"run folder: {path}")
    if (path / PLAN).is_file():
        say(f"plan: {path / PLAN}")
    raise_damage(found.damage)
    return EXIT_CODES[ended]


def _faults(found: Report) -> Iterator[str]:
    """What the faulted episodes met."""
    for run in found.runs:
        yield from (row.reason for row in run.results.every_row if row.state == "faulted")


def _draw(study: Study, found: Report, file: Path) -> None:
    try:
        draw_picture(study, found, file)
    except (UsageError, OSError) as error:  # the runs are done, with or without a picture
        say(str(error) if isinstance(error, UsageError) else f"picture: {error}")
    else:
        say(f"picture: {file}")


def _folder(out: Path | None, name: str) -> Path:
    return chosen(out or Path("runs") / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{name}")


def _name(config: RunConfig) -> str:
    of_type = [] if config.run.task_type is None else [re.sub(r"[^\w.]+", "-", config.run.task_type)]
    return "-".join([config.method.name, config.environment.name, *of_type])


def _print_plan(records: dict[str, RunRecord], *, json: bool) -> None:
    """What would be run, by arm; one that is no arm of a study has no name."""
    if json:
        plans = {
            arm: {"configuration": record.configuration.model_dump(mode="json"), **_tasks(record)}
            for arm, record in records.items()
        }
        print(json_text.dumps(plans.get("", plans), indent=2))
        return
    for arm, record in records.items():
        if arm:
            print(f"# arm {arm}")
        print("\n".join(_as_toml(record)))
        what = {"tasks": f", {model_label(record.model)}", "training": " to learn from", "held_out": " held out"}
        for kind, names in _tasks(record).items():
            print(f"# {plural(len(names), 'task')}{what[kind]}: {', '.join(names)}")
        print()


def _tasks(record: RunRecord) -> dict[str, list[str]]:
    """The names of its tasks: those that it is measured by, then those of a run that learns."""

    def names(tasks: Iterable[TaskEntry]) -> list[str]:
        return [task.name for task in tasks]

    learnt = {"training": names(record.training), "held_out": names(record.held_out)} if record.learns else {}
    return {"tasks": names(record.tasks), **learnt}


def _as_toml(record: RunRecord) -> list[str]:
    # TOML has no word for None: what is not set is not said. Nor is a model that nobody asks.
    settings = flatten(stated(record.configuration))
    return [
        f"{key} = {json_text.dumps(value)}"
        for key, value in settings
        if value is not None and (record.models or not key.startswith("model."))
    ]
