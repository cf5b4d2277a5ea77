"""What the episodes of an arm came to: the reward of each task, and what was said and done, as text."""

from contextlib import closing
from typing import NamedTuple

from quintet.events import StepTaken
from quintet.journal.codes import FAULTED_STATE
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.reports.transcript import transcript
from quintet.runs.ends import newest_at_tasks
from quintet.runs.run_folder import RunFolder

_LONGEST = 8_000
"""Characters of an episode in a reflection's prompt."""


class Played(NamedTuple):
    """An episode as the optimiser sees it."""

    reward: float
    """In [0, 1]; 0 if it faulted."""
    trace: str
    """Answers of models, actions, observations and how it ended."""
    faulted: bool = False


def read_played(arm: RunFolder) -> dict[str, Played]:
    """By task, what its episode came to, of an arm that has ended."""
    reader = arm.read_journal()
    assert reader is not None  # it has ended
    with closing(reader):
        return {row.task: _played(reader, row) for row in newest_at_tasks(reader.episodes()).values()}


def _played(reader: JournalReader, row: EpisodeRow) -> Played:
    text = "\n".join(line.text for line in transcript(reader.records(row.path, nodes=False)))
    faulted = row.state == FAULTED_STATE
    return Played(0.0 if faulted else row.reward or 0.0, _shortened(text), faulted)


def _shortened(text: str) -> str:
    """A long text without its middle."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters are left out]\n{text[-half:]}"


class NewText(NamedTuple):
    """What a reflection gave."""

    text: str | None
    """The new text of the prompt; None: none that can be used."""
    reason: str
    """Why there is none."""


def read_new_text(arm: RunFolder) -> NewText:
    """What a reflection gave, of an arm that has ended."""
    reader = arm.read_journal()
    assert reader is not None  # it has ended
    with closing(reader):
        (row,) = newest_at_tasks(reader.episodes()).values()
        taken = [
            record.event.action
            for record in reader.records(row.path, nodes=False)
            if isinstance(record.event, StepTaken) and not record.event.rejected
        ]
        end = reader.end(row.path)
    fault = "" if end is None or end.fault is None else f"{end.fault.kind}: {end.fault.text}"
    return NewText(taken[-1] if taken else None, fault or row.reason or "")
