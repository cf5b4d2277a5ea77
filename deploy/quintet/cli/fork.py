"""`fork`: goes on from a place in recorded episodes, in a new run."""

from pathlib import Path

from quintet.cli.console import notify
from quintet.cli.flags import NewRunFlags, Switch, Whole
from quintet.cli.plan import print_run_plan
from quintet.cli.run import folder_name, new_folder, start_prepared
from quintet.errors import UsageError
from quintet.forks.begin import begin_fork
from quintet.forks.fork import Changes
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import open_any
from quintet.trust.refusal import refuse_untrusted

_UNCHANGED = NewRunFlags()


def fork_command(
    run: Path,
    episode: str | None = None,
    *,
    at: str,
    flags: NewRunFlags = _UNCHANGED,
    say: str | None = None,
    act: str | None = None,
    observe: str | None = None,
    add_note: str = "",
    times: Whole | None = None,
    where: str = "",
    trust: Switch = False,
) -> int:
    """Replay recorded episodes up to a place without a model call, and go on live from there, in a new run folder.

    The settings are those of RUN, but for the flags. Without a change and without --times, an episode ends as it was
    recorded.

    Args:
        run: The recorded run's folder.
        episode: The path of one of its episodes, or its beginning if no other begins so; by default all that ended.
        at: Where to go on: step:N, call:N or trial:N by number from 1, node:N of a search tree, a path below the
            episode such as 2/1, or start.
        say: What the model said at the call, or before the step, in place of what it said.
        act: The action of the step, in place of the recorded one.
        observe: What the world is said to have answered to the step.
        add_note: A text that is shown beside the task from there on.
        times: So many continuations of each episode, each with other draws. By default one, with the recorded seeds.
        where: Of the episodes that ended, those that are `solved`, `unsolved`, or meet an SQL condition over the
            journal's view `episodes`: "reward < 1 AND steps > 20".
        trust: Approve all that a run of somebody else would run, import and contact, which is listed without this.
    """
    changes = Changes([flags.settings()], say=say, act=act, observe=observe, note=add_note)
    recorded = open_any(run)
    if not isinstance(recorded, RunFolder):
        raise UsageError(f"fork: expected a run folder, such as that of an arm, got a study ({run})")
    refuse_untrusted(recorded, trust=trust, command="fork")
    fork = begin_fork(recorded, at, changes, episode=episode, where=where, times=times)
    for note in fork.notes:
        notify(note)
    if flags.dry_run:
        return print_run_plan(fork.run, json=flags.json)
    hooks = flags.load_hooks()
    return start_prepared(fork.run, new_folder(flags.out, f"fork-{folder_name(fork.run.record)}"), flags, hooks)
