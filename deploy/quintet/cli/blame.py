"""`blame`: finds the step of each unsolved episode at which the chance of success fell."""

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from quintet.blame.step_rewards import check_file, write_step_rewards
from quintet.cli.console import notify
from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import ResumeFlags, Switch, Whole
from quintet.cli.run import arm_runner, folder_name, new_folder
from quintet.config.settings import Settings
from quintet.control.operator import match_episode
from quintet.errors import UsageError
from quintet.hooks.hook import Hook
from quintet.journal.episode_rows import EpisodeRow
from quintet.reports.text_tables import plural
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.ends import EARLY
from quintet.runs.run_folder import RunFolder
from quintet.studies.blame_stages import BlamePlan, begin_blame, go_on_blame, plan_blame
from quintet.studies.run import WritableStudy


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BlameFlags(ResumeFlags):
    """The flags that cannot change results, and what a search has besides."""

    where: str | None = None
    """An SQL condition over the view episodes that chooses among those unsolved, such as "steps > 20"."""
    times: Whole = 8
    """Continuations of each place."""
    every_step: Switch = False
    """Measure the chance at every step; else the step is searched by bisection."""
    export: Path | None = None
    """Write a row for each step, with the change of the chance, to this file: .csv or .parquet."""
    out: Path | None = None
    """The folder, new or empty. By default runs/TIME-NAME."""
    dry_run: Switch = False
    """Print what would be continued; create nothing."""
    trust: Switch = False
    """Approve all that a run of somebody else would run, import and contact, which is listed without this."""


_FLAGS = BlameFlags()


def blame_command(run: Path, episode: str | None = None, *, flags: BlameFlags = _FLAGS) -> int:
    """Find the step at which the chance of success fell, in each unsolved episode of a run.

    Args:
        run: Its folder.
        episode: One episode: a task's name, or its path task/epoch/attempt. By default those of --where.
    """
    recorded = RunFolder.open_to_read(run)
    rows = _choose(recorded, episode, flags.where)
    if flags.export is not None:
        check_file(flags.export, "--export")
    planned = plan_blame(
        recorded, rows, times=flags.times, every_step=flags.every_step, settings=flags.settings(), trust=flags.trust
    )
    if flags.dry_run:
        return _print_plan(planned, json=flags.json)
    hooks = flags.load_hooks()
    path = new_folder(flags.out, f"blame-{folder_name(recorded.record)}")
    if flags.detach:
        return start_detached(path, *([] if flags.out is not None else ["--out", str(path)]), json=flags.json)
    with begin_blame(planned, path) as folder:
        return _carry_out(folder, hooks, json=flags.json, trust=flags.trust, export=flags.export)


def resume_blame(path: Path, settings: Settings, hooks: Sequence[Hook], *, trust: bool, json: bool) -> int:
    """Go on with a search; what its folder has is not played again."""
    with WritableStudy.open(path, settings, trust=trust) as folder:
        return _carry_out(folder, hooks, json=json, trust=trust)


def _carry_out(
    folder: WritableStudy, hooks: Sequence[Hook], *, json: bool, trust: bool, export: Path | None = None
) -> int:
    try:
        stop = go_on_blame(folder, arm_runner(hooks), trust=trust)
    except UsageError:
        if not folder.arms():
            folder.discard()
        raise
    code = finish(folder.path, stop, json=json)
    if export is not None and stop.ended not in EARLY:
        notify(f"{plural(write_step_rewards(folder, export, '--export'), 'step')}: {export}")
    return code


def _choose(run: RunFolder, episode: str | None, where: str | None) -> list[EpisodeRow]:
    if episode is not None and where is not None:
        raise UsageError("--where: expected no EPISODE beside it, got both")
    if episode is None:
        rows = choose_episodes(run, where or "unsolved")
        unsolved = [row for row in rows if not _is_solved(row)]
        if not unsolved:
            raise UsageError(f"--where: expected a condition that unsolved episodes meet, got {where!r} ({run.path})")
        return unsolved
    rows = choose_episodes(run)
    path = match_episode((row.path for row in rows), episode)
    (row,) = (each for each in rows if each.path == path)
    if _is_solved(row):
        raise UsageError(f"episode: expected one that is unsolved, got {path}, which is solved ({run.path})")
    return [row]


def _is_solved(row: EpisodeRow) -> bool:
    return row.reward is not None and row.reward >= 1


def _print_plan(planned: BlamePlan, *, json: bool) -> int:
    about = planned.record
    if json:
        content = about.model_dump(mode="json", include={"run", "times", "every_step", "changes"})
        episodes = [{"episode": each.path, "steps": each.steps} for each in about.episodes]
        print(json_text.dumps({**content, "episodes": episodes, "continuations": planned.most_continuations}, indent=2))
        return 0
    for each in about.episodes:
        print(f"{each.path}: {plural(each.steps, 'step')}")
    most = f"at most {planned.most_continuations:,} continuations"
    print(f"# {plural(len(about.episodes), 'episode')}: {most}, {about.times} of each place")
    return 0
