"""Every prompt sent to a model is in the journal in full, even if any commit fails, and is offered to it about once."""

from collections.abc import Iterable, Mapping

import pytest

from benchmarks.search import offered_and_kept
from quintet.errors import JournalFault
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Execute, Turn
from quintet.messages.learning import Experience
from quintet.messages.paths import episode_path
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress
from quintet.messages.reflection import Reflect
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Sampling
from quintet.roles.registry import prompts_of
from quintet.runtime.incarnation import Planned
from tests.actors.fakes import GOAL, SETTING, TASK, Kitchen
from tests.deploy.trees import NoOptions
from tests.simulation.scenes import ends_of, spec_of
from tests.simulation.virtual import run

PATH = episode_path(TASK.name, 0, 0)
WENT = Experience(task=TASK.name, opening=SETTING, turns=(Turn(completion="Action: burn", observation="It is burnt."),))
MOST = 40
"""Commits of an episode, and some."""


class Own(Method[NoOptions]):
    """Turns of three calls that share a prefix that was never sent alone; and three calls at once."""

    name = "own"
    version = "1"
    requests = (Execute, Reflect)
    worlds = {"kitchen": {}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.ask(Execute(session=episode.session, setting=SETTING, goal=GOAL, max_calls=3, patience=3))
        await episode.ask(Reflect(experience=WENT, plan="", succeeded=False))
        return Solved(session=episode.session, reward=0.0, done=False)


PROMPTS = ("execute.thought", "execute.formalizer", *prompts_of(Own.requests))


class Waiting:
    """Waits, and keeps what it was sent."""

    name = "waiting"

    def __init__(self) -> None:
        self.sent: dict[PromptAddress, tuple[ChatMessage, ...]] = {}

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.sent[prompt.node.address] = prompt.messages()
        return Completion(text="wait")


class Failing(SqliteJournal):
    """Fails once.

    Args:
        number: of the commit that fails, from 0.
        late: whether the records are committed all the same.
    """

    def __init__(self, number: int, *, late: bool) -> None:
        super().__init__(":memory:")
        self._left = number
        self._late = late

    async def append(self, records: Iterable[Record]) -> None:
        self._left -= 1
        if self._left != -1:
            await super().append(records)
            return
        if self._late:
            await super().append(records)
        raise JournalFault("journal: disk full")


async def play(journal: SqliteJournal, model: Waiting) -> EpisodeEnded:
    prompts = {name: f"{name}." for name in PROMPTS}
    spec = spec_of(Own(NoOptions()), prompts, model, world=Kitchen(), roles=("executor", "reflector"))
    (end,) = await ends_of(spec, journal, [Planned(PATH, Solve(task=TASK))])
    return end


def kept(journal: SqliteJournal) -> Mapping[PromptAddress, tuple[ChatMessage, ...]]:
    """The prompt of every call that is in the journal."""
    calls = [record.event for record in journal.reader.records() if isinstance(record.event, CallMade)]
    return {call.prompt: journal.reader.prompt(call.path) for call in calls}


@pytest.mark.parametrize("late", [False, True])
def test_wherever_a_commit_fails_every_prompt_is_kept_in_full(late: bool) -> None:
    async def scene(number: int) -> bool:
        journal, model = Failing(number, late=late), Waiting()
        try:
            end = await play(journal, model)
            failed = False
        except JournalFault:
            begun = kept(journal)
            assert begun == {address: model.sent[address] for address in begun}
            end, failed = await play(journal, model), True
        assert end.state == "solved"
        assert kept(journal) == model.sent
        return failed

    failures = [run(scene(number)) for number in range(MOST)]
    assert failures == sorted(failures, reverse=True)
    assert failures.count(True) > 4 * 3
    assert not failures[-1]


def test_a_search_offers_the_journal_little_more_than_it_keeps() -> None:
    offered, kept = run(offered_and_kept())
    assert kept > 20_000
    assert offered <= 1.5 * kept
