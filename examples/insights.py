"""A memory of your own: a note of every training task, kept in order by votes, recalled by words for the next ones."""

from collections.abc import Iterator

from quintet.author import (
    AddNote,
    EpisodeRan,
    Learned,
    LearnerContext,
    LearnerSpec,
    Note,
    ReplaceNote,
    StoredNote,
    VersionOptions,
    VoteNote,
    model_role,
    publish_versions,
    system,
    user,
)
from quintet.methods.react.react import React

ASKED = system("You read what an agent did at a task. Say in one sentence what it should know the next time.")


class Insights(LearnerSpec[VersionOptions]):
    """Two rounds over the training tasks; each is a version of the notebook."""

    learns = "notebook"
    memory = {"retrieval": "lexical", "most": 3}
    worlds = {"textcraft": {"split": "dev", "tasks": 4}}

    async def learn(self, run: LearnerContext) -> Learned:
        async def make(version: int) -> str:
            if version:
                before = await run.notes(version - 1)
                for place, ran in enumerate(await run.experience(run.training, version - 1)):
                    if ran.experience is not None and (note := await self.extract(run, ran)) is not None:
                        await run.change_notes(version, place, *self.consolidate(note, ran, before))
            return await run.seal(version)

        return await publish_versions(run, self.config, self.versions(len(run.training)), make)

    async def extract(self, run: LearnerContext, ran: EpisodeRan) -> Note | None:
        """What to note of an episode; None: nothing."""
        assert ran.experience is not None
        turns = "\n".join(f"{turn.completion}\n{turn.observation}" for turn in ran.experience.turns)
        end = "It succeeded." if ran.succeeded else "It failed."
        said = (await run.complete("noter", ASKED, user(f"{ran.experience.opening}\n\n{turns}\n\n{end}"))).text.strip()
        return Note(text=said, about=ran.experience.opening, episode=ran.experience.task) if said else None

    def consolidate(
        self, note: Note, ran: EpisodeRan, before: tuple[StoredNote, ...]
    ) -> Iterator[AddNote | VoteNote | ReplaceNote]:
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

    def versions(self, training: int, trajectories: int = 0) -> int:
        return 2


class NotingReact(React):
    name = "noting"
    roles = (model_role("noter"),)
    learner = Insights


if __name__ == "__main__":
    from quintet.api import evaluate

    settings = {"run.learn": True, "learning.tasks": 2}
    episodes = evaluate(NotingReact, "textcraft", model="sim-strong", tasks=["beehive"], settings=settings)
    print(sum(episode.reward >= 1 for episode in episodes), "of", len(episodes), "episodes solved")
