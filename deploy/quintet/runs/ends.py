"""How attempts and whole runs ended: which attempt counts, and why a run stopped before its end.

The journal says how far a run came; a file in its folder says why no further.
"""

from asyncio import CancelledError
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict

from quintet.errors import ActorCrashed, BudgetSpent, HookCrashed, LearnerFaulted, Suspension
from quintet.events import EpisodeEnded
from quintet.journal.episode_rows import EpisodeRow
from quintet.messages.paths import RESERVED
from quintet.plugins.files import read_regular
from quintet.runs.files import LARGEST_RECORD, usable_folder, write_whole


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
unless `run.keep_going` is on. `spent`: the run's budget is. `interrupted`: by a person or by the surroundings (endpoint
down, disk full). The last three resume."""

EARLY: Final[Collection[HowEnded]] = ("stopped", "spent", "interrupted")
"""The ends of a start that left something to run."""

EXIT_CODES: Mapping[HowEnded, int] = {"done": 0, "faulted": 1, "stopped": 1, "spent": 3, "interrupted": 130}
"""Of the process."""


class RunStop(NamedTuple):
    """How a start of a run ended."""

    ended: HowEnded
    why: str = ""
    """What stopped it early; empty: nothing, or a person."""
    advice: str | None = None
    """What to do next; None: to resume; empty: `why` says it."""


RUN_END = "end.json"


class RunEnd(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    ended: HowEnded
    reason: str
    at: AwareDatetime


def how_stopped(fault: ActorCrashed | Suspension) -> HowEnded:
    """How a run ended that raised this. A bug in its learner or in a hook is one as well."""
    if isinstance(fault, BudgetSpent):
        return "spent"
    is_learners = isinstance(fault, LearnerFaulted) and isinstance(fault.__cause__, ActorCrashed)
    return "stopped" if is_learners or isinstance(fault, (ActorCrashed, HookCrashed)) else "interrupted"


@contextmanager
def keep_end(folder: Path) -> Generator[None, None, None]:
    """Write down why the run inside stops early, if it does. What an earlier start left is removed."""
    with usable_folder(folder):
        (folder / RUN_END).unlink(missing_ok=True)
    try:
        yield
    except (ActorCrashed, Suspension) as fault:
        write_end(folder, how_stopped(fault), str(fault))
        raise
    except (CancelledError, KeyboardInterrupt):
        write_end(folder, "interrupted", "by hand")
        raise


def write_end(folder: Path, ended: HowEnded, reason: str) -> None:
    """Write it. A disk that is full loses the reason, and nothing else."""
    try:
        write_whole(folder / RUN_END, RunEnd(ended=ended, reason=reason, at=datetime.now(UTC)).model_dump_json() + "\n")
    except OSError:
        return


def read_end(folder: Path) -> RunEnd | None:
    """What the newest start of a run left; None if nothing, or nothing readable."""
    try:
        return RunEnd.model_validate_json(read_regular(folder / RUN_END, LARGEST_RECORD))
    except (OSError, ValueError):
        return None
