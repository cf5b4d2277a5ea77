"""Why a run stopped before its end, kept in its folder: the journal says how far it came, and not why no further."""

from asyncio import CancelledError
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from quintet.errors import BudgetSpent, Suspension
from quintet.plugins.files import read_regular
from quintet.runs.attempts import HowEnded
from quintet.runs.files import usable_folder, write_whole

RUN_END = "end.json"


class RunEnd(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    ended: HowEnded
    reason: str
    at: AwareDatetime


@contextmanager
def keep_end(folder: Path) -> Generator[None, None, None]:
    """Write down why the run inside stops early, if it does. What an earlier start left is removed.

    Raises:
        UsageError: the folder cannot be written.
    """
    with usable_folder(folder):
        (folder / RUN_END).unlink(missing_ok=True)
    try:
        yield
    except BudgetSpent as spent:
        write_end(folder, "spent", str(spent))
        raise
    except Suspension as suspension:
        write_end(folder, "interrupted", str(suspension))
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
        return RunEnd.model_validate_json(read_regular(folder / RUN_END))
    except (OSError, ValidationError):
        return None
