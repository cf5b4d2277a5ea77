"""What a run's folder and its endpoint's log say at one moment, and what a run of it came to."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from quintet.journal.reader import JournalReader
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.testing.content import Content, content
from tests.faulty.committed import requests_of
from tests.soak.requests import asked, read_log

COMMITS = "commits.txt"
"""How many commits the last process of a scenario made that ended by itself."""


class Found(NamedTuple):
    """A moment when no process of the run was alive."""

    content: Content
    committed: Counter[str]
    """Requests whose completions the journal has."""
    logged: int
    """Entries of the endpoint's log."""
    used: int
    """Tokens of all completions that the endpoint made."""


NOTHING = Found({}, Counter(), 0, 0)


def find(run: Path, scenario: Path) -> Found:
    """What is there now."""
    log = read_log(scenario)
    used = sum(entry.tokens for entry in log)
    if not (run / "run.json").exists() or not (run / "journal.sqlite").exists():
        return Found({}, Counter(), len(log), used)
    reader = JournalReader.open(RunFolder.open_to_read(run).journal)
    try:
        events = [record.event for record in reader.records()]
        requests = requests_of(reader, events)
    finally:
        reader.close()
    return Found(content(events), Counter(requests), len(log), used)


class Came(NamedTuple):
    """What an undisturbed run came to."""

    code: int
    found: Found
    rewards: Sequence[tuple[str, tuple[tuple[int, float], ...]]]
    """By task, the reward of each epoch."""
    commits: int
    requests: int
    tokens: int
    """Of all its calls."""
    largest: int
    """Bytes of its largest file while it ran, about."""


def came(code: int, scenario: Path) -> Came:
    """What an undisturbed run in the folder of a scenario came to."""
    run = scenario / "run"
    found = find(run, scenario)
    return Came(
        code=code,
        found=found,
        rewards=rewards_of(run),
        commits=int((scenario / COMMITS).read_text()),
        requests=asked(read_log(scenario)).total(),
        tokens=found.used,
        largest=max(file.stat().st_size for file in run.iterdir()),
    )


def rewards_of(run: Path) -> Sequence[tuple[str, tuple[tuple[int, float], ...]]]:
    """How every task went."""
    return [
        (task.task.name, tuple(sorted(task.rewards.items()))) for task in results(RunFolder.open_to_read(run)).tasks
    ]
