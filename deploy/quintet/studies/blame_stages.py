"""Searches for the steps that decided episodes, stage by stage: each is one run of continuations."""

from collections.abc import Mapping, Sequence
from itertools import count
from math import ceil, log2
from pathlib import Path
from typing import Final, NamedTuple

from quintet.blame.chances import FEWEST_TIMES, LEVEL, MOST_TIMES
from quintet.blame.outcomes import FRESH, Outcomes, add_stage, read_outcomes
from quintet.blame.places import fork_places, recorded_episodes
from quintet.blame.search import StepSearch
from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError
from quintet.forks.begin import refuse_without_way_there
from quintet.forks.fork import Branching, Changes, branch, prepare_fork
from quintet.forks.places import START
from quintet.journal.episode_rows import EpisodeRow
from quintet.launch.prepare import Prepared, refuse_changes
from quintet.reports.text_tables import plural
from quintet.runs.blame_record import BlamedEpisode, BlameRecord
from quintet.runs.ends import EARLY, RunStop
from quintet.runs.run_folder import RunFolder
from quintet.studies.definition import Study
from quintet.studies.run import RunArm, WritableStudy, create, run_one
from quintet.trust.refusal import refuse_untrusted

_SAMPLING: Final = ("temperature", "top_p")
"""The last words of settings that may differ, beside those that cannot change results."""
_WITHOUT_BUDGET: Final[Settings] = {
    key: Setting(None, "blame") for key in ("limits.budget_usd", "limits.budget_tokens")
}
"""The recorded run's budget is no longer asked for."""


class BlamePlan(NamedTuple):
    """A search that can begin."""

    record: BlameRecord
    prepared: Prepared
    """Its first stage."""

    @property
    def most_continuations(self) -> int:
        """The most that it plays: the places that are measured, and twice the step that is found."""
        places = (
            each.steps + 1 if self.record.every_step else min(each.steps + 1, 2 + ceil(log2(max(1, each.steps))))
            for each in self.record.episodes
        )
        return self.record.times * sum(measured + 2 for measured in places)


def plan_blame(
    run: RunFolder,
    episodes: Sequence[EpisodeRow],
    *,
    times: int,
    every_step: bool,
    settings: Settings,
    trust: bool = False,
) -> BlamePlan:
    """Check all that a search is made of, before any call.

    Args:
        run: the recorded run.
        episodes: of it, unsolved.
        times: continuations of each place.
        every_step: measure all places, and do not search by bisection.
        settings: what continuations have that the recorded run had not.
        trust: approve what the recorded run would run, import and contact.

    Raises:
        UsageError: something is missing or wrong; says what was expected, got, and where.
    """
    if not FEWEST_TIMES <= times <= MOST_TIMES:
        why = f"since fewer can prove no fall at the level {LEVEL}"
        raise UsageError(f"--times: expected {FEWEST_TIMES} to {MOST_TIMES}, {why}, got {times}")
    refuse_untrusted(run, trust=trust, command="blame")
    sampling = {key: each for key, each in settings.items() if key.rpartition(".")[2] in _SAMPLING}
    refuse_changes(run.record, {key: each for key, each in settings.items() if key not in sampling}, run.path)
    with recorded_episodes(run, [row.path for row in episodes]) as recorded:
        given = [each.value for key, each in sampling.items() if key.endswith("temperature")]
        if not any(given or (each.is_drawn for each in recorded.values())):
            got = "got one at temperature 0, whose continuations are all the same"
            remedy = "to continue by another policy, which draws: --set model.temperature=0.7"
            raise UsageError(f"blame: expected a policy that draws its answers, {got}; {remedy} ({run.path})")
        blamed = [
            BlamedEpisode(path=path, places=tuple(place.before for place in fork_places(each)))
            for path, each in recorded.items()
        ]
    layers = {**_WITHOUT_BUDGET, **settings}
    wanted = {each.path: (0,) for each in blamed}
    prepared = _prepare(run, "blame", wanted, Changes([layers]), range(1, times + 1), ())
    refuse_without_way_there(prepared)
    record = BlameRecord(
        run=run.path.absolute(),
        episodes=tuple(blamed),
        times=times,
        every_step=every_step,
        settings={key: each.value for key, each in layers.items()},
        changes=tuple(f"{key} = {each.value}" for key, each in sampling.items()),
        continued=prepared.config,
    )
    return BlamePlan(record, prepared)


