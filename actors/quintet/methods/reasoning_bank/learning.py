"""ReasoningBank's learner: notes of every attempt, whether it succeeded or failed, appended."""

from collections.abc import Sequence

from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote, NoteChange
from quintet.messages.noting import NotesOf, NotesWritten, WriteNotes
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner
from quintet.methods.reasoning_bank.config import ReasoningBankLearning


class ReasoningBankLearner(NotesLearner[ReasoningBankLearning]):
    """Notes of a success and of a failure, by different instructions; of several attempts at a task, by their contrast.

    Source: ReasoningBank (Ouyang et al., 2025). Differs: see README.md.
    """

    requests = (WriteNotes,)
    memory = {"retrieval": "embedding", "most": 1}
    worlds = {name: {**world, "feedback": "judged", "eval_every": 24} for name, world in NotesLearner.worlds.items()}

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, told: Experience
    ) -> Sequence[NoteChange]:
        attempts = told.attempts
        of: NotesOf = "contrast" if len(attempts) > 1 else "success" if ran.succeeded else "failure"
        written = await run.ask(WriteNotes(attempts=attempts, of=of, most=self.config.most))
        # Without an answer the episode teaches nothing.
        notes = written.notes if isinstance(written, NotesWritten) else ()
        return [AddNote(note=replace(note, about=told.goal, episode=told.task)) for note in notes]

    def most_calls(self, training: int) -> int:
        # An answer that cannot be read is asked for twice, and so is a verdict.
        return 4 * training * self.config.rounds
