"""The learner of skill discovery: the programs that solved tasks, kept for later ones that they help with."""

from collections.abc import Sequence
from typing import Final

from pydantic import Field

from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote, Note, ReplaceNote, VoteNote
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner, NotesOptions
from quintet.methods.base.open_notebook import OpenNotebook

_SKILLS: Final = "skills"


class SkillOptions(NotesOptions):
    """Options of skill discovery."""

    tries: int = Field(default=3, ge=0)
    """Tasks that try a skill before it is judged; each is also played without what was learnt. 0: no skill is dropped.
    Along a stream, whose tasks are played once, none is."""


class SkillLearner(NotesLearner[SkillOptions]):
    """A note for each task that was solved: its last program, found by its goal. A program that is known is not added.

    Source: AdaPlanner (Sun et al., 2023), its skill discovery. Differs: see README.md.
    """

    memory = {"retrieval": "lexical", "most": 1}
    worlds = {name: {**world, "eval_every": 24} for name, world in NotesLearner.worlds.items()}

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        skills = OpenNotebook(run, version + 1, await run.notes(version, section=_SKILLS))
        lived = [(each, each.experience) for each in ran if each.experience is not None and not each.faulted]
        if self._tries:
            await self._try(run, skills, [(each, experience) for each, experience in lived if experience.recalled])
            judged = [each for each in skills.notes if each.recalled >= self._tries]
            await skills.change(*(ReplaceNote(id=each.id) for each in judged if each.helpful <= each.harmful))
        for each, experience in lived:
            programs = [process.program for process in experience.processes if process.program]
            if each.succeeded and programs and programs[-1] not in {known.note.text for known in skills.notes}:
                await skills.change(AddNote(note=_skill(experience, programs[-1])))

    async def _try(
        self, run: LearnerContext, skills: OpenNotebook, tried: Sequence[tuple[EpisodeRan, Experience]]
    ) -> None:
        """Vote for the skills that tasks recalled, by comparing the tasks with themselves in version 0.

        A skill helped where a task was solved with it alone, and harmed where without it alone. It is not tried by the
        task that it is from.
        """
        without = await run.experience([experience.task for _, experience in tried], 0)
        for (each, experience), other in zip(tried, without, strict=True):
            if other.faulted or other.experience is None:
                continue
            better, worse = int(each.succeeded > other.succeeded), int(each.succeeded < other.succeeded)
            for id in experience.recalled:
                known = id in skills and skills[id].note.episode != experience.task
                if known and id not in other.experience.recalled:
                    await skills.change(VoteNote(id=id, recalled=1, helpful=better, harmful=worse))

    def versions(self, training: int, trajectories: int = 0) -> int:
        if not self.plays():
            raise ValueError("learning.source: expected 'played', since a trajectory has no program, got 'given'")
        return super().versions(training, trajectories)

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        return super().episodes(training, held_out, test, trajectories) + training * bool(self._tries)

    def most_calls(self, training: int) -> int:
        # A verdict that cannot be read is asked for twice.
        return 2 * training * (self.config.rounds + bool(self._tries))

    @property
    def _tries(self) -> int:
        return 0 if self.stream else self.config.tries


def _skill(experience: Experience, program: str) -> Note:
    return Note(
        title=f"A program that solved: {experience.goal}",
        text=program,
        section=_SKILLS,
        task_type=experience.task_type,
        about=experience.goal,
        episode=experience.task,
    )