def begin_blame(planned: BlamePlan, path: Path) -> WritableStudy:
    """Record it in a new or empty folder; a `UsageError` if that cannot be."""
    study = Study(name="blame", summary="Continuations of unsolved episodes, by stage", arms={"stage-1": {}})
    return create(study, {}, path, planned.prepared.objects, planned.record)


def go_on_blame(folder: WritableStudy, run_arm: RunArm, *, trust: bool = False) -> RunStop:
    """Search as far as it comes; what the folder has is not played again.

    Args:
        trust: approve what the recorded run would run, import and contact.

    Raises:
        UsageError: the recorded run is not there, or a stage cannot begin or go on.
    """
    about = folder.record.blame
    assert about is not None
    run = RunFolder.open_to_read(about.run)
    refuse_untrusted(run, trust=trust)
    stages = _Stages(folder, about, run, run_arm)
    found = read_outcomes(about, ())
    searches = _searches(about, found)
    for number in count(1):
        wanted = {path: each.wanted for path, each in searches.items() if each.wanted}
        if not wanted:
            break
        arm, label = f"stage-{number}", f"stage {number}"
        stop = stages.run(arm, label, wanted, range(1, about.times + 1))
        if stop.ended in EARLY:
            return stop
        if not add_stage(found, RunFolder.open_to_read(folder.arm_path(arm))):
            return RunStop("interrupted", f"{arm} has not ended")  # or its places would be measured for ever
        searches = _searches(about, found)
    pairs = {path: each.pair for path, each in searches.items() if each.pair is not None}
    if pairs:
        stop = stages.run(FRESH, "last stage", pairs, range(about.times + 1, 2 * about.times + 1))
        if stop.ended in EARLY:
            return stop
    folder.end_growth()
    return RunStop("done")


def _searches(about: BlameRecord, found: Mapping[str, Outcomes]) -> dict[str, StepSearch]:
    return {path: each.search(every_step=about.every_step) for path, each in found.items()}


class _Stages:
    """Runs stages, each once: what the folder has is not run again."""

    def __init__(self, folder: WritableStudy, about: BlameRecord, run: RunFolder, run_arm: RunArm) -> None:
        self._folder = folder
        self._changes = Changes([{key: Setting(value, "blame") for key, value in about.settings.items()}])
        self._run, self._run_arm = run, run_arm

    def run(self, arm: str, label: str, wanted: Mapping[str, Sequence[int]], draws: range) -> RunStop:
        """Run what is left of a stage.

        Args:
            wanted: the places to go on from, by the path of the recorded episode.
            draws: of the continuations of each.
        """
        objects = [each.value for each in self._folder.objects]
        prepared = _prepare(self._run, f"places of {arm}", wanted, self._changes, draws, objects)
        if not self._folder.begun(arm):
            self._folder.add_arm(arm, prepared)
        else:
            self._refuse_other(arm, prepared)
        assert prepared.record.fork is not None
        label = f"{label}, {plural(len(prepared.record.fork.episodes), 'continuation')}"
        return run_one(self._folder, arm, self._run_arm, label)

    def _refuse_other(self, arm: str, prepared: Prepared) -> None:
        path = self._folder.arm_path(arm)
        before, now = RunFolder.open_to_read(path).record.fork, prepared.record.fork
        assert now is not None
        if before is None or before.episodes != now.episodes:
            expected = "expected the continuations that follow from the stages before, got others"
            raise UsageError(f"{arm}: {expected}; begin a new folder ({path})")


def _prepare(
    run: RunFolder,
    at: str,
    wanted: Mapping[str, Sequence[int]],
    changes: Changes,
    draws: range,
    objects: Sequence[object],
) -> Prepared:
    branchings: list[Branching] = []
    with recorded_episodes(run, wanted) as recorded:
        for path, numbers in wanted.items():
            begun, places = branch(recorded[path], START, changes), fork_places(recorded[path])
            branchings += [begun._replace(place=places[number]) for number in numbers]
    return prepare_fork(run, at, branchings, changes, draws, objects)
