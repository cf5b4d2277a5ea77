"""The results of a run, read from its journal in one pass over its episodes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from quintet.batches.store import LostBatch, lost_batches
from quintet.events import Ending
from quintet.journal.codes import STATES
from quintet.journal.note_recalls import NoteRecalls, sum_recalls
from quintet.journal.sums import FingerprintRow
from quintet.messages.paths import Path, order_of
from quintet.quota.cost import NOTHING, Cost, total
from quintet.reports.intervals import Estimate
from quintet.reports.learning.report import LearningReport, learning_report
from quintet.reports.rows import (
    NEVER_REPEATED,
    WITHOUT_END,
    AttemptResult,
    Attempts,
    Repeats,
    RowState,
    TaskResult,
    TaskRow,
    read_attempts,
    stepless,
)
from quintet.reports.trials import RunTrials, TrialTally
from quintet.roles.question_roles import JUDGE_ROLE
from quintet.runs.ends import HowEnded, is_result
from quintet.runs.record import LearningRun, RunRecord, models_label
from quintet.runs.run_folder import PartJournal, RunFolder

_WITH_RESULT = STATES.index("solved"), STATES.index("unsolved")

SIMULATED = "simulated"
"""The fingerprint of an endpoint that serves a simulated model, and the mark behind such a model's name."""


@dataclass(kw_only=True)
class RunResults:
    """The results of a run.

    The newest attempt at every task in every epoch counts; in a run that learns, with the version that it is judged by,
    and along a stream with whichever it was played.
    """

    folder: RunFolder
    tasks: tuple[TaskResult, ...]
    """Of every test task."""
    rows: tuple[TaskRow, ...] = ()
    """The episodes that are listed, in the order of the run."""
    episodes: int
    """How many there are to list."""
    states: Counter[RowState] = field(default_factory=Counter[RowState])
    """How many episodes are in each state; in a run that learns, of all tasks with all versions."""
    begun_rows: int = 0
    """How many episodes with test tasks have begun."""
    seconds: float = 0.0
    """Of all that count: the sum of their wall times."""
    phases: dict[str, Cost] = field(default_factory=dict[str, Cost])
    """What all attempts spent, by what the calls were for."""
    repeats: Repeats = NEVER_REPEATED
    """Of all episodes together."""
    by_hand: tuple[Path, ...] = ()
    """The attempts that an operator asked for, in order."""
    interrupted: int = 0
    """How many attempts could not be replayed, in a world that does not repeat; none of them counts."""
    faults: Counter[str] = field(default_factory=Counter[str])
    """How many episodes faulted, by the reason."""
    charged: Cost | None = None
    """What attempts at calls were charged, unanswered ones included; None for a run without a budget."""
    lost_batches: tuple[LostBatch, ...] = ()
    """Those to which the provider had no answers any more."""
    unanswered: Counter[Ending] = field(default_factory=Counter[Ending])
    """How many completions of all attempts hold no answer, by how they ended."""
    free: int = 0
    """How many answer a question that any text answers."""
    bounded: int = 0
    """How many completions were too long or reported impossible token counts, and were cut to bounds."""
    copied: int = 0
    """How many calls a fork took from the run that it goes on from; no other count has them."""
    learnt_by: tuple[LearningRun, ...] = ()
    """The runs that learnt what it is given, as its record has them; of several seeds, those of all."""
    without_verdict: int = 0
    """How many answers of all attempts the judge gave no verdict on."""
    note_recalls: tuple[NoteRecalls, ...] = ()
    """How often notes were recalled from each section."""
    fingerprints: tuple[FingerprintRow, ...] = ()
    """Which models answered, with the fingerprints that their endpoints reported."""
    learning: LearningReport | None = None
    """None for a run that does not learn."""
    trials: RunTrials | None = None
    """Those of the episodes with a result; None if no method ended one."""
    damage: tuple[str, ...] = ()
    """Parts of its folder that could not be read; nothing above counts them."""

    @property
    def to_read(self) -> int:
        """How many completions of all attempts had to be read, those without an answer included."""
        return total(self.phases.values()).calls - self.free

    @property
    def unread_share(self) -> float:
        """The share of them that ended by themselves and could not be read."""
        return self.unanswered["unread"] / self.to_read if self.unanswered["unread"] else 0.0

    @cached_property
    def counted(self) -> Cost:
        """Of the episodes with a result, without what a judge spent on them."""
        return total(task.cost for task in self.tasks)

    @property
    def model(self) -> str:
        """The run's models as reports show them. A simulated one is marked, also behind an endpoint."""
        return show_models(self.folder.record, self.fingerprints)

    @property
    def simulated(self) -> bool:
        """Whether any of its models was simulated: its name says so."""
        return is_simulated(self.model)

    @property
    def cost(self) -> Cost:
        """What all attempts spent."""
        return total(self.phases.values())

    @property
    def success_by_trial(self) -> list[Estimate]:
        """For each trial from the first on, the share of tasks in which one up to it ended with the full reward."""
        if self.trials is None:
            return []
        found = self.trials.success({task.task.name: task.ended for task in self.tasks})
        return [each._replace(stepless=stepless(self.tasks)) for each in found]

    def count(self, *states: RowState) -> int:
        """How many episodes are in one of the states, with any version."""
        return sum(self.states[state] for state in states)

    @property
    def begun(self) -> bool:
        """Whether any episode, or learning, has begun."""
        return self.begun_rows > 0 or (self.learning is not None and self.learning.begun)

    @property
    def finished(self) -> bool:
        """Whether every episode ended, by a result or a fault."""
        return self.ended != "interrupted"

    @property
    def ended(self) -> HowEnded:
        """The state of the run as a whole."""
        # Once its learner has ended, a run needs no episode that has not begun.
        waiting = self.count(*WITHOUT_END) - (0 if self.learning is None else self.count("not begun"))
        if waiting or (self.learning is not None and not self.learning.ended):
            return "interrupted"
        return "faulted" if self.count("faulted") else "done"


