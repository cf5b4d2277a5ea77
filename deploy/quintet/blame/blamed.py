"""What a search came to, episode by episode, with what was done at the steps that are named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Literal, NamedTuple, TypeAlias

from quintet.blame.outcomes import Outcomes, read_outcomes
from quintet.blame.places import recorded_episodes
from quintet.blame.verdicts import StepVerdict, verdict_on
from quintet.errors import UsageError
from quintet.forks.places import RecordedEpisode
from quintet.journal.episode_rows import EpisodeRow
from quintet.messages.paths import Path
from quintet.runs.blame_record import BlameRecord
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder

Third: TypeAlias = Literal["early", "middle", "late"]


class TakenStep(NamedTuple):
    """A step of a recorded episode."""

    number: int
    """From 1."""
    path: str
    """Below its episode."""
    action: str
    observation: str


@dataclass(frozen=True)
class BlamedAttempt:
    """A recorded episode, what its continuations came to, and what decided it."""

    path: Path
    outcomes: Outcomes
    verdict: StepVerdict
    steps: Mapping[int, TakenStep] = field(default_factory=dict[int, TakenStep])
    """By number; none where the recorded run cannot be read."""
    end: str = ""
    """How it ended, in words; empty where that cannot be read."""

    @property
    def step(self) -> TakenStep | None:
        """The step that is named, also where its fall is not proven; None: there is none, or it cannot be read."""
        return None if self.verdict.step is None else self.steps.get(self.verdict.step)

    @property
    def third(self) -> Third | None:
        """In which third of the episode the step is that decided it; None: none did."""
        if self.verdict.kind != "step" or self.verdict.step is None:
            return None
        thirds: tuple[Third, ...] = ("early", "middle", "late")
        return thirds[3 * (self.verdict.step - 1) // self.outcomes.about.steps]


@dataclass(frozen=True)
class BlamedRun:
    """How far a search came."""

    about: BlameRecord
    attempts: tuple[BlamedAttempt, ...]
    unread: str = ""
    """Why no actions can be shown; empty: they can."""

    @classmethod
    def of(cls, folder: StudyFolder) -> "BlamedRun":
        """What a folder has so far."""
        about = folder.record.blame
        assert about is not None
        found, unread = read_outcomes(about, folder.arms().values()), ""
        read: Mapping[str, _Read] = {}
        try:
            read = _read(about.run, found)
        except UsageError as error:
            unread = str(error)
        attempts = tuple(
            BlamedAttempt(
                Path(path),
                outcomes,
                verdict_on(outcomes, every_step=about.every_step, ended=about.ended),
                *read.get(path, _Read()),
            )
            for path, outcomes in found.items()
        )
        return cls(about, attempts, unread)


class _Read(NamedTuple):
    """What the recorded run says of an episode."""

    steps: Mapping[int, TakenStep] = {}
    end: str = ""


def _read(run: FilePath, paths: Mapping[str, Outcomes]) -> dict[str, _Read]:
    with recorded_episodes(RunFolder.open_to_read(run), paths) as recorded:
        return {path: _Read(_steps(each), _end(each.row)) for path, each in recorded.items()}


def _steps(recorded: RecordedEpisode) -> dict[int, TakenStep]:
    skip = len(recorded.row.path) + 1
    return {
        number: TakenStep(number, each.path[skip:], each.action, each.observation)
        for number, each in enumerate(recorded.taken(), 1)
    }


def _end(row: EpisodeRow) -> str:
    claim = {None: "it claimed nothing", 0: "it claimed failure", 1: "it claimed success"}[row.claimed]
    return f"{claim}; {row.reason}" if row.reason else claim
