"""One life: a fork that begins or resumes a run in its folder, until it is killed or the run ends."""

import asyncio
import os
import signal
import traceback
from pathlib import Path
from typing import NamedTuple, NoReturn

from quintet.config.settings import Settings
from quintet.errors import ActorCrashed, Suspension
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared
from quintet.launch.writable_run import WritableRun
from quintet.runs.ends import EXIT_CODES, HowEnded, how_stopped
from quintet.runtime.counters import RunCounters
from tests.soak.kill.model import LoggedModel
from tests.soak.process.draw import Moment
from tests.soak.process.dying import Commits, connect_dying
from tests.soak.process.found import COMMITS
from tests.soak.process.life import BROKEN, OUTPUT, note_left_open, open_files
from tests.soak.process.lives import SECONDS
from tests.soak.requests import open_log


class LifePlan(NamedTuple):
    """What a process runs, and what is done to it."""

    prepared: Prepared
    model: LoggedModel
    """Which the run was given."""
    folder: Path
    """Of the scenario."""
    changes: Settings
    """Of the run's settings, from now on."""
    kill_at: int
    """The commit at which it dies; 0: none."""
    moment: Moment
    notify_at: int
    """The commit after which its parent is told; 0: none."""
    most_tokens: int | None
    """The run's budget while it lives; None: none."""
    delays: int
    """See `LoggedModel`."""


def start_life(plan: LifePlan, notify: int) -> int:
    """Fork a process, and return its number; it writes to `notify` at the planned commit."""
    process = os.fork()
    if not process:
        _live(plan, notify)
    return process


def _live(plan: LifePlan, notify: int) -> NoReturn:
    code = 70
    try:
        signal.alarm(SECONDS)
        code = _run(plan, notify)
    except BaseException:  # noqa: BLE001  a fork must not go on as its parent
        (plan.folder / OUTPUT).write_text(traceback.format_exc())
    finally:
        os._exit(code)


def _run(plan: LifePlan, notify: int) -> int:
    def tell(number: int) -> None:
        if number == plan.notify_at:
            os.write(notify, b".")

    broken = plan.folder / BROKEN
    commits = Commits(plan.kill_at, plan.moment, "SIGKILL", tell)
    connect_dying(commits, plan.most_tokens, broken)
    plan.model.log, plan.model.delays = open_log(plan.folder), plan.delays
    before = open_files()
    ended = _run_to_end(plan)
    (plan.folder / COMMITS).write_text(str(commits.number))
    note_left_open(before, broken)
    return EXIT_CODES[ended]


def _run_to_end(plan: LifePlan) -> HowEnded:
    path = plan.folder / "run"
    try:
        if (path / "run.json").exists():
            run = WritableRun.open(path, plan.changes, objects=[plan.model])
        else:
            run = WritableRun.create(path, plan.prepared, plan.changes)
        with run:
            return asyncio.run(run_left(run, RunCounters()))
    except (ActorCrashed, Suspension) as fault:
        return how_stopped(fault)
