"""The recorder: prompts are journaled once and in full, even if a commit fails."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import pytest
from msgspec.structs import replace

from benchmarks.search import offered_and_kept
from quintet.errors import JournalFault, PromptUnknown
from quintet.events import CallMade, Decided, EpisodeEnded, NodeGrown, Record, SessionForked
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Execute, Turn
from quintet.messages.learning import Experience
from quintet.messages.paths import Path, child, episode_of, episode_path
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, user
from quintet.messages.reflection import Reflect
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Sampling
from quintet.ports.transport import DRIVER
from quintet.roles.registry import prompts_of
from quintet.runtime.incarnation import Planned
from quintet.runtime.recorder import JournaledPrompts, Recorder, remember
from quintet.testing.content import content_of
from quintet.testing.replay import left_by_kill, run_episode
from tests.actors.fakes import GOAL, SETTING, TASK, Kitchen
from tests.deploy.trees import NoOptions, grow
from tests.simulation.scenes import ends_of, spec_of
from tests.simulation.virtual import run

HERE = Path("task/0/0/1")


def test_only_the_newest_are_remembered() -> None:
    memory: OrderedDict[int, bool] = OrderedDict()
    for number in range(10_001):
        remember(memory, number, True)
    assert len(memory) == 10_000
    assert 0 not in memory


async def test_what_is_noted_is_journaled_before_what_is_committed_after_it() -> None:
    journal = SqliteJournal(":memory:")
    recorder, number = Recorder(journal, DRIVER), journal.begin(episode_of(HERE))
    noted, committed = (Decided(path=child(HERE, at), question="", answer="") for at in (2, 1))
    recorder.note(noted, number)
    await recorder.commit(committed, incarnation=number)
    assert list(journal.reader.events(episode_of(HERE), "_decisions")) == [noted, committed]


async def test_a_note_that_cannot_be_stored_harms_no_other_of_its_turn() -> None:
    journal = SqliteJournal(":memory:")
    recorder, number = Recorder(journal, DRIVER), journal.begin(episode_of(HERE))
    good, bad = (Decided(path=child(HERE, at), question="", answer=said) for at, said in ((1, "tea"), (2, "\ud800")))
    recorder.note(good, number)
    recorder.note(bad, number)
    await recorder.settle(good.path, number)
    assert [record.event for record in journal.reader.records()] == [good]
    with pytest.raises(ValueError, match="surrogates"):
        await recorder.settle(bad.path, number)


async def test_closing_writes_what_was_noted_just_now() -> None:
    journal = SqliteJournal(":memory:")
    recorder, number = Recorder(journal, DRIVER), journal.begin(episode_of(HERE))
    recorder.note(Decided(path=HERE, question="", answer=""), number)
    assert not recorder.idle
    await recorder.close()
    assert len(journal.reader.records()) == 1


ROOT = Prompt(user("Hello."))
GROWN = ROOT.extend(user("Go on."))


@pytest.mark.parametrize("commits", [True, False])
async def test_of_two_calls_at_once_the_second_brings_a_node_only_if_the_first_commit_failed(commits: bool) -> None:
    prompts = JournaledPrompts()
    nodes = await prompts.take(ROOT)
    second = asyncio.create_task(prompts.take(GROWN))
    await asyncio.sleep(0)
    assert not second.done()
    if commits:
        prompts.add(ROOT)
    prompts.release(nodes)
    assert await second == ((GROWN.node,) if commits else (ROOT.node, GROWN.node))


async def test_a_prompt_that_was_used_lately_is_not_forgotten() -> None:
    prompts = JournaledPrompts(bound=2)
    other, third = Prompt(user("Other.")), Prompt(user("Third."))
    prompts.add(ROOT)
    prompts.add(other)
    prompts.release(await prompts.take(GROWN))
    prompts.add(third)
    assert [len(await prompts.take(prompt)) for prompt in (ROOT, other, third)] == [0, 1, 0]


async def test_a_prompt_brings_its_ancestors_into_the_journal() -> None:
    prompts = JournaledPrompts()
    prompts.add(GROWN)
    assert await prompts.take(ROOT) == ()


class Forgetful:
    """A journal that does not know any prompt that it is not given whole."""

    def __init__(self) -> None:
        self.offered: list[int] = []

    async def append(self, records: Iterable[Record]) -> None:
        (record,) = records
        self.offered.append(len(record.prompts))
        if record.prompts[0].parent is not None:
            raise PromptUnknown(record.event.path)


async def test_a_call_whose_prompt_the_journal_forgot_brings_all_of_it() -> None:
    journal = Forgetful()
    recorder = Recorder(journal, DRIVER)
    for prompt in (ROOT, GROWN):
        event = CallMade(
            path=HERE,
            model="m",
            prompt=prompt.node.address,
            sampling=Sampling(),
            completion=Completion(text=""),
        )
        await recorder.commit_call(event, incarnation=1, prompt=prompt, seconds=0.0)
    assert journal.offered == [1, 1, 2]


class Grouping:
    """Keeps where each write's events happened; a full one fails."""

    def __init__(self, *, full: bool = False) -> None:
        self.written: list[list[Path]] = []
        self._full = full

    async def append(self, records: Iterable[Record]) -> None:
        self.written.append([record.event.path for record in records])
        if self._full:
            raise JournalFault("journal: disk full")


