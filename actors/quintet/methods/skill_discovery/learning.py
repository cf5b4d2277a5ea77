"""The learner of skill discovery: the programs that solved tasks, kept for later ones."""

from collections.abc import Sequence
from typing import Final

from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote, Note, NoteChange
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner, NotesOptions

_SKILLS: Final = "skills"


class SkillLearner(NotesLearner[NotesOptions]):
    """A note for each task that was solved: its last program, which is found by the goal.

    Source: AdaPlanner (Sun et al., 2023), its skill discovery. Differs: see README.md.
    """

    memory = {"retrieval": "lexical", "most": 1}
    worlds = {name: {**world, "eval_every": 24} for name, world in NotesLearner.worlds.items()}

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, experience: Experience
    ) -> Sequence[NoteChange]:
        programs = [each.program for each in experience.processes if each.program] if ran.succeeded else []
        return [AddNote(note=_skill(experience, program)) for program in programs[-1:]]

    def most_calls(self, training: int) -> int:
        # A verdict that cannot be read is asked for twice.
        return 2 * training * self.config.rounds


def _skill(experience: Experience, program: str) -> Note:
    return Note(
        title=f"A program that solved: {experience.goal}",
        text=program,
        section=_SKILLS,
        task_type=experience.task_type,
        about=experience.goal,
        episode=experience.task,
    )