def is_simulated(models: str) -> bool:
    """Whether any of a run's models, as `show_models` has them, is simulated."""
    return f"({SIMULATED})" in models


def show_models(record: RunRecord, fingerprints: Iterable[FingerprintRow]) -> str:
    """The models of a run on one line; one whose endpoint says that it is simulated is marked."""
    simulated = {model for model, fingerprint in fingerprints if fingerprint == SIMULATED}
    return models_label(
        {role: f"{name} ({SIMULATED})" if name in simulated else name for role, name in record.models.items()}
    )


def results(folder: RunFolder, listed: range | None = None, *, version: int | None = None) -> RunResults:
    """Read a run, also while it goes on. Damaged parts are skipped and listed in `damage`.

    Args:
        listed: the positions, in the order of the run, of the episodes that get a row; None: all.
        version: of a run that learns, the one to show: only its episodes with test tasks count, and nothing is said of
            learning. None: the whole run.

    Raises:
        UsageError: its journal cannot be read at all.
    """
    with folder.read_journals() as read:
        found = _results(folder, read.journals, listed, version)
        found.damage = tuple(dict.fromkeys((*folder.damage, *read.damage)))
    return found


def _results(
    folder: RunFolder, journals: Sequence[PartJournal], listed: range | None, version: int | None
) -> RunResults:
    record = folder.record
    requeued = frozenset[Path]().union(*(reader.requeued() for _, reader in journals))
    attempts: Iterable[AttemptResult] = chain.from_iterable(
        read_attempts(reader, part.prices) for part, reader in journals
    )
    learning: LearningReport | None = None
    epochs: range | None = range(record.configuration.run.epochs)
    if version is not None:
        tested, epochs = {task.name for task in record.tasks}, range(version, version + 1)
        attempts = (each for each in attempts if each.row.epoch == version and each.row.task in tested)
    elif record.learns:
        kept = Attempts(attempts, requeued)
        own = next((reader for _, reader in journals), None)  # a run that learns has one part
        learning = learning_report(record, kept, own, folder.path)
        attempts, judging = kept.by_path.values(), learning.judging_version
        epochs = None if judging is None else range(judging, judging + 1)
    found = RunResults(
        folder=folder,
        tasks=tuple(map(TaskResult, record.tasks)),
        episodes=len(record.tasks) * (1 if epochs is None else len(epochs)) if record.fork is None else record.episodes,
        by_hand=tuple(sorted(requeued, key=order_of)),
        learning=learning,
        learnt_by=record.learnt_by,
    )
    if record.fork is not None:
        keys = record.fork.keys_by_task()
        for task in found.tasks:
            task.continues = keys[task.task.name]
        found.copied = sum(reader.copied_calls() for _, reader in journals)
    tally = _Tally(found, epochs, listed, requeued)
    for _, reader in journals:
        tally.repeated |= reader.repeats()
        if record.configuration.limits.episode_budget:
            tally.cut_short |= reader.out_of_budget()
    for attempt in attempts:
        tally.add(attempt)
    if version is None:
        charged = [cost for part, reader in journals if (cost := reader.charged(part.prices)) is not None]
        found.charged = total(charged) if charged else None
        found.lost_batches = tuple(each for part, _ in journals for each in lost_batches(part.path))
    if record.configuration.memory is not None:
        found.note_recalls = sum_recalls(chain.from_iterable(reader.note_recalls() for _, reader in journals))
    if JUDGE_ROLE.name in record.models:
        found.without_verdict = sum(reader.without_verdict() for _, reader in journals)
    found.fingerprints = tuple(sorted({each for _, reader in journals for each in reader.fingerprints()}))
    tally.end()
    return found


