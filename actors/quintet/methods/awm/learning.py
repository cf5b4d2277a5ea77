"""Agent Workflow Memory's learner: workflows of the attempts that succeeded, by task type, appended."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote
from quintet.messages.noting import NotesWritten, WriteNotes
from quintet.methods.awm.config import AwmLearning
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner

_SECTION: Final = "workflows"


class AwmLearner(NotesLearner[AwmLearning]):
    """One prompt over all successful attempts of a window, of a task type where there are types.

    Source: Agent Workflow Memory (Wang et al., 2024), its induction by a model. Differs: see README.md.
    """

    requests = (WriteNotes,)
    memory = {"retrieval": "all"}
    worlds = {name: {**world, "eval_every": 24} for name, world in NotesLearner.worlds.items()}

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        async with run.branches() as group:
            for place, attempts in enumerate(self._batches(ran)):
                group.start(self._induce, run, version + 1, place, attempts)

    def _batches(self, ran: Sequence[EpisodeRan]) -> Iterator[tuple[Experience, ...]]:
        by_type: dict[str, list[Experience]] = {}
        for each in ran:
            if each.succeeded and each.experience is not None:
                by_type.setdefault(each.experience.task_type, []).append(each.experience)
        for attempts in by_type.values():
            size = self.config.batch or len(attempts)
            yield from (tuple(attempts[at : at + size]) for at in range(0, len(attempts), size))

    async def _induce(
        self, run: LearnerContext, version: Version, place: int, attempts: tuple[Experience, ...]
    ) -> None:
        written = await run.ask(WriteNotes(attempts=attempts, of="workflows", most=self.config.most))
        if isinstance(written, NotesWritten) and written.notes:
            first = attempts[0]
            notes = [
                replace(note, section=_SECTION, task_type=first.task_type, episode=first.task) for note in written.notes
            ]
            await run.change_notes(version, place, *(AddNote(note=note) for note in notes))

    def most_calls(self, training: int) -> int:
        # An answer that cannot be read is asked for twice, and so is a verdict.
        return 4 * training * self.config.rounds
