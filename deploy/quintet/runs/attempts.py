"""Which attempts count (the newest at every episode), and how a run as a whole ended."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from quintet.events import EpisodeEnded
from quintet.messages.paths import Path, attempt_of, is_of_task


def newest_at_tasks(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch; visits and the learner are left out."""
    return newest(filter(is_of_task, begun))


def newest(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch."""
    found: dict[tuple[str, int], int] = {}
    for path in begun:
        task, epoch, number = attempt_of(path)
        found[task, epoch] = max(number, found.get((task, epoch), 0))
    return found


def is_result(end: EpisodeEnded | None) -> bool:
    """Whether an attempt ended by its method: neither by a fault nor by an operator."""
    return end is not None and end.state != "faulted" and not end.cancelled


HowEnded: TypeAlias = Literal["done", "faulted", "stopped", "spent", "interrupted"]
"""`done`: every episode ended, none by a fault. `faulted`: every episode ended, some by a fault. `stopped`: at a bug,
as `run.fail_fast` asks. `spent`: the run's budget is. `interrupted`: by a person or by the surroundings (endpoint down,
disk full). The last three resume."""

EXIT_CODES: Mapping[HowEnded, int] = {"done": 0, "faulted": 1, "stopped": 1, "spent": 3, "interrupted": 130}
"""Of the process."""
