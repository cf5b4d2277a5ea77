"""The runs that learnt what another one is given, and what their training cost up to that version."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from quintet.config.tasks import TaskEntry
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.learning import LearntKind
from quintet.quota.cost import Cost, total
from quintet.reports.rows import by_phase, of_method, read_attempts
from quintet.runs.record import RUN_RECORD, GivenMemory, LearningRun
from quintet.runs.run_folder import RunFolder


def learning_runs(
    plan_file: Path | None, plan: str, memory: GivenMemory | None, tasks: Sequence[TaskEntry]
) -> tuple[LearningRun, ...]:
    """The runs that learnt what a run with these tasks is given.

    A plan or a memory that lies in no run's folder, and one whose run cannot be read, has none.

    Args:
        plan_file: where the plan is from; None: there is none.
        plan: its text.
        memory: as the run's record has it.
    """
    names = frozenset(task.name for task in tasks)
    found: list[LearningRun] = []
    if plan_file is not None:
        found += _learning_run(plan_file, "plan", plan, names)
    if memory is not None:
        found += _learning_run(memory.file, memory.kind, memory.version, names)
    return tuple(found)


def _learning_run(file: Path, kind: LearntKind, content: str | int, tasks: frozenset[str]) -> Iterator[LearningRun]:
    """The run in whose folder, or in that of its versions, a file lies; `content`: a plan's text, or a version."""
    path = next((each for each in file.parents[:2] if (each / RUN_RECORD).is_file()), None)
    if path is None:
        return
    with suppress(UsageError):  # one of another version of quintet, or a damaged one
        run = RunFolder.open_to_read(path)
        if not run.record.learns or run.record.learnt != kind:
            return
        with run.read_journals() as read:
            for _, reader in read.journals:
                version = content if isinstance(content, int) else _version_of(reader, file, content)
                if version is not None:
                    yield _until(run, reader, version, tasks)


def _version_of(reader: JournalReader, file: Path, plan: str) -> int | None:
    """The version of a plan in a run's folder; None: it was edited."""
    with suppress(ValueError):
        return int(file.stem)
    version = reader.chosen_version()
    text = None if version is None else reader.version(version)
    return version if text is not None and text.strip() == plan else None


def _until(run: RunFolder, reader: JournalReader, version: int, tasks: frozenset[str]) -> LearningRun:
    """Training up to a version: episodes with the versions before it, those that chose among versions, the learner."""
    record = run.record
    training, held_out = ({task.name for task in each} for each in (record.learnt_from, record.held_out))
    spent = [of_method(by_phase(reader.used_to_learn(version), run.prices))]
    for attempt in read_attempts(reader, run.prices):
        row = attempt.row
        if (row.task in training and row.epoch < version) or (row.task in held_out and row.epoch <= version):
            spent.append(attempt.cost)
    cost: Cost = total((*spent, *(each.cost for each in record.learnt_by)))
    return LearningRun(
        run=run.path,
        kind=record.learnt,
        version=version,
        calls=cost.calls,
        prompt_tokens=cost.prompt_tokens,
        completion_tokens=cost.completion_tokens,
        nanodollars=cost.nanodollars,
        tasks=tuple(sorted(tasks & (training | held_out | _of_trajectories(run)))),
    )


def _of_trajectories(run: RunFolder) -> set[str]:
    """The tasks of the trajectories that a run was given, as far as they are known."""
    given = run.record.given_trajectories
    if not given:
        return set()
    with closing(MemoryReader.open(run.path / MEMORY_FILE)) as reader:
        return {each.task for each in reader.trajectories(0, given)}
