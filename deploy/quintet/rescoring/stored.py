"""A stored episode, as a scorer is given it and as a judge is shown it."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path as FilePath

from quintet.errors import JournalFault, WorldFault
from quintet.events import Exchanged, Record, SessionOpened
from quintet.journal.session_steps import answer_steps
from quintet.messages.learning import Experience
from quintet.messages.paths import Path, attempt_of
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runtime.episodes import experience


@dataclass(frozen=True)
class StoredTurn:
    """An action with what the world said to it."""

    action: str
    observation: str
    thought: str = ""
    """What the model wrote before the action; empty where nothing is known."""
    rejected: bool = False
    """Whether the world took the action for none."""


@dataclass(frozen=True)
class StoredEpisode:
    """What a run has of an episode that was solved or not; a scorer is a function of this."""

    path: str
    """In its run: `beehive/0/0`."""
    task: str
    epoch: int
    goal: str
    """The task as an instruction."""
    opening: str
    """What the world showed first, which states the goal."""
    turns: tuple[StoredTurn, ...]
    """All in the session that the episode ended in, from the task's start; also those that its method went back on, if
    it opened that session in place of another."""
    reward: float
    """Its score in its run, in [0, 1]."""
    metadata: Mapping[str, str]
    """What reports group its task by."""

    @property
    def answer(self) -> str:
        """The last action, which holds the answer in a world that takes answers; empty if none was taken."""
        return self.turns[-1].action if self.turns else ""


def metadata_of(record: RunRecord, task: str) -> Mapping[str, str]:
    """What reports group a run's task by; nothing if it has no such task."""
    entries = (*record.tasks, *record.training, *record.held_out)
    nothing: Mapping[str, str] = {}
    return next((entry.metadata for entry in entries if entry.name == task), nothing)


def read_stored(folder: FilePath, episode: Path) -> StoredEpisode:
    """Read an episode of a run; a `WorldFault` if its journal lacks a part of it."""
    run = RunFolder.open_to_read(folder)
    records, reward = _read(run, episode)
    opening = next((each.event.observation for each in records if isinstance(each.event, SessionOpened)), "")
    answers = (each.event for each in records if isinstance(each.event, Exchanged))
    task, epoch, _ = attempt_of(episode)
    return StoredEpisode(
        path=episode,
        task=task,
        epoch=epoch,
        goal=next((answer.subject for answer in answers if answer.path == episode), ""),
        opening=opening,
        turns=tuple(
            StoredTurn(action=step.action, observation=step.observation, thought=step.thought, rejected=step.rejected)
            for step in answer_steps(records)
        ),
        reward=reward,
        metadata=metadata_of(run.record, task),
    )


def read_experience(folder: FilePath, episode: Path) -> Experience:
    """What a judge is shown of it: its opening and turns, without what tells the reward. Raises as `read_stored`."""
    records, _ = _read(RunFolder.open_to_read(folder), episode)
    try:
        found = experience(attempt_of(episode).task, records)
    except JournalFault as error:
        raise WorldFault(f"{episode}: expected the whole stored episode: {error}") from error
    return Experience(task=found.task, opening=found.opening, turns=found.turns)


def _read(run: RunFolder, episode: Path) -> tuple[list[Record], float]:
    part = run.part_with(episode)
    reader = part.read_journal()
    if reader is None:
        raise WorldFault(f"{episode}: expected a journal that has it, got none ({part.journal})")
    with closing(reader):
        records, end = reader.records(episode, nodes=False), reader.end(episode)
        if reader.damage or end is None:
            got = reader.damage[0] if reader.damage else "no end of it"
            raise WorldFault(f"{episode}: expected the whole stored episode, got {got} ({part.journal})")
    return records, end.reward
