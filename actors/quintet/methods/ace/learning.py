"""ACE's learner: reviews every attempt, adds what it teaches to the playbook, and merges notes that say the same."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintet.messages.curation import AttemptReviewed, ListedNote, NotesRevised, ReviewAttempt, ReviseNotes
from quintet.messages.learning import EpisodeRan, Experience, Version
from quintet.messages.notes import AddNote, Note, NoteChange, NoteId, ReplaceNote, StoredNote, VoteNote
from quintet.methods.ace.config import BUDGET, AceLearning
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner
from quintet.methods.base.open_notebook import OpenNotebook

_BYTES_OF_TOKEN = 4
_COMPARED = 8
"""Notes that a new one is compared with, the nearest."""


class AceLearner(NotesLearner[AceLearning]):
    """Votes for notes and adds further ones after every window of attempts; none is ever reworded.

    Source: Agentic Context Engineering (2025). Differs: see the README.
    """

    requests = (ReviewAttempt, ReviseNotes)
    memory = {"retrieval": "all", "budget": BUDGET, "embedder": {"name": "wordllama"}}

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        before = await run.notes(version)
        playbook = OpenNotebook(run, version + 1, before)
        await self._merge(run, version, playbook)
        lived = [(each, each.experience) for each in ran if each.experience is not None and not each.faulted]
        async with run.branches() as group:
            reviews = [group.start(self._review, run, before, each, told) for each, told in lived]
        for review, (_, told) in zip(reviews, lived, strict=True):
            if (reviewed := review.result()) is not None:
                await self._curate(run, playbook, told, reviewed)

    async def _review(
        self, run: LearnerContext, before: Sequence[StoredNote], ran: EpisodeRan, told: Experience
    ) -> AttemptReviewed | None:
        """The last review of an attempt; None: there is none."""
        shown = tuple(ListedNote.of(each) for each in before if each.id in told.recalled)
        review: AttemptReviewed | None = None
        for _ in range(1 if ran.succeeded else self.config.reflections):
            again = await run.ask(
                ReviewAttempt(
                    experience=replace(told, processes=()),
                    succeeded=ran.succeeded,
                    notes=shown,
                    mistake=review.mistake if review else "",
                    insight=review.insight if review else "",
                )
            )
            if not isinstance(again, AttemptReviewed):
                break
            changed = review is None or (again.mistake, again.insight) != (review.mistake, review.insight)
            review = again
            if not changed:
                break
        return review

    async def _curate(
        self, run: LearnerContext, playbook: OpenNotebook, told: Experience, review: AttemptReviewed
    ) -> None:
        """Store the votes of a review, and the notes that the curator makes of it."""
        await playbook.change(*_votes(playbook, review))
        revised = await run.ask(
            ReviseNotes(
                notes=tuple(map(ListedNote.of, playbook.notes)),
                source="review",
                mistake=review.mistake,
                insight=review.insight,
                operations=("ADD",),
                sections=self.config.sections,
                most=self.config.additions,
            )
        )
        if isinstance(revised, NotesRevised):
            notes = (Note(text=each.text, section=each.section, episode=told.task) for each in revised.revisions)
            await playbook.change(*(AddNote(note=note) for note in notes))

    async def _merge(self, run: LearnerContext, version: Version, playbook: OpenNotebook) -> None:
        """Replace notes by older ones that say the same, and hand their votes over: the paper's grow-and-refine."""
        if not self._is_due(playbook.notes):
            return
        before = await run.notes(version - 1) if version else ()
        compared = {each.id for each in before} if self._is_due(before) else set[NoteId]()
        fresh = [each for each in playbook.notes if each.id not in compared]
        async with run.branches() as group:
            found = [group.start(run.similar, version, each.note.found_by, _COMPARED) for each in fresh]
        for each, near in zip(fresh, found, strict=True):
            for older, cosine in near.result():
                if cosine > self.config.similarity and older.id < each.id and older.id in playbook:
                    await playbook.change(*_merged(each, older.id))
                    break

    def _is_due(self, notes: Sequence[StoredNote]) -> bool:
        """Whether notes are merged in the version after the one that has these."""
        match self.config.merge:
            case "each":
                return True
            case "full":
                return sum(each.note.size for each in notes) > self.config.budget * _BYTES_OF_TOKEN
            case "never":
                return False


def _votes(playbook: OpenNotebook, review: AttemptReviewed) -> Iterator[NoteChange]:
    """A note that was merged meanwhile gets none."""
    yield from (VoteNote(id=each, helpful=1) for each in review.helpful if each in playbook)
    yield from (VoteNote(id=each, harmful=1) for each in review.harmful if each in playbook)


def _merged(note: StoredNote, by: NoteId) -> Iterator[NoteChange]:
    yield ReplaceNote(id=note.id, by=by)
    if note.helpful or note.harmful:
        yield VoteNote(id=by, helpful=note.helpful, harmful=note.harmful)
