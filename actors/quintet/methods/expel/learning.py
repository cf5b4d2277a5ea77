"""ExpeL's learner: changes insights by what parts failures from successes, and keeps successes as examples."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from quintet.messages.curation import ListedNote, NoteRevision, NotesRevised, Operation, RevisedAfter, ReviseNotes
from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, StoredNote, VoteNote
from quintet.messages.reflection import LookBack
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner
from quintet.methods.base.open_notebook import OpenNotebook
from quintet.methods.expel.config import ExpelLearning
from quintet.roles.turn_text import turns_as_texts

GATHER: Final = "gather"
"""The purpose of an episode that is to try a task several times."""
ATTEMPT: Final = "attempt"
"""The purpose of one that tries its task once."""

_INSIGHTS: Final = "insights"
_EXAMPLES: Final = "examples"
_CHANGES: Final[tuple[Operation, ...]] = ("EDIT", "AGREE", "DISAGREE")
_FIRST_VOTES: Final = 2
"""Of a new insight."""


class ExpelLearner(NotesLearner[ExpelLearning]):
    """Votes for, words and removes insights, one list of attempts after the other.

    Source: ExpeL (Zhao et al., 2023), and its released code for the votes. Differs: see the README.
    """

    requests = (LookBack, ReviseNotes)
    memory = {
        "sections": {_INSIGHTS: {"retrieval": "best"}, _EXAMPLES: {"retrieval": "embedding", "most": 2}},
        "budget": 8_192,
        "embedder": {"name": "wordllama"},
    }

    def purpose(self, version: Version) -> str:
        # Trials end by the reward, and a stream's tasks are its result.
        return ATTEMPT if self.stream else GATHER

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        notebook = OpenNotebook(run, version + 1, await run.notes(version))
        gathered = [
            _Trials.of(each, each.experience) for each in ran if each.experience is not None and not each.faulted
        ]
        for trials in gathered:
            for pair in trials.pairs():
                await self._revise(run, notebook, "pair", pair)
        attempts = [attempt for trials in gathered for attempt in trials.success]
        for first in range(0, len(attempts), self.config.successes):
            several = tuple(attempts[first : first + self.config.successes])
            await self._revise(run, notebook, "successes", several)
        known = {_task_of(each.note) for each in _section(notebook, _EXAMPLES)}
        new: dict[str, Note] = {}
        for trials in gathered:
            for note in trials.examples():
                new.setdefault(_task_of(note), note)
        await notebook.change(*(AddNote(note=note) for task, note in new.items() if task not in known))

    async def _revise(
        self, run: LearnerContext, notebook: OpenNotebook, source: RevisedAfter, attempts: tuple[Experience, ...]
    ) -> None:
        insights = _section(notebook, _INSIGHTS)
        is_full = len(insights) >= self.config.insights
        revised = await run.ask(
            ReviseNotes(
                notes=tuple(map(ListedNote.of, insights)),
                source=source,
                attempts=attempts,
                operations=_CHANGES if is_full else ("ADD", *_CHANGES),
                sections=(_INSIGHTS,),
                most=self.config.operations,
            )
        )
        if isinstance(revised, NotesRevised):
            for revision in revised.revisions:
                await notebook.change(*_changes(notebook, revision, attempts[0].task, self.config.insights))


class _Trials(NamedTuple):
    """What was gathered at a task."""

    experience: Experience
    failures: tuple[Experience, ...]
    success: tuple[Experience, ...]
    """The last trial, if it succeeded; else none."""

    @classmethod
    def of(cls, ran: EpisodeRan, experience: Experience) -> "_Trials":
        before, last = experience.attempts[:-1], experience.attempts[-1:]
        return cls(experience, before, last) if ran.succeeded else cls(experience, experience.attempts, ())

    def pairs(self) -> Iterator[tuple[Experience, Experience]]:
        """Each failure with the success."""
        yield from ((failure, success) for success in self.success for failure in self.failures)

    def examples(self) -> Iterator[Note]:
        """The success as a note that is found by its goal."""
        for each in self.success:
            yield Note(
                title=f"An example of success: {self.experience.goal}",
                text="\n".join(turns_as_texts(each.turns)),
                section=_EXAMPLES,
                task_type=self.experience.task_type,
                about=self.experience.goal,
                episode=self.experience.task,
            )


def _task_of(example: Note) -> str:
    """What tells its task from others: the goal where a given trajectory has no task's name."""
    return example.episode or example.about


def _section(notebook: OpenNotebook, name: str) -> tuple[StoredNote, ...]:
    return tuple(each for each in notebook.notes if each.note.section == name)


def _changes(notebook: OpenNotebook, revision: NoteRevision, task: str, most: int) -> Iterator[NoteChange]:
    """What an operation does. An insight is removed when the votes against it are as many as those for it.

    One that is there already is not added again, nor one beside so many others; one that was removed meanwhile is left
    alone.
    """
    id, text = revision.id, revision.text
    if revision.operation == "ADD":
        insights = _section(notebook, _INSIGHTS)
        if len(insights) < most and all(each.note.text != text for each in insights):
            yield AddNote(note=Note(text=text, section=_INSIGHTS, episode=task), helpful=_FIRST_VOTES)
    elif id is not None and id in notebook:
        stored = notebook[id]
        if revision.operation == "EDIT":
            yield EditNote(id=id, note=replace(stored.note, text=text))
        agrees = revision.operation != "DISAGREE"
        yield VoteNote(id=id, helpful=int(agrees), harmful=int(not agrees))
        if not agrees and stored.helpful - stored.harmful <= 1:
            yield ReplaceNote(id=id)
