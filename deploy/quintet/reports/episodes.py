"""The results of a run, read from its journal: a row for each episode, spending, and learning."""

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace

from quintet.journal.decoder import FingerprintRow
from quintet.journal.reader import JournalReader, Spending
from quintet.ports.model import Finish
from quintet.quota.prices import ChargeTotal, total_charge
from quintet.reports.learning.report import LearningReport, learning_report
from quintet.reports.rows import Attempts, RowState, TaskRow
from quintet.runs.attempts import HowEnded
from quintet.runs.record import RunRecord, models_label
from quintet.runs.run_folder import RunFolder

SIMULATED = "simulated"
"""The fingerprint of an endpoint that serves a simulated model, and the mark behind such a model's name."""


@dataclass(frozen=True)
class RunResults:
    """A run's rows, and what its attempts spent together."""

    folder: RunFolder
    rows: tuple[TaskRow, ...]
    """In a run that learns, its test tasks with the version that it is judged by."""
    spent: Spending
    nanodollars: int | None = None
    """Cost of the answered calls of all attempts; None if a model has no price."""
    charged: ChargeTotal | None = None
    """What attempts at calls were charged, unanswered ones included; None for a run without a budget."""
    unanswered: Counter[Finish] = field(default_factory=Counter[Finish])
    """How many completions of all attempts were cut off or empty, by how they ended."""
    bounded: int = 0
    """How many completions were too long or reported impossible token counts, and were cut to bounds."""
    fingerprints: tuple[FingerprintRow, ...] = ()
    """Which models answered, with the fingerprints that their endpoints reported."""
    learning: LearningReport | None = None
    """None for a run that does not learn."""
    measured: tuple[TaskRow, ...] = ()
    """Of a run that learns: the test tasks with other versions, as far as they began."""
    training: tuple[TaskRow, ...] = ()
    """Of a run that learns: its training and held-out tasks, as far as they began."""
    damage: tuple[str, ...] = ()
    """Parts of its folder that could not be read; nothing above counts them."""

    @property
    def model(self) -> str:
        """The run's models as reports show them. A simulated one is marked, also behind an endpoint."""
        return show_models(self.folder.record, self.fingerprints)

    @property
    def every_row(self) -> tuple[TaskRow, ...]:
        """All rows, first those that judge the run."""
        return *self.rows, *self.measured, *self.training

    def count(self, *states: RowState) -> int:
        """How many rows are in one of the states, with any version."""
        return sum(row.state in states for row in self.every_row)

    @property
    def begun(self) -> bool:
        """Whether any episode, or learning, has begun."""
        return self.count("not begun") < len(self.rows) or (self.learning is not None and self.learning.begun)

    @property
    def finished(self) -> bool:
        """Whether every episode ended, by a result or a fault."""
        return self.ended != "interrupted"

    @property
    def ended(self) -> HowEnded:
        """The state of the run as a whole."""
        # Once its learner has ended, a run needs no episode that has not begun.
        waiting = self.count("unfinished") if self.learning is not None else self.count("unfinished", "not begun")
        if waiting or (self.learning is not None and not self.learning.ended):
            return "interrupted"
        return "faulted" if self.count("faulted") else "done"


def show_models(record: RunRecord, fingerprints: Iterable[FingerprintRow]) -> str:
    """The models of a run on one line; one whose endpoint says that it is simulated is marked."""
    simulated = {model for model, fingerprint in fingerprints if fingerprint == SIMULATED}
    return models_label(
        {role: f"{name} ({SIMULATED})" if name in simulated else name for role, name in record.models.items()}
    )


def results(folder: RunFolder) -> RunResults:
    """Read a run, also while it goes on. Damaged parts are skipped and listed in `damage`.

    Raises:
        UsageError: its journal cannot be read at all.
    """
    opened = folder.read_journal()
    if opened is None:
        return replace(_results(folder, Attempts(), None), damage=folder.damage)
    with closing(opened) as reader, reader.snapshot():
        found = _results(folder, Attempts.read(reader, folder.prices), reader)
    return replace(found, damage=(*folder.damage, *reader.damage))


def _results(folder: RunFolder, attempts: Attempts, reader: JournalReader | None) -> RunResults:
    record, all_of_it = folder.record, attempts.bill()
    found = learning_report(record, attempts, reader) if record.learns else None
    rows = (
        [attempts.row(task, epoch) for epoch, task in record.repeated()]
        if found is None
        else [attempts.row(task, found.judging_version) for task in record.tasks]
    )
    others = () if found is None else (version for version in found.measured if version != found.judging_version)
    return RunResults(
        folder,
        rows=tuple(rows),
        spent=all_of_it.spent,
        nanodollars=all_of_it.nanodollars,
        charged=None if reader is None else total_charge(reader.charged(), folder.prices),
        unanswered=sum(map(Counter[Finish], attempts.unanswered.values()), Counter[Finish]()),
        bounded=attempts.bounded,
        fingerprints=() if reader is None else tuple(reader.fingerprints()),
        learning=found,
        measured=tuple(
            attempts.row(task, version)
            for version in others
            for task in record.tasks
            if (task.name, version) in attempts.newest
        ),
        training=tuple(
            attempts.row(task, version)
            for task in (*record.training, *record.held_out)
            for name, version in sorted(attempts.newest)
            if name == task.name
        ),
    )
