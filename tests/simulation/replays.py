"""What the journal alone leads to."""

from quintet.errors import ModelFault
from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from quintet.testing.replay import with_model
from tests.simulation.content import content
from tests.simulation.virtual import run


class Mute:
    """A model that a full replay never calls."""

    name = "mute"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise ModelFault("called in a replay that has everything")


def replayed(spec: RunSpec, journal: SqliteJournal) -> list[EpisodeEnded]:
    """The ends that the journal alone leads to, by path; replaying calls no model and writes nothing new."""
    before, mute = content(journal), with_model(spec, Mute())
    ended = sorted(row.path for row in journal.reader.episodes() if row.state is not None)
    again = [Planned(path, Solve(task=mute.task(path.split("/")[0], 0))) for path in ended]

    async def scene() -> list[EpisodeEnded]:
        async with LocalRuntime(mute, journal, concurrency=1) as runtime:
            return sorted([end async for end in runtime.run(again)], key=lambda end: end.path)

    ends, after = run(scene()), content(journal)
    new = {place: event for place, event in after.items() if before.get(place) != event}
    assert new == {}, str(new)
    return ends
