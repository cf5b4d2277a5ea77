"""What a run has learnt so far: its versions, how each was made, its scores, and the costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quintet.config.tasks import TaskEntry
from quintet.journal.reader import JournalReader
from quintet.learned.iterations import LearntIteration, UpdateOutcome, read_iterations
from quintet.learned.kinds import CONTENT_KINDS, ContentKind
from quintet.messages.paths import LEARNER, attempt_of
from quintet.quota.cost import Cost
from quintet.reports.intervals import Estimate, rate
from quintet.reports.rows import Attempts, TaskRow
from quintet.runs.ends import newest_at_tasks
from quintet.runs.judged import judging_version
from quintet.runs.record import RunRecord


@dataclass(frozen=True)
class Iteration:
    """The batch and the lessons that lead to a version: iteration 1 to version 1."""

    number: int
    batch: tuple[TaskRow, ...]
    """Training episodes with the version before: the attempts that were reported to the learner."""
    lessons: LearntIteration


@dataclass(frozen=True)
class VersionScore:
    """How tasks went with a version. Faulted and unfinished episodes are not counted."""

    success: Estimate | None
    """None if no episode ended."""
    ended: int
    faulted: int
    unfinished: int
    """Begun and not ended, or not begun."""

    @property
    def whole(self) -> bool:
        """Whether no episode is unfinished, and at least one ended."""
        return not self.unfinished and self.success is not None


@dataclass(frozen=True)
class VersionReport:
    """A version that the learner published."""

    number: int
    content: str
    lessons: LearntIteration
    """What led to it."""
    outcome: UpdateOutcome | None
    """Of the update that led to it; None for version 0."""
    held_out: VersionScore | None
    """None if it was not measured with held-out tasks."""
    test: VersionScore | None


@dataclass(frozen=True)
class LearningReport:
    """What a run has learnt so far."""

    kind: ContentKind
    """Of its versions."""
    begun: bool
    ended: bool
    """Whether the learner has."""
    versions: tuple[VersionReport, ...]
    iterations: tuple[Iteration, ...]
    """In order; while a batch is under way, one more than the versions after version 0."""
    chosen: int | None
    """The version that the learner chose; None before it ends."""
    judging_version: int | None
    """The version that judges the run: the chosen one, or before that the newest that was measured. None: the run
    learns along a stream, and is judged by its episodes with all versions."""
    training: Cost
    """Episodes with training and held-out tasks, reflections and updates. Along a stream only the latter two."""
    instances: int
    """How many training and held-out tasks were used, and given trajectories in place of tasks."""
    inference: Cost
    """Test tasks with the version that judges the run; along a stream all episodes."""
    measuring: Cost
    """Test tasks with other versions, which neither training nor inference needs."""

    @property
    def updates(self) -> int:
        """How many versions were published after version 0."""
        return max(len(self.versions) - 1, 0)

    def count(self, *outcomes: UpdateOutcome) -> int:
        """How many updates had one of these outcomes."""
        return sum(version.outcome in outcomes for version in self.versions)


def learning_report(record: RunRecord, attempts: Attempts, reader: JournalReader | None, run: Path) -> LearningReport:
    """Read what a run has learnt."""
    published = {} if reader is None else reader.published()
    kind = CONTENT_KINDS[record.learnt]
    lessons = read_iterations(kind.name, () if reader is None else reader.records(LEARNER), run)
    chosen = None if reader is None else reader.chosen_version()
    newest = newest_at_tasks(each.row for each in attempts.by_path.values())
    judging = judging_version(record, newest, chosen)
    tests, apart = _names(record.tasks), _names((*record.training, *record.held_out))
    used = apart | _names(record.learnt_from)

    def judges(version: int) -> bool:
        return judging in (None, version)

    return LearningReport(
        kind=kind,
        begun=LEARNER in attempts.by_path,
        ended=attempts.ended(LEARNER),
        versions=tuple(
            VersionReport(
                number=number,
                content=content,
                lessons=lessons[number],
                outcome=lessons[number].outcome(content, published.get(number - 1, "")) if number else None,
                held_out=_score(record.held_out, number, attempts),
                test=None if record.streams else _score(record.tasks, number, attempts),
            )
            for number, content in published.items()
        ),
        iterations=_iterations(record, attempts, lessons, len(published)),
        chosen=chosen,
        judging_version=judging,
        training=attempts.cost(lambda path: path == LEARNER or attempt_of(path).task in apart),
        instances=len({task for task, _ in attempts.newest if task in used}) + record.given_trajectories,
        inference=attempts.cost(lambda path: attempt_of(path).task in tests and judges(attempt_of(path).epoch)),
        measuring=attempts.cost(lambda path: attempt_of(path).task in tests and not judges(attempt_of(path).epoch)),
    )


def _names(tasks: Iterable[TaskEntry]) -> set[str]:
    return {task.name for task in tasks}


def _versions_of(tasks: Sequence[TaskEntry], attempts: Attempts) -> set[int]:
    names = _names(tasks)
    return {epoch for task, epoch in attempts.newest if task in names}


def _score(tasks: Sequence[TaskEntry], version: int, attempts: Attempts) -> VersionScore | None:
    if all((task.name, version) not in attempts.newest for task in tasks):
        return None
    rows = [attempts.row(task, version) for task in tasks]
    ended = [float(row.success) for row in rows if row.ended]
    faulted = sum(row.state == "faulted" for row in rows)
    stepless = not any(row.steps for row in rows if row.ended)
    success = rate(ended)._replace(stepless=stepless) if ended else None
    return VersionScore(success, len(ended), faulted, len(rows) - len(ended) - faulted)


def _iterations(
    record: RunRecord, attempts: Attempts, lessons: Mapping[int, LearntIteration], published: int
) -> tuple[Iteration, ...]:
    """Every iteration that has begun; the last may still be collecting its batch."""
    under_way = published in {epoch + 1 for epoch in _versions_of(record.learnt_from, attempts)}
    return tuple(
        Iteration(
            number=number,
            batch=_batch(record, attempts, number - 1, lessons[number]),
            lessons=lessons[number],
        )
        for number in range(1, published + under_way)
    )


def _batch(record: RunRecord, attempts: Attempts, version: int, lessons: LearntIteration) -> tuple[TaskRow, ...]:
    begun = [(task, attempts.newest.get((task.name, version))) for task in record.learnt_from]
    return tuple(
        attempts.row(task, version, lessons.attempts.get((task.name, version), newest))
        for task, newest in begun
        if newest is not None
    )
