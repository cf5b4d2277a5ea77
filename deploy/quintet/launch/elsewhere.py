"""What else is spent of a run's budget: by the other arms of its study, or by the other shards of the run."""

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager

from quintet.errors import UsageError
from quintet.quota.budget import Elsewhere, SpentEarlier
from quintet.quota.cost import Cost
from quintet.quota.shared_spending import SPENDING, SharedSpending
from quintet.runs.files import lock_holder
from quintet.runs.run_folder import RunFolder, run_of_shard
from quintet.runs.study_folder import spent_by_other_arms


@contextmanager
def spent_elsewhere(folder: RunFolder | None) -> Generator[Elsewhere, None, None]:
    """What is spent elsewhere of the budget of a run, which holds the lock of its folder; None: it has no folder.

    Raises:
        UsageError: a journal of another arm or shard cannot be read, or a shard is not in the folder of its run.
    """
    if folder is None or folder.record.shard is None:
        spent = None if folder is None else spent_by_other_arms(folder.path)
        yield SpentEarlier() if spent is None else SpentEarlier("the study", spent)
        return
    whole = run_of_shard(folder.path)
    if whole is None:
        expected = "expected it in the folder of its run, whose shards have one budget"
        raise UsageError(f"shard {folder.record.shard}: {expected}, got it by itself ({folder.path})")
    shared = SharedSpending(
        whole.path / SPENDING,
        folder.record.shard,
        is_running=lambda shard: lock_holder(whole.shard_path(shard)) is not None,
        ended=lambda: dict(_spent_by_journals(whole, but=folder.record.shard)),
    )
    with closing(shared):
        yield shared


def _spent_by_journals(whole: RunFolder, but: int | None) -> Iterator[tuple[int, Cost]]:
    """By shard that no driver runs, what its journal says, reservations included."""
    for part in whole.parts:
        if part.record.shard in (None, but) or lock_holder(part.path) is not None:
            continue
        reader = part.read_journal()
        if reader is not None:
            with closing(reader):
                yield part.record.shard, reader.spent(part.prices)
