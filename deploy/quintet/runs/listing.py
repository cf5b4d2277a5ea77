"""The runs and studies below a folder: state, progress, spend and time left, at the cost of their episodes."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from quintet.errors import UsageError
from quintet.journal.episode_rows import NO_EPISODES_YET, EpisodeTotals
from quintet.journal.reader import JournalReader
from quintet.messages.paths import LEARNER
from quintet.quota.cost import NOTHING, Cost, total
from quintet.runs.ends import HowEnded, newest_at_tasks, read_end
from quintet.runs.files import LockHolder, lock_holder, usable_folder
from quintet.runs.judged import judging_version, success_of
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.runs.run_folder import SHARDS, RunFolder, shard_folders
from quintet.runs.study_folder import STUDY_RECORD, StudyFolder

RunState: TypeAlias = HowEnded | Literal["running", "unreadable"]
"""`running`: a process writes in the folder. `unreadable`: its record or journal cannot be read. Else how it ended."""

_DEPTH = 3
"""How many folders below the given one are searched."""


@dataclass(frozen=True, kw_only=True)
class RunEntry:
    """A run, or a study with its arms' figures together."""

    path: Path
    kind: Literal["run", "study"]
    label: str
    """`METHOD on WORLD` of a run, the name of a study; empty if unreadable."""
    model: str = ""
    created: datetime | None = None
    """None if unreadable."""
    state: RunState
    reason: str = ""
    """Why it stopped, or why it is unreadable; empty: nothing to say."""
    holder: LockHolder | None = None
    """The process that runs it."""
    episodes: int = 0
    """How many it has; of a run that learns, at most; of a study, in the arms that have begun."""
    totals: EpisodeTotals = NO_EPISODES_YET
    success: float | None = None
    """As its report has it: of a run that learns, with the version that judges it. None: of a study, or no result."""
    spent: Cost = NOTHING
    eta: float | None = None
    """Seconds until it ends at the pace of this start; None: it does not run, no episode ended yet, or arms of a study
    have not begun."""
    arms: "Sequence[RunEntry]" = ()
    """Those of a study that have begun, in order."""
    waiting: int = 0
    """How many arms have not begun."""


class ListedRuns(NamedTuple):
    """What a search of folders found."""

    entries: Sequence[RunEntry]
    """The newest first."""
    unread: Sequence[str]
    """The folders that could not be searched, such as another user's, each with the reason."""


def list_runs(folder: Path) -> ListedRuns:
    """The runs and studies in a folder and up to three folders below it.

    Hidden folders and links are not searched; arms are listed with their study only.
    """
    with usable_folder(folder, "folder", "read"):
        if not folder.is_dir():
            raise UsageError(f"folder: expected one with runs in it, found none ({folder})")
    unread: list[str] = []
    found = [read_entry(path) for path in _run_folders(folder, _DEPTH, unread)]
    order = sorted(found, key=lambda entry: (0 if entry.created is None else -entry.created.timestamp(), entry.path))
    return ListedRuns(order, unread)


def running_folders(folder: Path) -> list[Path]:
    """The folders of the runs, shards and studies that a process is writing, searched as by `list_runs`."""
    places = (place for path in run_folders(folder) for place in (path, *shard_folders(path)))
    return [place for place in places if lock_holder(place) is not None]


def run_folders(folder: Path) -> Iterator[Path]:
    """The folders of the runs and studies in a folder, searched as by `list_runs`, readable or not."""
    return _run_folders(folder, _DEPTH, [])


def _run_folders(folder: Path, depth: int, unread: list[str]) -> Iterator[Path]:
    try:
        folders = [] if (is_run := is_run_folder(folder)) or depth < 0 else _folders_in(folder)
    except FileNotFoundError:
        return  # removed meanwhile
    except OSError as error:
        unread.append(f"expected a folder that can be read, got {error.strerror or error} ({folder})")
        return
    if is_run:
        yield folder
    for each in folders:
        yield from _run_folders(each, depth - 1, unread)


