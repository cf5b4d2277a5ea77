"""What a run comes to: success with its interval, by the task's metadata, and what it took."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from quintet.config.tasks import TASK_TYPE
from quintet.journal.reader import Spending
from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate, difference, rate
from quintet.reports.published import TASK_TYPES, Published, published
from quintet.reports.rows import EpisodeRow
from quintet.runs.record import RunRecord


@dataclass(frozen=True)
class Share:
    """How the tasks of one kind went. Faulted and unfinished episodes are not counted."""

    tasks: int
    success: Estimate | None
    """None where no episode ended."""
    depth: float | None
    """Mean recursion level of the episodes that succeeded (ADaPT's kmax); None where none did."""
    succeeded: int
    """Episodes."""


@dataclass(frozen=True)
class Claims:
    """Success by what models claim, and by what rewards say. Faulted and unfinished episodes are not counted.

    Source: ADaPT, figure 10, compares the two rates.
    """

    claimed: Estimate | None
    """An episode without a claim claims no success. None where no episode made a claim."""
    earned: Estimate | None
    """None where no episode ended."""
    unclaimed: int
    """Episodes without a claim."""
    ended: int
    """Episodes in all."""


@dataclass(frozen=True)
class Summary:
    """What a run comes to."""

    record: RunRecord
    overall: Share
    groups: Mapping[str, Mapping[str, Share]]
    """By fact and its value, values in order."""
    claims: Claims
    ended: int
    faulted: int
    unfinished: int
    """Begun and not ended, or not begun."""
    spent: Spending
    """Over all attempts, those of faulted episodes too."""
    seconds: float
    """Sum of the episodes' wall times."""
    published: tuple[Published, ...]
    """What papers print for the same."""


def summarise(results: RunResults) -> Summary:
    """The summary of a run, also of one that was interrupted."""
    record = results.folder.record
    rows = [row for row in results.rows if row.ended]
    return Summary(
        record=record,
        overall=_share(rows),
        groups={
            fact: {value: _share(group) for value, group in by(fact, rows).items()} for fact in metadata(results.rows)
        },
        claims=_claims(rows),
        ended=len(rows),
        faulted=results.count("faulted"),
        unfinished=results.count("unfinished", "not begun"),
        spent=results.spent,
        seconds=sum(row.seconds for row in results.rows),
        published=published(record),
    )


def metadata(rows: Iterable[EpisodeRow]) -> tuple[str, ...]:
    """What the rows can be grouped by."""
    return tuple(dict.fromkeys(fact for row in rows for fact in row.metadata))


def by(fact: str, rows: Iterable[EpisodeRow]) -> dict[str, list[EpisodeRow]]:
    """Rows by the value of a fact: as papers print them, or else numbers in order, then words."""
    groups: dict[str, list[EpisodeRow]] = {}
    for row in rows:
        groups.setdefault(row.metadata.get(fact, ""), []).append(row)
    return dict(sorted(groups.items(), key=lambda item: _place(fact, item[0])))


def _place(fact: str, value: str) -> tuple[int, bool, str, str]:
    printed = TASK_TYPES if fact == TASK_TYPE else ()
    place = printed.index(value) if value in printed else len(printed)
    return place, not value.isdecimal(), value.zfill(9), value


def shares(
    rows: Iterable[EpisodeRow], succeeded: Callable[[EpisodeRow], bool] = lambda row: row.success
) -> dict[str, float]:
    """By task, the share of its ended epochs that succeeded.

    Args:
        rows: the episodes.
        succeeded: whether an episode did; by its reward unless said otherwise.
    """
    epochs: dict[str, list[float]] = {}
    for row in rows:
        if row.ended:
            epochs.setdefault(row.task, []).append(float(succeeded(row)))
    return {task: fmean(successes) for task, successes in epochs.items()}


def _claims(rows: Sequence[EpisodeRow]) -> Claims:
    unclaimed = sum(row.claimed is None for row in rows)
    claimed = list(shares(rows, lambda row: row.claimed is True).values())
    earned = list(shares(rows).values())
    return Claims(
        claimed=rate(claimed) if unclaimed < len(rows) else None,
        earned=rate(earned) if earned else None,
        unclaimed=unclaimed,
        ended=len(rows),
    )


def _share(rows: Sequence[EpisodeRow]) -> Share:
    by_task = shares(rows)
    depths = [row.depth for row in rows if row.success]
    return Share(
        tasks=len(by_task),
        success=rate(list(by_task.values())) if by_task else None,
        depth=fmean(depths) if depths else None,
        succeeded=len(depths),
    )


@dataclass(frozen=True)
class Difference:
    """One arm's success minus another's on the tasks that ended in both."""

    tasks: int
    points: Estimate


def apart(ours: RunResults, theirs: RunResults) -> tuple[int, int]:
    """How many tasks ended in the one only, and in the other only: what a difference leaves out."""
    mine, other = shares(ours.rows).keys(), shares(theirs.rows).keys()
    return len(mine - other), len(other - mine)


def differences(ours: RunResults, theirs: RunResults) -> dict[tuple[str, str], Difference]:
    """Paired differences, by fact and value; overall under ("", ""). Kinds without a common task are left out."""
    kinds = {("", ""): (list(ours.rows), list(theirs.rows))}
    for fact in metadata(ours.rows):
        there = by(fact, theirs.rows)
        kinds |= {(fact, value): (rows, there.get(value, [])) for value, rows in by(fact, ours.rows).items()}
    found: dict[tuple[str, str], Difference] = {}
    for kind, (left, right) in kinds.items():
        mine, other = shares(left), shares(right)
        common = [task for task in mine if task in other]
        if common:
            estimate = difference([mine[task] for task in common], [other[task] for task in common])
            found[kind] = Difference(len(common), estimate)
    return found