def note(recorder: Recorder, path: Path) -> None:
    recorder.note(Decided(path=path, question="which", answer="1"), 1)


async def test_what_an_episode_notes_in_one_turn_of_the_loop_is_one_write() -> None:
    journal = Grouping()
    recorder = Recorder(journal, DRIVER)
    elsewhere = Path("other/0/0/1")
    for path in (child(HERE, 1), child(elsewhere, 1), child(HERE, 2)):
        note(recorder, path)
    await asyncio.sleep(0)
    note(recorder, child(HERE, 3))
    await recorder.close()
    assert journal.written == [[child(HERE, 1), child(HERE, 2)], [child(elsewhere, 1)], [child(HERE, 3)]]


async def test_all_that_was_in_a_failed_write_is_missed_where_it_happened() -> None:
    recorder = Recorder(Grouping(full=True), DRIVER)
    for path in (child(HERE, 1), child(HERE, 2)):
        note(recorder, path)
    for path in (child(HERE, 1), child(HERE, 2)):
        with pytest.raises(JournalFault):
            await recorder.settle(path, 1)
    await recorder.settle(child(HERE, 3), 1)


def test_wherever_an_episode_is_killed_its_nodes_and_copies_are_journaled_in_the_end() -> None:
    whole = run_episode(grow(), "stick")
    nodes = [record.event for record in whole if isinstance(record.event, NodeGrown)]
    assert {(event.tree.count("/"), event.node) for event in nodes} >= {(2, 0), (2, 1), (2, 4), (3, 0), (3, 1)}
    copies = [record.event for record in whole if isinstance(record.event, SessionForked)]
    assert {event.origin for event in copies} == {"stick/0/0/1"}
    for kept in range(len(whole)):
        left = left_by_kill(whole, kept)
        assert content_of(run_episode(grow(), "stick", left)) == content_of(whole), f"killed after {kept}"


def test_a_note_that_was_lost_on_its_way_is_journaled_by_the_replay() -> None:
    whole = run_episode(grow(), "stick")
    left = [record for record in whole[:-1] if not isinstance(record.event, NodeGrown | EpisodeEnded)]
    assert content_of(run_episode(grow(), "stick", left)) == content_of(whole)


def test_an_episode_is_not_answered_before_its_nodes_are_committed() -> None:
    whole = run_episode(grow(), "stick")
    kinds = [type(record.event) for record in whole]
    assert NodeGrown not in kinds[kinds.index(EpisodeEnded) :]


def test_a_node_that_stands_differently_in_a_replay_faults_the_episode() -> None:
    whole = run_episode(grow(), "stick")
    changed = [
        Record(event=replace(record.event, value=0.125), incarnation=1)
        if isinstance(record.event, NodeGrown) and record.event.node == 1
        else record
        for record in whole[:-3]
    ]
    end = run_episode(grow(), "stick", changed)[-1].event
    assert isinstance(end, EpisodeEnded)
    assert end.fault is not None
    assert end.fault.kind == "ReplayMismatch"
    assert "node_grown: value: line 1: expected '0.125', got" in end.fault.text


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