def _folders_in(folder: Path) -> list[Path]:
    below = (each for each in folder.iterdir() if each.name[0] != "." and not each.is_symlink())
    return sorted(each for each in below if each.is_dir())


def is_run_folder(folder: Path) -> bool:
    """Whether it has the record of a run or a study, readable or not."""
    return any((folder / name).is_file() for name in (RUN_RECORD, STUDY_RECORD))


def read_entry(path: Path) -> RunEntry:
    """One run or study. What cannot be read is said in the entry."""
    is_study = (path / STUDY_RECORD).is_file()
    try:
        return _study_entry(path) if is_study else _run_entry(RunFolder.open_to_read(path))
    except UsageError as error:
        return _unreadable(path, "study" if is_study else "run", error)


def _run_entry(folder: RunFolder) -> RunEntry:
    if folder.record.sharded:
        return _sharded_entry(folder)
    path, holder = folder.path, lock_holder(folder.path)
    record, now = folder.record, time.time()
    since = now if holder is None else holder.since
    opened = folder.read_journal()
    totals, spent, learnt, damage = NO_EPISODES_YET, NOTHING, False, list(folder.damage)
    success: float | None = None
    if opened is not None:
        with closing(opened) as reader, reader.snapshot():
            totals, spent = reader.totals(round(since * 1000))
            learnt = record.learns and reader.end(LEARNER) is not None
            success = _judged_success(record, reader) if record.learns else totals.success
            damage += reader.damage
    left = totals.begun - totals.ended if learnt else record.episodes - totals.ended
    state, reason = _state(path, holder, totals, left, done=learnt or not record.learns)
    return RunEntry(
        path=path,
        kind="run",
        label=f"{record.label} on {record.configuration.environment.name}",
        model=record.model,
        created=record.created,
        state=state,
        reason="; ".join([reason, *damage] if reason else damage),
        holder=holder,
        episodes=totals.begun if learnt else record.episodes,
        totals=totals,
        success=success,
        spent=spent,
        eta=seconds_left(left, totals.ended_since, now - since) if state == "running" else None,
    )


def _sharded_entry(folder: RunFolder) -> RunEntry:
    """A run over several drivers: its shards together. It runs while one of them does.

    With a shard that cannot be read it is no more than interrupted: the others can be read, and a report says more.
    """
    record, shards = folder.record, [*_shard_entries(folder)]
    totals = _sum_episodes([shard.totals for shard in shards])
    states: list[RunState] = ["interrupted" if shard.state == "unreadable" else shard.state for shard in shards]
    if len(shards) < record.configuration.runtime.shards:
        states.append("interrupted")
    order: tuple[RunState, ...] = ("running", "stopped", "spent", "interrupted", "faulted", "done")
    times = [shard.eta for shard in shards if shard.state == "running"]
    return RunEntry(
        path=folder.path,
        kind="run",
        label=f"{record.label} on {record.configuration.environment.name}",
        model=record.model,
        created=record.created,
        state=min(states, key=order.index),
        reason="; ".join(f"shard {shard.path.name}: {shard.reason}" for shard in shards if shard.reason),
        holder=next((shard.holder for shard in shards if shard.holder is not None), None),
        episodes=record.episodes,
        totals=totals,
        success=totals.success,
        spent=total(shard.spent for shard in shards),
        eta=None if None in times else max((each or 0.0 for each in times), default=None),
    )


def _shard_entries(folder: RunFolder) -> Iterator[RunEntry]:
    """Those that have begun. What cannot be read of one is said in its entry."""
    for number in folder.part_numbers:
        try:
            part = folder.part(number)
            if part is not None:
                yield _run_entry(part)
        except UsageError as error:
            yield _unreadable(folder.path / SHARDS / str(number), "run", error)