class _Tally:
    """Adds up attempts; `epochs`: those that count, from the first repetition on; None: each task has one, in any."""

    def __init__(
        self, found: RunResults, epochs: range | None, listed: range | None, requeued: frozenset[Path]
    ) -> None:
        record = found.folder.record
        self.repeated: dict[tuple[str, int], int] = {}
        """The newest attempt where there are several."""
        self.cut_short: frozenset[Path] = frozenset()
        """The attempts that had spent their budget."""
        self._found = found
        self._epochs = epochs
        self._requeued = requeued
        self._listed = range(found.episodes) if listed is None else range(found.episodes)[listed.start : listed.stop]
        self._tasks = {task.task.name: task for task in found.tasks}
        self._others = {task.name for task in (*record.training, *record.held_out)}
        repeated = () if record.fork is None else record.repeated()
        self._order = [(epoch, task.name) for epoch, task in repeated]
        """Of a fork, whose tasks have as many epochs as they have continuations: its episodes."""
        self._places = {each: place for place, each in enumerate(self._order or ((0, name) for name in self._tasks))}
        self._rows: dict[int, TaskRow] = {}
        self._microseconds = 0
        self._trials = TrialTally()
        self._results: set[Path] = set()
        """Of the attempts that were repeated, those that had a result."""

    def add(self, attempt: AttemptResult) -> None:
        row, found = attempt.row, self._found
        newest = self.repeated.get((row.task, row.epoch), 0) if self.repeated else 0
        task = self._tasks.get(row.task)
        counts = row.attempt >= newest and (task is not None or row.task in self._others)
        repetition = self._repetition(row.epoch) if counts else None
        if task is not None and repetition is not None and row.state in _WITH_RESULT:
            task.add(attempt, repetition, cut_short=bool(self.cut_short) and row.path in self.cut_short)
            self._trials.add(row.task, attempt.trials)
        for phase, cost in attempt.phases.items():
            found.phases[phase] = found.phases.get(phase, NOTHING) + cost
        found.free += attempt.free
        found.bounded += attempt.bounded
        found.interrupted += attempt.state == "interrupted"
        if attempt.unanswered:
            found.unanswered.update(attempt.unanswered)
        if counts:
            self._count(attempt, task, repetition)
        elif is_result(attempt.end):
            self._results.add(row.path)

    def _repetition(self, epoch: int) -> int | None:
        """Which repetition of its task an epoch is, from 0; None: its episodes do not judge the run."""
        if self._epochs is None:
            return 0
        return epoch - self._epochs.start if epoch in self._epochs else None

    def _count(self, attempt: AttemptResult, task: TaskResult | None, repetition: int | None) -> None:
        """Count the newest attempt at a task in an epoch; one None: it does not judge the run."""
        row, state, found = attempt.row, attempt.state, self._found
        found.states[state] += 1
        repeats = NEVER_REPEATED
        if row.attempt:
            repeats = Repeats.of(row, self._requeued, self._results)
            found.repeats = Repeats(*map(sum, zip(found.repeats, repeats, strict=True)))
        if state == "faulted" and attempt.end is not None:
            found.faults[attempt.end.why] += 1
        if task is None or repetition is None:
            return
        found.begun_rows += 1
        self._microseconds += row.seconds or 0
        if self._listed:
            position = self._position(row.task, repetition)
            if position in self._listed:
                self._rows[position] = TaskRow.of(task.task, attempt, repeats)

    def _position(self, task: str, repetition: int) -> int:
        if self._order:
            return self._places[repetition, task]
        return repetition * len(self._tasks) + self._places[0, task]

    def end(self) -> None:
        """Add what is known once all attempts are there."""
        found = self._found
        found.states += Counter[RowState]({"not begun": found.episodes - found.begun_rows})
        found.seconds = self._microseconds / 1_000_000
        found.phases = dict(sorted(found.phases.items()))
        found.trials = self._trials.counted()
        found.rows = tuple(self._rows.get(position) or self._not_begun(position) for position in self._listed)

    def _not_begun(self, position: int) -> TaskRow:
        if self._order:
            epoch, name = self._order[position]
            return TaskRow(name, epoch, 0, self._tasks[name].task.metadata, "not begun")
        epoch, place = divmod(position, len(self._found.tasks))
        task = self._found.tasks[place].task
        first = 0 if self._epochs is None else self._epochs.start
        return TaskRow(task.name, first + epoch, 0, task.metadata, "not begun")
