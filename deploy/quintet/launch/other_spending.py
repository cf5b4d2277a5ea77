"""What else is spent of a run's budget: by the other arms of its study, or by the other shards of the run."""

from collections.abc import Generator
from contextlib import closing, contextmanager

from quintet.errors import UsageError
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.other_spending import NO_OTHERS, OtherSpending, SettledSpending
from quintet.quota.shared_spending import SPENDING, SharedSpending
from quintet.runs.files import lock_holder
from quintet.runs.run_folder import RunFolder, run_of_shard
from quintet.runs.study_folder import spent_by_other_arms


@contextmanager
def other_spending(folder: RunFolder | None) -> Generator[OtherSpending, None, None]:
    """What else is spent of the budget of a run, which holds the lock of its folder; None: it has no folder.

    Raises:
        UsageError: a journal of another arm or shard cannot be read, or a shard is not in the folder of its run.
    """
    if folder is None or folder.record.shard is None:
        spent = None if folder is None else spent_by_other_arms(folder.path)
        yield NO_OTHERS if spent is None else SettledSpending("the study", spent)
        return
    whole = run_of_shard(folder.path)
    if whole is None:
        expected = "expected it in the folder of its run, whose shards have one budget"
        raise UsageError(f"shard {folder.record.shard}: {expected}, got it by itself ({folder.path})")
    shared = SharedSpending(
        whole.path / SPENDING,
        folder.record.shard,
        whole.record.configuration.runtime.shards,
        is_running=lambda shard: lock_holder(whole.shard_path(shard)) is not None,
        journaled=lambda shard: _spent_by_journal(whole.part(shard)),
    )
    with closing(shared):
        yield shared


def _spent_by_journal(part: RunFolder | None) -> Cost:
    """What a shard's journal says, reservations included; nothing if it has not begun."""
    return NOTHING if part is None else part.spent()
