"""`blame`: finds the step of each unsolved episode at which the chance of success fell."""

import json as json_text
from collections.abc import Sequence
from pathlib import Path

from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import FolderFlags, Switch, Whole
from quintet.cli.run import arm_runner, folder_name, new_folder, out_words
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.hooks.hook import Hook
from quintet.journal.episode_rows import EpisodeRow
from quintet.reports.text_tables import plural
from quintet.runs.chosen_episodes import choose_episode, choose_episodes, refuse_both
from quintet.runs.run_folder import RunFolder
from quintet.studies.blame_stages import BlamePlan, begin_blame, go_on_blame, plan_blame
from quintet.studies.run import WritableStudy

_FLAGS = FolderFlags()


def blame_command(
    run: Path,
    episode: str | None = None,
    *,
    flags: FolderFlags = _FLAGS,
    where: str = "",
    times: Whole = 8,
    every_step: Switch = False,
    trust: Switch = False,
) -> int:
    """Find the step at which the chance of success fell, in each unsolved episode of a run.

    Args:
        run: The recorded run's folder.
        episode: The path of one of its episodes, or its beginning if no other begins so; by default all unsolved ones.
        where: Of the unsolved episodes, those that meet an SQL condition over the view `episodes`: "steps > 20".
        times: Continuations of each place.
        every_step: Measure the chance at every step; else the step is searched by bisection.
        trust: Approve all that a run of somebody else would run, import and contact, which is listed without this.
    """
    recorded = RunFolder.open_to_read(run)
    rows = _choose(recorded, episode, where)
    planned = plan_blame(recorded, rows, times=times, every_step=every_step, settings=flags.settings(), trust=trust)
    if flags.dry_run:
        return _print_plan(planned, json=flags.json)
    hooks = flags.load_hooks()
    path = new_folder(flags.out, f"blame-{folder_name(recorded.record)}")
    if flags.detach:
        return start_detached(path, *out_words(flags, path), json=flags.json)
    with begin_blame(planned, path) as folder:
        try:
            return _carry_out(folder, hooks, json=flags.json, trust=trust)
        except UsageError:
            if not folder.arms():
                folder.discard()
            raise


def resume_blame(path: Path, settings: Settings, hooks: Sequence[Hook], *, trust: bool, json: bool) -> int:
    """Go on with a search; what its folder has is not played again."""
    with WritableStudy.open(path, settings, trust=trust) as folder:
        return _carry_out(folder, hooks, json=json, trust=trust)


def _carry_out(folder: WritableStudy, hooks: Sequence[Hook], *, json: bool, trust: bool) -> int:
    return finish(folder.path, go_on_blame(folder, arm_runner(hooks), trust=trust), json=json)


def _choose(run: RunFolder, episode: str | None, where: str) -> list[EpisodeRow]:
    refuse_both(episode, where)
    if episode is None:
        rows = choose_episodes(run, where or "unsolved")
        unsolved = [row for row in rows if not row.is_solved]
        if not unsolved:
            raise UsageError(f"--where: expected a condition that unsolved episodes meet, got {where!r} ({run.path})")
        return unsolved
    row = choose_episode(run, episode)
    if not row.is_result or row.is_solved:
        raise UsageError(f"episode: expected one that ended unsolved, got {row.path}, which is not ({run.path})")
    return [row]


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