def _unreadable(path: Path, kind: Literal["run", "study"], error: UsageError) -> RunEntry:
    return RunEntry(path=path, kind=kind, label="", state="unreadable", reason=str(error))


def _judged_success(record: RunRecord, reader: JournalReader) -> float | None:
    newest = newest_at_tasks(reader.episodes())
    return success_of(record, newest, judging_version(record, newest, reader.chosen_version()))


def _state(
    path: Path, holder: LockHolder | None, totals: EpisodeTotals, left: int, *, done: bool
) -> tuple[RunState, str]:
    if holder is not None:
        return "running", ""
    if done and not left:
        return ("faulted" if totals.faulted else "done"), ""
    end = read_end(path)
    return ("interrupted", "") if end is None else (end.ended, end.reason)


def _study_entry(path: Path) -> RunEntry:
    study, holder = StudyFolder.open_to_read(path), lock_holder(path)
    arms = [read_entry(study.arm_path(arm)) for arm in study.record.arms if study.begun(arm)]
    waiting = len(study.record.arms) - len(arms)
    states: list[RunState] = [arm.state for arm in arms]
    state: RunState = "running"
    if holder is None and not waiting and not study.grows and set(states) <= {"done", "faulted"}:
        state = "faulted" if "faulted" in states else "done"
    elif holder is None:
        early: list[RunState] = [each for each in states if each not in ("done", "faulted")]
        state = early[0] if early else "interrupted"
    return RunEntry(
        path=path,
        kind="study",
        label=str(study.record.definition.get("name", path.name)),
        model=", ".join(dict.fromkeys(arm.model for arm in arms)),
        created=study.record.created,
        state=state,
        reason="; ".join(f"{arm.path.name}: {arm.reason}" for arm in arms if arm.reason),
        holder=holder,
        episodes=sum(arm.episodes for arm in arms),
        totals=_sum_episodes([arm.totals for arm in arms]),
        spent=total(arm.spent for arm in arms),
        eta=None if waiting else next((arm.eta for arm in arms if arm.state == "running"), None),
        arms=arms,
        waiting=waiting,
    )


def entry_content(entry: RunEntry) -> dict[str, Any]:
    """An entry for programs: times in seconds since the Unix epoch, ETA in seconds."""
    totals, spent, holder = entry.totals, entry.spent, entry.holder
    study = (
        {"arms": [entry_content(arm) for arm in entry.arms], "arms_waiting": entry.waiting}
        if entry.kind == "study"
        else {}
    )
    return {
        "path": str(entry.path),
        "kind": entry.kind,
        "label": entry.label,
        "model": entry.model,
        "created": None if entry.created is None else entry.created.timestamp(),
        "state": entry.state,
        "reason": entry.reason,
        "process": None if holder is None else {"id": holder.process, "host": holder.host, "since": holder.since},
        "episodes": entry.episodes,
        "begun": totals.begun,
        "ended": totals.ended,
        "solved": totals.solved,
        "faulted": totals.faulted,
        "success": entry.success,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "usd": spent.usd,
        "eta_seconds": entry.eta,
        **study,
    }


def seconds_left(left: int, ended: int, seconds: float) -> float | None:
    """How long a run takes for `left` episodes if `ended` took so many seconds; None if none has ended."""
    return left * seconds / ended if ended and seconds > 0 else None


def _sum_episodes(totals: Sequence[EpisodeTotals]) -> EpisodeTotals:
    newest = [each.newest for each in totals if each.newest is not None]
    tasks = sum(each.tasks for each in totals)
    return EpisodeTotals(
        begun=sum(each.begun for each in totals),
        ended=sum(each.ended for each in totals),
        solved=sum(each.solved for each in totals),
        faulted=sum(each.faulted for each in totals),
        ended_since=sum(each.ended_since for each in totals),
        newest=max(newest, default=None),
        success=sum((each.success or 0.0) * each.tasks for each in totals) / tasks if tasks else None,
        tasks=tasks,
    )
