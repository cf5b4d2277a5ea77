"""A memory of your own: a note of every task, kept in order by votes, recalled by words for the next ones."""

from collections.abc import Iterator, Sequence

from quintet.author import (
    AddNote,
    EpisodeRan,
    Experience,
    LearnerContext,
    MethodOptions,
    Note,
    NoteChange,
    NotesLearner,
    NotesMethod,
    NotesOptions,
    ReplaceNote,
    StoredNote,
    Version,
    VoteNote,
    model_role,
    system,
    user,
)

ASKED = system("You read what an agent did at a task. Say in one sentence what it should know the next time.")


class InsightsLearner(NotesLearner[NotesOptions]):
    """A version of the notebook after every window of tasks."""

    memory = {"retrieval": "lexical", "most": 3}
    worlds = {"textcraft": {"split": "dev", "tasks": 4, "rounds": 2}}

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, experience: Experience
    ) -> Sequence[NoteChange]:
        note = await self.extract(run, ran, experience)
        return () if note is None else tuple(self.consolidate(note, ran, await run.notes(version)))

    async def extract(self, run: LearnerContext, ran: EpisodeRan, experience: Experience) -> Note | None:
        """What to note of an episode; None: nothing."""
        turns = "\n".join(f"{turn.completion}\n{turn.observation}" for turn in experience.turns)
        end = "It succeeded." if ran.succeeded else "It failed."
        said = (await run.complete("noter", ASKED, user(f"{experience.opening}\n\n{turns}\n\n{end}"))).text.strip()
        return Note(text=said, about=experience.opening, episode=experience.task) if said else None

    def consolidate(self, note: Note, ran: EpisodeRan, before: tuple[StoredNote, ...]) -> Iterator[NoteChange]:
        """Vote for what is noted again, drop what fails more than it helps, and add what is new."""
        known = next((each for each in before if each.note.text == note.text), None)
        if known is None:
            yield AddNote(note=note, helpful=int(ran.succeeded))
        elif ran.succeeded:
            yield VoteNote(id=known.id, helpful=1)
        else:
            yield VoteNote(id=known.id, harmful=1)
            if known.harmful >= known.helpful:
                yield ReplaceNote(id=known.id)


class Insights(NotesMethod[MethodOptions]):
    name = "insights"
    version = "1"
    roles = (model_role("noter"),)
    learner = InsightsLearner


if __name__ == "__main__":
    from quintet.api import evaluate

    settings = {"run.learn": True, "learning.tasks": 2}
    episodes = evaluate(Insights, "textcraft", model="sim-strong", tasks=["beehive"], settings=settings)
    print(sum(episode.reward >= 1 for episode in episodes), "of", len(episodes), "episodes solved")
