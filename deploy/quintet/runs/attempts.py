"""Which attempts count (the newest at every episode), and how a run as a whole ended."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from quintet.events import EpisodeEnded
from quintet.journal.episode_rows import EpisodeRow
from quintet.messages.paths import RESERVED


def newest_at_tasks(begun: Iterable[EpisodeRow]) -> dict[tuple[str, int], EpisodeRow]:
    """The newest attempt by task and epoch; visits and the learner are left out."""
    found: dict[tuple[str, int], EpisodeRow] = {}
    for row in begun:
        key = row.task, row.epoch
        if row.task not in RESERVED and (key not in found or row.attempt > found[key].attempt):
            found[key] = row
    return found


def is_result(end: EpisodeEnded | None) -> bool:
    """Whether an attempt ended by its method: neither by a fault nor an interruption, nor by an operator."""
    return end is not None and end.state in ("solved", "unsolved") and not end.cancelled


HowEnded: TypeAlias = Literal["done", "faulted", "stopped", "spent", "interrupted"]
"""`done`: every episode ended, none by a fault. `faulted`: every episode ended, some by a fault. `stopped`: at a bug,
as `run.fail_fast` asks. `spent`: the run's budget is. `interrupted`: by a person or by the surroundings (endpoint down,
disk full). The last three resume."""

EXIT_CODES: Mapping[HowEnded, int] = {"done": 0, "faulted": 1, "stopped": 1, "spent": 3, "interrupted": 130}
"""Of the process."""
