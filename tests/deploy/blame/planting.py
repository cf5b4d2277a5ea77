"""Recorded runs in the vault, and a search in one from Python; a fatal act is planted by a fork of solved episodes."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

from quintet.blame.blamed import BlamedRun
from quintet.config.settings import Setting, Settings
from quintet.events import StepTaken
from quintet.forks.fork import Branching, Changes, branch, prepare_fork
from quintet.forks.places import RecordedEpisode
from quintet.launch.evaluation import run_left
from quintet.launch.writable_run import WritableRun
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.ends import RunStop
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.studies.blame_stages import begin_blame, go_on_blame, plan_blame
from quintet.studies.run import WritableStudy
from tests.command import command
from tests.deploy.blame.vault import FORCE

VAULT = f"{Path(__file__).parent / 'vault.py'}:Vault"
ABLE = ("--model", "sim-fallible")
"""Above temperature 0, about nine of ten episodes succeed."""
SHORT = ("--set", "environment.dials=4")
"""Episodes of about five steps."""


def record(folder: Path, tasks: int, *words: object) -> RunFolder:
    """A run of react before vaults, which draws its answers."""
    drawn = ("--set", "model.temperature=0.7", "--tasks", tasks, "--out", folder)
    command("eval", "react", VAULT, *(words or ABLE), *drawn, code=0)
    return RunFolder.open_to_read(folder)


def to_end(run: WritableRun, label: str = "") -> RunStop:
    """Run what is left of a run, without a word."""
    return RunStop(asyncio.run(run_left(run, RunCounters())))


def plant(run: RunFolder, folder: Path, seed: int = 0, most: int = 400) -> tuple[RunFolder, dict[str, int]]:
    """A fork of a run's solved episodes, in each of which one step, drawn at random, was the fatal act.

    Returns:
        The fork, and the number of the planted step by task.
    """
    draws, changes = Random(seed), Changes(act=FORCE)
    branchings: list[Branching] = []
    planted: dict[str, int] = {}
    with run.read_journals() as opened:
        (journal,) = opened.journals
        for row in choose_episodes(run, "solved")[:most]:
            recorded = RecordedEpisode(journal.reader, row)
            steps = sum(event.kind == StepTaken.kind for event in recorded.events)
            planted[row.task] = draws.randint(1, steps)
            branchings.append(branch(recorded, f"step:{planted[row.task]}", changes))
    with WritableRun.create(folder, prepare_fork(run, "a planted step", branchings, changes)) as fork:
        to_end(fork)
    return RunFolder.open_to_read(folder), planted


def begin_search(
    run: RunFolder, folder: Path, *, times: int = 8, every_step: bool = False, settings: Settings | None = None
) -> WritableStudy:
    """A search in all unsolved episodes of a run, open to write."""
    episodes = choose_episodes(run, "unsolved")
    return begin_blame(plan_blame(run, episodes, times=times, every_step=every_step, settings=settings or {}), folder)


def blame(run: RunFolder, folder: Path, *, times: int = 8, every_step: bool = False) -> BlamedRun:
    """A search from its beginning to its end."""
    with begin_search(run, folder, times=times, every_step=every_step) as study:
        go_on_blame(study, to_end)
        return BlamedRun.of(study)


def tokens(most: int) -> Settings:
    """A budget."""
    return {"limits.budget_tokens": Setting(most, "a test")}


def kinds(run: BlamedRun) -> Sequence[str]:
    """What decided each episode."""
    return [each.verdict.kind for each in run.attempts]
