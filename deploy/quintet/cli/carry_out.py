"""Carries out a run in its folder, with live progress, and says how it stopped."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from quintet.cli.console import console, notify
from quintet.cli.progress import Progress
from quintet.cli.stoppable import stoppable
from quintet.errors import ActorCrashed, HookCrashed, JournalDamaged, NoneAnswered, Suspension, UsageError
from quintet.hooks.hook import Hook
from quintet.launch.writable_run import WritableRun
from quintet.quota.quota import LocalLimiters
from quintet.reports.episodes import results
from quintet.reports.load import NO_EPISODES
from quintet.reports.tracebacks import innermost_first
from quintet.runs.ends import RunStop, how_stopped
from quintet.runs.folder import shell_command
from quintet.runtime.counters import RunCounters


def carry_out_run(
    folder: WritableRun,
    label: str,
    hooks: Sequence[Hook] = (),
    *,
    retry_faulted: bool = False,
    limiters: LocalLimiters | None = None,
) -> RunStop:
    """Run what is left of a run, with live progress; see `run_left`.

    Args:
        label: what is shown before the counters.
    """
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
